"""A real worker of the engine in threads of this process, so that a test's clock and stand-ins
apply to it.

Web and worker share only Redis and the database, as when deployed: a tap takes the whole way, but
within one process.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import redis

from bot.dispatch.dispatcher import TAP
from bot.runtime.work_queue import work
from bot.service import Service
from bot.sync.jobs import LEAGUE
from bot.worker import Calls, calls_of

THREADS = 2
PATIENCE = 20.0  # seconds to wait for the worker to finish or to stop


class Worker:
    """Answers with the service given to `serving`.

    A message that comes while there is none does nothing.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._calls: Calls = {}
        self._busy = 0
        self._changed = threading.Condition()
        self._engine = work(
            url,
            {task: self._doing(task) for task in (TAP, LEAGUE)},
            THREADS,
        )

    def _doing(self, task: str) -> Callable[[Any], None]:
        def do(word: Any) -> None:
            with self._changed:
                call = self._calls.get(task)
                if call is None:
                    return
                self._busy += 1
            try:
                call(word)
            finally:
                with self._changed:
                    self._busy -= 1
                    self._changed.notify_all()

        return do

    @contextmanager
    def serving(self, service: Service) -> Iterator[None]:
        """Answer with this service. At the end, wait for answers under way and empty Redis."""
        service.dispatcher.pending.show_alive()
        service.background.start()
        self._calls = calls_of(service)
        yield
        with self._changed:
            self._calls = {}
            assert self._changed.wait_for(lambda: not self._busy, PATIENCE), (
                "a tap is still under way"
            )
        with redis.Redis.from_url(self.url) as client:
            client.flushdb()

    def stop(self) -> None:
        self._engine.stop(timeout=round(1000 * PATIENCE))


@contextmanager
def worker(url: str) -> Iterator[Worker]:
    """A running worker on the Redis at `url`."""
    logging.getLogger("dramatiq").setLevel(logging.CRITICAL)
    made = Worker(url)
    yield made
    made.stop()
