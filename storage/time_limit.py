"""End the connections that are in use for too long: a limit of the client's own, which holds while the server
is stopped.

The kernel keeps a stopped server's connections and acknowledges what is sent there. So neither a limit of the
server nor one of TCP ends a call; a socket that is shut down does.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, event

UNTIL = "until"
"""The end of a connection's present use in a connection's `info`, in seconds of time.monotonic()."""
_LOOK = 0.5  # seconds between looks at the connections in use
_IDLE = 60.0  # seconds without a use after which the thread ends; the next use begins another


class TimeLimit:
    """Shuts down the sockets of an engine's connections that are in use for more than `seconds` at a stretch.

    Whoever waits for such a connection gets the driver's error. Safe in threads; the engine belongs to one
    process.
    """

    def __init__(self, engine: Engine, seconds: float) -> None:
        self._seconds = seconds
        self._used: dict[Any, tuple[int, dict[Any, Any]]] = {}  # connection -> its socket and its `info`
        self._last = 0.0
        self._watching = False
        self._lock = threading.Lock()
        # First of all listeners: those that follow use the connection too.
        event.listen(engine, "connect", self._begin, insert=True)
        event.listen(engine, "checkout", self._begin, insert=True)
        event.listen(engine, "checkin", self._end)
        event.listen(engine, "close", self._end)

    def _begin(self, connection: Any, record: Any, *_: Any) -> None:
        with suppress(Exception):  # a connection that is closed already has no socket, and does not hang
            file = connection.fileno()
            with self._lock:
                self._last = time.monotonic()
                record.info[UNTIL] = self._last + self._seconds
                self._used[connection] = file, record.info
                if not self._watching:
                    self._watching = True
                    threading.Thread(target=self._watch, name="limit", daemon=True).start()

    def _end(self, connection: Any, _record: Any) -> None:
        with self._lock:
            self._used.pop(connection, None)

    def _watch(self) -> None:
        while True:
            time.sleep(_LOOK)
            now = time.monotonic()
            with self._lock:  # until it is released no connection in use is closed, so each has its socket
                for connection, (file, info) in list(self._used.items()):
                    if now > info[UNTIL]:
                        del self._used[connection]
                        with suppress(OSError), socket.socket(fileno=os.dup(file)) as its_socket:
                            its_socket.shutdown(socket.SHUT_RDWR)
                if not self._used and now - self._last > _IDLE:
                    self._watching = False
                    return
