"""A league with a room of its own, and services whose background loops look after it in virtual
time.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from bot.service import Service
from bot.settings import read_settings
from tests.backend import Backend, close
from tests.fakes.table_folder import TableFolder
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import FakeRoom
from tests.sync.evenings import DAY, HAND, NIGHT, ROOM_ID, TOML, set_clock, utc

STEP = timedelta(seconds=15)
PAUSES = ("bot.sync.room_watch.BETWEEN", "bot.sync.paifu_collector.BETWEEN")
"""Pauses for politeness, which the fake Tenhou's time does not have."""


class Inline:
    """A WorkPool that does the work at once."""

    room = 1

    def submit(self, work: Callable[..., None], *args: Any) -> bool:
        work(*args)
        return True


@dataclass
class Nights:
    """Makes services of one league; `env` may have more variables.

    `step` runs each one's loop once.
    """

    home: Path
    tenhou: FakeTenhou
    room: FakeRoom
    backend: Backend
    env: dict[str, str] = field(default_factory=dict)
    services: list[Service] = field(default_factory=list)

    @property
    def folder(self) -> Path | TableFolder:
        return self.backend.logs(self.home)

    @property
    def pictures(self) -> int:
        return self.backend.pictures(self.home)

    @property
    def log(self) -> bytes:
        return (self.folder / "logvol1.txt").read_bytes()

    def service(self) -> Service:
        database = self.backend.database(self.home)
        stores = self.backend.files(self.home) | {"DATABASE_URL": database}
        tenhou = {"TENHOU_URL": self.tenhou.url, "TENHOU_ROOM_ID": ROOM_ID}
        settings = {**stores, "PUBLIC_URL": "https://janroku.example", **tenhou, **self.env}
        made = Service(read_settings(settings), lambda: self.tenhou.clock())
        made.room_loop.pool = Inline()
        made.line._sleep = lambda seconds: None
        set_clock(made.state, lambda: self.tenhou.clock())
        self.services.append(made)
        return made

    def crash(self, service: Service) -> None:
        self.services.remove(service)
        service.state.close()

    def at(self, jst: datetime) -> None:
        self.tenhou.clock.time = utc(jst)
        self.tick()

    def tick(self) -> None:
        for service in list(self.services):
            service.room_loop.tick()

    def until(self, jst: datetime, step: timedelta = STEP) -> None:
        while self.room.jst < jst:
            self.tenhou.clock.time += min(step, jst - self.room.jst)
            self.tick()


@contextmanager
def nights(
    home: Path,
    tenhou: FakeTenhou,
    backend: Backend,
    **env: str,
) -> Iterator[Nights]:
    """A league with HAND in its log, at 20:00, with nothing played."""
    tenhou.clock.time = utc(NIGHT)
    tenhou.put(DAY, [])
    made = Nights(home, tenhou, tenhou.open_room(ROOM_ID), backend, env)
    made.folder.mkdir()
    (made.folder / "league.toml").write_text(TOML, "utf-8")
    (made.folder / "logvol1.txt").write_text(HAND, "utf-8")
    with ExitStack() as ends:
        for pause in PAUSES:
            ends.enter_context(mock.patch(pause, 0.0))
        ends.callback(lambda: list(map(close, made.services)))
        yield made
