"""What 0.1.0 and 0.2.0 left opens today: folder, history, database, backup
(tests/cli/from_*/README).
"""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select

from bot.chat.access import ChatAccess
from bot.league.archive import Archive
from bot.league.backup import Restore, Restored, back_up
from bot.league.files import read_version, versions
from bot.sync.own_results import OwnResults
from bot.sync.room_ids import RoomIds
from bot.tenhou.room import RoomMemory
from rating.logdates import JST
from storage.accounts import Account
from storage.backup_rows import KeptRow, kept_rows
from storage.database import parsed
from storage.events import LATER
from storage.faults import Fault
from storage.folder import FolderLogs
from storage.records import DueRecord
from storage.results import RETENTION, FileRead, ReadMark
from storage.schema import EVENTS, FAULTS, METADATA, QUOTES, SCHEMA
from storage.state import State, open_state
from tests.backend import Backend
from tests.cli.running import Runner, json_of
from tests.storage.races import race
from tests.world.stores import FolderInMemory

HERE = Path(__file__).parent
LEFT = HERE / "from_0_1_0"
GROUP = "C2c6e12f6492ddc0a2c1e7431262f2dd7"
EAST = "C" + "3" * 32
MEMBER = "U5404616ee4d6c77fa98e13dab21591bc"
DAY = date(2026, 11, 22)
WHEN = {"0_1_0": 1795359800.0, "0_2_0": 1795422089.0}
"""Epoch seconds, soon after the databases were made."""
KEY = "YDBKzHJZhC0FPhbeeIQWGfG4PDPUN4tSLvdZGr2LW5k="
BOOKED = datetime(2026, 11, 21, 20, 35, tzinfo=JST).timestamp()  # the moment by 0.2.0's own clock


def left(backend: Backend, folder: Path, version: str) -> str:
    """Fill a database of any kind with what a version left in SQLite's, and return its address."""
    folder.mkdir(exist_ok=True)
    url = backend.database(folder)
    engine = create_engine(parsed(url))
    with engine.begin() as connection:
        for statement in (HERE / f"from_{version}/state.sql").read_text("utf-8").split(";\n"):
            if statement.startswith(("CREATE", "INSERT")):
                connection.exec_driver_sql(statement.replace("DOUBLE", "DOUBLE PRECISION"))
    engine.dispose()
    return url


@pytest.fixture(params=["0_1_0", "0_2_0"])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def url(backend: Backend, tmp_path: Path, version: str) -> str:
    return left(backend, tmp_path, version)


@pytest.fixture
def state(url: str, version: str) -> Iterator[State]:
    with closing(open_state(url, clock=lambda: WHEN[version])) as made:
        yield made


def everything(url: str) -> dict[str, list[str]]:
    """All rows of the tables, without the numbers that count faults."""
    rows_of_table: dict[str, list[str]] = {}
    with closing(open_state(url)) as state:
        for table in METADATA.sorted_tables:
            columns = [column for column in table.columns if column is not FAULTS.c.number]
            rows_of_table[table.name] = sorted(
                map(
                    repr,
                    state.database.rows(select(*columns)),
                )
            )
    return rows_of_table


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(LEFT / "logs", tmp_path / "logs"))


@pytest.mark.parametrize("version", ["0_1_0"])
def test_the_database_of_0_1_0_opens_with_everything_in_it(state: State, version: str) -> None:
    access = ChatAccess(state.chats, lambda chat, user: False, frozenset(), frozenset())
    assert access.groups() == {GROUP: ""}
    assert state.chats.player("", MEMBER) == "白發中"
    assert state.chats.home_of(MEMBER) == GROUP
    assert state.results.read_marks() == {
        "": ReadMark(
            DAY,
            DAY,
            frozenset({"C1934"}),
        )
    }
    assert state.results.leagues_waiting() == set()
    assert state.results.open_days("") == []
    results = state.results.get("", DAY)
    assert results is not None
    assert results.size == 178
    assert len(results.lines) == 2
    assert results.fresh == []
    events = state.database.rows(select(EVENTS.c.id, EVENTS.c.done))
    assert len(events) == 7
    assert all(event.done for event in events)
    assert state.events.lost() == []
    assert sorted(state.values.items("")) == ["edit:e6d8aa7e48368d63", "tenhou/round"]


