"""Fixtures and options for all tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from sqlalchemy import delete

from storage.database import Database
from storage.folder import FolderLogs
from storage.ports import LogSource
from storage.schema import FILES, IMAGES
from storage.state import State, open_state
from tests.backend import CLOUD, EMBEDDED, SAME, Backend, depends, opened
from tests.clock import Clock
from tests.fakes import servers
from tests.fakes.tenhou import FakeTenhou

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_OURS = (
    "LINE_",
    "LOGS_URL",
    "IMAGES_URL",
    "DATABASE_URL",
    "REDIS_URL",
    "PUBLIC_URL",
    "TENHOU_",
    "LEAGUE_",
    "ADMIN_",
    "DROPBOX_",
    "AWS_",
    "JANROKU_",
    "METRICS_",
    "CACHE_MB",
    "LOG_FORMAT",
    "PAGE_DAYS",
    "START_GAMES",
)

LONG = (
    "world",
    "features",
    "sync",
    "storage",
    "league",
    "test_extending.py",
    "test_architecture.py",
)

settings.register_profile("no deadlines", deadline=None)  # a busy machine is no defect
settings.load_profile("no deadlines")
os.environ["LANGUAGE"] = "en"  # a test of another language says so
for _name in [name for name in os.environ if name.startswith(_OURS)]:
    del os.environ[_name]  # the developer's own settings must not reach a test
os.environ["JANROKU_ENV_FILE"] = os.devnull
# Compiled once: each process of a run, and each that a test starts, would else compile every
# module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.disable()  # until all is loaded: little of it is garbage


@pytest.fixture(scope="session")
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """The backend chosen for this run; see tests/backend.py."""
    with opened(request.config.getoption("backend")) as made:
        yield made


@pytest.fixture
def tenhou() -> Iterator[FakeTenhou]:
    """A stand-in Tenhou on loopback."""
    with FakeTenhou() as fake:
        yield fake


@pytest.fixture
def logs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LogSource]:
    """An empty log folder: on the cloud backend in Postgres, for tests that open other stores."""
    if "backend" not in request.fixturenames:
        (tmp_path / "logs").mkdir()
        yield FolderLogs(tmp_path / "logs")
        return
    yield request.getfixturevalue("backend").log_source(tmp_path)


@pytest.fixture
def state(tmp_path: Path, backend: Backend) -> Iterator[State]:
    """An empty database of the backend under test."""
    store = open_state(backend.database(tmp_path))
    yield store
    store.close()


@pytest.fixture(scope="session")
def files_server() -> Iterator[str]:
    """The address of a Postgres for files and images, on whatever backend the tests run."""
    try:
        with servers.postgres() as server:
            yield server.url
    except servers.Missing as missing:
        pytest.skip(f"{missing} is not installed")


@pytest.fixture
def database(files_server: str) -> Iterator[Database]:
    """The database there, without a file or an image in it."""
    database = Database(files_server)
    for table in (FILES, IMAGES):
        database.write(delete(table))
    yield database
    database.close()


@pytest.fixture
def database_url(database: Database, files_server: str) -> str:
    """Its address."""
    return files_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backend",
        choices=(EMBEDDED, CLOUD),
        default=EMBEDDED,
        help="SQLite and threads (embedded), or Postgres, Redis and workers for all tests that this changes (cloud)",
    )


def pytest_configure(config: pytest.Config) -> None:
    for name in (EMBEDDED, CLOUD):
        config.addinivalue_line(
            "markers", f"{name}_only(reason): has a meaning on this backend alone"
        )
    config.addinivalue_line(
        "markers", "any_backend(reason): uses a backend but is the same on each, so runs once"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """On the cloud, do not even read the rooms that are the same on each backend."""
    same = config.getoption("backend") == CLOUD and collection_path.name in SAME
    return True if same and collection_path.parent == Path(__file__).parent else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests made for the other backend. On the cloud, run only tests that depend on the
    backend. Rooms with long tests come first, so that at the end of a run no process waits for
    another's."""
    chosen = config.getoption("backend")
    (other,) = {EMBEDDED, CLOUD} - {chosen}
    for item in items:
        if mark := item.get_closest_marker(f"{other}_only"):
            reason = f"{item.name} is of the {other} backend: {mark.args[0]}"
            item.add_marker(pytest.mark.skip(reason=reason))
    if chosen == CLOUD:
        same = [item for item in items if not depends(item)]
        config.hook.pytest_deselected(items=same)
        items[:] = [item for item in items if depends(item)]
    items.sort(key=lambda item: folder_of(item) not in LONG)


def folder_of(item: pytest.Item) -> str:
    """The folder of a test directly in tests, or its file where it is in none."""
    return item.path.relative_to(Path(__file__).parent).parts[0]


def pytest_collection_finish() -> None:
    """Take what is loaded by now out of the garbage collector's sight, which saves it many
    walks.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """On the cloud, a run in which no chosen test depends on the backend is no failure."""
    if (
        exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
        and session.config.getoption("backend") == CLOUD
    ):
        session.exitstatus = pytest.ExitCode.OK


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def menus_drawn_once() -> Iterator[None]:
    """Rich menus' pictures hang on nothing but the menu, so that a process needs to draw each once
    only.
    """
    from bot.draw import rich_menu

    pictures: dict[str, bytes] = {}
    draw = rich_menu.draw

    def draw_once(menu: object) -> bytes:
        key = repr(menu)
        if key not in pictures:
            pictures[key] = draw(menu)
        return pictures[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rich_menu, "draw", draw_once)
        yield


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A Chromium for all pages that a process looks at."""
    from tests.browser import chromium

    with chromium(tmp_path_factory.mktemp("chromium")) as made:
        made.set_script_timeout(60)
        yield made
