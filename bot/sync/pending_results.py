"""Keep the lines of a league's rooms that came from Tenhou until they are in the season log.

After a crash between download and write, the next run goes on with the kept lines and need not ask Tenhou again. Merged
lines are remembered too: when a day's file grows, only its new lines are merged. So a game that somebody corrected in the
log or removed from it by hand is not added again. What Tenhou offers stays known for longer than Tenhou lists it.
"""

from __future__ import annotations

import base64
import json
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from storage.ports import StateStore, StorageError

_MERGED = 420 * 86400.0  # seconds a day's lines are kept: longer than Tenhou lists a file
_EMPTY = 40 * 86400.0  # the same for a day without lines; `bot.sync.file_sizes` remembers that it was read
_GONE = 60.0
_TRIES = 50
_OWED = "after"
_THROUGH, _WAITING = "tenhou/through/", "tenhou/waiting/"


@dataclass(frozen=True, slots=True)
class DayLines:
    """The lines of these rooms in a day's file of `size` bytes (packed); `merged` are the lines already in the log."""

    day: date
    size: int
    rooms: frozenset[str]
    lines: tuple[bytes, ...]
    merged: tuple[bytes, ...] = ()

    @property
    def fresh(self) -> list[bytes]:
        """The lines not merged yet, in the order of the file."""
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
    def from_text(cls, day: date, text: str) -> DayLines:
        data = json.loads(text)
        return cls(
            day, data["size"], frozenset(data["rooms"]), _unpack(data["lines"]), _unpack(data["merged"])
        )


@dataclass(frozen=True, slots=True)
class ReadMark:
    """What a league has read: all files up to the day `through`, for `rooms`.

    `mark` names the list of the files' sizes (bot/sync/file_sizes.py).
    """

    through: date
    mark: str = ""
    rooms: frozenset[str] = frozenset()

    def to_text(self) -> str:
        """Return the mark as one line of text."""
        return f"{self.through.isoformat()} {self.mark} {','.join(sorted(self.rooms))}".rstrip()

    @classmethod
    def from_text(cls, text: str) -> ReadMark:
        """Return the mark that `to_text` was called on."""
        day, mark, rooms = (*text.split(" "), "", "")[:3]
        return cls(date.fromisoformat(day), mark, frozenset(rooms.split(",")) - {""})


def read_marks(state: StateStore) -> dict[str, ReadMark]:
    """Return what each league has read so far, by league; a league that has read nothing is missing."""
    found = state.items(_THROUGH)
    return {key.removeprefix(_THROUGH): ReadMark.from_text(text) for key, text in found.items()}


def waiting(state: StateStore) -> set[str]:
    """Return the leagues that have lines to merge, or for which charts and digest are still to be done."""
    return {key.removeprefix(_WAITING).partition("/")[0] for key in state.items(_WAITING, without="")}


