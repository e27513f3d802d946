"""The log folder on a disk: when files are read, and what is left after a failure."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from storage import folder
from storage.folder import FolderLogs
from storage.ports import Denied, StorageError


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are opened to hash their bytes for a listing."""
    seen: list[str] = []
    real = Path.open

    def spy(self: Path, *args: object, **options: object) -> object:
        seen.append(self.name)
        return real(self, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", spy)
    return seen


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every file count as old enough for its time stamp to be trusted."""
    monkeypatch.setattr(folder, "_SETTLED", -3600.0)


def test_an_unchanged_file_is_not_read_again(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    (tmp_path / "logvol1.txt").write_bytes(b"1")
    reads.clear()
    logs = FolderLogs(tmp_path)
    cursor = logs.changes().cursor
    for _ in range(3):
        cursor = logs.changes(cursor).cursor
    assert reads == ["logvol1.txt"]


def test_a_file_just_written_is_read_again(tmp_path: Path, reads: list[str]) -> None:
    (tmp_path / "logvol1.txt").write_bytes(b"1")
    reads.clear()
    logs = FolderLogs(tmp_path)
    logs.changes()
    logs.changes()
    assert reads == ["logvol1.txt"] * 2


def test_a_change_within_one_tick_of_the_clock_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logvol1.txt").write_bytes(b"1")
    monkeypatch.setattr(folder, "_stamp", lambda status: (0, 0, status.st_size, 0))
    logs = FolderLogs(tmp_path)
    first = logs.changes()
    (tmp_path / "logvol1.txt").write_bytes(b"2")
    assert list(logs.changes(first.cursor).files) == ["logvol1.txt"]


def test_a_file_restored_with_its_old_time_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    path = tmp_path / "logvol1.txt"
    path.write_bytes(b"1")
    logs = FolderLogs(tmp_path)
    first, status = logs.changes(), path.stat()
    path.write_bytes(b"2")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert list(logs.changes(first.cursor).files) == ["logvol1.txt"]


def test_a_revision_is_the_bytes_own(tmp_path: Path) -> None:
    logs = FolderLogs(tmp_path)
    first = logs.write("logvol1.txt", b"1", None)
    second = logs.write("logvol1.txt", b"2", first)
    assert logs.write("logvol1.txt", b"1", second) == first
    assert FolderLogs(tmp_path / "other").write("copy.txt", b"1", None) == first


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "logvol1.txt"
    path.write_bytes(b"1")
    path.chmod(0o640)
    FolderLogs(tmp_path).overwrite("logvol1.txt", b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_disk_that_is_full_leaves_the_old_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = FolderLogs(tmp_path)
    logs.write("logvol1.txt", b"1", None)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match=r"logvol1\.txt: No space left"):
        logs.overwrite("logvol1.txt", b"2")
    assert logs.read("logvol1.txt").data == b"1"
    assert sorted(os.listdir(tmp_path)) == [".janroku.lock", "logvol1.txt"]


def test_a_file_that_may_not_be_read_is_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "logvol1.txt").touch()
    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(Denied, match=r"logvol1\.txt: Permission denied"):
        FolderLogs(tmp_path).read("logvol1.txt")


def test_a_name_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "logvol1.txt").write_bytes(b"1")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_bytes(b"1")
    assert list(FolderLogs(tmp_path).changes().files) == ["logvol1.txt"]
