"""レーティング: of all seasons, the first button below one season's or what a tap shows; and matchups, shown only where they predict held-out
days better than strengths alone."""

import random
from collections.abc import Callable
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.answers.standings.ratings import shows_matchups
from rating.games import Game, game_of
from tests.answers.leagues import World, game, world

SEASONS = """
[[season]]
name = "春"
log = "logvol1.txt"
[[season]]
name = "夏"
log = "logvol2.txt"
"""
LINES = ("20260901", *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 5)


def league(toml: str = "") -> World:
    return world(*LINES, toml=toml + SEASONS, **{"logvol2.txt": "\n".join(LINES[:4])})


def seen(made: World, what: str) -> tuple[str, str]:
    """The picture's title and the label of the first button below it."""
    asked = made.ask(what)
    return asked.pictures[0].chart.title, asked.reply.choices[0].label


def test_all_seasons_are_the_first_button() -> None:
    assert seen(league(), "レーティング") == ("レーティング　夏", "全シーズン")
    assert seen(league(), "request_rating?season=1") == ("レーティング　春", "全シーズン")
    labels = [choice.label for choice in league().ask("レーティング").reply.choices]
    assert labels.count("全シーズン") == 1
    alone = [choice.label for choice in world(*LINES).ask("レーティング").reply.choices]
    assert "全シーズン" not in alone, "where there is one"


def test_a_league_may_have_all_seasons_at_the_tap() -> None:
    made = league("career = true\n")
    assert seen(made, "レーティング") == ("レーティング　全シーズン", "夏")
    assert seen(made, "request_rating") == ("レーティング　全シーズン", "夏")
    assert seen(made, "request_rating?season=2") == ("レーティング　夏", "全シーズン")
    assert seen(made, "レーティング 1期") == ("レーティング　春", "全シーズン")
    curves = made.ask("レーティング").chart.curves
    assert {len(curve.ys) for curve in curves} == {9}, "the line goes through all seasons"


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


@pytest.mark.parametrize(("games", "shown"), [(circle, True), (chance, False)])
def test_a_circle_is_shown_as_matchups_and_chance_is_not(
    games: Callable[[], list[Game]], shown: bool
) -> None:
    found: Any = SimpleNamespace(games=games(), standings=dict.fromkeys("abcx"))
    assert shows_matchups(found) == shown
