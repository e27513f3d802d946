"""A change one process hears of is looked at by all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.league.change_signal import Changes
from storage.state import SqlState
from tests.backend import Backend


class Library:
    stale_times = 0

    def stale(self) -> None:
        self.stale_times += 1


class Leagues:
    def __init__(self) -> None:
        self.library = Library()

    def known(self) -> list[Library]:
        return [self.library]


@pytest.fixture
def state(tmp_path: Path, backend: Backend) -> Iterator[SqlState]:
    store = SqlState(backend.database(tmp_path))
    yield store
    store.close()


def test_every_process_looks_again_once(state: SqlState) -> None:
    one, other = Leagues(), Leagues()
    hearing = Changes(lambda: state, one)  # type: ignore[arg-type]
    listening = Changes(lambda: state, other)  # type: ignore[arg-type]
    listening.listen()
    assert other.library.stale_times == 0
    hearing.announce()
    for _ in range(3):
        hearing.listen()
        listening.listen()
    assert (one.library.stale_times, other.library.stale_times) == (1, 1)
    hearing.announce()
    listening.listen()
    assert other.library.stale_times == 2
