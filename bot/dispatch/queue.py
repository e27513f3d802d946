"""Taps through Redis to Celery's workers, each chat's in the order they came.

A tap lies in its chat's own list; a task says "empty this chat's list". One worker at a time holds a chat, so a second
task finds the list empty or held and ends at once. Nothing here needs to survive: the record of taps does (bot/dispatch/pending.py),
so Redis may lose everything at any moment.
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import redis
from celery import Celery
from kombu.exceptions import KombuError
from redis.backoff import NoBackoff
from redis.retry import Retry

from bot.dispatch.pending import Tap, read_tap
from bot.runtime import metrics
from bot.runtime.circuit_breaker import Breaker
from bot.runtime.queue_watch import Watch

NAME = "janroku"  # the queue, and what all keys start with
TASK = "janroku.answer"
WAITING = 2_000  # tasks that may wait
PER_CHAT = 50  # taps of one chat that may wait
KEPT = 60  # seconds a list is kept: as long as a reply token lives
HELD = 5  # seconds a chat stays held when its worker shows no more life
TURN = 20.0  # seconds one task works on a chat before others have their turn
LIMIT = 55  # seconds after which a task is ended
_RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"
log = logging.getLogger(__name__)


def celery_app(url: str) -> Celery:
    """Celery as taps need it: one at a time and acknowledged when done, no results, nothing retried when publishing."""
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
            "visibility_timeout": KEPT,
            "socket_timeout": 5,
            "socket_connect_timeout": 1,
            "max_retries": 0,
        },
    )
    app.steps["consumer"].add(Watch)
    return app


class Queue:
    """The way from the web process to the workers, and within a worker through a chat's list. Safe in threads."""

    def __init__(self, url: str, app: Celery | None = None) -> None:
        self._redis = connect(url)
        self._app = app or celery_app(url)
        self._breaker = Breaker("redis", failures=2, pause=3.0)
        self._held: dict[str, None] = {}  # what this process holds

    def send(self, chat: str, tap: Tap) -> bool:
        """Hand a tap over; False where Redis is out of reach or too much is waiting."""
        if not self._breaker.allow():
            return False
        try:
            look: Any = self._redis.pipeline(transaction=False)
            waiting = look.llen(NAME).llen(_list(chat)).execute()
            metrics.waiting("queue", int(waiting[0]))
            if waiting[0] < WAITING and waiting[1] < PER_CHAT:
                item = json.dumps([tap.key, tap.value])
                put: Any = self._redis.pipeline()
                put.rpush(_list(chat), item).expire(_list(chat), KEPT).execute()
                self._call(chat)
                self._breaker.worked()
                return True
        except (redis.RedisError, KombuError, OSError) as error:
            self._breaker.failed()
            log.warning("Redis is out of reach, threads answer: %s", type(error).__name__)
            return False
        self._breaker.worked()
        return False

    def work_through(self, chat: str, handle: Callable[[Tap], None]) -> int:
        """Handle a chat's taps in their order unless another worker does; how many."""
        mark, held, done = secrets.token_hex(8), f"{NAME}:held:{chat}", 0
        until = time.monotonic() + TURN
        while self._redis.llen(_list(chat)):
            if not self._redis.set(held, mark, nx=True, ex=HELD):
                return done  # the one who holds the chat looks again before he ends
            self._held[held] = None
            try:
                while time.monotonic() < until and (item := self._redis.lpop(_list(chat))):
                    handle(read_tap(*json.loads(item)))
                    done += 1
            finally:
                self._held.pop(held, None)
                with suppress(redis.RedisError):
                    self._redis.eval(_RELEASE, 1, held, mark)
            if time.monotonic() >= until:
                self._call(chat)
                break
        return done

    def hold(self) -> None:
        """Keep hold of the chats this process is at work on (asked every other second)."""
        with suppress(redis.RedisError):
            for held in list(self._held):
                self._redis.expire(held, HELD)

    def _call(self, chat: str) -> None:
        self._app.send_task(TASK, args=[chat], queue=NAME, expires=KEPT)

    def close(self) -> None:
        """Hang up."""
        self._redis.close()
        self._app.close()


def connect(url: str) -> Any:
    """A client that tries once more at once (its connection may be an old one) and then gives up: threads answer instead."""
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1))


def ping(url: str) -> None:
    """Ask Redis whether it is there. ConnectionError, without its password, where it is not."""
    client = connect(url)
    try:
        client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise ConnectionError(
            f"Redis can't be reached ({type(error).__name__}): is the address right, and does it run?"
        ) from None
    finally:
        client.close()


def _list(chat: str) -> str:
    return f"{NAME}:chat:{chat}"


def worker_errors() -> tuple[type[Exception], ...]:
    """What a worker meets when Redis goes."""
    found: tuple[Any, ...] = (redis.RedisError, KombuError, OSError)
    return found
