"""Redis and Dramatiq, the engine that gives work to the worker processes
(https://dramatiq.io/guide.html).

A message is a number or an id. What is to be done is in the database, so Redis may lose everything:
a lost message delays work, and a doubled one meets a claim (storage/events.py). Shown by
tests/sync/test_queue_sync.py.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import redis
from dramatiq import Actor, Worker
from dramatiq.brokers.redis import RedisBroker
from dramatiq.errors import ConnectionClosed, Retry
from dramatiq.middleware import AgeLimit, Retries, TimeLimit
from redis.backoff import NoBackoff
from redis.retry import Retry as Tries

from bot.runtime.circuit_breaker import CircuitBreaker

NAME = "janroku"  # with which all keys begin
HANGS = 1.0  # seconds a sender waits for Redis, and everybody for a connection to it
WAITS = 2.0  # seconds a worker does
LOOK = 50  # milliseconds after which an idle worker looks for messages at the latest
OLD = 3600_000  # milliseconds after which a message is dropped, by two processes' clocks
RETRIES = 3
OUTAGE = (redis.RedisError, ConnectionClosed, OSError)  # what is raised when Redis is out of reach
log = logging.getLogger(__name__)


class Sender:
    """Sends messages to the workers. Safe in threads and after a fork."""

    def __init__(self, url: str) -> None:
        self._broker = _broker(url, HANGS)
        self._breaker = CircuitBreaker("redis", failures=1, pause=3.0)
        self._actors: dict[str, Actor[..., None]] = {}

    def send(
        self,
        task: str,
        word: str | int,
        time_limit: float | None = None,
    ) -> bool:
        """Send a word for a kind of work, which ends after `time_limit` seconds; False without
        Redis.
        """
        if not self._breaker.allow():
            return False
        if task not in self._actors:
            self._actors[task] = _actor(self._broker, task, 0, _done_by_workers)
        options: dict[str, Any] = {}
        if time_limit is not None:
            options["time_limit"] = round(1000 * time_limit)
        try:
            self._actors[task].send_with_options(args=(word,), **options)
        except OUTAGE as error:
            self._breaker.failed()
            log.warning("Redis is out of reach, threads answer: %s", type(error).__name__)
            return False
        self._breaker.worked()
        return True

    def close(self) -> None:
        self._broker.client.close()


def _done_by_workers(word: object) -> None:
    """Does nothing: a sender's process takes no messages."""


class TryAgain(Retry):
    """The work could not be done now.

    The engine brings the message again after seconds, at most RETRIES times
    (tests/runtime/test_work_queue.py::test_any_word_arrives_unchanged_and_again_if_needed). What
    fails for longer stays in the database, where it is found again.
    """


def work(
    url: str,
    tasks: Mapping[str, Callable[[Any], None]],
    threads: int,
) -> Worker:
    """Begin to take messages, in threads of this process, and return the worker, which has a method
    `stop`. `tasks` has the function that each kind of message calls with the message's word, the
    most urgent kind first."""
    broker = _broker(url, WAITS)
    for priority, (task, do) in enumerate(tasks.items()):
        _actor(broker, task, priority, do)
    broker.emit_after("process_boot")
    worker = Worker(broker, worker_threads=threads, worker_timeout=LOOK)
    worker.start()
    return worker


def connect(url: str, seconds: float = WAITS) -> Any:
    """Return a client that waits `seconds` for an answer, and then gives up, so that threads answer
    instead.

    It tries a connection that is broken, perhaps of old age, once more at once. Over TLS any
    certificate will do, because Heroku's Redis has one that nobody has signed
    (https://devcenter.heroku.com/articles/connecting-heroku-redis); `?ssl_cert_reqs=required` wants
    one."""
    again = Tries(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    tls: dict[str, str] = {}
    if url.startswith("rediss://"):
        tls = {"ssl_cert_reqs": "none"}  # the address's own options prevail
    limits = {"socket_timeout": seconds, "socket_connect_timeout": HANGS}
    return redis.Redis.from_url(url, retry=again, **limits, **tls)


def _broker(url: str, seconds: float) -> RedisBroker:
    def is_wanted(retries: int, error: BaseException) -> bool:
        return isinstance(error, TryAgain) and retries < RETRIES

    limits = [
        AgeLimit(max_age=OLD),
        TimeLimit(time_limit=float("inf")),
        Retries(retry_when=is_wanted),
    ]
    return RedisBroker(client=connect(url, seconds), namespace=NAME, middleware=limits)


def _actor(
    broker: RedisBroker, task: str, priority: int, do: Callable[..., None]
) -> Actor[..., None]:
    options = {"max_retries": RETRIES, "min_backoff": 1000}
    return Actor(
        do, broker=broker, actor_name=task, queue_name=task, priority=priority, options=options
    )
