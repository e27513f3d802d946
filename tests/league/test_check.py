"""`flask league check` finds every planted fault, mends what is safe, and finds nothing in real logs."""

from datetime import date

import pytest

from bot.league.check import _alike as alike, check_folder, difference, mended
from rating.roomlog import parse
from storage.folder import FolderLogs
from tests.real import SEASONS


def game(
    start: str, a: str = "東家さん(+10.0,+1枚)", b: str = "南家さん(0.0,0枚)", c: str = "西家さん(-10.0,-1枚)"
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
    4: "twice", 5: "points", 6: "chips", 7: "placing", 8: "renamed", 9: "unknown", 10: "unreadable",
    11: "room", 12: "bytes", 13: "dates", 14: "glued", 15: "newline",
}  # fmt: skip


@pytest.fixture
def faulty(logs: FolderLogs) -> FolderLogs:
    broken = game("21:05", "X(+30.0,+1枚)", c="西家さん(-30.0,-1枚)").encode().replace(b"X", b"\x93\x8c")
    logs.write("logvol1.txt", FAULTS.encode().replace(b"BROKEN", broken), None)
    logs.write("league.toml", LEAGUE.encode(), None)
    return logs


def test_every_planted_fault_is_found_with_its_line(faulty: FolderLogs) -> None:
    findings = check_folder(faulty).findings
    found = {(finding.line, finding.kind) for finding in findings}
    assert set(EXPECTED.items()) <= found
    assert found - set(EXPECTED.items()) <= {(12, "unknown")}  # the broken name is also unknown
    assert all(finding.mend and finding.file == "logvol1.txt" for finding in findings)
    assert str(findings[0]).startswith("logvol1.txt:4: the same game as line 3 [twice]\n    C1234")


def test_what_is_safe_is_mended_and_nothing_else(faulty: FolderLogs) -> None:
    checked = check_folder(faulty)
    (log,) = checked.logs.values()
    new = mended(log, {f.line for f in checked.findings if f.kind == "twice" and f.safe})
    changed = [line for line in difference("f", log.to_bytes(), new).splitlines() if line[:1] in "+-"][2:]
    assert changed == [
        "-" + game("19:30"),
        "-" + game("21:10") + "20200519",
        "+" + game("21:10"),
        "+20200519",
    ]
    assert (
        new
        == log.to_bytes()
        .replace(game("19:30").encode() + b"\n", b"", 1)
        .replace(b"20200519\n", b"\n20200519\n")
        + b"\n"
    )
    again = parse("logvol1.txt", new)
    assert [g.day for g in again.games][-2:] == [g.day for g in log.games][-2:]
    assert mended(again, ()) == new


def test_a_game_in_two_logs_and_broken_tables_are_found(logs: FolderLogs) -> None:
    logs.write("logvol1.txt", f"20200518\n{game('19:00')}\n".encode(), None)
    logs.write("logvol2.txt", f"20200518\n{game('19:00')}\n".encode(), None)
    logs.write("rating.txt", "東家さん 1500 3\nなに\n".encode(), None)
    logs.write("league.toml", b"rooms = 3\n", None)
    findings = check_folder(logs).findings
    assert [(f.file, f.line, f.kind) for f in findings] == [
        ("league.toml", 1, "league"), ("logvol2.txt", 2, "twice"), ("rating.txt", 2, "unreadable"),
    ]  # fmt: skip


def test_equal_games_of_different_days_are_no_doubles_where_years_are_left_out(logs: FolderLogs) -> None:
    text = "".join(f"{day}\n{game('19:00')}\n" for day in ("#4/7", "#8/1", "#11/5"))
    logs.write("logvol1.txt", text.encode(), None)
    assert check_folder(logs, today=date(2026, 11, 21)).findings == ()
    logs.write("logvol2.txt", f"{game('19:00')}\n{game('19:00')}\n".encode(), None)
    undated = check_folder(logs, today=date(2026, 11, 21)).findings
    assert [(f.file, f.line, f.kind, f.safe) for f in undated if f.kind == "twice"] == [
        ("logvol2.txt", 2, "twice", False)
    ]


def test_what_is_read_by_nobody_is_found(logs: FolderLogs) -> None:
    text = f"20200518\n{game('19:00')}\n{game('20:00').replace('三般', '四般')}\n#4/31\n{game('21:00')}6月27日\n{game('22:00')}\n"
    logs.write("logvol1.txt", text.encode(), None)
    logs.write("logvol01.txt", text.encode(), None)
    logs.write("rating.txt", "東家さん 1500 3\n旧名 1500\nだれか 1600 2\n".encode(), None)
    logs.write(
        "league.toml",
        '[player."東家さん"]\naliases = ["旧名"]\n[player."南家さん"]\n[player."西家さん"]\n'.encode(),
        None,
    )
    logs.write("teamlog.txt", "2020-05-18 | 東家さん 旧名 南家さん 西家さん | o x o\n".encode(), None)
    found = [(f.file, f.line, f.kind) for f in check_folder(logs).findings]
    assert found == [
        ("logvol01.txt", 1, "unread"), ("logvol1.txt", 3, "seats"), ("logvol1.txt", 4, "unreadable"),
        ("logvol1.txt", 5, "glued"), ("rating.txt", 3, "unknown"), ("teamlog.txt", 1, "same"),
    ]  # fmt: skip


