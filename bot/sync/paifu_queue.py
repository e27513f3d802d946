"""Keep the names of the records (牌譜) that a league's room has told until they are fetched, each once.

A record that is not there yet is asked for again over hours, and then given up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from storage.ports import StateStore, StorageError

AGAIN = tuple(timedelta(minutes=minutes) for minutes in (5, 10, 20, 40, 80, 160, 320, 640))
"""The waits until a record that is not there is asked for again; after the last one it is given up."""
REST = timedelta(minutes=20)  # the wait where Tenhou or the folder can't be reached
SOON = timedelta(minutes=2)  # the wait where another request of ours was under way
_KEY = "tenhou/records/"
_KNOWN = 1000  # ids that are remembered after they were fetched or given up
_REFUSED = 100  # ids that are remembered as given up
_TRIES = 50


@dataclass
class _Queue:
    """`waiting`: by id, when to ask (ISO, aware) and how often it was not there. `known`: ids that are done with.

    `refused`: ids that were given up since the last one that was fetched.
    """

    waiting: dict[str, tuple[str, int]] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def to_text(self) -> str:
        words: dict[str, object] = {"waiting": self.waiting, "known": self.known[-_KNOWN:]}
        return json.dumps(words | ({"refused": self.refused[-_REFUSED:]} if self.refused else {}))

    def forget(self, paifu: str) -> None:
        """Wait for a record no more, and never again."""
        self.waiting.pop(paifu, None)
        if paifu not in self.known:
            self.known.append(paifu)

    @classmethod
    def from_text(cls, text: str | None) -> _Queue:
        data = json.loads(text) if text else {"waiting": {}, "known": []}
        waiting = {name: (due, tries) for name, (due, tries) in data["waiting"].items()}
        return cls(waiting, data["known"], data.get("refused", []))


class PaifuQueue:
    """The records one league waits for. Every method raises StorageError when the store cannot be reached."""

    def __init__(self, state: StateStore, league: str = "") -> None:
        self._state = state
        self._key = _KEY + league

    def put(self, ids: Collection[str], now: datetime) -> None:
        """Wait for these records, except those that were waited for before."""

        def more(queue: _Queue) -> None:
            for paifu in ids:
                if paifu not in queue.known:
                    queue.waiting.setdefault(paifu, (now.isoformat(), 0))

        if ids:
            self._change(more)

    def due(self, now: datetime) -> list[str]:
        """Return the ids to ask for now, the oldest first."""
        queue = _Queue.from_text(self._state.get(self._key))
        return sorted(name for name, (at, _) in queue.waiting.items() if datetime.fromisoformat(at) <= now)

    def done(self, paifu: str) -> None:
        """Note that a record was fetched."""

        def less(queue: _Queue) -> None:
            queue.forget(paifu)
            queue.refused.clear()

        self._change(less)

    def refused(self) -> list[str]:
        """Return the ids that were given up since the last record that was fetched, the latest last."""
        return _Queue.from_text(self._state.get(self._key)).refused

    def next(self) -> datetime | None:
        """Return when the next record is to be asked for (aware), None where none is waited for."""
        queue = _Queue.from_text(self._state.get(self._key))
        return min((datetime.fromisoformat(at) for at, _ in queue.waiting.values()), default=None)

    def later(self, paifus: Collection[str], now: datetime, wait: timedelta = REST) -> None:
        """Ask for these after `wait`."""

        def moved(queue: _Queue) -> None:
            for paifu in paifus:
                if paifu in queue.waiting:
                    queue.waiting[paifu] = ((now + wait).isoformat(), queue.waiting[paifu][1])

        self._change(moved)

    def lacking(self, paifu: str, now: datetime) -> bool:
        """Note that a record is not there, and return whether it is asked for again."""
        again = True

        def tried(queue: _Queue) -> None:
            nonlocal again
            tries = queue.waiting.get(paifu, ("", 0))[1]
            again = tries < len(AGAIN)
            if again:
                queue.waiting[paifu] = ((now + AGAIN[tries]).isoformat(), tries + 1)
            else:
                queue.forget(paifu)
                queue.refused.append(paifu)

        self._change(tried)
        return again

    def _change(self, work: Callable[[_Queue], None]) -> None:
        for _ in range(_TRIES):
            text = self._state.get(self._key)
            queue = _Queue.from_text(text)
            work(queue)
            new = queue.to_text()
            if new == text or (
                self._state.add(self._key, new) if text is None else self._state.replace(self._key, text, new)
            ):
                return
        raise StorageError("others kept writing the records that are waited for")


def leagues_with_records(state: StateStore) -> list[str]:
    """Return the leagues that wait for records."""
    found = state.items(_KEY)
    return [key.removeprefix(_KEY) for key, text in found.items() if json.loads(text)["waiting"]]
