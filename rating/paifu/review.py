"""Reviews a record: each discard into a riichi, its danger, the safest choice, and whether the rule
of push or fold agrees with it.
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
    Threat,
    class_rates,
    count,
    facings,
    rons,
    threat,
)
from rating.paifu.efficiency import DEALER, Holding, choices, outlook, shanten_of, yakuhai_of
from rating.paifu.record import Record, Round
from rating.paifu.tiles import RED_FIVES, counts, dora_of


class Push(NamedTuple):
    """One discard into a riichi. `round` is an index into the rounds of the record.

    `danger` (danger points) is the largest among the opponents. `safest` is the tile (0-135) of the
    hand with the least danger, `least_danger` that danger. `chance` and `least_chance` are the
    chances of both tiles to deal in. `loss` is the expected loss of the discard in points, `spare`
    how much less the safest discard of equal speed would lose (no higher shanten and no fewer
    accepted tiles). `shanten` is that of the hand; `value` is its expected value in points, 0.0
    where the rule of push or fold does not need it. `kept_back`: that rule would not have discarded
    the tile; never for a seat in riichi, which has no choice."""

    round: int
    facing: Facing
    danger: int
    least_danger: int
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
        """The share (0-1) of the choices the rule agrees with; 0.0 without choices."""
        if not self.choices:
            return 0.0
        return self.agreed / self.choices


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
        round_rons = rons(self.record.rounds[number])
        return tuple(ron for ron in round_rons if ron.robbed and ron.to_riichi)

    def most_dangerous(self, count: int = 3) -> tuple[Push, ...]:
        """The most dangerous choices where a tile in the hand would lose less, the worst first."""
        avoidable = [
            push
            for push in self.pushes
            if not push.facing.in_riichi
            and push.danger > push.least_danger
            and push.chance.rate > push.least_chance.rate
        ]
        avoidable.sort(key=lambda push: (-push.danger, -push.loss, push.round))
        return tuple(avoidable[:count])


def review(record: Record, rates: Mapping[str, DealInRate] | None = None) -> Review:
    """The review of a record: all its discards into a riichi, and each player's rating. `rates` are
    those of `deal_in.class_rates`, of the number of seats where not given."""
    if rates is None:
        rates = class_rates(record.seats)
    pushes: list[Push] = []
    record_rons: list[Ron] = []
    for number, played in enumerate(record.rounds):
        record_rons += rons(played)
        pushes += [_push(number, played, facing, rates) for facing in facings(played)]
    ratings = []
    for seat, player in enumerate(record.players):
        seat_pushes = [push for push in pushes if push.facing.seat == seat]
        ratings.append(_rating(player, seat_pushes, count(record_rons, seat)))
    return Review(record, tuple(pushes), tuple(ratings), rates)


def _rating(player: str, pushes: Sequence[Push], deal_ins: DealInCount) -> PushRating:
    """The rating of a player with these pushes, of which those in riichi are no choice."""
    choices = [push for push in pushes if not push.facing.in_riichi]
    mean_danger = 0.0
    if choices:
        mean_danger = sum(push.danger for push in choices) / len(choices)
    return PushRating(
        player=player,
        choices=len(choices),
        agreed=sum(not push.kept_back for push in choices),
        mean_danger=mean_danger,
        spare=sum(push.spare for push in choices),
        deal_ins=deal_ins,
    )


def _push(
    number: int,
    played: Round,
    facing: Facing,
    rates: Mapping[str, DealInRate],
) -> Push:
    """The push that a discard of the round at the index `number` is."""
    total = _threat(facing, played.dealer, rates)
    safest = _safest(facing, total)
    danger = total.largest[facing.kind]
    least_danger = total.largest[safest // 4]
    shanten = 0
    if not facing.in_riichi:
        shanten = max(0, shanten_of(counts(facing.hand), facing.seats))
    value = 0.0
    if danger > least_danger and 0 < shanten <= 2:
        shanten, value = outlook(holding(played, facing), facing.unseen, facing.seats)
    return Push(
        round=number,
        facing=facing,
        danger=danger,
        least_danger=least_danger,
        safest=safest,
        chance=total.chance[facing.kind],
        least_chance=total.chance[safest // 4],
        loss=total.loss[facing.kind],
        spare=_spare(facing, total.loss),
        shanten=shanten,
        value=value,
        kept_back=not facing.in_riichi and folds(danger, least_danger, shanten, value),
    )


def _threat(facing: Facing, dealer: int, rates: Mapping[str, DealInRate]) -> Threat:
    """The threat of all opponents in riichi together."""
    costs = []
    for opponent in facing.opponents:
        cost = MEAN_LOSS[facing.seats]
        if opponent == dealer:
            cost *= DEALER
        costs.append(cost)
    return threat(
        facing.unseen,
        facing.safe,
        seats=facing.seats,
        costs=costs,
        rates=rates,
        turn=facing.turn,
    )


def _safest(facing: Facing, total: Threat) -> int:
    """The tile with the least danger, then the least loss, then the one discarded; in riichi there
    is no choice."""
    if facing.in_riichi:
        return facing.tile
    return min(
        facing.hand,
        key=lambda tile: (
            total.largest[tile // 4],
            total.loss[tile // 4],
            tile != facing.tile,
        ),
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
    """The hand with its calls before the discard."""
    tiles = list(facing.hand)
    for meld in facing.melds:
        tiles.extend(meld.tiles)
    return Holding(
        held=counts(facing.hand),
        called=tuple(meld.kinds for meld in facing.melds),
        open=any(meld.is_open for meld in facing.melds),
        red=sum(tile in RED_FIVES for tile in tiles),
        dora=tuple(dora_of(tile, played.seats) for tile in facing.indicators),
        yakuhai=yakuhai_of(facing.seat, played.dealer, played.number, played.seats),
        dealer=facing.seat == played.dealer,
    )