@pytest.mark.parametrize("version", ["0_2_0"])
def test_the_database_of_0_2_0_opens_with_everything_in_it(state: State, version: str) -> None:
    day = date(2026, 11, 21)
    east_day = date(2026, 11, 19)
    assert state.chats.all() == {GROUP: "", EAST: "east"}
    assert state.chats.league_and_player(GROUP, MEMBER) == ("", "白發中", False)
    assert state.chats.player("east", "U" + "9" * 32) == "まん|がん"
    assert state.chats.home_of(MEMBER) == GROUP
    assert state.chats.question(GROUP, "600000000000000003") == "request_rating"
    account = state.accounts.get("east")
    assert account == Account("/リーグ", account.token if account else "")
    assert RoomIds(state.rooms, KEY).leagues() == {"": "C1017"}
    room = RoomIds(state.rooms, KEY).get("")
    assert room is not None
    assert room.text == "C1017682582799490"
    memory = RoomMemory.from_text(state.rooms.memory(""))
    assert memory.room == "C1017"
    assert len(memory.rows) == 3
    assert memory.requested == datetime(2026, 11, 21, 20, 35)
    assert state.rooms.last_used("") == BOOKED
    _results_of_0_2_0(state, day, east_day)
    (record,) = state.records.due(None, BOOKED, 9)
    assert record.id.endswith("d")
    due = DueRecord("east", "2026112020gm-0009-0000-0000000c", 1)
    assert state.records.due(["east"], BOOKED + 300, 9)[1] == due
    assert state.records.given_up("east") == ["2026112020gm-0009-0000-0000000b"]
    done = ["2026112120gm-0219-11017-00000000"]
    state.records.put("", done, BOOKED)
    assert state.records.due([""], math.inf, 1) == [], "it was fetched"
    for key in (f"digest:{GROUP}:2026-11-20", f"season:{GROUP}:1", "notice:U1:token  x"):
        assert state.notices.was_sent(key), key
    assert not state.notices.was_sent("other")
    assert state.faults.ongoing("") == [Fault("token", "a", "トークン", BOOKED, BOOKED)]
    assert state.faults.ongoing("east") == [Fault("folder", "b", "フォルダ", BOOKED, None)]
    assert [fault.kind for fault in state.faults.take_past("east")] == ["log"]
    assert state.faults.take_past("") == []
    lost = {event.id[-1]: event for event in state.events.lost()}
    assert (lost["1"].base, lost["1"].messages) == ("https://x.example", "")
    assert json.loads(lost["1"].raw)["postback"] == {"data": "request_rating"}
    assert lost["2"].owner == LATER
    assert json.loads(lost["2"].messages) == [{"type": "text", "text": "雀"}]
    assert not any(state.events.take(event) for event in lost.values())
    assert state.values.get("synced") == "2026-11-21T20:35:00+09:00"
    keys = {key.partition(":")[0] for key in state.values.items("")}
    assert keys == {"asked", "drawing", "synced", "tenhou/round", "webhook"}


def _results_of_0_2_0(state: State, day: date, east_day: date) -> None:
    rooms = frozenset({"C1017", "C1934"})
    assert state.results.read_marks() == {
        "": ReadMark(
            day - timedelta(1),
            day,
            rooms,
        )
    }
    assert state.results.files_read(day) == {("", day): FileRead(117, rooms)}
    assert state.results.days_waiting("") == []
    assert state.results.days_waiting("east") == state.results.open_days("east") == [east_day]
    results = state.results.get("east", east_day)
    assert results is not None
    assert (results.fresh, results.merged) == ([b"x | 3"], (b"x | 1", b"x | 2"))
    (game,) = OwnResults(state, "").read([day])
    assert game.end == datetime(2026, 11, 21, 20, 31)
    assert (game.started, game.stood, game.fresh) == (True, True, False)
    assert game.current[1].startswith(b"C1017 | 20:01 | ")


def test_times_end_when_they_would_have_ended(state: State, version: str) -> None:
    """What was sent is known until then, what Tenhou lists no more is forgotten, records stay."""
    state.sweep()
    assert len(state.results.files_read(date.min)) == {"0_1_0": 1, "0_2_0": 4}[version]
    last = max(day for _, day in state.results.files_read(date.min))
    late = datetime.combine(last + RETENTION, time(), JST).timestamp()
    state.database.clock = lambda: late  # type: ignore[method-assign]
    state.sweep()
    assert list(state.results.files_read(date.min)) == [("", last)]
    assert not state.database.rows(select(QUOTES))
    assert not state.notices.was_sent(f"digest:{GROUP}:2026-11-20")
    assert state.notices.was_sent(f"season:{GROUP}:1") == (version == "0_2_0")
    state.database.clock = lambda: late + 86400.0  # type: ignore[method-assign]
    state.sweep()
    assert state.results.files_read(date.min) == {}


