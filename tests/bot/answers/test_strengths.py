"""Matchups are shown only where they foretell days left out better than strengths alone."""

from __future__ import annotations

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

from bot.answers.strengths import matchups_count
from rating.games import Game, game_of


def circle(turn: bool) -> list[Game]:
    """a beats b, b beats c, c beats a (or, without `turn`, always the earlier letter), with x in the middle."""
    pairs = [("a", "b"), ("b", "c"), ("c", "a") if turn else ("a", "c")]
    return [
        game_of([one, "x", other], [50, 0, -50], day=date(2026, 1, 1) + timedelta(days=day))
        for day in range(60)
        for one, other in pairs
    ]


def found(games: list[Game]) -> Any:
    return SimpleNamespace(games=games, standings=dict.fromkeys("abcx"))


def test_a_circle_is_shown_as_matchups() -> None:
    assert matchups_count(found(circle(turn=True)))


def test_a_plain_order_is_not() -> None:
    assert not matchups_count(found(circle(turn=False)))
