"""Measure one sync over ten years of daily results: the time per file, and the peak memory.

python -m tests.tools.bench.sync [--years N]

Files of 400 lines come from a stand-in Tenhou over HTTP; 0 to 20 of the lines a day are the league's. The
sync runs in a process of its own, first for the last week only, then for all years: the difference shows what
grows with the years.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date, datetime, timedelta
from pathlib import Path

from bot.league.season_log import LeagueFolder
from bot.tenhou.client import TenhouClient
from rating.league import League, Season
from rating.roomlog import parse
from rating.same_game import identity
from storage.folder import FolderLogs
from storage.state import open_state
from tests.fakes.tenhou import FakeTenhou
from tests.sync.single import sync
from tests.sync.worlds import NAMES, OTHERS, ROOM, play

LAST = date(2020, 5, 18)
FIRST_YEAR = LAST.year - 10


def fill(tenhou: FakeTenhou, years: int) -> int:
    """Put the files on the stand-in Tenhou; the number of the league's games."""
    rng, games = random.Random(7), 0
    others = [play(rng, LAST, "C0001", OTHERS).line for _ in range(2000)]
    for number in range(years * 365 + years // 4):
        day = LAST - timedelta(days=number)
        ours = [play(rng, day, ROOM, NAMES).line for _ in range(rng.randrange(21))]
        games += len(ours)
        tenhou.put(day, sorted(rng.sample(others, 400 - len(ours)) + ours, key=lambda line: line[8:13]))
    return games


def league() -> League:
    years = enumerate(range(FIRST_YEAR, LAST.year + 1), 1)
    seasons = (Season(n, f"logvol{n}.txt", start=datetime(year, 1, 1)) for n, year in years)
    return League(rooms=(ROOM,), seasons=tuple(seasons))


def child(url: str, folder: str, now: str, since: str) -> None:
    moment = datetime.fromisoformat(now)
    state = open_state(f"sqlite:///{folder}/state.sqlite3")
    begun, used = time.perf_counter(), time.process_time()
    with TenhouClient(url) as tenhou:
        target = LeagueFolder(FolderLogs(folder + "/logs"), league())
        result = sync([target], state, tenhou, lambda: moment, date.fromisoformat(since))
    figures = {
        "files": result.downloaded, "games": result.games, "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - used, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "problems": result.problems,
    }  # fmt: skip
    print(json.dumps(figures))


def measure(tenhou: FakeTenhou, since: date) -> tuple[dict[str, float], int]:
    """The child's figures, and how many different games the logs hold after it."""
    with tempfile.TemporaryDirectory(prefix="janroku-bench-") as folder:
        (Path(folder) / "logs").mkdir()
        words = [tenhou.url, folder, tenhou.clock().isoformat(), since.isoformat()]
        output = subprocess.run(
            [sys.executable, "-m", "tests.tools.bench.sync", "--child", *words],
            check=True,
            capture_output=True,
        ).stdout
        held = set()
        for path in (Path(folder) / "logs").glob("logvol*.txt"):
            lines = parse(path.name, path.read_bytes()).lines
            held |= {(line.day, identity(line)) for line in lines if line.game}
        figures: dict[str, float] = json.loads(output)
        return figures, len(held)


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return
    with FakeTenhou() as tenhou:
        games = fill(tenhou, options.years)
        print(
            f"{'':14} {'files':>6} {'games':>6} {'seconds':>8} {'ms a file':>9} {'CPU ms':>7} {'peak MiB':>8}"
        )
        for name, since in (
            ("last week", LAST - timedelta(days=6)),
            (f"{options.years} years", date(2010, 1, 1)),
        ):
            figures, held = measure(tenhou, since)
            files, seconds = figures["files"], figures["seconds"]
            print(
                f"{name:14} {files:6} {held:6} {seconds:8.1f} {seconds / files * 1000:9.1f} "
                f"{figures['cpu'] / files * 1000:7.1f} {figures['peak']:8.0f}"
            )
            tenhou.clock.forward(hours=1)
            tenhou.judge.rudeness = [r for r in tenhou.judge.rudeness if "downloaded again" not in r]
        assert held == figures["games"] == games, (held, figures, games)


if __name__ == "__main__":
    main()
