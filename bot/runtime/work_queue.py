"""Redis and Dramatiq, the engine that gives work to the worker processes: messages out, messages done, and nothing kept.

Redis may lose everything at any moment. Whoever sends a message keeps a record of the work elsewhere, so a message only
says that there is some. The engine drops a message that is too old, ends work that takes too long, tries again what asks for it,
and hands out once more what a dead process had (https://dramatiq.io/guide.html).
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
import redis
from dramatiq import Actor, JSONEncoder, Message, Worker, set_encoder
from dramatiq.broker import Consumer, MessageProxy
from dramatiq.brokers.redis import RedisBroker, _RedisConsumer
from dramatiq.encoder import MessageData
from dramatiq.errors import ConnectionClosed, Retry
from dramatiq.middleware import AgeLimit, Retries, TimeLimit
from redis.backoff import NoBackoff
from redis.retry import Retry as Tries

from bot.runtime import metrics
from bot.runtime.circuit_breaker import CircuitBreaker
from storage.together import Together

NAME = "janroku"  # with which all keys begin
DEAD = 5.0  # seconds after a process's last sign of life until its messages are handed out again
LIVING = 15.0  # the same until it is told to be dead; a process that waits shows itself every five seconds
MAINTENANCE = 1_000_000  # of a million commands, how many look for dead processes; it costs microseconds
DROPPED = 60.0  # seconds a dropped message is kept
COUNTED = 0.25  # seconds between counts of the waiting messages of a full queue
TOGETHER = 8  # messages that are done are forgotten together
LINGER = 0.2  # seconds without a new message after which they are forgotten however few they are
HANGS = 1.0  # seconds a sender waits for Redis, and everybody for a connection to it
WAITS = 2.0  # seconds a worker does; it waits a second for the next message
GATHER = 0.003  # seconds in which messages that come one after the other are fetched together
FORGET = """for _, id in ipairs(ARGV) do
  if redis.call("srem", KEYS[1], id) > 0 then redis.call("hdel", KEYS[2], id) end
end"""  # as Dramatiq's own script does for one message
RETRIES = 3
OUTAGE = (redis.RedisError, ConnectionClosed, OSError)  # what is raised when Redis is out of reach
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of work, with a queue of its own.

    A message older than `life` seconds by the clock of the process that has it is dropped; None: never. A process has at most `share` messages in hand for each of its threads.
    Lower `priority` goes first. At most `waiting` messages wait in Redis; `place` is their name in the metrics.
    """

    name: str
    place: str
    life: float | None
    share: float
    priority: int = 0
    waiting: int = 2_000


class Sender:
    """Sends messages of one kind to the workers. Safe in threads and after a fork.

    Messages of several threads go in one command. They are written as Dramatiq's broker writes them.
    """

    def __init__(self, url: str, task: Task) -> None:
        """`url` is Redis's address."""
        self._task = task
        self._client = connect(url, HANGS)
        self._breaker = CircuitBreaker("redis", failures=1, pause=3.0)
        self._waiting, self._counted = 0, float("-inf")
        self._send_all: Together[Message[None], bool] = Together(self._sent)

    def send(self, *words: Any, **options: Any) -> bool:
        """Send a message: words that JSON can hold. Return False when Redis is out of reach or too much waits."""
        name, number = self._task.name, str(uuid.uuid4())
        options["redis_message_id"] = number
        if self._task.life is not None:
            options["max_age"] = round(1000 * self._task.life)
        return self._send_all(Message(name, name, words, {}, options, message_id=number))

    def _sent(self, messages: list[Message[None]]) -> list[bool]:
        """Send the messages together. Return for each whether Redis has it."""
        if not self._breaker.allow():
            return [False] * len(messages)
        try:
            room = self._room()
            if room:
                self._push(messages)
        except OUTAGE as error:
            self._breaker.failed()
            log.warning("Redis is out of reach, threads answer: %s", type(error).__name__)
            room = False
        else:
            self._breaker.worked()
        return [room] * len(messages)

    def _push(self, messages: list[Message[None]]) -> None:
        queue = f"{NAME}:{self._task.name}"
        contents = {message.message_id: message.encode() for message in messages}
        with self._client.pipeline() as both:
            both.hset(f"{queue}.msgs", mapping=contents)
            both.rpush(queue, *contents)
            _, waiting = both.execute()
        self._note(waiting)

    def _room(self) -> bool:
        """Whether another message may wait. Where the queue was full, they are counted again COUNTED seconds later."""
        if self._waiting >= self._task.waiting and time.monotonic() - self._counted > COUNTED:
            self._note(self._client.llen(f"{NAME}:{self._task.name}"))
        return self._waiting < self._task.waiting

    def _note(self, waiting: int) -> None:
        self._waiting, self._counted = waiting, time.monotonic()
        metrics.waiting(self._task.place, waiting)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


