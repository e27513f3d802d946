"""Taps beside readers of the league's page: what a tap takes with nobody else there, and with
readers.

python -m tests.tools.bench.page [--rounds N] [--seconds S]

Each second TAPS taps begin and, in every other half of a round, READERS readers open the page: the
HTML of a view and its figures. All begin on time, whether the former are answered or not. Threads
on SQLite with gunicorn's settings of bot/gunicorn.py; LINE takes 20 ms. A round has both halves, in
turn first; the ratio is the rounds' median and least, because other load on the machine only adds.
"""

import argparse
import multiprocessing
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from urllib.parse import urlsplit

from bot.service import Service
from bot.settings import read_settings
from tests.fakes.process import ROOT
from tests.tools.bench.engine import CHATS, LATENCY, Contender, burst, janroku
from tests.tools.bench.loadkit import SECRET, TOKEN, Client, percentile, webhook

TAPS = READERS = 50  # a second
VIEWS = (
    "",
    "?ask=sum",
    "?ask=figures",
    "?ask=recent",
    "?ask=player&who=all",
    "?ask=rating&season=all",
)


def paced(rate: int, seconds: float, do: Callable[[int], float]) -> list[float]:
    """Begin `do(n)` at `rate` a second; what each gives."""
    began = time.perf_counter()
    found: list[Future[float]] = []
    with ThreadPoolExecutor(32) as pool:
        for number in range(int(rate * seconds)):
            time.sleep(max(0.0, began + number / rate - time.perf_counter()))
            found.append(pool.submit(do, number))
    return [one.result() for one in found]


def tap(bot: Contender, number: int) -> float:
    token, body, signature = webhook(CHATS[number % len(CHATS)])
    began = time.perf_counter()
    with closing(Client(bot.port)) as client:
        assert client.post(body, signature) == 200
    assert not bot.line.wait([token], 50)
    return bot.line.replied[token] - began


def read(port: int, path: str, number: int) -> float:
    began = time.perf_counter()
    view = VIEWS[number % len(VIEWS)]
    with closing(Client(port)) as client:
        for address in (path + view, f"{path}/figures{view}"):
            assert client.ask("GET", address, None, {"Accept-Encoding": "gzip"}) == 200
    return time.perf_counter() - began


def readers(port: int, path: str, seconds: float) -> list[float]:
    return paced(READERS, seconds, partial(read, port, path))


def half(
    bot: Contender, path: str, seconds: float, others: Executor | None
) -> tuple[list[float], ...]:
    """The seconds of each tap, and of each reader where there are any."""
    reading = others.submit(readers, bot.port, path, seconds) if others else None
    taps = paced(TAPS, seconds, partial(tap, bot))
    return taps, reading.result() if reading else []


def beside_readers(rounds: int, seconds: float) -> None:
    spawned = multiprocessing.get_context("spawn")
    with janroku(ROOT, workers=False) as bot, ProcessPoolExecutor(1, spawned) as pool:
        bot.line.latency = LATENCY
        path = urlsplit(link(bot)).path
        burst(bot, 3 * len(CHATS))
        half(bot, path, 2, pool)  # every answer is there
        ratios: dict[float, list[float]] = {0.5: [], 0.95: []}
        print(
            f"{TAPS} taps a second, alone and with {READERS} readers; ms: p50, p95 of taps, p50 of readers"
        )
        for number in range(rounds):
            found: dict[bool, list[float]] = {}
            for beside in (True, False) if number % 2 else (False, True):
                found[beside], others = half(bot, path, seconds, pool if beside else None)
                words = [f"{1000 * percentile(found[beside], share):7.1f}" for share in ratios]
                words += [f"{1000 * statistics.median(others):7.1f}"] if others else []
                print("  readers" if beside else "  alone  ", *words, flush=True)
            for share, own in ratios.items():
                own.append(percentile(found[True], share) / percentile(found[False], share))
        for share, own in ratios.items():
            print(
                f"p{100 * share:.0f}: {statistics.median(own):.2f} times as slow (least {min(own):.2f})"
            )


def link(bot: Contender) -> str:
    where = {"LOGS_URL": f"file:{bot.folder / 'logs'}", "DATABASE_URL": bot.database}
    line = {"LINE_CHANNEL_SECRET": SECRET, "LINE_CHANNEL_ACCESS_TOKEN": TOKEN}
    more = {"LEAGUE_CHATS": ",".join(CHATS), "PUBLIC_URL": f"http://127.0.0.1:{bot.port}"}
    service = Service(read_settings({**where, **line, **more}))
    try:
        return service.links.url("")
    finally:
        service.state.close()


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args()
    beside_readers(options.rounds, options.seconds)


if __name__ == "__main__":
    main()
