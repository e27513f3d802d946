"""Convert points at the table into results: rank points (uma) and the first's bonus (oka).

A result in a log is (points - return) / 1000 + uma + oka, as Tenhou writes it: a score of 52,000 in
a game that returns 40,000 with uma 20, 0, -20 and oka 15 is +47.0 for the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rating.league import Rules

UNIT = 100  # all points are multiples of it


class SeatResult(NamedTuple):
    """A seat (from 0) and its result in thousands of points."""

    seat: int
    result: float


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

    def results(self, points: Sequence[int]) -> list[SeatResult]:
        """The seats' results, best first. Raises ValueError for another number of seats. Results
        have one decimal; the first gets what rounding loses."""
        if len(points) != len(self.uma):
            raise ValueError(f"{len(points)} scores for {len(self.uma)} seats")
        order = sorted(range(len(points)), key=points.__getitem__, reverse=True)
        ordered = [points[seat] for seat in order]
        exact = [
            (seat_points - self.return_) / 1000 + bonus
            for seat_points, bonus in zip(ordered, self._bonuses(ordered), strict=True)
        ]
        rounded = [round(value, 1) for value in exact]
        rounded[0] = round(sum(exact) - sum(rounded[1:]), 1)
        return [SeatResult(seat, result) for seat, result in zip(order, rounded, strict=True)]

    def _bonuses(self, ordered: Sequence[int]) -> list[float]:
        """Uma and oka (thousands) for points in descending order."""
        by_place = list(self.uma)
        by_place[0] += self.oka
        if not self.shared:
            return by_place
        bonuses = []
        for points in ordered:
            count = ordered.count(points)
            first = ordered.index(points)
            bonuses.append(sum(by_place[first : first + count]) / count)
        return bonuses


TENHOU = {
    3: Scoring(35_000, 40_000, (20.0, 0.0, -20.0), 15.0),
    4: Scoring(25_000, 30_000, (20.0, 10.0, -10.0, -20.0), 20.0),
}
"""Tenhou's own rules by the number of seats (the final scores of its records)."""


def scoring_of(rules: Rules, seats: int) -> Scoring:
    """The rules of a game with `seats` seats: league.toml's, and Tenhou's for what it lacks, or
    where it has rules for another number of seats. Without `oka` the first gets what all seats pay
    in: (return - start) a seat."""
    tenhou = TENHOU[seats]
    if rules.uma and len(rules.uma) != seats:
        return tenhou
    start = rules.start or tenhou.start
    return_ = rules.return_ or rules.start or tenhou.return_
    oka = (return_ - start) * seats / 1000 if rules.oka is None else rules.oka
    return Scoring(start, return_, rules.uma or tenhou.uma, oka, rules.ties == "shared")
