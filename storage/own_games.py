"""The table `own_games`: the games that a league's own room has reported.

A row is a game of a league, as JSON that bot/sync/league_job.py writes and reads, under the day of its
end. It stays until Tenhou's file of that day is no longer listed either (RETENTION of results).

What the table promises: a change of a league's games is one transaction, and only one of a league is
under way at a time, so that two processes that read a room at once add a game once.
tests/storage/test_once.py checks it.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Any, NamedTuple

import sqlalchemy as sa

from storage.database import Subject
from storage.results import RETENTION
from storage.schema import OWN_GAMES


class KeptGame(NamedTuple):
    """A stored game: its `day` is that of its end, `fresh` means that it is still to be merged."""

    key: str
    day: date
    game: str
    fresh: bool


class OwnGames(Subject):
    """The games that leagues' own rooms have reported."""

    def all(
        self,
        league: str,
        days: Collection[date] | None = None,
    ) -> list[KeptGame]:
        """A league's games in the order of their days, only those of `days` where they are given."""
        query = sa.select(OWN_GAMES).where(OWN_GAMES.c.league == league)
        if days is not None:
            query = query.where(_is_on(days))
        rows = self._database.rows(query.order_by(OWN_GAMES.c.day, OWN_GAMES.c.key))
        return [_game(row) for row in rows]

    def change(
        self,
        league: str,
        days: Iterable[date],
        new: Callable[[list[KeptGame]], Iterable[KeptGame]],
    ) -> None:
        """Give `new` a league's games of these days and store the games that it returns.

        Games that it does not return stay as they are. All this is one transaction.
        """
        query = (
            sa.select(OWN_GAMES)
            .where(OWN_GAMES.c.league == league, _is_on(days))
            .order_by(OWN_GAMES.c.key)
        )
        description = f"change own games of {league}"
        with self._database.begin(description, alone=f"own/{league}") as connection:
            stored = [_game(row) for row in connection.execute(query)]
            for game in new(stored):
                row = {"league": league, **game._asdict(), "day": game.day.isoformat()}
                connection.execute(self._database.replacing(OWN_GAMES, row), row)

    def leagues_waiting(self) -> set[str]:
        """The leagues that have games to merge."""
        query = sa.select(OWN_GAMES.c.league).where(OWN_GAMES.c.fresh).distinct()
        return {row.league for row in self._database.rows(query)}

    def sweep(self, today: date) -> int:
        """Remove the games of days that Tenhou lists no more; return their number."""
        return self._remove(OWN_GAMES, OWN_GAMES.c.day < (today - RETENTION).isoformat())


def _is_on(days: Iterable[date]) -> sa.ColumnElement[bool]:
    return OWN_GAMES.c.day.in_(sorted(day.isoformat() for day in days))


def _game(row: Any) -> KeptGame:
    return KeptGame(
        key=row.key,
        day=date.fromisoformat(row.day),
        game=row.game,
        fresh=bool(row.fresh),
    )
