"""A real Celery worker in threads of this process, so that a test's clock and stand-ins apply to it.

Web and worker share only Redis and the StateStore, as when deployed: a tap takes the whole way, but within one process.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from celery.worker import WorkController, state

from bot.dispatch.queue import TASK, RedisQueue
from bot.runtime.work_queue import NAME, celery_app
from bot.service import Service

CONCURRENCY = 2
PATIENCE = 20.0  # seconds to wait for the worker to start, to finish or to stop


class Worker:
    """Answers with the service given to `serving`. A task that comes while there is none does nothing."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._app = celery_app(url)
        self._queue = RedisQueue(url, self._app)
        self._service: Service | None = None
        self._busy = 0
        self._changed = threading.Condition()

        def answer(chat: str) -> None:
            self._answer(chat)

        self._app.task(answer, name=TASK, shared=False)
        self._app.set_default()  # Celery's threads look for their tasks in the default app

    def _answer(self, chat: str) -> None:
        with self._changed:
            service = self._service
            self._busy += service is not None
        if service is None:
            return
        try:
            dispatcher = service.dispatcher
            self._queue.work_through(
                chat, lambda key, value: dispatcher.handle(dispatcher.pending.read(key, value))
            )
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()

    @contextmanager
    def serving(self, service: Service) -> Iterator[None]:
        """Answer with this service. At the end, wait for answers under way and remove all taps from Redis."""
        service.dispatcher.pending.show_alive()
        service.background.add(chats_held=self._queue.hold).start()
        self._service = service
        yield
        with self._changed:
            self._service = None
            assert self._changed.wait_for(lambda: not self._busy, PATIENCE), "a tap is still under way"
        with redis.Redis.from_url(self.url) as client:
            for key in client.scan_iter(f"{NAME}:*"):
                client.delete(key)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run Celery's own worker: enter when it is ready, and stop it at the end."""
        ready = threading.Event()
        controller = WorkController(
            app=self._app,
            pool="threads",
            concurrency=CONCURRENCY,
            hostname="tests",
            without_mingle=True,
            without_gossip=True,
            without_heartbeat=True,
            ready_callback=lambda _: ready.set(),
        )
        thread = threading.Thread(target=controller.start, name="celery", daemon=True)
        thread.start()
        assert ready.wait(PATIENCE), "Celery's worker does not start"
        yield
        state.should_stop = 0
        thread.join(PATIENCE)
        state.should_stop = None
        self._queue.close()


@contextmanager
def worker(url: str) -> Iterator[Worker]:
    """A running worker on the Redis at `url`."""
    for name in ("celery", "kombu"):
        logging.getLogger(name).setLevel(logging.WARNING)
    made = Worker(url)
    with made.running():
        yield made
