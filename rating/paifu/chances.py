"""The chance of every place at each deal of a game: from round, honba, sticks, dealer and scores,
and nothing that came later.

Before the last round each order of the seats has the odds of its pairs: seven weights for the lead
over the other, the deals to come and the seats' order (a logit over all orders, so rows and columns
of the chances sum to 1). In the last round and beyond every end that a round had in real games is
added to the scores; where the game is over after it the order is certain, else it has the odds of
the pairs.

Weights and ends (chances.json) are those of 1,500 games of three seats and 300 of four of Tenhou's
top table; `python -m tests.tools.chances` fits them and says how well they tell games that they
were not fitted to.
"""

import json
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats, Ints
from rating.paifu.record import Record, Round

GOAL = 5_000  # points above the start that the first needs at the end of the last round
STARTS = {3: 35_000, 4: 25_000}
WEIGHTS = 7


class RoundState(NamedTuple):
    """Where a game stands at a deal. `step`: rounds from the first, repeats not counted; `last`:
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
    dealer deals again (E,), whether somebody won (E,), and how often each came (E,)."""

    changes: Ints
    again: NDArray[np.bool_]
    won: NDArray[np.bool_]
    counts: Ints


@cache
def fitted(seats: int) -> tuple[Floats, RoundEnds]:
    """The weights (7,) and the ends of rounds, from chances.json."""
    table = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))[str(seats)]
    *changes, again, won, counts = np.array(table["ends"]).T
    return np.array(table["weights"]), RoundEnds(
        100 * np.array(changes).T, again == 1, won == 1, counts
    )


@cache
def orders(seats: int) -> tuple[Ints, Ints, Floats]:
    """All orders (P, K) of seats, best place first; the pairs (P, pairs) of a better and a worse
    seat as numbers better * K + worse; and the sum over them, where only those of the best place
    count (P, pairs)."""
    every = np.array(list(permutations(range(seats))))
    ranks = list(combinations(range(seats), 2))
    pairs = np.array([[order[a] * seats + order[b] for a, b in ranks] for order in every])
    return every, pairs, np.array([float(a == 0) for a, _ in ranks])


def features(state: RoundState, scores: Floats) -> Floats:
    """What is known of each pair of seats at a deal with scores (S, K): (S, WEIGHTS - 1, K, K), the
    lead over the root of the rounds left first."""
    seats = scores.shape[1]
    left = max(1, state.last - state.step + 1)
    seat = np.arange(seats)
    deals = np.array(
        [sum(step % seats == s for step in range(state.step + 1, state.last + 1)) for s in seat]
    )
    lead = (scores[:, :, None] - scores[:, None, :]) / 10_000

    def apart(values: Any) -> Floats:
        values = np.asarray(values, float)
        return np.broadcast_to(values[:, None] - values[None, :], lead.shape)

    return np.stack(
        [
            lead / left**0.5,
            lead / left,
            np.tanh(lead) / left,
            apart(deals) / left**0.5,
            apart(seat == state.dealer) / left**0.5,
            apart(-seat / seats) / left,
        ],
        axis=1,
    )


def utilities(state: RoundState, scores: Floats) -> Floats:
    """What the weights are multiplied with, for each order of the seats: (S, P, WEIGHTS)."""
    seats = scores.shape[1]
    _, pairs, best = orders(seats)
    known = features(state, scores).reshape(len(scores), WEIGHTS - 1, -1)[:, :, pairs]
    every = known.sum(axis=3)
    first = (known[:, :1] * best).sum(axis=3)
    return np.concatenate([every, first], axis=1).transpose(0, 2, 1)


def by_odds(state: RoundState, scores: Floats, weights: Floats) -> Floats:
    """The chances (S, K, K) of the places by the odds of the pairs; scores: (S, K)."""
    odds = utilities(state, scores) @ weights
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return placed(odds / odds.sum(axis=1, keepdims=True))


def placed(chances: Floats) -> Floats:
    """The chances (S, K, K) of the places, a row a seat, from those of the orders (S, P)."""
    every, _, _ = orders({6: 3, 24: 4}[chances.shape[1]])
    is_placed = (every[:, None, :] == np.arange(every.shape[1])[None, :, None]).astype(float)
    return np.asarray(np.tensordot(chances, is_placed, axes=1))


