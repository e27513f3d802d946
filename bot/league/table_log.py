"""Games at a table (卓) that members record in a chat, each written into the season log once.

They can be taken out again within a day. The State stores a chat's games with their steps. What this
guarantees: a game is in the log once, or not at all after it was taken out, at whatever step a
writer is killed. The killed writer leaves ADDING or REMOVING, and the tap, which is answered again,
completes the step: the merge adds a line once. Shown by tests/league/test_killed.py
(test_game_is_written_once_wherever_the_writer_is_killed) and tests/league/test_recorded.py.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from bot.league.recorded import STUCK, UNDO, RecordStep
from bot.league.season_log import LeagueFolder, SeasonLogError, SeasonLogs
from rating.roomlog import TABLE, parse_utf8
from rating.same_game import same_result
from storage.state import State

AGAIN = 60.0  # seconds in which the same words take out no second game: two members may send them
MOST = 40  # games of a chat that are remembered


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game recorded in the chat: its button's nonce, its day (ISO) and line in the season log,
    its step, and when that began (epoch seconds). A fine is recorded in the same way."""

    nonce: str
    day: str
    line: str
    step: str
    since: float


class Recording(StrEnum):
    WRITTEN = "written"
    NOT_NEW = "not new"  # taken out again, or recorded by another button
    ALIKE = "alike"  # not written: a game with the same result was recorded within a day


class RecordingResult(NamedTuple):
    """What became of a game to record; `alike` is the recorded game that it may be."""

    outcome: Recording
    alike: TableGame | None = None


class Removal(StrEnum):
    DONE = "done"
    ALREADY = "already"  # it had been taken out before
    LATE = "late"  # it was recorded more than a day ago
    GONE_BY_HAND = "gone by hand"  # the log has no such line any more
    NOTHING = "nothing"  # the chat recorded nothing within a day


class RemovalResult(NamedTuple):
    """What became of a game to take out. Where an undo finds it taken out already, `newest` is the
    chat's newest game in the log, which can be taken out next."""

    outcome: Removal
    game: TableGame | None = None
    newest: TableGame | None = None


