"""`flask league check` names the games a hand corrected, and those that stand twice before and after a
correction."""

from collections.abc import Sequence
from datetime import date, datetime

import pytest

from bot.league.check import Checked, Mend, check_folder, mend
from bot.league.check_logs import LogFinding
from bot.league.season_log import CORRECTED, remember
from rating.logdates import JST
from rating.roomlog import parse
from rating.same_game import CorrectedGame
from storage.folder import FolderLogs

DAY = date(2020, 5, 17)
PLAYERS = "東家さん(+52.0,+3枚) 南家さん(-2.0,0枚) 西家さん(-50.0,-3枚)"
TENHOU = f"C1234 | 20:00 | 三般南喰赤祝 | {PLAYERS}"
OTHER = "C1234 | 21:00 | 三般南喰赤祝 | 東家さん(+10.0,+1枚) 西家さん(-2.0,0枚) 南家さん(-8.0,-1枚)"
SCORE = TENHOU.replace("+52.0", "+50.0").replace("-50.0", "-48.0")
NAME = TENHOU.replace("南家さん", "北家さん")
SEASONS = '[[season]]\n[[season]]\nlog = "logvol2.txt"\nstart = 2020-05-01\n'


def write(logs: FolderLogs, *lines: str, name: str = "logvol1.txt") -> None:
    logs.write(name, "".join(f"{line}\n" for line in ("20200517", *lines)).encode(), None)


def checked(logs: FolderLogs, *tenhou: str) -> Checked:
    return check_folder(logs, offered={DAY: [line.encode() for line in tenhou]} if tenhou else None)


def told(findings: Sequence[LogFinding]) -> list[tuple[str, int, str, bool]]:
    return [(found.file, found.line, found.kind, found.safe) for found in findings if found.kind != "renamed"]


def mend_all(logs: FolderLogs, *tenhou: str) -> list[str]:
    """Make every safe mend, as `--fix --yes` does, and return the questions."""
    asked = []

    def write(step: Mend) -> bool:
        asked.append(step.question)
        for change in step.files:
            logs.overwrite(change.name, change.new)
        return True

    mend(checked(logs, *tenhou), lambda: checked(logs, *tenhou), write)
    return asked


@pytest.mark.parametrize("hand", [SCORE, NAME])
@pytest.mark.parametrize("remembered", [False, True])
def test_a_corrected_game_is_named_with_tenhous_players(
    logs: FolderLogs, hand: str, remembered: bool
) -> None:
    write(logs, hand, OTHER)
    if remembered:  # by the sync, in the folder; the database is lost
        logs.write(CORRECTED, f"20200517\n{TENHOU}\n".encode(), None)
    found = [
        f for f in checked(logs, *([] if remembered else [TENHOU, OTHER])).findings if f.kind != "renamed"
    ]
    assert told(found) == [("logvol1.txt", 2, "corrected", False)]
    assert found[0].reason == f"corrected by hand: Tenhou has {PLAYERS}"
    assert found[0].text == hand


def test_untouched_games_have_no_finding(logs: FolderLogs) -> None:
    second = TENHOU.replace("東家さん", "みどり").replace("南家さん", "白發中").replace("西家さん", "海底丸")
    write(logs, TENHOU, second, OTHER)  # two tables of one minute with the same points
    assert checked(logs, TENHOU, second, OTHER).findings == ()
    assert [f for f in checked(logs).findings if f.kind in ("twice", "corrected")] == []


def test_spaces_are_no_correction(logs: FolderLogs) -> None:
    write(logs, TENHOU.replace(" | ", "|").replace("+52.0", "52"), OTHER)
    assert checked(logs, TENHOU, OTHER).findings == ()


@pytest.mark.parametrize("lines", [(TENHOU, SCORE), (SCORE, TENHOU), (NAME, TENHOU)])
def test_of_a_corrected_double_tenhous_line_goes(logs: FolderLogs, lines: tuple[str, str]) -> None:
    write(logs, *lines, OTHER)
    hand = next(line for line in lines if line != TENHOU)
    place, other = lines.index(TENHOU) + 2, lines.index(hand) + 2
    found = checked(logs, TENHOU, OTHER).findings
    assert sorted(told(found)) == sorted(
        [("logvol1.txt", place, "twice", True), ("logvol1.txt", other, "corrected", False)]
    )
    mend_all(logs, TENHOU, OTHER)
    assert logs.read("logvol1.txt").data == f"20200517\n{hand}\n{OTHER}\n".encode()
    assert told(checked(logs, TENHOU, OTHER).findings) == [("logvol1.txt", 2, "corrected", False)]


def test_where_tenhous_lines_are_not_known_a_corrected_double_is_named_and_left(logs: FolderLogs) -> None:
    write(logs, TENHOU, SCORE, OTHER)
    (found,) = checked(logs).findings
    assert told([found]) == [("logvol1.txt", 3, "twice", False)]
    assert found.reason == "the same game as logvol1.txt:2: day, room, start and all names agree"
    assert "flask sync --since 2020-05-17" in found.mend
    before = logs.read("logvol1.txt").data
    mend_all(logs)
    assert logs.read("logvol1.txt").data == before


