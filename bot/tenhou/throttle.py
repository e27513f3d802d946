"""Decide when Tenhou may be asked: twenty minutes between rounds, one connection for all our
processes together, and game records (牌譜) one at a time.

The first two rules are Tenhou's (https://tenhou.net/sc/raw/) and live in the database. The
connection is a lease, which a round renews before every request, so a process that was killed loses
it after `LEASE`. A round's time is that of its last request.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
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

GAP = timedelta(minutes=20)  # Tenhou: at least 20 minutes between rounds
LEASE = timedelta(minutes=3)  # longer than one answer may take (client.PATIENCE)
PATIENCE = 10.0  # seconds for one record: whoever sent its address waits for the answer
FAILURES = 2  # failures in a row after which Tenhou is not asked for records for a while
PAUSE = 60.0  # seconds it is not asked then: longer than other services, as it owes us nothing
UNKNOWN = 600.0  # seconds until Tenhou is asked again for a record it did not have
WAIT = 20.0  # seconds a record waits for the one that is being fetched
IN_LINE = 4  # callers at once, the one whose record is being fetched included; others get an error
_ROUND = "tenhou/round"
_CONNECTION = "tenhou/connection"
_TRIES = 40  # tries for a taken connection, half a second apart


class TooSoon(Exception):
    """The last round was less than twenty minutes ago. `until` is when the next one may begin."""

    def __init__(self, until: datetime) -> None:
        words = _(
            "Tenhou was asked less than {minutes} minutes ago; the next round is due at {until:%H:%M}"
        )
        super().__init__(words.format(minutes=GAP.seconds // 60, until=until))
        self.until = until


class Throttle:
    """Gives leave to ask Tenhou: for a round of reading results, or for one record. `now` gives an
    aware time, `wait` sleeps so many seconds."""

    def __init__(
        self,
        state: State,
        now: Callable[[], datetime],
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._state = state
        self._now = now
        self._wait = wait

    @contextmanager
    def round(self) -> Iterator[Callable[[], None]]:
        """Begin a round of reading results. Call what it yields before each request. Raises TooSoon
        within twenty minutes of the last, TenhouBusy when another asks, and StorageError."""
        self._check_gap()
        with self.turn(tries=1) as renew:
            self._check_gap()

            def ask() -> None:
                self._state.values.put(_ROUND, self._now().isoformat())
                # the last thing before the request: whoever stood still meanwhile does not send
                # it
                renew()

            yield ask

    def _check_gap(self) -> None:
        last = self._state.values.get(_ROUND)
        if last is not None and abs(self._now() - datetime.fromisoformat(last)) < GAP:
            raise TooSoon(datetime.fromisoformat(last) + GAP)

    @contextmanager
    def turn(self, tries: int = _TRIES) -> Iterator[Callable[[], None]]:
        """Wait for the connection, for requests of no round. Call what it yields just before each.
        Raises TenhouBusy when the connection stays taken, and StorageError."""
        lease = self._state.lease(_CONNECTION, LEASE.total_seconds())
        for attempt in range(tries):
            if attempt:
                self._wait(0.5)
            if lease.take():
                break
        else:
            raise TenhouBusy(_("another process of Janroku is asking Tenhou at this moment"))

        def renew() -> None:
            if not lease.renew():
                raise TenhouBusy(_("another process of Janroku took over the connection to Tenhou"))

        try:
            yield renew
        finally:
            lease.release()


class KeptPaifus(Protocol):
    """Keeps records that were fetched once, by id: a league's folder."""

    def get(self, paifu_id: str) -> bytes | None: ...

    def put(self, paifu_id: str, data: bytes) -> None: ...


class PaifuFetcher:
    """Fetches records by id, from a league's folder if it has them, otherwise from Tenhou: for all
    leagues of a process, one at a time. Safe in threads. `turn` gives the context in which Tenhou
    may be asked (`Throttle.turn`), so that no other process of ours has a connection open
    meanwhile. At most `IN_LINE` callers are served or wait. While Tenhou does not answer nobody
    waits: a caller gets the error at once."""

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
        self._one = threading.Lock()
        self._line = threading.BoundedSemaphore(IN_LINE)

    def fetch(self, address: str, kept: KeptPaifus) -> bytes:
        """The record that an address (or a text with one) names.

        Raises ValueError, else as get().
        """
        found = find_paifu(address)
        if found is None:
            raise ValueError(
                _("not the address of a game record at Tenhou: {address!r}").format(
                    address=address[:80]
                )
            )
        return self.get(found.id, kept)

    def get(
        self,
        paifu_id: str,
        kept: KeptPaifus | None,
        *,
        anew: bool = False,
    ) -> bytes:
        """The record's XML, perhaps gzipped; with `anew`, asked for though it was not there lately.
        Without `kept` nothing keeps it. Raises ValueError for what is no id, TenhouError
        (TenhouBusy: it was not asked), and StorageError."""
        if not is_paifu_id(paifu_id):
            raise ValueError(_("not the id of a game record: {id!r}").format(id=paifu_id[:80]))
        data = kept.get(paifu_id) if kept is not None else None
        if data is not None:
            return data
        self._check_breaker()
        if not self._line.acquire(blocking=False):
            raise TenhouBusy(_("too many other records are waiting to be fetched"))
        try:
            if not self._one.acquire(timeout=WAIT):
                raise TenhouBusy(_("other records are being fetched at this moment"))
            try:
                self._check_breaker()
                with self._turn() as renew:
                    data = kept.get(paifu_id) if kept is not None else None
                    if data is None:
                        data = self._asked(paifu_id, anew, renew)
                        if kept is not None:
                            kept.put(paifu_id, data)
                    return data
            finally:
                self._one.release()
        finally:
            self._line.release()

    def _check_breaker(self) -> None:
        if self.breaker.is_open:
            raise TenhouBusy(_("Tenhou did not answer a moment ago, and is left alone for a while"))

    def _asked(
        self,
        paifu_id: str,
        anew: bool,
        renew: Callable[[], None],
    ) -> bytes:
        """Return what Tenhou sends. What it lacks is not asked for twice in a row."""
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
