"""Games at a table (卓): each is written into the season log once, and can be taken out within a day.

The State keeps a chat's games with the step each is at. A writer that dies leaves ADDING or REMOVING, and the
tap, which is answered again, does what is left: the merge adds a line once.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime

from bot.league.season_log import LeagueFolder, SeasonLogError, SeasonLogs
from rating.roomlog import TABLE
from storage.state import State

UNDO = 24 * 3600.0  # seconds in which a game can be taken out again
AGAIN = 60.0  # seconds in which the same words take out no second game: LINE may deliver them twice
MOST = 40  # games of a chat that are remembered
ADDING, THERE, REMOVING, GONE = "adding", "there", "removing", "gone"


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game recorded in the chat: its button's nonce, its day (ISO) and line in the season log, its step,
    and when that began (epoch seconds)."""

    nonce: str
    day: str
    line: str
    step: str
    since: float


class TableLog:
    """The games at a table that a chat records. Raises StorageError where a store can't be reached."""

    def __init__(self, folder: LeagueFolder, state: State, chat: str, now: datetime) -> None:
        self._folder, self._values, self._key, self._now = folder, state.values, f"table:{chat}", now

    def games(self) -> list[TableGame]:
        """The chat's games of the last day, oldest first, those taken out too."""
        oldest = self._now.timestamp() - UNDO
        return [game for game in _read(self._values.get(self._key)) if game.since > oldest]

    def add(self, nonce: str, day: date, line: str) -> bool:
        """Write a game; return False where it was taken out again, or recorded by another button. Raises
        SeasonLogError where no season takes the game, or its log can't be read."""
        known = self._step(TableGame(nonce, day.isoformat(), line, ADDING, self._now.timestamp()))
        if known.step != ADDING:
            return known.step == THERE
        logs, raw = self._logs(), known.line.encode()
        if not logs.counts(day, raw):
            self._forget(nonce)
            raise SeasonLogError("no season of the league takes the game")
        earlier = [game for game in self.games() if (game.day, game.line) == (known.day, known.line)]
        if earlier[0].nonce != nonce and earlier[0].step == THERE:
            self._forget(nonce)
            return False
        logs.add({day: [raw]}, None, {})
        if logs.refused and logs.stuck(day, [raw]):
            raise SeasonLogError("; ".join(f"{name}: {why}" for name, why in logs.refused.items()))
        self._step(replace(known, step=THERE))
        return True

    def take_out(self, nonce: str) -> TableGame | None:
        """Take a game out of the log; return it, or None where it is there no more (a hand changed it)."""
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
        """Keep the game at its step, and return it; where it is further already, return it as it is."""
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
            return json.dumps([asdict(game) for game in new(_read(value))[-MOST:]], ensure_ascii=False)

        self._values.change(self._key, changed, 2 * UNDO)


def _read(value: str | None) -> list[TableGame]:
    return [TableGame(**game) for game in json.loads(value or "[]")]
