"""The numbers that the network takes, from what a player sees before a discard.

Planes have a number for each of the 27 kinds of tiles that three players use; scalars hold for the
whole decision. Everything is arrays over decisions, D of them. Swapping pin and sou in the sights
swaps the planes' columns and changes nothing else.
"""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats
from rating.paifu.danger import RUNS, SHANPON, TANKI
from rating.paifu.tiles import EAST, KINDS, NORTH, TERMINALS_AND_HONOURS, WHITE
from rating.paifu.top_table.sights import (
    LIVE_TILES,
    NO_KIND,
    HandSight,
    Integers,
    SeatSight,
    Sight,
)

Array = NDArray[np.float32]
Marks = NDArray[np.bool_]

KINDS_OF_THREE = np.array([0, *range(8, KINDS)])  # 1m 9m, 1-9p, 1-9s, 1-7z
COLUMNS = len(KINDS_OF_THREE)
PIN = slice(2, 11)  # columns
SOU = slice(11, 20)
HONOURS = slice(20, 27)
PIN_1 = 9  # kind
EARLY_TURNS = 6
SOUTH_1 = 4  # number of the round


def _identities() -> dict[str, Marks]:
    """{name: (27,)}: what kind of tile a column is; numbers from both ends of a suit are alike."""
    kinds = KINDS_OF_THREE
    is_suit = (kinds > 8) & (kinds < EAST)
    from_end = np.minimum(kinds % 9 + 1, 9 - kinds % 9)
    identities = {f"number {end}": is_suit & (from_end == end) for end in range(1, 6)}
    identities["man"] = kinds <= 8
    identities["wind"] = (kinds >= EAST) & (kinds < NORTH)
    identities["north"] = kinds == NORTH
    identities["dragon"] = kinds >= WHITE
    return identities


IDENTITIES = _identities()
IS_TERMINAL_OR_HONOUR = np.isin(KINDS_OF_THREE, list(TERMINALS_AND_HONOURS))
IS_MAN_OR_HONOUR = (KINDS_OF_THREE <= 8) | (KINDS_OF_THREE >= EAST)


class NetworkInputs(NamedTuple):
    """`planes` (D, 27, 70), `scalars` (D, 52), `legal` (D, 27): the kinds that may be discarded."""

    planes: Array
    scalars: Array
    legal: Marks


Values = Integers | Floats | Marks
Columns = dict[str, Values]  # by name: (D, 27) of planes, (D,) of scalars


def features(sight: Sight[Integers, Integers]) -> NetworkInputs:
    """The features of D decisions, of which `sights.stacked` makes one sight."""
    hand = HandSight(*(_of_three(figures) for figures in sight.hand))
    own, *opponents = map(_seat_of_three, sight.seats)
    legal = (hand.held > 0) & ~_is_kind(hand.pon)
    planes = _hand_planes(hand, own)
    scalars = _table_scalars(hand, own)
    prospects = _prospects(hand, legal)
    planes |= prospects
    scalars |= _hand_scalars(hand, own, prospects)
    for name, opponent, opponent_sight in zip(
        ("right", "left"), opponents, sight.seats[1:], strict=True
    ):
        waits = waits_of(sight.hand.unseen, opponent_sight.safe)
        waits_of_three = Waits(*(_of_three(figures) for figures in waits))
        opponent_planes = _opponent_planes(hand, opponent, waits_of_three)
        opponent_scalars = _opponent_scalars(hand, own, opponent, legal)
        planes |= {f"{name} {plane}": values for plane, values in opponent_planes.items()}
        scalars |= {f"{name} {scalar}": values for scalar, values in opponent_scalars.items()}
    for identity, is_column in IDENTITIES.items():
        planes[identity] = np.broadcast_to(is_column, legal.shape)
    return NetworkInputs(
        planes=_stacked(planes, axis=2),
        scalars=_stacked(scalars, axis=1),
        legal=legal,
    )


def _stacked(columns: Columns, axis: int) -> Array:
    return np.stack(list(columns.values()), axis=axis, dtype=np.float32, casting="unsafe")


def _seat_of_three(seat: SeatSight[Integers, Integers]) -> SeatSight[Integers, Integers]:
    return SeatSight(*(_of_three(figures) for figures in seat))


