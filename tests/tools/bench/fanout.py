"""Measure a sync for a thousand leagues: Tenhou is read once, and each league's games reach its own log.

python -m tests.tools.bench.fanout [--leagues N]
python -m tests.tools.bench.fanout --deployed [--leagues N] [--workers N] [--dropbox MS]

A stand-in Tenhou over HTTP serves six files in which every league has three games a day. The first round
reads these, the second reads one more day, and the third finds nothing new. The first form runs the sync
alone, in threads, on SQLite. --deployed runs the whole `flask sync`, with every league's charts of the day,
on Postgres: first without workers, then with N worker processes on Redis. With --dropbox the leagues' folders
are in a stand-in Dropbox, each of whose answers takes so many milliseconds; without it they are on this disk.
Peak MiB is that of the sync's own process.
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
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.league.season_log import LeagueFolder
from bot.tenhou.client import TenhouClient
from rating.league import League, Season
from storage.folder import FolderLogs
from storage.state import open_state
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.line import fake_line
from tests.fakes.process import ROOT, Running, clean_env, service, web_command
from tests.fakes.redis import redis_server
from tests.fakes.servers import free_port, postgres
from tests.fakes.tenhou import FakeTenhou
from tests.kept import alive
from tests.sync.single import sync
from tests.sync.worlds import NAMES, play

LAST, GAMES = date(2020, 5, 18), 3
GAMES_OF = {"six days": 6 * GAMES, "a day more": GAMES, "nothing new": 0}
Figures = dict[str, Any]


def fill(tenhou: FakeTenhou, day: date, leagues: int) -> None:
    rng = random.Random(day.toordinal())
    lines = [
        play(rng, day, f"C{number:04}", NAMES[:-1]).line for number in range(leagues) for _ in range(GAMES)
    ]
    tenhou.put(day, sorted(lines, key=lambda line: line[8:13]))


def rounds(leagues: int, run: Callable[[FakeTenhou], Figures]) -> None:
    with FakeTenhou() as tenhou:
        for number in range(6, 0, -1):
            fill(tenhou, LAST - timedelta(days=number), leagues)
        for name in GAMES_OF:
            if name == "a day more":
                fill(tenhou, LAST, leagues)
            asked, began = len(tenhou.judge.requests), time.perf_counter()
            figures = run(tenhou)
            seconds = time.perf_counter() - began
            assert not figures["problems"], figures["problems"][:3]
            assert figures["games"] == GAMES_OF[name] * leagues, figures["games"]
            print(
                f"{name:25}{len(tenhou.judge.requests) - asked:9}{figures['games']:8}{seconds:9.1f}"
                f"{1000 * seconds / leagues:13.1f}{figures['peak']:10.0f}{figures.get('workers', ''):>13}",
                flush=True,
            )
            tenhou.clock.forward(hours=1)


def in_threads(folder: str, leagues: int) -> Callable[[FakeTenhou], Figures]:
    for number in range(leagues):
        Path(folder, "logs", f"l{number}").mkdir(parents=True)

    def run(tenhou: FakeTenhou) -> Figures:
        words = [tenhou.url, folder, tenhou.clock().isoformat(), str(leagues)]
        command = [sys.executable, "-m", "tests.tools.bench.fanout", "--child", *words]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

    return run


def child(url: str, folder: str, now: str, leagues: str) -> None:
    moment, season = datetime.fromisoformat(now), Season(1, "logvol1.txt", start=datetime(2020, 1, 1))
    targets = [
        LeagueFolder(
            FolderLogs(Path(folder, "logs", f"l{number}")),
            League(rooms=(f"C{number:04}",), seasons=(season,)),
            f"l{number}",
        )
        for number in range(int(leagues))
    ]
    state = open_state(f"sqlite:///{folder}/state.sqlite3")
    with TenhouClient(url) as client:
        result = sync(targets, state, client, lambda: moment)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"games": result.games, "problems": result.problems, "peak": peak}))


def as_deployed(
    stack: ExitStack, folder: str, leagues: int, workers: int, dropbox: int | None
) -> Callable[[FakeTenhou], Figures]:
    """A function that runs `flask sync` on Postgres, with `workers` worker processes on Redis, if any.

    `dropbox` is the milliseconds an answer of Dropbox takes, None for folders on this disk.
    """
    logs = Path(folder, f"logs-{workers}")
    away = None if dropbox is None else stack.enter_context(FakeDropbox(latency=dropbox / 1000))
    database = stack.enter_context(postgres())
    _, line = stack.enter_context(fake_line("http://127.0.0.1:9/callback"))
    state = open_state(database.url)
    for number in range(leagues):
        season = '[[season]]\nlog = "logvol1.txt"\nstart = 2020-01-01\n'
        league = f'rooms = ["C{number:04}"]\n{season}'
        if away is not None:
            away.account.put(f"/league/l{number}/league.toml", league.encode())
        else:
            home = logs / f"l{number}"
            home.mkdir(parents=True)
            (home / "league.toml").write_text(league)
        state.chats.enrol(f"C{number:032x}", f"l{number}")
    env = {
        **line, "LEAGUE_CHATS": "", "LOGS_URL": f"file:{logs}",
        "IMAGES_URL": f"file:{folder}/images-{workers}", "PUBLIC_URL": "https://janroku.example",
        "DATABASE_URL": database.url,
        **({} if away is None else {**away.env(), "LOGS_URL": "dropbox:/league"}),
    }  # fmt: skip
    worker: Running | None = None
    if workers:
        env |= {"REDIS_URL": stack.enter_context(redis_server()).url, "WORKER_CONCURRENCY": str(workers)}
        worker = stack.enter_context(service(free_port(), env, web_command("worker")))
        while alive(state) < workers:
            time.sleep(0.1)
    state.close()

    def run(tenhou: FakeTenhou) -> Figures:
        flask = str(Path(sys.executable).with_name("flask"))
        whole = clean_env(**env, TENHOU_URL=tenhou.url)
        # The sync uses the real time to see whether a round is due, so the last one is forgotten before each.
        forgotten = open_state(database.url)
        forgotten.values.delete("tenhou/round")
        forgotten.close()
        process = subprocess.Popen(
            [flask, "sync", "--json"], cwd=ROOT, env=whole, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        with process.stdout:
            told = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        figures: Figures = json.loads(told)
        figures["peak"] = usage.ru_maxrss / 1024
        if worker is not None:
            figures["workers"] = f"{worker.memory():.0f}"
        return figures

    return run


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--leagues", type=int, help="1000; with --deployed 100")
    parser.add_argument("--deployed", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--dropbox", type=int, metavar="MS", help="with --deployed: ms of an answer")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return
    leagues = min(options.leagues or (100 if options.deployed else 1000), 10_000)
    print(f"{leagues} leagues, {GAMES} games a day each")
    for workers in (0, options.workers) if options.deployed else (None,):
        title = "" if workers is None else f"flask sync, {workers} workers" if workers else "flask sync alone"
        print(
            f"{title:25}{'requests':>9}{'games':>8}{'seconds':>9}{'ms a league':>13}{'peak MiB':>10}"
            f"{'workers MiB' if workers else '':>13}"
        )
        with tempfile.TemporaryDirectory(prefix="janroku-bench-") as folder, ExitStack() as stack:
            if workers is None:
                rounds(leagues, in_threads(folder, leagues))
            else:
                rounds(leagues, as_deployed(stack, folder, leagues, workers, options.dropbox))


if __name__ == "__main__":
    main()
