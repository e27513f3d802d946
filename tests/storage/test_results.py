from datetime import date, timedelta
from typing import Any

import pytest

from storage import results
from storage.ports import StorageError
from storage.results import EMPTY_RETENTION, RETENTION, DayLines, FileRead, ReadMark
from storage.state import State

DAY = date(2026, 11, 22)
ONE_DAY = timedelta(1)
ROOMS = frozenset({"C1", "C2"})


def stored_lines(state: State, day: date = DAY, league: str = "") -> DayLines:
    lines = state.results.get(league, day)
    assert lines is not None
    return lines


def test_lines_wait_until_they_are_merged(state: State) -> None:
    assert state.results.get("", DAY) is None
    assert state.results.put("", DAY, 10, ROOMS, [b"a", b"\xff", b"a"])
    assert stored_lines(state) == DayLines(
        DAY,
        10,
        ROOMS,
        (
            b"a",
            b"\xff",
            b"a",
        ),
        (),
        1,
    )
    assert state.results.days_waiting("") == [DAY]
    assert state.results.leagues_waiting() == {""}
    assert state.results.days_waiting("east") == []
    state.results.mark_merged("", stored_lines(state))
    assert stored_lines(state).fresh == []
    assert state.results.days_waiting("") == []
    assert state.results.leagues_waiting() == set()


def test_larger_file_without_new_lines_does_not_wait(state: State) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    state.results.mark_merged("", stored_lines(state))
    assert not state.results.put("", DAY, 15, ROOMS, [b"a"])
    assert state.results.leagues_waiting() == set()
    assert stored_lines(state).size == 15


def test_new_lines_of_a_merged_day_are_fresh(state: State) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a", b"\xff", b"a"])
    state.results.mark_merged("", stored_lines(state))
    assert state.results.put(
        "",
        DAY,
        20,
        ROOMS,
        [
            b"a",
            b"b",
            b"\xff",
            b"a",
            b"a",
        ],
    )
    assert stored_lines(state).fresh == [b"b", b"a"]


def test_days_wait_and_are_offered_oldest_first(state: State) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a", b"b"])
    state.results.put("", DAY - ONE_DAY, 5, ROOMS, [b"c"])
    assert state.results.days_waiting("") == [DAY - ONE_DAY, DAY]
    offered = state.results.offered("")
    assert list(offered.items()) == [(DAY - ONE_DAY, (b"c",)), (DAY, (b"a", b"b"))]


def test_day_without_lines_counts_as_read(state: State) -> None:
    assert not state.results.put("", DAY, 10, ROOMS, [])
    state.results.put("east", DAY + ONE_DAY, 11, {"C3"}, [b"a"])
    assert state.results.days_waiting("") == []
    root_day = ("", DAY)
    east_day = ("east", DAY + ONE_DAY)
    assert state.results.files_read(DAY) == {
        root_day: FileRead(10, ROOMS),
        east_day: FileRead(11, frozenset({"C3"})),
    }
    assert list(state.results.files_read(DAY + ONE_DAY)) == [east_day]


@pytest.mark.parametrize(
    ("size", "rooms", "expected"),
    [
        (9, ROOMS, b"before"),
        (10, ROOMS, b"after"),
        (9, ROOMS | {"C3"}, b"after"),
    ],
)
def test_smaller_file_replaces_a_larger_one_only_for_more_rooms(
    state: State, size: int, rooms: frozenset[str], expected: bytes
) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"before"])
    assert state.results.put("", DAY, size, rooms, [b"after"])
    assert stored_lines(state).lines == (expected,)


def test_lines_put_during_a_merge_keep_waiting(state: State) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    lines_in_merge = stored_lines(state)
    state.results.put("", DAY, 20, ROOMS, [b"a", b"b"])
    state.results.mark_merged("", lines_in_merge)
    assert stored_lines(state).fresh == [b"a", b"b"]
    assert state.results.days_waiting("") == [DAY]
    state.results.mark_merged("", stored_lines(state))
    assert stored_lines(state).merged == (b"a", b"b")


