"""Faults for tests: the next calls to a path are refused or answered late. Only Python code can order
them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass
class CallFault:
    """A fault of the next `times` calls whose path starts with `path` (LINE's own path, such as
    `/v2/bot/message/reply`).

    The call waits for `delay` seconds or until `release()`. With a `status` it is then refused with this HTTP
    status; without one it is done.
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


class CallFaults:
    """The faults ordered, the oldest first. Safe in threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[CallFault] = []

    def add(self, fault: CallFault) -> CallFault:
        with self._lock:
            self._faults.append(fault)
        return fault

    def take(self, path: str) -> CallFault | None:
        """Return the fault for a call to this path and count it as used once; None when there is none."""
        with self._lock:
            for fault in self._faults:
                if fault.times > 0 and path.startswith(fault.path):
                    fault.times -= 1
                    return fault
        return None

    def clear(self) -> None:
        """Forget all faults; calls that wait go on."""
        with self._lock:
            for fault in self._faults:
                fault.release()
            self._faults.clear()