class TryAgain(Retry):
    """The work could not be done now; the engine brings the message again after some seconds, RETRIES times."""


def work(url: str, tasks: Mapping[Task, Callable[..., None]], threads: int) -> Worker:
    """Begin to take messages, in threads of this process, and return the worker, which has a method `stop`.

    `tasks` says what each kind of message calls, with the message's words.
    """
    shares = {task.name: max(1, int(threads * task.share)) for task in tasks}
    broker = _Broker(url, shares)
    for task, do in tasks.items():
        Actor(
            do,
            broker=broker,
            actor_name=task.name,
            queue_name=task.name,
            priority=task.priority,
            options={"max_retries": RETRIES, "min_backoff": 1000},
        )
    broker.emit_after("process_boot")
    worker = Worker(broker, worker_threads=threads)
    worker.start()
    return worker


class _Broker(RedisBroker):
    """Dramatiq's own broker, with a bound on what a process has in hand of each queue (`shares`)."""

    def __init__(self, url: str, shares: Mapping[str, int] | None = None) -> None:
        super().__init__(
            client=connect(url),
            namespace=NAME,
            middleware=[AgeLimit(), TimeLimit(time_limit=float("inf")), Retries(retry_when=_asked_for)],
            heartbeat_timeout=round(1000 * DEAD),
            maintenance_chance=MAINTENANCE,
            dead_message_ttl=round(1000 * DROPPED),
        )
        self._shares = shares or {}
        self._done: dict[str, deque[str]] = {}
        self._forget = self.client.register_script(FORGET)

    def consume(self, queue_name: str, prefetch: int = 1, timeout: int = 5000) -> Consumer:
        """Take messages of a queue. What is under way counts, so the share bounds the threads at work on it."""
        if queue_name not in self._shares:
            return super().consume(queue_name, prefetch, timeout)  # messages to be tried again
        return _Waiting(self, queue_name, self._shares[queue_name], timeout)

    def done(self, queue_name: str) -> deque[str]:
        """Return the messages of a queue that are done and not forgotten. They outlive a lost connection."""
        return self._done.setdefault(queue_name, deque())

    def forget(self, queue_name: str) -> None:
        """Have Redis forget the messages that are done, together."""
        done = self.done(queue_name)
        if ids := [done.popleft() for _ in range(len(done))]:
            try:
                self._forget(
                    [f"{NAME}:__acks__.{self.broker_id}.{queue_name}", f"{NAME}:{queue_name}.msgs"], ids
                )
            except BaseException:
                done.extend(ids)
                raise


