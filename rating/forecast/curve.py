"""The chances of being champion after each day of play, and the day that turned the season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np

from rating.forecast.outlook import chances_of_places
from rating.forecast.past import Past
from rating.forecast.plan import Plan
from rating.forecast.seasons import Progress, simulate_seasons
from rating.study.forecasts import UNDATED

MOST_DAYS = 100  # points of a curve
DAY_SEASONS = 500, 2_000  # simulated after each day, the fewer the more games are left
# About so many games are simulated after each day: the error of a chance is 1.1 % with 100 games left.
DAY_GAMES = 200_000


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The chances of being champion after a day of play, of the members who had played by then.

    day: None without dates. played, left: games. key: names the games and the games left.
    """

    day: date | None
    played: int
    left: int
    chances: dict[str, float]
    key: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The day on which a member's chance grew most, and the chance before and after it."""

    player: str
    day: date | None
    before: float
    after: float


def curve(
    past: Past,
    plan: Plan,
    known: Sequence[CurvePoint] = (),
    *,
    progress: Progress | None = None,
) -> tuple[CurvePoint, ...]:
    """The chances after each day of play; games without dates count as days of UNDATED games.

    Of more than MOST_DAYS days there is a point after every second, fourth, eighth … and after the last. Each
    point depends on its own games alone. Those of `known` that are still right are taken from there, so a new
    day costs one step. Raises GameError as `Plan.left_after`.
    """
    by_key = {point.key: point for point in known}
    ends = ends_of_days(past)
    apart = 1  # doubled as the season grows, so that the points it keeps are known
    while len(ends) > MOST_DAYS * apart:
        apart *= 2
    ends = [*ends[apart - 1 : -1 : apart], ends[-1]]
    points = []
    for number, games in enumerate(ends, 1):
        then = past.until(games)
        left = plan.left_after(then)
        key = (then.digest(), left)
        points.append(
            by_key.get(key) or CurvePoint(then.last_day, then.played, left, champion_chances(then, left), key)
        )
        if progress is not None:
            progress(number, len(ends))
    return tuple(points)


def champion_chances(past: Past, left: int) -> dict[str, float]:
    """Each member's chance of being champion, by name."""
    least, most = DAY_SEASONS
    seasons = min(max(least, DAY_GAMES // max(1, left)), most)
    finals = simulate_seasons(past, left, seasons=seasons).finals
    first = chances_of_places(finals)[:, 0]
    return dict(zip(past.names[: past.members], first.tolist(), strict=True))


def ends_of_days(past: Past) -> list[int]:
    """How many games of the season had been played after each day of play."""
    days = past.days[past.season]
    if not days[-1]:
        return [*range(UNDATED, past.played, UNDATED), past.played]
    return [int(i) + 1 for i in np.flatnonzero(np.diff(days, append=days[-1] + 1))]


def turning_point(points: Sequence[CurvePoint], player: str = "") -> TurningPoint | None:
    """The day on which the member's chance grew most; by default of who has the greatest chance at the end.

    None where no day follows another, and where the chance never grew.
    """
    if len(points) < 2:
        return None
    last = points[-1].chances
    winner = player or max(last, key=lambda name: last[name])
    chances = [point.chances.get(winner, 0.0) for point in points]
    grown = [after - before for before, after in pairwise(chances)]
    best = int(np.argmax(grown))
    if grown[best] <= 0:
        return None
    return TurningPoint(winner, points[best + 1].day, chances[best], chances[best + 1])
