"""Keeps the log folder in the database of the state: one service and one database, and nothing else to set up."""

from __future__ import annotations

from storage.files import checked_name, content_rev, is_name
from storage.listing import ListingChanges
from storage.ports import LARGEST, Changes, Conflict, LogFile, NotFound, TooLarge
from storage.postgres import Statement, tables_at

_NEW = """
    INSERT INTO janroku_files (path, folder, rev, size, data)
    SELECT %(path)s, %(folder)s, %(rev)s, %(size)s, %(data)s WHERE NOT EXISTS (
        SELECT 1 FROM janroku_files WHERE path = ANY(%(above)s)
        UNION ALL SELECT 1 FROM janroku_files WHERE path > %(low)s AND path < %(high)s)
    ON CONFLICT (path) DO """
_OVER = "UPDATE SET rev = excluded.rev, size = excluded.size, data = excluded.data"
_WRITE = "UPDATE janroku_files SET rev = %(rev)s, size = %(size)s, data = %(data)s WHERE path = %(path)s AND rev = %(old)s"
_MARK = """
    INSERT INTO janroku_files (path, folder, rev, size, data) VALUES (%(folder)s || '/', %(folder)s, '', 0, '')
    ON CONFLICT (path) DO NOTHING"""
_READ = """
    SELECT rev, size, CASE WHEN size <= %(largest)s THEN data END FROM janroku_files WHERE path = %(path)s"""
_LIST = "SELECT path, rev FROM janroku_files WHERE folder = %(folder)s"
_BELOW = "SELECT path FROM janroku_files WHERE path > %(low)s AND path < %(high)s ORDER BY path"
_ANY = "SELECT 1 FROM janroku_files WHERE path >= %(low)s AND path < %(high)s LIMIT 1"
# The folders in a folder, each found by one look at the index: from one path to the first one after that path's top folder.
_FOLDERS = """
    WITH RECURSIVE tops (top) AS (
        (SELECT split_part(substr(path, %(skip)s), '/', 1) FROM janroku_files
         WHERE path > %(low)s AND path < %(high)s AND strpos(substr(path, %(skip)s), '/') > 1 ORDER BY path LIMIT 1)
        UNION ALL
        SELECT (SELECT split_part(substr(path, %(skip)s), '/', 1) FROM janroku_files
                WHERE path >= %(low)s || tops.top || '0' AND path < %(high)s
                AND strpos(substr(path, %(skip)s), '/') > 1 ORDER BY path LIMIT 1)
        FROM tops WHERE tops.top IS NOT NULL
    ) SELECT DISTINCT top FROM tops WHERE top IS NOT NULL"""


class PostgresLogs:
    """A LogSource in a table. A league of a host is a folder of it, as on a disk.

    A revision is the length and a hash of the bytes, as in FolderLogs, so it stays valid in another store. A cursor holds the
    whole listing. Each write is one statement or transaction, and its comparison with `rev` is part of it. A file of more than
    LARGEST bytes is refused when it is written.
    """

    fresh = 0.0

    def __init__(self, database_url: str, folder: str = "") -> None:
        """`database_url` is DATABASE_URL. Raises ValueError when it is none of Postgres, or `folder` is no path."""
        parts = [part for part in folder.split("/") if part]
        self._folder = checked_name("/".join(parts)) if parts else ""
        self._tables = tables_at(database_url)
        self._changes = ListingChanges("postgres")

    def changes(self, cursor: str | None = None) -> Changes:
        """See `LogSource`. Raises NotFound when nobody has written into the folder yet."""
        return self._changes.since(cursor, self._listing(), self._folders)

    def below(self, folder: str) -> list[str]:
        """See `LogSource`."""
        path = self._path(folder)
        rows, _ = self._tables.run(path, (_BELOW, _within(path)))
        found = [str(row[0])[len(self._inside("")) :] for row in rows]
        return sorted(filter(is_name, found))

    def read(self, name: str) -> LogFile:
        """See `LogSource`."""
        path = self._path(name)
        rows, _ = self._tables.run(path, (_READ, {"path": path, "largest": LARGEST}))
        if not rows:
            raise NotFound(f"postgres:{path}: no such file")
        rev, size, data = rows[0]
        if data is None:
            raise TooLarge(f"postgres:{path}", size)
        return LogFile(name, str(rev), bytes(data))

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        """See `LogSource`. Raises TooLarge when the file could not be read again."""
        path, row = self._path(name), self._row(name, data)
        if rev is None:
            _, written = self._tables.run(path, (_NEW + "NOTHING", row), *self._marks())
        else:
            _, written = self._tables.run(path, (_WRITE, row | {"old": rev.replace("\0", "")}))
        if not written:
            raise Conflict(f"postgres:{path}: changed by someone else meanwhile")
        return str(row["rev"])

    def overwrite(self, name: str, data: bytes) -> str:
        """See `LogSource`. Raises TooLarge when the file could not be read again."""
        path, row = self._path(name), self._row(name, data)
        _, written = self._tables.run(path, (_NEW + _OVER, row), *self._marks())
        if not written:
            raise Conflict(
                f"postgres:{path}: a folder stands where the file should, or a file where its folder should"
            )
        return str(row["rev"])

    def remove(self, name: str) -> None:
        """See `LogSource`."""
        path = self._path(name)
        self._tables.run(path, ("DELETE FROM janroku_files WHERE path = %(path)s", {"path": path}))

    def _inside(self, name: str) -> str:
        return f"{self._folder}/{name}" if self._folder else name

    def _path(self, name: str) -> str:
        return self._inside(checked_name(name))

    def _row(self, name: str, data: bytes) -> dict[str, object]:
        """The parameters of a write. Raises TooLarge."""
        path = self._path(name)
        if len(data) > LARGEST:
            raise TooLarge(f"postgres:{path}", len(data))
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        row = {"path": path, "folder": "/".join(parts[:-1]), "above": above}
        return row | _within(path) | {"rev": content_rev(data), "size": len(data), "data": data}

    def _marks(self) -> list[Statement]:
        """The statement that marks the folder as there, also when its last file is gone; none for the root."""
        return [(_MARK, {"folder": self._folder})] if self._folder else []

    def _listing(self) -> dict[str, str]:
        rows, _ = self._tables.run(self._folder, (_LIST, {"folder": self._folder}))
        if not rows and self._folder:
            there, _ = self._tables.run(self._folder, (_ANY, _within(self._folder)))
            if not there:
                raise NotFound(f"postgres:/{self._folder}: no such folder")
        start = len(self._inside(""))
        found = {str(path)[start:]: str(rev) for path, rev in rows}
        return {name: found[name] for name in sorted(found) if is_name(name)}

    def _folders(self) -> frozenset[str]:
        prefix = self._inside("")
        bounds = _within(self._folder) if self._folder else {"low": "", "high": "\U0010ffff"}
        rows, _ = self._tables.run(self._folder, (_FOLDERS, bounds | {"skip": len(prefix) + 1}))
        return frozenset(str(row[0]) for row in rows if is_name(str(row[0])))


def _within(path: str) -> dict[str, object]:
    """The range of the paths below a path: "0" is the sign after "/"."""
    return {"low": f"{path}/", "high": f"{path}0"}
