"""What stores share: file names, atomic writes, listings and cursors as text, and one client a process."""

import base64
import hashlib
import json
import os
import re
import secrets
import stat
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from storage.ports import Changes

_PART = re.compile(r"[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*")

T = TypeVar("T")


def is_name(name: str) -> bool:
    """Whether `name` is a file name for a store: a relative path with `/`, no part begins with a dot."""
    parts_fit = all(_PART.fullmatch(part) for part in name.split("/"))
    return parts_fit and not any("\ud800" <= sign <= "\udfff" for sign in name)


def checked_name(name: str) -> str:
    """Return the name. Raises ValueError when `is_name` refuses it."""
    if not is_name(name):
        raise ValueError(f"not a file name for a store: {name!r}")
    return name


def folder_of(url: str) -> Path:
    """The directory of `file:DIR` (relative) or `file:///DIR`. Raises ValueError for others."""
    scheme, colon, rest = url.partition(":")
    if scheme != "file" or not colon:
        raise ValueError(f"not a file: address: {url!r}")
    if not (directory := rest.removeprefix("//")) or "\0" in directory:
        raise ValueError(f"no directory in {url!r}; write file:DIR")
    return Path(directory).expanduser()


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file so that a reader sees the old bytes or the new ones, also after a crash. Missing folders
    are made; permissions are kept. With `durable=False` it does not wait for the disk: after a power cut the
    file may be empty. Raises OSError when the disk refuses."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            if path.is_file():
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def content_rev(data: bytes) -> str:
    """A revision of the length and a hash of the bytes, valid also after a restart, a restore or a copy."""
    return f"{len(data):x}-{hashlib.sha256(data).hexdigest()[:40]}"


def pack(kind: str, value: Any) -> str:
    """A JSON value as text without spaces, which begins with the kind of store."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return f"{kind}.{base64.urlsafe_b64encode(zlib.compress(text.encode())).decode()}"


def unpack(kind: str, text: str) -> Any:
    """The value that `pack` was given; None for any other text."""
    mark, _, packed = text.partition(".")
    with suppress(ValueError, zlib.error):
        if mark == kind:
            return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed.encode())))
    return None


def listing_changes(
    kind: str, cursor: str | None, files: dict[str, str], folders: Callable[[], frozenset[str]]
) -> Changes:
    """What changed from the listing in a cursor of this `kind` of store (names with revisions) to `files`;
    all, with the `folders`, where the cursor holds none."""
    before = unpack(kind, cursor) if cursor is not None else None
    if cursor is not None and before == files:
        return Changes(cursor, {})
    following = pack(kind, files)
    if not isinstance(before, dict) or not all(isinstance(rev, str) for rev in before.values()):
        return Changes(following, files, reset=True, folders=folders())
    return changes_between(following, before, files)


def changes_between(cursor: str, before: Mapping[str, str], files: Mapping[str, str]) -> Changes:
    """The changes from one listing to another, whose cursor is given."""
    changed = {name: rev for name, rev in files.items() if before.get(name) != rev}
    return Changes(cursor, changed, frozenset(before.keys() - files.keys()))


class PerProcess(Generic[T]):
    """A client with connections, one per process, safe when the process forks (gunicorn --preload). `prepare`
    makes it early, so that forked workers share its memory; the first `get` makes it that process's own. A
    child forked after that gets a new one: closing the parent's would close the parent's connections."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._value: T | None = None
        self._owner, self._of_parents = 0, list[T]()

    def prepare(self) -> None:
        """Make the client before it is needed. It must not be used before `get`."""
        if self._value is None:
            self._value = self._make()

    def get(self) -> T:
        """The client of this process. Two threads that ask first at the same time may get two; both work."""
        process, value = os.getpid(), self._value
        if value is None or self._owner not in (0, process):
            if value is not None:
                self._of_parents.append(value)
            value = self._value = self._make()
        self._owner = process
        return value

    def drop(self, close: Callable[[T], object]) -> None:
        """Forget the client of this process, where it has one, and close it."""
        if self._value is not None and self._owner in (0, os.getpid()):
            value, self._value, self._owner = self._value, None, 0
            close(value)
