"""What several stores need: file names, atomic writes and revisions."""

import hashlib
import os
import re
import secrets
import stat
from pathlib import Path

_PART = re.compile(r"[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*")


def is_name(name: str) -> bool:
    """Whether `name` is a file name for a store.

    That is a relative path with `/`, of which no part begins with a dot.
    """
    has_surrogate = any("\ud800" <= character <= "\udfff" for character in name)
    return not has_surrogate and all(_PART.fullmatch(part) for part in name.split("/"))


def checked_name(name: str) -> str:
    """Return the name. Raises ValueError when `is_name` refuses it."""
    if not is_name(name):
        raise ValueError(f"not a file name for a store: {name!r}")
    return name


def folder_of(url: str) -> Path:
    """The directory of `file:DIR` (relative) or `file:///DIR`. Raises ValueError for others."""
    if not url.startswith("file:"):
        raise ValueError(f"not a file: address: {url!r}")
    directory = url.removeprefix("file:").removeprefix("//")
    if not directory or "\0" in directory:
        raise ValueError(f"no directory in {url!r}; write file:DIR")
    return Path(directory).expanduser()


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file so that a reader sees the old bytes or the new ones, also after a crash.

    Missing folders are made; a file keeps its permissions. With `durable=False` the write does not
    wait for the disk: after a power cut the file may be empty. Raises OSError when the disk refuses.
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
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def content_rev(data: bytes) -> str:
    """A revision made of the length and a hash of the bytes.

    It is the same after a restart, a restore or a copy.
    """
    return f"{len(data):x}-{hashlib.sha256(data).hexdigest()[:40]}"
