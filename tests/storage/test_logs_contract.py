import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from bot.settings.stores import LOG_KINDS
from storage.ports import Conflict, LogFile, LogSource, NotFound, StorageError, TooLarge
from tests.storage.places import PLACES, Place


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return PLACES[request.param](request, tmp_path)


@pytest.fixture
def logs(place: Place) -> LogSource:
    return place.open()


def test_every_kind_of_address_is_tested_here() -> None:
    schemes = {name.partition(":")[0] + ":" for name in PLACES}
    assert schemes == {kind.scheme for kind in LOG_KINDS}


def test_a_file_beyond_the_limit_is_named_and_not_read(
    place: Place, logs: LogSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("folder", "dropbox_logs", "postgres", "ports"):
        monkeypatch.setattr(f"storage.{module}.LARGEST", 4 << 20)
    place.put("logvol1.txt", b"#" * (4 << 20))
    place.put("logvol2.txt", b"#" * ((5 << 20) + 1))
    assert set(logs.revisions()) == {"logvol1.txt", "logvol2.txt"}
    assert len(logs.read("logvol1.txt").data) == 4 << 20
    with pytest.raises(TooLarge, match=r"logvol2\.txt: 5 MB, more than the 4 MB that are read"):
        logs.read("logvol2.txt")
    rev = logs.revisions()["logvol2.txt"]
    assert logs.write("logvol2.txt", b"#", rev) == logs.read("logvol2.txt").rev


def test_each_look_shows_every_file_as_it_is(place: Place, logs: LogSource) -> None:
    """Also to who looks for the first time."""

    def seen(*names: str) -> dict[str, str]:
        revisions = logs.revisions()
        assert place.open().revisions() == revisions
        assert {name: logs.read(name).rev for name in names} == revisions
        return revisions

    seen()
    for name in ("kept.txt", "雀録 第2期.txt", "gone.txt"):
        place.put(name, b"1")
    first = seen("kept.txt", "雀録 第2期.txt", "gone.txt")
    place.put("雀録 第2期.txt", b"12")
    place.put("new.txt", b"1")
    place.delete("gone.txt")
    then = seen("kept.txt", "雀録 第2期.txt", "new.txt")
    assert then["kept.txt"] == first["kept.txt"]
    assert then["雀録 第2期.txt"] != first["雀録 第2期.txt"]
    place.put("a.txt", b"1")
    place.delete("a.txt")
    place.delete("new.txt")
    place.put("new.txt", b"2")
    assert seen("kept.txt", "雀録 第2期.txt", "new.txt")["new.txt"] != then["new.txt"]


def test_folders_are_named_apart_and_hidden_ones_left_out(place: Place, logs: LogSource) -> None:
    assert logs.folders() == set()
    for name in ("league.toml/x.txt", ".hidden/x.txt", ".DS_Store"):
        place.put(name, b"1")
    assert logs.revisions() == {}
    place.put("logvol1.txt", b"1")
    assert set(logs.revisions()) == {"logvol1.txt"}
    assert logs.folders() == {"league.toml"}


def test_the_files_of_a_folder_and_its_folders_are_listed(place: Place, logs: LogSource) -> None:
    assert logs.below("history") == []
    names = [
        "history/good.json",
        "history/logvol1.txt/00.txt",
        "history/logvol1.txt/index.json",
        "history/雀/a b.txt",
    ]
    for name in [*names, "logvol1.txt", "records/x.mjlog", "histories/x.txt"]:
        logs.overwrite(name, b"1")
    place.put("history/.hidden", b"1")
    place.put("history/.hidden2/x.txt", b"1")
    assert logs.below("history") == names
    assert logs.below("history/logvol1.txt") == names[1:3]
    assert logs.below("logvol1.txt") == []
    logs.remove("history/good.json")
    assert "history/good.json" not in logs.below("history")


def test_reading_gives_the_bytes_and_their_revision(place: Place, logs: LogSource) -> None:
    data = bytes(range(256)) * 40
    place.put("logvol1.txt", data)
    file = logs.read("logvol1.txt")
    assert (file.name, file.data) == ("logvol1.txt", data)
    assert logs.revisions() == {"logvol1.txt": file.rev}


def test_missing_file_and_folder_are_not_found(logs: LogSource, place: Place) -> None:
    with pytest.raises(NotFound, match=r"logvol9\.txt"):
        logs.read("logvol9.txt")
    place.put("charts/rating.png", b"1")
    with pytest.raises(NotFound, match="charts"):
        logs.read("charts")


def test_empty_file_is_read(logs: LogSource, place: Place) -> None:
    place.put("logvol1.txt", b"")
    assert logs.read("logvol1.txt").data == b""


def test_writing_a_new_file_and_over_the_revision_that_was_read(logs: LogSource) -> None:
    assert logs.revisions() == {}
    first = logs.write("logvol1.txt", b"1", None)
    assert logs.read("logvol1.txt") == LogFile("logvol1.txt", first, b"1")
    assert logs.revisions() == {"logvol1.txt": first}
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


def test_what_is_no_revision_conflicts(logs: LogSource) -> None:
    logs.write("logvol1.txt", b"1", None)
    for rev in ("", "no revision", "0123456789abcdef", "１"):
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
    assert logs.revisions() == {}
    place.remove_folder()
    if getattr(place, "folder", None) == "":
        assert logs.revisions() == {}
        return
    for source in (logs, place.open()):
        with pytest.raises(NotFound, match=str(place.folder)):  # type: ignore[attr-defined]
            source.revisions()
    logs.write("logvol1.txt", b"1", None)
    assert list(logs.revisions()) == ["logvol1.txt"]


BAD_NAMES = [
    "",
    ".",
    "..",
    "../x",
    "a/../b",
    "/etc/passwd",
    "a//b",
    "a/",
    "a\\b",
    "a\0b",
    "a\nb",
    ".hidden",
    "a/.b",
    "\ud800",
]


def test_names_that_lead_elsewhere_are_refused(logs: LogSource) -> None:
    calls: list[Callable[[str], object]] = [
        logs.read,
        logs.remove,
        logs.below,
        partial(logs.write, data=b"1", rev=None),
        partial(logs.overwrite, data=b"1"),
    ]
    for call, name in itertools.product(calls, BAD_NAMES):
        with pytest.raises((ValueError, StorageError)):
            call(name)
    assert not logs.revisions()


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
    first = b"a" * 300_000
    second = b"b" * 200_000
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
