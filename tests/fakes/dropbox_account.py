"""A Dropbox account in memory, in the SDK's types: files, folders, revisions, cursors; no HTTP, no
tokens.
"""

import datetime
import itertools
import secrets
import threading
from dataclasses import dataclass, field
from typing import Any

from dropbox import files
from dropbox.content_hash import content_hash


class Refused(Exception):
    """A refusal with the route's own error union, which is answered with 409."""

    def __init__(self, error: Any) -> None:
        super().__init__(error)
        self.error = error


@dataclass
class _Cursor:
    folder: str
    position: int
    pending: list[Any] = field(default_factory=list)


class Account:
    """The files. Paths are as users write them (`/Logs/logvol3.txt`); case makes no difference."""

    page = 2000
    """Entries on one page of a listing."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._entries: dict[str, tuple[Any, bytes]] = {}  # by path in lower case: metadata, bytes
        self._journal: list[str] = []
        self._cursors: dict[str, _Cursor] = {}
        self._stale: set[str] = set()
        self._numbers = itertools.count(0x5F0000000)
        self.read: list[str] = []  # the paths that were downloaded, in order

    def put(self, path: str, data: bytes) -> str:
        return str(self.upload(path, data, files.WriteMode.overwrite, strict=False).rev)

    def get(self, path: str) -> bytes:
        return self._entries[path.lower()][1]

    def paths(self) -> list[str]:
        found = [
            meta for meta, _ in list(self._entries.values()) if isinstance(meta, files.FileMetadata)
        ]
        return sorted(meta.path_display for meta in found)

    def delete(self, path: str) -> None:
        with self._lock:
            lower = path.lower()
            gone = [
                other for other in self._entries if other == lower or other.startswith(lower + "/")
            ]
            for other in gone:
                del self._entries[other]
                self._journal.append(other)

    def remove(self, path: str) -> Any:
        """Remove a file or folder, and return its metadata.

        Raises Refused (not_found) when there is none.
        """
        with self._lock:
            if path.lower() not in self._entries:
                raise Refused(files.DeleteError.path_lookup(files.LookupError.not_found))
            meta = self._entries[path.lower()][0]
            self.delete(path)
            return meta

    def rename(self, path: str, to: str) -> None:
        """Move a file as its owner does. A new spelling of the same path keeps its revision."""
        with self._lock:
            meta, data = self._entries[path.lower()]
            if path.lower() != to.lower():
                self.delete(path)
                self.put(to, data)
                return
            meta.name = to.rpartition("/")[2]
            meta.path_display = to
            self._journal.append(path.lower())

    def reset_cursors(self) -> None:
        with self._lock:
            self._stale |= set(self._cursors)

    def metadata(self, path: str) -> Any:
        with self._lock:
            if path.lower() not in self._entries:
                raise Refused(files.GetMetadataError.path(files.LookupError.not_found))
            return self._entries[path.lower()][0]

    def download(self, path: str) -> tuple[Any, bytes]:
        """A file's metadata and bytes. Raises Refused when there is no such file."""
        with self._lock:
            meta, data = self._entries.get(path.lower(), (None, b""))
        if meta is None:
            raise Refused(files.DownloadError.path(files.LookupError.not_found))
        if not isinstance(meta, files.FileMetadata):
            raise Refused(files.DownloadError.path(files.LookupError.not_file))
        self.read.append(meta.path_display)
        return meta, data

    def upload(
        self,
        path: str,
        data: bytes,
        mode: Any,
        *,
        strict: bool,
    ) -> Any:
        """Write a file; its metadata.

        Raises Refused (conflict) as WriteMode's documentation says.
        """
        with self._lock:
            old, old_data = self._entries.get(path.lower(), (None, b""))
            if isinstance(old, files.FolderMetadata):
                _conflict(files.WriteConflictError.folder)
            same = old is not None and old_data == data
            if same and not strict:
                return old
            fits = mode.is_overwrite() or bool(
                old and mode.is_update() and old.rev == mode.get_update()
            )
            if not fits and not (mode.is_add() and old is None):
                _conflict(files.WriteConflictError.file)
            if same:
                return old
            self._make_folders(path)
            meta = self._file(path, data, old)
            self._entries[path.lower()] = (meta, data)
            self._journal.append(path.lower())
            return meta

    def list_folder(self, path: str) -> Any:
        """The first page of a folder's entries."""
        with self._lock:
            folder = path.lower()
            meta = self._entries.get(folder, (None, b""))[0]
            if folder and meta is None:
                raise Refused(files.ListFolderError.path(files.LookupError.not_found))
            if folder and not isinstance(meta, files.FolderMetadata):
                raise Refused(files.ListFolderError.path(files.LookupError.not_folder))
            entries = [
                meta for lower, (meta, _) in self._entries.items() if _parent(lower) == folder
            ]
            return self._page(_Cursor(folder, len(self._journal), entries))

    def list_on(self, token: str) -> Any:
        """The next page of a listing, or what has changed since its last."""
        with self._lock:
            if token in self._stale:
                raise Refused(files.ListFolderContinueError.reset)
            if token not in self._cursors:
                raise KeyError(token)
            known = self._cursors[token]
            if known.folder and known.folder not in self._entries:
                raise Refused(files.ListFolderContinueError.path(files.LookupError.not_found))
            cursor = _Cursor(known.folder, known.position, list(known.pending))
            if not cursor.pending:
                cursor.pending = self._changed(cursor)
                cursor.position = len(self._journal)
            return self._page(cursor)

    def latest(self, path: str) -> str:
        with self._lock:
            return self._remember(_Cursor(path.lower(), len(self._journal)))

    def _changed(self, cursor: _Cursor) -> list[Any]:
        changed = dict.fromkeys(self._journal[cursor.position :])
        return [self._entry(lower) for lower in changed if _parent(lower) == cursor.folder]

    def _entry(self, lower: str) -> Any:
        if lower in self._entries:
            return self._entries[lower][0]
        return files.DeletedMetadata(
            name=lower.rpartition("/")[2], path_lower=lower, path_display=lower
        )

    def _page(self, cursor: _Cursor) -> Any:
        entries = cursor.pending[: self.page]
        cursor.pending = cursor.pending[self.page :]
        return files.ListFolderResult(
            entries=entries, cursor=self._remember(cursor), has_more=bool(cursor.pending)
        )

    def _remember(self, cursor: _Cursor) -> str:
        token = "AAF" + secrets.token_urlsafe(60)
        self._cursors[token] = cursor
        return token

    def _make_folders(self, path: str) -> None:
        parts = path.split("/")[1:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/" + "/".join(parts[:depth])
            known = self._entries.get(folder.lower(), (None, b""))[0]
            if isinstance(known, files.FileMetadata):
                _conflict(files.WriteConflictError.file_ancestor)
            if known is None:
                meta = files.FolderMetadata(
                    parts[depth - 1], path_lower=folder.lower(), path_display=folder
                )
                meta.id = self._identity()
                self._entries[folder.lower()] = (meta, b"")
                self._journal.append(folder.lower())

    def _file(self, path: str, data: bytes, old: Any) -> Any:
        now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None, microsecond=0)
        return files.FileMetadata(
            name=old.name if old else path.rpartition("/")[2],
            path_lower=path.lower(),
            path_display=old.path_display if old else path,
            id=old.id if old else self._identity(),
            client_modified=now,
            server_modified=now,
            rev=f"{next(self._numbers):015x}",
            size=len(data),
            is_downloadable=True,
            content_hash=content_hash(data),
        )

    def _identity(self) -> str:
        return f"id:{secrets.token_urlsafe(16)}"


def _parent(lower: str) -> str:
    return lower.rpartition("/")[0]


def _conflict(kind: Any) -> None:
    failed = files.UploadWriteFailed(files.WriteError.conflict(kind), "session")
    raise Refused(files.UploadError.path(failed))
