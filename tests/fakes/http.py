"""What the stand-ins that speak HTTP share: a server in a thread, and a quiet handler."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def serving(server: Any) -> Iterator[str]:
    """Run a server; the value is its address."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: with two the client's kernel waits for 40 ms
    disable_nagle_algorithm = True

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def relay(target: int, spoilt: Callable[[], object]) -> Iterator[int]:
    """Pass HTTP requests on to a loopback port, or answer 503 where `spoilt` says so, which may also wait; the
    value is the relay's port. S3's signatures cover the address, so it stands in the endpoint."""

    class Relay(Handler):
        def relay(self) -> None:
            body = self.body()
            status, headers, data = 503, [("Content-Type", "text/plain")], b"SlowDown"
            if not spoilt():
                with closing(HTTPConnection("127.0.0.1", target, timeout=10)) as there:
                    there.request(self.command, self.path, body, dict(self.headers.items()))
                    answer = there.getresponse()
                    status, headers, data = answer.status, answer.getheaders(), answer.read()
            self.send_response_only(status)
            for name, value in headers:
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            if self.command != "HEAD":
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_HEAD = do_POST = relay

    server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    with serving(server):
        yield server.server_port
