"""Reviews a record: each discard into a riichi, its danger, the safest choice, what push or fold
says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rating.paifu.danger import folds
from rating.paifu.deal_in import (
    MEAN_LOSS,
    SOURCE_RATES,
    DealInCount,
    DealInRate,
    Facing,
    Ron,
    class_rates,
    count,
    facings,
    rons,
    threat,
)
from rating.paifu.efficiency import DEALER, Holding, choices, outlook, shanten_of, yakuhai_of
from rating.paifu.record import OPEN, Record, Round
from rating.paifu.tiles import RED_FIVES, counts, dora_of


class Push(NamedTuple):
    """One discard into a riichi. `round` is an index into the rounds of the record.

    `danger` (danger points) is the largest among the opponents. `safest` is the tile (0-135) of the
    hand with the least danger, `least` that danger. `chance` and `least_chance` are the chances of
    both tiles to deal in. `loss` is the expected loss of the discard in points, `spare` how much
    less the safest discard of equal speed would lose (no higher shanten and no fewer accepted
    tiles). `shanten` is that of the hand; `value` is its expected value in points, 0.0 where the
    rule of push or fold does not need it. `kept_back`: that rule would not have discarded the tile;
    never for a seat in riichi, which has no choice."""

    round: int
    facing: Facing
    danger: int
    least: int
    safest: int
    chance: DealInRate
    least_chance: DealInRate
    loss: float
    spare: float
    shanten: int
    value: float
    kept_back: bool

    @property
    def deal_ins(self) -> DealInCount:
        """The wins on the discard: by players in riichi, and by others."""
        return count(self.facing.rons)


@dataclass(frozen=True, slots=True)
class PushRating:
    """How one player pushed and folded. A choice is a discard into a riichi by a player not in
    riichi.

    `agreed` counts the choices the rule of push or fold agrees with. `mean_danger` (danger points)
    is their mean danger, `spare` the sum of what the safest discards of equal speed would have
    saved (points). `deal_ins` counts all rons of the game on the player's tiles, also in riichi,
    while nobody was, and on a kan."""

    player: str
    choices: int
    agreed: int
    mean_danger: float
    spare: float
    deal_ins: DealInCount

    @property
    def agreement(self) -> float:
        return self.agreed / self.choices if self.choices else 0.0


@dataclass(frozen=True, slots=True)
class Review:
    """`pushes` are in order of play, `ratings` in seat order, `rates` the chances to deal in by
    class.
    """

    record: Record
    pushes: tuple[Push, ...]
    ratings: tuple[PushRating, ...]
    rates: Mapping[str, DealInRate] = field(default_factory=lambda: SOURCE_RATES)

    def of_round(self, number: int) -> tuple[Push, ...]:
        return tuple(push for push in self.pushes if push.round == number)

    def robbed(self, number: int) -> tuple[Ron, ...]:
        """The rons by players in riichi on the tile of a kan or kita, which is no push, in a
        round.
        """
        return tuple(
            ron for ron in rons(self.record.rounds[number]) if ron.robbed and ron.to_riichi
        )

    def most_dangerous(self, count: int = 3) -> tuple[Push, ...]:
        """The most dangerous choices where a tile in the hand would lose less, the worst first."""
        every = sorted(
            self.pushes,
            key=lambda push: (-push.danger, -push.loss, push.round),
        )
        worse = (push for push in every if push.danger > push.least and not push.facing.in_riichi)
        return tuple(push for push in worse if push.chance.rate > push.least_chance.rate)[:count]


def review(record: Record, rates: Mapping[str, DealInRate] | None = None) -> Review:
    """The review of a record: all its discards into a riichi, and each player's rating. `rates` are
    those of `deal_in.class_rates`, of the number of seats where not given."""
    rates = class_rates(record.seats) if rates is None else rates
    pushes = tuple(
        _push(number, played, facing, rates)
        for number, played in enumerate(record.rounds)
        for facing in facings(played)
    )
    every = [ron for played in record.rounds for ron in rons(played)]
    ratings = []
    for seat, player in enumerate(record.players):
        free = [push for push in pushes if push.facing.seat == seat and not push.facing.in_riichi]
        ratings.append(
            PushRating(
                player=player,
                choices=len(free),
                agreed=sum(not push.kept_back for push in free),
                mean_danger=sum(push.danger for push in free) / len(free) if free else 0.0,
                spare=sum(push.spare for push in free),
                deal_ins=count(every, seat),
            )
        )
    return Review(record, pushes, tuple(ratings), rates)


def _push(
    number: int,
    played: Round,
    facing: Facing,
    rates: Mapping[str, DealInRate],
) -> Push:
    costs = [
        MEAN_LOSS[facing.seats] * (DEALER if other == played.dealer else 1.0)
        for other in facing.opponents
    ]
    both = threat(facing.unseen, facing.safe, facing.seats, costs, rates, facing.turn)
    free = (facing.tile,) if facing.in_riichi else facing.hand
    safest = min(
        free,
        key=lambda tile: (
            both.largest[tile // 4],
            both.loss[tile // 4],
            tile != facing.tile,
        ),
    )
    taken = both.largest[facing.kind]
    least = both.largest[safest // 4]
    shanten = 0
    if not facing.in_riichi:
        shanten = max(0, shanten_of(counts(facing.hand), facing.seats))
    value = 0.0
    if taken > least and 0 < shanten <= 2:
        shanten, value = outlook(holding(played, facing), facing.unseen, facing.seats)
    return Push(
        round=number,
        facing=facing,
        danger=taken,
        least=least,
        safest=safest,
        chance=both.chance[facing.kind],
        least_chance=both.chance[safest // 4],
        loss=both.loss[facing.kind],
        spare=_spare(facing, both.loss),
        shanten=shanten,
        value=value,
        kept_back=not facing.in_riichi and folds(taken, least, shanten, value),
    )


def _spare(facing: Facing, losses: Sequence[float]) -> float:
    """What the safest discard of equal speed would have saved (points); 0.0 in riichi. `losses` are
    the expected ones by kind (34)."""
    if facing.in_riichi:
        return 0.0
    loss = losses[facing.kind]
    if loss <= min(losses[tile // 4] for tile in facing.hand):
        return 0.0
    options = choices(counts(facing.hand), facing.unseen, facing.seats)
    taken = next(option for option in options if option.kind == facing.kind)
    equally_fast = [
        option
        for option in options
        if (option.shanten, -option.tiles) <= (taken.shanten, -taken.tiles)
    ]
    return loss - min(losses[option.kind] for option in equally_fast)


def holding(played: Round, facing: Facing) -> Holding:
    tiles = [*facing.hand, *(tile for meld in facing.melds for tile in meld.tiles)]
    return Holding(
        held=counts(facing.hand),
        called=tuple(tuple(tile // 4 for tile in meld.tiles) for meld in facing.melds),
        open=any(meld.type in OPEN for meld in facing.melds),
        red=sum(tile in RED_FIVES for tile in tiles),
        dora=tuple(dora_of(tile, played.seats) for tile in facing.indicators),
        yakuhai=yakuhai_of(facing.seat, played.dealer, played.number, played.seats),
        dealer=facing.seat == played.dealer,
    )