class TableLog:
    """The games at a table that a chat records.

    Raises StorageError where a store can't be reached.
    """

    def __init__(self, folder: LeagueFolder, state: State, chat: str, now: datetime) -> None:
        self._folder = folder
        self._values = state.values
        self._key = f"table:{chat}"
        self._now = now

    def games(self) -> list[TableGame]:
        """The chat's games of the last day, those taken out too, in the order in which they were
        recorded or taken out."""
        return [game for game in self._remembered() if not self._is_late(game)]

    def add(
        self,
        nonce: str,
        day: date,
        line: str,
        *,
        even_if_alike: bool,
    ) -> RecordingResult:
        """Write a game. Raises SeasonLogError where no season takes the game, or its log can't be
        read."""
        now = self._now.timestamp()
        game = self._begin(TableGame(nonce, day.isoformat(), line, RecordStep.ADDING, now))
        if game.step == RecordStep.WRITTEN:
            return RecordingResult(Recording.WRITTEN)
        if game.step != RecordStep.ADDING:
            return RecordingResult(Recording.NOT_NEW)
        earlier = self._result_of_earlier(game, even_if_alike)
        if earlier is not None:
            self._forget(nonce)
            return earlier
        try:
            self._write(game)
        except SeasonLogError:
            self._forget(nonce)
            raise
        self._step(replace(game, step=RecordStep.WRITTEN))
        return RecordingResult(Recording.WRITTEN)

    def _result_of_earlier(self, game: TableGame, even_if_alike: bool) -> RecordingResult | None:
        """Return the result for a game that an earlier one is, or may be; None for a new one."""
        alike = self._others_alike(game)
        for other in alike:
            if _is_same_line(other, game) and other.step == RecordStep.WRITTEN:
                return RecordingResult(Recording.NOT_NEW)
        if alike and not even_if_alike:
            return RecordingResult(Recording.ALIKE, alike[-1])
        return None

    def take_out(self, nonce: str) -> RemovalResult:
        """Take a game out of the log."""
        game = _with_nonce(self._remembered(), nonce)
        if game is not None and game.step == RecordStep.REMOVED:
            return RemovalResult(Removal.ALREADY, game)
        was_removing = game is not None and game.step == RecordStep.REMOVING
        if game is None or (self._is_late(game) and not was_removing):
            return RemovalResult(Removal.LATE, game)
        self._step(replace(game, step=RecordStep.REMOVING))
        was_there = self._logs().take_out(date.fromisoformat(game.day), game.line.encode())
        now = self._now.timestamp()
        removed = self._step(replace(game, step=RecordStep.REMOVED, since=now))
        if was_there or was_removing:
            return RemovalResult(Removal.DONE, removed)
        return RemovalResult(Removal.GONE_BY_HAND, removed)

    def take_out_newest(self, message: str) -> RemovalResult:
        """Take out the game that the undo `message` is about: usually the newest in the log. If
        that game is out already, as for a repeated undo, take out nothing (ALREADY)."""
        target = self._target_of(message)
        if target is None:
            if self._remembered():
                return RemovalResult(Removal.LATE)
            return RemovalResult(Removal.NOTHING)
        result = self.take_out(target.nonce)
        if result.outcome == Removal.ALREADY:
            return result._replace(newest=self._newest_recorded())
        return result

    def _target_of(self, message: str) -> TableGame | None:
        """The game that an undo message is about. Adding the choice to the State guarantees that a
        message which is handled again, by any process, is about the same game."""
        target = self._target_now()
        if target is None:
            return None
        key = f"{self._key}:take out:{message}"
        if self._values.add(key, target.nonce, UNDO):
            return target
        stored_nonce = self._values.get(key) or ""
        return _with_nonce(self.games(), stored_nonce) or target

    def _target_now(self) -> TableGame | None:
        """The game that an undo sent at this moment is about: the newest in the log; a game already
        out if it was the last one changed, and that within AGAIN seconds or with none in the log.
        """
        newest = self._newest_recorded()
        games = self.games()
        if not games or games[-1].step != RecordStep.REMOVED:
            return newest
        removed = games[-1]
        is_repeated = self._now.timestamp() - removed.since < AGAIN
        if is_repeated or newest is None:
            return removed
        return newest

    def _newest_recorded(self) -> TableGame | None:
        """The newest game that is in the log. One whose writer died may be."""
        for game in reversed(self.games()):
            if game.step in (RecordStep.WRITTEN, RecordStep.REMOVING):
                return game
            is_stuck = self._now.timestamp() - game.since > STUCK
            may_be_there = game.step == RecordStep.ADDING and is_stuck
            if may_be_there and self._logs().has(game.line.encode()):
                return game
        return None

    def _others_alike(self, game: TableGame) -> list[TableGame]:
        """The other games with the same result that are in the log. Of two that are being written
        at once, only the one begun later has the other."""
        alike: list[TableGame] = []
        is_earlier = True
        for other in self.games():
            if other.nonce == game.nonce:
                is_earlier = False
            elif _have_same_result(other.line, game.line):
                is_being_written = other.step == RecordStep.ADDING and is_earlier
                is_recorded = other.step == RecordStep.WRITTEN and self._logs().has(
                    other.line.encode()
                )
                if is_being_written or is_recorded:
                    alike.append(other)
        return alike

    def _write(self, game: TableGame) -> None:
        logs = self._logs()
        day = date.fromisoformat(game.day)
        raw = game.line.encode()
        if not logs.counts(day, raw):
            raise SeasonLogError("no season of the league takes the game")
        logs.add({day: [raw]}, None, {})
        if logs.refused and logs.stuck(day, [raw]):
            raise SeasonLogError("; ".join(f"{name}: {why}" for name, why in logs.refused.items()))

    def _logs(self) -> SeasonLogs:
        return SeasonLogs(self._folder, lambda: self._now, own_room=lambda: TABLE)

    def _is_late(self, game: TableGame) -> bool:
        return self._now.timestamp() - game.since >= UNDO

    def _begin(self, game: TableGame) -> TableGame:
        """Store that a game is being written, and return it at the step it has reached. One whose
        writer died more than a day ago begins again."""

        def begun(games: list[TableGame]) -> list[TableGame]:
            stored = _with_nonce(games, game.nonce)
            if stored is None:
                return [*games, game]
            if stored.step != RecordStep.ADDING or not self._is_late(stored):
                return games
            others = [other for other in games if other.nonce != game.nonce]
            return [*others, replace(stored, since=game.since)]

        return _with_nonce(self._change(begun), game.nonce) or game

    def _step(self, game: TableGame) -> TableGame:
        """Store the game at its step, and return it; where it is further already, return it as it
        is. A game that was taken out becomes the last of the list."""
        steps = (RecordStep.ADDING, RecordStep.WRITTEN, RecordStep.REMOVING, RecordStep.REMOVED)

        def moved(games: list[TableGame]) -> list[TableGame]:
            stored = _with_nonce(games, game.nonce)
            if stored is not None and steps.index(stored.step) >= steps.index(game.step):
                return games
            others = [other for other in games if other.nonce != game.nonce]
            if stored is None or game.step == RecordStep.REMOVED:
                return [*others, game]
            return [game if other.nonce == game.nonce else other for other in games]

        return _with_nonce(self._change(moved), game.nonce) or game

    def _forget(self, nonce: str) -> None:
        self._change(lambda games: [game for game in games if game.nonce != nonce])

    def _remembered(self) -> list[TableGame]:
        return _read(self._values.get(self._key))

    def _change(
        self,
        new: Callable[[list[TableGame]], list[TableGame]],
    ) -> list[TableGame]:
        def changed(value: str | None) -> str:
            games = new(_read(value))[-MOST:]
            return json.dumps([asdict(game) for game in games], ensure_ascii=False)

        return _read(self._values.change(self._key, changed, 2 * UNDO))


def _read(value: str | None) -> list[TableGame]:
    return [TableGame(**game) for game in json.loads(value or "[]")]


def _with_nonce(games: Iterable[TableGame], nonce: str) -> TableGame | None:
    return next((game for game in games if game.nonce == nonce), None)


def _is_same_line(game: TableGame, other: TableGame) -> bool:
    return (game.day, game.line) == (other.day, other.line)


def _have_same_result(line: str, other: str) -> bool:
    """Whether two lines of a season log have the same players with the same points."""
    first, second = parse_utf8("", f"{line}\n{other}".encode()).lines
    if first.fine is not None and second.fine is not None:
        same_player = first.fine.player == second.fine.player
        return same_player and first.fine.points == second.fine.points
    if first.game is not None and second.game is not None:
        return same_result(first.game, second.game)
    return False