def test_two_hands_versions_are_named_and_left(logs: FolderLogs) -> None:
    write(logs, SCORE, SCORE.replace("+50.0", "+51.0").replace("-48.0", "-49.0"), OTHER)
    assert told(checked(logs, TENHOU, OTHER).findings) == [
        ("logvol1.txt", 2, "corrected", False), ("logvol1.txt", 3, "twice", False),
    ]  # fmt: skip


def test_two_corrections_of_one_game_that_agree_in_neither_are_named_and_left(logs: FolderLogs) -> None:
    write(logs, SCORE, NAME, OTHER)
    findings = checked(logs, TENHOU, OTHER).findings
    assert told(findings) == [
        ("logvol1.txt", 2, "corrected", False), ("logvol1.txt", 3, "twice", False),
    ]  # fmt: skip
    (second,) = (found for found in findings if found.kind == "twice")
    assert second.reason == f"the same game as logvol1.txt:2: both may be what Tenhou has as {PLAYERS}"


def test_a_copy_in_another_form_is_mended(logs: FolderLogs) -> None:
    write(logs, TENHOU, TENHOU.replace(" | ", "|"), TENHOU.replace("南喰", "東喰"), OTHER)
    assert told(checked(logs).findings) == [
        ("logvol1.txt", 3, "twice", True),
        ("logvol1.txt", 4, "twice", False),
    ]
    mend_all(logs)
    assert len(logs.read("logvol1.txt").data.splitlines()) == 4


def test_a_second_copy_with_a_date_typed_onto_it_is_mended_in_two_steps(logs: FolderLogs) -> None:
    write(logs, TENHOU, f"{TENHOU}20200518", OTHER)
    mend_all(logs)
    assert logs.read("logvol1.txt").data == f"20200517\n{TENHOU}\n20200518\n{OTHER}\n".encode()


def test_a_double_in_two_logs_leaves_the_wrong_season(logs: FolderLogs) -> None:
    logs.write("league.toml", SEASONS.encode(), None)
    write(logs, TENHOU, name="logvol1.txt")
    write(logs, TENHOU, OTHER, name="logvol2.txt")
    (found,) = checked(logs).findings
    assert told([found]) == [("logvol1.txt", 2, "twice", True)]
    assert found.mend == "take it out: it belongs to logvol2.txt"
    mend_all(logs)
    assert checked(logs).findings == ()
    assert TENHOU.encode() not in logs.read("logvol1.txt").data
    assert TENHOU.encode() in logs.read("logvol2.txt").data


def test_a_corrected_double_in_two_logs_ends_in_its_season(logs: FolderLogs) -> None:
    logs.write("league.toml", SEASONS.encode(), None)
    write(logs, SCORE, name="logvol1.txt")
    write(logs, TENHOU, OTHER, name="logvol2.txt")
    kinds = told(checked(logs, TENHOU, OTHER).findings)
    assert kinds == [
        ("logvol1.txt", 2, "corrected", False), ("logvol1.txt", 2, "season", True), ("logvol2.txt", 2, "twice", True),
    ]  # fmt: skip
    mend_all(logs, TENHOU, OTHER)
    assert told(checked(logs, TENHOU, OTHER).findings) == [("logvol2.txt", 2, "corrected", False)]
    assert logs.read("logvol2.txt").data == f"20200517\n{SCORE}\n{OTHER}\n".encode()


def test_a_day_at_the_end_of_time_is_checked(logs: FolderLogs) -> None:
    logs.write("logvol1.txt", f"99991231\n{TENHOU}\n{SCORE}\n".encode(), None)
    assert ("logvol1.txt", 3, "twice", False) in told(checked(logs, TENHOU).findings)


def test_a_date_without_a_year_that_is_read_as_another_years_is_named(logs: FolderLogs) -> None:
    """A season that began long before the former log's last games dates that log a year back."""
    later = SEASONS.replace("2020-05-01", "2020-03-01")
    logs.write("league.toml", later.encode(), None)
    logs.write("logvol1.txt", f"#2/1\n{OTHER}\n#5/17\n{TENHOU}\n{OTHER}\n".encode(), None)
    logs.write("logvol2.txt", f"20200520\n{OTHER}\n".encode(), None)
    (found,) = checked(logs, TENHOU, OTHER).findings
    assert told([found]) == [("logvol1.txt", 4, "dates", False)]
    assert "read as a game of 2019-05-17, but Tenhou has it on 2020-05-17" in found.reason
    file = logs.read("logvol1.txt")
    logs.write("logvol1.txt", file.data.replace(b"#5/17", b"20200517"), file.rev)
    kinds = told(checked(logs, TENHOU, OTHER).findings)
    assert kinds == [("logvol1.txt", 4, "season", True), ("logvol1.txt", 5, "season", True)]


def test_where_tenhous_lines_are_kept_in_a_file_that_is_no_text_the_file_is_named(logs: FolderLogs) -> None:
    logs.write(CORRECTED, bytes(99), None)
    (tenhou,), (hand,) = (parse("logvol1.txt", line.encode()).lines for line in (TENHOU, SCORE))
    with pytest.raises(ValueError, match=f"^{CORRECTED}: it is neither UTF-8"):
        remember(logs, [CorrectedGame(DAY, tenhou, hand)], datetime(2020, 5, 18, tzinfo=JST))
