import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.ports import Changes, Conflict, LogFile, LogSource, NotFound, StorageError, TooLarge
from storage.stores import LOGS
from tests.storage.places import PLACES, Place


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return PLACES[request.param](request, tmp_path)


@pytest.fixture
def logs(place: Place) -> LogSource:
    return place.open()


def test_every_kind_of_address_is_tested_here() -> None:
    assert {name.partition(":")[0] + ":" for name in PLACES} == set(LOGS)


def test_the_first_look_shows_every_file(logs: LogSource, place: Place) -> None:
    seen = logs.changes()
    assert (dict(seen.files), seen.removed, seen.reset) == ({}, frozenset(), True)
    place.put("logvol1.txt", b"1")
    place.put("雀録 第2期.txt", b"2")
    seen = logs.changes()
    assert seen.reset
    assert seen.files == {name: logs.read(name).rev for name in ("logvol1.txt", "雀録 第2期.txt")}


def test_a_file_beyond_the_limit_is_named_and_not_read(
    place: Place, logs: LogSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("folder", "dropbox_logs", "postgres", "ports"):
        monkeypatch.setattr(f"storage.{module}.LARGEST", 4 << 20)
    place.put("logvol1.txt", b"#" * (4 << 20))
    place.put("logvol2.txt", b"#" * ((5 << 20) + 1))
    assert set(logs.changes().files) == {"logvol1.txt", "logvol2.txt"}
    assert len(logs.read("logvol1.txt").data) == 4 << 20
    with pytest.raises(TooLarge, match=r"logvol2\.txt: 5 MB, more than the 4 MB that are read"):
        logs.read("logvol2.txt")
    rev = logs.changes().files["logvol2.txt"]
    assert logs.write("logvol2.txt", b"#", rev) == logs.read("logvol2.txt").rev


def test_a_cursor_tells_nothing_new_again_and_outlives_a_restart(place: Place, logs: LogSource) -> None:
    place.put("logvol1.txt", b"1")
    first = logs.changes()
    assert logs.changes(first.cursor) == Changes(first.cursor, {})
    place.put("new.txt", b"1")
    assert logs.changes(first.cursor).files == logs.changes(first.cursor).files != {}
    then = place.open().changes(first.cursor)
    assert (list(then.files), then.reset) == (["new.txt"], False)


def test_only_what_changed_is_told(place: Place, logs: LogSource) -> None:
    for name in ("kept.txt", "grown.txt", "gone.txt"):
        place.put(name, b"1")
    first = logs.changes()
    place.put("grown.txt", b"12")
    place.put("new.txt", b"1")
    place.delete("gone.txt")
    then = logs.changes(first.cursor)
    assert not then.reset
    assert then.files == {name: logs.read(name).rev for name in ("grown.txt", "new.txt")}
    assert then.removed == {"gone.txt"}
    assert not logs.changes(then.cursor).files


@pytest.mark.parametrize(
    "cursor", ["", "x", "folder.", "folder.AAAA", "dropbox.!!", "dropbox.eJyLjgUAARUAuQ==", "\0", "雀"]
)
def test_a_cursor_that_is_none_is_a_reset(place: Place, logs: LogSource, cursor: str) -> None:
    place.put("a.txt", b"1")
    seen = logs.changes(cursor)
    assert (list(seen.files), seen.reset) == (["a.txt"], True)


def test_a_file_removed_again_leaves_no_trace_and_one_made_anew_is_a_change(
    place: Place, logs: LogSource
) -> None:
    first = logs.changes()
    place.put("a.txt", b"1")
    place.delete("a.txt")
    assert not logs.changes(first.cursor).files
    place.put("a.txt", b"1")
    first = logs.changes()
    place.delete("a.txt")
    place.put("a.txt", b"2")
    then = logs.changes(first.cursor)
    assert (list(then.files), then.removed) == (["a.txt"], frozenset())


def test_a_whole_listing_names_the_folders_and_no_hidden_files(place: Place, logs: LogSource) -> None:
    first = logs.changes()
    assert first.folders == frozenset()
    for name in ("league.toml/x.txt", ".hidden/x.txt", ".DS_Store"):
        place.put(name, b"1")
    assert not logs.changes(first.cursor).files
    place.put("logvol1.txt", b"1")
    assert (set(logs.changes().files), logs.changes().folders) == ({"logvol1.txt"}, {"league.toml"})


def test_the_files_of_a_folder_and_its_folders_are_listed(place: Place, logs: LogSource) -> None:
    assert logs.below("history") == []
    names = [
        "history/good.json", "history/logvol1.txt/00.txt", "history/logvol1.txt/index.json",
        "history/雀/a b.txt",
    ]  # fmt: skip
    for name in [*names, "logvol1.txt", "records/x.mjlog", "histories/x.txt"]:
        logs.overwrite(name, b"1")
    place.put("history/.hidden", b"1")
    place.put("history/.hidden2/x.txt", b"1")
    assert logs.below("history") == names
    assert logs.below("history/logvol1.txt") == names[1:3]
    assert logs.below("logvol1.txt") == []
    logs.remove("history/good.json")
    assert "history/good.json" not in logs.below("history")
    for bad in ("", "..", "/etc", "a/../b"):
        with pytest.raises((ValueError, StorageError)):
            logs.below(bad)


def test_reading_gives_the_bytes_and_their_revision(place: Place, logs: LogSource) -> None:
    data = bytes(range(256)) * 40
    place.put("logvol1.txt", data)
    file = logs.read("logvol1.txt")
    assert (file.name, file.data) == ("logvol1.txt", data)
    assert logs.changes().files == {"logvol1.txt": file.rev}


def test_a_missing_file_and_a_folder_are_not_found_an_empty_file_is(logs: LogSource, place: Place) -> None:
    with pytest.raises(NotFound, match=r"logvol9\.txt"):
        logs.read("logvol9.txt")
    place.put("charts/rating.png", b"1")
    with pytest.raises(NotFound, match="charts"):
        logs.read("charts")
    place.put("logvol1.txt", b"")
    assert logs.read("logvol1.txt").data == b""


def test_writing_a_new_file_and_over_the_revision_that_was_read(logs: LogSource) -> None:
    begin = logs.changes()
    first = logs.write("logvol1.txt", b"1", None)
    assert logs.read("logvol1.txt") == LogFile("logvol1.txt", first, b"1")
    assert logs.changes().files == logs.changes(begin.cursor).files == {"logvol1.txt": first}
    second = logs.write("logvol1.txt", b"12", first)
    assert first != second
    assert logs.read("logvol1.txt").rev == second
    assert logs.write("logvol1.txt", b"12", second) == second


def test_a_new_file_conflicts_with_one_that_is_there(place: Place, logs: LogSource) -> None:
    place.put("logvol1.txt", b"theirs")
    for data in (b"ours", b"theirs"):
        with pytest.raises(Conflict, match=r"logvol1\.txt"):
            logs.write("logvol1.txt", data, None)
    assert logs.read("logvol1.txt").data == b"theirs"


def test_a_stale_revision_conflicts_and_overwrites_nothing(place: Place, logs: LogSource) -> None:
    rev = logs.write("logvol1.txt", b"1", None)
    place.put("logvol1.txt", b"theirs")
    with pytest.raises(Conflict, match=r"logvol1\.txt"):
        logs.write("logvol1.txt", b"ours", rev)
    assert logs.read("logvol1.txt").data == b"theirs"
    place.delete("logvol1.txt")
    with pytest.raises(Conflict):
        logs.write("logvol1.txt", b"12", rev)
    with pytest.raises(NotFound):
        logs.read("logvol1.txt")


@pytest.mark.parametrize("rev", ["", "no revision", "0123456789abcdef", "１"])
def test_what_is_no_revision_conflicts(logs: LogSource, rev: str) -> None:
    logs.write("logvol1.txt", b"1", None)
    with pytest.raises(Conflict):
        logs.write("logvol1.txt", b"12", rev)


def test_overwriting_asks_for_nothing(place: Place, logs: LogSource) -> None:
    logs.overwrite("charts/rating.png", b"1")
    place.put("charts/rating.png", b"theirs")
    rev = logs.overwrite("charts/rating.png", b"2")
    assert logs.read("charts/rating.png").data == b"2"
    assert logs.read("charts/rating.png").rev == rev


def test_what_is_removed_is_gone_and_may_be_removed_again(place: Place, logs: LogSource) -> None:
    logs.overwrite("records/a.mjlog", b"1")
    logs.overwrite("records/b.mjlog", b"2")
    logs.remove("records/a.mjlog")
    logs.remove("records/a.mjlog")
    logs.remove("charts/none.png")
    with pytest.raises(NotFound):
        logs.read("records/a.mjlog")
    assert logs.read("records/b.mjlog").data == b"2"


def test_a_file_and_a_folder_of_one_name_conflict(logs: LogSource) -> None:
    logs.write("logvol1.txt", b"1", None)
    logs.write("charts/rating.png", b"1", None)
    with pytest.raises(Conflict):
        logs.overwrite("logvol1.txt/rating.png", b"2")
    with pytest.raises(Conflict):
        logs.overwrite("charts", b"2")
    with pytest.raises(NotFound):
        logs.read("logvol1.txt/rating.png")


def test_a_missing_folder_is_named_and_made_by_writing(place: Place, logs: LogSource) -> None:
    first = logs.changes()
    place.remove_folder()
    if getattr(place, "folder", None) == "":
        assert logs.changes().files == {}
        return
    for cursor in (None, first.cursor):
        with pytest.raises(NotFound, match=str(place.folder)):  # type: ignore[attr-defined]
            logs.changes(cursor)
    logs.write("logvol1.txt", b"1", None)
    assert list(logs.changes(first.cursor).files) == ["logvol1.txt"]


BAD_NAMES = [
    "", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", "a\\b", "a\0b", "a\nb", ".hidden", "a/.b",
    "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_lead_elsewhere_are_refused(logs: LogSource, name: str) -> None:
    for act in (
        lambda: logs.read(name),
        lambda: logs.write(name, b"1", None),
        lambda: logs.overwrite(name, b"1"),
        lambda: logs.remove(name),
    ):
        with pytest.raises((ValueError, StorageError)):
            act()
    assert not logs.changes().files


def test_of_many_writers_from_one_revision_one_wins(place: Place, logs: LogSource) -> None:
    rev = logs.write("logvol1.txt", b"0", None)
    start = threading.Barrier(6)

    def write(number: int) -> bool:
        source = place.open()
        start.wait(10)
        try:
            source.write("logvol1.txt", b"by %d" % number, rev)
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        won = list(pool.map(write, range(6)))
    assert won.count(True) == 1
    assert logs.read("logvol1.txt").data == b"by %d" % won.index(True)


def test_a_reader_sees_whole_files_only(place: Place, logs: LogSource) -> None:
    first, second = b"a" * 300_000, b"b" * 200_000
    logs.overwrite("logvol1.txt", first)
    done = threading.Event()

    def rewrite() -> None:
        source = place.open()
        for _ in range(8):
            source.overwrite("logvol1.txt", second)
            source.overwrite("logvol1.txt", first)
        done.set()

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(rewrite)
        revs = {}
        while not done.is_set() and not writer.done():
            file = logs.read("logvol1.txt")
            assert file.data in (first, second)
            assert revs.setdefault(file.rev, file.data) == file.data
        writer.result()
