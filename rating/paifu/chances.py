"""The chance of every place at each deal of a record, from the deal's round, honba, sticks, dealer
and scores alone, and the round that decided the game. `playout` computes the chances.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from rating.columns import Floats
from rating.paifu.playout import RoundState, chances_at
from rating.paifu.record import Record, Round

GOAL = 5_000  # points above the start that the first needs at the end of the last round
STARTS = {3: 35_000, 4: 25_000}


class Deal(NamedTuple):
    """A round dealt, and the state of the game at it."""

    round: Round
    state: RoundState


def deals_of(record: Record) -> list[Deal]:
    """The deals of a record in order, also of rounds that could not be read to their end."""
    seats = record.seats
    deals = sorted((*record.rounds, *record.unread), key=attrgetter("deal"))
    last = seats - 1
    if record.rules.south_rounds:
        last += seats
    goal = GOAL
    if deals:
        goal += max(STARTS[seats], *deals[0].start)

    def state(deal: Round) -> RoundState:
        step = deal.number // 4 * seats + deal.number % 4
        return RoundState(
            step=step,
            last=last,
            honba=deal.honba,
            sticks=deal.sticks,
            dealer=deal.dealer,
            scores=deal.start,
            goal=goal,
        )

    return [Deal(deal, state(deal)) for deal in deals]


def chances_of(record: Record) -> tuple[Floats, ...] | None:
    """The chances (K, K) of the places, a row a seat, the first place first: at each deal in order,
    and at the end where it is known. None where a seat's score is unknown: a deal could not be
    read."""
    if record.lost:
        return None
    states = [deal.state for deal in deals_of(record)]
    chances: list[Floats] = []
    if states:
        chances.extend(chances_at(states))
    placings = record.placings()
    if placings is not None:
        chances.append(np.eye(record.seats)[list(placings)])
    return tuple(chances)


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

    The last round decides whatever is still open, so its change is often the largest by a
    little."""
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
    chances = chances_of(record)
    if chances is None:
        return {"chances": None, "turning": None}
    rows = [_deal_row(number, deal) for number, deal in enumerate(deals_of(record))]
    if record.final is not None:
        end_row = dict.fromkeys(("round", "kyoku", "honba", "sticks"))
        rows.append({**end_row, "scores": list(record.final)})
    for row, places in zip(rows, chances, strict=True):
        row["places"] = places.tolist()
    turning = turning_of(chances)
    if turning is None:
        return {"chances": rows, "turning": None}
    return {"chances": rows, "turning": turning._asdict()}


def _deal_row(number: int, deal: Deal) -> dict[str, Any]:
    return {
        "round": number,
        "kyoku": deal.round.number,
        "honba": deal.state.honba,
        "sticks": deal.state.sticks,
        "scores": list(deal.state.scores),
    }
