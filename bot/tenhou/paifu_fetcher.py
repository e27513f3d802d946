"""Game records (牌譜) by id: kept in a league's folder once fetched, else asked of Tenhou with its manners."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from bot.runtime.circuit_breaker import CircuitBreaker
from bot.tenhou.client import TenhouClient
from bot.tenhou.errors import TenhouError, TenhouNotFound, TenhouUnreachable
from bot.tenhou.paifu_url import find_paifu, is_paifu_id
from storage.ports import StateStore

PATIENCE = 10.0  # seconds for one record: whoever sent its address waits for the answer
FAILURES = 2  # records in a row that Tenhou does not give before it is left alone
PAUSE = 60.0  # seconds it is left alone then: longer than others are, for it owes us nothing
UNKNOWN = 600.0  # seconds Tenhou is not asked again for a record it did not have
WAIT = 20.0  # seconds a record waits for the one that is being fetched
IN_LINE = 4  # records at once, the one that is being fetched included; more threads than that never wait
RESTS = "Tenhou did not answer a moment ago, and is left alone for a while"


class PaifuKeeper(Protocol):
    """Where records that were fetched once are kept, by id: a league's folder."""

    def get(self, paifu_id: str) -> bytes | None: ...

    def put(self, paifu_id: str, data: bytes) -> None: ...


class PaifuSource(Protocol):
    """What sends a record: `TenhouClient`."""

    def paifu(self, paifu_id: str) -> bytes: ...


class PaifuFetcher:
    """Fetches records for all leagues of a process, one at a time. Safe in threads.

    `turn` gives the context in which Tenhou may be asked (`Throttle.turn`), so that no other process of ours has a
    connection open meanwhile. Few wait in line; while Tenhou does not answer nobody does: who asks is told at once.
    """

    def __init__(
        self,
        tenhou_url: str,
        state: StateStore,
        turn: Callable[[], AbstractContextManager[object]],
        connect: Callable[[], AbstractContextManager[PaifuSource]] | None = None,
    ) -> None:
        """`connect` opens a connection for one record; by default to Tenhou itself."""
        self.breaker = CircuitBreaker("tenhou", FAILURES, PAUSE)
        self._connect = connect or (lambda: TenhouClient(tenhou_url, patience=PATIENCE))
        self._state = state
        self._turn = turn
        self._one = threading.Lock()
        self._line = threading.BoundedSemaphore(IN_LINE)

    def fetch(self, address: str, kept: PaifuKeeper) -> bytes:
        """The record an address (or a text with one) names. Raises ValueError where it names none, else as get()."""
        found = find_paifu(address)
        if found is None:
            raise ValueError(f"not the address of a game record at Tenhou: {address[:80]!r}")
        return self.get(found.id, kept)

    def get(self, paifu_id: str, kept: PaifuKeeper) -> bytes:
        """The record's XML, perhaps gzipped.

        Raises ValueError for what is no id, TenhouError where Tenhou has no such record or can't be asked.
        """
        if not is_paifu_id(paifu_id):
            raise ValueError(f"not the id of a game record: {paifu_id[:80]!r}")
        data = kept.get(paifu_id)
        if data is not None:
            return data
        self._check_breaker()
        if not self._line.acquire(blocking=False):
            raise TenhouError("too many other records are waiting to be fetched")
        try:
            return self._in_turn(paifu_id, kept)
        finally:
            self._line.release()

    def _in_turn(self, paifu_id: str, kept: PaifuKeeper) -> bytes:
        if not self._one.acquire(timeout=WAIT):
            raise TenhouError("other records are being fetched at this moment")
        try:
            self._check_breaker()
            with self._turn():
                data = kept.get(paifu_id)
                if data is None:
                    data = self._asked(paifu_id)
                    kept.put(paifu_id, data)
                return data
        finally:
            self._one.release()

    def _check_breaker(self) -> None:
        if self.breaker.is_open:
            raise TenhouError(RESTS)

    def _asked(self, paifu_id: str) -> bytes:
        """What Tenhou sends: hung up after each record, not asked twice in a row for what it does not have."""
        unknown = f"tenhou/nothing/{paifu_id}"
        if self._state.get(unknown) is not None:
            raise TenhouNotFound(f"Tenhou had no game record {paifu_id} a few minutes ago")
        if not self.breaker.allow():
            raise TenhouError(RESTS)
        try:
            with self._connect() as tenhou:
                data = tenhou.paifu(paifu_id)
        except TenhouUnreachable:
            self.breaker.failed()
            raise
        except TenhouError as error:  # an answer, if not the one hoped for
            self.breaker.worked()
            if isinstance(error, TenhouNotFound):
                self._state.put(unknown, "", UNKNOWN)
            raise
        self.breaker.worked()
        return data
