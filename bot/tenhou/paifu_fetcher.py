"""Game records (牌譜): the id in what members paste, and the record fetched once."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from bot.tenhou.client import TenhouError

_ID = r"[0-9]{10}gm-[0-9a-f]{4}-[0-9]{4,5}-[0-9a-f]{8}"
_BARE = re.compile(rf"(?<![0-9A-Za-z_=/-])({_ID})(?![0-9A-Za-z-])(?:&tw=([0-3])(?![0-9]))?")
_HOST = r"(?<![0-9A-Za-z.:@/_-])(?:https?://)?tenhou\.net"
_URL = re.compile(rf"{_HOST}/[0-9]/\?([^\s#]*)", re.IGNORECASE)
_XML = re.compile(rf"{_HOST}/[0-9]/log/(?:find\.cgi)?\?(?:log=)?({_ID})(?![0-9A-Za-z-])")
_LOG = re.compile(rf"(?:^|&)log=({_ID})(?![0-9A-Za-z-])")
_SEAT = re.compile(r"(?:^|&|;)tw=([0-3])(?![0-9])")
WAIT = 20.0  # seconds a record waits for the one that is being fetched
IN_LINE = 4  # records at once, the one that is being fetched included; more threads than that never wait
RESTS = "Tenhou did not answer a moment ago, and is left alone for a while"


@dataclass(frozen=True, slots=True)
class RecordRef:
    """A game record's id, and the seat (0-3, 0 the first dealer) it was shared from, where the address says so."""

    id: str
    seat: int | None = None


class RecordCache(Protocol):
    """Where records fetched once are kept, by id."""

    def get(self, record_id: str) -> bytes | None: ...

    def put(self, record_id: str, data: bytes) -> None: ...


class Source(Protocol):
    """What fetches a record: `bot.tenhou.client.Tenhou`."""

    def record(self, record_id: str) -> bytes: ...


def is_record_id(text: str) -> bool:
    """Whether the text is exactly a record's id, such as `2020051820gm-0009-1234-0a1b2c3d`."""
    return re.fullmatch(_ID, text) is not None


def find_address(text: str) -> RecordRef | None:
    """The first record of which a text holds an address: `http(s)://tenhou.net/0/?log=ID&tw=N` (also /3/ and others,
    also without the scheme), or `tenhou.net/0/log/?ID`."""
    for address in _URL.finditer(text):
        if found := _LOG.search(address[1]):
            seat = _SEAT.search(address[1])
            return RecordRef(found[1], int(seat[1]) if seat else None)
    xml = _XML.search(text)
    return RecordRef(xml[1]) if xml else None


def find_record(text: str) -> RecordRef | None:
    """The first record a text names: one of Tenhou's addresses of it (`find_address`), or the bare id."""
    if found := find_address(text):
        return found
    if bare := _BARE.search(text):
        return RecordRef(bare[1], int(bare[2]) if bare[2] else None)
    return None


class Records:
    """Records by id: from the cache, else from Tenhou, one at a time.

    `turn` gives the context in which Tenhou may be asked (`bot.tenhou.throttle.Rounds.turn`), so that no other process of ours
    has a connection open meanwhile; within a process all Records stand in one line, which is short. While Tenhou `rests`
    nobody stands in it: who asks is told at once.
    """

    _one = threading.Lock()
    _line = threading.BoundedSemaphore(IN_LINE)

    def __init__(
        self,
        source: Source,
        cache: RecordCache,
        turn: Callable[[], AbstractContextManager[object]],
        rests: Callable[[], bool] = lambda: False,
    ) -> None:
        self._source, self._cache, self._turn, self._rests = source, cache, turn, rests

    def fetch(self, address: str) -> bytes:
        """The record an address (or a text with one) names; ValueError where it names none."""
        found = find_record(address)
        if found is None:
            raise ValueError(f"not the address of a game record at Tenhou: {address[:80]!r}")
        return self.get(found.id)

    def get(self, record_id: str) -> bytes:
        """The record's XML; ValueError for what is no id, TenhouError where Tenhou has it not or can't be asked."""
        if not is_record_id(record_id):
            raise ValueError(f"not the id of a game record: {record_id[:80]!r}")
        data = self._cache.get(record_id)
        if data is not None:
            return data
        self._look_out()
        if not self._line.acquire(blocking=False):
            raise TenhouError("too many other records are waiting to be fetched")
        try:
            return self._in_turn(record_id)
        finally:
            self._line.release()

    def _in_turn(self, record_id: str) -> bytes:
        if not self._one.acquire(timeout=WAIT):
            raise TenhouError("other records are being fetched at this moment")
        try:
            self._look_out()
            with self._turn():
                return self._cache.get(record_id) or self._fetched(record_id)
        finally:
            self._one.release()

    def _look_out(self) -> None:
        if self._rests():
            raise TenhouError(RESTS)

    def _fetched(self, record_id: str) -> bytes:
        data = self._source.record(record_id)
        self._cache.put(record_id, data)
        return data
