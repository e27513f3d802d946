"""Fixtures that run commands on the demo league or on a test's own folders."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.league.demo import demo_files
from tests.backend import Backend, app
from tests.cli.running import League, Run, Runner, Table

NOBODY = "http://127.0.0.1:9"  # where nothing answers


@pytest.fixture
def runner(backend: Backend) -> Iterator[Runner]:
    """A function of a log folder and a state folder that returns a runner of commands."""
    with ExitStack() as ends:

        def made(folder: Path, state: Path, **more: str) -> Run:
            stores = {"LOGS_URL": f"file:{folder}", "IMAGES_URL": f"file:{state / 'images'}"}
            env = stores | {"TENHOU_URL": NOBODY} | backend.env(state) | more
            run = ends.enter_context(app(env)).test_cli_runner()
            return lambda *args, **options: run.invoke(args=[*args], **options)

        yield made


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A function that writes a score table, and returns its path."""

    def made(text: str, name: str = "table.csv") -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return made


@pytest.fixture
def league(runner: Runner, tmp_path: Path) -> League:
    """A function that writes files into a log folder and returns a runner of commands on it."""

    def made(files: Mapping[str, str]) -> Run:
        folder = tmp_path / "league"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        return runner(folder, tmp_path / "state")

    return made


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    for name, data in demo_files().items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def run(runner: Runner, demo: Path, tmp_path: Path) -> Run:
    return runner(demo, tmp_path)
