"""The ratings of a league's games, and other results computed of them, each once.

Of ratings, unchanged games cost nothing, a few new games little."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from bot.league.snapshot import LeagueSnapshot, team_games
from bot.runtime.cache import Lru
from bot.runtime.json_log import timed
from rating.columns import Columns, columns_of, enough
from rating.games import Game, same_seats
from rating.models import MODELS
from rating.models.base import Batch, Replay, replay, standings
from rating.standings import History, Standings

RATINGS = 64  # ratings kept of a league
COMPUTED = 32  # other results kept of a league


# One at a time in a process, as each takes tens of megabytes; what takes seconds waits for its own
# kind, so that nothing else waits for it.
_COMPUTING = threading.Lock()
_COMPUTING_LONG = threading.Lock()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RatedGames:
    """What a rating system says of some games (of team matches, perhaps) in the order of play.
    `history` has a line for each player, by number in `games`, if the system learns game by game.
    """

    standings: Standings
    history: History
    games: list[Any]


@dataclass(frozen=True, slots=True)
class _Known:
    rated: RatedGames
    replay: Replay[Any]


class RatingCache:
    """The ratings of one league by system, season and seats, and other results by key.

    Safe in threads.
    """

    def __init__(self) -> None:
        self.known: Lru[tuple[Any, ...], _Known] = Lru(RATINGS)
        # Of one each: what was computed may be None.
        self.computed: Lru[Hashable, tuple[Any]] = Lru(COMPUTED)
        self.columns: tuple[list[Game], Columns] | None = (
            None  # the last games that systems were fitted to
        )


@dataclass(frozen=True)
class LeagueRatings:
    """The ratings of one snapshot of a league, computed when asked for."""

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
        the number met most often). With `days`, a period's first and last, a system that learns
        game by game rates all games up to its end, one that fits them all at once the period's
        alone. A system for team matches rates the team log. Raises GameError when a fit needs more
        games."""
        games: list[Any] = same_seats(self.snapshot.all_games(season), seats)
        if MODELS[model].plays == "teams":
            season = seats = None
            games = team_games(self.snapshot)
        system = self.snapshot.system(model, **options)
        if days is not None:
            first, last = days
            inside = [n for n, game in enumerate(games) if game.day and first <= game.day <= last]
            up_to = range(max(inside, default=-1) + 1)
            games = [games[n] for n in (inside if isinstance(system, Batch) else up_to)]
        key = (repr(system), season, seats, days)
        known = self.cache.known.get(key)
        if known is not None and known.rated.games == games:
            return known.rated
        with timed("rate"):
            if isinstance(system, Batch):
                kept = self.cache.columns  # one system after another is asked for the same games
                if kept is None or kept[0] != games:
                    kept = self.cache.columns = games, columns_of(enough(games))
                fresh = _Known(
                    RatedGames(system.fit_columns(kept[1]), {}, games),
                    Replay(),
                )
            else:
                if known is not None and known.rated.games != games[: len(known.rated.games)]:
                    known = None  # else go on from the games that were played
                done = len(known.rated.games) if known is not None else 0
                played = replay(
                    system, games[done:], known.replay if known is not None and done else None
                )
                fresh = _Known(RatedGames(standings(system, played), played.history, games), played)
        self.cache.known.put(key, fresh)
        return fresh.rated

    def computed_before(self, key: Hashable) -> Any:
        known = self.cache.computed.get(key)
        return known[0] if known else None

    def computed(
        self,
        key: Hashable,
        compute: Callable[[], T],
        long: bool = False,
    ) -> T:
        """Return what was computed under this key, or compute it while others wait. The key must
        say what of the snapshot the result depends on. `long`: it may take seconds."""

        def make() -> tuple[T]:
            with timed("rate"):
                return (compute(),)

        known = self.cache.computed.get(key)
        if known is None:
            with _COMPUTING_LONG if long else _COMPUTING:
                known = self.cache.computed.made(key, make)
        made: T = known[0]
        return made
