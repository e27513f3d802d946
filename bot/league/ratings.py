"""The ratings of a league's games, and other results computed from them, each once. Only new games
are rated.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeVar

from bot.league.snapshot import LeagueSnapshot, team_games
from bot.runtime.cache import Lru
from bot.runtime.json_log import timed
from rating.columns import Columns, columns_of, enough
from rating.games import Game, same_seats
from rating.models import MODELS
from rating.models.base import Batch, Replay, Sequential, replay, standings
from rating.standings import History, Standings

RATINGS = 64  # cached ratings of a league
COMPUTED = 32  # other cached results of a league


# A process computes one value at a time, as each takes tens of megabytes, and no value twice.
# Values that take seconds have a lock of their own, so that others do not wait for them. Shown by
# tests/league/test_repository.py (test_value_requested_by_many_threads_is_computed_once).
_COMPUTING = threading.Lock()
_COMPUTING_LONG = threading.Lock()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RatedGames:
    """The ratings of games (of team matches, perhaps) in the order of play, by one rating system.
    `history` has a line for each player, by number in `games`, if the system learns game by game.
    """

    standings: Standings
    history: History
    games: list[Any]


@dataclass(frozen=True, slots=True)
class _CachedRating:
    """A rating, and the state from which it is continued when games are added."""

    rated: RatedGames
    replay: Replay[Any]


class RatingCache:
    """The ratings of one league by system, season and seats, and other results by key.

    Safe in threads.
    """

    def __init__(self) -> None:
        self.rated: Lru[tuple[Any, ...], _CachedRating] = Lru(RATINGS)
        # Tuples of one value, which may be None.
        self.computed: Lru[Hashable, tuple[Any]] = Lru(COMPUTED)
        self.columns: FittedGames | None = None


class FittedGames(NamedTuple):
    """The last games that systems were fitted to, with their columns."""

    games: list[Game]
    columns: Columns


@dataclass(frozen=True)
class LeagueRatings:
    """The ratings of one snapshot of a league, computed on request."""

    snapshot: LeagueSnapshot
    cache: RatingCache

    def rated(
        self,
        model: str,
        season: int | None = None,
        seats: int | None = None,
        days: tuple[date, date] | None = None,
        **options: Any,
    ) -> RatedGames:
        """Return the ratings of a season's games (None: all seasons') with 3 or 4 players (None:
        the most frequent number). With `days`, a period's first and last, a system that learns
        game by game rates all games up to its end, one that fits them all at once the period's
        alone. A system for team matches rates the team log. Raises GameError when a fit needs more
        games."""
        games: list[Any] = same_seats(self.snapshot.all_games(season), seats)
        if MODELS[model].plays == "teams":
            season = seats = None
            games = team_games(self.snapshot)
        system = self.snapshot.system(model, **options)
        if days is not None:
            games = _games_of_period(games, days, alone=isinstance(system, Batch))
        key = (repr(system), season, seats, days)
        cached = self.cache.rated.get(key)
        if cached is not None and cached.rated.games == games:
            return cached.rated
        with timed("rate"):
            if isinstance(system, Batch):
                fitted = system.fit_columns(self._columns(games))
                result = _CachedRating(RatedGames(fitted, {}, games), Replay())
            else:
                result = _replayed(system, games, cached)
        self.cache.rated.put(key, result)
        return result.rated

    def _columns(self, games: list[Game]) -> Columns:
        """Return the columns of the games. The last are cached, because systems fit the same games
        in turn.
        """
        cached = self.cache.columns
        if cached is None or cached.games != games:
            cached = FittedGames(games, columns_of(enough(games)))
            self.cache.columns = cached
        return cached.columns

    def computed_before(self, key: Hashable) -> Any:
        """Return the cached value of this key; None if there is none."""
        value = self.cache.computed.get(key)
        return value[0] if value else None

    def computed(
        self,
        key: Hashable,
        compute: Callable[[], T],
        long: bool = False,
    ) -> T:
        """Return the cached value of this key, or compute it while others wait. The key must have
        everything in the snapshot that the value depends on. `long`: it may take seconds."""

        def make() -> tuple[T]:
            with timed("rate"):
                return (compute(),)

        value = self.cache.computed.get(key)
        if value is None:
            lock = _COMPUTING_LONG if long else _COMPUTING
            with lock:
                value = self.cache.computed.made(key, make)
        computed: T = value[0]
        return computed


def _games_of_period(games: list[Any], days: tuple[date, date], alone: bool) -> list[Any]:
    """Return the games of a period `alone`, or else all games up to its last one."""
    first, last = days
    inside: list[int] = []
    for index, game in enumerate(games):
        if game.day and first <= game.day <= last:
            inside.append(index)
    if alone:
        return [games[index] for index in inside]
    return games[: max(inside, default=-1) + 1]


def _replayed(
    system: Sequential[Any], games: list[Any], earlier: _CachedRating | None
) -> _CachedRating:
    """Return the ratings of the games, continued from `earlier` if these are its first games."""
    start: Replay[Any] | None = None
    new_games = games
    if earlier is not None and earlier.rated.games:
        count = len(earlier.rated.games)
        if earlier.rated.games == games[:count]:
            start = earlier.replay
            new_games = games[count:]
    replayed = replay(system, new_games, start)
    rated = RatedGames(standings(system, replayed), replayed.history, games)
    return _CachedRating(rated, replayed)
