"""Measure the service beside a bare echo bot, in one run; with --base DIR beside another checkout.

python -m tests.tools.bench.engine [--base DIR] [--rounds N]

Bursts of webhooks from 32 clients (members of 32 groups), which do not wait for answers, then taps
of clients that wait; with LINE's latency of 20 ms and without. Threads on SQLite, workers on
Postgres and Redis; every bot has gunicorn's settings of bot/gunicorn.py. The bots take turns, so
that other load on the machine affects all. The ratio is the median of the rounds' ratios to the
echo bot. Processor time and memory are those of the bot's own processes; `start` is until the web
process answers.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from storage.database import parsed
from tests.fakes.process import GUNICORN, ROOT, Running, service, web_command
from tests.fakes.redis import redis_server
from tests.fakes.servers import free_port, postgres
from tests.tools.bench import loadkit
from tests.tools.bench.loadkit import (
    SECRET,
    TOKEN,
    Client,
    Line,
    line_stub,
    percentile,
    together,
    webhook,
)

CLIENTS = 32
GROUPS = 32
HOOKS = 400
WAITED = 320
LATENCY = 0.020  # seconds of a call to LINE
CHATS = [f"C{number:02d}{number:029x}" for number in range(GROUPS)]
ECHO = "echo bot"


@dataclass
class Contender:
    """A running bot, its stand-in LINE, and its processes, the web process first."""

    line: Line
    port: int
    processes: list[Running]
    folder: Path = Path()
    database: str = ""

    def processor(self) -> float:
        return sum(process.processor() for process in self.processes)

    def memory(self) -> float:
        return sum(process.memory() for process in self.processes)


@dataclass(frozen=True)
class Burst:
    """The figures of one burst, or of one round of clients that wait (`times`: seconds of each
    tap).
    """

    accepted: float
    answered: float
    cost: float  # milliseconds of the bot's processor time a tap
    times: list[float]


Pair = tuple[Burst, Burst]  # without waiting, and waiting


@contextmanager
def echo_bot() -> Iterator[Contender]:
    with line_stub() as (line, url):
        port = free_port()
        env = {
            "LINE_API_URL": url,
            "LINE_CHANNEL_SECRET": SECRET,
            "LINE_CHANNEL_ACCESS_TOKEN": TOKEN,
        }
        command = [*GUNICORN, *loadkit.GUNICORN, "tests.tools.bench.echo_bot:app"]
        with service(port, env, command) as web:
            yield Contender(line, port, [web])


@contextmanager
def janroku(root: Path, workers: bool, **more: str) -> Iterator[Contender]:
    """The service of a checkout; `more` are further variables of its environment."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="janroku-engine-")))
        line, url = stack.enter_context(line_stub())
        port = free_port()
        env = loadkit.demo(folder) | {
            "LINE_API_URL": url,
            "LINE_CHANNEL_SECRET": SECRET,
            "LINE_CHANNEL_ACCESS_TOKEN": TOKEN,
            "LEAGUE_CHATS": ",".join(CHATS),
            "PUBLIC_URL": "https://bot.example",
            **more,
        }
        if workers:
            env["REDIS_URL"] = stack.enter_context(redis_server()).url
            env["DATABASE_URL"] = stack.enter_context(postgres()).url
        command = web_command(root=root)
        processes = [stack.enter_context(service(port, env, command, root=root))]
        if workers:
            command = web_command("worker", root)
            processes.append(stack.enter_context(service(port, env, command, root=root)))
        _until_alive(env["DATABASE_URL"], 3 if workers else 2)
        yield Contender(line, port, processes, folder, env["DATABASE_URL"])


def _until_alive(database: str, processes: int) -> None:
    """Wait until so many processes show that they live, in this version's form or an older
    one's.
    """
    forms = "janroku_processes", "janroku_state WHERE key LIKE 'alive:%'"
    engine = create_engine(parsed(database))
    give_up = time.monotonic() + 20
    alive = 0
    while alive < processes and time.monotonic() < give_up:
        time.sleep(0.1)
        for form in forms:
            with suppress(SQLAlchemyError), engine.connect() as connection:
                alive = connection.execute(text(f"SELECT count(*) FROM {form}")).scalar_one()
                break
    engine.dispose()


