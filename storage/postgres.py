"""Logs and images in the database of the state, so that nothing else has to be set up.

The table `files` has a row for each file, with its path, revision and bytes. A row whose path ends with
"/" is no file: it says that the folder of a store exists, even while it has no files. The table `images`
has a row for each image.

What the tables promise: a write and its comparison with the revision are one transaction, so of two
writers of one revision one gets Conflict. tests/storage/test_logs_contract.py, test_images_contract.py,
test_postgres_files.py and test_races.py check it.
"""

from contextlib import nullcontext
from typing import Any

import sqlalchemy as sa

from storage.addresses import ImageOptions, ServedImages, checked_key
from storage.database import Database, checked_postgres
from storage.files import checked_name, content_rev, is_name
from storage.ports import IN_THE_WAY, LARGEST, Conflict, Guard, LogFile, NotFound, TooLarge
from storage.schema import FILES, IMAGES

ROOM = 256 << 20
"""The bytes of all images that a sweep leaves: a quarter of Heroku's smallest Postgres plan."""
_WRITE_TIMEOUT = 10  # seconds of a statement that writes a file


class PostgresLogs:
    """A LogSource in a table.

    A league of a host is a folder of it, as on a disk. A revision is computed from the bytes, as in
    FolderLogs. A file of more than LARGEST bytes is refused.
    """

    fresh = 0.0

    def __init__(
        self, database: Database | None, folder: str = "", guard: Guard = nullcontext
    ) -> None:
        """`guard`: see `checked_postgres`.

        Raises ValueError for a `folder` that is no path, and as `checked_postgres` does.
        """
        parts = [part for part in folder.split("/") if part]
        self._folder = checked_name("/".join(parts)) if parts else ""
        self._database = checked_postgres(database, guard)

    def revisions(self) -> dict[str, str]:
        """Raises NotFound when nobody has written into the folder yet."""
        is_in_folder = FILES.c.folder == self._folder
        query = sa.select(FILES.c.path, FILES.c.rev).where(is_in_folder)
        rows = self._database.rows(query, self._folder)
        if not rows and self._folder and not self._has_files_below():
            raise NotFound(f"postgres:/{self._folder}: no such folder")
        prefix = self._inside("")
        revisions = {row.path.removeprefix(prefix): row.rev for row in rows}
        return {name: revisions[name] for name in sorted(revisions) if is_name(name)}

    def _has_files_below(self) -> bool:
        query = sa.select(FILES.c.path).where(_is_below(self._folder))
        return self._database.first(query.limit(1), self._folder) is not None

    def folders(self) -> set[str]:
        prefix = self._inside("")
        relative_path = sa.func.substr(FILES.c.path, len(prefix) + 1)
        folder = sa.func.split_part(relative_path, "/", 1).label("folder")
        query = sa.select(folder).where(relative_path.contains("/")).distinct()
        if self._folder:
            query = query.where(_is_below(self._folder))
        rows = self._database.rows(query, self._folder)
        return {row.folder for row in rows if is_name(row.folder)}

    def below(self, folder: str) -> list[str]:
        path = self._path(folder)
        query = sa.select(FILES.c.path).where(_is_below(path))
        rows = self._database.rows(query, path)
        prefix = self._inside("")
        names = [row.path.removeprefix(prefix) for row in rows]
        return sorted(filter(is_name, names))

    def read(self, name: str) -> LogFile:
        path = self._path(name)
        is_readable = FILES.c.size <= LARGEST
        data = sa.case((is_readable, FILES.c.data)).label("data")
        query = sa.select(FILES.c.rev, FILES.c.size, data)
        row = self._database.first(query.where(FILES.c.path == path), path)
        if row is None:
            raise NotFound(f"postgres:{path}: no such file")
        if row.data is None:
            raise TooLarge(f"postgres:{path}", row.size)
        return LogFile(name, str(row.rev), bytes(row.data))

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        """Replace the file of revision `rev`, None for a new file.

        Raises Conflict when there is no such revision or a new file exists already, and TooLarge
        when the file could not be read again.
        """
        path = self._path(name)
        row = self._row(name, data)
        if rev is None:
            return self._insert(path, row, replace=False)
        rev_without_nul = rev.replace("\0", "")  # Postgres refuses NUL in a text
        at_revision = sa.update(FILES).where(
            FILES.c.path == path,
            FILES.c.rev == rev_without_nul,
        )
        with self._database.begin(path, seconds=_WRITE_TIMEOUT) as connection:
            changed_rows = connection.execute(at_revision.values(row)).rowcount
            if changed_rows == 0:
                raise Conflict(f"postgres:{path}: changed by someone else meanwhile")
        return str(row["rev"])

    def overwrite(self, name: str, data: bytes) -> str:
        return self._insert(self._path(name), self._row(name, data), replace=True)

    def remove(self, name: str) -> None:
        path = self._path(name)
        removal = sa.delete(FILES).where(FILES.c.path == path)
        self._database.write(removal, path)

    def _inside(self, name: str) -> str:
        """The path of a name in the folder; of "" the beginning of the paths of all files in it."""
        if not self._folder:
            return name
        return f"{self._folder}/{name}"

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
        replace: bool,
    ) -> str:
        """Insert a file and mark this store's folder as existing.

        Raises Conflict when the path is a folder, when a part of it is a file, or (without `replace`)
        when the file exists.
        """
        parent, _, _ = path.rpartition("/")
        is_in_the_way = sa.or_(FILES.c.path.in_(_folders_above(path)), _is_below(path))
        file_in_the_way = sa.select(FILES.c.path).where(is_in_the_way).limit(1)
        insert = self._database.insert(FILES).values(path=path, folder=parent, **row)
        if replace:
            insert = insert.on_conflict_do_update(index_elements=[FILES.c.path], set_=row)
        else:
            insert = insert.on_conflict_do_nothing()
        # A file and a folder of the same path have the same first part, whatever the stores' folders
        # are. So of two writers that would make both, one waits here and sees what the other made.
        first_part, _, _ = path.partition("/")
        alone = f"files/{first_part}"
        with self._database.begin(path, alone=alone, seconds=_WRITE_TIMEOUT) as connection:
            if connection.execute(file_in_the_way).first() is not None:
                raise Conflict(f"postgres:{path}: {IN_THE_WAY}")
            if not connection.execute(insert).rowcount:
                raise Conflict(f"postgres:{path}: is there already")
            if self._folder:
                folder_row = {
                    "path": f"{self._folder}/",
                    "folder": self._folder,
                    "rev": "",
                    "size": 0,
                    "data": b"",
                }
                folder_mark = self._database.insert(FILES).values(folder_row)
                connection.execute(folder_mark.on_conflict_do_nothing())
        return str(row["rev"])


