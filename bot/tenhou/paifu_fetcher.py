"""Fetch game records (牌譜) from Tenhou, one at a time, each once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
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

PATIENCE = 10.0  # seconds for one record: the member who sent its address waits
FAILURES = 2  # failures in a row that stop requests for records for `PAUSE`
PAUSE = 60.0  # seconds without requests: more than for other services, as Tenhou owes us nothing
UNKNOWN = 600.0  # seconds until a record that Tenhou did not have is requested again
WAIT = 20.0  # seconds a caller waits for the record that is being fetched
IN_LINE = 4  # callers at once, the one whose record is being fetched included; others get an error


class PaifuStore(Protocol):
    """Stores records by id: a league's folder."""

    def get(self, paifu_id: str) -> bytes | None: ...

    def put(self, paifu_id: str, data: bytes) -> None: ...


class PaifuFetcher:
    """Fetches records by id, from a league's folder if it has them, otherwise from Tenhou.

    What it guarantees for all threads and leagues of a process, and the tests that show it
    (tests/tenhou/test_rests.py, tests/tenhou/test_client.py):
    - one record is fetched at a time (`_fetching`), and a stored one never again: the folder is
      read again under the lock (test_record_is_fetched_once);
    - at most `IN_LINE` callers are served or wait (`_queue`), so that a slow Tenhou blocks few
      threads; the others get an error at once (test_few_threads_wait_for_tenhou);
    - while Tenhou does not answer no caller waits for it (`breaker`;
      test_waiting_caller_gets_an_error_when_requests_are_paused);
    - no other process of ours has a connection open meanwhile (`turn`, see `Throttle.turn`;
      test_no_request_after_the_connection_was_taken_over)."""

    def __init__(
        self,
        tenhou_url: str,
        state: State,
        turn: Callable[[], AbstractContextManager[Callable[[], None]]],
        connect: Callable[[], AbstractContextManager[TenhouClient]] | None = None,
    ) -> None:
        self.breaker = CircuitBreaker("tenhou", FAILURES, PAUSE)
        self._connect = connect or partial(TenhouClient, tenhou_url, patience=PATIENCE)
        self._state = state
        self._turn = turn
        self._fetching = threading.Lock()
        self._queue = threading.BoundedSemaphore(IN_LINE)

    def fetch(self, address: str, store: PaifuStore) -> bytes:
        """Return the record of the first address in a text. Raises ValueError if there is none, and
        else as get().
        """
        paifu = find_paifu(address)
        if paifu is None:
            message = _("not the address of a game record at Tenhou: {address!r}")
            raise ValueError(message.format(address=address[:80]))
        return self.get(paifu.id, store)

    def get(
        self,
        paifu_id: str,
        store: PaifuStore | None,
        *,
        retry: bool = False,
    ) -> bytes:
        """Return the record's XML, possibly gzipped. With `retry` it is requested even if Tenhou
        did not have it a few minutes ago. Without `store` it is not stored. Raises ValueError for a
        malformed id, TenhouError (TenhouBusy: no request was sent), and StorageError."""
        if not is_paifu_id(paifu_id):
            raise ValueError(_("not the id of a game record: {id!r}").format(id=paifu_id[:80]))
        data = _stored(store, paifu_id)
        if data is not None:
            return data
        self._check_breaker()
        with self._in_line():
            self._check_breaker()
            with self._turn() as renew:
                data = _stored(store, paifu_id)
                if data is None:
                    data = self._fetch_from_tenhou(paifu_id, retry, renew)
                    if store is not None:
                        store.put(paifu_id, data)
                return data

    @contextmanager
    def _in_line(self) -> Iterator[None]:
        """Wait until no other record is being fetched. Raises TenhouBusy where too many callers
        wait, or the wait takes too long."""
        if not self._queue.acquire(blocking=False):
            raise TenhouBusy(_("too many other records are waiting to be fetched"))
        try:
            if not self._fetching.acquire(timeout=WAIT):
                raise TenhouBusy(_("other records are being fetched at this moment"))
            try:
                yield
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
        retry: bool,
        renew: Callable[[], None],
    ) -> bytes:
        """Return Tenhou's answer. A record that it does not have is not requested again for
        `UNKNOWN` seconds, except with `retry`.
        """
        unknown = f"tenhou/nothing/{paifu_id}"
        if not retry and self._state.values.get(unknown) is not None:
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


def _stored(store: PaifuStore | None, paifu_id: str) -> bytes | None:
    if store is None:
        return None
    return store.get(paifu_id)
