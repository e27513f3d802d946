"""`flask league check` finds faults, corrects the safe ones, and changes no game by that."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from bot.league import check
from bot.league.check import (
    Checked,
    Mend,
    are_similar,
    check_folder,
    difference,
    mend,
    mended,
)
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
    """Make every safe correction, as `--fix --yes` does, and return the questions."""
    questions = []

    def write(step: Mend) -> bool:
        questions.append(step.question)
        for change in step.files:
            logs.overwrite(change.name, change.new)
        return True

    mend(checked(logs, tenhou), lambda: checked(logs, tenhou), write)
    return questions


def rows_of(findings: Sequence[LogFinding]) -> list[tuple[str, int, str, bool]]:
    return [(finding.file, finding.line, finding.kind, finding.safe) for finding in findings]


def compare(findings: Sequence[LogFinding], expected: str) -> None:
    """Compare findings with the lines of a case, and their texts with those that the case has."""
    rows = [row.split(" | ") for row in expected.splitlines()]
    places = []
    for finding in findings:
        safe = " safe" if finding.safe else ""
        places.append(f"{finding.file}:{finding.line} {finding.kind}{safe}")
    assert places == [place for place, *_ in rows]
    for finding, (_, *texts) in zip(findings, rows, strict=True):
        assert set(texts) <= {finding.reason, finding.mend}


@pytest.mark.parametrize("case", CASES)
def test_findings_and_corrections_of_a_folder(logs: FolderLogs, case: str) -> None:
    """The findings, the questions, the written files, and the findings afterwards."""
    parts = dict(CASES[case])
    tenhou = parts.pop("Tenhou", "")
    findings = parts.pop("findings", "")
    questions = parts.pop("mended", "").splitlines()
    findings_after = parts.pop("left", "") if questions else findings
    files_after = {}
    for name, text in parts.items():
        if name.startswith("then "):
            files_after[name.removeprefix("then ")] = text.encode()
        else:
            logs.overwrite(name, text.encode())
            files_after[name] = text.encode()
    compare(checked(logs, tenhou).findings, findings)
    assert mend_all(logs, tenhou) == questions
    assert {name: logs.read(name).data for name in files_after} == files_after
    compare(checked(logs, tenhou).findings, findings_after)


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


def check_faults(logs: FolderLogs) -> Checked:
    """Check a folder whose season log has the faults of `EXPECTED`."""
    broken = (
        game("21:05", "X(+30.0,+1枚)", c="西家さん(-30.0,-1枚)").encode().replace(b"X", b"\x93\x8c")
    )
    logs.write("logvol1.txt", FAULTS.encode().replace(b"BROKEN", broken), None)
    logs.write("league.toml", LEAGUE.encode(), None)
    return check_folder(logs)


def test_every_planted_fault_is_found_with_its_line(logs: FolderLogs) -> None:
    folder = check_faults(logs)
    lines = {(finding.line, finding.kind) for finding in folder.findings}
    assert set(EXPECTED.items()) <= lines
    assert lines - set(EXPECTED.items()) <= {(12, "unknown")}  # the broken name is also unknown
    assert all(finding.mend and finding.file == "logvol1.txt" for finding in folder.findings)
    assert str(folder.findings[0]).startswith(
        "logvol1.txt:4: the same game as line 3 [twice]\n    C1234"
    )


def test_safe_faults_are_corrected_and_no_other_line_changes(logs: FolderLogs) -> None:
    folder = check_faults(logs)
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
    ("first", "second", "expected"),
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
def test_similar_names(first: str, second: str, expected: bool) -> None:
    assert are_similar(first, second) is expected
    assert are_similar(second, first) is expected


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
def test_log_in_another_encoding_is_converted(logs: FolderLogs, encoding: str, name: str) -> None:
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


def test_log_in_two_encodings_is_one_finding_and_unchanged(logs: FolderLogs) -> None:
    text = f"20200518\n{game('19:00')}\n"
    data = text.encode("cp932") + text.encode()
    logs.write("logvol1.txt", data, None)
    (finding,) = check_folder(logs).findings
    assert (finding.file, finding.line, finding.kind) == ("logvol1.txt", 1, "unreadable")
    assert finding.reason == "it is neither UTF-8 nor Shift-JIS: save it as UTF-8"
    assert mended(parse("logvol1.txt", data), ()) == data


def test_unreadable_file_of_corrections_is_refused(logs: FolderLogs) -> None:
    logs.write(CORRECTED, bytes(99), None)
    (tenhou,), (hand,) = (
        parse("logvol1.txt", game(start).encode()).lines for start in ("19:00", "20:00")
    )
    with pytest.raises(ValueError, match=f"^{CORRECTED}: it is neither UTF-8"):
        remember(
            logs, [CorrectedGame(TENHOUS_DAY, tenhou, hand)], datetime(2020, 5, 18, tzinfo=JST)
        )


def test_games_for_an_unreadable_log_are_not_moved(logs: FolderLogs) -> None:
    logs.write("league.toml", FIRST["league.toml"].encode(), None)
    logs.write("logvol1.txt", FIRST["logvol1.txt"].encode(), None)
    logs.write("logvol2.txt", b"\xff\xfe\x00", None)  # no text in any encoding
    assert ("logvol1.txt", 6, "season", False) in rows_of(check_folder(logs).findings)
    mend_all(logs)
    assert logs.read("logvol2.txt").data == b"\xff\xfe\x00"
    assert logs.read("logvol1.txt").data == FIRST["logvol1.txt"].encode()


def test_games_in_both_logs_after_a_crash_are_corrected(logs: FolderLogs) -> None:
    for name in ("league.toml", "logvol1.txt"):
        logs.write(name, FIRST[name].encode(), None)
    (step,) = check._between_logs(check_folder(logs))
    assert [change.name for change in step.files] == ["logvol2.txt", "logvol1.txt"]
    target, source = map(str, step.files)
    assert target.count("+C1234") == 2
    assert source.count("-C1234") == 2
    logs.overwrite(step.files[0].name, step.files[0].new)  # and here it is killed
    kinds = rows_of(check_folder(logs).findings)
    assert kinds == [("logvol1.txt", 6, "twice", True), ("logvol1.txt", 9, "twice", True)]
    mend_all(logs)
    assert check_folder(logs).findings == ()
    assert logs.read("logvol2.txt").data == step.files[0].new


DAYS = [date(2020, 6, 25) + timedelta(days=n) for n in range(14)]


def played(start: str, points: int) -> str:
    return f"C1234 | {start} | 三般南喰赤－ | 東家さん({points:+}.0) 南家さん(0.0) 西家さん({-points:+}.0)"


def test_byte_order_mark_is_not_moved(logs: FolderLogs) -> None:
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
def season_log(draw: st.DrawFn, number: int) -> list[str]:
    """A log as people write it: dates in several forms, notes, blank lines."""
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
@given(season_log(1), season_log(2), st.sampled_from(DAYS))
def test_moves_change_no_game_and_no_date(first: list[str], second: list[str], start: date) -> None:
    league = parse_league(FIRST["league.toml"].replace("2020-07-01", str(start)))
    today = date(2020, 7, 20)
    files = {"logvol1.txt": text_of(first), "logvol2.txt": text_of(second)}
    before = after = parse_logs(league, files, today)
    moves = all_moves = misplaced(before, league, today)
    while move := next((move for move in moves if move.after is not None), None):
        assert move.before == (files[move.target], files[move.source])
        files |= zip((move.target, move.source), move.after, strict=True)
        after = parse_logs(league, files, today)
        moves = misplaced(after, league, today)
    assert games_in(after) == games_in(before)
    if all(move.after is not None for move in all_moves):
        assert not moves
        assert all(
            line.day is None or line.day < start for line in after["logvol1.txt"].lines if line.game
        )


def text_of(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def games_in(logs: Mapping[str, RoomLog]) -> Counter[object]:
    return sum(
        (Counter(games_of(log)) for log in logs.values()),
        Counter[object](),
    )
