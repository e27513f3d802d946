"""The games that a league's room has told by itself, until they are in the season log, and longer.

Tenhou's day file brings the same games later (rating/merge.py). What was made of a game stays known, so
that the day's line takes our line's place, and a game that a hand took out stays out. Games are kept by the
day of their end.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from bot.tenhou.room import RoomGame
from rating.merge import DayLine, OwnGame
from storage.state import State
from storage.tenhou import KeptGame


def all_offered(state: State, league: str = "") -> dict[date, list[bytes]]:
    """Return every line that Tenhou is known to offer, by day: in its files, or as the room's own result.

    Raises StorageError when the store cannot be reached.
    """
    found = defaultdict(list, {day: list(lines) for day, lines in state.results.offered(league).items()})
    for kept in state.own_games.all(league):
        for day, raw in _game(kept).versions:
            found[day].append(raw)
    return {day: list(dict.fromkeys(lines)) for day, lines in found.items()}


class OwnResults:
    """One league's games. What was read stays in memory, so make one for each piece of work.

    Every method raises StorageError when the store cannot be reached.
    """

    def __init__(self, state: State, league: str = "") -> None:
        self._games = state.own_games
        self.league = league
        self._known: dict[date, list[OwnGame]] | None = None

    def put(self, games: Iterable[RoomGame], room: str) -> None:
        """Keep games of the room `C####`. A game known already changes only when its start is told now, or
        another."""
        told = {game.key: game for game in games}
        days = {game.result.at.date() for game in told.values()}

        def new(kept: list[KeptGame]) -> Iterator[KeptGame]:
            known = {game.key: _game(game) for game in kept}
            for key, game in told.items():
                if (after := _with(known.get(key), game, room)) != known.get(key):
                    yield _kept(after)

        if days:
            self._games.change(self.league, days, new)
        self._known = None

    def read(self, days: Collection[date]) -> list[OwnGame]:
        """Return the games that ended on these days, and read nothing else."""
        return [_game(game) for game in self._games.all(self.league, days)]

    def around(self, days: Collection[date]) -> list[OwnGame]:
        """Return the games that may be those of day files of these days."""
        near = {day + timedelta(days=off) for day in days for off in (-1, 0, 1)}
        return [game for day in sorted(near) for game in self._all().get(day, ())]

    def lines_on(self, day: date) -> list[bytes]:
        """Return every line that was made for a day."""
        games = [game for end in (day, day + timedelta(days=1)) for game in self._all().get(end, ())]
        return [raw for game in games for started, raw in game.versions if started == day]

    def offer_again(self, since: date) -> None:
        """Mark the games that ended from `since` on as not in the log, so that they are merged once more."""
        self._games.change(
            self.league,
            [day for day in self._all() if day >= since],
            lambda kept: [_kept(replace(_game(game), fresh=True, stood=False)) for game in kept],
        )
        self._known = None

    def waiting(self) -> list[date]:
        """Return the days (of the games' ends) with games to merge."""
        return [day for day, games in self._all().items() if any(game.fresh for game in games)]

    def done(self, games: Mapping[OwnGame, bool]) -> None:
        """Note that the log was looked at for these games; of those with True a line stands, or has stood, in
        it.

        A game of which another line was put meanwhile keeps waiting.
        """
        there = {game.key: (game.versions, stood) for game, stood in games.items()}

        def new(kept: list[KeptGame]) -> Iterator[KeptGame]:
            for game in map(_game, kept):
                versions, stood = there.get(game.key, ((), False))
                if game.versions == versions:
                    yield _kept(replace(game, fresh=False, stood=game.stood or stood))

        if games:
            self._games.change(self.league, {game.end.date() for game in games}, new)
        self._known = None

    def _all(self) -> dict[date, list[OwnGame]]:
        """Return all games by the day of their end; the store is asked once."""
        if self._known is None:
            self._known = {}
            for game in self._games.all(self.league):
                self._known.setdefault(game.day, []).append(_game(game))
        return self._known


def _with(known: OwnGame | None, game: RoomGame, room: str) -> OwnGame:
    line: DayLine = (game.day, game.line(room))
    started = game.start is not None
    if known is None:
        return OwnGame(game.key, game.result.at, (line,), started)
    if known.current == line or (known.started and not started):
        return known
    versions = (*(version for version in known.versions if version != line), line)
    return replace(known, versions=versions, started=started, fresh=True)


def _kept(game: OwnGame) -> KeptGame:
    versions = [[day.isoformat(), raw.decode("utf-8", "surrogateescape")] for day, raw in game.versions]
    words = json.dumps([game.end.isoformat(), versions, game.started, game.stood])
    return KeptGame(game.key, game.end.date(), words, game.fresh)


def _game(kept: KeptGame) -> OwnGame:
    end, versions, started, stood = json.loads(kept.game)
    lines: Sequence[DayLine] = [
        (date.fromisoformat(day), raw.encode("utf-8", "surrogateescape")) for day, raw in versions
    ]
    return OwnGame(kept.key, datetime.fromisoformat(end), tuple(lines), started, stood, kept.fresh)
