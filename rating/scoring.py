"""What a game's points at the table are worth: points of placing (uma) and the first's bonus (oka).

A result in a log is (points - return) / 1000 + uma + oka, as Tenhou writes it: a score of 52,000 in
a game that returns 40,000 with uma 20, 0, -20 and oka 15 is +47.0 for the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rating.league import Rules

UNIT = 100  # all points are multiples of it


@dataclass(frozen=True, slots=True)
class Scoring:
    """The rules of one number of seats: points at the start and returned, uma and oka in thousands,
    and whether equal points share the uma and oka of their places (else the order given decides).
    """

    start: int
    return_: int
    uma: tuple[float, ...]
    oka: float
    shared: bool = False

    @property
    def total(self) -> int:
        """The points of all seats together."""
        return self.start * len(self.uma)

    def results(self, points: Sequence[int]) -> list[tuple[int, float]]:
        """The seats (from 0) best first, each with its result in thousands. Raises ValueError for
        another number of seats. Results have one decimal; the first gets what is lost in sharing.
        """
        if len(points) != len(self.uma):
            raise ValueError(f"{len(points)} scores for {len(self.uma)} seats")
        order = sorted(range(len(points)), key=lambda seat: -points[seat])
        bonus = list(self.uma)
        bonus[0] += self.oka
        if self.shared:
            alike = [
                [p for p, other in enumerate(order) if points[other] == points[seat]]
                for seat in order
            ]
            bonus = [sum(bonus[p] for p in places) / len(places) for places in alike]
        exact = [
            (points[seat] - self.return_) / 1000 + seat_bonus
            for seat, seat_bonus in zip(order, bonus, strict=True)
        ]
        rounded = [round(value, 1) for value in exact]
        rounded[0] = round(sum(exact) - sum(rounded[1:]), 1)
        return list(zip(order, rounded, strict=True))


TENHOU = {
    3: Scoring(35_000, 40_000, (20.0, 0.0, -20.0), 15.0),
    4: Scoring(25_000, 30_000, (20.0, 10.0, -10.0, -20.0), 20.0),
}
"""Tenhou's own rules by the number of seats (the final scores of its records)."""


def scoring_of(rules: Rules, seats: int) -> Scoring:
    """The rules of a game with so many seats: league.toml's, and Tenhou's where it says nothing or
    speaks of another number of seats. Without `oka` the first gets what all seats pay in: (return -
    start) a seat."""
    usual = TENHOU[seats]
    if rules.uma and len(rules.uma) != seats:
        return usual
    start = rules.start or usual.start
    return_ = rules.return_ or rules.start or usual.return_
    oka = (return_ - start) * seats / 1000 if rules.oka is None else rules.oka
    return Scoring(start, return_, rules.uma or usual.uma, oka, rules.ties == "shared")
