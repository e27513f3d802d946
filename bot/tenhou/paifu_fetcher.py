"""Fetch game records (牌譜) by id: from a league's folder if it has them, otherwise from Tenhou with its
manners."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from gettext import gettext as _
from typing import Protocol

from bot.runtime.circuit_breaker import CircuitBreaker
from bot.tenhou.client import TenhouClient
from bot.tenhou.errors import TenhouBusy, TenhouError, TenhouNotFound, TenhouUnreachable
from bot.tenhou.paifu_url import find_paifu, is_paifu_id
from storage.state import State

PATIENCE = 10.0  # seconds for one record: whoever sent its address waits for the answer
FAILURES = 2  # failures in a row after which Tenhou is not asked for a while
PAUSE = 60.0  # seconds it is not asked then: longer than other services, as it owes us nothing
UNKNOWN = 600.0  # seconds until Tenhou is asked again for a record it did not have
WAIT = 20.0  # seconds a record waits for the one that is being fetched
IN_LINE = 4  # callers at once, the one whose record is being fetched included; others get an error


class KeptPaifus(Protocol):
    """Keeps records that were fetched once, by id: a league's folder."""

    def get(self, paifu_id: str) -> bytes | None: ...

    def put(self, paifu_id: str, data: bytes) -> None: ...


class PaifuSource(Protocol):
    """Sends a record: `TenhouClient`."""

    def paifu(self, paifu_id: str) -> bytes: ...


class PaifuFetcher:
    """Fetches records for all leagues of a process, one at a time. Safe in threads.

    `turn` gives the context in which Tenhou may be asked (`Throttle.turn`), so that no other process of ours
    has a connection open meanwhile. At most `IN_LINE` callers are served or wait. While Tenhou does not
    answer nobody waits: a caller gets the error at once.
    """

    def __init__(
        self,
        tenhou_url: str,
        state: State,
        turn: Callable[[], AbstractContextManager[Callable[[], None]]],
        connect: Callable[[], AbstractContextManager[PaifuSource]] | None = None,
    ) -> None:
        """`connect` opens a connection for one record. The default is a connection to Tenhou."""
        self.breaker = CircuitBreaker("tenhou", FAILURES, PAUSE)
        self._connect = connect or (lambda: TenhouClient(tenhou_url, patience=PATIENCE))
        self._state = state
        self._turn = turn
        self._one = threading.Lock()
        self._line = threading.BoundedSemaphore(IN_LINE)

    def fetch(self, address: str, kept: KeptPaifus) -> bytes:
        """Return the record that an address (or a text with one) names.

        Raises ValueError when the text names none, and otherwise what get() raises.
        """
        found = find_paifu(address)
        if found is None:
            raise ValueError(
                _("not the address of a game record at Tenhou: {address!r}").format(address=address[:80])
            )
        return self.get(found.id, kept)

    def get(self, paifu_id: str, kept: KeptPaifus, *, anew: bool = False) -> bytes:
        """Return the record's XML, perhaps gzipped. With `anew`, Tenhou is asked though it had no such record
        lately.

        Raises ValueError for what is no id, TenhouError when Tenhou has no such record or cannot be asked
        (TenhouBusy: it was not asked), and StorageError when the state store cannot be reached.
        """
        if not is_paifu_id(paifu_id):
            raise ValueError(_("not the id of a game record: {id!r}").format(id=paifu_id[:80]))
        data = kept.get(paifu_id)
        if data is not None:
            return data
        self._check_breaker()
        if not self._line.acquire(blocking=False):
            raise TenhouBusy(_("too many other records are waiting to be fetched"))
        try:
            return self._in_turn(paifu_id, kept, anew)
        finally:
            self._line.release()

    def _in_turn(self, paifu_id: str, kept: KeptPaifus, anew: bool) -> bytes:
        if not self._one.acquire(timeout=WAIT):
            raise TenhouBusy(_("other records are being fetched at this moment"))
        try:
            self._check_breaker()
            with self._turn() as renew:
                data = kept.get(paifu_id)
                if data is None:
                    data = self._asked(paifu_id, anew, renew)
                    kept.put(paifu_id, data)
                return data
        finally:
            self._one.release()

    def _check_breaker(self) -> None:
        if self.breaker.is_open:
            raise TenhouBusy(_("Tenhou did not answer a moment ago, and is left alone for a while"))

    def _asked(self, paifu_id: str, anew: bool, renew: Callable[[], None]) -> bytes:
        """Return what Tenhou sends, over a connection of its own. What Tenhou lacks is not asked for twice in
        a row."""
        unknown = f"tenhou/nothing/{paifu_id}"
        if not anew and self._state.values.get(unknown) is not None:
            raise TenhouNotFound(_("Tenhou had no game record {id} a few minutes ago").format(id=paifu_id))
        renew()
        if not self.breaker.allow():
            raise TenhouBusy(_("Tenhou did not answer a moment ago, and is left alone for a while"))
        try:
            with self._connect() as tenhou:
                data = tenhou.paifu(paifu_id)
        except TenhouUnreachable:
            self.breaker.failed()
            raise
        except TenhouError as error:  # an answer, though without a record
            self.breaker.worked()
            if isinstance(error, TenhouNotFound):
                self._state.values.put(unknown, "", UNKNOWN)
            raise
        self.breaker.worked()
        return data