class _Waiting(_RedisConsumer):
    """Dramatiq's own consumer, which waits for room and for the next message instead of asking again and again.

    Dramatiq's sleeps when it has as many messages in hand as it may have, and longer each time; meanwhile its threads run out of
    work. It also fetches one message for each that is done, and says so of each; this one fetches a quarter of the share at
    once, and while its threads have work it waits a moment for more. What is done is forgotten together, at the latest
    when nothing has come for LINGER: a message that is handed out again, because the process has died meanwhile, finds its
    work done.
    """

    def __init__(self, broker: _Broker, queue_name: str, prefetch: int, timeout: int) -> None:
        super().__init__(broker, queue_name, prefetch, timeout)
        self._few = prefetch - max(1, prefetch // 4)
        self._room = threading.Event()
        self._all = False  # whether the last fetch brought all that waited

    def __next__(self) -> Any:
        if not self.message_cache and not (self._has_room() and self._fetched()):
            return None  # the engine's thread looks whether it shall end, and asks again
        return super().__next__()

    def _has_room(self) -> bool:
        """Wait until few messages are in hand, for a second at most. Return whether it is so."""
        self._room.clear()
        return self.outstanding_message_count <= self._few or self._room.wait(self.timeout / 1000)

    def _fetched(self) -> bool:
        """Fetch messages, or wait until there is one. Return whether there are any."""
        broker, key = self.broker, f"{NAME}:{self.queue_name}"
        try:
            waits = True
            if self._all:
                waits = broker.client.blmove(
                    key, key, self.timeout / 1000, "LEFT", "LEFT"
                )  # it changes nothing
                if waits and self.queued_message_ids:
                    time.sleep(GATHER)
            if not waits or len(broker.done(self.queue_name)) >= TOGETHER:
                broker.forget(self.queue_name)
            room = self.prefetch - self.outstanding_message_count
            self.message_cache = broker.do_fetch(self.queue_name, room)
        except redis.ConnectionError as error:
            raise ConnectionClosed(error) from None
        self._all = len(self.message_cache) < room
        return bool(self.message_cache)

    def ack(self, message: Any) -> None:
        """Note that a message is done."""
        self.broker.done(self.queue_name).append(message.options["redis_message_id"])
        self.queued_message_ids.discard(message.message_id)
        self._left()

    def nack(self, message: Any) -> None:
        """Forget a message that failed."""
        super().nack(message)
        self._left()

    def _left(self) -> None:
        if self.outstanding_message_count <= self._few:
            self._room.set()

    def close(self) -> None:
        """Have Redis forget what is done. Where it is out of reach, the messages are handed out again."""
        with suppress(*OUTAGE):
            self.broker.forget(self.queue_name)


class _Json(JSONEncoder):
    """Dramatiq's own encoder, in a quarter of the time. What orjson refuses, such as half a surrogate pair, is left to it."""

    def encode(self, data: MessageData) -> bytes:
        """See dramatiq.Encoder."""
        try:
            return orjson.dumps(data)
        except TypeError:
            return super().encode(data)

    def decode(self, data: bytes) -> MessageData:
        """See dramatiq.Encoder."""
        try:
            found: MessageData = orjson.loads(data)
        except ValueError:
            return super().decode(data)
        return found


set_encoder(_Json())


def _asked_for(retries: int, error: BaseException) -> bool:
    return isinstance(error, TryAgain) and retries < RETRIES


def log_without_words(handlers: Iterable[logging.Handler]) -> None:
    """Have the engine's warnings and errors logged with the ids of messages, whose words are members' talk."""
    logging.getLogger("dramatiq").setLevel(logging.WARNING)
    for handler in handlers:
        handler.addFilter(_with_ids)


def _with_ids(record: logging.LogRecord) -> bool:
    """Put `KIND ID` in the place of a message in a record's values. A filter; it keeps every record."""
    if record.name.startswith("dramatiq") and isinstance(record.args, tuple):
        record.args = tuple(
            f"{value.actor_name} {value.message_id}" if isinstance(value, MessageProxy | Message) else value
            for value in record.args
        )
    return True


def connect(url: str, seconds: float = WAITS) -> Any:
    """Return a client that waits `seconds` for an answer, and then gives up, so that threads answer instead.

    It tries a connection that is broken, perhaps of old age, once more at once.
    """
    again = Tries(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    return redis.Redis.from_url(url, socket_timeout=seconds, socket_connect_timeout=HANGS, retry=again)


def living_workers(url: str) -> int:
    """Return how many worker processes have shown within LIVING that they live. Raises one of OUTAGE without Redis."""
    client = connect(url)
    try:
        since = 1000 * (time.time() - LIVING)
        return int(client.zcount(f"{NAME}:__heartbeats__", since, "+inf"))
    finally:
        client.close()