def test_a_key_nobody_reads_is_found_with_what_it_may_mean(logs: FolderLogs) -> None:
    text = (
        LEAGUE
        + 'guests = true\nmemo = "x"\n[[season]]\nnaem = "1"\n[rules]\n"ubai" = 3 # ?\n[team."a"]\nmember = ["x"]\n'
    )
    logs.write("league.toml", text.encode(), None)
    found = [(f.line, f.text, f.mend) for f in check_folder(logs).findings if f.kind == "key"]
    assert found == [
        (5, "guests = true", "write `guest`"),
        (6, 'memo = "x"', "take it out, or make it a remark (#)"),
        (8, 'naem = "1"', "write `name`"),
        (10, '"ubai" = 3 # ?', "take it out, or make it a remark (#)"),
        (12, 'member = ["x"]', "write `members`"),
    ]


def test_games_without_a_date_and_the_same_on_another_day(logs: FolderLogs) -> None:
    text = (
        f"{game('18:00')}\n20200517\n{game('19:00')}\n20200518\n{game('19:00')}\n20200618\n{game('19:00')}\n"
    )
    logs.write("logvol1.txt", text.encode(), None)
    findings = check_folder(logs).findings
    assert [(f.line, f.kind, f.safe) for f in findings] == [(1, "undated", False), (5, "twice", False)]


def test_only_the_date_out_of_order_is_named(logs: FolderLogs) -> None:
    logs.write("logvol1.txt", b"20200518\n20210519\n20200520\n20200520\n20200521\n", None)
    assert [(f.line, f.kind) for f in check_folder(logs).findings] == [(2, "dates")]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Naoya731", "naoya731", True), ("Ｎａｏｙａ", "Naoya", True), ("しらかわなみ", "しらかわまみ", True),
        ("ヒロト・カゼタ", "ヒロト・カタゼ", True), ("遠すぎる", "遠すぎるよ", True), ("バーバー", "バ―バ―", True),
        ("東", "南", False), ("みどり", "みどり一色", False), ("abcd", "abdx", False), ("ノーテンかな", "遠すぎる", False),
    ],
)  # fmt: skip
def test_names_that_look_alike(one: str, other: str, expected: bool) -> None:
    assert alike(one, other) is alike(other, one) is expected


def test_real_logs_have_only_the_glued_date(logs: FolderLogs) -> None:
    for path in SEASONS:
        logs.write(path.name, path.read_bytes(), None)
    kinds = [(f.file, f.line, f.kind) for f in check_folder(logs).findings]
    assert ("logvol2.txt", 462, "glued") in kinds
    assert {kind for _, _, kind in kinds} <= {"glued", "undated"}


@pytest.mark.parametrize(("encoding", "name"), [("cp932", "Shift-JIS"), ("utf-16", "UTF-16")])
def test_a_log_in_another_encoding_is_named_and_mended(logs: FolderLogs, encoding: str, name: str) -> None:
    text = f"20200518\r\n{game('19:00')}\r\n"
    logs.write("logvol1.txt", text.encode(encoding), None)
    checked = check_folder(logs)
    (finding,) = checked.findings
    assert (finding.file, finding.kind, finding.safe) == ("logvol1.txt", "encoding", True)
    assert finding.reason == f"the file is {name}, not UTF-8"
    (log,) = checked.logs.values()
    assert mended(log, ()) == text.encode()
    assert "another encoding" in difference("logvol1.txt", log.to_bytes(), mended(log, ()))


def test_a_log_that_is_no_text_is_one_finding_and_never_mended(logs: FolderLogs) -> None:
    text = f"20200518\n{game('19:00')}\n"
    data = text.encode("cp932") + text.encode()
    logs.write("logvol1.txt", data, None)
    (finding,) = check_folder(logs).findings
    assert (finding.file, finding.line, finding.kind) == ("logvol1.txt", 1, "unreadable")
    assert finding.reason == "it is neither UTF-8 nor Shift-JIS: save it as UTF-8"
    assert mended(parse("logvol1.txt", data), ()) == data


def test_the_other_files_in_another_encoding_are_read_and_named(logs: FolderLogs) -> None:
    logs.write("logvol1.txt", f"20200518\n{game('19:00')}\n".encode(), None)
    logs.write("league.toml", LEAGUE.encode("cp932"), None)
    logs.write("rating.txt", "東家さん 1500 3\n".encode("cp932"), None)
    logs.write("teamlog.txt", "2020-05-18 | 東家さん 南家さん 西家さん 北 | o x o\n".encode("utf-16"), None)
    found = [(f.file, f.kind, f.reason) for f in check_folder(logs).findings]
    assert found == [
        ("league.toml", "encoding", "the file is Shift-JIS, not UTF-8"),
        ("rating.txt", "encoding", "the file is Shift-JIS, not UTF-8"),
        ("teamlog.txt", "encoding", "the file is UTF-16, not UTF-8"),
    ]


def test_a_line_of_the_team_log_that_cannot_be_read_is_found(logs: FolderLogs) -> None:
    lines = [
        "# 2対2",
        "2026-11-03 | 東 南 西 北 | o x o",
        "2026-11-04 | 東 南 西 北 | o x",
        "2026-11-05 | 東 東 西 北 | o x -",
    ]
    logs.write("teamlog.txt", "\n".join(lines).encode(), None)
    found = [(f.file, f.line, f.kind) for f in check_folder(logs).findings]
    assert found == [("teamlog.txt", 3, "unreadable"), ("teamlog.txt", 4, "unreadable")]
