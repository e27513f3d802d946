"""Bounded caches: one shared by leagues, where a busy league displaces its own values; one by an object's identity."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class SharedCache(Generic[V]):
    """At most `most` values of all owners together. Safe in threads.

    When it is full, the owner with the most values loses the value it used longest ago.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._owners: OrderedDict[str, OrderedDict[Hashable, V]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, owner: str, key: Hashable) -> V | None:
        """Return the value, or None."""
        with self._lock:
            values = self._owners.get(owner)
            if values is None or key not in values:
                return None
            self._owners.move_to_end(owner)
            values.move_to_end(key)
            return values[key]

    def put(self, owner: str, key: Hashable, value: V) -> None:
        """Keep the value, and drop another one if there are too many."""
        with self._lock:
            values = self._owners.setdefault(owner, OrderedDict())
            self._owners.move_to_end(owner)
            self._count += key not in values
            values[key] = value
            while self._count > self._most:
                self._drop_one()

    def forget(self, owner: str) -> None:
        """Drop all values of an owner."""
        with self._lock:
            self._count -= len(self._owners.pop(owner, ()))

    def __len__(self) -> int:
        return self._count

    def _drop_one(self) -> None:
        """Drop the oldest value of the owner with the most. Of several such owners it is the one idle longest."""
        owner = max(self._owners, key=lambda name: len(self._owners[name]))
        self._owners[owner].popitem(last=False)
        self._count -= 1
        if not self._owners[owner]:
            del self._owners[owner]


class IdentityCache(Generic[K, V]):
    """Values made of objects that must not change. Safe in threads.

    The key is the object itself, not its value, because hashing it may take longer than making the value. When there
    are more than `most` values, the one unused longest is dropped.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        # The object is held beside its value, so that no other object gets its id.
        self._made: OrderedDict[int, tuple[K, V]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, of: K, make: Callable[[K], V]) -> V:
        """Return what was made of the object, and make it if it is not known."""
        with self._lock:
            if (known := self._made.get(id(of))) is not None:
                self._made.move_to_end(id(of))
                return known[1]
        made = make(of)
        with self._lock:
            self._made[id(of)] = (of, made)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return made

    def __len__(self) -> int:
        return len(self._made)
