"""The loop of a process's chores."""

import logging
import threading
from collections.abc import Callable

INTERVAL = 1.5  # seconds between two rounds of chores
log = logging.getLogger(__name__)


class BackgroundLoop:
    """Runs its chores in order every INTERVAL seconds until stopped, next to a process's taps. The
    log gets a line with a chore's name when it begins to fail, and one when it works again."""

    def __init__(self, **chores: Callable[[], object]) -> None:
        self._chores = chores
        self._failing = set[str]()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def start(self) -> None:
        """Once."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and wait five seconds at most for its end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def run_once(self) -> None:
        for name, chore in self._chores.items():
            words = name.replace("_", " ")
            try:
                chore()
            except Exception as error:
                if name not in self._failing:
                    log.warning("%s failed and is tried again: %s", words, type(error).__name__)
                self._failing.add(name)
            else:
                if name in self._failing:
                    log.info("%s works again", words)
                self._failing.discard(name)

    def _run(self) -> None:
        self.run_once()
        while not self._stop.wait(INTERVAL):
            self.run_once()
