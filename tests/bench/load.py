"""Measure the load one machine can take: webhooks beside a bare echo bot, warm taps, workers, and 10,000 leagues.

The clients and the stand-in LINE run on the same machine, so the figures are a lower bound. Both bots have the same
gunicorn settings. Each part sends a few thousand taps. `LEAGUES` is the number of leagues.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.league.demo import demo_files
from storage.state import SqlState
from tests.bench.loadkit import SECRET, TOKEN, Client, Line, line_stub, percentile, together, webhook
from tests.fakes.process import Running, service, web_command
from tests.fakes.redis import redis_server
from tests.fakes.servers import free_port, postgres

ACCEPTED, ROUNDS, WARM, CLIENTS = 1000, 5, 1500, 32
LEAGUES = int(os.environ.get("BENCH_LEAGUES", "10000"))
GAMES = 1000
CHATS = [f"C{number:032x}" for number in range(200)]
SETTINGS = [
    "--worker-class",
    "gthread",
    "--threads",
    "8",
    "--workers",
    "2",
    "--preload",
    "--keep-alive",
    "95",
]


@dataclass
class Bot:
    line: Line
    port: int
    web: Running
    folder: Path
    state: SqlState
    worker: Running | None = None

    def memory(self) -> float:
        return self.web.memory() + (self.worker.memory() if self.worker else 0)


@contextmanager
def running(command: list[str] | None = None, workers: bool = False, **more: str) -> Iterator[Bot]:
    port = free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="janroku-load-")))
        line, url = stack.enter_context(line_stub())
        logs = folder / "logs"
        logs.mkdir()
        for name, data in demo_files().items():
            (logs / name).write_bytes(data)
        env = {
            "LINE_API_URL": url,
            "LINE_CHANNEL_SECRET": SECRET,
            "LINE_CHANNEL_ACCESS_TOKEN": TOKEN,
            "LEAGUE_CHATS": ",".join(CHATS),
            "LOGS_URL": f"file:{logs}",
            "IMAGES_URL": f"file:{folder / 'images'}",
            "PUBLIC_URL": "https://bot.example",
            "DATABASE_URL": f"sqlite:///{folder / 'state.sqlite3'}",
            **more,
        }
        if workers:
            env["REDIS_URL"] = stack.enter_context(redis_server()).url
            env["DATABASE_URL"] = stack.enter_context(postgres()).url
        state = SqlState(env["DATABASE_URL"])
        stack.callback(state.close)
        web = stack.enter_context(service(port, env, command))
        worker = stack.enter_context(service(port, env, web_command("worker"))) if workers else None
        if command is None:
            while len(state.items("alive:")) < (3 if workers else 2):
                time.sleep(0.1)
        yield Bot(line, port, web, folder, state, worker)


def burst(bot: Bot, data: str) -> tuple[float, float]:
    """Webhooks accepted a second, and webhooks answered a second."""
    hooks = [webhook(CHATS[number % len(CHATS)], data) for number in range(ACCEPTED)]
    began = time.perf_counter()
    statuses, seconds = together(CLIENTS, lambda client, hook: client.post(hook[1], hook[2]), hooks, bot.port)
    assert set(statuses) == {200}, set(statuses)
    left = bot.line.wait([token for token, _, _ in hooks], 50)
    assert not left, f"{len(left)} taps got no answer"
    last = max(bot.line.replied[token] for token, _, _ in hooks)
    return ACCEPTED / seconds, ACCEPTED / (last - began)


def tap(bot: Bot, client: Client, chat: str, data: str = "request_rating") -> float:
    """Seconds from the webhook to the reply."""
    token, body, signature = webhook(chat, data)
    began = time.perf_counter()
    assert client.post(body, signature) == 200
    assert not bot.line.wait([token], 50)
    return bot.line.replied[token] - began


def taps(bot: Bot, chats: list[str], clients: int = CLIENTS) -> tuple[float, list[float]]:
    """Taps answered a second, with clients that wait for each answer, and the seconds of each tap."""
    times, seconds = together(clients, lambda client, chat: tap(bot, client, chat), chats, bot.port)
    return len(chats) / seconds, times


def show(name: str, value: float, unit: str = "") -> None:
    print(f"  {name:58}{value:10.1f} {unit}", flush=True)


def beside_the_echo_bot() -> None:
    """Print the medians of bursts to both bots. Bursts take turns, so that other load on the machine affects both.

    The echo bot replies before its 200. Janroku replies after it, so its threads answer earlier taps while the same two
    processes accept new ones. `request_help` is answered from memory, like an echo, `request_rating` by a picture and table.
    """
    print(
        f"\nwebhooks with {CLIENTS} clients, {ROUNDS} times {ACCEPTED}; two gunicorn workers of eight threads"
    )
    with running([web_command()[0], *SETTINGS, "tests.bench.echo_bot:app"]) as echo, running() as ours:
        burst(echo, "request_help")
        taps(ours, CHATS[:64])
        found: dict[str, list[tuple[float, float]]] = {"echo": [], "request_help": [], "request_rating": []}
        for _ in range(ROUNDS):
            for kind, rates in found.items():
                rates.append(burst(echo, "request_help") if kind == "echo" else burst(ours, kind))
    accepted = {kind: percentile([rate for rate, _ in rates], 0.5) for kind, rates in found.items()}
    show("echo bot (replies before its 200), accepted a second", accepted["echo"])
    for kind in ("request_help", "request_rating"):
        ratios = [mine[0] / theirs[0] for mine, theirs in zip(found[kind], found["echo"], strict=True)]
        show(f"Janroku (stored before its 200), {kind}", accepted[kind])
        print(
            f"    beside the echo bot: {percentile(ratios, 0.5):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        )
        show("  answered a second", percentile([rate for _, rate in found[kind]], 0.5))


def warm(workers: bool) -> None:
    print(
        f"\nwarm taps with {CLIENTS} clients that wait"
        + (", a worker on Postgres and Redis" if workers else ", threads")
    )
    with running(workers=workers) as bot:
        taps(bot, CHATS[:64])
        rate, times = taps(bot, [CHATS[number % len(CHATS)] for number in range(WARM)])
        _, alone = taps(bot, CHATS[:60], 1)
        show("answered a second", rate)
        show("median with all clients", 1000 * percentile(times, 0.5), "ms")
        show("99th percentile", 1000 * percentile(times, 0.99), "ms")
        show("median of one client alone", 1000 * percentile(alone, 0.5), "ms")
        show("memory of all processes", bot.memory(), "MiB")
        assert not bot.line.repeated


def season_log(seed: int) -> bytes:
    """A season of `GAMES` games of nine players."""
    chance, lines = random.Random(seed), []
    names = [f"選手{seed}の{number}" for number in range(9)]
    for number in range(GAMES):
        if number % 8 == 0:
            month, day = divmod(number // 8, 28)
            lines.append(f"#{month % 12 + 1}/{day + 1}")
        one, two = chance.randint(20, 60), chance.randint(-20, 20)
        a, b, c = chance.sample(names, 3)
        players = f"{a}(+{one}.0,+3枚) {b}({two:+d}.0,0枚) {c}({-one - two:+d}.0,-3枚)"
        lines.append(f"C1934 | {12 + number % 8:02}:{chance.randint(0, 59):02} | 三般南喰赤速 | {players}")
    return "\n".join(lines).encode()


def many_leagues() -> None:
    print(f"\n{LEAGUES} leagues of {GAMES} games, one machine, two web processes (CACHE_MB=256 each)")
    with running(CACHE_MB="256") as bot:
        kinds = []
        for seed in range(20):
            path = bot.folder / f"season{seed}.txt"
            path.write_bytes(season_log(seed))
            kinds.append(path)
        chats = [f"C{number:032x}" for number in range(1000, 1000 + LEAGUES)]
        for number, chat in enumerate(chats):
            league = bot.folder / "logs" / f"l{number}"
            league.mkdir()
            (league / "logvol1.txt").hardlink_to(kinds[number % 20])
            bot.state.put(f"chat:{chat}", json.dumps({"league": f"l{number}"}))
        chance = random.Random(1)
        taps(bot, [chats[number] for number in range(20)], 4)  # draws the picture of each of the twenty logs
        before = bot.memory()
        _, cold = taps(bot, chance.sample(chats, 400), 4)
        after_some = bot.memory()
        _, _ = taps(bot, chance.sample(chats, 400), 4)
        busy = chats[:80]
        taps(bot, busy * 4, 4)
        rate, times = taps(bot, [chance.choice(busy) for _ in range(WARM)], 8)
        show("memory before", before, "MiB")
        show("memory after 400 leagues were asked", after_some, "MiB")
        show("memory at the end", bot.memory(), "MiB")
        show("league not in memory, median", 1000 * percentile(cold, 0.5), "ms")
        show("league not in memory, 99th percentile", 1000 * percentile(cold, 0.99), "ms")
        show("80 busy leagues, 8 clients, answered a second", rate)
        show("80 busy leagues, median", 1000 * percentile(times, 0.5), "ms")
        show("80 busy leagues, 99th percentile", 1000 * percentile(times, 0.99), "ms")


PARTS: dict[str, Any] = {
    "echo": beside_the_echo_bot,
    "warm": lambda: warm(False),
    "workers": lambda: warm(True),
    "leagues": many_leagues,
}


def main() -> None:
    import sys

    for part in sys.argv[1:] or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
