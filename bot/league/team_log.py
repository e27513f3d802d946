"""Sessions of team matches (2 vs 2) that members record in a chat, each written into teamlog.txt
once.

They can be taken out again within a day. The State stores how far the writing of a session, which
is identified by a nonce, has come. What this guarantees, and the tests that show it
(tests/answers/team_match/test_record.py):

- a session is written once, also if its tap is handled by several processes or repeatedly: the
  first one claims the nonce, and the others raise Busy or return False
  (test_a_double_tap_and_a_redelivery_record_once);
- if a writer is killed, the next tap after `STUCK` seconds completes its step: the number of equal
  lines before the step began shows whether the writer had changed the file
  (test_dead_writers_are_made_good);
- sessions written at the same time, and edits by hand, are all in the file
  (test_many_at_once_lose_nothing).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from io import BytesIO
from typing import NamedTuple

from bot.league.files import TEAM_LOG, change, current
from bot.league.recorded import STUCK, UNDO, RecordStep
from rating import teamlog
from rating.encoding import as_utf8
from storage.ports import LogSource, StorageError
from storage.state import State

REMEMBERED = 30 * UNDO  # seconds a session is remembered: longer than its buttons can be used


@dataclass(frozen=True, slots=True)
class TeamLogEntry:
    """What the State has of a session: its line (at the index `at`, after `nth` equal lines) and its
    step. `like` is the number of equal lines before the step began. `recorded` (when the session
    was recorded) and `begun` (when the step began, 0 where it failed) are epoch seconds."""

    chat: str
    line: str
    step: str
    like: int
    recorded: float
    begun: float
    at: int = 0
    nth: int = 0


class Busy(Exception):
    """Another process is writing the same session at this moment."""


class _Claim(NamedTuple):
    """A step of a session that this process does; `is_taken_over`: another process began it and
    was killed, perhaps after it had written the file."""

    entry: TeamLogEntry
    is_taken_over: bool


@dataclass(frozen=True, slots=True)
class TeamLog:
    """The teamlog.txt of one league. A session can be taken out only in the `chat` where it was
    recorded.
    """

    logs: LogSource
    state: State
    chat: str
    now: datetime

    def get(self, nonce: str) -> TeamLogEntry | None:
        """Return the session recorded in this chat under a nonce within `REMEMBERED` seconds."""
        value = self.state.values.get(_key(nonce))
        entry = TeamLogEntry(**json.loads(value)) if value else None
        if entry is None or entry.chat != self.chat:
            return None
        return entry

    def late(self, entry: TeamLogEntry) -> bool:
        return self.now.timestamp() - entry.recorded > UNDO

    def add(self, nonce: str, session: teamlog.Session) -> bool:
        """Write the session. Return False if it was written before. Raises Busy while it is being
        written, ValueError for names that the file can't have, EncodingError (a ValueError) if the
        file is no text, and StorageError."""
        claim = self._claim_adding(nonce, _line_of(session))
        if claim is None:
            return False
        with self._step(nonce, claim.entry):
            data = self._write_line(claim)
            self._put(nonce, _with_place(claim.entry, data))
        return True

    def _claim_adding(self, nonce: str, line: str) -> _Claim | None:
        """Claim a session's nonce; None where the session was written before."""
        seconds = self.now.timestamp()
        entry = TeamLogEntry(
            self.chat, line, RecordStep.ADDING, self._count(line), recorded=seconds, begun=seconds
        )
        if self.state.values.add(_key(nonce), _text(entry), REMEMBERED):
            return _Claim(entry, is_taken_over=False)
        stored = self.get(nonce)
        if stored is None or stored.step != RecordStep.ADDING:
            return None
        return _Claim(self._take_over(nonce, stored), is_taken_over=True)

    def _write_line(self, claim: _Claim) -> bytes:
        """Append the session's line to the file, unless a writer that was killed has done so.
        Return the file's bytes."""
        entry = claim.entry
        if claim.is_taken_over and self._count(entry.line) > entry.like:
            return self._data()

        def with_line(data: bytes) -> bytes:
            return appended(as_utf8(data).data, entry.line)

        return change(self.logs, TEAM_LOG, with_line, self.now)

    def undo(self, nonce: str) -> bool:
        """Take the session out. Return False if the file does not have it. Raises Busy while it is
        being written, EncodingError if the file is no text, and StorageError."""
        stored = self.get(nonce)
        if stored is None or stored.step == RecordStep.REMOVED:
            return False
        if stored.step == RecordStep.ADDING:
            raise Busy
        claim = self._claim_removing(nonce, stored)
        with self._step(nonce, claim.entry):
            was_removed = self._remove_line(claim)
            self._put(nonce, replace(claim.entry, step=RecordStep.REMOVED))
        return was_removed

    def _claim_removing(self, nonce: str, stored: TeamLogEntry) -> _Claim:
        if stored.step == RecordStep.REMOVING:
            return _Claim(self._take_over(nonce, stored), is_taken_over=True)
        entry = replace(
            stored,
            step=RecordStep.REMOVING,
            like=self._count(stored.line),
            begun=self.now.timestamp(),
        )
        self._replace(nonce, stored, entry)
        return _Claim(entry, is_taken_over=False)

    def _remove_line(self, claim: _Claim) -> bool:
        """Remove the session's line from the file, unless a writer that was killed has done so.
        Return whether the line is removed."""
        entry = claim.entry
        if claim.is_taken_over and self._count(entry.line) < entry.like:
            return True
        was_removed = False

        def without_line(data: bytes) -> bytes:
            nonlocal was_removed
            text = as_utf8(data).data
            remaining = without(text, entry)
            was_removed = remaining != text
            return remaining if was_removed else data

        change(self.logs, TEAM_LOG, without_line, self.now)
        return was_removed

    def _take_over(self, nonce: str, stored: TeamLogEntry) -> TeamLogEntry:
        """Claim a step whose process seems to be dead. Raises Busy if it may be alive."""
        claimed = replace(stored, begun=self.now.timestamp())
        if claimed.begun - stored.begun < STUCK:
            raise Busy
        self._replace(nonce, stored, claimed)
        return claimed

    def _replace(self, nonce: str, stored: TeamLogEntry, entry: TeamLogEntry) -> None:
        """Store the entry in place of `stored`. Raises Busy if another process was faster."""
        values = self.state.values
        if not values.replace(_key(nonce), _text(stored), _text(entry), REMEMBERED):
            raise Busy

    @contextmanager
    def _step(self, nonce: str, entry: TeamLogEntry) -> Iterator[None]:
        """Run a step. If a StorageError ends it, the next process may take it over at once."""
        try:
            yield
        except StorageError:
            self._put(nonce, replace(entry, begun=0.0))
            raise

    def _data(self) -> bytes:
        return as_utf8(current(self.logs, TEAM_LOG).data).data

    def _count(self, line: str) -> int:
        return len(_places(self._data(), line))

    def _put(self, nonce: str, entry: TeamLogEntry) -> None:
        self.state.values.put(_key(nonce), _text(entry), REMEMBERED)


