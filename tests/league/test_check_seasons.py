"""Games in another season's log than league.toml says are found, and `--fix` moves them without losing
any."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from bot.league.check import Checked, _between_logs as between_logs, check_folder
from bot.league.check_logs import misplaced
from rating.league import parse_logs
from rating.league_file import parse_league
from rating.merge import games_of
from rating.roomlog import RoomLog
from storage.folder import FolderLogs
from tests.league.test_check_doubles import mend_all

TODAY = date(2020, 7, 20)
LEAGUE = 'rooms = ["C1234"]\n[[season]]\n[[season]]\nlog = "logvol2.txt"\nstart = {start}\n'


def game(start: str, points: int = 10) -> str:
    return f"C1234 | {start} | 三般南喰赤－ | 東家さん({points:+}.0) 南家さん(0.0) 西家さん({-points:+}.0)"


def folder(logs: FolderLogs, first: Iterable[str], second: Iterable[str] | None, start: str) -> FolderLogs:
    logs.overwrite("league.toml", LEAGUE.format(start=start).encode())
    logs.overwrite("logvol1.txt", "".join(f"{line}\n" for line in first).encode())
    if second is not None:
        logs.overwrite("logvol2.txt", "".join(f"{line}\n" for line in second).encode())
    return logs


def found(checked: Checked) -> list[tuple[str, int, str, bool]]:
    return [(f.file, f.line, f.kind, f.safe) for f in checked.findings]


FIRST = ["第1シーズン", "20200630", game("20:00"), "# a yakuman", "20200701", game("20:00", 20), "", "20200702",
         game("20:00", 30), "# the last one"]  # fmt: skip


@pytest.mark.parametrize("second", [None, ["20200702", game("21:00", 40)]])
def test_games_after_the_next_seasons_start_move(logs: FolderLogs, second: list[str] | None) -> None:
    folder(logs, FIRST, second, "2020-07-01")
    checked = check_folder(logs)
    assert found(checked) == [("logvol1.txt", 6, "season", True), ("logvol1.txt", 9, "season", True)]
    assert checked.findings[0].reason == (
        "the game of 2020-07-01 20:00 belongs to logvol2.txt by the seasons' starts in league.toml"
    )
    (step,) = between_logs(checked)
    assert step.question == "Move 2 games from logvol1.txt to logvol2.txt?"
    assert [change.name for change in step.files] == ["logvol2.txt", "logvol1.txt"]
    assert f"+{game('20:00', 20)}" in str(step.files[0])
    assert f"-{game('20:00', 20)}" in str(step.files[1])
    mend_all(logs)
    assert check_folder(logs).findings == ()
    assert logs.read("logvol1.txt").data.decode().splitlines() == [
        "第1シーズン", "20200630", game("20:00"), "# a yakuman", "20200702", "# the last one",
    ]  # fmt: skip
    assert logs.read("logvol2.txt").data.decode().splitlines() == [
        "20200701", game("20:00", 20), "20200702", game("20:00", 30), *(second or ["", ""])[1:][: second is not None],
    ]  # fmt: skip


def test_a_start_at_a_time_of_day_parts_a_day(logs: FolderLogs) -> None:
    lines = ["20200701", game("20:59"), game("21:00", 20)]
    folder(logs, lines, None, "2020-07-01T21:00:00")
    assert found(check_folder(logs)) == [("logvol1.txt", 3, "season", True)]
    mend_all(logs)
    assert logs.read("logvol1.txt").data.decode().splitlines() == lines[:2]
    assert logs.read("logvol2.txt").data.decode().splitlines() == ["20200701", lines[2]]


def test_games_before_their_seasons_start_move_back(logs: FolderLogs) -> None:
    folder(
        logs,
        ["20200629", game("20:00")],
        ["20200630", game("20:00", 20), "20200701", game("20:00", 30)],
        "2020-07-01",
    )
    assert found(check_folder(logs)) == [("logvol2.txt", 2, "season", True)]
    mend_all(logs)
    assert logs.read("logvol1.txt").data.decode().splitlines()[2:] == ["20200630", game("20:00", 20)]
    assert logs.read("logvol2.txt").data.decode().splitlines() == ["20200701", game("20:00", 30)]


def test_without_starts_every_game_stands_where_it_stands(logs: FolderLogs) -> None:
    for name in ("logvol1.txt", "logvol2.txt"):
        logs.write(name, f"2020070{name[6]}\n{game('20:00')}\n".encode(), None)
    assert check_folder(logs).findings == ()
    # Only the first season has a start: the second one may have begun on any day.
    logs.write("league.toml", b'[[season]]\nstart = 2020-01-01\n[[season]]\nlog = "logvol2.txt"\n', None)
    assert check_folder(logs).findings == ()


def test_a_date_typed_onto_a_game_gets_its_own_line_before_the_game_moves(logs: FolderLogs) -> None:
    folder(
        logs,
        ["20200630", game("20:00"), "20200701", game("20:00", 20) + "20200702", game("20:00", 30)],
        None,
        "2020-07-01",
    )
    assert ("logvol1.txt", 4, "season", False) in found(check_folder(logs))
    mend_all(logs)
    assert check_folder(logs).findings == ()
    assert logs.read("logvol1.txt").data.decode().splitlines() == ["20200630", game("20:00")]


def test_a_crash_between_the_two_files_leaves_doubles_that_are_mended(logs: FolderLogs) -> None:
    folder(logs, FIRST, None, "2020-07-01")
    (step,) = between_logs(check_folder(logs))
    logs.overwrite(step.files[0].name, step.files[0].new)  # and here it is killed
    assert found(check_folder(logs)) == [("logvol1.txt", 6, "twice", True), ("logvol1.txt", 9, "twice", True)]
    mend_all(logs)
    assert check_folder(logs).findings == ()
    assert logs.read("logvol2.txt").data == step.files[0].new


def test_a_mark_at_the_beginning_stays(logs: FolderLogs) -> None:
    folder(
        logs,
        ["\ufeff20200701", game("20:00"), "20200702", game("20:00", 20)],
        [f"\ufeff20200703\r\n{game('20:00', 30)}\r"],
        "2020-07-01",
    )
    mend_all(logs)
    assert logs.read("logvol1.txt").data == b""
    assert logs.read("logvol2.txt").data.startswith(b"\xef\xbb\xbf20200701\r\n")
    assert logs.read("logvol2.txt").data.count(b"\n") == logs.read("logvol2.txt").data.count(b"\r\n") == 6


def test_games_of_a_log_that_cannot_be_written_are_named_and_stay(logs: FolderLogs) -> None:
    folder(logs, ["20200701", game("20:00")], None, "2020-07-01")
    data = b"\xff\xfe\x00"  # no text in any encoding
    logs.write("logvol2.txt", data, None)
    assert ("logvol1.txt", 2, "season", False) in found(check_folder(logs))
    mend_all(logs)
    assert logs.read("logvol2.txt").data == data
    assert game("20:00").encode() in logs.read("logvol1.txt").data


DAYS = [date(2020, 6, 25) + timedelta(days=n) for n in range(14)]


@st.composite
def a_log(draw: st.DrawFn, number: int) -> list[str]:
    """A log as people keep it: dates in several forms, notes, blank lines."""
    lines = draw(st.sampled_from([[], ["\ufeff# ノート"], ["第1シーズン", ""]]))
    form = draw(st.sampled_from(["%Y%m%d", "#%m/%d", "%Y-%m-%d"]))
    for day in sorted(draw(st.sets(st.sampled_from(DAYS), max_size=6))):
        lines = [*lines, format(day, form)]
        for hour in draw(st.lists(st.integers(18, 23), max_size=4, unique=True)):
            note = draw(st.sampled_from([[], [], [""], ["# x"]]))
            lines += [game(f"{hour}:{number}0", DAYS.index(day) * 10 + hour + number), *note]
    return lines


@settings(deadline=None, max_examples=40)
@given(a_log(1), a_log(2), st.sampled_from(DAYS))
def test_no_game_is_lost_doubled_or_dated_anew(first: list[str], second: list[str], start: date) -> None:
    league = parse_league(LEAGUE.format(start=start))
    files = {
        name: "".join(f"{line}\n" for line in lines).encode()
        for name, lines in (("logvol1.txt", first), ("logvol2.txt", second))
    }
    before = after = parse_logs(league, files, TODAY)
    moves = whole = misplaced(before, league, TODAY)
    while move := next((move for move in moves if move.after is not None), None):
        assert move.before == (files[move.target], files[move.source])
        files |= zip((move.target, move.source), move.after, strict=True)
        after = parse_logs(league, files, TODAY)
        moves = misplaced(after, league, TODAY)
    assert games_in(after) == games_in(before)
    if all(move.after is not None for move in whole):
        assert not moves
        assert all(line.day is None or line.day < start for line in after["logvol1.txt"].lines if line.game)


def games_in(logs: Mapping[str, RoomLog]) -> Counter[object]:
    return sum((Counter(games_of(log)) for log in logs.values()), Counter[object]())
