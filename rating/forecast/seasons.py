"""Simulate the games to come of a season many times.

Members sit in the games to come as often as they played recently, each once at a table. A game's
points are a real game's residuals (points less expectations), dealt to the seats at random, plus
the expectations by the strengths of this simulated season. So the tails are the league's own.

A season of more than LONG games takes no longer: BUNCHES games are simulated in place of all games
to come, with luck and expectation scaled to their number. Sums of many games are normal in any
case.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from rating.columns import Floats, Ints
from rating.forecast.past import Past
from rating.forecast.strengths import Skills, expected, residuals_of, skills_of
from rating.forecast.table_draw import tables_of
from rating.games import GameError

SEASONS = 10_000
MOST_SEASONS = 100_000
MOST_CELLS = 5_000_000  # seasons times players, for the sake of memory
MOST_LEFT = 100_000  # games
RECENT = 500  # games whose points less expectations are dealt out again
LONG = 1_250  # games of a season, played and left
BUNCHES = 100  # games simulated in place of more games to come in a longer season
AT_ONCE = 60_000  # games simulated together, for the sake of memory
TRIES = 200  # rounds in which a first game with a given end is sought
Progress = Callable[[int, int], None]


class FirstGame(NamedTuple):
    """A condition for the next game: this player (a number of Past.names) finishes at this placing
    (0: first)."""

    player: int
    placing: int


@dataclass(frozen=True, slots=True)
class SimulatedSeasons:
    """S ways in which the season may end: strengths (S, n), and the members' points (S, members) in
    the `left` games to come. `gains` has one row of zeros where there are none."""

    past: Past
    skills: Skills
    left: int
    strengths: Floats
    gains: Floats

    @property
    def now(self) -> Floats:
        """The members' points (members,) so far."""
        return self.past.totals[: self.past.members]

    @property
    def finals(self) -> Floats:
        """The members' final points (S, members)."""
        return self.now + self.gains


