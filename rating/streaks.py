"""Runs of a player's games that meet a condition, and each player's days of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from rating.games import Game
from rating.tallies import Result


@dataclass(frozen=True, slots=True)
class Streak:
    """Games in a row, in the player's own order, that fit; the first and the last of them (None where there is none)."""

    length: int = 0
    first: Game | None = None
    last: Game | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """One player's day of play: points (thousands), games and first places."""

    player: str
    day: date
    points: float
    games: int
    firsts: int


def streaks(results: Iterable[Result], fits: Callable[[Result], bool]) -> list[Streak]:
    """Every run of games that fit, in order; the last run is still open where the last game fits."""
    found: list[Streak] = []
    open_run = False
    for result in results:
        if not fits(result):
            open_run = False
        elif open_run:
            run = found[-1]
            found[-1] = Streak(run.length + 1, run.first, result.game)
        else:
            found.append(Streak(1, result.game, result.game))
            open_run = True
    return found


def longest(results: Iterable[Result], fits: Callable[[Result], bool]) -> Streak:
    """The longest run; the first of equals; an empty one where no game fits."""
    return max(streaks(results, fits), key=lambda run: run.length, default=Streak())


def current(results: Sequence[Result], fits: Callable[[Result], bool]) -> int:
    """How many games at the end fit, without a break."""
    length = 0
    for result in reversed(results):
        if not fits(result):
            break
        length += 1
    return length


def is_first(result: Result) -> bool:
    return result.placing == 1


def is_last(result: Result) -> bool:
    return result.last


def not_last(result: Result) -> bool:
    return not result.last


def days_of(games: Iterable[Game]) -> list[Day]:
    """Every player's days of play, in order of date and name; games without a date do not count."""
    sums: dict[tuple[date, str], tuple[float, int, int]] = {}
    for game in games:
        if game.day is None:
            continue
        for place, seat in enumerate(game.seats):
            points, played, firsts = sums.get((game.day, seat.player), (0.0, 0, 0))
            sums[game.day, seat.player] = (points + seat.score, played + 1, firsts + (place == 0))
    ordered = sorted(sums.items(), key=lambda item: item[0])
    return [
        Day(player, day, round(points, 6), played, firsts)
        for (day, player), (points, played, firsts) in ordered
    ]
