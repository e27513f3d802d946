"""Faults to order: the next calls to a path answer an error, or answer late. Only Python reaches them, no page."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass
class Fault:
    """For the next `times` calls whose path starts with `path` (as LINE has it: `/v2/bot/message/reply`).

    With a `status` the call is refused with it and nothing happens. Without, it is done, but only after `delay`
    seconds or `release()`, whichever is sooner.
    """

    path: str
    times: int = 1
    status: int | None = None
    delay: float = 0.0
    _released: threading.Event = field(default_factory=threading.Event, repr=False)

    def hold(self) -> None:
        if self.delay:
            self._released.wait(self.delay)

    def release(self) -> None:
        self._released.set()


class Faults:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        with self._lock:
            self._faults.append(fault)
        return fault

    def take(self, path: str) -> Fault | None:
        """The fault that this call meets, used up by one."""
        with self._lock:
            for fault in self._faults:
                if fault.times > 0 and path.startswith(fault.path):
                    fault.times -= 1
                    return fault
        return None

    def clear(self) -> None:
        with self._lock:
            for fault in self._faults:
                fault.release()
            self._faults.clear()