def _folders_above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _is_below(path: str) -> sa.ColumnElement[bool]:
    """Whether a file is below this path, or marks it as a folder: "0" is the sign after "/"."""
    return sa.and_(FILES.c.path >= f"{path}/", FILES.c.path < f"{path}0")


class PostgresImages(ServedImages):
    """An ImageStore in a table; `sweep` also removes the oldest images beyond ROOM bytes."""

    def __init__(self, options: ImageOptions) -> None:
        super().__init__(options)
        self._database = checked_postgres(options.database, options.guard)

    def put(self, key: str, data: bytes, content_type: str = "image/png") -> None:
        """Store an image, in place of one with the same key. Raises TooLarge.

        `content_type` is not stored: `open` derives it from the bytes.
        """
        checked_key(key)
        if len(data) > LARGEST:
            raise TooLarge(f"postgres:{key}", len(data))
        row = {
            "key": key,
            "data": data,
            "size": len(data),
            "put": self._clock(),
        }
        self._database.put(IMAGES, row)

    def has(self, key: str) -> bool:
        query = sa.select(IMAGES.c.key).where(IMAGES.c.key == checked_key(key))
        return self._database.value(query) is not None

    def sweep(self, older_than: float) -> int:
        """Remove images put more than `older_than` seconds ago, and the oldest beyond ROOM bytes.

        Return the number of images removed.
        """
        newest_first = (IMAGES.c.put.desc(), IMAGES.c.key)
        bytes_of_it_and_newer = sa.func.sum(IMAGES.c.size).over(order_by=newest_first)
        sums = sa.select(IMAGES.c.key, bytes_of_it_and_newer.label("bytes")).subquery()
        keys_beyond_room = sa.select(sums.c.key).where(sums.c.bytes > ROOM)
        is_beyond_room = IMAGES.c.key.in_(keys_beyond_room)
        is_old = IMAGES.c.put < self._clock() - older_than
        removal = sa.delete(IMAGES).where(sa.or_(is_old, is_beyond_room))
        return self._database.write(removal)

    def _read(self, key: str) -> bytes:
        query = sa.select(IMAGES.c.data).where(IMAGES.c.key == key)
        data = self._database.value(query)
        if data is None:
            raise NotFound(f"postgres:{key}: no such picture")
        return bytes(data)
