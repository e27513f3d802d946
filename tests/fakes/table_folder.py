"""A folder in Postgres, written and read by hand as a test writes and reads one on a disk."""

from __future__ import annotations

from dataclasses import dataclass

from storage.database import Database
from storage.ports import NotFound
from storage.postgres import PostgresLogs


@dataclass(frozen=True)
class TableFolder:
    """The folder in a database, or a file or folder in it: what tests use of `pathlib.Path`."""

    database: Database
    name: str = ""

    def __truediv__(self, name: str) -> TableFolder:
        return TableFolder(self.database, f"{self.name}/{name}" if self.name else name)

    @property
    def _logs(self) -> PostgresLogs:
        return PostgresLogs(self.database)

    def mkdir(self) -> None:
        pass

    def exists(self) -> bool:
        try:
            self._logs.read(self.name)
        except NotFound:
            return bool(self._logs.below(self.name))
        return True

    def read_bytes(self) -> bytes:
        return self._logs.read(self.name).data

    def read_text(self, encoding: str = "utf-8") -> str:
        return self.read_bytes().decode(encoding)

    def write_bytes(self, data: bytes) -> int:
        self._logs.overwrite(self.name, data)
        return len(data)

    def write_text(self, text: str, encoding: str = "utf-8") -> int:
        return self.write_bytes(text.encode(encoding))

    def unlink(self) -> None:
        self._logs.remove(self.name)
