"""Lines of a league's rooms that came from Tenhou, kept until they are in the season log, and their files' sizes.

So a crash between download and write costs nothing: the next run goes on from here without asking Tenhou again. What is
merged is remembered too: when a day's file grows, only its new lines are offered, and a game that somebody corrected or
took out of the log by hand stays as he left it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from storage.ports import StateStore

_KEEP = 420 * 86400.0  # seconds: longer than Tenhou lists a file
_GONE = 60.0


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a day's file of `size` bytes (packed) held of these rooms; `merged` are the lines that went to the log."""

    day: date
    size: int
    rooms: frozenset[str]
    lines: tuple[bytes, ...]
    merged: tuple[bytes, ...] = ()

    @property
    def fresh(self) -> list[bytes]:
        """The lines that have not been merged yet."""
        left = Counter(self.lines) - Counter(self.merged)
        result = []
        for line in reversed(self.lines):
            if left[line] > 0:
                left[line] -= 1
                result.append(line)
        return result[::-1]

    def to_text(self) -> str:
        blobs = {"lines": _pack(self.lines), "merged": _pack(self.merged)}
        return json.dumps({"size": self.size, "rooms": sorted(self.rooms), **blobs})

    @classmethod
    def from_text(cls, day: date, text: str) -> Parcel:
        data = json.loads(text)
        return cls(
            day, data["size"], frozenset(data["rooms"]), _unpack(data["lines"]), _unpack(data["merged"])
        )


class Inbox:
    """One league's parcels in the StateStore. `waiting` names the days that have something to merge."""

    def __init__(self, state: StateStore, league: str = "") -> None:
        self._state = state
        self._kept, self._waiting = f"tenhou/kept/{league}/", f"tenhou/waiting/{league}/"

    def get(self, day: date) -> Parcel | None:
        text = self._state.get(f"{self._kept}{day:%Y%m%d}")
        return Parcel.from_text(day, text) if text else None

    def has(self, day: date, size: int, rooms: Collection[str]) -> bool:
        """Whether the day's file was read at this size (or a greater one) for all these rooms."""
        parcel = self.get(day)
        return parcel is not None and parcel.size >= size and parcel.rooms.issuperset(rooms)

    def put(self, day: date, size: int, rooms: Collection[str], lines: Sequence[bytes]) -> None:
        """Keep what a file held, before anything is done with it."""
        before = self.get(day)
        self._store(Parcel(day, size, frozenset(rooms), tuple(lines), before.merged if before else ()))

    def offer_again(self, day: date) -> None:
        """Have the day's lines merged once more, also those that were merged before."""
        if parcel := self.get(day):
            self._store(replace(parcel, merged=()))

    def waiting(self) -> list[date]:
        """The days with lines to merge, oldest first."""
        items = self._state.items(self._waiting)
        days = [key.removeprefix(self._waiting) for key, mark in items.items() if mark]
        return sorted(date(int(day[:4]), int(day[4:6]), int(day[6:])) for day in days)

    def done(self, parcel: Parcel) -> None:
        """The parcel's lines are in the log. A newer parcel of the day that came meanwhile goes on waiting."""
        text, name = parcel.to_text(), f"{parcel.day:%Y%m%d}"
        if self._state.replace(
            self._kept + name, text, replace(parcel, merged=parcel.lines).to_text(), _KEEP
        ):
            self._state.replace(self._waiting + name, _mark(text), "", _GONE)

    def _store(self, parcel: Parcel) -> None:
        text, name = parcel.to_text(), f"{parcel.day:%Y%m%d}"
        if (
            parcel.fresh
        ):  # the mark first: a mark without its parcel is harmless, a parcel without its mark is lost
            self._state.put(self._waiting + name, _mark(text), _KEEP)
        self._state.put(self._kept + name, text, _KEEP)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _pack(lines: Sequence[bytes]) -> str:
    return base64.b64encode(zlib.compress(b"\n".join(lines))).decode() if lines else ""


def _unpack(text: str) -> tuple[bytes, ...]:
    return tuple(zlib.decompress(base64.b64decode(text)).split(b"\n")) if text else ()
