"""The two backends of the tests: SQLite and threads, or Postgres, Redis and workers. On the second,
scenarios in LINE, syncs and deployments keep logs and pictures in Postgres too.

`pytest --backend=cloud` chooses the second. A test that opens a store or a service gets its address
from the fixture `backend`. The tests that use this fixture, directly or through another one, are
those that run on both backends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot import texts
from storage.folder import FolderLogs

if TYPE_CHECKING:
    import pytest
    from flask import Flask

    from bot.service import Service
    from bot.settings import Settings
    from storage.ports import LogSource
    from tests.fakes.table_folder import TableFolder

EMBEDDED = "embedded"
CLOUD = "cloud"
SAME = (
    "console",
    "draw",
    "line",
    "rating",
    "security",
    "world",
)  # rooms without a test of a backend
Now = Callable[[], datetime]


@dataclass(frozen=True)
class Bot:
    """A bot in this process: the service LINE calls, and the one that answers; with threads the
    same.
    """

    web: Service
    answering: Service

    @property
    def services(self) -> set[Service]:
        return {self.web, self.answering}


class Embedded:
    """What a backend offers, by SQLite in a file and threads of the web process that answer
    taps.
    """

    kind = "threads"  # what answers: "threads" or "workers"

    def database(self, folder: Path) -> str:
        """The DATABASE_URL for a folder. Each folder has a database of its own."""
        return f"sqlite:///{folder / 'state.sqlite3'}"

    def env(self, folder: Path) -> dict[str, str]:
        """The variables of a service that keeps its state in that database, in this process or in
        others.
        """
        return {"DATABASE_URL": self.database(folder)}

    def files(self, folder: Path) -> dict[str, str]:
        """The variables of a service whose logs and pictures are in that folder, or in its
        database.
        """
        return {"LOGS_URL": f"file:{self.logs(folder)}", "IMAGES_URL": f"file:{folder / 'images'}"}

    def logs(self, folder: Path) -> Path | TableFolder:
        """The log folder those variables name, to write and read by hand."""
        return folder / "logs"

    def log_source(self, folder: Path) -> LogSource:
        """The same log folder as a store."""
        (folder / "logs").mkdir(parents=True, exist_ok=True)
        return FolderLogs(folder / "logs")

    def pictures(self, folder: Path) -> int:
        """How many pictures the image store has that those variables name."""
        return len(list((folder / "images").rglob("*.png")))

    @contextmanager
    def bot(self, settings: Settings, now: Now) -> Iterator[Bot]:
        """A running bot with these settings, which answers taps."""
        from bot.service import Service

        service = Service(settings, now=now)
        yield Bot(service, service)
        close(service)


Backend = Embedded  # the other is Cloud, in tests/cloud.py


def depends(item: pytest.Item) -> bool:
    """Whether the backend changes what a test does."""
    fixtures = getattr(item, "fixturenames", ())
    if item.get_closest_marker("any_backend"):
        return False
    marked = any(item.get_closest_marker(f"{name}_only") for name in (EMBEDDED, CLOUD))
    return "backend" in fixtures or marked


@contextmanager
def opened(name: str) -> Iterator[Backend]:
    """The backend of that name, open while the tests run."""
    if name == EMBEDDED:
        yield Embedded()
        return
    from tests.cloud import cloud

    with cloud() as made:
        yield made


@contextmanager
def app(
    env: Mapping[str, str],
    now: Now = texts.now,
) -> Iterator[Flask]:
    """The app of an environment, for the flask commands."""
    from app import create_app
    from bot.settings import read_settings

    made = create_app(read_settings(env), now)
    yield made
    close(made.extensions["janroku"])


def close(service: Service, begun: bool = True) -> None:
    """Stop a service of this process, where it has `begun` to take taps, and close its
    connections.
    """
    from bot.lifecycle import stop

    if begun:
        stop(service)
    service.state.close()
    if service.sender is not None:
        service.sender.close()  # type: ignore[attr-defined]