def _line_of(session: teamlog.Session) -> str:
    """Return the line of a session. Raises ValueError if it would be read as another session."""
    line = teamlog.write([session]).removesuffix("\n")
    parsed = teamlog.parse(line)
    if parsed.problems or replace(parsed.sessions[0], line=session.line) != session:
        raise ValueError(f"the team log can't hold {line!r}")
    return line


def _with_place(entry: TeamLogEntry, data: bytes) -> TeamLogEntry:
    """Return the entry after its line, the last of the equal ones in the file, was written."""
    places = _places(data, entry.line)
    return replace(entry, step=RecordStep.WRITTEN, at=places[-1], nth=len(places) - 1)


def appended(data: bytes, line: str) -> bytes:
    """Return the file with one more line, with line ends as the file has them."""
    end = b"\n"
    if data.endswith(b"\r\n") or (b"\r\n" in data and not data.endswith(b"\n")):
        end = b"\r\n"
    if data and not data.endswith(b"\n"):
        data += end
    return data + line.encode() + end


def without(data: bytes, entry: TeamLogEntry) -> bytes:
    """Return the file without the session's line; unchanged if it has no such line, or several
    equal lines that can't be distinguished."""
    places = _places(data, entry.line)
    if len(places) > entry.nth:
        place = places[entry.nth]
    elif entry.at in places:
        place = entry.at
    else:
        return data
    lines = BytesIO(data).readlines()
    return b"".join(lines[:place] + lines[place + 1 :])


def _places(data: bytes, line: str) -> list[int]:
    encoded = line.encode()
    return [number for number, raw in enumerate(BytesIO(data)) if raw.strip() == encoded]


def _key(nonce: str) -> str:
    return f"record:{nonce}"


def _text(entry: TeamLogEntry) -> str:
    return json.dumps(asdict(entry), ensure_ascii=False)
