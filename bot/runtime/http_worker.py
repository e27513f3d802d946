"""The web processes' worker for gunicorn: its worker of threads, with time limits for requests.

Gunicorn's own worker reads a request and writes its answer on a thread that waits for the client as
long as the client likes, and no setting of gunicorn limits that. A worker class of one's own is the
documented way to do it (https://docs.gunicorn.org/en/stable/settings.html#worker-class). An
asynchronous worker would need another interface than WSGI or replace Python's threads.
"""

from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from bot.runtime.connections import ANSWERING, CONNECTIONS, READING


class TimedThreadWorker(ThreadWorker):  # type: ignore[misc]
    """Gunicorn's worker of threads. A request's body is limited by the app, which reads it."""

    def handle(self, conn: Any) -> Any:
        """Read a request's head and answer the request, on a thread of the pool."""
        with CONNECTIONS.limit(conn.sock, READING):
            return super().handle(conn)

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request whose head has been read."""
        CONNECTIONS.renew(conn.sock, ANSWERING)
        return super().handle_request(req, conn)
