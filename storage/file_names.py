"""Names of files in any script: as a part of a store's key, and as a browser saves the file."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote

_PLAIN = re.compile(r"(?!u8-)[A-Za-z0-9_-][A-Za-z0-9._-]*")
_CODED = "u8-"  # begins the part of a name in UTF-8, as base64 with - and _


def key_part(name: str) -> str:
    """The part of a key for a file's name: the name itself where a key may hold it, else its UTF-8 in letters and digits."""
    if _PLAIN.fullmatch(name):
        return name
    return _CODED + base64.urlsafe_b64encode(name.encode("utf-8", "replace")).decode().rstrip("=")


def file_name(key: str) -> str:
    """The file's name in the last part of a key."""
    part = key.rpartition("/")[2]
    if not part.startswith(_CODED):
        return part
    coded = part[len(_CODED) :]
    try:
        return base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
    except ValueError:
        return part


def attachment(name: str) -> str:
    """The value of Content-Disposition with which a browser saves a file by this name (RFC 6266)."""
    if _PLAIN.fullmatch(name):
        return f"attachment; filename={name}"
    ending = re.sub(r"[^A-Za-z0-9]", "", name.rpartition(".")[2])[:8] if "." in name else ""
    return f"attachment; filename=\"file.{ending or 'bin'}\"; filename*=UTF-8''{quote(name, safe='')}"
