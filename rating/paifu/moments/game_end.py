"""Moments of a game's last round: who came first, and how."""

from collections.abc import Iterator

from rating.paifu.chances import chances_of, deals_of
from rating.paifu.moments.moment import LeastChance, Sighting
from rating.paifu.record import Record
from rating.paifu.story import Story

# Least chances of the winner of 1 game in 10 and in 31 (with three seats).
COMEBACK = 0.12
GREAT = 0.05
NARROW = 1000  # points between first and second


def last_to_first(story: Story) -> Iterator[Sighting]:
    """The winner of the game was alone in last place when the last round was dealt."""
    winner = _winner(story)
    if winner is None:
        return
    start = story.played.start
    if start[winner] == min(start) and start.count(start[winner]) == 1:
        yield Sighting(winner)


def comeback(story: Story) -> Iterator[Sighting]:
    return _comeback(story, GREAT, COMEBACK)


def great_comeback(story: Story) -> Iterator[Sighting]:
    return _comeback(story, 0.0, GREAT)


def _comeback(story: Story, low: float, high: float) -> Iterator[Sighting]:
    """The winner's least chance of first was at least `low` and less than `high`."""
    winner = _winner(story)
    if winner is None:
        return
    least = _least_chance(story.record, winner)
    if least is not None and low <= least.chance < high:
        yield Sighting(winner, subject=least)


def narrow(story: Story) -> Iterator[Sighting]:
    """The winner had at most NARROW points more than the second."""
    winner = _winner(story)
    if winner is None or story.record.final is None:
        return
    first, second = sorted(story.record.final, reverse=True)[:2]
    if first - second <= NARROW:
        yield Sighting(winner, subject=first - second)


def bust(story: Story) -> Iterator[Sighting]:
    """A seat has fewer than 0 points at the end."""
    if story.record.final is None or not story.last:
        return
    for seat, points in enumerate(story.record.final):
        if points < 0:
            yield Sighting(seat)


def _winner(story: Story) -> int | None:
    """The seat that won the game in this round; None where it was not the last one."""
    placings = story.record.placings()
    if placings is None or not story.last:
        return None
    return placings.index(0)


def _least_chance(record: Record, seat: int) -> LeastChance | None:
    """The seat's least chance of first at a deal or at the end; None where chances are unknown."""
    chances = chances_of(record)
    if chances is None:
        return None
    first = [float(places[seat, 0]) for places in chances]
    least = min(first)
    deal, _ = deals_of(record)[first.index(least)]
    return LeastChance(deal.name, least)
