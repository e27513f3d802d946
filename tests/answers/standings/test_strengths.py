"""Matchups are shown only where they predict held-out days better than strengths alone."""

import random
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

from bot.answers.standings.ratings import shows_matchups
from rating.games import Game, game_of


def circle() -> list[Game]:
    """Games in which a beats b, b beats c and c beats a; x is always second."""
    return [
        game_of([one, "x", other], [50, 0, -50], day=date(2026, 1, 1) + timedelta(days=day))
        for day in range(60)
        for one, other in (("a", "b"), ("b", "c"), ("c", "a"))
    ]


def chance() -> list[Game]:
    """Games with random placings."""
    rng = random.Random(1)
    return [
        game_of(rng.sample("abcx", 3), [50, 0, -50], day=date(2026, 1, 1) + timedelta(days=n // 3))
        for n in range(180)
    ]


def found(games: list[Game]) -> Any:
    return SimpleNamespace(games=games, standings=dict.fromkeys("abcx"))


def test_a_circle_is_shown_as_matchups() -> None:
    assert shows_matchups(found(circle()))


def test_chance_is_not() -> None:
    assert not shows_matchups(found(chance()))
