"""One day's results for a thousand leagues: Tenhou is read once, each league's games reach its own log.

python -m tests.bench.fanout [--leagues N]

A stand-in Tenhou over HTTP gives six files, in which every league has played three games a day. First these, then
a single day more, then a round in which nothing is new.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from datetime import date, datetime, timedelta
from pathlib import Path

from bot.sync import Target, sync
from bot.tenhou import Tenhou
from rating.league import League, Season
from storage.logs import FolderLogs
from storage.state import SqlState
from tests.fakes.tenhou import FakeTenhou
from tests.sync.worlds import NAMES, play

LAST, GAMES = date(2020, 5, 18), 3


def fill(tenhou: FakeTenhou, day: date, leagues: int) -> None:
    rng = random.Random(day.toordinal())
    lines = [
        play(rng, day, f"C{number:04}", NAMES[:-1]).line for number in range(leagues) for _ in range(GAMES)
    ]
    tenhou.put(day, sorted(lines, key=lambda line: line[8:13]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--leagues", type=int, default=1000)
    leagues = min(parser.parse_args().leagues, 10_000)
    with FakeTenhou() as tenhou, tempfile.TemporaryDirectory(prefix="janroku-bench-") as folder:
        targets = []
        for number in range(leagues):
            home = Path(folder, "logs", f"l{number}")
            home.mkdir(parents=True)
            season = Season(1, "logvol1.txt", start=datetime(2020, 1, 1))
            targets.append(
                Target(FolderLogs(home), League(rooms=(f"C{number:04}",), seasons=(season,)), f"l{number}")
            )
        state = SqlState(f"sqlite:///{folder}/state.sqlite3")
        for number in range(6, 0, -1):
            fill(tenhou, LAST - timedelta(days=number), leagues)
        print(f"{leagues} leagues, {GAMES} games a day each")
        print(f"{'':16}{'requests':>9}{'games':>8}{'seconds':>9}{'ms a league':>13}{'peak MiB':>10}")
        for name in ("six days", "a day more", "nothing new"):
            if name == "a day more":
                fill(tenhou, LAST, leagues)
            asked, began = len(tenhou.judge.requests), time.perf_counter()
            with Tenhou(tenhou.url) as client:
                result = sync(targets, state, client, tenhou.clock)
            seconds = time.perf_counter() - began
            assert not result.problems, result.problems[:3]
            assert result.games == {"six days": 6, "a day more": 1, "nothing new": 0}[name] * GAMES * leagues
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{name:16}{len(tenhou.judge.requests) - asked:9}{result.games:8}{seconds:9.1f}"
                f"{1000 * seconds / leagues:13.1f}{peak:10.0f}",
                flush=True,
            )
            tenhou.clock.forward(hours=1)
        state.close()


if __name__ == "__main__":
    main()
