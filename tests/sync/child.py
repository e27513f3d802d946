"""A process that runs syncs in forks of itself, each killed (SIGKILL) before its n-th step.

A step is a call of a store or of the Tenhou client. Each line of standard input is an order in
JSON: `{"url", "logs", "database", "rooms", "now", "at": [n, ...]}`. One fork runs for each n (0:
never killed), all at once. The line of output for it is `["killed" or "done", ...]`.
"""

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from typing import Any

import psycopg  # noqa: F401  (imported once here, not in every fork)
import requests  # noqa: F401

from bot import stores
from bot.draw.lines import warm
from bot.league.season_log import LeagueFolder
from bot.service import Service
from bot.settings import read_settings
from bot.settings.stores import open_logs
from bot.sync import paifu_collector, room_watch
from bot.sync.paifu_collector import PaifuCollector
from bot.sync.room_ids import RoomIds
from bot.sync.room_watch import RoomWatch
from bot.tenhou.client import TenhouClient
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.throttle import Throttle
from rating.league import League
from storage.state import State, open_state
from tests.fakes.process import ROOT
from tests.sync.evenings import no_wait
from tests.sync.nights import Inline
from tests.sync.single import sync

PATIENCE = 0.5  # seconds for an answer of a room: the fake Tenhou's time-outs are short


class Processes:
    """The process, as tests give it orders."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "tests.sync.child"]
        pipe = subprocess.PIPE
        self._server: Any = subprocess.Popen(
            words,
            stdin=pipe,
            stdout=pipe,
            cwd=ROOT,
            text=True,
        )

    def all(self, **order: Any) -> list[str]:
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        return list(json.loads(self._server.stdout.readline()))

    def close(self) -> None:
        self._server.stdin.close()
        self._server.wait(30)
        self._server.stdout.close()


class Steps:
    """Counts steps, and kills the process before step number `at` (0: never)."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Stepped:
    """A wrapper around any object: each call of a method is a step."""

    def __init__(self, inner: Any, step: Steps) -> None:
        self._inner = inner
        self._step = step

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        if not callable(method):
            return method

        def call(*args: Any, **named: Any) -> Any:
            self._step()
            return method(*args, **named)

        return call


def stepping(address: str, step: Steps, now: datetime) -> State:
    """A state whose every call is a step."""
    return open_state(address, around=lambda what, write: nullcontext(step()), clock=now.timestamp)


def run(order: dict[str, Any], at: int) -> None:
    step = Steps(at)
    if "loop" in order:
        run_loop(order, step)
        return
    now = datetime.fromisoformat(order["now"])
    state = stepping(order["database"], step, now)
    logs: Any = Stepped(open_logs(order["logs"], {}, database=state.database), step)
    url = order["url"]

    @contextmanager
    def connect() -> Iterator[Any]:
        with TenhouClient(url) as tenhou:
            yield Stepped(tenhou, step)

    throttle = Throttle(state, lambda: now, no_wait)
    ids = RoomIds(state.rooms, own=order.get("room", ""))
    watch = RoomWatch(ids, state, url, lambda: now, no_wait, connect)
    folder = LeagueFolder(logs, League(rooms=tuple(order["rooms"])))
    with connect() as tenhou:
        sync([folder], state, tenhou, lambda: now, wait=no_wait, rooms=watch)
    fetcher = PaifuFetcher(url, state, throttle.turn, connect)
    collector = PaifuCollector(
        state,
        lambda: fetcher,
        lambda league: logs,
        lambda: now,
        no_wait,
    )
    collector.collect([""])


def run_loop(order: dict[str, Any], step: Steps) -> None:
    """Have a process's background loop look at the league's room once, in a service as it is
    deployed.

    What the process logs goes to `order["log"]`, with nothing left out.
    """
    logging.basicConfig(filename=order["log"], level=logging.DEBUG, force=True)
    now = datetime.fromisoformat(order["now"])
    url = order["loop"]["TENHOU_URL"]

    @contextmanager
    def connect() -> Iterator[Any]:
        with TenhouClient(url, patience=PATIENCE) as tenhou:
            yield Stepped(tenhou, step)

    open_logs = stores.open_logs
    stores.open_logs = lambda *address, **more: Stepped(open_logs(*address, **more), step)
    stores.open_state = lambda address, around: stepping(address, step, now)
    service = Service(read_settings(order["loop"]), lambda: now)
    service.room_watch._connect = service.paifus._connect = connect
    service.room_loop.pool = Inline()
    service.room_loop.tick()
    service.room_loop.close()


def main() -> None:
    warm()
    paifu_collector.BETWEEN = room_watch.BETWEEN = 0.0
    for line in sys.stdin:
        order = json.loads(line)
        children = []
        for at in order["at"]:
            child = os.fork()
            if child == 0:
                try:
                    run(order, at)
                    os._exit(0)
                finally:
                    os._exit(1)
            children.append(child)
        statuses = [os.waitpid(child, 0)[1] for child in children]
        told = {0: "done", signal.SIGKILL: "killed"}
        print(
            json.dumps([told.get(status, f"status {status}") for status in statuses]),
            flush=True,
        )


if __name__ == "__main__":
    main()
