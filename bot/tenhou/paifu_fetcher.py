"""Fetch game records (牌譜) from Tenhou, one at a time, each once."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from gettext import gettext as _
from typing import Protocol

from bot.runtime.circuit_breaker import CircuitBreaker
from bot.tenhou.client import (
    TenhouBusy,
    TenhouClient,
    TenhouError,
    TenhouNotFound,
    TenhouUnreachable,
    find_paifu,
    is_paifu_id,
)
from storage.state import State

PATIENCE = 10.0  # seconds for one record: whoever sent its address waits for the answer
FAILURES = 2  # failures in a row after which Tenhou is not asked for records for a while
PAUSE = 60.0  # seconds it is not asked then: longer than other services, as it owes us nothing
UNKNOWN = 600.0  # seconds until Tenhou is asked again for a record it did not have
WAIT = 20.0  # seconds a record waits for the one that is being fetched
IN_LINE = 4  # callers at once, the one whose record is being fetched included; others get an error


class KeptPaifus(Protocol):
    """Stores records that were fetched once, by id: a league's folder."""

    def get(self, paifu_id: str) -> bytes | None: ...

    def put(self, paifu_id: str, data: bytes) -> None: ...


class PaifuFetcher:
    """Fetches records by id, from a league's folder if it has them, otherwise from Tenhou.

    What it guarantees, for all threads and leagues of a process:
    - one record is fetched at a time (`_fetching`), and each once: the folder is looked at again
      in turn;
    - at most `IN_LINE` callers are served or wait (`_queue`), so that Tenhou's slowness holds up
      few threads; the others get an error at once;
    - while Tenhou does not answer nobody waits for it (`breaker`);
    - no other process of ours has a connection open meanwhile (`turn`, see `Throttle.turn`).
    Shown by tests/tenhou/test_rests.py."""

    def __init__(
        self,
        tenhou_url: str,
        state: State,
        turn: Callable[[], AbstractContextManager[Callable[[], None]]],
        connect: Callable[[], AbstractContextManager[TenhouClient]] | None = None,
    ) -> None:
        self.breaker = CircuitBreaker("tenhou", FAILURES, PAUSE)
        self._connect = connect or (lambda: TenhouClient(tenhou_url, patience=PATIENCE))
        self._state = state
        self._turn = turn
        self._fetching = threading.Lock()
        self._queue = threading.BoundedSemaphore(IN_LINE)

    def fetch(self, address: str, kept: KeptPaifus) -> bytes:
        """The record that an address (or a text with one) names.

        Raises ValueError, else as get().
        """
        paifu = find_paifu(address)
        if paifu is None:
            message = _("not the address of a game record at Tenhou: {address!r}")
            raise ValueError(message.format(address=address[:80]))
        return self.get(paifu.id, kept)

    def get(
        self,
        paifu_id: str,
        kept: KeptPaifus | None,
        *,
        anew: bool = False,
    ) -> bytes:
        """The record's XML, perhaps gzipped; with `anew`, requested though it was not there lately.
        Without `kept` nothing stores it. Raises ValueError for what is no id, TenhouError
        (TenhouBusy: it was not asked), and StorageError."""
        if not is_paifu_id(paifu_id):
            raise ValueError(_("not the id of a game record: {id!r}").format(id=paifu_id[:80]))
        data = kept.get(paifu_id) if kept is not None else None
        if data is not None:
            return data
        self._check_breaker()
        if not self._queue.acquire(blocking=False):
            raise TenhouBusy(_("too many other records are waiting to be fetched"))
        try:
            if not self._fetching.acquire(timeout=WAIT):
                raise TenhouBusy(_("other records are being fetched at this moment"))
            try:
                self._check_breaker()
                with self._turn() as renew:
                    data = kept.get(paifu_id) if kept is not None else None
                    if data is None:
                        data = self._fetch_from_tenhou(paifu_id, anew, renew)
                        if kept is not None:
                            kept.put(paifu_id, data)
                    return data
            finally:
                self._fetching.release()
        finally:
            self._queue.release()

    def _check_breaker(self) -> None:
        if self.breaker.is_open:
            raise TenhouBusy(_("Tenhou did not answer a moment ago, and is left alone for a while"))

    def _fetch_from_tenhou(
        self,
        paifu_id: str,
        anew: bool,
        renew: Callable[[], None],
    ) -> bytes:
        """Return Tenhou's answer. A record that it lacks is not requested twice in a row."""
        unknown = f"tenhou/nothing/{paifu_id}"
        if not anew and self._state.values.get(unknown) is not None:
            raise TenhouNotFound(_("Tenhou had no game record {id} a few minutes ago"), id=paifu_id)
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
