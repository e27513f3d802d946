"""What runs commands, on the demo league and on folders of a test's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.league.demo import demo_files
from tests.backend import Backend, app
from tests.cli.running import Run, Runner


@pytest.fixture
def runner(backend: Backend) -> Iterator[Runner]:
    """Makes what runs commands on a folder of logs; state and pictures lie in another."""
    with ExitStack() as ends:

        def made(folder: Path, state: Path, **more: str) -> Run:
            env = {"LOGS_URL": f"file:{folder}", "IMAGES_URL": f"file:{state / 'images'}"}
            run = ends.enter_context(app(env | backend.env(state) | more)).test_cli_runner()
            return lambda *args, **options: run.invoke(args=[*args], **options)

        yield made


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    for name, data in demo_files().items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def run(runner: Runner, demo: Path, tmp_path: Path) -> Run:
    return runner(demo, tmp_path)
