"""The games that a league's room has told by itself.

They are kept by the day of their end, until they are in the log and longer. Tenhou's day file
brings the same games later (rating/own_games.py). What was made of a game stays known, so that the
day's line takes our line's place, and a game that a hand took out stays out.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property

from bot.tenhou.room import RoomGame
from rating.merge import DayLine
from rating.own_games import OwnGame
from storage.state import State
from storage.tenhou import KeptGame


def all_offered(state: State, league: str = "") -> dict[date, list[bytes]]:
    """Every line that Tenhou offers, by day: in its files, or as the room's own.

    Raises StorageError.
    """
    found: defaultdict[date, list[bytes]] = defaultdict(list)
    for day, lines in state.results.offered(league).items():
        found[day] = list(lines)
    for kept in state.own_games.all(league):
        for day, raw in _game(kept).versions:
            found[day].append(raw)
    return {day: list(dict.fromkeys(lines)) for day, lines in found.items()}


class OwnResults:
    """One league's games, read once: make one for each piece of work. Raises StorageError."""

    def __init__(self, state: State, league: str = "") -> None:
        self._games = state.own_games
        self.league = league

    @cached_property
    def _all(self) -> list[OwnGame]:
        return [_game(kept) for kept in self._games.all(self.league)]

    def put(self, games: Iterable[RoomGame], room: str) -> None:
        """Keep games of the room `C####`.

        A known one changes when its start is told now, or another.
        """
        told = {game.key: game for game in games}
        days = {game.result.at.date() for game in told.values()}

        def new(kept: list[KeptGame]) -> Iterator[KeptGame]:
            known = {game.key: _game(game) for game in kept}
            for key, game in told.items():
                line = DayLine(game.day, game.line(room))
                started = game.start is not None
                before = known.get(key)
                if before is None:
                    yield _kept(OwnGame(key, game.result.at, (line,), started))
                elif before.current != line and (started or not before.started):
                    versions = [version for version in before.versions if version != line]
                    versions.append(line)
                    changed = replace(before, versions=tuple(versions), started=started, fresh=True)
                    yield _kept(changed)

        if days:
            self._games.change(self.league, days, new)

    def read(self, days: Collection[date]) -> list[OwnGame]:
        """The games that ended on these days; nothing else is read."""
        return [_game(game) for game in self._games.all(self.league, days)]

    def around(self, days: Collection[date]) -> list[OwnGame]:
        """The games that may be those of day files of these days."""
        near = set()
        for day in days:
            near |= {day - timedelta(days=1), day, day + timedelta(days=1)}
        return [game for game in self._all if game.end.date() in near]

    def lines_on(self, day: date) -> list[bytes]:
        return [raw for game in self._all for started, raw in game.versions if started == day]

    def offer_again(self, since: date) -> None:
        """Mark the games that ended from `since` on as not in the log, so that they are merged once
        more.
        """

        def again(kept: list[KeptGame]) -> list[KeptGame]:
            return [_kept(replace(_game(game), fresh=True, stood=False)) for game in kept]

        ends = {game.end.date() for game in self._all}
        days = {day for day in ends if day >= since}
        self._games.change(self.league, days, again)

    def waiting(self) -> set[date]:
        """The days (of the games' ends) with games to merge."""
        return {game.end.date() for game in self._all if game.fresh}

    def done(self, games: Mapping[OwnGame, bool]) -> None:
        """Note that the log was looked at for these games; with True a line stands, or has stood,
        in it. A game of which another line was put meanwhile keeps waiting."""
        there = {game.key: (game.versions, stood) for game, stood in games.items()}

        def new(kept: list[KeptGame]) -> Iterator[KeptGame]:
            for game in map(_game, kept):
                versions, stood = there.get(game.key, ((), False))
                if game.versions == versions:
                    yield _kept(replace(game, fresh=False, stood=game.stood or stood))

        if games:
            self._games.change(
                self.league,
                {game.end.date() for game in games},
                new,
            )


def _kept(game: OwnGame) -> KeptGame:
    versions = [
        [day.isoformat(), raw.decode("utf-8", "surrogateescape")] for day, raw in game.versions
    ]
    words = json.dumps(
        [
            game.end.isoformat(),
            versions,
            game.started,
            game.stood,
        ]
    )
    return KeptGame(game.key, game.end.date(), words, game.fresh)


def _game(kept: KeptGame) -> OwnGame:
    end, versions, started, stood = json.loads(kept.game)
    lines = tuple(
        DayLine(date.fromisoformat(day), raw.encode("utf-8", "surrogateescape"))
        for day, raw in versions
    )
    return OwnGame(kept.key, datetime.fromisoformat(end), lines, started, stood, kept.fresh)
