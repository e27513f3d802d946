"""Simulate the rest of a season many times.

Members sit in the games to come as often as they came lately, each once at a table. A game's points
are those of a real game less what was expected of its players, dealt to the seats at random, plus
what the strengths of this simulated season let expect of them. So the tails are the league's own.

A season of more than LONG games takes no longer: BUNCHES games are simulated for all that are left,
with what luck and what strength give scaled to so many. Sums of so many games are normal all the
same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from rating.columns import Floats, Ints
from rating.forecast.past import Past
from rating.forecast.strengths import Skills, expected, residuals_of, skills_of
from rating.games import GameError

ANEW = 10  # games that tell of a habit as much as a game of next season does


class TableDraw:
    """Draws the tables of seasons to come. players: (p,), who may come, with their `habits` (p,) in
    games. How often somebody will come is uncertain: each season has weights of its own, gamma
    distributed with shape 1 + habit / ANEW, by which the seats of each table are taken one after
    another, nobody twice."""

    def __init__(self, players: Ints, habits: Floats, seats: int) -> None:
        self._players = players
        self._shapes = 1 + habits / ANEW
        self._seats = seats

    def __call__(self, random: np.random.Generator, seasons: int, games: int) -> Ints:
        """The players (seats, seasons * games), the games of one season after those of another."""
        many = len(self._players)
        weights = random.standard_gamma(self._shapes, (seasons, many))
        weights /= weights.sum(axis=1, keepdims=True)
        ends = np.cumsum(weights, axis=1)
        ends[:, -1] = 1
        starts = (ends - weights).ravel()
        weights = weights.ravel()
        first = np.repeat(np.arange(seasons) * many, games)  # a season's first member's place
        taken: list[Ints] = []  # of a table, by their place among the ends, in this order
        drawn: list[Ints] = []
        for _ in range(self._seats):
            seated = sum(weights[other] for other in taken)
            at = random.random(len(first)) * (1 - seated)
            for other in taken:  # step over those who sit already
                at += weights[other] * (at >= starts[other])
            passed = at.reshape(seasons, games)
            before = (passed >= ends[:, member, None] for member in range(many - 1))
            found = first + sum(before, np.zeros(passed.shape, np.int16)).ravel()
            drawn.append(found)
            for place, other in enumerate(taken):  # put it among those in order
                taken[place], found = np.minimum(other, found), np.maximum(other, found)
            taken.append(found)
        return np.asarray(self._players[np.array(drawn) % many])


def tables_of(past: Past, without: int | None = None) -> TableDraw:
    """The tables to come, by the members' habits. Guests come only where fewer members than seats
    have played lately: as many as are missing, those who came most. With `without`, the tables have
    one seat less and that player is not among them."""
    seats = past.seats
    habits = past.habits
    order = np.argsort(-habits, kind="stable")
    able = order[habits[order] > 0]
    if without is not None:
        seats -= 1
        able = able[able != without]
    members = able[able < past.members]
    guests = able[able >= past.members]
    missing = max(0, seats - len(members))
    drawn = np.sort(np.concatenate([members, guests[:missing]]))
    return TableDraw(drawn, habits[drawn], seats)


SEASONS = 10_000
MOST_SEASONS = 100_000
MOST_CELLS = 5_000_000  # seasons times players, for the sake of memory
MOST_LEFT = 100_000  # games
RECENT = 500  # games whose points less expectations are dealt out again
LONG = 1_250  # games of a season, played and left
BUNCHES = 100  # games simulated for those left of a longer season, if more are left
AT_ONCE = 60_000  # games simulated together, for the sake of memory
TRIES = 200  # rounds in which a first game with a wanted end is sought
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class SimulatedSeasons:
    """S ways in which the season may end: strengths (S, n), and the members' points to come (S,
    members). `gains` has one row of zeros where no games are left."""

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
    wanted: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> SimulatedSeasons:
    """Simulate the `left` games that are left. Without `seed` it comes from the games. `wanted`: in
    the next game this player (a number of Past.names) finishes at this placing, 0 for first. Raises
    GameError for a number of seasons or games beyond the bounds, and when the wanted comes about in
    no simulated game."""
    if not 0 <= left <= MOST_LEFT:
        raise GameError(f"from 0 to {MOST_LEFT} games left can be forecast, not {left}")
    most = min(MOST_SEASONS, MOST_CELLS // len(past.names))
    if not 1 <= seasons <= most:
        players = len(past.names)
        raise GameError(
            f"from 1 to {most} seasons can be simulated with {players} players, not {seasons}"
        )
    random = np.random.default_rng(past.digest() if seed is None else seed)
    skills = skills_of(past)
    strengths = skills.draw(random, seasons)
    if not left:
        return SimulatedSeasons(past, skills, left, strengths, np.zeros((1, past.members)))
    pool = every_order(residuals_of(past, skills.means, RECENT))
    if wanted is None:
        gains = _gains(past, strengths, pool, left, random, progress)
    else:
        strengths, first = _first_games(past, strengths, pool, wanted, random)
        gains = _gains(past, strengths, pool, left - 1, random, progress) + first
    return SimulatedSeasons(past, skills, left, strengths, gains[:, : past.members])


def every_order(residuals: Floats) -> Floats:
    """Each game's residuals (R, K) in each order of the seats: (R * K!, K)."""
    orders = list(permutations(range(residuals.shape[1])))
    return np.asarray(residuals[:, orders].reshape(-1, residuals.shape[1]))