class PendingResults:
    """One league's lines, kept by day in the StateStore.

    Every method raises StorageError when the store cannot be reached.
    """

    def __init__(self, state: StateStore, league: str = "") -> None:
        self._state = state
        self._kept, self._waiting = f"tenhou/kept/{league}/", f"{_WAITING}{league}/"
        self._through = _THROUGH + league

    def through(self) -> date | None:
        """Return the day up to which all files were read."""
        text = self._state.get(self._through)
        return ReadMark.from_text(text).through if text else None

    def has_read(self, reading: ReadMark) -> None:
        """Store what was read."""
        self._state.put(self._through, reading.to_text())

    def get(self, day: date) -> DayLines | None:
        text = self._state.get(f"{self._kept}{day:%Y%m%d}")
        return DayLines.from_text(day, text) if text else None

    def has(self, day: date, size: int, rooms: Collection[str]) -> bool:
        """Return whether the day's file was read at this size or a greater one for all these rooms."""
        day_lines = self.get(day)
        return day_lines is not None and day_lines.size >= size and day_lines.rooms.issuperset(rooms)

    def put(self, day: date, size: int, rooms: Collection[str], lines: Sequence[bytes]) -> bool:
        """Keep the lines of a day's file, and return whether there are lines to merge.

        Lines that another process has kept of the file when it was longer stay.
        """

        def grown(before: DayLines | None) -> DayLines:
            if before is not None and before.size > size and before.rooms.issuperset(rooms):
                return before
            return DayLines(day, size, frozenset(rooms), tuple(lines), before.merged if before else ())

        return self._change(day, grown)

    def offered(self) -> dict[date, tuple[bytes, ...]]:
        """Return all kept lines by day: what Tenhou is known to offer."""
        kept = self._state.items(self._kept)
        return {(day := _day(key)): DayLines.from_text(day, text).lines for key, text in kept.items()}

    def offered_on(self, day: date) -> tuple[bytes, ...]:
        """Return the kept lines of a day."""
        day_lines = self.get(day)
        return day_lines.lines if day_lines else ()

    def offer_again(self, since: date) -> None:
        """Mark the kept lines of all days from `since` on as not merged, so that they are merged once more."""
        for day in sorted(map(_day, self._state.items(self._kept))):
            if day >= since:
                self._change(day, lambda kept: kept and replace(kept, merged=()))

    def waiting(self) -> dict[date, str]:
        """Return the days with lines to merge, oldest first, each with its mark."""
        found = self._state.items(self._waiting, without="")
        return {_day(key): mark for key, mark in sorted(found.items()) if not key.endswith(_OWED)}

    def owe(self, days: Collection[date]) -> None:
        """Note for which days what follows the merging (charts, digest) is still to be done; none when all is done."""
        words = ",".join(day.isoformat() for day in sorted(days))
        self._state.put(self._waiting + _OWED, words, _MERGED if words else _GONE)

    def owed(self) -> list[date]:
        """Return the days for which what follows the merging is not done: a process ended before it, or it failed."""
        words = self._state.get(self._waiting + _OWED)
        return [date.fromisoformat(word) for word in words.split(",")] if words else []

    def done(self, day_lines: DayLines, mark: str) -> None:
        """Note that these lines are in the log, and that nothing of the day waits, unless lines were put since.

        `mark` is the day's mark as it was before the lines were read.
        """
        name, merged = f"{day_lines.day:%Y%m%d}", replace(day_lines, merged=day_lines.lines)
        if self._state.replace(self._kept + name, day_lines.to_text(), merged.to_text(), _MERGED):
            self._state.replace(self._waiting + name, mark, "", _GONE)

    def _change(self, day: date, new: Callable[[DayLines | None], DayLines | None]) -> bool:
        """Store what `new` makes of a day's lines; again, when another process has stored others meanwhile.

        Return whether there are lines to merge.
        """
        name = f"{day:%Y%m%d}"
        for _ in range(_TRIES):
            text = self._state.get(self._kept + name)
            found = new(DayLines.from_text(day, text) if text else None)
            if found is None:
                return False
            # The mark is written first: a mark without lines is harmless, but lines without a mark would not be merged.
            if found.fresh:
                self._state.put(self._waiting + name, secrets.token_hex(8), _MERGED)
            wanted, life = found.to_text(), _MERGED if found.lines or found.merged else _EMPTY
            if text is None and self._state.add(self._kept + name, wanted, life):
                return bool(found.fresh)
            if text is not None and self._state.replace(self._kept + name, text, wanted, life):
                return bool(found.fresh)
        raise StorageError(f"others kept writing the lines of {day}")


def _day(key: str) -> date:
    """Return the day with which a key ends."""
    return date(int(key[-8:-4]), int(key[-4:-2]), int(key[-2:]))


def _pack(lines: Sequence[bytes]) -> str:
    return base64.b64encode(zlib.compress(b"\n".join(lines))).decode() if lines else ""


def _unpack(text: str) -> tuple[bytes, ...]:
    return tuple(zlib.decompress(base64.b64decode(text)).split(b"\n")) if text else ()
