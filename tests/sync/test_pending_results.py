"""A league's lines wait until they are in the log, and no longer."""

from __future__ import annotations

from datetime import date

import pytest

from bot.sync.pending_results import PendingResults, waiting
from storage.state import SqlState

DAY, ROOM = date(2020, 5, 16), "C6529"
LINE = "C6529 | 20:05 | 三般南喰赤－ | A(+52.0) B(-2.0) C(-50.0)".encode()


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
        dying.done(kept)
    assert waiting(state) == {"l"}
    assert not pending.put(DAY, 200, [ROOM], [LINE])  # other rooms have played
    (day,) = pending.waiting()
    grown = pending.get(day)
    assert grown is not None
    assert grown.fresh == []
    pending.done(grown)
    assert waiting(state) == set()