def _gains(
    past: Past,
    strengths: Floats,
    pool: Floats,
    games: int,
    random: np.random.Generator,
    progress: Progress | None,
) -> Floats:
    """What every player gains in `games` games of each simulated season, (S, n)."""
    seasons, n = strengths.shape
    if not games:
        return np.zeros((seasons, n))
    bunched = past.played + games > LONG and games > BUNCHES
    played = BUNCHES if bunched else games
    tables = tables_of(past)
    parts = []
    pool = np.ascontiguousarray(pool.T)
    step = max(1, AT_ONCE // played)
    more = games / played
    for start in range(0, seasons, step):
        drawn = strengths[start : start + step]
        seated = tables(random, len(drawn), played)
        places = seated + np.repeat(np.arange(len(drawn)) * n, played)
        strong = drawn.ravel()[places]
        luck = pool[:, random.integers(pool.shape[1], size=len(drawn) * played)]
        expectations = past.seats * strong - strong.sum(axis=0)
        points = more * expectations + more**0.5 * luck
        sums = np.bincount(places.ravel(), points.ravel(), len(drawn) * n)
        parts.append(sums.reshape(-1, n))
        if progress is not None:
            progress(min(start + step, seasons), seasons)
    return np.concatenate(parts)


def _first_games(
    past: Past,
    strengths: Floats,
    pool: Floats,
    wanted: tuple[int, int],
    random: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Strengths (S, n) under which the next game ended as wanted, and what that game gave, (S, n).
    Games are drawn until as many ended so as there are seasons, or TRIES times as many were drawn.
    """
    size, n = strengths.shape
    player, placing = wanted
    tables = tables_of(past, without=player)
    kept: list[Floats] = []
    given: list[Floats] = []
    ended_so = 0
    for _ in range(TRIES):
        chosen = np.full((1, size), player)
        who = np.concatenate([chosen, tables(random, size, 1)]).T
        luck = pool[random.integers(len(pool), size=size)]
        points = expected(np.take_along_axis(strengths, who, axis=1)) + luck
        above = (points[:, 1:] > points[:, :1]).sum(axis=1)
        ended = above == placing
        game = np.zeros((size, n))
        np.put_along_axis(game, who, points, axis=1)
        kept.append(strengths[ended])
        given.append(game[ended])
        ended_so += int(ended.sum())
        if ended_so >= size:
            return np.concatenate(kept)[:size], np.concatenate(given)[:size]
    if not ended_so:
        raise GameError(f"{past.names[player]} does not end a simulated game so")
    again = np.arange(size) % ended_so
    return np.concatenate(kept)[again], np.concatenate(given)[again]


def what_if(
    past: Past,
    left: int,
    player: str,
    placing: int = 0,
    *,
    seed: int | None = None,
    seasons: int = SEASONS,
) -> SimulatedSeasons:
    """The rest of the season if the member finishes the next game at `placing` (0: first). The
    strengths are those under which it came about, so that a win says a little of them too. Raises
    GameError when no game is left, for who is no member, for a placing that games lack, and as
    `simulate_seasons`."""
    members = past.names[: past.members]
    if left < 1:
        raise GameError("no game is left")
    if player not in members:
        raise GameError(f"{player} is no member of this season")
    if not 0 <= placing < past.seats:
        raise GameError(f"a game has {past.seats} seats")
    wanted = members.index(player), placing
    return simulate_seasons(past, left, seed=seed, seasons=seasons, wanted=wanted)