def simulate_seasons(
    past: Past,
    left: int,
    *,
    seed: int | None = None,
    seasons: int = SEASONS,
    first_game: FirstGame | None = None,
    progress: Progress | None = None,
) -> SimulatedSeasons:
    """Simulate the `left` games to come. Without `seed` it follows from the games. Raises GameError
    for a number of seasons or games beyond the bounds, and when no simulated next game ends as
    `first_game` requires."""
    if not 0 <= left <= MOST_LEFT:
        raise GameError(f"from 0 to {MOST_LEFT} games left can be forecast, not {left}")
    limit = min(MOST_SEASONS, MOST_CELLS // len(past.names))
    if not 1 <= seasons <= limit:
        players = len(past.names)
        raise GameError(
            f"from 1 to {limit} seasons can be simulated with {players} players, not {seasons}"
        )
    random = np.random.default_rng(past.digest() if seed is None else seed)
    skills = skills_of(past)
    strengths = skills.draw(random, seasons)
    if not left:
        return SimulatedSeasons(past, skills, left, strengths, np.zeros((1, past.members)))
    pool = every_order(residuals_of(past, skills.means, RECENT))
    if first_game is None:
        gains = _gains(past, strengths, pool, left, random, progress)
    else:
        strengths, first_gains = _first_games(past, strengths, pool, first_game, random)
        gains = _gains(past, strengths, pool, left - 1, random, progress) + first_gains
    return SimulatedSeasons(past, skills, left, strengths, gains[:, : past.members])


def every_order(residuals: Floats) -> Floats:
    """Each game's residuals (R, K) in each order of the seats: (R * K!, K)."""
    _, seats = residuals.shape
    orders = list(permutations(range(seats)))
    return np.asarray(residuals[:, orders].reshape(-1, seats))


def _gains(
    past: Past,
    strengths: Floats,
    pool: Floats,
    games: int,
    random: np.random.Generator,
    progress: Progress | None,
) -> Floats:
    """What every player gains in `games` games of each simulated season, (S, n). strengths: (S, n);
    pool: (R, K) residuals to draw from."""
    seasons, n = strengths.shape
    if not games:
        return np.zeros((seasons, n))
    is_bunched = past.played + games > LONG and games > BUNCHES
    simulated = BUNCHES if is_bunched else games
    step = max(1, AT_ONCE // simulated)
    tables = tables_of(past)
    by_seat = np.ascontiguousarray(pool.T)
    parts = []
    for start in range(0, seasons, step):
        part = strengths[start : start + step]
        seated = tables(random, len(part), simulated)
        parts.append(_gains_at_tables(part, seated, by_seat, games / simulated, random))
        if progress is not None:
            progress(min(start + step, seasons), seasons)
    return np.concatenate(parts)


def _gains_at_tables(
    strengths: Floats, seated: Ints, pool: Floats, weight: float, random: np.random.Generator
) -> Floats:
    """The players' gains (s, n) at the tables of s seasons. strengths: (s, n). seated: (K, s times
    games) numbers of players, season by season. pool: (K, R) residuals. weight: how many games each
    table counts as, so its expectation counts that often and its residual's variance too."""
    seasons, n = strengths.shape
    seats, tables = seated.shape
    # players are numbered through all seasons
    numbers = seated + np.repeat(np.arange(seasons) * n, tables // seasons)
    seat_strengths = strengths.ravel()[numbers]
    luck = pool[:, random.integers(len(pool.T), size=tables)]
    expectations = seats * seat_strengths - seat_strengths.sum(axis=0)
    points = weight * expectations + weight**0.5 * luck
    sums = np.bincount(numbers.ravel(), points.ravel(), seasons * n)
    return np.asarray(sums.reshape(-1, n))


class _FirstGames(NamedTuple):
    """Strengths (S, n) under which the next game ended as required, and its points (S, n)."""

    strengths: Floats
    gains: Floats


def _first_games(
    past: Past,
    strengths: Floats,
    pool: Floats,
    first_game: FirstGame,
    random: np.random.Generator,
) -> _FirstGames:
    """Games are drawn until as many ended as required as there are seasons, or TRIES times as many
    were drawn; then those that did are repeated."""
    seasons, _ = strengths.shape
    tables = tables_of(past, without=first_game.player)
    parts: list[_FirstGames] = []
    count = 0
    for _ in range(TRIES):
        opponents = tables(random, seasons, 1)
        luck = pool[random.integers(len(pool), size=seasons)]
        part = _ended_as_required(strengths, opponents, luck, first_game)
        parts.append(part)
        count += len(part.gains)
        if count >= seasons:
            break
    if not count:
        raise GameError(f"{past.names[first_game.player]} does not end a simulated game so")
    rows = np.arange(seasons) % count
    return _FirstGames(
        np.concatenate([part.strengths for part in parts])[rows],
        np.concatenate([part.gains for part in parts])[rows],
    )


def _ended_as_required(
    strengths: Floats, opponents: Ints, luck: Floats, first_game: FirstGame
) -> _FirstGames:
    """Play one game in each season, and select those that ended as required. strengths: (S, n).
    opponents: (K - 1, S) numbers of players. luck: (S, K) residuals."""
    seasons, _ = strengths.shape
    player = np.full((1, seasons), first_game.player)
    seated = np.concatenate([player, opponents]).T
    points = expected(np.take_along_axis(strengths, seated, axis=1)) + luck
    above = (points[:, 1:] > points[:, :1]).sum(axis=1)
    ended = above == first_game.placing
    gains = np.zeros(strengths.shape)
    np.put_along_axis(gains, seated, points, axis=1)
    return _FirstGames(strengths[ended], gains[ended])


def what_if(
    past: Past,
    left: int,
    player: str,
    placing: int = 0,
    *,
    seed: int | None = None,
    seasons: int = SEASONS,
) -> SimulatedSeasons:
    """The season's end if the member finishes the next game at `placing` (0: first). The strengths
    are those under which this happened, so a win raises them a little too. Raises GameError without
    a game to come, for other players than members, for a placing that games lack, and as
    `simulate_seasons`."""
    members = past.names[: past.members]
    if left < 1:
        raise GameError("no game is left")
    if player not in members:
        raise GameError(f"{player} is no member of this season")
    if not 0 <= placing < past.seats:
        raise GameError(f"a game has {past.seats} seats")
    first_game = FirstGame(members.index(player), placing)
    return simulate_seasons(past, left, seed=seed, seasons=seasons, first_game=first_game)
