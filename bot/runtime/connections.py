"""Time limits of connections, so that slow clients give back the threads that they take."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bot.runtime import metrics
from storage.ports import Clock

READING = 5.0  # seconds for a request's head, then for its body; LINE's come in milliseconds
ANSWERING = 60.0  # seconds for the rest: a phone on a slow line may take long for a picture
INTERVAL = 0.5  # seconds between two looks at the limits


class ConnectionLimits:
    """Shuts connections down when their time is up. The thread that reads from such a connection,
    or writes to it, goes on at once. Safe in threads, and in a process that forks before its first
    connection.

    The lock guarantees that a connection whose block has ended is not shut down: it may serve the
    next request (tests/runtime/test_connections.py).
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._ends: dict[socket.socket, float] = {}  # when each one's time is up
        self._lock = threading.Lock()
        self._is_watching = False

    @contextmanager
    def limit(self, connection: socket.socket, seconds: float) -> Iterator[None]:
        """Shut the connection down when the block takes longer than that."""
        with self._lock:
            self._ends[connection] = self._clock() + seconds
            if not self._is_watching:
                self._is_watching = True
                threading.Thread(target=self._watch, name="connections", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                self._ends.pop(connection, None)

    def renew(self, connection: socket.socket | None, seconds: float) -> None:
        """Give a connection that is limited `seconds` from now; ignore any other."""
        with self._lock:
            if connection in self._ends:
                self._ends[connection] = self._clock() + seconds

    def shut_down_late(self) -> None:
        """Shut down the connections whose time is up."""
        now = self._clock()
        with self._lock:
            late = [connection for connection, end in self._ends.items() if end <= now]
            for connection in late:
                del self._ends[connection]
                with suppress(OSError):  # the client has closed it already
                    connection.shutdown(socket.SHUT_RDWR)
        if late:
            metrics.count("slow_connections", len(late))

    def _watch(self) -> None:
        while True:
            time.sleep(INTERVAL)
            self.shut_down_late()


CONNECTIONS = ConnectionLimits()
"""Those of this process."""
