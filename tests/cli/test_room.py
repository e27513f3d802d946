"""The id of a league's own room: checked, encrypted, shown nowhere; and `flask sync` with it."""

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.runtime.encryption import new_key
from bot.settings import SettingsError, read_settings
from bot.sync.room_ids import RoomIds
from rating.room_id import RoomId
from storage.state import open_state
from tests.backend import Backend, app
from tests.cli.running import Run, refused
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import (
    DAY,
    HAND,
    NIGHT,
    ROOM,
    ROOM_ID,
    SECRET,
    TOML,
    everything,
    game,
    minutes,
    utc,
)

KEY = new_key()
SHORT = "C101782799490"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two records there is a pause for politeness, which the stand-in's time does not
    know.
    """
    monkeypatch.setattr("bot.sync.paifu_collector.BETWEEN", 0.0)


class Terminal:
    """Runs commands of a league in a folder, at the stand-in's time."""

    def __init__(self, home: Path, tenhou: FakeTenhou, backend: Backend, ends: ExitStack) -> None:
        self.home = home
        self.folder = home / "league"
        self.tenhou = tenhou
        self._backend = backend
        self._ends = ends
        self.folder.mkdir()
        (self.folder / "league.toml").write_text(TOML)
        (self.folder / "logvol1.txt").write_text(HAND)

    def __call__(self, **env: str) -> Run:
        stores = {"LOGS_URL": f"file:{self.folder}", "IMAGES_URL": f"file:{self.home / 'images'}"}
        settings = {
            **self._backend.env(self.home),
            **stores,
            "TENHOU_URL": self.tenhou.url,
            **env,
        }
        made = self._ends.enter_context(app(settings, lambda: self.tenhou.clock()))
        runner = made.test_cli_runner()
        return lambda *words, **options: runner.invoke(args=list(words), **options)


@pytest.fixture
def terminal(tmp_path: Path, tenhou: FakeTenhou, backend: Backend) -> Iterator[Terminal]:
    tenhou.clock.time = utc(NIGHT)
    tenhou.put(DAY, [])
    with ExitStack() as ends:
        yield Terminal(tmp_path, tenhou, backend, ends)


@pytest.mark.parametrize("room_id", [ROOM_ID, SHORT])
def test_a_rooms_id_tells_its_name_and_lobby(room_id: str) -> None:
    room = RoomId(room_id)
    assert (room.room, room.lobby) == ("C1017", "11017")
    assert SECRET not in repr(room) + str(room)
    settings = read_settings({"TENHOU_ROOM_ID": f" {room_id} "})
    assert settings.tenhou_room_id == room_id
    assert SECRET not in repr(settings)
    assert {room_id, room_id[-8:]} <= set(settings.secrets)


BAD_IDS = [
    ROOM_ID + "1",
    ROOM_ID.lower(),
    ROOM_ID[1:],
    "L" + ROOM_ID[1:],
    ROOM_ID + "\nX",
    "C1017",
    "C１０１７82799490",
]


@pytest.mark.parametrize("bad", BAD_IDS)
def test_anything_else_is_refused_without_its_value(bad: str) -> None:
    with pytest.raises(SettingsError) as error:
        read_settings({"TENHOU_ROOM_ID": bad})
    (fault,) = error.value.lines
    assert (
        fault
        == "TENHOU_ROOM_ID: is no id of a room: C and 12 or 16 digits, the last 8 of them secret"
    )
    with pytest.raises(ValueError, match="is no id of a room") as refused:
        RoomId(bad)
    assert SECRET not in str(refused.value)


