"""A worker that has gone deaf is noticed.

A task is acknowledged when it is done. Where Redis is away at that moment, Celery logs so and kombu goes on counting the task
as under way. When that befalls as many tasks as the worker may hold, it asks Redis for no more, and since it asks nothing
it notices neither that its connection is lost nor that Redis is back (kombu issue 1125 is the like of it).
"""

from __future__ import annotations

from typing import Any

from celery import bootsteps
from celery.worker import state

EVERY = 2.0  # seconds between looks


class Watch(bootsteps.StartStopStep):  # type: ignore[misc]
    """Has the worker connect anew when twice in a row it takes no task and has none."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._timer: Any = None
        self._deaf = False

    def start(self, consumer: Any) -> None:
        """Begin to look, with each new connection."""
        self._deaf = False
        self._timer = consumer.timer.call_repeatedly(EVERY, self._look, (consumer,))

    def stop(self, consumer: Any) -> None:
        """The connection ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self, consumer: Any) -> None:
        was, self._deaf = self._deaf, _deaf(consumer)
        if was and self._deaf:
            raise ConnectionError("tasks could not be acknowledged")


def _deaf(consumer: Any) -> bool:
    return not state.reserved_requests and not consumer.task_consumer.channel.qos.can_consume()
