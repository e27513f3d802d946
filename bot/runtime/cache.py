"""Caches with a bound on their number of values.

By hand: cachetools' caches are not safe in threads, and none shares its room among owners as
SharedLru does.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lru(Generic[K, V]):
    """At most `size` values by key; the value that was used longest ago goes first.

    The lock guarantees that threads never see a cache in the middle of a change. Of two threads that
    make the same value at once, both make it and the later one stays. Shown by tests/runtime/test_cache.py."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> bool:
        """Store the value in the place of a former one. Return whether there was none."""
        with self._lock:
            is_new = key not in self._values
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._drop()
        return is_new

    def _drop(self) -> None:
        self._values.popitem(last=False)

    def made(self, key: K, make: Callable[[], V]) -> V:
        """Return the value, made and stored first where there is none."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def forget(self, key: K) -> None:
        with self._lock:
            self._values.pop(key, None)

    def __len__(self) -> int:
        return len(self._values)


class SharedLru(Lru[tuple[str, Hashable], V]):
    """Values by owner and key.

    The owner with the most values loses one: a busy league displaces its own.
    """

    def _drop(self) -> None:
        [(busiest, _)] = Counter(owner for owner, _ in self._values).most_common(1)
        del self._values[next(key for key in self._values if key[0] == busiest)]
