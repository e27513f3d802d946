"""`flask league check` finds what is wrong, mends what is safe, and changes no game by a mend."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from bot.league import check
from bot.league.check import Checked, Mend, check_folder, difference, mend, mended
from bot.league.check_logs import LogFinding, misplaced
from bot.league.season_log import CORRECTED, remember
from rating.league import parse_logs
from rating.league_file import parse_league
from rating.logdates import JST
from rating.merge import games_of
from rating.roomlog import RoomLog, parse
from rating.same_game import CorrectedGame
from storage.folder import FolderLogs
from tests.real import SEASONS, named_cases

TODAY = date(2026, 11, 21)
TENHOUS_DAY = date(2020, 5, 17)
CASES = named_cases("check_cases.txt")
FIRST = CASES["games after the next season's start move to its log, which is made"]


def checked(logs: FolderLogs, tenhou: str = "") -> Checked:
    offered = {TENHOUS_DAY: tenhou.encode().splitlines()} if tenhou else None
    return check_folder(logs, TODAY, offered)


def mend_all(logs: FolderLogs, tenhou: str = "") -> list[str]:
    """Make every safe mend, as `--fix --yes` does, and return the questions."""
    asked = []

    def write(step: Mend) -> bool:
        asked.append(step.question)
        for change in step.files:
            logs.overwrite(change.name, change.new)
        return True

    mend(checked(logs, tenhou), lambda: checked(logs, tenhou), write)
    return asked


def found(findings: Sequence[LogFinding]) -> list[tuple[str, int, str, bool]]:
    return [(one.file, one.line, one.kind, one.safe) for one in findings]


@pytest.mark.parametrize("case", CASES)
def test_a_folder(logs: FolderLogs, case: str) -> None:
    """What is found (its reason or mend where the case says them), what is asked, written and
    left.
    """
    parts = dict(CASES[case])
    then = {}
    tenhou, findings, asked, left = (
        parts.pop(name, "") for name in ("Tenhou", "findings", "mended", "left")
    )
    for name, text in parts.items():
        if name.startswith("then "):
            then[name.removeprefix("then ")] = text.encode()
        else:
            logs.overwrite(name, text.encode())
            then[name] = text.encode()

    def agree(wanted: str) -> None:
        rows = [row.split(" | ") for row in wanted.splitlines()]
        findings = checked(logs, tenhou).findings
        told = [f"{each.file}:{each.line} {each.kind}{' safe' * each.safe}" for each in findings]
        assert told == [row for row, *_ in rows]
        for each, (_, *said) in zip(findings, rows, strict=True):
            assert set(said) <= {each.reason, each.mend}

    agree(findings)
    assert mend_all(logs, tenhou) == asked.splitlines()
    assert {name: logs.read(name).data for name in then} == then
    agree(left if asked else findings)


EAST = "東家さん(+10.0,+1枚)"
SOUTH = "南家さん(0.0,0枚)"
WEST = "西家さん(-10.0,-1枚)"


def game(
    start: str,
    a: str = EAST,
    b: str = SOUTH,
    c: str = WEST,
) -> str:
    return f"C1234 | {start} | 三般南喰赤祝 | {a} {b} {c}"


FAULTS = f"""20200518
{game("19:00")}
{game("19:30")}
{game("19:30")}
{game("20:00", "東家さん(+11.0,+1枚)")}
{game("20:10", "東家さん(+10.0,+2枚)")}
{game("20:20", "南家さん(0.0,0枚)", "東家さん(+10.0,+1枚)")}
{game("20:30", "東冢さん(+10.0,+1枚)")}
{game("20:40", "知らない(+10.0,+1枚)")}
C1234 | 20:50 | 三般南喰赤祝 | 東家さん +10.0
C9999 | 21:00 | 三般南喰赤祝 | 東家さん(+20.0,+1枚) 南家さん(0.0,0枚) 西家さん(-20.0,-1枚)
BROKEN
20200517
{game("21:10")}20200519
{game("21:20")}"""
LEAGUE = 'rooms = ["C1234"]\n[player."東家さん"]\n[player."南家さん"]\n[player."西家さん"]\n'
EXPECTED = {
    4: "twice",
    5: "points",
    6: "chips",
    7: "placing",
    8: "renamed",
    9: "unknown",
    10: "unreadable",
    11: "room",
    12: "bytes",
    13: "dates",
    14: "glued",
    15: "newline",
}


def test_every_planted_fault_is_found_with_its_line_and_what_is_safe_mended(
    logs: FolderLogs,
) -> None:
    broken = (
        game("21:05", "X(+30.0,+1枚)", c="西家さん(-30.0,-1枚)").encode().replace(b"X", b"\x93\x8c")
    )
    logs.write("logvol1.txt", FAULTS.encode().replace(b"BROKEN", broken), None)
    logs.write("league.toml", LEAGUE.encode(), None)
    folder = check_folder(logs)
    lines = {(finding.line, finding.kind) for finding in folder.findings}
    assert set(EXPECTED.items()) <= lines
    assert lines - set(EXPECTED.items()) <= {(12, "unknown")}  # the broken name is also unknown
    assert all(finding.mend and finding.file == "logvol1.txt" for finding in folder.findings)
    assert str(folder.findings[0]).startswith(
        "logvol1.txt:4: the same game as line 3 [twice]\n    C1234"
    )
    (log,) = folder.logs.values()
    new = mended(
        log,
        {f.line for f in folder.findings if f.kind == "twice" and f.safe},
    )
    changed = [
        line for line in difference("f", log.to_bytes(), new).splitlines() if line[:1] in "+-"
    ][2:]
    glued = game("21:10")
    assert changed == ["-" + game("19:30"), f"-{glued}20200519", f"+{glued}", "+20200519"]
    once = log.to_bytes().replace(game("19:30").encode() + b"\n", b"", 1)
    assert new == once.replace(b"20200519\n", b"\n20200519\n") + b"\n"
    again = parse("logvol1.txt", new)
    assert [g.day for g in again.games][-2:] == [g.day for g in log.games][-2:]
    assert mended(again, ()) == new


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Naoya731", "naoya731", True),
        ("Ｎａｏｙａ", "Naoya", True),
        ("しらかわなみ", "しらかわまみ", True),
        ("ヒロト・カゼタ", "ヒロト・カタゼ", True),
        ("遠すぎる", "遠すぎるよ", True),
        ("バーバー", "バ―バ―", True),
        ("東", "南", False),
        ("みどり", "みどり一色", False),
        ("abcd", "abdx", False),
        ("ノーテンかな", "遠すぎる", False),
    ],
)
def test_names_that_look_alike(one: str, other: str, expected: bool) -> None:
    assert check._alike(one, other) is check._alike(other, one) is expected


def test_real_logs_have_only_the_glued_date(logs: FolderLogs) -> None:
    for path in SEASONS:
        logs.write(path.name, path.read_bytes(), None)
    kinds = [(f.file, f.line, f.kind) for f in check_folder(logs).findings]
    assert ("logvol2.txt", 462, "glued") in kinds
    assert {kind for _, _, kind in kinds} <= {"glued", "undated"}


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("cp932", "Shift-JIS"), ("utf-16", "UTF-16")],
)
def test_another_encoding_is_named_and_the_log_mended(
    logs: FolderLogs, encoding: str, name: str
) -> None:
    text = f"20200518\r\n{game('19:00')}\r\n"
    files = {"league.toml": LEAGUE, "logvol1.txt": text, "rating.txt": "東家さん 1500 3\n"}
    files["teamlog.txt"] = "2020-05-18 | 東家さん 南家さん 西家さん 北 | o x o\n"
    for file, data in files.items():
        logs.write(file, data.encode(encoding), None)
    folder = check_folder(logs)
    assert [(f.file, f.kind, f.reason) for f in folder.findings] == [
        (file, "encoding", f"the file is {name}, not UTF-8") for file in files
    ]
    assert [f.safe for f in folder.findings] == [file == "logvol1.txt" for file in files]
    (log,) = folder.logs.values()
    assert mended(log, ()) == text.encode()
    assert "another encoding" in difference("logvol1.txt", log.to_bytes(), mended(log, ()))


def test_a_log_that_is_no_text_is_one_finding_and_stays(logs: FolderLogs) -> None:
    text = f"20200518\n{game('19:00')}\n"
    data = text.encode("cp932") + text.encode()
    logs.write("logvol1.txt", data, None)
    (finding,) = check_folder(logs).findings
    assert (finding.file, finding.line, finding.kind) == ("logvol1.txt", 1, "unreadable")
    assert finding.reason == "it is neither UTF-8 nor Shift-JIS: save it as UTF-8"
    assert mended(parse("logvol1.txt", data), ()) == data
    logs.write(CORRECTED, bytes(99), None)
    (tenhou,), (hand,) = (
        parse("logvol1.txt", game(start).encode()).lines for start in ("19:00", "20:00")
    )
    with pytest.raises(ValueError, match=f"^{CORRECTED}: it is neither UTF-8"):
        remember(
            logs, [CorrectedGame(TENHOUS_DAY, tenhou, hand)], datetime(2020, 5, 18, tzinfo=JST)
        )


def test_games_of_a_log_that_cannot_be_written_are_named_and_stay(logs: FolderLogs) -> None:
    logs.write("league.toml", FIRST["league.toml"].encode(), None)
    logs.write("logvol1.txt", FIRST["logvol1.txt"].encode(), None)
    logs.write("logvol2.txt", b"\xff\xfe\x00", None)  # no text in any encoding
    assert ("logvol1.txt", 6, "season", False) in found(check_folder(logs).findings)
    mend_all(logs)
    assert logs.read("logvol2.txt").data == b"\xff\xfe\x00"
    assert logs.read("logvol1.txt").data == FIRST["logvol1.txt"].encode()


def test_a_crash_between_the_two_files_leaves_doubles_that_are_mended(logs: FolderLogs) -> None:
    for name in ("league.toml", "logvol1.txt"):
        logs.write(name, FIRST[name].encode(), None)
    (step,) = check._between_logs(check_folder(logs))
    assert [change.name for change in step.files] == ["logvol2.txt", "logvol1.txt"]
    taken, given_up = map(str, step.files)
    assert (taken.count("+C1234"), given_up.count("-C1234")) == (2, 2)
    logs.overwrite(step.files[0].name, step.files[0].new)  # and here it is killed
    kinds = found(check_folder(logs).findings)
    assert kinds == [("logvol1.txt", 6, "twice", True), ("logvol1.txt", 9, "twice", True)]
    mend_all(logs)
    assert check_folder(logs).findings == ()
    assert logs.read("logvol2.txt").data == step.files[0].new


DAYS = [date(2020, 6, 25) + timedelta(days=n) for n in range(14)]


def played(start: str, points: int) -> str:
    return f"C1234 | {start} | 三般南喰赤－ | 東家さん({points:+}.0) 南家さん(0.0) 西家さん({-points:+}.0)"


def test_a_mark_at_the_beginning_stays(logs: FolderLogs) -> None:
    logs.write("league.toml", FIRST["league.toml"].encode(), None)
    marked = f"\ufeff20200701\n{played('20:00', 10)}\n20200702\n{played('20:00', 20)}\n"
    logs.write("logvol1.txt", marked.encode(), None)
    logs.write("logvol2.txt", f"\ufeff20200703\r\n{played('20:00', 30)}\r\n".encode(), None)
    mend_all(logs)
    assert logs.read("logvol1.txt").data == b""
    assert logs.read("logvol2.txt").data.startswith(b"\xef\xbb\xbf20200701\r\n")
    assert (
        logs.read("logvol2.txt").data.count(b"\n")
        == logs.read("logvol2.txt").data.count(b"\r\n")
        == 6
    )


@st.composite
def a_log(draw: st.DrawFn, number: int) -> list[str]:
    """A log as people keep it: dates in several forms, notes, blank lines."""
    lines = draw(st.sampled_from([[], ["\ufeff# ノート"], ["第1シーズン", ""]]))
    form = draw(st.sampled_from(["%Y%m%d", "#%m/%d", "%Y-%m-%d"]))
    for day in sorted(draw(st.sets(st.sampled_from(DAYS), max_size=6))):
        lines = [*lines, format(day, form)]
        for hour in draw(
            st.lists(
                st.integers(18, 23),
                max_size=4,
                unique=True,
            )
        ):
            note = draw(st.sampled_from([[], [], [""], ["# x"]]))
            lines += [played(f"{hour}:{number}0", DAYS.index(day) * 10 + hour + number), *note]
    return lines


@settings(max_examples=40)
@given(a_log(1), a_log(2), st.sampled_from(DAYS))
def test_no_game_is_lost_doubled_or_dated_anew(
    first: list[str], second: list[str], start: date
) -> None:
    league = parse_league(FIRST["league.toml"].replace("2020-07-01", str(start)))
    today = date(2020, 7, 20)
    one, other = ("".join(f"{line}\n" for line in lines).encode() for lines in (first, second))
    files = {"logvol1.txt": one, "logvol2.txt": other}
    before = after = parse_logs(league, files, today)
    moves = whole = misplaced(before, league, today)
    while move := next((move for move in moves if move.after is not None), None):
        assert move.before == (files[move.target], files[move.source])
        files |= zip((move.target, move.source), move.after, strict=True)
        after = parse_logs(league, files, today)
        moves = misplaced(after, league, today)
    assert games_in(after) == games_in(before)
    if all(move.after is not None for move in whole):
        assert not moves
        assert all(
            line.day is None or line.day < start for line in after["logvol1.txt"].lines if line.game
        )


def games_in(logs: Mapping[str, RoomLog]) -> Counter[object]:
    return sum(
        (Counter(games_of(log)) for log in logs.values()),
        Counter[object](),
    )
