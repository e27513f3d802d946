"""A backup put back elsewhere is the same league; a broken one changes nothing; a stopped restore
goes on.
"""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.league import archive
from bot.league.archive import ABOUT, STATE, Archive, ArchiveError
from bot.league.backup import DAILY, NotEmpty, back_up, keep_daily, names_in
from bot.league.demo import demo_files
from bot.runtime.encryption import new_key
from bot.sync.room_ids import RoomIds
from storage.backup_rows import KeptRow, kept_rows
from storage.backups import BackupPlace, FolderBackups
from storage.folder import FolderLogs
from storage.ports import LogSource, StorageError
from storage.s3_images import S3Images
from storage.schema import KEPT, SCHEMA
from storage.state import State, open_state
from tests.clock import Clock
from tests.fakes.servers import Missing, rclone_s3
from tests.league.backups import (
    KEY,
    ROOM,
    USER,
    Folders,
    content,
    fill,
    fill_state,
    restored,
    saved,
)
from tests.world.stores import FolderInMemory


def rows(state: State) -> list[KeptRow]:
    return list(kept_rows(state.database))


@pytest.fixture
def full(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The backup of a host with three leagues, one of them without a file, and with rows of three
    pages.
    """
    monkeypatch.setattr("storage.backup_rows.PAGE", 5)
    state = open_state("sqlite://", clock=clock)
    folders = {league: FolderInMemory() for league in ("", "east", "west")}
    fill(folders[""])
    fill_state(state, days=12)
    folders["east"].write("logvol1.txt", b"20260101\n", None)
    state.chats.enrol("C" + "3" * 32, "east")
    state.chats.enrol("C" + "4" * 32, "west")
    return saved(tmp_path, state, dict(folders))


@pytest.fixture(params=["folder", "bucket"])
def place(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[BackupPlace]:
    """Where backups go; of a bucket one that checks signatures (`rclone serve s3`)."""
    with ExitStack() as ends:
        if request.param == "folder":
            yield FolderBackups(FolderInMemory())
            return
        try:
            server = ends.enter_context(rclone_s3())
        except Missing as missing:
            pytest.skip(f"{missing} is not installed")
        for name, value in server.env().items():
            monkeypatch.setenv(name, value)
        made = S3Images(server.bucket, "backups")
        yield made
        made.close()


def test_seven_daily_backups_are_stored(tmp_path: Path, place: BackupPlace) -> None:
    state = open_state("sqlite://")
    logs = FolderInMemory()
    fill(logs)
    place.put("mine.zip", b"x")
    for day in range(1, 12):
        for _ in range(2):
            keep_daily(place, state.database, lambda folder: logs, date(2026, 5, day))
        logs.overwrite("logvol1.txt", f"# {day}\n".encode())
    names = sorted(place.names())
    assert names == [
        *(f"janroku-2026-05-{day:02d}.zip" for day in range(12 - DAILY, 12)),
        "mine.zip",
    ]
    (tmp_path / "last.zip").write_bytes(place.read(names[-2]))
    into = FolderInMemory()
    restored(tmp_path / "last.zip", open_state("sqlite://"), {"": into})
    assert into.read("logvol1.txt").data == b"# 10\n", "the day's first state"


def test_values_keep_their_expiry(tmp_path: Path, clock: Clock) -> None:
    old = open_state("sqlite://", clock=clock)
    new = open_state("sqlite://", clock=clock)
    fill_state(old)
    path = saved(tmp_path, old, {})
    clock.now += 6 * 86400
    restored(path, new, {}, clock=clock)
    assert new.notices.was_sent("digest:x")
    clock.now += 86400
    assert not new.notices.was_sent("digest:x")
    late = open_state("sqlite://", clock=clock)
    restored(path, late, {}, clock=clock)
    assert not late.notices.was_sent("digest:x")
    assert late.chats.player("", USER) == "みどり一色"


def test_backup_has_all_leagues_of_a_host(full: Path, clock: Clock) -> None:
    state = open_state("sqlite://", clock=clock)
    folders: dict[str, LogSource] = {}
    result = restored(full, state, folders)
    assert result.leagues == 3
    assert folders["east"].read("logvol1.txt").data == b"20260101\n"
    assert names_in(folders["west"]) == []
    with zipfile.ZipFile(full) as packed:
        names = packed.namelist()
        assert ROOM.text.encode() not in b"".join(packed.read(name) for name in names)
    assert "root/notes.md" not in names
    assert not any("charts" in name for name in names)


def test_backup_has_leagues_without_a_chat(tmp_path: Path, clock: Clock) -> None:
    for name in ("east", "photos"):
        (tmp_path / "logs" / name).mkdir(parents=True)
    (tmp_path / "logs/east/logvol1.txt").write_bytes(b"1")
    (tmp_path / "logs/photos/a.jpg").write_bytes(b"1")
    folders: Folders = {
        name: FolderLogs(tmp_path / "logs" / name) for name in ("", "east", "photos")
    }
    with Archive(saved(tmp_path, open_state("sqlite://", clock=clock), folders)) as archive:
        assert archive.leagues == ["", "east"]


def test_backup_without_an_unreachable_league_is_saved(tmp_path: Path, clock: Clock) -> None:
    class Away(FolderInMemory):
        def revisions(self) -> dict[str, str]:
            raise StorageError("dropbox is away")

    state = open_state("sqlite://", clock=clock)
    state.chats.enrol("C" + "3" * 32, "east")
    root = FolderInMemory()
    root.write("logvol1.txt", b"1", None)
    folders = {"": root, "east": Away()}
    with (tmp_path / "b.zip").open("wb") as file:
        backup = back_up(file, state.database, lambda league: folders[league])
    assert backup.problems == ["east: dropbox is away"]
    assert restored(tmp_path / "b.zip", open_state("sqlite://", clock=clock), {}).written == 1
    with (tmp_path / "c.zip").open("wb") as file, pytest.raises(StorageError):
        back_up(file, state.database, lambda league: Away())


def test_restore_changes_nothing_existing_without_over(full: Path, clock: Clock) -> None:
    def refused(state: State, folders: Folders, match: str) -> None:
        before = rows(state), {name: content(logs) for name, logs in folders.items()}
        with pytest.raises(NotEmpty, match=match):
            restored(full, state, folders)
        after = {name: content(folders[name]) for name in before[1]}
        assert (rows(state), after) == before

    other = FolderInMemory()
    more = FolderInMemory()
    state = open_state("sqlite://", clock=clock)
    other.write("logvol1.txt", b"theirs", None)
    refused(state, {"": other}, r"logvol1\.txt is there already, with other content")
    more.write("logvol9.txt", b"theirs", None)
    refused(
        state,
        {"east": more},
        r"logvol9\.txt is there already, and not in the backup \(league east\)",
    )
    state.chats.set_player("", "U9", "x")
    refused(state, {}, "the database holds rows of 'identities' already")
    folders: Folders = {"": other, "east": more}
    result = restored(full, state, folders, over=True)
    assert result.removed == 1
    assert state.chats.player("", "U9") == ""
    assert names_in(folders["east"]) == ["logvol1.txt"]
    assert other.read("logvol1.txt").data == demo_files()["logvol1.txt"]


def test_stopped_restore_is_continued(full: Path, clock: Clock) -> None:
    class Failing(FolderInMemory):
        steps_left = 0

        def overwrite(self, name: str, data: bytes) -> str:
            if not Failing.steps_left:
                raise StorageError("the disk is full")
            Failing.steps_left -= 1
            return super().overwrite(name, data)

    logs = Failing()
    state = open_state("sqlite://", clock=clock)
    tries = 0
    folders: Folders = {"": logs, "east": FolderInMemory(), "west": FolderInMemory()}
    while True:
        Failing.steps_left = 4
        try:
            result = restored(full, state, folders)
        except StorageError:
            tries += 1
            assert state.chats.player("", USER) == "", "the state comes last"
            continue
        break
    assert tries >= 1
    assert result.unchanged >= 4 * tries
    with Archive(full) as archive:
        assert content(logs) == dict(archive.files(""))
    assert state.chats.player("", USER) == "みどり一色"


class Dying:
    """A store whose process ends before its next change after so many; all of a process share
    `steps_left`.
    """

    def __init__(self, inner: Any, steps_left: list[int]) -> None:
        self._inner = inner
        self._steps_left = steps_left

    def __getattr__(self, name: str) -> Any:
        return self.count(name) if name in ("overwrite", "remove") else getattr(self._inner, name)

    def count(self, name: str) -> Any:
        call = getattr(self._inner, name)

        def counted(*args: Any, **named: Any) -> Any:
            if not self._steps_left[0]:
                raise KeyboardInterrupt
            self._steps_left[0] -= 1
            return call(*args, **named)

        return counted


def test_restore_over_data_that_dies_is_completed_again(full: Path, clock: Clock) -> None:
    """Nobody whom the backup lets in sees half of its files."""
    mine = "C" + "9" * 32
    with Archive(full) as archive:
        files = {league: dict(archive.files(league)) for league in archive.leagues}
        whole = list(archive.rows())
    for steps in range(99):
        state = open_state("sqlite://", clock=clock)
        folders: dict[str, FolderInMemory] = {}
        steps_left = [steps]
        for name in files:
            folders[name] = FolderInMemory()
            folders[name].write("logvol1.txt", b"theirs", None)
        state.chats.enrol(mine, "")
        dying: Any = {name: Dying(logs, steps_left) for name, logs in folders.items()}
        try:
            with pytest.MonkeyPatch.context() as patched:
                for verb in ("put", "write"):
                    patched.setattr(
                        state.database, verb, Dying(state.database, steps_left).count(verb)
                    )
                restored(full, state, dying, over=True, clock=clock)
        except KeyboardInterrupt:
            enrolled = state.chats.all().keys() - {mine}
            assert not enrolled or {name: content(logs) for name, logs in folders.items()} == files
        else:
            break
        restored(full, state, dict(folders), over=True, clock=clock)
        assert {name: content(logs) for name, logs in folders.items()} == files
        assert rows(state) == whole
        state.close()
    assert steps > 9


def test_secrets_that_cannot_be_decrypted_are_not_saved(full: Path, clock: Clock) -> None:
    for key in ("", new_key()):
        state = open_state("sqlite://", clock=clock)
        result = restored(full, state, {}, secret_key=key)
        assert result.without_key == 2
        assert state.rooms.all() == {}
        assert restored(full, state, dict[str, LogSource](), secret_key=KEY).without_key == 0
        assert RoomIds(state.rooms, KEY).room("") == ROOM.room


def test_other_account_keeps_its_newer_files(full: Path, clock: Clock) -> None:
    theirs = FolderInMemory()
    theirs.write("logvol1.txt", b"newer", None)
    for over in (False, True):
        state = open_state("sqlite://", clock=clock)
        folders = dict[str, LogSource](east=theirs)
        result = restored(
            full, state, folders, has_account=lambda league: league == "east", over=over
        )
        assert result.own_accounts == ["east"]
        assert theirs.read("logvol1.txt").data == b"newer"


def rewritten(
    path: Path, act: Callable[[dict[str, bytes]], None], packing: int = zipfile.ZIP_STORED
) -> Path:
    with zipfile.ZipFile(path) as packed:
        entries = {name: packed.read(name) for name in packed.namelist()}
    act(entries)
    target = path.with_name("changed.zip")
    with zipfile.ZipFile(target, "w", packing) as packed:
        for name, data in entries.items():
            packed.writestr(name, data)
    return target


def tar_of(name: str, kind: bytes = tarfile.REGTYPE, **headers: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        member = tarfile.TarInfo(name)
        member.type = kind
        member.linkname = "/etc/passwd"
        member.pax_headers = headers
        tar.addfile(member)
    return made.getvalue()


def about(**fields: object) -> Callable[[dict[str, bytes]], None]:
    def act(entries: dict[str, bytes]) -> None:
        entries[ABOUT] = json.dumps(json.loads(entries[ABOUT]) | fields).encode()

    return act


def entry(
    name: str,
    data: bytes | None,
) -> Callable[[dict[str, bytes]], None]:
    def act(entries: dict[str, bytes]) -> None:
        if data is None:
            del entries[name]
        else:
            entries[name] = data

    return act


ROW = (
    b'{"table": "results", "league": "", "day": "2026-11-22", "size": 1, "rooms": "%(rooms)s", "lines": "%(lines)s", '
    b'"merged": "", "waiting": true, "version": 1}\n'
)
SPARSE = {"GNU.sparse.size": "99999999", "GNU.sparse.map": "0,0"}
BAD = {
    "a newer schema": (about(schema=SCHEMA + 1), "of a newer Janroku"),
    "a newer form": (about(format=99), "has the form 99 of a newer Janroku"),
    "no description": (entry(ABOUT, None), "is no backup of Janroku's"),
    "another description": (entry(ABOUT, b"[]"), "janroku.json can't be read"),
    "a name that leads out": (
        entry("../../etc/passwd", b"1"),
        "'../../etc/passwd' is no file of a backup",
    ),
    "an absolute name": (entry("/etc/passwd", b"1"), "is no file of a backup"),
    "a league that leads out": (entry("leagues/../x", b"1"), "is no file of a backup"),
    "another file": (entry("root/run.sh", b"1"), "is no file of a backup"),
    "a hidden file": (entry("root/.profile", b"1"), "is no file of a backup"),
    "a league unknown": (entry("leagues/north/logvol1.txt", b"1"), "parts of it are missing"),
    "a file less": (entry("root/logvol1.txt", None), "files of the root are missing"),
    "no state": (entry(STATE, None), "parts of it are missing"),
    "an empty state": (entry(STATE, b""), "lines of state.jsonl are missing"),
    "a line that is none": (entry(STATE, b"{}\n"), "has a line that is none"),
    "a row of something else": (
        entry(STATE, b'{"table": "events", "id": "x"}\n'),
        "has a line that is none",
    ),
    "bytes that are none": (
        entry(STATE, ROW % {b"lines": b"=", b"rooms": b"C1"}),
        "has a line that is none",
    ),
    "text that no database keeps": (
        entry(STATE, ROW % {b"lines": b"", b"rooms": b"\\u0000"}),
        "has a line that is none",
    ),
    "a tar that leads out": (
        entry("root/history.tar", tar_of("history/../../x")),
        "is no file of Janroku's",
    ),
    "a tar of another folder": (
        entry("root/history.tar", tar_of("logvol1.txt")),
        "is no file of Janroku's",
    ),
    "a link": (
        entry("root/records.tar", tar_of("records/x", tarfile.SYMTYPE)),
        "is no file of Janroku's",
    ),
    "a file of zeros alone": (
        entry("root/records.tar", tar_of("records/x", **SPARSE)),
        "is no file of Janroku's",
    ),
    "no tar": (entry("root/records.tar", b"x" * 2000), "can't be read"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_backup_is_refused_before_any_write(full: Path, clock: Clock, name: str) -> None:
    act, words = BAD[name]
    path = rewritten(full, act)
    for over in (False, True):
        logs = FolderInMemory()
        state = open_state("sqlite://", clock=clock)
        with pytest.raises(ArchiveError, match=words) as caught:
            restored(path, state, {"": logs}, over=over)
        assert "\n" not in str(caught.value)
        assert (logs.files, rows(state)) == ({}, [])


@pytest.mark.parametrize("bound", ["RATIO", "ENTRIES", "UNPACKED"])
def test_backup_too_large_unpacked_is_not_read(
    full: Path, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bound == "RATIO":
        full = rewritten(full, entry(STATE, bytes(archive.FREE + 1)), zipfile.ZIP_DEFLATED)
    else:
        monkeypatch.setattr(archive, bound, 3)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(ArchiveError, match=r"entries of \d+ KB unpack to \d+ MB$"):
        Archive(full)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_backup_is_refused_or_complete(
    full: Path, clock: Clock, data: st.DataObject
) -> None:
    good = full.read_bytes()
    damaged = bytearray(good)
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(good) - 1)) :]
    else:
        at = data.draw(st.integers(0, len(good) - 1))
        damaged[at] ^= 1 << data.draw(st.integers(0, 7))
    path = full.with_name("damaged.zip")
    path.write_bytes(damaged)
    state = open_state("sqlite://", clock=clock)
    folders: dict[str, LogSource] = {}
    try:
        restored(path, state, folders)
    except ArchiveError:
        assert rows(state) == []
        assert all(not logs.below("history") for logs in folders.values())
        return
    with Archive(full) as archive:
        for league in archive.leagues:
            assert content(folders[league]) == dict(archive.files(league))


def test_rows_are_read_in_the_order_of_their_keys(clock: Clock) -> None:
    state = open_state("sqlite://", clock=clock)
    fill_state(state)
    keys = [row.key for row in kept_rows(state.database)]
    assert keys == sorted(keys)
    assert {key[0] for key in keys} == {table.name.removeprefix("janroku_") for table in KEPT}
    assert len(keys) == 1211
