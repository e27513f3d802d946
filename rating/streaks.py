"""Runs of a player's games that meet a condition."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

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
    runs = [list(run) for fit, run in groupby(results, fits) if fit]
    return [Streak(len(run), run[0].game, run[-1].game) for run in runs]


def longest(results: Iterable[Result], fits: Callable[[Result], bool]) -> Streak:
    """The longest run; the first of equals; an empty one where no game fits."""
    return max(streaks(results, fits), key=lambda run: run.length, default=Streak())


def current(results: Sequence[Result], fits: Callable[[Result], bool]) -> int:
    return len(list(takewhile(fits, reversed(results))))


def is_first(result: Result) -> bool:
    return result.placing == 1


def is_last(result: Result) -> bool:
    return result.last


STREAKS: Mapping[str, Callable[[Result], bool]] = {
    "firsts": is_first,
    "uppers": lambda result: result.placing <= 2,
    "not_lasts": lambda result: not result.last,
    "lasts": is_last,
}
"""The runs that are counted, by the keys of their figures."""