def _open(url: str) -> str:
    return json.dumps(everything(url))


def test_processes_at_once_bring_it_once(
    url: str, backend: Backend, tmp_path: Path, version: str
) -> None:
    alone = everything(left(backend, tmp_path / "alone", version))
    assert alone["janroku_schema"] == [f"({SCHEMA},)"]
    for answer in race(_open, [(url,)] * 3):
        assert json.loads(answer) == alone


DYING = """
import os, signal, sys
from sqlalchemy import event
from storage.state import open_state
state, left = open_state(sys.argv[1]), [int(sys.argv[2])]
def count(connection, cursor, statement, *_):
    left[0] -= statement.startswith(("INSERT", "DELETE"))
    if left[0] < 0: os.kill(os.getpid(), signal.SIGKILL)
from sqlalchemy.engine import Engine
event.listen(Engine, "before_cursor_execute", count)
state.values.get("x")
"""


@pytest.mark.parametrize("writes", [0, 9, 25])
def test_a_process_that_is_killed_meanwhile_loses_nothing(
    url: str, backend: Backend, tmp_path: Path, version: str, writes: int
) -> None:
    alone = everything(left(backend, tmp_path / "alone", version))
    command = [sys.executable, "-c", DYING, url, f"{writes}"]
    env = os.environ | {"PYTHONPATH": "."}
    assert subprocess.call(command, env=env, timeout=120) == -signal.SIGKILL
    assert everything(url) == alone


def _restored(path: Path, state: State, **options: object) -> Restored:
    folders: dict[str, FolderInMemory] = {}
    with Archive(path) as archive:
        opened = lambda league: folders.setdefault(league, FolderInMemory())  # noqa: E731
        options_of_state = {"secret_key": KEY, "clock": lambda: WHEN["0_2_0"]} | options
        work = Restore(archive, state.database, opened, **options_of_state)  # type: ignore[arg-type]
        work.check()
        return work.write()


@pytest.mark.parametrize("version", ["0_2_0"])
def test_0_2_0_s_backup_is_its_database(
    state: State, backend: Backend, tmp_path: Path, version: str
) -> None:
    def plain(row: KeptRow) -> KeptRow:
        if row.table == "rooms":
            return KeptRow(row.table, {**row.columns, "used": None})
        return row

    with closing(open_state(backend.database(tmp_path / "new"))) as new:
        result = _restored(HERE / "from_0_2_0/backup.zip", new)
        assert result.state == len(list(kept_rows(new.database)))
        assert (result.without_key, result.written) == (0, 10)
        rows = kept_rows(state.database)
        stored = [plain(row) for row in rows if not row.key[1].startswith("notice:")]
        assert list(kept_rows(new.database)) == stored
        again = _restored(HERE / "from_0_2_0/backup.zip", new)
        assert (again.state, again.without_key) == (result.state, 0)
        assert list(kept_rows(new.database)) == stored
        path = tmp_path / "today.zip"
        with path.open("wb") as file:
            back_up(file, new.database, lambda league: FolderInMemory())
        new.chats.set_player("", "U1", "someone else")
        _restored(path, new, over=True)
        assert list(kept_rows(new.database)) == stored
        assert _restored(HERE / "from_0_2_0/backup.zip", new, secret_key="").without_key == 2


@pytest.mark.parametrize("version", ["0_1_0"])
def test_its_folder_gives_the_same_standings(
    runner: Runner, url: str, logs: Path, tmp_path: Path
) -> None:
    before = json.loads((LEFT / "standings.json").read_text("utf-8"))
    now = json_of(runner(logs, tmp_path)("standings", "--json"))
    keys = "player", "rating", "games"
    for former, present in zip(before["standings"], now["standings"], strict=True):
        for key in keys:
            assert present[key] == former[key]


def test_its_former_versions_can_be_read(logs: Path) -> None:
    folder = FolderLogs(logs)
    for name, words in (("logvol1.txt", "20260401"), ("league.toml", "春風会")):
        (version,) = versions(folder, name)
        assert words in read_version(folder, name, version.name).decode()