def _of_three(figures: Integers) -> Integers:
    """Figures by kind (D, 34) as (D, 27) numbers with a sign; other figures as they are."""
    if figures.ndim == 2:
        return cast(Integers, figures[:, KINDS_OF_THREE].astype(np.int64))
    return figures


def _is_kind(kind: Integers) -> Marks:
    """(D, 27): whether a column is of the kind (D,)."""
    return cast(Marks, kind[:, None] == KINDS_OF_THREE)


def _recency(seat: SeatSight[Integers, Integers], turns: float) -> Floats:
    """1 for the kind of the last discard, falling to 1/e in so many turns; 0 for other kinds."""
    age = seat.turns[:, None] - seat.last_turn
    return np.where(seat.last_turn > 0, np.exp(-age / turns), 0.0)


def _hand_planes(
    hand: HandSight[Integers, Integers], own: SeatSight[Integers, Integers]
) -> Columns:
    planes: Columns = {f"held {copies}": hand.held >= copies for copies in (1, 2, 3, 4)}
    planes["red"] = hand.red
    planes["drawn"] = _is_kind(hand.drawn)
    planes["pon"] = _is_kind(hand.pon)
    planes["river"] = own.river > 0
    planes["called"] = own.called > 0
    planes["recency"] = _recency(own, 4)
    planes["unseen"] = hand.unseen / 4
    planes["none unseen"] = hand.unseen == 0
    planes["one unseen"] = hand.unseen == 1
    planes["dora"] = hand.dora
    planes["yakuhai"] = own.yakuhai
    return planes


def _prospects(hand: HandSight[Integers, Integers], legal: Marks) -> Columns:
    """Tile efficiency after each discard, for those that keep the least shanten and those that
    raise it.
    """
    rise = hand.shanten - hand.least_shanten[:, None]
    is_best = legal & (rise == 0)
    is_next = legal & (rise == 1)
    best_tiles = np.where(is_best, hand.tiles, 0)
    next_tiles = np.where(is_next, hand.tiles, 0)
    most = best_tiles.max(axis=1, keepdims=True)
    most_next = next_tiles.max(axis=1, keepdims=True)
    share_of_most = (best_tiles + 1) / (most + 1)
    return {
        "shanten stays": is_best,
        "shanten rises": is_next,
        "shanten rises by more": legal & (rise >= 2),
        "tiles of most": best_tiles / np.maximum(most, 1),
        "next tiles of most": next_tiles / np.maximum(most_next, 1),
        "log tiles of most": np.where(is_best, np.log(share_of_most), 0.0),
        "tiles": best_tiles / 20,
        "next tiles": next_tiles / 40,
        "kinds": np.where(is_best, hand.kinds, 0) / 8,
        "most tiles": is_best & (hand.tiles >= most),
        "accepted": hand.accepted,
        "accepted unseen": hand.accepted * hand.unseen / 4,
    }


class Waits(NamedTuple):
    """What a discard could deal into, by kind (D, 34): `danger` points as `danger.danger` counts
    them, and the number of two-sided waits (`ryanmen`) among them.
    """

    danger: Integers
    ryanmen: Integers


def waits_of(unseen: Integers, safe: Integers) -> Waits:
    """The waits an opponent may have; `unseen` (D, 34) copies, `safe` (D, 34) 0 or 1."""
    is_there = unseen > 0
    is_dangerous = safe == 0
    are_two = unseen >= 2
    points = TANKI * is_there + SHANPON * are_two
    ryanmen = np.zeros_like(points)
    for kind in range(PIN_1, EAST):
        for low, high, weight, other_end in RUNS[kind]:
            is_possible = is_there[:, low] & is_there[:, high]
            if other_end is not None:
                is_possible &= is_dangerous[:, other_end]
                ryanmen[:, kind] += is_possible
            points[:, kind] += weight * is_possible
    return Waits(danger=points * is_dangerous, ryanmen=ryanmen * is_dangerous)


