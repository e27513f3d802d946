"""A stand-in Tenhou, a log folder, a state store and a league, fresh for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.logs import FolderLogs
from storage.state import SqlState
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou


@pytest.fixture
def tenhou() -> Iterator[FakeTenhou]:
    with FakeTenhou() as fake:
        yield fake


@pytest.fixture
def logs(tmp_path: Path) -> FolderLogs:
    (tmp_path / "logs").mkdir()
    return FolderLogs(tmp_path / "logs")


@pytest.fixture
def state(tmp_path: Path, backend: Backend) -> Iterator[SqlState]:
    store = SqlState(backend.database(tmp_path))
    yield store
    store.close()
