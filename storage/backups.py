"""Where backups are put: a log folder, or whatever has the methods of BackupPlace."""

from typing import Protocol

from storage.ports import LogSource


class BackupPlace(Protocol):
    """Files without other writers. All methods raise StorageError when the place can't be reached
    or refuses.
    """

    def names(self) -> list[str]: ...

    def put(self, name: str, data: bytes) -> None:
        """Write a file, perhaps in place of another."""

    def read(self, name: str) -> bytes:
        """A file's bytes. Raises NotFound."""

    def remove(self, name: str) -> None:
        """Remove the file, if it is there."""


class FolderBackups:
    """Backups at the top level of a log folder."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs

    def names(self) -> list[str]:
        return list(self._logs.revisions())

    def put(self, name: str, data: bytes) -> None:
        self._logs.overwrite(name, data)

    def read(self, name: str) -> bytes:
        return self._logs.read(name).data

    def remove(self, name: str) -> None:
        self._logs.remove(name)
