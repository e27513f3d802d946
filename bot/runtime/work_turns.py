"""A bound on work that keeps the processor busy."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class NoTurn(Exception):
    """Too much work is under way or waits already."""


class WorkTurns:
    """Turns for work that keeps the processor busy, so that it leaves room for taps.

    The semaphores guarantee that at most `together` threads have a turn at once, and that at most
    `waiting` wait for one, each for `patience` seconds. Shown by tests/runtime/test_work_turns.py.
    """

    def __init__(self, together: int, waiting: int, patience: float) -> None:
        self._turns = threading.BoundedSemaphore(together)
        self._places = threading.BoundedSemaphore(together + waiting)
        self._patience = patience

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the work of the block in its turn. Raises NoTurn."""
        if not self._places.acquire(blocking=False):
            raise NoTurn
        try:
            if not self._turns.acquire(timeout=self._patience):
                raise NoTurn
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._places.release()
