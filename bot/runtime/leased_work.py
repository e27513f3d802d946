"""Work that one process of all does at a time, by a lease."""

import logging
from datetime import datetime, timedelta

from bot.runtime.json_log import log_fault
from bot.runtime.threads import ThreadPool, WorkPool
from storage.lease import Lease
from storage.ports import StorageError

log = logging.getLogger(__name__)


class LeasedWork:
    """Rounds of work that one process of all does, by a lease, on a thread of its own named `name`.

    The lease guarantees that no two processes begin a round at the same time, and that another
    process takes over from one that was killed or hangs: a round of more than `longest` counts as
    hanging, and its lease is renewed no more. Therefore it must be possible to do a round again
    from the start. After an error the next round begins as usual. Shown by
    tests/runtime/test_leased_work.py, tests/sync/test_day_loop.py and tests/sync/test_room_loop.py.

    `first` is the time from a process's start to its first look. `later` and `failed` are the log
    messages for a store that is away, and for other errors.
    """

    later = ""
    failed = ""

    def __init__(
        self, name: str, lease: Lease, longest: timedelta, first: timedelta = timedelta()
    ) -> None:
        self.pool: WorkPool = ThreadPool(workers=1, waiting=1, name=name)
        self.ended = False
        self.since: datetime | None = None  # when the round under way began
        self.next: datetime | None = None  # look whether a round is due
        self._lease = lease
        self._longest = longest
        self._first = first

    def rests(self, now: datetime) -> bool:
        """Whether it is not time to look yet; not for ever where the clock was set back."""
        if self.next is None:
            self.next = now + self._first
        return self.ended or now < self.next <= now + self._longest

    def begin(self, now: datetime) -> bool:
        """Begin a round, or renew the lease; False where another process has it.

        Raises StorageError.
        """
        if self.since is not None:
            if now - self.since < self._longest:
                self._lease.renew()
            return True
        if not self._lease.take():
            return False
        self.since = now
        if not self.pool.submit(self.round):
            self.since = None
        return True

    def round(self) -> None:
        """Do one round, on the pool's thread. Never raises."""
        try:
            self.do()
        except StorageError as error:
            log.warning("%s: %s", self.later, error)
        except Exception as error:
            log_fault(self.failed, error)
        finally:
            self.since = None

    def do(self) -> None:
        """What a round is."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish the round under way, begin no other, and leave the work to other processes."""
        self.ended = True
        if isinstance(self.pool, ThreadPool):
            self.pool.close()
        try:
            self._lease.release()
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)
