import os
from pathlib import Path

from tests.backend import Backend
from tests.sync.killed_evening import kill_before_each, play

EVERY = 29  # of the steps of a look; `JANROKU_EVERY_STEP=1` kills before each, as `python -m tests.tools.bench.room` does


def env_of(backend: Backend, folder: Path) -> dict[str, str]:
    """Return where a folder's database, logs and pictures are."""
    return {"DATABASE_URL": backend.database(folder), **backend.files(folder)}


def test_the_morning_after_is_right(tmp_path: Path, backend: Backend) -> None:
    told = play(tmp_path, env_of(backend, tmp_path), seed=3, games=4, tables=2, step=6, minutes=2)
    assert told.wrong == []
    assert told.records == told.games
    assert told.killed >= 3
    assert told.again <= told.killed


def test_a_look_killed_before_any_step(tmp_path: Path, backend: Backend) -> None:
    every = int(os.environ.get("JANROKU_EVERY_STEP", EVERY))
    steps, wrong = kill_before_each(tmp_path, lambda folder: env_of(backend, folder), every)
    assert wrong == []
    assert steps > 40