def burst(bot: Contender, hooks: int = HOOKS) -> Burst:
    """Send webhooks without waiting for their answers."""
    sent = [webhook(CHATS[number % GROUPS]) for number in range(hooks)]

    def post(client: Client, hook: tuple[str, bytes, str]) -> int:
        _token, body, signature = hook
        return client.post(body, signature)

    used = bot.processor()
    began = time.perf_counter()
    statuses, seconds = together(CLIENTS, post, sent, bot.port)
    assert set(statuses) == {200}, set(statuses)
    left = bot.line.wait([token for token, _, _ in sent], 50)
    assert not left, f"{len(left)} taps got no answer"
    last = max(bot.line.replied[token] for token, _, _ in sent)
    cost = 1000 * (bot.processor() - used) / hooks
    return Burst(hooks / seconds, hooks / (last - began), cost, [])


def waited(bot: Contender) -> Burst:
    """Send taps to the chats in turn, each client the next one when the last is answered."""

    def tap(client: Client, chat: str) -> float:
        token, body, signature = webhook(chat)
        began = time.perf_counter()
        assert client.post(body, signature) == 200
        assert not bot.line.wait([token], 50)
        return bot.line.replied[token] - began

    chats = [CHATS[number % GROUPS] for number in range(WAITED)]
    used = bot.processor()
    times, seconds = together(CLIENTS, tap, chats, bot.port)
    cost = 1000 * (bot.processor() - used) / WAITED
    return Burst(WAITED / seconds, WAITED / seconds, cost, times)


def load(roots: dict[str, Path], rounds: int) -> None:
    with ExitStack() as stack:
        bots = {ECHO: stack.enter_context(echo_bot())}
        for name, root in roots.items():
            bots[f"{name}, threads"] = stack.enter_context(janroku(root, workers=False))
            bots[f"{name}, workers"] = stack.enter_context(janroku(root, workers=True))
        for bot in bots.values():
            burst(bot, 3 * GROUPS)  # reads the league, draws the picture, opens connections
        for latency in (LATENCY, 0.0):
            for bot in bots.values():
                bot.line.latency = latency
            found: dict[str, list[Pair]] = {name: [] for name in bots}
            for _ in range(rounds):
                for name, bot in bots.items():
                    found[name].append((burst(bot), waited(bot)))
            _show_load(found, latency, bots)
        for name, bot in bots.items():
            assert not bot.line.repeated, name


def _show_load(
    found: dict[str, list[Pair]],
    latency: float,
    bots: dict[str, Contender],
) -> None:
    clients = f"{CLIENTS} clients, members of {GROUPS} groups, {HOOKS} webhooks a burst"
    print(f"\n{clients}; LINE takes {1000 * latency:.0f} ms")
    heads = (
        "accepted/s",
        "of echo",
        "answered/s",
        "of echo",
        "ms CPU",
        "of echo",
        "p50 ms",
        "p99 ms",
        "PSS MiB",
        "start s",
    )
    print(f"{'':22}" + "".join(f"{head:>11}" for head in heads))
    echo = found[ECHO]
    for name, pairs in found.items():
        cells: list[str] = []
        for figure, form in (("accepted", "11.0f"), ("answered", "11.0f"), ("cost", "11.2f")):
            values = [getattr(sent, figure) for sent, _ in pairs]
            echo_values = [getattr(sent, figure) for sent, _ in echo]
            ratios = [ours / theirs for ours, theirs in zip(values, echo_values, strict=True)]
            cells.append(f"{statistics.median(values):{form}}")
            cells.append(f"{statistics.median(ratios):11.2f}")
        times = [1000 * seconds for _, wait in pairs for seconds in wait.times]
        cells += [f"{percentile(times, share):11.1f}" for share in (0.5, 0.99)]
        cells += [f"{bots[name].memory():11.0f}", f"{bots[name].processes[0].started:11.1f}"]
        print(f"{name:22}" + "".join(cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument(
        "--base", type=Path, help="another checkout, measured in turn with this one"
    )
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.base is not None and not (options.base / "Procfile").is_file():
        parser.error(f"--base {options.base}: is no checkout")
    roots = {"Janroku": ROOT}
    if options.base:
        roots["base"] = options.base.resolve()
    load(roots, options.rounds)


if __name__ == "__main__":
    main()
