"""The admin's commands at the terminal: what they print and write, and one clear line for bad
input.
"""

import json
from dataclasses import replace
from datetime import UTC, date
from functools import partial
from types import SimpleNamespace
from typing import Any
from unicodedata import normalize
from unittest.mock import Mock

import pytest
from click.testing import CliRunner, Result

from bot.league.files import STAMP, current, read_version, versions, write_keeping
from bot.league.last_good import LastGood
from bot.league.season_log import folder_opener
from bot.runtime import json_log
from bot.service import Service
from bot.sync.league_job import LeagueWork
from bot.sync.room_search import find_rooms, proposal
from bot.tenhou.client import TenhouClient
from bot.tenhou.throttle import TooSoon
from rating.league_file import parse_league
from rating.logdates import JST
from rating.roomlog import format_game, parse
from storage.ports import LogSource, StorageError
from storage.results import Results
from storage.state import State
from tests.cli.running import commands
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.watcher import watcher
from tests.sync.worlds import NAMES, ROOM, Around, held, month, ours, show

TOML = f'rooms = ["{ROOM}"]\n'.encode()
SEASONS = b'[[season]]\n[[season]]\nlog = "logvol2.txt"\nstart = 2020-05-17\n'
GAMES = month(40, date(2020, 5, 15), 3)


