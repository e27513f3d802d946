"""Send events through Redis to Celery's workers, which answer each chat's events in order.

An event is put on its chat's list, and a task says "empty this chat's list". One worker at a time holds a chat, so a
second task finds the list empty or the chat held, and ends at once. Redis may lose everything at any moment: what is
not answered is in the record of pending events (bot/dispatch/pending.py).
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bot.dispatch.pending import PendingEvent
from bot.runtime import metrics
from bot.runtime.circuit_breaker import CircuitBreaker
from bot.runtime.work_queue import NAME, OUTAGE, TASK_LIFE, celery_app, connect

TASK = "janroku.answer"
WAITING = 2_000  # tasks that may wait
PER_CHAT = 50  # events of one chat that may wait
HELD = 5  # seconds a chat stays held after its worker's last sign of life
TURN = 20.0  # seconds one task works on a chat before other chats have their turn
_RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"
log = logging.getLogger(__name__)


class RedisQueue:
    """The way from the web process to the workers, and a worker's way through a chat's list. Safe in threads."""

    def __init__(self, url: str, app: Any = None) -> None:
        """`url` is Redis's address. `app` is the worker's Celery app; the web process makes one."""
        self._redis = connect(url)
        self._app = app or celery_app(url)
        self._breaker = CircuitBreaker("redis", failures=2, pause=3.0)
        self._held: dict[str, None] = {}  # the chats this process holds, by Redis's key

    def send(self, chat: str, pending: PendingEvent) -> bool:
        """Hand an event to the workers. Return False when Redis is out of reach or too much waits."""
        if not self._breaker.allow():
            return False
        try:
            look: Any = self._redis.pipeline(transaction=False)
            waiting = look.llen(NAME).llen(_list(chat)).execute()
            metrics.waiting("queue", int(waiting[0]))
            if waiting[0] < WAITING and waiting[1] < PER_CHAT:
                item = json.dumps([pending.key, pending.value])
                put: Any = self._redis.pipeline()
                put.rpush(_list(chat), item).expire(_list(chat), TASK_LIFE).execute()
                self._call(chat)
                self._breaker.worked()
                return True
        except OUTAGE as error:
            self._breaker.failed()
            log.warning("Redis is out of reach, threads answer: %s", type(error).__name__)
            return False
        self._breaker.worked()
        return False

    def work_through(self, chat: str, handle: Callable[[str, str], None]) -> int:
        """Handle a chat's events in order, unless another worker does. Return how many were handled.

        `handle` takes the key and the value of a pending event's record.
        """
        mark, held, done = secrets.token_hex(8), f"{NAME}:held:{chat}", 0
        until = time.monotonic() + TURN
        while self._redis.llen(_list(chat)):
            if not self._redis.set(held, mark, nx=True, ex=HELD):
                return done  # the worker that holds the chat looks at the list again before it ends
            self._held[held] = None
            try:
                while time.monotonic() < until and (item := self._redis.lpop(_list(chat))):
                    handle(*json.loads(item))
                    done += 1
            finally:
                self._held.pop(held, None)
                with suppress(*OUTAGE):
                    self._redis.eval(_RELEASE, 1, held, mark)
            if time.monotonic() >= until:
                self._call(chat)
                break
        return done

    def hold(self) -> None:
        """Renew the hold on the chats this process is at work on. A chore of the background loop."""
        with suppress(*OUTAGE):
            for held in list(self._held):
                self._redis.expire(held, HELD)

    def _call(self, chat: str) -> None:
        self._app.send_task(TASK, args=[chat], queue=NAME, expires=TASK_LIFE)

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()
        self._app.close()


def _list(chat: str) -> str:
    return f"{NAME}:chat:{chat}"
