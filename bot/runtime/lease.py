"""A lease in the StateStore: one process of all has it, as long as it renews it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from storage.ports import StateStore


class Lease:
    """The lease under a key. A process that was killed loses it after `life`. `now` gives an aware time.

    Every method raises StorageError when the state store cannot be reached. For use in one thread.
    """

    def __init__(self, state: StateStore, key: str, life: timedelta, now: Callable[[], datetime]) -> None:
        self._state = state
        self._key = key
        self._life = life
        self._now = now
        self._held = ""

    def take(self) -> bool:
        """Take the lease, or renew it, and return True; False while another's lasts."""
        if self._held and self.renew():
            return True
        (fresh, end), taken = self._fresh(), self._state.get(self._key)
        if taken is None:
            won = self._state.add(self._key, fresh)
        else:
            until = taken.partition(" ")[2]
            if until and self._now() < datetime.fromisoformat(until) <= self._now() + self._life:
                return False
            won = self._state.replace(self._key, taken, fresh)
        self._held = fresh if won else ""
        return won and self._now() < end

    def renew(self) -> bool:
        """Make the lease last from now on; False when another has taken it over, or it was never ours.

        False too when it has run out by now: the process stood still, and another may have it.
        """
        (fresh, end), held = self._fresh(), self._held
        self._held = fresh if held and self._state.replace(self._key, held, fresh) else ""
        return bool(self._held) and self._now() < end

    def release(self) -> None:
        """Leave the lease to whoever wants it next."""
        held, self._held = self._held, ""
        if held:
            self._state.replace(self._key, held, "")

    def _fresh(self) -> tuple[str, datetime]:
        end = self._now() + self._life
        return f"{secrets.token_hex(8)} {end.isoformat()}", end
