"""The games that a league's own room has reported.

They are stored by the day of their end, until they are in the log and longer. Tenhou's day file
brings the same games later (rating/own_games.py). What was made of a game is stored, so that the day's
line takes our line's place, and a game that a hand took out stays out.
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
from storage.own_games import KeptGame
from storage.state import State


def all_offered(state: State, league: str = "") -> dict[date, list[bytes]]:
    """Every line that Tenhou offers, by day: in its files, or as the room's own.

    Raises StorageError.
    """
    offered: defaultdict[date, list[bytes]] = defaultdict(list)
    for day, lines in state.results.offered(league).items():
        offered[day] = list(lines)
    for stored in state.own_games.all(league):
        for day, raw in _game(stored).versions:
            offered[day].append(raw)
    return {day: list(dict.fromkeys(lines)) for day, lines in offered.items()}


class OwnResults:
    """One league's games, read once: make one for each piece of work. Raises StorageError."""

    def __init__(self, state: State, league: str = "") -> None:
        self._games = state.own_games
        self.league = league

    @cached_property
    def _all(self) -> list[OwnGame]:
        return [_game(stored) for stored in self._games.all(self.league)]

    def put(self, games: Iterable[RoomGame], room: str) -> None:
        """Store games of the room `C####`.

        A stored one changes when its start is known now, or is another.
        """
        reported = {game.key: game for game in games}
        days = {game.result.at.date() for game in reported.values()}

        def changed_games(stored: list[KeptGame]) -> Iterator[KeptGame]:
            games_before = {game.key: _game(game) for game in stored}
            for key, game in reported.items():
                changed = _changed(games_before.get(key), game, room)
                if changed is not None:
                    yield _stored(changed)

        if days:
            self._games.change(self.league, days, changed_games)

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
        lines: list[bytes] = []
        for game in self._all:
            lines += [version.raw for version in game.versions if version.day == day]
        return lines

    def offer_again(self, since: date) -> None:
        """Mark the games that ended from `since` on as not in the log, so that they are merged once
        more.
        """

        def offered_again(stored: list[KeptGame]) -> list[KeptGame]:
            return [_stored(replace(_game(game), fresh=True, stood=False)) for game in stored]

        ends = {game.end.date() for game in self._all}
        days = {day for day in ends if day >= since}
        self._games.change(self.league, days, offered_again)

    def waiting(self) -> set[date]:
        """The days (of the games' ends) with games to merge."""
        return {game.end.date() for game in self._all if game.fresh}

    def done(self, games: Mapping[OwnGame, bool]) -> None:
        """Record that the log was looked at for these games; with True a line is, or was, in it. A
        game of which another line was put meanwhile keeps waiting."""
        by_key = {game.key: game for game in games}

        def looked_at(stored: list[KeptGame]) -> Iterator[KeptGame]:
            for game in map(_game, stored):
                merged = by_key.get(game.key)
                if merged is not None and game.versions == merged.versions:
                    is_in_log = game.stood or games[merged]
                    yield _stored(replace(game, fresh=False, stood=is_in_log))

        if games:
            days = {game.end.date() for game in games}
            self._games.change(self.league, days, looked_at)


def _changed(before: OwnGame | None, game: RoomGame, room: str) -> OwnGame | None:
    """Return what to store of a game that the room reports now; None where that is stored, or less
    is known of the game than before."""
    line = DayLine(game.day, game.line(room))
    is_started = game.start is not None
    if before is None:
        return OwnGame(game.key, game.result.at, (line,), is_started)
    if before.current == line or (before.started and not is_started):
        return None
    versions = [version for version in before.versions if version != line]
    return replace(before, versions=(*versions, line), started=is_started, fresh=True)


def _stored(game: OwnGame) -> KeptGame:
    versions = [
        [day.isoformat(), raw.decode("utf-8", "surrogateescape")] for day, raw in game.versions
    ]
    text = json.dumps([game.end.isoformat(), versions, game.started, game.stood])
    return KeptGame(game.key, game.end.date(), text, game.fresh)


def _game(stored: KeptGame) -> OwnGame:
    end, versions, started, stood = json.loads(stored.game)
    lines = tuple(
        DayLine(date.fromisoformat(day), raw.encode("utf-8", "surrogateescape"))
        for day, raw in versions
    )
    return OwnGame(stored.key, datetime.fromisoformat(end), lines, started, stood, stored.fresh)