def by_ends(state: RoundState, weights: Floats, ends: RoundEnds) -> Floats:
    """The chances (K, K) of the places in the last round or beyond, by every end that it may have.
    The game is over when a seat is below 0, or one has the goal and the dealer does not deal again
    or leads; and with the last round of the wind after the last."""
    seats = len(state.scores)
    changes = np.roll(ends.changes, state.dealer, axis=1)
    one = np.arange(seats) == changes.argmin(axis=1)[:, None]  # who pays for a ron; a tsumo all pay
    share = np.where(
        ((changes < 0).sum(axis=1) == seats - 1)[:, None], changes < 0, one * (seats - 1)
    )
    wins = np.arange(seats) == changes.argmax(axis=1)[:, None]
    honba, sticks = 100 * state.honba, 1_000 * state.sticks
    more = wins * ((seats - 1) * honba + sticks) - share * honba
    scores = np.array(state.scores) + changes + ends.won[:, None] * more
    order = np.argsort(-scores, axis=1, kind="stable")
    leads = order[:, 0] == state.dealer
    over = (scores.min(axis=1) < 0) | ((scores.max(axis=1) >= state.goal) & (~ends.again | leads))
    over |= (state.step >= state.last + seats) & ~ends.again
    places = np.zeros((len(scores), seats, seats))
    np.put_along_axis(places, order[:, None, :], 1.0, axis=1)
    for again in (True, False):
        goes_on = ~over & (ends.again == again)
        if goes_on.any():
            dealer = state.dealer if again else (state.dealer + 1) % seats
            places[goes_on] = by_odds(
                state._replace(dealer=dealer), scores[goes_on].astype(float), weights
            )
    return np.asarray(np.tensordot(ends.counts / ends.counts.sum(), places, axes=1))


def places(state: RoundState) -> Floats:
    """The chances (K, K) of the places, a row for each seat; rows and columns sum to 1."""
    weights, ends = fitted(len(state.scores))
    if state.step >= state.last:
        return by_ends(state, weights, ends)
    return np.asarray(by_odds(state, np.array([state.scores], float), weights)[0])


def deals_of(record: Record) -> list[tuple[Round, RoundState]]:
    """Each deal with where the game stood, in order, also of rounds that could not be read to their
    end.
    """
    seats, deals = (
        record.seats,
        sorted((*record.rounds, *record.unread), key=lambda each: each.deal),
    )
    last = seats * (1 + record.rules.south_rounds) - 1
    goal = max((STARTS[seats], *deals[0].start) if deals else (0,)) + GOAL

    def state(deal: Round) -> RoundState:
        step = deal.number // 4 * seats + deal.number % 4
        return RoundState(step, last, deal.honba, deal.sticks, deal.dealer, deal.start, goal)

    return [(deal, state(deal)) for deal in deals]


def chances_of(record: Record) -> tuple[Floats, ...] | None:
    """The chances (K, K) of the places, a row a seat, the first place first: at each deal in order,
    and at the end where it is known. None where a seat's score is unknown: a deal could not be
    read."""
    if record.lost:
        return None
    told = [places(state) for _, state in deals_of(record)]
    placings = record.placings()
    if placings is not None:
        told.append(np.eye(record.seats)[list(placings)])
    return tuple(told)


class Turning(NamedTuple):
    """The round that changed the chances of first the most: its number from 0, and the change by
    seat.
    """

    round: int
    swing: tuple[float, ...]


AS_MUCH = 0.9
"""The part of the largest change from which a round decided as much as the largest one."""


def turning_of(chances: Sequence[Floats], as_much: float = 1.0) -> Turning | None:
    """The turning point of `chances_of`: the first round that changed the chances of first by
    `as_much` of the largest change; None where nothing changes.

    The last round settles whatever is still open, so it is often the largest by a little."""
    swings = np.diff(np.array(chances)[:, :, 0], axis=0)
    sizes = np.abs(swings).sum(axis=1)
    if not len(sizes) or sizes.max() == 0:
        return None
    number = int(np.argmax(sizes >= as_much * sizes.max()))
    return Turning(number, tuple(swings[number].tolist()))


def report(record: Record) -> dict[str, Any]:
    """`chances` and `turning` of a record for JSON: an object a deal, and one for the end where it
    is known; both null where a seat's score is unknown. `places` has a row a seat, the chance of
    the first place first.
    """
    told = chances_of(record)
    if told is None:
        return {"chances": None, "turning": None}
    rows: list[dict[str, Any]] = [
        {"round": number, "kyoku": deal.number, "honba": deal.honba, "sticks": deal.sticks}
        | {"scores": list(deal.start)}
        for number, (deal, _) in enumerate(deals_of(record))
    ]
    if record.final is not None:
        rows.append(
            {
                "round": None,
                "kyoku": None,
                "honba": None,
                "sticks": None,
                "scores": list(record.final),
            }
        )
    turning = turning_of(told)
    return {
        "chances": [row | {"places": each.tolist()} for row, each in zip(rows, told, strict=True)],
        "turning": turning and turning._asdict(),
    }
