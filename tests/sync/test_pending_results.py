"""A league's lines wait until they are in the log, and no longer."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from bot.sync.pending_results import PendingResults, waiting
from storage.state import SqlState

DAY, ROOM = date(2020, 5, 16), "C6529"
LINE = "C6529 | 20:05 | 三般南喰赤－ | A(+52.0) B(-2.0) C(-50.0)".encode()
NEWER = "C6529 | 21:05 | 三般南喰赤－ | A(+51.0) B(-1.0) C(-50.0)".encode()


class Dies(BaseException):
    """The process ends here."""


def test_a_mark_that_a_crash_left_goes_away_when_the_file_grows_without_new_lines(state: SqlState) -> None:
    """The process died after it noted the lines as merged, before it removed the mark that they wait."""
    pending = PendingResults(state, "l")
    assert pending.put(DAY, 100, [ROOM], [LINE])
    kept = pending.get(DAY)
    assert kept is not None

    class DiesAtTheSecond:
        calls = 0

        def replace(self, key: str, old: str, new: str, ttl: float) -> bool:
            self.calls += 1
            if self.calls == 2:
                raise Dies
            return state.replace(key, old, new, ttl)

    dying = PendingResults(DiesAtTheSecond(), "l")  # type: ignore[arg-type]
    with pytest.raises(Dies):
        dying.done(kept, pending.waiting()[DAY])
    assert waiting(state) == {"l"}
    assert not pending.put(DAY, 200, [ROOM], [LINE])  # other rooms have played
    ((day, mark),) = pending.waiting().items()
    grown = pending.get(day)
    assert grown is not None
    assert grown.fresh == []
    pending.done(grown, mark)
    assert waiting(state) == set()


@pytest.mark.parametrize("late", ["offer again", "a shorter file"])
def test_lines_that_another_process_keeps_meanwhile_stay(state: SqlState, late: str) -> None:
    """The file grows between a reading and a writing of its day's lines."""
    other = PendingResults(state, "l")
    other.put(DAY, 100, [ROOM], [LINE])

    class Overtaken:
        """The other process writes after the first reading of the day."""

        overtaken = False

        def get(self, key: str) -> str | None:
            found = state.get(key)
            if not self.overtaken:
                self.overtaken = True
                assert other.put(DAY, 200, [ROOM], [LINE, NEWER])
            return found

        def __getattr__(self, name: str) -> Any:
            return getattr(state, name)

    slow = PendingResults(Overtaken(), "l")  # type: ignore[arg-type]
    if late == "offer again":
        slow.offer_again(DAY)
    else:
        slow.put(DAY, 100, [ROOM], [LINE])
    kept = other.get(DAY)
    assert kept is not None
    assert (kept.size, kept.fresh) == (200, [LINE, NEWER])
    assert list(other.waiting()) == [DAY]
