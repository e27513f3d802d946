"""Measure a sync over ten years of one league's daily results, or for many leagues.

python -m tests.tools.bench.sync [--years N]
python -m tests.tools.bench.sync --leagues N [--deployed]

The days' files come from a stand-in Tenhou over HTTP. Of one league, 0 to 20 of a file's 400 lines
are its: first the last week is read, then all years, so the difference shows what grows with the
years. Of many, each has three games a day in six files, then in one more, and the third round finds
nothing new. The sync alone runs in a process of its own, in threads, on SQLite; --deployed runs the
whole `flask sync`, with every league's charts of the day, on Postgres. Peak MiB is that process's.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.league.season_log import LeagueFolder
from bot.tenhou.client import TenhouClient
from rating.league import League, Season
from storage.folder import FolderLogs
from storage.state import open_state
from tests.fakes.line import fake_line
from tests.fakes.process import ROOT, clean_env
from tests.fakes.servers import postgres
from tests.fakes.tenhou import FakeTenhou
from tests.sync.single import sync
from tests.sync.worlds import NAMES, OTHERS, play

LAST = date(2020, 5, 18)
GAMES = 3
FIRST = datetime(2010, 1, 1)  # of the leagues' seasons, one a year
Figures = dict[str, Any]


def room(number: int) -> str:
    return f"C{number:04}"


def fill_years(tenhou: FakeTenhou, years: int) -> int:
    """Put the files on the stand-in Tenhou; the number of the league's games."""
    rng = random.Random(7)
    games = 0
    others = [play(rng, LAST, room(9999), OTHERS).line for _ in range(2000)]
    for number in range(years * 365 + years // 4):
        day = LAST - timedelta(days=number)
        count = rng.randrange(21)
        ours = [play(rng, day, room(0), NAMES).line for _ in range(count)]
        games += len(ours)
        lines = rng.sample(others, 400 - len(ours)) + ours
        tenhou.put(day, sorted(lines, key=lambda line: line[8:13]))
    return games


def fill_leagues(tenhou: FakeTenhou, day: date, leagues: int) -> None:
    rng = random.Random(day.toordinal())
    lines = [
        play(rng, day, room(number), NAMES[:-1]).line
        for number in range(leagues)
        for _ in range(GAMES)
    ]
    tenhou.put(day, sorted(lines, key=lambda line: line[8:13]))


def child(
    url: str,
    folder: str,
    now: str,
    leagues: str,
    since: str = "",
) -> None:
    """Sync the folder's leagues, and print the figures."""
    moment = datetime.fromisoformat(now)
    years = range(FIRST.year, LAST.year + 1)
    seasons = [
        Season(n, f"logvol{n}.txt", start=FIRST.replace(year=year))
        for n, year in enumerate(years, 1)
    ]
    targets = []
    for number in range(int(leagues)):
        logs = FolderLogs(Path(folder, "logs", f"l{number}"))
        league = League(rooms=(room(number),))
        targets.append(LeagueFolder(logs, replace(league, seasons=tuple(seasons)), f"l{number}"))
    state = open_state(f"sqlite:///{folder}/state.sqlite3")
    first_day = date.fromisoformat(since) if since else None
    begun = time.perf_counter()
    used = time.process_time()
    with TenhouClient(url) as client:
        result = sync(targets, state, client, lambda: moment, first_day)
    figures = {
        "files": result.downloaded,
        "games": result.games,
        "problems": result.problems,
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - used,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(figures))


def alone(tenhou: FakeTenhou, folder: str, leagues: int, since: str = "") -> Figures:
    """The figures of a sync in a process of its own."""
    for number in range(leagues):
        Path(folder, "logs", f"l{number}").mkdir(parents=True, exist_ok=True)
    now = tenhou.clock().isoformat()
    words = [tenhou.url, folder, now, str(leagues), since]
    command = [sys.executable, "-m", "tests.tools.bench.sync", "--child", *words]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def print_years(years: int) -> None:
    with FakeTenhou() as tenhou:
        games = fill_years(tenhou, years)
        print(
            f"{'':14}{'files':>7}{'games':>7}{'seconds':>9}{'ms a file':>10}{'CPU ms':>8}{'peak MiB':>9}"
        )
        for name, since in (
            ("last week", LAST - timedelta(days=6)),
            (f"{years} years", FIRST.date()),
        ):
            with tempfile.TemporaryDirectory(prefix="janroku-bench-") as folder:
                told = alone(tenhou, folder, 1, since.isoformat())
            each, cpu = (1000 * told[what] / told["files"] for what in ("seconds", "cpu"))
            sizes = f"{told['files']:7}{told['games']:7}{told['seconds']:9.1f}"
            print(f"{name:14}{sizes}{each:10.1f}{cpu:8.1f}{told['peak']:9.0f}")
            tenhou.clock.forward(hours=1)
            tenhou.judge.rudeness = [
                r for r in tenhou.judge.rudeness if "downloaded again" not in r
            ]
        assert told["games"] == games, (told, games)


def print_leagues(leagues: int, run: Callable[[FakeTenhou], Figures]) -> None:
    heads = f"{'requests':>9}{'games':>7}{'seconds':>9}{'ms a league':>12}{'peak MiB':>9}"
    print(f"{f'{leagues} leagues':14}{heads}")
    with FakeTenhou() as tenhou:
        for number in range(6, 0, -1):
            fill_leagues(tenhou, LAST - timedelta(days=number), leagues)
        for name, days in (("six days", 6), ("a day more", 1), ("nothing new", 0)):
            if days == 1:
                fill_leagues(tenhou, LAST, leagues)
            asked = len(tenhou.judge.requests)
            began = time.perf_counter()
            told = run(tenhou)
            seconds = time.perf_counter() - began
            assert (told["problems"], told["games"]) == ([], days * GAMES * leagues), told
            sizes = f"{len(tenhou.judge.requests) - asked:9}{told['games']:7}{seconds:9.1f}"
            print(
                f"{name:14}{sizes}{1000 * seconds / leagues:12.1f}{told['peak']:9.0f}", flush=True
            )
            tenhou.clock.forward(hours=1)


def deployed(stack: ExitStack, folder: str, leagues: int) -> Callable[[FakeTenhou], Figures]:
    """A function that runs `flask sync` on Postgres."""
    database = stack.enter_context(postgres())
    _, line = stack.enter_context(fake_line("http://127.0.0.1:9/callback"))
    state = open_state(database.url)
    for number in range(leagues):
        home = Path(folder, "logs", f"l{number}")
        home.mkdir(parents=True)
        season = '[[season]]\nlog = "logvol1.txt"\nstart = 2020-01-01\n'
        (home / "league.toml").write_text(f'rooms = ["{room(number)}"]\n{season}')
        state.chats.enrol(f"C{number:032x}", f"l{number}")
    env = {
        **line,
        "LEAGUE_CHATS": "",
        "LOGS_URL": f"file:{folder}/logs",
        "DATABASE_URL": database.url,
        "IMAGES_URL": f"file:{folder}/images",
        "PUBLIC_URL": "https://janroku.example",
    }

    def run(tenhou: FakeTenhou) -> Figures:
        command = [str(Path(sys.executable).with_name("flask")), "sync", "--json"]
        # The sync uses the real time to see whether a round is due, so the last one is forgotten
        # before each.
        state.values.delete("tenhou/round")
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=clean_env(**env, TENHOU_URL=tenhou.url),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with process.stdout:
            told: Figures = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return {**told, "peak": usage.ru_maxrss / 1024}

    stack.callback(state.close)
    return run


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--leagues", type=int)
    parser.add_argument("--deployed", action="store_true")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    if options.leagues is None:
        return print_years(options.years)
    with tempfile.TemporaryDirectory(prefix="janroku-bench-") as folder, ExitStack() as stack:
        if options.deployed:
            return print_leagues(options.leagues, deployed(stack, folder, options.leagues))
        return print_leagues(options.leagues, lambda tenhou: alone(tenhou, folder, options.leagues))


if __name__ == "__main__":
    main()