def _opponent_planes(
    hand: HandSight[Integers, Integers],
    opponent: SeatSight[Integers, Integers],
    waits: Waits,
) -> Columns:
    in_riichi = opponent.in_riichi[:, None]
    is_open = opponent.is_open[:, None]
    danger = waits.danger / 20
    ryanmen = waits.ryanmen / 2
    is_early = (opponent.first_turn > 0) & (opponent.first_turn <= EARLY_TURNS)
    is_live_honour = IS_MAN_OR_HONOUR & (opponent.safe == 0)
    return {
        "river": opponent.river > 0,
        "from hand": opponent.from_hand > 0,
        "recency": _recency(opponent, 3),
        "early": is_early,
        "called": opponent.called > 0,
        "yakuhai": opponent.yakuhai,
        "safe": opponent.safe,
        "passed": opponent.passed * (1 - opponent.safe),
        "safe from riichi": opponent.safe * in_riichi,
        "danger": danger,
        "danger of riichi": danger * in_riichi,
        "danger of open hand": danger * is_open,
        "ryanmen": ryanmen,
        "ryanmen of riichi": ryanmen * in_riichi,
        "live honour of riichi": is_live_honour * hand.unseen / 3 * in_riichi,
        "riichi tile": _is_kind(opponent.riichi_kind),
        "last from hand": _is_kind(opponent.last_from_hand),
    }


def _table_scalars(
    hand: HandSight[Integers, Integers], own: SeatSight[Integers, Integers]
) -> Columns:
    return {
        "turn": own.turns / 18,
        "first turns": own.turns < 3,
        "tiles left": hand.tiles_left / LIVE_TILES,
        "last tiles": hand.tiles_left < 9,
        "after call": hand.pon != NO_KIND,
        "dealer": own.is_dealer,
        "score": np.clip((own.score - 35_000) / 20_000, -2, 3),
        "south": hand.number >= SOUTH_1,
        "south 2": hand.number == SOUTH_1 + 1,
        "from south 3": hand.number >= SOUTH_1 + 2,
        "honba": np.minimum(hand.honba, 5) / 3,
        "sticks": np.minimum(hand.sticks, 5) / 2,
    }


def _hand_scalars(
    hand: HandSight[Integers, Integers],
    own: SeatSight[Integers, Integers],
    prospects: Columns,
) -> Columns:
    shanten = hand.least_shanten
    in_sight = hand.held + own.called
    in_pin = in_sight[:, PIN].sum(axis=1)
    in_sou = in_sight[:, SOU].sum(axis=1)
    dora = (in_sight * hand.dora + hand.red).sum(axis=1) + own.norths
    discarded_waits = (hand.accepted * (own.river > 0)).sum(axis=1)
    scalars: Columns = {f"shanten {number}": shanten == number for number in range(4)}
    scalars |= {
        "shanten 4 or more": shanten >= 4,
        "norths": own.norths / 3,
        "calls": own.calls / 3,
        "open": own.is_open,
        "pairs": (hand.held >= 2).sum(axis=1) / 5,
        "most tiles": prospects["tiles"].max(axis=1) / 2,
        "dora": dora / 4,
        "furiten": (shanten == 0) & (discarded_waits > 0),
        "largest suit": np.maximum(in_pin, in_sou) / 14,
        "suits apart": np.abs(in_pin - in_sou) / 14,
        "honours": hand.held[:, HONOURS].sum(axis=1) / 7,
        "terminals and honours": ((hand.held > 0) & IS_TERMINAL_OR_HONOUR).sum(axis=1) / 9,
    }
    return scalars


def _opponent_scalars(
    hand: HandSight[Integers, Integers],
    own: SeatSight[Integers, Integers],
    opponent: SeatSight[Integers, Integers],
    legal: Marks,
) -> Columns:
    safe_kinds = (legal & (opponent.safe > 0)).sum(axis=1)
    return {
        "riichi": opponent.in_riichi,
        "riichi turns": opponent.riichi_turns / 8,
        "ippatsu": opponent.in_riichi * (opponent.riichi_turns <= 1),
        "open": opponent.is_open,
        "calls": opponent.calls / 3,
        "norths": opponent.norths / 3,
        "dealer": opponent.is_dealer,
        "drawn run": np.minimum(opponent.drawn_run, 8) / 8,
        "dora called": (opponent.called * hand.dora).sum(axis=1) / 3,
        "lead": np.clip((own.score - opponent.score) / 20_000, -3, 3),
        "behind": own.score < opponent.score,
        "safe kinds": opponent.in_riichi * np.minimum(safe_kinds, 4) / 4,
    }
