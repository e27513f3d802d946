"""What each process does beside its taps, every other second: show that it lives, take up what others left, tidy up."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable

BEAT = 1.5  # seconds
log = logging.getLogger(__name__)


class Keeper:
    """A thread that does its `chores` every `BEAT` seconds, in order, until stopped; a chore that fails is tried again."""

    def __init__(self, *chores: Callable[[], object]) -> None:
        self._chores = list(chores)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._process = 0

    def also(self, chore: Callable[[], object]) -> Keeper:
        """One more chore, done before the others."""
        self._chores.insert(0, chore)
        return self

    def start(self) -> None:
        """Begin, once in each process."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(self._stop,), name="keeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for it."""
        self._stop.set()
        if self._thread is not None and self._process == os.getpid():
            self._thread.join(5)
            self._process = 0

    def _run(self, stop: threading.Event) -> None:
        well = True
        while True:
            try:
                for chore in self._chores:
                    chore()
                if not well:
                    log.info("the state store is back")
                well = True
            except Exception as error:
                if well:
                    log.warning("a chore could not be done, it is tried again: %s", type(error).__name__)
                well = False
            if stop.wait(BEAT):
                return