@pytest.mark.cloud_only("SQLite has one writer at a time")
def test_lines_merged_during_a_put_stay_merged(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    lines_in_merge = stored_lines(state)
    read_row = results._day_lines

    def read_while_merged(row: Any) -> DayLines:
        monkeypatch.setattr(results, "_day_lines", read_row)
        state.results.mark_merged("", lines_in_merge)
        return read_row(row)

    monkeypatch.setattr(results, "_day_lines", read_while_merged)
    state.results.put("", DAY, 20, ROOMS, [b"a", b"b"])
    assert stored_lines(state).merged == (b"a",)
    assert stored_lines(state).fresh == [b"b"]


@pytest.mark.cloud_only("SQLite has one writer at a time")
def test_days_are_not_offered_again_during_a_put(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.engine._STATEMENT_TIMEOUT", 0.2)
    state.results.put("", DAY, 10, ROOMS, [b"a"])
    state.results.mark_merged("", stored_lines(state))
    read_row = results._day_lines

    def read_while_offered(row: Any) -> DayLines:
        monkeypatch.setattr(results, "_day_lines", read_row)
        with pytest.raises(StorageError, match="statement timeout"):
            state.results.offer_again("", DAY)
        return read_row(row)

    monkeypatch.setattr(results, "_day_lines", read_while_offered)
    assert not state.results.put("", DAY, 20, ROOMS, [b"a"])
    state.results.offer_again("", DAY)
    assert state.results.days_waiting("") == [DAY]


def test_lines_are_offered_again_from_a_day_on(state: State) -> None:
    lines_by_day = {
        DAY: [b"a"],
        DAY - ONE_DAY: [],
        DAY - 2 * ONE_DAY: [b"a"],
    }
    for day, lines in lines_by_day.items():
        state.results.put("", day, 10, ROOMS, lines)
        state.results.mark_merged("", stored_lines(state, day))
    lines_in_merge = stored_lines(state)
    state.results.offer_again("", DAY - ONE_DAY)
    assert state.results.days_waiting("") == [DAY]
    assert stored_lines(state).fresh == [b"a"]
    state.results.mark_merged("", lines_in_merge)
    assert state.results.days_waiting("") == [DAY]


def test_open_day_is_listed_until_it_is_done(state: State) -> None:
    assert state.results.open_days("") == []
    state.results.change_open_days("", [DAY, DAY - ONE_DAY])
    assert state.results.open_days("") == [DAY - ONE_DAY, DAY]
    assert state.results.leagues_waiting() == {""}
    state.results.change_open_days("", [DAY + ONE_DAY])  # by another sync meanwhile
    state.results.change_open_days("", done=[DAY, DAY - ONE_DAY])
    assert state.results.open_days("") == [DAY + ONE_DAY]
    state.results.change_open_days("", done=[DAY + ONE_DAY])
    assert state.results.open_days("") == []
    assert state.results.leagues_waiting() == set()


def test_read_marks_are_set_for_several_leagues(state: State) -> None:
    mark = ReadMark(DAY - 9 * ONE_DAY, DAY, ROOMS)
    assert state.results.read_marks() == {}
    state.results.set_read_marks({})
    marks = {"": mark, "east": mark._replace(rooms=frozenset())}
    state.results.set_read_marks(marks)
    assert state.results.read_marks() == marks


def test_read_marks_and_open_days_do_not_change_each_other(state: State) -> None:
    mark = ReadMark(DAY, DAY, ROOMS)
    state.results.change_open_days("", [DAY])
    assert state.results.read_marks() == {}
    state.results.set_read_marks({"": mark})
    assert state.results.open_days("") == [DAY]
    state.results.change_open_days("", done=[DAY])
    assert state.results.read_marks() == {"": mark}


def test_sweep_removes_days_that_tenhou_lists_no_more(state: State) -> None:
    last_listed = DAY - RETENTION
    for day in (last_listed, last_listed - ONE_DAY):
        state.results.put("", day, 10, ROOMS, [b"a"])
    assert state.results.sweep(DAY) == 1
    assert list(state.results.files_read(date.min)) == [("", last_listed)]
    assert state.results.sweep(DAY) == 0


def test_sweep_removes_old_days_without_lines(state: State) -> None:
    recent = DAY - EMPTY_RETENTION
    old = recent - ONE_DAY
    for day in (recent, old):
        state.results.put("", day, 10, ROOMS, [])
    state.results.put("merged", old, 10, ROOMS, [b"a"])
    state.results.mark_merged("merged", stored_lines(state, old, "merged"))
    state.results.put("merged", old, 11, ROOMS, [])
    assert state.results.sweep(DAY) == 1
    assert sorted(state.results.files_read(date.min)) == [("", recent), ("merged", old)]
