"""Sessions of team matches (2 vs 2) that members record in a chat, each put into teamlog.txt once.

They can be taken out again within a day. Of a session, known by a nonce, the State keeps what
became of it, and how many equal lines the file held before the writing began: that tells whether a
writer that died had written the line.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from io import BytesIO

from bot.league.files import TEAM_LOG, change, current
from bot.league.recorded import STUCK, UNDO, RecordStep
from rating import teamlog
from rating.encoding import as_utf8
from storage.ports import LogSource, StorageError
from storage.state import State

REMEMBERED = 30 * UNDO  # seconds a session is remembered: longer than its buttons can be used


@dataclass(frozen=True, slots=True)
class TeamLogEntry:
    """A session's line (the index `at`, below `nth` equal ones) and its step,
    before which there were `like` equal lines. `recorded` and `begun` are epoch
    seconds."""

    chat: str
    line: str
    step: str
    like: int
    recorded: float
    begun: float
    at: int = 0
    nth: int = 0


class Busy(Exception):
    """The same session is being written at this moment."""


@dataclass(frozen=True, slots=True)
class TeamLog:
    """One league's teamlog.txt.

    A session can be taken out only in the `chat` where it was put in.
    """

    logs: LogSource
    state: State
    chat: str
    now: datetime

    def get(self, nonce: str) -> TeamLogEntry | None:
        """Return the session recorded in this chat under a nonce within `REMEMBERED` seconds."""
        value = self.state.values.get(_key(nonce))
        entry = TeamLogEntry(**json.loads(value)) if value else None
        return entry if entry and entry.chat == self.chat else None

    def late(self, entry: TeamLogEntry) -> bool:
        return self.now.timestamp() - entry.recorded > UNDO

    def add(self, nonce: str, session: teamlog.Session) -> bool:
        """Put the session in. Return False if it had been put in before. Raises Busy when it is
        being written, ValueError for names the file can't hold, EncodingError (a ValueError) when
        that is no text, and StorageError."""
        line = teamlog.write([session]).removesuffix("\n")
        read, problems = teamlog.parse(line)
        if problems or [replace(read[0], line=session.line)] != [session]:
            raise ValueError(f"the team log can't hold {line!r}")
        seconds = self.now.timestamp()
        begun = TeamLogEntry(
            self.chat, line, RecordStep.ADDING, self._like(line), recorded=seconds, begun=seconds
        )
        fresh = self.state.values.add(_key(nonce), _text(begun), REMEMBERED)
        if not fresh:
            known = self.get(nonce)
            if known is None or known.step != RecordStep.ADDING:
                return False
            begun = self._taken_over(nonce, known)
        with self._step(nonce, begun):
            if fresh or self._like(line) <= begun.like:
                data = change(
                    self.logs, TEAM_LOG, lambda data: appended(as_utf8(data).data, line), self.now
                )
            else:  # its writer died after writing the line
                data = as_utf8(current(self.logs, TEAM_LOG).data).data
            places = _places(data, line)
            self._put(
                nonce,
                replace(
                    begun,
                    step=RecordStep.WRITTEN,
                    at=places[-1],
                    nth=len(places) - 1,
                ),
            )
        return True

    def undo(self, nonce: str) -> bool:
        """Take the session out. Return False if it is not there any more. Raises Busy when it is
        being written, EncodingError when the file is no text, and StorageError."""
        known = self.get(nonce)
        if known is None or known.step == RecordStep.REMOVED:
            return False
        if known.step == RecordStep.ADDING:
            raise Busy
        if known.step == RecordStep.REMOVING:
            begun = self._taken_over(nonce, known)
        else:
            begun = replace(
                known,
                step=RecordStep.REMOVING,
                like=self._like(known.line),
                begun=self.now.timestamp(),
            )
            self._replace(nonce, known, begun)
        removed = False

        def new(data: bytes) -> bytes:
            nonlocal removed
            text = as_utf8(data).data
            left = without(text, begun)
            removed = left != text
            return left if removed else data

        with self._step(nonce, begun):
            if known.step == RecordStep.REMOVING and self._like(begun.line) < begun.like:
                removed = True  # its writer died after taking it out
            else:
                change(self.logs, TEAM_LOG, new, self.now)
            self._put(nonce, replace(begun, step=RecordStep.REMOVED))
        return removed

    def _taken_over(self, nonce: str, known: TeamLogEntry) -> TeamLogEntry:
        """Make a step ours whose process seems dead. Raises Busy when that one may live."""
        mine = replace(known, begun=self.now.timestamp())
        if mine.begun - known.begun < STUCK:
            raise Busy
        self._replace(nonce, known, mine)
        return mine

    def _replace(self, nonce: str, known: TeamLogEntry, new: TeamLogEntry) -> None:
        """Raises Busy when another process was faster."""
        values = self.state.values
        if not values.replace(_key(nonce), _text(known), _text(new), REMEMBERED):
            raise Busy

    @contextmanager
    def _step(self, nonce: str, begun: TeamLogEntry) -> Iterator[None]:
        """A step under way.

        If a StorageError ends it, the next process may take it over at once.
        """
        try:
            yield
        except StorageError:
            self._put(nonce, replace(begun, begun=0.0))
            raise

    def _like(self, line: str) -> int:
        return len(_places(as_utf8(current(self.logs, TEAM_LOG).data).data, line))

    def _put(self, nonce: str, entry: TeamLogEntry) -> None:
        self.state.values.put(_key(nonce), _text(entry), REMEMBERED)


def appended(data: bytes, line: str) -> bytes:
    """Return the file with one more line.

    What was there stays, and line ends are as the file has them.
    """
    end = (
        b"\r\n"
        if data.endswith(b"\r\n") or (b"\r\n" in data and not data.endswith(b"\n"))
        else b"\n"
    )
    gap = b"" if not data or data.endswith(b"\n") else end
    return data + gap + line.encode() + end


def without(data: bytes, entry: TeamLogEntry) -> bytes:
    """Return the file without the session's line, unless that is gone or one of several equal lines
    not told apart."""
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
    wanted = line.encode()
    return [i for i, found in enumerate(BytesIO(data)) if found.strip() == wanted]


def _key(nonce: str) -> str:
    return f"record:{nonce}"


def _text(entry: TeamLogEntry) -> str:
    return json.dumps(asdict(entry), ensure_ascii=False)
