"""What members record in a chat: games at a table (卓), each written into the season log once, and
sessions of team matches (2 vs 2), each put into teamlog.txt once. They can be taken out again
within a day.

The State keeps a chat's games with the step each is at. A writer that dies leaves ADDING or
REMOVING, and the tap, which is answered again, does what is left: the merge adds a line once. Of a
session, known by a nonce, the State keeps what became of it, and how many equal lines the file held
before the writing began: that tells whether a writer that died had written the line.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from io import BytesIO

from bot.league.files import TEAM_LOG, change, current
from bot.league.season_log import LeagueFolder, SeasonLogError, SeasonLogs
from rating import teamlog
from rating.encoding import as_utf8
from rating.roomlog import TABLE
from storage.ports import LogSource, StorageError
from storage.state import State

UNDO = 24 * 3600.0  # seconds in which a game or session can be taken out again
AGAIN = 60.0  # seconds in which the same words take out no second game: LINE may deliver them twice
MOST = 40  # games of a chat that are remembered
ADDING, THERE, REMOVING, GONE = "adding", "there", "removing", "gone"
REMEMBERED = 30 * UNDO  # seconds a session is remembered: longer than its buttons can be used
STUCK = 90.0  # seconds after which a writer counts as dead


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game recorded in the chat: its button's nonce, its day (ISO) and line in the season log,
    its step, and when that began (epoch seconds)."""

    nonce: str
    day: str
    line: str
    step: str
    since: float


class TableLog:
    """The games at a table that a chat records.

    Raises StorageError where a store can't be reached.
    """

    def __init__(self, folder: LeagueFolder, state: State, chat: str, now: datetime) -> None:
        self._folder, self._values, self._key, self._now = (
            folder,
            state.values,
            f"table:{chat}",
            now,
        )

    def games(self) -> list[TableGame]:
        """The chat's games of the last day, oldest first, those taken out too."""
        oldest = self._now.timestamp() - UNDO
        return [game for game in _read(self._values.get(self._key)) if game.since > oldest]

    def add(self, nonce: str, day: date, line: str) -> bool:
        """Write a game; return False where it was taken out again, or recorded by another button.
        Raises SeasonLogError where no season takes the game, or its log can't be read."""
        known = self._step(TableGame(nonce, day.isoformat(), line, ADDING, self._now.timestamp()))
        if known.step != ADDING:
            return known.step == THERE
        logs, raw = self._logs(), known.line.encode()
        if not logs.counts(day, raw):
            self._forget(nonce)
            raise SeasonLogError("no season of the league takes the game")
        earlier = [
            game for game in self.games() if (game.day, game.line) == (known.day, known.line)
        ]
        if earlier[0].nonce != nonce and earlier[0].step == THERE:
            self._forget(nonce)
            return False
        logs.add({day: [raw]}, None, {})
        if logs.refused and logs.stuck(day, [raw]):
            raise SeasonLogError("; ".join(f"{name}: {why}" for name, why in logs.refused.items()))
        self._step(replace(known, step=THERE))
        return True

    def take_out(self, nonce: str) -> TableGame | None:
        """Take a game out of the log; return it, or None where it is there no more (a hand changed
        it).
        """
        known = next((game for game in self.games() if game.nonce == nonce), None)
        if known is None or known.step == GONE:
            return known
        begun = known.step == REMOVING
        self._step(replace(known, step=REMOVING))
        found = self._logs().take_out(date.fromisoformat(known.day), known.line.encode())
        gone = self._step(replace(known, step=GONE, since=self._now.timestamp()))
        return gone if found or begun else None

    def _logs(self) -> SeasonLogs:
        return SeasonLogs(self._folder, lambda: self._now, own_room=lambda: TABLE)

    def _step(self, game: TableGame) -> TableGame:
        """Keep the game at its step, and return it; where it is further already, return it as it
        is.
        """
        steps, kept = (ADDING, THERE, REMOVING, GONE), game

        def change(games: list[TableGame]) -> list[TableGame]:
            nonlocal kept
            known = next((other for other in games if other.nonce == game.nonce), None)
            kept = known if known and steps.index(known.step) >= steps.index(game.step) else game
            if known is None:
                return [*games, game]
            return [kept if other.nonce == game.nonce else other for other in games]

        self._change(change)
        return kept

    def _forget(self, nonce: str) -> None:
        self._change(lambda games: [game for game in games if game.nonce != nonce])

    def _change(self, new: Callable[[list[TableGame]], list[TableGame]]) -> None:
        def changed(value: str | None) -> str:
            return json.dumps(
                [asdict(game) for game in new(_read(value))[-MOST:]], ensure_ascii=False
            )

        self._values.change(self._key, changed, 2 * UNDO)


def _read(value: str | None) -> list[TableGame]:
    return [TableGame(**game) for game in json.loads(value or "[]")]


@dataclass(frozen=True, slots=True)
class TeamLogEntry:
    """A session's line (the index `at`, below `nth` equal ones) and its step: ADDING, THERE,
    REMOVING or GONE, before which there were `like` equal lines. `recorded` and `begun` are epoch
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
            self.chat, line, ADDING, self._like(line), recorded=seconds, begun=seconds
        )
        fresh = self.state.values.add(_key(nonce), _text(begun), REMEMBERED)
        if not fresh:
            known = self.get(nonce)
            if known is None or known.step != ADDING:
                return False
            begun = self._taken_over(nonce, known)
        with self._step(nonce, begun):
            if fresh or self._like(line) <= begun.like:
                data = change(
                    self.logs, TEAM_LOG, lambda data: appended(as_utf8(data).data, line), self.now
                )
            else:  # its writer died after writing the line
                data = as_utf8(current(self.logs, TEAM_LOG)[0]).data
            places = _places(data, line)
            self._put(nonce, replace(begun, step=THERE, at=places[-1], nth=len(places) - 1))
        return True

    def undo(self, nonce: str) -> bool:
        """Take the session out. Return False if it is not there any more. Raises Busy when it is
        being written, EncodingError when the file is no text, and StorageError."""
        known = self.get(nonce)
        if known is None or known.step == GONE:
            return False
        if known.step == ADDING:
            raise Busy
        if known.step == REMOVING:
            begun = self._taken_over(nonce, known)
        else:
            begun = replace(
                known, step=REMOVING, like=self._like(known.line), begun=self.now.timestamp()
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
            if known.step == REMOVING and self._like(begun.line) < begun.like:
                removed = True  # its writer died after taking it out
            else:
                change(self.logs, TEAM_LOG, new, self.now)
            self._put(nonce, replace(begun, step=GONE))
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
        if not self.state.values.replace(_key(nonce), _text(known), _text(new), REMEMBERED):
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
        return len(_places(as_utf8(current(self.logs, TEAM_LOG)[0]).data, line))

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
