"""Decide when requests may be sent to Tenhou: twenty minutes between rounds, and one connection for
all our processes together.

Both rules are Tenhou's (https://tenhou.net/sc/raw/). Their state is in the database. The connection
is a lease, which is renewed before every request. What it guarantees, and the tests that show it
(tests/tenhou/test_throttle.py):

- one of all our processes sends requests at a time
  (test_one_of_two_processes_takes_the_connection);
- a process that was killed loses the connection after `LEASE`
  (test_killed_process_loses_the_connection_after_the_lease);
- a process that was paused for longer than `LEASE` sends nothing more (the same test), and does not
  release the connection of the process that took over
  (test_paused_process_keeps_the_connection_of_its_successor);
- twenty minutes pass between the last request of a round and the next round
  (test_rounds_begin_twenty_minutes_after_the_last_request).
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from gettext import gettext as _

from bot.tenhou.client import TenhouBusy
from storage.state import State

GAP = timedelta(minutes=20)  # Tenhou: at least 20 minutes between rounds
LEASE = timedelta(minutes=3)  # longer than one answer may take (client.PATIENCE)
_ROUND = "tenhou/round"
_CONNECTION = "tenhou/connection"
_TRIES = 40  # tries for a taken connection, half a second apart


class TooSoon(Exception):
    """The last round was less than twenty minutes ago. `until` is when the next one may begin."""

    def __init__(self, until: datetime) -> None:
        text = _(
            "Tenhou was asked less than {minutes} minutes ago; the next round is due at {until:%H:%M}"
        )
        super().__init__(text.format(minutes=GAP.seconds // 60, until=until))
        self.until = until


class Throttle:
    """Permits requests to Tenhou: for a round of reading results, or for one record. `now` returns
    an aware time, `wait` sleeps for a number of seconds."""

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
        """Begin a round of reading results. Call the function it yields before each request. Raises
        TooSoon within twenty minutes of the last round, TenhouBusy while another process has the
        connection, and StorageError."""
        self._check_gap()
        with self.turn(tries=1) as renew:
            self._check_gap()

            def ask() -> None:
                self._state.values.put(_ROUND, self._now().isoformat())
                # Directly before the request: a process that was paused meanwhile sends none.
                renew()

            yield ask

    def _check_gap(self) -> None:
        last = self._state.values.get(_ROUND)
        if last is not None and abs(self._now() - datetime.fromisoformat(last)) < GAP:
            raise TooSoon(datetime.fromisoformat(last) + GAP)

    @contextmanager
    def turn(self, tries: int = _TRIES) -> Iterator[Callable[[], None]]:
        """Wait for the connection, for requests outside a round. Call the function it yields
        directly before each. Raises TenhouBusy if the connection is not released, and
        StorageError."""
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