def test_sync_reads_the_room_and_shows_its_secret_nowhere(
    terminal: Terminal, tenhou: FakeTenhou, caplog: pytest.LogCaptureFixture
) -> None:
    """The digits are looked for in output, log lines, folder, database and pictures."""
    caplog.set_level(logging.DEBUG)
    room = tenhou.open_room(ROOM_ID)
    run = terminal(TENHOU_ROOM_ID=ROOM_ID)
    played = room.play(
        NIGHT + minutes(1),
        NIGHT + minutes(30),
        ("みどり", "A&B", "東風"),
        (1, 0, -1),
    )
    output = ""
    added = 0
    answers = [b"<html>" + ROOM_ID.encode(), b"", ROOM_ID.encode() * 100_000, None]
    for number, status in enumerate((500, 302, 0, 0, 0, 0)):
        if status:
            room.status.append(status)
        elif answers:
            body = answers.pop(0)
            room.twist = (lambda whole: whole) if body is None else (lambda whole, body=body: body)
        tenhou.clock.time = utc(NIGHT + minutes(32 + 21 * number))
        result = run("sync", "--json")
        report = json.loads(result.stdout)
        assert result.exit_code == bool(report["problems"])
        assert len(report["problems"]) == (number in (0, 1, 2, 4))
        added += report["games"]
        output += result.output
    assert added == 1
    assert played.line.encode() in (terminal.folder / "logvol1.txt").read_bytes()
    for words in (["league", "check"], ["league", "show"], ["standings", "--json"]):
        output += run(*words).output
    assert SECRET not in output
    assert SECRET not in caplog.text
    for path in terminal.home.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes(), path


def test_a_league_of_a_host_keeps_it_encrypted(
    terminal: Terminal, tenhou: FakeTenhou, backend: Backend
) -> None:
    room = tenhou.open_room(SHORT)
    run = terminal(JANROKU_SECRET_KEY=KEY)
    result = run("league", "room", SHORT)
    assert result.exit_code == 0
    assert result.output == "the results of room C1017 are read as games end\n"
    state = open_state(backend.database(terminal.home))
    assert state.rooms.all()[""].room == "C1017"
    assert SECRET not in everything(state)
    assert RoomIds(state.rooms, KEY).get("") == RoomId(SHORT)
    with pytest.raises(ValueError, match="encrypted with another JANROKU_SECRET_KEY"):
        RoomIds(state.rooms, new_key()).get("")
    state.close()
    game(room, -40, 35)
    assert json.loads(run("sync", "--json").stdout)["games"] == 1
    again = run("league", "room", "--league", "other", input=f"{SHORT}\n")
    assert (again.exit_code, again.stderr) == (2, "Error: another league has this room already\n")
    assert run("league", "room", "--remove").exit_code == 0
    assert run("league", "room", "--league", "other", "-", input=f"{SHORT}\n").exit_code == 0


@pytest.mark.parametrize(
    "words", [ROOM_ID[:-1], f"{ROOM_ID} {ROOM_ID}", f"x{ROOM_ID}", f"-- {ROOM_ID}0"]
)
def test_a_wrong_id_is_refused_in_one_line_without_it(terminal: Terminal, words: str) -> None:
    assert "8279949" not in refused(
        terminal(JANROKU_SECRET_KEY=KEY)("league", "room", *words.split())
    )


def test_where_it_can_not_be_kept(terminal: Terminal) -> None:
    variables = {"TENHOU_ROOM_ID": ROOM_ID, "JANROKU_SECRET_KEY": KEY}
    for env, words in (
        (dict[str, str](), "JANROKU_SECRET_KEY is missing"),
        (variables, "TENHOU_ROOM_ID is set"),
    ):
        line = refused(terminal(**env)("league", "room", ROOM_ID))
        assert words in line
        assert SECRET not in line


def test_a_league_without_rooms_has_its_own(terminal: Terminal, tenhou: FakeTenhou) -> None:
    for name in ("league.toml", "logvol1.txt"):
        (terminal.folder / name).unlink()
    room = tenhou.open_room(ROOM_ID)
    played = game(room, -40, 35)
    assert json.loads(terminal(TENHOU_ROOM_ID=ROOM_ID)("sync", "--json").stdout)["games"] == 1
    assert (terminal.folder / "logvol1.txt").read_text() == f"20260810\n{played.line}\n"
    assert ROOM in played.line
