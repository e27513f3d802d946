"""Old versions of a log: one for each write, writers at once, a writer that dies, and how many
there are.
"""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from bot.league.files import (
    MOST,
    RECENT,
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


def test_each_write_keeps_what_it_replaces(logs: FolderLogs) -> None:
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


def test_restoring_keeps_what_it_replaces(logs: FolderLogs) -> None:
    rev = logs.write(LOG, b"one", None)
    write_keeping(logs, LOG, b"two", rev, NOW, b"one")
    restore(logs, LOG, versions(logs, LOG)[0].name, NOW)
    assert logs.read(LOG).data == b"one"
    assert read_version(logs, LOG, versions(logs, LOG)[1].name) == b"two"


def test_a_file_that_is_gone_can_be_restored(logs: FolderLogs) -> None:
    keep(logs, LOG, b"one", "r1", NOW)
    restore(logs, LOG, "2020", NOW)
    assert logs.read(LOG).data == b"one"


def test_a_version_that_is_none_is_named_with_those_there_are(logs: FolderLogs) -> None:
    with pytest.raises(NotFound, match="x is no version of logvol1\\.txt; there are: none"):
        read_version(logs, LOG, "x")
    keep(logs, LOG, b"one", "r1", NOW)
    keep(logs, LOG, b"two", "r2", NOW)
    with pytest.raises(NotFound, match="the beginning of several versions"):
        read_version(logs, LOG, "2020")


def test_the_ring_is_bounded_and_days_long_past_keep_their_first() -> None:
    logs = FolderInMemory()
    for hour in range(24 * 5):
        keep(logs, LOG, b"%d" % hour, str(hour), NOW + timedelta(hours=hour))
    kept = versions(logs, LOG)
    assert len(kept) == MOST
    assert len({version.slot for version in kept}) == MOST
    assert len({version.kept[:8] for version in kept}) == 6
    newest = [read_version(logs, LOG, version.name) for version in kept[-RECENT:]]
    assert newest == [b"%d" % hour for hour in range(120 - RECENT, 120)]
    assert kept == sorted(kept, key=lambda version: version.kept)


def test_writers_at_once_lose_no_version(logs: FolderLogs) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda n: keep(logs, LOG, b"%d" % n, str(n), NOW + timedelta(seconds=n)), range(8)
            )
        )
    assert {read_version(logs, LOG, v.name) for v in versions(logs, LOG)} == {
        b"%d" % n for n in range(8)
    }


def test_a_writer_that_died_leaves_a_version_that_is_known_to_be_missing(logs: FolderLogs) -> None:
    def dying(self: FolderLogs, name: str, data: bytes) -> str:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FolderLogs, "overwrite", dying)
        with pytest.raises(KeyboardInterrupt):
            keep(logs, LOG, b"one", "r1", NOW)
    (version,) = versions(logs, LOG)
    with pytest.raises(NotFound, match="are not there"):
        read_version(logs, LOG, version.name)
    keep(logs, LOG, b"one", "r1", NOW)  # the next run writes the same version again
    assert read_version(logs, LOG, version.name) == b"one"
    place = f"history/{LOG}/{version.slot:02d}.txt"
    logs.overwrite(place, b"two")  # the bytes of a version that had its place
    with pytest.raises(NotFound, match="are not there"):
        read_version(logs, LOG, version.name)


def test_an_index_somebody_spoilt_is_begun_anew(logs: FolderLogs) -> None:
    logs.overwrite(f"history/{LOG}/index.json", b"not json")
    keep(logs, LOG, b"one", "r1", NOW)
    assert len(versions(logs, LOG)) == 1
