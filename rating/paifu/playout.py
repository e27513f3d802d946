"""Plays the rest of a game out, for the chance of every place at a deal.

The rest of the game is played out with the ends that rounds had in real games. The round dealt has
every end, each with its frequency, so a place that no end of it can change has the chance 1. After
it PATHS paths go on until the game is over; the ends of their later rounds are drawn by frequency
with fixed numbers, so a deal always has the same chances.

The ends (round_ends.json) are those of 1,500 games of three seats and 300 of four of Tenhou's top
table; `python -m tests.tools.chances` counts them and prints how well the chances fit games that
they were not counted on.

Arrays have E ends of rounds, K seats, P paths, N deals.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints

Bools = NDArray[np.bool_]
Points = NDArray[np.int32]  # of half the size of Ints, for the sake of time
PATHS = 1_000  # of a deal: chances are within some 1 %, those of the last round 0.3 %
QUANTILES = 2**16  # steps of the table from which ends are drawn
# The path of number n draws the end of its next round at the fraction of n times the square root
# of a prime, one prime for each round. Such points fill space more evenly than random ones.
PRIMES = (
    2,
    3,
    5,
    7,
    11,
    13,
    17,
    19,
    23,
    29,
    31,
    37,
    41,
    43,
    47,
    53,
    59,
    61,
    67,
    71,
    73,
    79,
    83,
)


class RoundState(NamedTuple):
    """The state of a game at a deal. `step`: rounds from the first, repeats not counted; `last`:
    that of the last round; `scores`: points by seat, the first dealer's first; `goal`: points that
    end the game."""

    step: int
    last: int
    honba: int
    sticks: int
    dealer: int
    scores: tuple[int, ...]
    goal: int


class RoundEnds(NamedTuple):
    """Ends of rounds without honba and sticks: changes (E, K) from the dealer on, whether the
    dealer deals again (E,), whether somebody won (E,), and their frequencies (E,)."""

    changes: Ints
    again: Bools
    won: Bools
    weights: Floats


class EndTable(NamedTuple):
    """Ends of rounds, ready to be added to scores. Of end e with dealer d, column d * E + e of
    `changes`, `honba` and `sticks` (K, K * E) has the points that each seat gains: by the end, for
    each honba and for each stick on the table. `new_sticks` (E,) stay on the table after a draw.
    `drawn` (QUANTILES,) has each end as often as its frequency requires."""

    shares: Floats
    again: Bools
    won: Bools
    changes: Points
    honba: Points
    sticks: Points
    new_sticks: Ints
    drawn: Ints


class Paths(NamedTuple):
    """Games that are played out, one a column. `deal`: the number of the deal that it goes on from,
    `number`: its own number among the paths of that deal, `weight`: its share of that deal's
    chances; `left`: rounds until the last, 0 in it; the others as in RoundState, scores (K, P)."""

    deal: Ints
    number: Ints
    weight: Floats
    scores: Points
    left: Points
    honba: Points
    sticks: Points
    dealer: Points
    goal: Points

    def select(self, columns: Ints) -> "Paths":
        return Paths(
            deal=self.deal[columns],
            number=self.number[columns],
            weight=self.weight[columns],
            scores=self.scores[:, columns],
            left=self.left[columns],
            honba=self.honba[columns],
            sticks=self.sticks[columns],
            dealer=self.dealer[columns],
            goal=self.goal[columns],
        )


@cache
def counted_ends(seats: int) -> EndTable:
    """The ends of rounds in round_ends.json."""
    tables = json.loads(Path(__file__).with_name("round_ends.json").read_text("utf-8"))
    *changes, again, is_win, weights = np.array(tables[str(seats)]).T
    points = 100 * np.array(changes, int).T
    return end_table(RoundEnds(points, again == 1, is_win == 1, weights))


def end_table(ends: RoundEnds) -> EndTable:
    """The table of these ends. The winner with the largest gain takes all honba and sticks: 100
    points of each other seat for each honba, all from the giver after a ron."""
    seats = ends.changes.shape[1]
    seat = np.arange(seats)
    loses = ends.changes < 0
    is_tsumo = loses.sum(axis=1) == seats - 1
    is_payer = seat == ends.changes.argmin(axis=1)[:, None]
    gains_most = seat == ends.changes.argmax(axis=1)[:, None]
    is_winner = gains_most & ends.won[:, None]
    shares_of_honba = np.where(is_tsumo[:, None], loses, is_payer * (seats - 1))
    pays = shares_of_honba * ends.won[:, None]
    shares = ends.weights / ends.weights.sum()
    middles = (np.arange(QUANTILES) + 0.5) / QUANTILES
    new_sticks = -ends.changes.sum(axis=1) // 1_000
    return EndTable(
        shares=shares,
        again=ends.again,
        won=ends.won,
        changes=_by_dealer(ends.changes),
        honba=_by_dealer(100 * (is_winner * (seats - 1) - pays)),
        sticks=_by_dealer(1_000 * is_winner),
        new_sticks=np.where(ends.won, 0, new_sticks),
        drawn=np.searchsorted(np.cumsum(shares)[:-1], middles, side="right"),
    )


def _by_dealer(points: Ints) -> Points:
    """Points (E, K) from the dealer on as those by seat (K, K * E), for each dealer in turn."""
    seats = points.shape[1]
    by_seat = [np.roll(points, dealer, axis=1).T for dealer in range(seats)]
    return np.hstack(by_seat).astype(np.int32)


def chances_at(states: Sequence[RoundState], table: EndTable | None = None) -> Floats:
    """The chances (N, K, K) of the places at each state, a row for each seat; rows and columns sum
    to 1. By default with the counted ends."""
    seats = len(states[0].scores)
    if table is None:
        table = counted_ends(seats)
    chances = np.zeros((seats, seats, len(states)))
    every_end = np.tile(np.arange(len(table.shares)), len(states))
    paths = _play_round(chances, _first_paths(states, table), every_end, table)
    paths = _split(paths)
    for prime in PRIMES:
        quantiles = (paths.number + 0.5) * prime**0.5 % 1
        ends = table.drawn[(quantiles * QUANTILES).astype(int)]
        paths = _play_round(chances, paths, ends, table)
    _add_places(chances, paths)  # almost none go on after so many rounds
    return chances.transpose(2, 0, 1)


def _first_paths(states: Sequence[RoundState], table: EndTable) -> Paths:
    """A path for each end that the round of each state may have."""
    count = len(table.shares)
    deal = np.repeat(np.arange(len(states)), count)

    def column(name: str) -> Points:
        return np.array([getattr(state, name) for state in states], np.int32)[deal]

    scores = np.array([state.scores for state in states], np.int32).T
    return Paths(
        deal=deal,
        number=np.tile(np.arange(count), len(states)),
        weight=np.tile(table.shares, len(states)),
        scores=scores[:, deal],
        left=column("last") - column("step"),
        honba=column("honba"),
        sticks=column("sticks"),
        dealer=column("dealer"),
        goal=column("goal"),
    )


def _play_round(chances: Floats, paths: Paths, ends: Ints, table: EndTable) -> Paths:
    """Play a round of each path with these ends; return the paths that go on. The places of the
    others are added to the chances."""
    scores = _scores_after(paths, ends, table)
    is_over = _are_over(paths, scores, table.again[ends])
    next_paths = _next_deals(paths._replace(scores=scores), ends, table)
    _add_places(chances, next_paths.select(np.flatnonzero(is_over)))
    return next_paths.select(np.flatnonzero(~is_over))


def _scores_after(paths: Paths, ends: Ints, table: EndTable) -> Points:
    """The points (K, P) after a round of each path with these ends (P,)."""
    column = paths.dealer * len(table.shares) + ends
    scores = paths.scores + table.changes[:, column]
    scores += paths.honba * table.honba[:, column]
    scores += paths.sticks * table.sticks[:, column]
    return scores


def _are_over(paths: Paths, scores: Points, again: Bools) -> Bools:
    """Whether games are over after a round (P,): those with a seat below 0, and those that end with
    the last round. `scores` (K, P) are those after it, `again` (P,) whether the dealer deals
    again."""
    is_over: Bools = scores.min(axis=0) < 0
    late = np.flatnonzero(paths.left <= 0)
    is_over[late] |= _end_late(
        paths.select(late),
        scores[:, late],
        again[late],
    )
    return is_over


def _next_deals(paths: Paths, ends: Ints, table: EndTable) -> Paths:
    """The paths at the next deal after these ends (P,); their scores are those of the next deal
    already."""
    again = table.again[ends]
    won = table.won[ends]
    return paths._replace(
        left=paths.left - ~again,
        honba=np.where(again | ~won, paths.honba + 1, 0),
        sticks=np.where(won, 0, paths.sticks + table.new_sticks[ends]),
        dealer=(paths.dealer + ~again) % len(paths.scores),
    )


def _end_late(paths: Paths, scores: Points, again: Bools) -> Bools:
    """Whether games are over after a round that was the last or beyond: a seat has the goal, and
    the dealer does not deal again or leads; or it was the last round of the wind after the last."""
    has_goal = scores.max(axis=0) >= paths.goal
    dealer_leads = scores.argmax(axis=0) == paths.dealer
    is_very_last = paths.left <= -len(scores)
    is_over: Bools = (has_goal & (~again | dealer_leads)) | (is_very_last & ~again)
    return is_over


def _split(paths: Paths) -> Paths:
    """The paths that go on after the round dealt, each as several of less weight: PATHS a deal."""
    copies = np.ceil(PATHS * paths.weight).astype(int)
    split = paths._replace(weight=paths.weight / copies)
    split = split.select(np.repeat(np.arange(len(copies)), copies))
    first = np.searchsorted(split.deal, split.deal)
    return split._replace(number=np.arange(len(split.deal)) - first)


def _add_places(chances: Floats, paths: Paths) -> None:
    """Add the weights of finished games to the chances (K, K, N): seat, place, deal. Of equal
    points the seat nearer to the first dealer is better."""
    seats, _, deals = chances.shape
    for seat, points in enumerate(paths.scores):
        is_ahead = paths.scores > points
        is_ahead[:seat] |= paths.scores[:seat] == points
        cell = is_ahead.sum(axis=0) * deals + paths.deal
        counts = np.bincount(cell, paths.weight, seats * deals)
        chances[seat] += counts.reshape(seats, deals)
