"""Send events through Redis to the workers. What Redis loses is in the record of pending events (bot/dispatch/pending.py)."""

from __future__ import annotations

from bot.answers.catalogue import CATALOGUE
from bot.dispatch.pending import PendingEvent
from bot.runtime.work_queue import Sender, Task

# A tap's own time is looked at when it is answered (bot/dispatch/pending.py): two processes' clocks may differ.
TAP = Task("tap", "queue", life=None, share=2)
# Answers that take seconds have two of sixteen threads.
LONG = Task("long", "queue_long", life=None, share=0.125, priority=5)
SLOW = frozenset(name for name, spec in CATALOGUE.items() if spec.slow)


class RedisQueue:
    """The way from the web process to the workers. A message is the key and the value of an event's record. Safe in threads."""

    def __init__(self, url: str) -> None:
        """`url` is Redis's address."""
        self._taps, self._long = Sender(url, TAP), Sender(url, LONG)

    def send(self, pending: PendingEvent) -> bool:
        """Hand an event to the workers. Return False when Redis is out of reach or too much waits."""
        sender = self._long if pending.command.name in SLOW else self._taps
        return sender.send(pending.key, pending.value)

    def close(self) -> None:
        """Close the connections."""
        self._taps.close()
        self._long.close()
