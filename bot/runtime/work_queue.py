"""Redis and Celery: the connection, the app, and a watch that makes a stuck worker connect anew."""

from __future__ import annotations

from typing import Any

import redis
from celery import Celery, bootsteps
from celery.worker import state
from kombu.exceptions import KombuError
from redis.backoff import NoBackoff
from redis.retry import Retry

NAME = "janroku"  # the queue's name, with which all keys begin
TASK_LIFE = 60  # seconds a task is kept: as long as a reply token lives
LIMIT = 55  # seconds after which a task is ended
EVERY = 2.0  # seconds between looks at a worker's connection
OUTAGE = (redis.RedisError, KombuError, OSError)  # what is raised when Redis is out of reach


def celery_app(url: str) -> Celery:
    """Return a Celery app for taps: one at a time and acknowledged when done, no results, no retry when publishing."""
    app = Celery(NAME, broker=url, set_as_current=False)
    app.conf.update(
        task_default_queue=NAME,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_soft_time_limit=LIMIT - 5,
        task_time_limit=LIMIT,
        task_publish_retry=False,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=2,
        broker_transport_options={
            "visibility_timeout": TASK_LIFE,
            "socket_timeout": 5,
            "socket_connect_timeout": 1,
            "max_retries": 0,
        },
    )
    app.steps["consumer"].add(ConnectionWatch)
    return app


class ConnectionWatch(bootsteps.StartStopStep):  # type: ignore[misc]
    """Makes a worker connect anew when twice in a row it takes no task and has none.

    A task is acknowledged when it is done. If Redis is away at that moment, Celery logs the failure and kombu goes on
    counting the task as under way. Once kombu counts as many tasks as the worker may hold, the worker asks Redis for no
    more. Then it notices neither that its connection is lost nor that Redis is back (the same as
    https://github.com/celery/kombu/issues/1125).
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._timer: Any = None
        self._deaf = False

    def start(self, consumer: Any) -> None:
        """Begin to look every `EVERY` seconds, with each new connection."""
        self._deaf = False
        self._timer = consumer.timer.call_repeatedly(EVERY, self._look, (consumer,))

    def stop(self, consumer: Any) -> None:
        """Stop looking when the connection ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self, consumer: Any) -> None:
        was, self._deaf = self._deaf, _deaf(consumer)
        if was and self._deaf:
            raise ConnectionError("tasks could not be acknowledged")


def _deaf(consumer: Any) -> bool:
    return not state.reserved_requests and not consumer.task_consumer.channel.qos.can_consume()


def connect(url: str) -> Any:
    """Return a client that tries once more at once and then gives up, so that threads answer instead.

    The second try is for a connection that has grown old.
    """
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1))


def ping(url: str) -> None:
    """Ask Redis whether it is there. Raises ConnectionError, without Redis's password, when it is not."""
    client = connect(url)
    try:
        client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise ConnectionError(
            f"Redis can't be reached ({type(error).__name__}): is the address right, and does it run?"
        ) from None
    finally:
        client.close()
