"""Former versions of a log: one for each write, concurrent writers, a killed writer, and their
number.
"""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from bot.league.files import (
    MOST,
    RECENT,
    FileVersion,
    change,
    keep,
    read_version,
    restore,
    versions,
    write_keeping,
)
from storage.folder import FolderLogs
from storage.ports import NotFound
from tests.world.stores import FolderInMemory

NOW = datetime(2020, 5, 18, 12, 0, tzinfo=UTC)
LOG = "logvol1.txt"


def test_change_is_repeated_after_another_writer(logs: FolderLogs) -> None:
    logs.write(LOG, b"one\n", None)
    others = [b"other\n"]

    def with_line(data: bytes) -> bytes:
        if others:  # another writer is faster
            logs.overwrite(LOG, data + others.pop())
        return data + b"mine\n"

    change(logs, LOG, with_line, NOW, lambda seconds: None)
    assert logs.read(LOG).data == b"one\nother\nmine\n"


def test_each_write_stores_what_it_replaces(logs: FolderLogs) -> None:
    rev = write_keeping(logs, LOG, b"one", None, NOW)
    write_keeping(logs, LOG, b"two", rev, NOW, b"one")
    change(
        logs,
        LOG,
        lambda old: old.replace(b"two", b"three"),
        NOW + timedelta(hours=1),
    )
    first, second = versions(logs, LOG)
    assert first.name.startswith("20200518T120000Z-")
    assert (first.size, second.when()) == (3, NOW + timedelta(hours=1))
    assert read_version(logs, LOG, first.name) == b"one"
    assert read_version(logs, LOG, "20200518T13") == b"two"


def test_restoring_stores_what_it_replaces(logs: FolderLogs) -> None:
    rev = logs.write(LOG, b"one", None)
    write_keeping(logs, LOG, b"two", rev, NOW, b"one")
    restore(logs, LOG, versions(logs, LOG)[0].name, NOW)
    assert logs.read(LOG).data == b"one"
    assert read_version(logs, LOG, versions(logs, LOG)[1].name) == b"two"


def test_removed_file_can_be_restored(logs: FolderLogs) -> None:
    keep(logs, LOG, b"one", "r1", NOW)
    restore(logs, LOG, "2020", NOW)
    assert logs.read(LOG).data == b"one"


def test_unknown_version_is_refused(logs: FolderLogs) -> None:
    with pytest.raises(NotFound, match="x is no version of logvol1\\.txt; there are: none"):
        read_version(logs, LOG, "x")


def test_beginning_of_several_versions_is_refused(logs: FolderLogs) -> None:
    keep(logs, LOG, b"one", "r1", NOW)
    keep(logs, LOG, b"two", "r2", NOW)
    with pytest.raises(NotFound, match="the beginning of several versions"):
        read_version(logs, LOG, "2020")


@pytest.fixture(scope="module")
def hourly_logs() -> FolderInMemory:
    """A folder with a version of the log for each hour of five days."""
    logs = FolderInMemory()
    for hour in range(24 * 5):
        keep(logs, LOG, b"%d" % hour, str(hour), NOW + timedelta(hours=hour))
    return logs


def test_number_of_versions_is_bounded(hourly_logs: FolderInMemory) -> None:
    former = versions(hourly_logs, LOG)
    assert len(former) == MOST
    assert len({version.slot for version in former}) == MOST
    assert former == sorted(former, key=lambda version: version.kept)


def test_every_day_has_a_version(hourly_logs: FolderInMemory) -> None:
    assert len({version.day for version in versions(hourly_logs, LOG)}) == 6


def test_newest_versions_are_never_removed(hourly_logs: FolderInMemory) -> None:
    newest = versions(hourly_logs, LOG)[-RECENT:]
    data = [read_version(hourly_logs, LOG, version.name) for version in newest]
    assert data == [b"%d" % hour for hour in range(120 - RECENT, 120)]


def test_concurrent_writers_lose_no_version(logs: FolderLogs) -> None:
    def write(number: int) -> None:
        keep(logs, LOG, b"%d" % number, str(number), NOW + timedelta(seconds=number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    data = {read_version(logs, LOG, version.name) for version in versions(logs, LOG)}
    assert data == {b"%d" % number for number in range(8)}


def write_and_die(logs: FolderLogs) -> FileVersion:
    """Store a version whose writer is killed before it writes the bytes."""

    def die(self: FolderLogs, name: str, data: bytes) -> str:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FolderLogs, "overwrite", die)
        with pytest.raises(KeyboardInterrupt):
            keep(logs, LOG, b"one", "r1", NOW)
    (version,) = versions(logs, LOG)
    return version


def test_version_of_a_killed_writer_counts_as_missing(logs: FolderLogs) -> None:
    version = write_and_die(logs)
    with pytest.raises(NotFound, match="are not there"):
        read_version(logs, LOG, version.name)


def test_next_writer_completes_the_version_of_a_killed_writer(logs: FolderLogs) -> None:
    version = write_and_die(logs)
    keep(logs, LOG, b"one", "r1", NOW)
    assert read_version(logs, LOG, version.name) == b"one"


def test_bytes_of_an_earlier_version_are_not_a_killed_writers(logs: FolderLogs) -> None:
    version = write_and_die(logs)
    logs.overwrite(f"history/{LOG}/{version.slot:02d}.txt", b"two")
    with pytest.raises(NotFound, match="are not there"):
        read_version(logs, LOG, version.name)


def test_unreadable_index_is_replaced(logs: FolderLogs) -> None:
    logs.overwrite(f"history/{LOG}/index.json", b"not json")
    keep(logs, LOG, b"one", "r1", NOW)
    assert len(versions(logs, LOG)) == 1
