"""Runs of a player's games that meet a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rating.games import Game
from rating.tallies import Result


@dataclass(frozen=True, slots=True)
class Streak:
    """Games of the player's in a row that fit; the first and the last of them, None where there is none."""

    length: int = 0
    first: Game | None = None
    last: Game | None = None


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


STREAKS: Mapping[str, Callable[[Result], bool]] = {
    "firsts": is_first,
    "uppers": lambda result: result.placing <= 2,
    "not_lasts": not_last,
    "lasts": is_last,
}
"""The runs that are counted, by the keys of their figures."""
