"""An evening with every fault, and processes killed at every step: the quick version of `python -m tests.bench.room`."""

from __future__ import annotations

from pathlib import Path

from tests.backend import Backend
from tests.sync.killed_evening import play


def test_the_morning_after_is_right(tmp_path: Path, backend: Backend) -> None:
    told = play(
        tmp_path, {"DATABASE_URL": backend.database(tmp_path)}, seed=3, games=4, tables=2, step=6, minutes=2
    )
    assert told.wrong == []
    assert told.records == told.games
    assert told.killed >= 3
    assert told.again <= told.killed
