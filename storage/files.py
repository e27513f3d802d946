"""What the stores share: names, bytes that reach a disk whole, cursors as text, one client a process."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

_PART = re.compile(r"[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*")

T = TypeVar("T")


def is_name(name: str) -> bool:
    """Whether `name` may name a file: relative, `/` between its parts, no part hidden (`.x`) or a way up (`..`)."""
    if not all(_PART.fullmatch(part) for part in name.split("/")):
        return False
    return not any("\ud800" <= sign <= "\udfff" for sign in name)


def checked_name(name: str) -> str:
    """The name itself; ValueError for one that `is_name` refuses."""
    if not is_name(name):
        raise ValueError(f"not a file name for a store: {name!r}")
    return name


def folder_of(url: str) -> Path:
    """The directory of `file:DIR` (relative to the working directory) or `file:///DIR`; ValueError otherwise."""
    scheme, colon, rest = url.partition(":")
    if scheme != "file" or not colon:
        raise ValueError(f"not a file: address: {url!r}")
    directory = rest.removeprefix("//")
    if not directory or "\0" in directory:
        raise ValueError(f"no directory in {url!r}; write file:DIR")
    return Path(directory).expanduser()


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put the bytes so that a reader sees the old ones or the new ones, also after a crash; OSError.

    Missing folders are made, permissions of a file already there are kept. `durable=False` spares the wait for the
    disk: after a power cut the file may be empty.
    """
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
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def pack(kind: str, value: Any) -> str:
    """A JSON value as one word of text, marked with the kind of store it belongs to."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return f"{kind}.{base64.urlsafe_b64encode(zlib.compress(text.encode())).decode()}"


def unpack(kind: str, text: str) -> Any:
    """The value `pack` was given; None for any other text."""
    mark, _, packed = text.partition(".")
    if mark != kind:
        return None
    try:
        return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed.encode())))
    except (ValueError, zlib.error):
        return None


class PerProcess(Generic[T]):
    """A client that holds connections, safe when the process forks (gunicorn --preload).

    `prepare` makes it ahead, so that forked workers share its memory; the first `get` in a process claims it. A child
    of a process that had claimed it gets its own, and the parent's is kept alive untouched: closing it in the child
    would hang up on the parent's behalf.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._value: T | None = None
        self._owner = 0
        self._of_parents: list[T] = []

    def prepare(self) -> None:
        """Make the client before it is needed; nothing may be sent through it yet."""
        if self._value is None:
            self._value = self._make()

    def get(self) -> T:
        """This process's client. Two threads asking first at the same moment may each get a good one."""
        process, value = os.getpid(), self._value
        if value is None or self._owner not in (0, process):
            if value is not None:
                self._of_parents.append(value)
            value = self._value = self._make()
        self._owner = process
        return value

    def drop(self) -> T | None:
        """Forget this process's client and return it for closing; None where this process has none."""
        if self._owner not in (0, os.getpid()):
            return None
        value, self._value, self._owner = self._value, None, 0
        return value
