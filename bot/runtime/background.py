"""A thread that does a process's regular chores, beside its taps."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable

INTERVAL = 1.5  # seconds between two rounds
log = logging.getLogger(__name__)


class BackgroundLoop:
    """Runs its chores in order every `INTERVAL` seconds until stopped. A chore that fails does not stop the
    others.

    Each chore has a name. The log gets one line with it when the chore begins to fail, and one when it works
    again.
    """

    def __init__(self, **chores: Callable[[], object]) -> None:
        self._chores = chores
        self._failing: set[str] = set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._process = 0

    def start(self) -> None:
        """Start the thread, unless it runs in this process already."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(self._stop,), name="background", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait five seconds at most for its end."""
        self._stop.set()
        if self._thread is not None and self._process == os.getpid():
            self._thread.join(5)
            self._process = 0

    def run_once(self) -> None:
        """Run every chore once, whether or not others fail."""
        for name, chore in self._chores.items():
            try:
                chore()
            except Exception as error:
                words = name.replace("_", " ")
                if name not in self._failing:
                    log.warning("%s failed and is tried again: %s", words, type(error).__name__)
                self._failing.add(name)
            else:
                if name in self._failing:
                    log.info("%s works again", name.replace("_", " "))
                self._failing.discard(name)

    def _run(self, stop: threading.Event) -> None:
        while True:
            self.run_once()
            if stop.wait(INTERVAL):
                return