class Terminal:
    """Runs a command with the simulated Tenhou and a test's own folder and state."""

    def __init__(self, tenhou: FakeTenhou, logs: LogSource, state: State) -> None:
        self.tenhou = tenhou
        self.logs = logs
        self.state = state
        self.heartbeat = ""

    def __call__(
        self,
        *words: str,
        typed: str | None = None,
        status: int = 0,
    ) -> Result:
        result = CliRunner().invoke(commands(self.service()), words, input=typed)
        assert result.exit_code == status, (result.output, result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    def json(self, *words: str, status: int = 0) -> Any:
        return json.loads(self(*words, "--json", status=status).stdout)

    @property
    def log(self) -> bytes:
        return self.logs.read("logvol1.txt").data

    def service(self) -> Any:
        """The parts of a service that these commands work on: one league, without a room of its
        own.
        """
        work = LeagueWork(folder_opener(lambda folder: self.logs), self.state, self.tenhou.clock)
        settings = SimpleNamespace(
            tenhou_url=self.tenhou.url, metrics_token="", heartbeat_url=self.heartbeat
        )
        made: Any = SimpleNamespace(
            stores=SimpleNamespace(open_logs=lambda league="": self.logs),
            state=self.state,
            now=self.tenhou.clock,
            settings=settings,
            has_rooms=True,
            leagues=[""],
            make_league_work=lambda after: work,
            workers=None,
            room_watch=None,
            paifu_collector=SimpleNamespace(collect=lambda leagues, progress: []),
        )
        made.sync = partial(Service.sync, made)
        made.find_rooms = partial(Service.find_rooms, made)
        return made


@pytest.fixture
def flask(tenhou: FakeTenhou, logs: LogSource, state: State) -> Terminal:
    show(tenhou, GAMES)
    logs.write("league.toml", TOML, None)
    return Terminal(tenhou, logs, state)


def test_sync_says_what_it_did_and_show_tells_the_league(flask: Terminal) -> None:
    count = sum(ours(GAMES).values())
    out = flask("sync").stdout
    assert f"logvol1.txt: {count} games added" in out
    assert "3 files in Tenhou's index, 3 downloaded" in out
    report = flask.json("sync")
    assert report["games"] == 0
    assert "asked again from" in report["notes"][0]
    out = flask("league", "show").stdout
    assert f"rooms: {ROOM}" in out
    assert f"第1シーズン: logvol1.txt, {count} games, 2020-05-15 to 2020-05-17" in out
    assert "Tenhou read up to 2020-05-17" in out
    assert flask.json("league", "show")["rooms"] == [ROOM]


def test_a_sync_s_lines_in_the_log(
    flask: Terminal, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("INFO", "bot")
    monkeypatch.setenv("FLASK_RUN_FROM_CLI", "true")
    monkeypatch.setattr("bot.cli.sync.json_log.configured", lambda: json_log.JSON)
    flask.tenhou.fail("list.cgi", body=b"<html>")
    result = flask("sync", status=1)
    assert result.stderr == ""
    problem, last = caplog.records[-2:]
    assert (problem.levelname, "Tenhou" in problem.getMessage()) == ("WARNING", True)
    assert last.fields == {"result": "problems", "games": 0, "files": 0, "downloaded": 0}  # type: ignore[attr-defined]
    flask.tenhou.judge.round = None


def test_sync_from_a_day_on(flask: Terminal) -> None:
    assert "lies in the future" in flask("sync", "--since", "2021-01-01", status=2).stderr
    assert "does not match" in flask("sync", "--since", "April", status=2).stderr
    assert "only in its yearly archives" in " ".join(
        flask("sync", "--since", "2018-01-01").stdout.split()
    )


def test_a_watcher_outside_hears_of_each_sync(flask: Terminal) -> None:
    with watcher() as (flask.heartbeat, heard):
        flask("sync")
        flask.tenhou.clock.forward(minutes=21)
        flask.tenhou.fail("list.cgi", body=b"<html>")
        result = flask("sync", status=1)
    assert result.stderr.startswith("problem: Tenhou's index is in a form Janroku does not know")
    assert heard == ["/ping/0123-secret", "/ping/0123-secret/fail"]
    flask.tenhou.judge.round = None


def test_check_mends_after_showing_how(flask: Terminal) -> None:
    flask("sync")
    file = flask.logs.read("logvol1.txt")
    flask.logs.write("logvol1.txt", file.data[:-1], file.rev)
    assert "logvol1.txt:" in flask("league", "check", status=1).stdout
    assert flask.json("league", "check", status=1)["findings"][-1]["kind"] == "newline"
    flask("league", "check", "--fix", typed="n\n", status=1)
    assert flask.log == file.data[:-1]
    assert "0 findings in 1 logs" in flask("league", "check", "--fix", typed="y\n").stdout
    assert flask.log == file.data
    assert "needs --yes" in flask("league", "check", "--fix", "--json", status=2).stderr


def corrected(flask: Terminal) -> tuple[str, str]:
    """Sync, then correct the first game's first and last score by hand; Tenhou's line and the
    hand's.
    """
    flask("sync")
    file = flask.logs.read("logvol1.txt")
    lines = file.data.decode().splitlines()
    tenhou = next(line for line in lines if line.startswith(ROOM))
    game = parse("", tenhou.encode()).games[0]
    seats = [
        replace(seat, score=seat.score + by)
        for seat, by in zip(game.seats, (1, 0, -1), strict=True)
    ]
    hand = format_game(replace(game, seats=tuple(seats)))
    data = file.data.replace(tenhou.encode(), hand.encode())
    flask.logs.write("logvol1.txt", data, file.rev)
    return tenhou, hand


def test_a_corrected_game_is_kept_said_and_found(flask: Terminal) -> None:
    tenhou, hand = corrected(flask)
    _, _, theirs = tenhou.rpartition(" | ")
    _, _, ours_now = hand.rpartition(" | ")
    line = flask.log.decode().splitlines().index(hand) + 1
    (finding,) = flask.json("league", "check", status=1)["findings"]
    assert finding["file"] == "logvol1.txt"
    assert finding["line"] == line
    assert finding["kind"] == "corrected"
    assert theirs in finding["reason"]
    words = " ".join(flask("sync", "--since", "2020-05-15").stdout.split())
    assert f"logvol1.txt: kept the hand's version of 2020-05-15 {ROOM}" in words
    assert words.count(theirs) == words.count(ours_now) == 1
    (correction,) = flask.json("sync", "--since", "2020-05-15")["corrected"]
    assert (correction["hand"], correction["tenhou"]) == (ours_now, theirs)
    assert sum(held(flask.logs, "logvol1.txt").values()) == sum(ours(GAMES).values())


def test_a_corrected_double_is_mended_after_showing_how(flask: Terminal) -> None:
    tenhou, hand = corrected(flask)
    file = flask.logs.read("logvol1.txt")
    data = file.data.replace(hand.encode(), f"{hand}\n{tenhou}".encode())
    flask.logs.write("logvol1.txt", data, file.rev)
    findings = flask.json("league", "check", status=1)["findings"]
    assert {finding["kind"] for finding in findings} == {"corrected", "twice"}
    output = flask("league", "check", "--fix", typed="y\n", status=1).stdout
    assert f"-{tenhou}" in output
    assert flask.log == file.data


def test_games_of_the_next_season_move_after_showing_how(flask: Terminal) -> None:
    flask("sync")
    before = held(flask.logs, "logvol1.txt")
    flask.logs.overwrite("league.toml", TOML + SEASONS)
    output = flask("league", "check", "--fix", typed="n\n", status=1).stdout
    assert "+++ logvol2.txt (mended)" in output
    assert "+++ logvol1.txt (mended)" in output
    assert "games from logvol1.txt to logvol2.txt?" in output
    assert held(flask.logs, "logvol1.txt") == before
    assert flask("league", "check", "--fix", "--yes").stdout.endswith("0 findings in 2 logs\n")
    assert held(flask.logs, "logvol1.txt", "logvol2.txt") == before
    days = {day for day, _ in held(flask.logs, "logvol2.txt")}  # type: ignore[misc]
    assert days == {date(2020, 5, 17)}
    assert [version.size for version in versions(flask.logs, "logvol1.txt")] != []
    flask.tenhou.clock.forward(hours=1)
    flask("sync", "--since", "2020-05-01")
    assert held(flask.logs, "logvol1.txt", "logvol2.txt") == before


class Edited(Around):
    """A folder in which somebody edits the first season's log while the second one's is written."""

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        if name == "logvol2.txt":
            self.logs.overwrite("logvol1.txt", self.logs.read("logvol1.txt").data + b"# hand\n")
        return self.logs.write(name, data, rev)


def test_an_edit_while_games_move_is_not_overwritten(flask: Terminal) -> None:
    flask("sync")
    before = held(flask.logs, "logvol1.txt")
    flask.logs.overwrite("league.toml", TOML + SEASONS)
    whole = flask.logs
    flask.logs = Edited(flask.logs)
    refused = flask("league", "check", "--fix", "--yes", status=2)
    assert "logvol1.txt was edited meanwhile" in refused.stderr
    assert b"# hand\n" in whole.read("logvol1.txt").data
    flask.logs = whole
    flask("league", "check", "--fix", "--yes")  # removes the remaining doubles
    assert held(flask.logs, "logvol1.txt", "logvol2.txt") == before
    assert b"# hand\n" in whole.read("logvol1.txt").data


def test_check_goes_on_without_the_database(
    flask: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    corrected(flask)
    flask("sync", "--since", "2020-05-15")

    monkeypatch.setattr(
        Results, "offered", Mock(side_effect=StorageError("state.sqlite3: disk I/O error"))
    )
    result = flask("league", "check", "--json", status=1)
    assert [finding["kind"] for finding in json.loads(result.stdout)["findings"]] == ["corrected"]
    assert result.stderr.startswith(
        "the database can't be read, so not every corrected game is known: state"
    )


def test_history_and_restore(flask: Terminal) -> None:
    assert "no former versions yet" in flask("league", "history").stdout
    flask.logs.write("logvol1.txt", b"20200401\n", None)
    flask("sync")
    line = flask("league", "history").stdout
    assert line.startswith("logvol1.txt  20200518T150000Z-")
    assert "2020-05-19 00:00 JST  9 bytes" in line
    version = line.split()[1]
    assert flask.json("league", "history", "logvol1.txt")["logvol1.txt"][0]["name"] == version
    flask("league", "restore", "logvol1.txt", version, typed="n\n")
    assert len(flask.log) > 9
    assert "-20200515" in flask("league", "restore", "logvol1.txt", version, "--yes").stdout
    assert flask.log == b"20200401\n"
    assert "the same as" in flask("league", "restore", "logvol1.txt", version).stdout


def test_history_lists_the_last_good_version_of_a_file(flask: Terminal) -> None:
    flask("sync")
    clock = flask.tenhou.clock()
    LastGood(flask.logs).accept("logvol1.txt", flask.log, clock)
    for text in (flask.log, b"20200515\n"):
        flask.logs.overwrite("logvol1.txt", text)
        line = flask("league", "history", "logvol1.txt").stdout.splitlines()[-1]
        assert line.startswith(f"logvol1.txt  good  {clock.astimezone(JST):%Y-%m-%d %H:%M} JST")
        (*_, good) = flask.json("league", "history", "logvol1.txt")["logvol1.txt"]
        assert (good["name"], good["kept"]) == ("good", f"{clock.astimezone(UTC):{STAMP}}")
    flask.logs.remove("history/good.json")
    assert "good  " in flask("league", "history", "logvol1.txt").stdout


@pytest.mark.parametrize("content", [None, b"", b"20200515\n"])
def test_a_log_that_lost_its_games_is_left_alone_and_put_back(
    flask: Terminal, content: bytes | None
) -> None:
    flask("sync")
    good = flask.log
    LastGood(flask.logs).accept("logvol1.txt", good, flask.tenhou.clock())
    if content is None:
        flask.logs.remove("logvol1.txt")
    else:
        flask.logs.overwrite("logvol1.txt", content)
    (finding,) = flask.json("league", "check", status=1)["findings"]
    assert (finding["file"], finding["kind"]) == ("logvol1.txt", "lost")
    assert "`flask league restore logvol1.txt good` puts it back" in finding["mend"]
    report = flask("sync", "--since", "2020-05-15", status=2).stderr
    assert "nothing is added to it, its games keep waiting" in report
    assert "flask league restore logvol1.txt good" in report
    if content is None:
        assert "logvol1.txt" not in flask.logs.revisions()
    else:
        assert flask.log == content
    assert "logvol1.txt  good  " in flask("league", "history").stdout
    flask("league", "restore", "logvol1.txt", "good", "--yes")
    assert flask.log == good
    flask("league", "check")
    flask.logs.overwrite("logvol1.txt", b"")
    assert "nothing of it is left" in flask("league", "accept", "logvol1.txt", typed="n\n").stdout
    flask("league", "check", status=1)
    flask("league", "accept", "logvol1.txt", "--yes")
    flask("league", "check")
    assert "has lost nothing" in flask("league", "accept", "logvol1.txt", status=2).stderr
    names = [version.name for version in versions(flask.logs, "logvol1.txt")]
    assert good in [read_version(flask.logs, "logvol1.txt", name) for name in names]


REFUSED = [
    ("restore logvol1.txt 2020", "is no version of logvol1.txt"),
    ("restore ../x 2020", "not the name of a file"),
    ("history logvol9.txt", "no such file"),
    ("init", "Missing argument"),
]


@pytest.mark.parametrize(("words", "reason"), REFUSED)
def test_bad_input_is_one_clear_line(flask: Terminal, words: str, reason: str) -> None:
    assert reason in flask("league", *words.split(), status=2).stderr


@pytest.fixture
def bare(flask: Terminal) -> Terminal:
    """A terminal in a folder without a league.toml."""
    flask.logs.remove("league.toml")
    return flask


def test_a_broken_league_toml_stops_the_sync_but_not_its_mending(flask: Terminal) -> None:
    rev = flask.logs.read("league.toml").rev
    write_keeping(flask.logs, "league.toml", b"rooms = 3", rev, flask.tenhou.clock(), TOML)
    assert "rooms must be a list" in flask("sync", status=2).stderr
    assert flask.tenhou.judge.requests == []
    assert "league.toml:1: rooms must be" in flask("league", "check", status=1).stdout
    flask("league", "restore", "league.toml", "2020", "--yes")
    assert flask("sync").exit_code == 0


def test_the_sync_goes_on_by_the_last_good_league_toml(flask: Terminal) -> None:
    flask("sync")
    flask.logs.overwrite("league.toml", b"rooms = 3")
    flask.tenhou.clock.forward(minutes=30)
    stderr = flask("sync", status=1).stderr
    assert stderr.startswith(
        "problem: league.toml:1: rooms must be a list, not 3; the last good version of 20"
    )
    assert flask.tenhou.judge.requests
    result = flask("league", "show")
    assert f"rooms: {ROOM}" in result.stdout
    assert "the last good version of 20" in result.stderr
    assert flask.json("sync", status=1)["problems"][0].startswith("league.toml:1")


def test_a_log_that_is_no_text_ends_the_sync_with_status_2(flask: Terminal) -> None:
    count = sum(ours(GAMES).values())
    bad = "20200401\n# 佐藤\n".encode("cp932") + "# 高橋\n".encode()
    flask.logs.write("logvol1.txt", bad, None)
    lines = flask("sync", status=2).stderr.splitlines()
    (line,) = [line for line in lines if "logvol1.txt" in line]
    assert line.startswith(
        "problem: logvol1.txt: it is neither UTF-8 nor Shift-JIS: save it as UTF-8; "
    )
    assert line.endswith("; nothing is added to it, its games keep waiting")
    assert flask.log == bad
    flask.logs.overwrite("logvol1.txt", "20200401\n# 佐藤\n".encode("cp932"))
    result = flask("sync")
    assert f"logvol1.txt: {count} games added" in result.stdout
    assert result.stdout.count("Shift-JIS") == 1
    assert flask.log.startswith("20200401\n# 佐藤\n".encode())
    assert "Shift-JIS" not in flask("sync").stdout


def test_init_finds_the_room_and_proposes_a_league(bare: Terminal) -> None:
    result = bare("league", "init", *NAMES[:2], "--title", "雀録杯", typed="y\n")
    assert f"{ROOM}: met in" in result.stdout
    written = parse_league(bare.logs.read("league.toml").data.decode())
    assert (written.name, written.rooms) == ("雀録杯", (ROOM,))
    assert set(NAMES[:2]) <= set(written.players)
    assert "NoName" not in written.players
    assert "is there already" in bare("league", "init", NAMES[0], NAMES[1], status=2).stderr
    bare.tenhou.clock.forward(minutes=20)
    out = bare("sync").stdout  # reads the files that init downloaded
    assert "0 downloaded" in out
    assert held(bare.logs, "logvol1.txt") == ours(GAMES)


def test_init_takes_rooms_of_logs_and_check_groups_causes(
    bare: Terminal,
) -> None:
    seats = f"{NAMES[0]}(+1.0) {NAMES[1]}(0.0) むかしの人(-1.0)"
    old = "".join(f"L9999 | 20:{n:02d} | 三般南喰赤－ | {seats}\n" for n in range(12))
    bare.logs.write("logvol1.txt", f"20200101\n{old}".encode(), None)
    output = bare("league", "init", *NAMES[:2], typed="\nn\n").stdout
    assert "12 games of room L9999" in output
    assert f'rooms = ["{ROOM}", "L9999"]' in output
    assert '[player."むかしの人"]' in output
    bare("league", "init", *NAMES[:2], typed="n\ny\n")
    assert parse_league(bare.logs.read("league.toml").data.decode()).rooms == (ROOM,)
    lines = bare("league", "check", status=1).stdout.splitlines()
    places = "logvol1.txt:2, logvol1.txt:3, logvol1.txt:4 …"
    assert f"12 times: L9999 is none of the league's rooms [room]: {places}" in lines


def test_a_finding_is_acknowledged_until_its_line_changes(bare: Terminal) -> None:
    lines = [
        f"L9999 | 20:{n:02d} | 三般南喰赤－ | 甲(+{n}.0) 乙(0.0) 丙(-1.0)\n" for n in range(1, 5)
    ]

    def check(text: str, *words: str, status: int = 1) -> list[str]:
        _text, rev = current(bare.logs, "logvol1.txt")
        bare.logs.write("logvol1.txt", f"20200101\n{text}".encode(), rev)
        report = bare.json("league", "check", *words, status=status)
        return [f"{finding['line']} {finding['kind']}" for finding in report["findings"]] + [
            report["acknowledged"]
        ]

    whole = "".join(lines)
    assert check(whole) == ["3 points", "4 points", "5 points", 0]
    assert check(whole, "--acknowledge", "logvol1.txt:4") == ["3 points", "5 points", 1]
    assert check("# none\n" + whole) == ["4 points", "6 points", 1]
    assert check(whole, "--acknowledge", "points", status=0) == [3]
    output = bare("league", "check").stdout.splitlines()
    assert output[0] == "0 findings in 1 logs"
    assert output[1].startswith("3 more are acknowledged")
    lines[1] = lines[1].replace("-1.0", "-1.5")
    assert check("".join(lines)) == ["3 points", 2]
    refused = bare("league", "check", "--acknowledge", "x", "--acknowledge", "room", status=2)
    assert "no finding is room, x" in refused.stderr
    bare.logs.overwrite("history/acknowledged.json", b"{")
    assert check(whole) == ["3 points", "4 points", "5 points", 0]
    check(whole, "--acknowledge", "points", status=0)
    assert check(whole, "--anew") == ["3 points", "4 points", "5 points", 0]


def test_init_without_a_find(bare: Terminal) -> None:
    refused = bare("league", "init", "だれ", "か", status=2)
    assert "no room where だれ, か met from 2020-05-15" in refused.stderr
    # Within 20 minutes the files read before are used again.
    assert "met in" in bare("league", "init", *NAMES[:2], typed="n\n").stdout
    assert "league.toml" not in bare.logs.revisions()


def test_discover_names_the_strangers(tenhou: FakeTenhou, state: State) -> None:
    def line(start: int, *names: str) -> str:
        return (
            f"L0001 | {start}:00 | 三般南喰赤－ | {names[0]}(+1.0) {names[1]}(0.0) {names[2]}(-1.0)"
        )

    tables = [
        line(20, "甲", "乙", "丙"),
        line(21, "甲", "丁", "戊"),
        line(22, "己", "庚", "辛"),
    ]
    tenhou.put(date(2020, 5, 17), tables)
    without = date(2020, 5, 16)  # a day on which neither plays
    tenhou.put(without, [line(20, "丙", "丁", "戊")])
    with TenhouClient(tenhou.url) as client:
        search = find_rooms(["甲", "乙"], state, client, tenhou.clock)
    results = state.results.get("", without)
    assert results is not None
    assert results.lines == (line(20, "丙", "丁", "戊").encode(),)
    (room,) = search.rooms
    assert room.games == 3
    assert room.meetings == 1
    assert set(room.players) == {
        "甲",
        "乙",
        "丙",
    }
    assert set(room.others) == {"甲", "丁", "戊", "己", "庚", "辛"}
    league = parse_league(proposal(search))
    assert league.members_only
    assert set(league.players) == {"甲", "乙", "丙"}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_room_is_found_by_a_name_in_any_unicode_form(
    tenhou: FakeTenhou, state: State, form: str
) -> None:
    line = normalize(form, "L0001 | 20:00 | 三般南喰赤－ | がく(+1.0) 乙(0.0) 丙(-1.0)")
    tenhou.put(date(2020, 5, 17), [line])
    other = {"NFC": "NFD", "NFD": "NFC"}[form]
    with TenhouClient(tenhou.url) as client:
        search = find_rooms([normalize(other, "がく"), "乙"], state, client, tenhou.clock)
    assert [set(room.players) for room in search.rooms] == [{"がく", "乙", "丙"}]


def test_init_does_not_hurry_tenhou(tenhou: FakeTenhou, state: State) -> None:
    tenhou.fail("/dat/", status=500, times=9)
    show(tenhou, GAMES)
    with TenhouClient(tenhou.url) as client:
        with pytest.raises(OSError, match="answers 500"):
            find_rooms(["甲"], state, client, tenhou.clock)
        with pytest.raises(TooSoon):
            find_rooms(["甲"], state, client, tenhou.clock)
