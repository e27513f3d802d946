"""A stand-in for a watcher outside, such as healthchecks.io."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

from tests.fakes.http import Handler, serving


@contextmanager
def watcher(status: int = 200) -> Iterator[tuple[str, list[str]]]:
    heard: list[str] = []

    class Watcher(Handler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.answer(status)

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Watcher)) as url:
        yield f"{url}/ping/0123-secret", heard
