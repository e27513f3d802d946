"""Sessions of two against two into teamlog.txt, each once, and out of it again.

A session is known by a nonce. What became of it is kept in the StateStore: how many lines like it the file held before
the writing began tells, after a death in the middle, whether the line had arrived.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from bot.league.edit import change, current
from bot.league.files import TEAM_LOG
from rating import teamlog
from storage.ports import LogSource, StateStore, StorageError

UNDO = 24 * 3600.0  # seconds in which a session can be taken out again
REMEMBERED = 30 * UNDO  # seconds a session is remembered: longer than its buttons can be used
STUCK = 90.0  # seconds after which a writer counts as dead
ADDING, THERE, REMOVING, GONE = "adding", "there", "removing", "gone"


@dataclass(frozen=True, slots=True)
class TeamLogEntry:
    """A session's line and what became of it.

    `at` is the line's index, `nth` how many lines alike stood above it; `like` how many such lines there were before
    the last step began; `recorded` and `begun` are epoch seconds.
    """

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


class TeamLog:
    """One league's teamlog.txt. `chat` is where it is asked: a session can be taken out only where it was put in."""

    def __init__(self, logs: LogSource, state: StateStore, chat: str, now: datetime) -> None:
        self.logs = logs
        self.state = state
        self.chat = chat
        self.now = now

    def get(self, nonce: str) -> TeamLogEntry | None:
        """The session recorded in this chat under a nonce, for as long as it is remembered."""
        value = self.state.get(_key(nonce))
        entry = TeamLogEntry(**json.loads(value)) if value else None
        return entry if entry and entry.chat == self.chat else None

    def add(self, nonce: str, session: teamlog.Session) -> bool:
        """Put the session in; False where it had been before.

        Raises Busy, StorageError, and ValueError for names the file can't hold.
        """
        line = teamlog.write([session]).removesuffix("\n")
        read, problems = teamlog.parse(line)
        if problems or [replace(read[0], line=session.line)] != [session]:
            raise ValueError(f"the team log can't hold {line!r}")
        seconds = self.now.timestamp()
        begun = TeamLogEntry(
            self.chat, line, step=ADDING, like=self._like(line), recorded=seconds, begun=seconds
        )
        fresh = self.state.add(_key(nonce), _text(begun), REMEMBERED)
        if not fresh:
            known = self.get(nonce)
            if known is None or known.step != ADDING:
                return False
            begun = self._taken_over(nonce, known)
        with _Step(self, nonce, begun):
            if fresh or self._like(line) <= begun.like:
                data = change(self.logs, TEAM_LOG, lambda data: appended(data, line), self.now)
            else:  # its writer died after the line was there
                data = current(self.logs, TEAM_LOG)[0]
            places = _places(data, line)
            self._put(nonce, replace(begun, step=THERE, at=places[-1], nth=len(places) - 1))
        return True

    def undo(self, nonce: str) -> bool:
        """Take the session out; False where it is not there any more. Busy, StorageError."""
        known = self.get(nonce)
        if known is None or known.step == GONE:
            return False
        if known.step == ADDING:
            raise Busy
        begun = self._taken_over(nonce, known) if known.step == REMOVING else self._removing(nonce, known)
        before: list[bytes] = []

        def new(data: bytes) -> bytes:
            before[:] = [data]
            return without(data, begun)

        with _Step(self, nonce, begun):
            removed = known.step == REMOVING and self._like(begun.line) < begun.like
            if not removed:
                removed = change(self.logs, TEAM_LOG, new, self.now) != before[0]
            self._put(nonce, replace(begun, step=GONE))
        return removed

    def _removing(self, nonce: str, known: TeamLogEntry) -> TeamLogEntry:
        begun = replace(known, step=REMOVING, like=self._like(known.line), begun=self.now.timestamp())
        if not self.state.replace(_key(nonce), _text(known), _text(begun), REMEMBERED):
            raise Busy
        return begun

    def late(self, entry: TeamLogEntry) -> bool:
        """Whether the session was recorded too long ago to be taken out."""
        return self.now.timestamp() - entry.recorded > UNDO

    def _taken_over(self, nonce: str, known: TeamLogEntry) -> TeamLogEntry:
        """A step begun by someone who seems dead, made ours; Busy where he may live."""
        seconds = self.now.timestamp()
        mine = replace(known, begun=seconds)
        if seconds - known.begun < STUCK or not self.state.replace(
            _key(nonce), _text(known), _text(mine), REMEMBERED
        ):
            raise Busy
        return mine

    def _like(self, line: str) -> int:
        return len(_places(current(self.logs, TEAM_LOG)[0], line))

    def _put(self, nonce: str, entry: TeamLogEntry) -> None:
        self.state.put(_key(nonce), _text(entry), REMEMBERED)


class _Step:
    """A step under way: when it fails in our hands, the next one may take it over at once."""

    def __init__(self, log: TeamLog, nonce: str, entry: TeamLogEntry) -> None:
        self.log = log
        self.nonce = nonce
        self.entry = entry

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None and issubclass(kind, StorageError):
            self.log._put(self.nonce, replace(self.entry, begun=0.0))


def appended(data: bytes, line: str) -> bytes:
    """The file with one more line, everything before it as it was; line ends as the file has them."""
    end = b"\r\n" if data.endswith(b"\r\n") or (b"\r\n" in data and not data.endswith(b"\n")) else b"\n"
    gap = b"" if not data or data.endswith(b"\n") else end
    return data + gap + line.encode() + end


def without(data: bytes, entry: TeamLogEntry) -> bytes:
    """The file without the session's line; as it was, where that line is gone (or one of several alike, and it can't be
    told which)."""
    places = _places(data, entry.line)
    if len(places) > entry.nth:
        place = places[entry.nth]
    elif entry.at in places:
        place = entry.at
    else:
        return data
    lines = _lines(data)
    return b"".join(lines[:place] + lines[place + 1 :])


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [part + b"\n" for part in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _places(data: bytes, line: str) -> list[int]:
    wanted = line.encode()
    return [i for i, found in enumerate(_lines(data)) if found.strip() == wanted]


def _key(nonce: str) -> str:
    return f"record:{nonce}"


def _text(entry: TeamLogEntry) -> str:
    return json.dumps(asdict(entry), ensure_ascii=False)
