"""Commands on a folder with a broken league.toml, or with a log that cannot be read."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.running import League, Runner, Table, refused

pytestmark = pytest.mark.any_backend(
    "reads a league's files; stores of files have their own contract suite"
)

GAME = "C6529 | {0}:52 | 三般南喰赤祝 | 佐藤(+77.0,+5枚) 高橋(-7.0,+1枚) 鈴木(-70.0,-6枚)\n"
LOG = "20200101\n" + "".join(GAME.format(hour) for hour in range(10, 20))
MIXED = LOG.encode("cp932") + LOG.encode()
TOML = '[player."佐藤"]\nname = "さとう"\n[player."高橋"]\n[player."鈴木"]\n'
Flask = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "league"


@pytest.fixture
def flask(league: League) -> Flask:
    """Runs a command as a process of its own would."""
    league({"logvol1.txt": LOG, "league.toml": TOML})
    return lambda *words: league({})(*words)


READING = (
    "standings",
    "standings --json",
    f"chart -o {os.devnull}",
    "calibrate --min-games 2",
    "compare --burn-in 2",
    "league show",
)


@pytest.mark.parametrize("words", READING)
def test_a_log_that_is_no_text_ends_the_command_with_one_line(
    flask: Flask, folder: Path, words: str
) -> None:
    (folder / "logvol1.txt").write_bytes(MIXED)
    line = refused(flask(*words.split()))
    assert line == "Error: logvol1.txt: it is neither UTF-8 nor Shift-JIS: save it as UTF-8"
    assert (folder / "logvol1.txt").read_bytes() == MIXED


def test_the_check_has_one_finding_for_it_and_the_doctor_too(flask: Flask, folder: Path) -> None:
    (folder / "logvol1.txt").write_bytes(MIXED)
    (finding,) = json.loads(flask("league", "check", "--json").stdout)["findings"]
    assert (finding["file"], finding["kind"]) == ("logvol1.txt", "unreadable")
    flask("league", "check", "--fix", "--yes")
    assert (folder / "logvol1.txt").read_bytes() == MIXED
    assert "MEND  league: logvol1.txt: it is neither" in flask("doctor").stdout


def test_a_table_needs_no_log(flask: Flask, folder: Path, table: Table) -> None:
    (folder / "logvol1.txt").write_bytes(MIXED)
    games = table("p1,p2,p3,s1,s2,s3\na,b,c,30,0,-30\n")
    assert flask("standings", "--games", games).exit_code == 0


@pytest.mark.parametrize("encoding", ["cp932", "utf-16"])
def test_standings_are_the_same_in_every_encoding(
    flask: Flask, folder: Path, encoding: str
) -> None:
    plain = flask("standings", "--json").stdout
    (folder / "logvol1.txt").write_bytes(LOG.encode(encoding))
    (folder / "league.toml").write_bytes(TOML.encode(encoding))
    result = flask("standings", "--json")
    assert (result.stdout, result.stderr) == (plain, "")
    fixed = flask("league", "check", "--fix", "--yes")
    assert "logvol1.txt: the same text in another encoding" in fixed.stdout
    assert (folder / "logvol1.txt").read_text("utf-8") == LOG
    assert len(list((folder / "history" / "logvol1.txt").glob("00.*"))) == 1


@pytest.mark.parametrize("words", READING)
def test_a_broken_league_toml_is_said_and_the_last_good_serves(
    flask: Flask, folder: Path, words: str
) -> None:
    assert "さとう" in flask("standings").stdout
    (folder / "league.toml").write_text("rooms = 3\n", "utf-8")
    result = flask(*words.split())
    assert result.exit_code == 0, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith(
        "league.toml:1: rooms must be a list, not 3; the last good version of 20"
    )
    assert line.endswith(" JST stays in force")
    if words.startswith(("standings", "league")):
        assert "さとう" in result.stdout


def test_the_check_and_the_doctor_say_which_version_is_in_force(flask: Flask, folder: Path) -> None:
    flask("standings")
    (folder / "league.toml").write_text("rooms = 3\n", "utf-8")
    (finding,) = json.loads(flask("league", "check", "--json").stdout)["findings"]
    assert finding["file"] == "league.toml"
    assert finding["line"] == 1
    assert finding["kind"] == "league"
    assert "until then the last good version of 20" in finding["mend"]
    line = "MEND  league: league.toml:1: rooms must be a list, not 3; the last good"
    assert line in flask("doctor").stdout


def test_a_deleted_log_is_noticed_with_another_database(
    flask: Flask, runner: Runner, folder: Path, tmp_path: Path
) -> None:
    before = flask("standings").stdout
    (folder / "logvol1.txt").unlink()
    result = runner(folder, tmp_path / "another")("standings")
    assert result.stdout == before
    assert "logvol1.txt: the file is gone; the last good version of 20" in result.stderr


def test_a_score_out_of_range_is_named_for_what_it_is(flask: Flask, folder: Path) -> None:
    odd = (
        GAME.format(21).replace("+77.0", "+100000000000.0"),
        GAME.format(22).replace("+77.0", "1e11"),
    )
    (folder / "logvol1.txt").write_text(LOG + "".join(odd), "utf-8")
    lines = flask("standings").stderr.splitlines()
    reason = "a score of 1e+11 is out of range: it must be between -1e+09 and 1e+09"
    reports = [line.partition(": C6529")[0] for line in lines]
    assert reports == [f"logvol1.txt:12: {reason}", f"logvol1.txt:13: {reason}"]
    findings = json.loads(flask("league", "check", "--json").stdout)["findings"]
    assert [(f["line"], f["reason"]) for f in findings] == [
        (at, f"can't be read: {reason}") for at in (12, 13)
    ]
