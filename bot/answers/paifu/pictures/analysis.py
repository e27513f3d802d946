"""All that the report of one game shows, computed once: review, wall, luck, tile efficiency, moments, and
which rounds to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.draw.glyphs import told_apart
from rating.paifu.deal_in import DealInRate
from rating.paifu.efficiency import EfficiencyRating, TileChoice
from rating.paifu.luck import Luck, luck_of
from rating.paifu.moments import Moment, moments
from rating.paifu.record import Record
from rating.paifu.review import Review, review
from rating.paifu.story import Story, stories
from rating.paifu.wall import open_walls

WORST = 2  # discards of a round that are shown
LEAST = 0.1  # of the accepted tiles given up: less is not shown
POINTS = 2000.0  # of needless risk that weigh as much as a discard that gave up all speed


@dataclass(frozen=True)
class Analysis:
    """A game analysed. `record` has the names shown; `seat` (0-3) is the one to mark, else None.

    `stories` are its rounds, `luck` and `efficiency` by seat, `moments` the best ones. `opened`: the wall is
    known. `colours` are the members' own by seat, "" for others.
    """

    review: Review
    stories: tuple[Story, ...]
    luck: tuple[Luck, ...]
    efficiency: tuple[EfficiencyRating, ...]
    moments: tuple[Moment, ...]
    opened: bool
    seat: int | None = None
    colours: tuple[str, ...] = ("", "", "", "")

    @property
    def record(self) -> Record:
        return self.review.record

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names as they are drawn, by seat: players of the same name (guests) are told apart."""
        shown = told_apart(self.record.players)
        return tuple(shown[name] for name in self.record.players)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats by placing, the first one first."""
        placings = self.record.placings()
        return tuple(sorted(range(self.record.seats), key=placings.__getitem__))

    def by_wind(self, number: int) -> tuple[int, ...]:
        """The seats in the order of a round's winds, the dealer first."""
        played = self.record.rounds[number]
        return tuple((played.dealer + step) % played.seats for step in range(played.seats))

    def moments_of(self, number: int) -> tuple[Moment, ...]:
        """The best moments of the round at index `number`."""
        return tuple(moment for moment in self.moments if moment.round == number)

    def worst_choices(self, number: int, most: int = WORST) -> tuple[TileChoice, ...]:
        """The discards of a round that gave up most speed, the marked seat's first; of equal ones those
        nearer to tenpai."""
        lost = [choice for choice in self.stories[number].choices if choice.loss >= LEAST]
        order = sorted(
            lost,
            key=lambda one: (one.seat != self.seat, -one.loss, one.best.shanten, one.turn),
        )
        return tuple(sorted(order[:most], key=lambda one: one.turn))

    def weight(self, number: int) -> float:
        """How much there is to see in a round: its best moments by rarity, its worst discards, and needless
        risk."""
        rare = sum(moment.grade for moment in self.moments_of(number))
        lost = sum(choice.loss for choice in self.worst_choices(number))
        spare = sum(push.spare for push in self.review.of_round(number)) / POINTS
        return rare + lost + spare + 0.1 * len(self.stories[number].riichi)

    @cached_property
    def by_weight(self) -> tuple[int, ...]:
        """The indices of the rounds with something to see, those with the most first."""
        weights = {number: self.weight(number) for number in range(len(self.record.rounds))}
        worth = [number for number, weight in weights.items() if weight > 0]
        return tuple(sorted(worth, key=lambda number: -weights[number]))


def analysed(
    record: Record,
    rates: Mapping[str, DealInRate],
    seat: int | None = None,
    colours: tuple[str, ...] = ("", "", "", ""),
) -> Analysis:
    """The record analysed; `rates` are the chances to deal in (`deal_in.class_rates`)."""
    done, walls = review(record, rates), open_walls(record).rounds
    told = stories(record, walls, done)
    efficiency = [EfficiencyRating()] * record.seats
    for choice in (choice for story in told for choice in story.choices):
        efficiency[choice.seat] += EfficiencyRating(1, int(choice.loss == 0), choice.loss)
    return Analysis(
        done,
        told,
        luck=luck_of(record),
        efficiency=tuple(efficiency),
        moments=moments(record, walls, done),
        opened=walls is not None,
        seat=seat,
        colours=colours,
    )
