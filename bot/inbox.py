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

    @property
    def mark(self) -> str:
        """Tells this parcel from the day's other ones, merged or not."""
        return hashlib.sha256(b"\n".join([b"%d" % self.size, *self.lines])).hexdigest()[:16]

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
        self._through = f"tenhou/through/{league}"

    def through(self) -> date | None:
        """The day up to which all files were read."""
        text = self._state.get(self._through)
        return date.fromisoformat(text) if text else None

    def read_through(self, day: date) -> None:
        self._state.put(self._through, day.isoformat())

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

    def offer_again(self, since: date) -> None:
        """Have the lines of all days from `since` on merged once more, also those that were merged before."""
        for key, text in self._state.items(self._kept).items():
            day = _day(key)
            if day >= since:
                self._store(replace(Parcel.from_text(day, text), merged=()))

    def waiting(self) -> list[date]:
        """The days with lines to merge, oldest first."""
        return sorted(_day(key) for key, mark in self._state.items(self._waiting).items() if mark)

    def done(self, parcel: Parcel) -> None:
        """The parcel's lines are in the log. A newer parcel of the day that came meanwhile goes on waiting."""
        name, merged = f"{parcel.day:%Y%m%d}", replace(parcel, merged=parcel.lines)
        if self._state.replace(self._kept + name, parcel.to_text(), merged.to_text(), _KEEP):
            self._state.replace(self._waiting + name, parcel.mark, "", _GONE)

    def _store(self, parcel: Parcel) -> None:
        name = f"{parcel.day:%Y%m%d}"
        if (
            parcel.fresh
        ):  # the mark first: one without its parcel is harmless, a parcel without its mark is lost
            self._state.put(self._waiting + name, parcel.mark, _KEEP)
        self._state.put(self._kept + name, parcel.to_text(), _KEEP)


def _day(key: str) -> date:
    """The day a key ends with."""
    return date(int(key[-8:-4]), int(key[-4:-2]), int(key[-2:]))


def _pack(lines: Sequence[bytes]) -> str:
    return base64.b64encode(zlib.compress(b"\n".join(lines))).decode() if lines else ""


def _unpack(text: str) -> tuple[bytes, ...]:
    return tuple(zlib.decompress(base64.b64decode(text)).split(b"\n")) if text else ()
