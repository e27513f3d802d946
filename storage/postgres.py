"""Keeps logs and images in the database of the state: nothing else to set up."""

from contextlib import nullcontext
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, func, or_, select, update

from storage.addresses import ImageOptions, ServedImages, checked_key
from storage.database import Database, in_postgres
from storage.files import checked_name, content_rev, is_name
from storage.ports import IN_THE_WAY, LARGEST, Conflict, Guard, LogFile, NotFound, TooLarge
from storage.schema import FILES, IMAGES

ROOM = 256 << 20
"""The bytes of all images that a sweep leaves: a quarter of Heroku's smallest Postgres plan."""
_WRITE = 10  # seconds of a statement that writes a file


class PostgresLogs:
    """A LogSource in a table. A league of a host is a folder of it, as on a disk. A revision is of
    the bytes, as in FolderLogs. A write is one transaction, and its comparison with `rev` part of
    it. A file of more than LARGEST bytes is refused."""

    fresh = 0.0

    def __init__(
        self, database: Database | None, folder: str = "", guard: Guard = nullcontext
    ) -> None:
        """`guard`: see `in_postgres`.

        Raises ValueError for a `folder` that is no path, and as that does.
        """
        parts = [part for part in folder.split("/") if part]
        self._folder = checked_name("/".join(parts)) if parts else ""
        self._database = in_postgres(database, guard)

    def revisions(self) -> dict[str, str]:
        """Raises NotFound when nobody has written into the folder yet."""
        query = select(FILES.c.path, FILES.c.rev).where(FILES.c.folder == self._folder)
        rows = self._database.rows(query, self._folder)
        if not rows and self._folder:
            there = select(FILES.c.path).where(_within(self._folder)).limit(1)
            if not self._database.rows(there, self._folder):
                raise NotFound(f"postgres:/{self._folder}: no such folder")
        prefix = self._inside("")
        revisions = {row.path.removeprefix(prefix): row.rev for row in rows}
        return {name: revisions[name] for name in sorted(revisions) if is_name(name)}

    def folders(self) -> set[str]:
        inner = func.substr(FILES.c.path, len(self._inside("")) + 1)
        top = func.split_part(inner, "/", 1).label("top")
        query = select(top).where(inner.contains("/")).distinct()
        if self._folder:
            query = query.where(_within(self._folder))
        rows = self._database.rows(query, self._folder)
        return {row.top for row in rows if is_name(row.top)}

    def below(self, folder: str) -> list[str]:
        path = self._path(folder)
        query = select(FILES.c.path).where(_within(path)).order_by(FILES.c.path)
        prefix = self._inside("")
        inside = [row.path.removeprefix(prefix) for row in self._database.rows(query, path)]
        return sorted(filter(is_name, inside))

    def read(self, name: str) -> LogFile:
        path = self._path(name)
        data = case((FILES.c.size <= LARGEST, FILES.c.data)).label("data")
        query = select(FILES.c.rev, FILES.c.size, data).where(FILES.c.path == path)
        row = self._database.first(query, path)
        if row is None:
            raise NotFound(f"postgres:{path}: no such file")
        if row.data is None:
            raise TooLarge(f"postgres:{path}", row.size)
        return LogFile(name, str(row.rev), bytes(row.data))

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        """Raises TooLarge when the file could not be read again."""
        path = self._path(name)
        row = self._row(name, data)
        if rev is None:
            return self._insert(path, row, over=False)
        same = update(FILES).where(
            FILES.c.path == path,
            FILES.c.rev == rev.replace("\0", ""),
        )
        with self._database.begin(path, seconds=_WRITE) as connection:
            if not connection.execute(same.values(row)).rowcount:
                raise Conflict(f"postgres:{path}: changed by someone else meanwhile")
        return str(row["rev"])

    def overwrite(self, name: str, data: bytes) -> str:
        return self._insert(self._path(name), self._row(name, data), over=True)

    def remove(self, name: str) -> None:
        path = self._path(name)
        self._database.write(delete(FILES).where(FILES.c.path == path), path)

    def _inside(self, name: str) -> str:
        return f"{self._folder}/{name}" if self._folder else name

    def _path(self, name: str) -> str:
        return self._inside(checked_name(name))

    def _row(self, name: str, data: bytes) -> dict[str, Any]:
        if len(data) > LARGEST:
            raise TooLarge(f"postgres:{self._path(name)}", len(data))
        return {"rev": content_rev(data), "size": len(data), "data": data}

    def _insert(
        self,
        path: str,
        row: dict[str, Any],
        *,
        over: bool,
    ) -> str:
        """Insert a file where no other is in its way (else Conflict), and mark the folder as
        there.
        """
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        blocks = or_(FILES.c.path.in_(above), _within(path))
        in_the_way = select(FILES.c.path).where(blocks).limit(1)
        folder = "/".join(parts[:-1])
        insert = self._database.insert(FILES).values(path=path, folder=folder, **row)
        if over:
            insert = insert.on_conflict_do_update(index_elements=[FILES.c.path], set_=row)
        else:
            insert = insert.on_conflict_do_nothing()
        mark = {
            "path": f"{self._folder}/",
            "folder": self._folder,
            "rev": "",
            "size": 0,
            "data": b"",
        }
        alone = f"files/{self._folder}"
        with self._database.begin(path, alone=alone, seconds=_WRITE) as connection:
            if connection.execute(in_the_way).first() is not None:
                raise Conflict(f"postgres:{path}: {IN_THE_WAY}")
            if not connection.execute(insert).rowcount:
                raise Conflict(f"postgres:{path}: changed by someone else meanwhile")
            if self._folder:
                mark_row = self._database.insert(FILES).values(mark)
                connection.execute(mark_row.on_conflict_do_nothing())
        return str(row["rev"])


def _within(path: str) -> ColumnElement[bool]:
    """Whether a path is below this one, or marks it as a folder: "0" is the sign after "/"."""
    return and_(FILES.c.path >= f"{path}/", FILES.c.path < f"{path}0")


class PostgresImages(ServedImages):
    """An ImageStore in a table; `sweep` also removes the oldest images beyond ROOM bytes."""

    def __init__(self, options: ImageOptions) -> None:
        super().__init__(options)
        self._database = in_postgres(options.database, options.guard)

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """`content_type` is not kept: `open` tells it from the bytes. Raises TooLarge."""
        if len(data) > LARGEST:
            raise TooLarge(f"postgres:{checked_key(key)}", len(data))
        row = {
            "key": checked_key(key),
            "data": data,
            "size": len(data),
            "put": self._clock(),
        }
        self._database.put(IMAGES, row)

    def has(self, key: str) -> bool:
        query = select(IMAGES.c.key).where(IMAGES.c.key == checked_key(key))
        return self._database.value(query) is not None

    def sweep(self, older_than: float) -> int:
        newest_first = (IMAGES.c.put.desc(), IMAGES.c.key)
        newer = func.sum(IMAGES.c.size).over(order_by=newest_first).label("newer")
        kept = select(IMAGES.c.key, newer).subquery()
        too_many = select(kept.c.key).where(kept.c.newer > ROOM)
        beyond = IMAGES.c.key.in_(too_many)
        old = IMAGES.c.put < self._clock() - older_than
        return self._database.write(delete(IMAGES).where(or_(old, beyond)))

    def _read(self, key: str) -> bytes:
        query = select(IMAGES.c.data).where(IMAGES.c.key == key)
        data = self._database.value(query)
        if data is None:
            raise NotFound(f"postgres:{key}: no such picture")
        return bytes(data)
