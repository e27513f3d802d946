"""A league's lines wait until they are in the log, and no longer."""

from __future__ import annotations

from datetime import date

import pytest

from storage.state import State

DAY, ROOM = date(2020, 5, 16), "C6529"
LINE = "C6529 | 20:05 | 三般南喰赤－ | A(+52.0) B(-2.0) C(-50.0)".encode()
NEWER = "C6529 | 21:05 | 三般南喰赤－ | A(+51.0) B(-1.0) C(-50.0)".encode()


def test_a_file_that_grows_without_new_lines_has_nothing_to_merge(state: State) -> None:
    assert state.results.put("l", DAY, 100, [ROOM], [LINE])
    kept = state.results.get("l", DAY)
    assert kept is not None
    assert state.results.leagues_waiting() == {"l"}
    state.results.done("l", kept)
    assert not state.results.put("l", DAY, 200, [ROOM], [LINE])  # other rooms have played
    assert state.results.leagues_waiting() == set()


@pytest.mark.parametrize("late", ["offer again", "a shorter file", "merged"])
def test_lines_that_another_process_keeps_meanwhile_stay(state: State, late: str) -> None:
    """The file grows after the day's lines were read, and before what was made of them is written."""
    results = state.results
    results.put("l", DAY, 100, [ROOM], [LINE])
    kept = results.get("l", DAY)
    assert kept is not None
    assert results.put("l", DAY, 200, [ROOM], [LINE, NEWER])  # the other process
    if late == "offer again":
        results.offer_again("l", DAY)
    elif late == "merged":
        results.done("l", kept)
    else:
        results.put("l", DAY, 100, [ROOM], [LINE])
    grown = results.get("l", DAY)
    assert grown is not None
    assert (grown.size, grown.fresh) == (200, [LINE, NEWER])
    assert results.waiting("l") == [DAY]
