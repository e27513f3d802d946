"""Collect what `flask sync` and `flask league` work on: folder, state store, Tenhou, and a host's other
leagues."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.league.in_force import LeagueInForce, read_in_force
from bot.runtime import json_log, metrics
from bot.service import Service
from bot.sync.jobs import Workers
from bot.sync.league_job import LeagueWork
from bot.sync.paifu_collector import PaifuCollector
from bot.sync.room_watch import RoomWatch
from storage.ports import LogSource
from storage.state import State


@dataclass(frozen=True)
class AdminContext:
    """What the commands work on. `now` returns an aware time.

    `tenhou_url` is empty for the demo league, which has no room at Tenhou. `work` does one league's part of a
    sync. `others` returns the folders of the service's other leagues; this one is the root. `workers` is the
    way to the worker processes, if there are any. `rooms` reads the leagues' rooms' own results, `records`
    fetches what they name. With `log_json` problems go to the log, whose lines are JSON.
    """

    logs: LogSource
    state: State
    tenhou_url: str
    now: Callable[[], datetime]
    work: LeagueWork
    others: Callable[[], Sequence[str]] = tuple
    workers: Workers | None = None
    rooms: RoomWatch | None = None
    records: PaifuCollector | None = None
    log_json: bool = False

    def league(self) -> LeagueInForce:
        """Return what league.toml says, or its last good version where it can't be used.

        It is read only when needed, so that `restore` works while league.toml is broken. Raises LeagueError
        when no good version is known, and StorageError when the folder can't be read.
        """
        return read_in_force(self.logs)


GetContext = Callable[[], AdminContext]


def context_of(service: Service) -> AdminContext:
    """Return the context of a service: its root league, and the folders of its other leagues."""

    def after(league: str, days: Sequence[date]) -> bool:
        try:
            return service.after_sync(league, days)
        finally:
            service.registry.forget(league)  # this process does not need the league again

    def others() -> list[str]:
        return sorted(set(service.access.groups().values()) - {""})

    if service.settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        metrics.configure()
    return AdminContext(
        logs=service.stores.open_logs(),
        state=service.state,
        tenhou_url=service.settings.tenhou_url if service.has_rooms else "",
        now=service.now,
        work=service.make_league_work(after),
        others=others,
        workers=service.workers,
        rooms=service.room_watch,
        records=service.paifu_collector,
        log_json=json_log.configured() == json_log.JSON and os.environ.get("FLASK_RUN_FROM_CLI") == "true",
    )
