"""Clients that open connections to a service, send a part of a request, and wait."""

import selectors
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

HEAD = b"POST /callback HTTP/1.1\r\nHost: bot.example\r\n"
BODY = HEAD + b"Content-Length: 1000\r\n\r\n{"
CHUNK = HEAD + b"Transfer-Encoding: chunked\r\n\r\n3e8\r\n{"
SILENT = b""


class SlowClients:
    """Connections that stay as they are until the service closes them; then the same is tried
    again.

    `ended` counts the connections that the service has closed.
    """

    def __init__(self, port: int, starts: Sequence[bytes]) -> None:
        """`starts` is what each connection sends."""
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._stopped = threading.Event()
        self.ended = 0
        for start in starts:
            self._open(start)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _open(self, start: bytes) -> None:
        connection = socket.socket()
        connection.connect(("127.0.0.1", self._port))
        connection.sendall(start)
        connection.setblocking(False)
        self._selector.register(connection, selectors.EVENT_READ, start)

    def _run(self) -> None:
        while not self._stopped.is_set():
            for key, _ in self._selector.select(0.1):
                self._look(key)

    def _look(self, key: selectors.SelectorKey) -> None:
        connection = key.fileobj
        assert isinstance(connection, socket.socket)
        try:
            is_open = bool(connection.recv(65536))
        except ConnectionError:
            is_open = False
        if not is_open:
            self._selector.unregister(connection)
            connection.close()
            self.ended += 1
            self._open(key.data)

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(5)
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


@contextmanager
def slow_clients(port: int, starts: Sequence[bytes]) -> Iterator[SlowClients]:
    clients = SlowClients(port, starts)
    try:
        yield clients
    finally:
        clients.stop()
