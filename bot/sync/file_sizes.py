"""Which of Tenhou's files were read at which size, noted once for all leagues that have read the same.

A league's own note (bot/sync/pending_results.py) holds only the mark of such a list. So a round in which nothing is new asks the
StateStore once, not once for each league and file; where the list does not tell, the league's days kept do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, timedelta

from storage.ports import StateStore

Sizes = Mapping[date, int]  # packed bytes by day
_REMEMBERED = timedelta(days=420)


class FileSizes:
    """The lists, each fetched or written once a round."""

    def __init__(self, state: StateStore) -> None:
        self._state = state
        self._known: dict[str, Sizes] = {"": {}}
        self._after: dict[tuple[str, str], str] = {}

    def sizes(self, mark: str) -> Sizes:
        """The list of that mark; an empty one where it is not known any more."""
        if mark not in self._known:
            text = self._state.get(_key(mark)) or ""
            pairs = (word.split(":") for word in text.split(","))
            self._known[mark] = {date.fromisoformat(day): int(size) for day, size in pairs} if text else {}
        return self._known[mark]

    def with_more(self, mark: str, more: Sizes) -> str:
        """The mark of a list and these files besides, which is kept. StorageError."""
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
