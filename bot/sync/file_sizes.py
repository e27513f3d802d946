"""Remember at which size each of Tenhou's files was read, in lists that leagues share.

A league's own note (bot/sync/pending_results.py) holds only the mark of its list, and leagues that have read the same
files share one list. So a round without new files reads one list from the StateStore, not one entry for each league and
file. Where a file is not in the list, the league's kept lines of that day show whether it was read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, timedelta

from storage.ports import StateStore

Sizes = Mapping[date, int]  # packed bytes by day
_REMEMBERED = timedelta(days=420)


class FileSizes:
    """The lists of sizes; each is fetched or written once a round."""

    def __init__(self, state: StateStore) -> None:
        self._state = state
        self._known: dict[str, Sizes] = {"": {}}
        self._after: dict[tuple[str, str], str] = {}

    def sizes(self, mark: str) -> Sizes:
        """Return the list with this mark; an empty one when it is no longer stored.

        Raises StorageError when the store cannot be reached.
        """
        if mark not in self._known:
            text = self._state.get(_key(mark)) or ""
            pairs = (word.split(":") for word in text.split(","))
            self._known[mark] = {date.fromisoformat(day): int(size) for day, size in pairs} if text else {}
        return self._known[mark]

    def with_more(self, mark: str, more: Sizes) -> str:
        """Store the list with `more` added, and return its mark.

        Raises StorageError when the store cannot be reached.
        """
        step = mark, _text(more)
        if step not in self._after:
            sizes = {**self.sizes(mark), **more}
            oldest = max(sizes, default=date.max) - _REMEMBERED
            text = _text({day: size for day, size in sizes.items() if day >= oldest})
            fresh = hashlib.sha256(text.encode()).hexdigest()[:16]
            self._state.put(_key(fresh), text, _REMEMBERED.total_seconds())
            self._known[fresh], self._after[step] = sizes, fresh
        return self._after[step]


def _key(mark: str) -> str:
    return f"tenhou/sizes/{mark}"


def _text(sizes: Sizes) -> str:
    return ",".join(f"{day.isoformat()}:{sizes[day]}" for day in sorted(sizes))
