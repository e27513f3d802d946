"""Find addresses of game records (牌譜) and the ids in them, in what members paste."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ID = r"[0-9]{10}gm-[0-9a-f]{4}-[0-9]{4,5}-[0-9a-f]{8}"
_BARE = re.compile(rf"(?<![0-9A-Za-z_=/-])({_ID})(?![0-9A-Za-z-])(?:&tw=([0-3])(?![0-9]))?")
_HOST = r"(?<![0-9A-Za-z.:@/_-])(?:https?://)?tenhou\.net"
_URL = re.compile(rf"{_HOST}/[0-9]/\?([^\s#]*)", re.IGNORECASE)
_XML = re.compile(rf"{_HOST}/[0-9]/log/(?:find\.cgi)?\?(?:log=)?({_ID})(?![0-9A-Za-z-])")
_LOG = re.compile(rf"(?:^|&)log=({_ID})(?![0-9A-Za-z-])")
_SEAT = re.compile(r"(?:^|&|;)tw=([0-3])(?![0-9])")


@dataclass(frozen=True, slots=True)
class PaifuRef:
    """A game record's id, and the seat (0-3, 0 the first dealer) it was shared from, if the address has
    one."""

    id: str
    seat: int | None = None


def is_paifu_id(text: str) -> bool:
    """Return whether the text is exactly a record's id, such as `2020051820gm-0009-1234-0a1b2c3d`."""
    return re.fullmatch(_ID, text) is not None


def find_address(text: str) -> PaifuRef | None:
    """Return the first record of which a text holds an address, or None.

    An address is `http(s)://tenhou.net/0/?log=ID&tw=N` (also /3/ and others, also without the scheme), or
    `tenhou.net/0/log/?ID`.
    """
    for address in _URL.finditer(text):
        if found := _LOG.search(address[1]):
            seat = _SEAT.search(address[1])
            return PaifuRef(found[1], int(seat[1]) if seat else None)
    xml = _XML.search(text)
    return PaifuRef(xml[1]) if xml else None


def find_paifu(text: str) -> PaifuRef | None:
    """Return the first record a text names, by an address (`find_address`) or by its bare id. None if it
    names none."""
    if found := find_address(text):
        return found
    if bare := _BARE.search(text):
        return PaifuRef(bare[1], int(bare[2]) if bare[2] else None)
    return None
