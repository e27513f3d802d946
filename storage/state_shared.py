"""Statements of Postgres that serve the calls of several threads at once.

A statement costs a round trip, a change of threads, and a commit of the server. Under load most of that is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from storage.together import Together

Rows = list[tuple[Any, ...]]
Run = Callable[[str, Mapping[str, Any]], Rows]
"""Runs a statement with its parameters and returns its rows."""

_GET = """SELECT s.key, s.value FROM janroku_state AS s
WHERE s.key = ANY(%(keys)s::text[]) AND (s.expires IS NULL OR s.expires > %(now)s)"""
_PUT = """INSERT INTO janroku_state AS s (key, value, expires)
SELECT * FROM unnest(%(keys)s::text[], %(values)s::text[], %(until)s::float8[])
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires
RETURNING s.key"""
_ADD = _PUT.replace("RETURNING", "WHERE s.expires <= %(now)s RETURNING")
_REPLACE = """UPDATE janroku_state AS s SET value = c.value, expires = c.until
FROM unnest(%(keys)s::text[], %(old)s::text[], %(values)s::text[], %(until)s::float8[]) AS c (key, old, value, until)
WHERE s.key = c.key AND s.value = c.old AND (s.expires IS NULL OR s.expires > %(now)s)
RETURNING s.key"""


class Change(NamedTuple):
    """A value to be set. `until` and `now` are in epoch seconds; `old` is the value that is to be replaced."""

    key: str
    value: str
    until: float | None
    now: float
    old: str = ""


class SharedStatements:
    """Reads and writes the state's table in Postgres. Safe in threads; each call is atomic."""

    def __init__(self, run: Run, apart: Callable[[Exception], bool]) -> None:
        """`apart` says whether an error left everything as it was and may be due to one of several calls."""
        self._run = run
        self._reads: Together[tuple[Collection[str], float], dict[str, str]] = Together(self._read, apart)
        self._adds: Together[Change, bool] = Together(lambda all_: self._change(_ADD, all_), apart)
        self._replaces: Together[Change, bool] = Together(lambda all_: self._change(_REPLACE, all_), apart)

    def values(self, keys: Collection[str], now: float) -> dict[str, str]:
        """The values of those keys that have one."""
        return self._reads((keys, now))

    def add(self, change: Change) -> bool:
        """Set the value if there is none. Return whether it was set."""
        return self._adds(change)

    def replace(self, change: Change) -> bool:
        """Set the value if it is `old`. Return whether it was set."""
        return self._replaces(change)

    def put_all(self, changes: Sequence[Change]) -> None:
        """Set the values, of different keys."""
        self._run(_PUT, _columns(changes))

    def _read(self, calls: list[tuple[Collection[str], float]]) -> list[dict[str, str]]:
        wanted = list(dict.fromkeys(key for keys, _ in calls for key in keys))
        found: dict[str, str] = dict(self._run(_GET, {"keys": wanted, "now": max(now for _, now in calls)}))
        return [{key: found[key] for key in keys if key in found} for keys, _ in calls]

    def _change(self, statement: str, changes: list[Change]) -> list[bool]:
        """Run the statement for all changes, in turn for those of one key, and return which were made."""
        made = [False] * len(changes)
        left = list(enumerate(changes))
        while left:
            first = {change.key: (number, change) for number, change in reversed(left)}
            # Two processes that change the same rows take them in the same order, so that neither waits for the other.
            now = sorted(first.values(), key=lambda pair: pair[1].key)
            for (key,) in self._run(statement, _columns([change for _, change in now])):
                made[first[key][0]] = True
            left = [(number, change) for number, change in left if first[change.key][0] != number]
        return made


def _columns(changes: Sequence[Change]) -> dict[str, Any]:
    return {
        "keys": [change.key for change in changes],
        "values": [change.value for change in changes],
        "until": [change.until for change in changes],
        "old": [change.old for change in changes],
        "now": max((change.now for change in changes), default=0.0),
    }
