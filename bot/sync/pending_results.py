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

_MERGED = 420 * 86400.0  # seconds a day's lines are remembered: longer than Tenhou lists a file
_EMPTY = 40 * 86400.0  # the same for a day without a line; `bot.sync.file_sizes` remembers that it was read
_GONE = 60.0
_OWED = "after"
_THROUGH, _WAITING = "tenhou/through/", "tenhou/waiting/"


@dataclass(frozen=True, slots=True)
class DayLines:
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
        """Distinguishes these lines from other readings of the same day, merged or not."""
        return hashlib.sha256(b"\n".join([b"%d" % self.size, *self.lines])).hexdigest()[:16]

    def to_text(self) -> str:
        blobs = {"lines": _pack(self.lines), "merged": _pack(self.merged)}
        return json.dumps({"size": self.size, "rooms": sorted(self.rooms), **blobs})

    @classmethod
    def from_text(cls, day: date, text: str) -> DayLines:
        data = json.loads(text)
        return cls(
            day, data["size"], frozenset(data["rooms"]), _unpack(data["lines"]), _unpack(data["merged"])
        )


@dataclass(frozen=True, slots=True)
class ReadMark:
    """Up to which day a league has all files, for which rooms, and the mark of the files' sizes (bot/sync/file_sizes.py)."""

    through: date
    mark: str = ""
    rooms: frozenset[str] = frozenset()

    def to_text(self) -> str:
        """As the state store carries it."""
        return f"{self.through.isoformat()} {self.mark} {','.join(sorted(self.rooms))}".rstrip()

    @classmethod
    def from_text(cls, text: str) -> ReadMark:
        """What `to_text` made."""
        day, mark, rooms = (*text.split(" "), "", "")[:3]
        return cls(date.fromisoformat(day), mark, frozenset(rooms.split(",")) - {""})


def read_marks(state: StateStore) -> dict[str, ReadMark]:
    """What each league has read so far; leagues that never did are not there."""
    found = state.items(_THROUGH)
    return {key.removeprefix(_THROUGH): ReadMark.from_text(text) for key, text in found.items()}


def waiting(state: StateStore) -> set[str]:
    """The leagues that have something to merge, or are owed what follows."""
    return {key.removeprefix(_WAITING).partition("/")[0] for key in state.items(_WAITING, without="")}


class PendingResults:
    """One league's days kept in the StateStore. `waiting` names the days that have something to merge."""

    def __init__(self, state: StateStore, league: str = "") -> None:
        self._state = state
        self._kept, self._waiting = f"tenhou/kept/{league}/", f"{_WAITING}{league}/"
        self._through = _THROUGH + league

    def through(self) -> date | None:
        """The day up to which all files were read."""
        text = self._state.get(self._through)
        return ReadMark.from_text(text).through if text else None

    def has_read(self, reading: ReadMark) -> None:
        """Note what was read."""
        self._state.put(self._through, reading.to_text())

    def get(self, day: date) -> DayLines | None:
        text = self._state.get(f"{self._kept}{day:%Y%m%d}")
        return DayLines.from_text(day, text) if text else None

    def has(self, day: date, size: int, rooms: Collection[str]) -> bool:
        """Whether the day's file was read at this size (or a greater one) for all these rooms."""
        day_lines = self.get(day)
        return day_lines is not None and day_lines.size >= size and day_lines.rooms.issuperset(rooms)

    def put(self, day: date, size: int, rooms: Collection[str], lines: Sequence[bytes]) -> bool:
        """Keep what a file held, before anything is done with it; whether it has lines to merge."""
        before = self.get(day)
        day_lines = DayLines(day, size, frozenset(rooms), tuple(lines), before.merged if before else ())
        self._store(day_lines)
        return bool(day_lines.fresh)

    def offer_again(self, since: date) -> None:
        """Have the lines of all days from `since` on merged once more, also those that were merged before."""
        for key, text in self._state.items(self._kept).items():
            day = _day(key)
            if day >= since:
                self._store(replace(DayLines.from_text(day, text), merged=()))

    def waiting(self) -> list[date]:
        """The days with lines to merge, oldest first."""
        keys = [key for key, mark in self._state.items(self._waiting).items() if mark]
        return sorted(_day(key) for key in keys if not key.endswith(_OWED))

    def owe(self, days: Collection[date]) -> None:
        """What follows the merging of these days (charts, digest) is to be done; with none, it is."""
        words = ",".join(day.isoformat() for day in sorted(days))
        self._state.put(self._waiting + _OWED, words, _MERGED if words else _GONE)

    def owed(self) -> list[date]:
        """The days whose merging has been begun by a process that did not live to do what follows."""
        words = self._state.get(self._waiting + _OWED)
        return [date.fromisoformat(word) for word in words.split(",")] if words else []

    def done(self, day_lines: DayLines) -> None:
        """These lines are in the log now. If the day's file grew meanwhile, its newer lines go on waiting."""
        name, merged = f"{day_lines.day:%Y%m%d}", replace(day_lines, merged=day_lines.lines)
        if self._state.replace(self._kept + name, day_lines.to_text(), merged.to_text(), _MERGED):
            self._state.replace(self._waiting + name, day_lines.mark, "", _GONE)

    def _store(self, day_lines: DayLines) -> None:
        name, empty = f"{day_lines.day:%Y%m%d}", not (day_lines.lines or day_lines.merged)
        if (
            day_lines.fresh
        ):  # the mark first: one without its day_lines is harmless, a day_lines without its mark is lost
            self._state.put(self._waiting + name, day_lines.mark, _MERGED)
        self._state.put(self._kept + name, day_lines.to_text(), _EMPTY if empty else _MERGED)


def _day(key: str) -> date:
    """The day a key ends with."""
    return date(int(key[-8:-4]), int(key[-4:-2]), int(key[-2:]))


def _pack(lines: Sequence[bytes]) -> str:
    return base64.b64encode(zlib.compress(b"\n".join(lines))).decode() if lines else ""


def _unpack(text: str) -> tuple[bytes, ...]:
    return tuple(zlib.decompress(base64.b64decode(text)).split(b"\n")) if text else ()
