"""レーティング of all seasons; matchups, where they predict better than strengths; レート検証, and
when one is best.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.answers.standings import compare as answer
from bot.answers.standings.ratings import shows_matchups
from bot.draw.glyphs import wrap
from bot.draw.layout import EDGE
from bot.draw.style import AXIS, INK, UP
from rating.games import Game, game_of
from rating.study.compare import Comparison, ModelScore
from tests.answers.leagues import LeagueWorld, game, world

SEASONS = "".join(
    f'[[season]]\nname = "{name}"\nlog = "logvol{n}.txt"\n' for n, name in enumerate("春夏", 1)
)
LINES = ("20260901", *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 5)


def league(toml: str = "") -> LeagueWorld:
    return world(
        *LINES,
        toml=toml + SEASONS,
        **{"logvol2.txt": "\n".join(LINES[:4])},
    )


def seen(made: LeagueWorld, what: str) -> tuple[str, str]:
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


def dated(orders: Iterable[Sequence[str]]) -> list[Game]:
    """Games in these orders of placing, three a day."""
    games = []
    for number, order in enumerate(orders):
        day = date(2026, 1, 1) + timedelta(days=number // 3)
        games.append(game_of(order, [50, 0, -50], day=day))
    return games


def circle() -> list[Game]:
    """Games in which a beats b, b beats c and c beats a; x is always second."""
    return dated(["axb", "bxc", "cxa"] * 60)


def chance() -> list[Game]:
    """Games with random placings."""
    rng = random.Random(1)
    return dated([rng.sample("abcx", 3) for _ in range(180)])


@pytest.mark.parametrize(
    ("games", "shown"),
    [(circle, True), (chance, False)],
)
def test_a_circle_is_shown_as_matchups(games: Callable[[], list[Game]], shown: bool) -> None:
    found: Any = SimpleNamespace(games=games(), standings=dict.fromkeys("abcx"))
    assert shows_matchups(found) == shown


MODELS = ("tenhou", "jansou", "bradley_terry", "plackett_luce", "btr", "bayesian_btr")


def found_(*behind_lows: float, beats: int = 2, days: int = 40) -> Comparison:
    """A comparison whose systems after the first have these lower ends of the distance from it."""
    models = []
    for place, low in enumerate((0.0, *behind_lows)):
        of_chance = (-0.09 + 0.01 * place, -0.1, -0.01)
        of_best = (0.01 * place, low, 0.02 * place)
        loss = 1.70 + 0.01 * place
        beaten = place < beats
        models.append(
            ModelScore(
                MODELS[place],
                loss,
                *of_chance,
                *of_best,
                1.0,
                beaten,
                (),
                (),
            )
        )
    return Comparison(200, 100, 3, days=days, uniform=1.79, models=tuple(models))


def test_a_best_is_named_where_it_is_surely_ahead_and_nothing_where_nothing_beats_chance() -> None:
    assert answer.verdict_of(found_(0.1, 0.2, beats=0)) == answer.CHANCE
    few = answer.verdict_of(found_(0.1, beats=0, days=3))
    assert few.startswith(answer.CHANCE)
    assert "3日" in few
    words = answer.verdict_of(found_(0.001, 0.002))
    assert "いちばん当たったのは「レーティング」" in words
    assert "「レーティング」「得点レート」は、偶然の予想を統計的に上回っています。" in words


@pytest.mark.parametrize(
    "lows",
    [(0.0, 0.1), (-0.01, 0.1), (0.01, -0.1)],
)
def test_ties_are_named_and_no_best(lows: tuple[float, float]) -> None:
    tied = "得点レート" if lows[0] <= 0 else "対戦の強さ"
    words = answer.verdict_of(found_(*lows))
    assert "いちばん" not in words
    assert words.endswith(f"「レーティング」と「{tied}」の差は、まだはっきりしません。")


def test_a_notification_names_two_ties_and_counts_the_others() -> None:
    found = found_(*[-0.01] * 5)
    assert "「実力（推定）」「実力（誤差つき）」の差は" in answer.verdict_of(found)
    short = "「レーティング」と「得点レート」「対戦の強さ」ほか3つの差は、まだはっきりしません。"
    assert answer.verdict_of(found, answer.FEW_NAMES).endswith(short)
    below = answer.loss_chart(found, "", "").note
    assert below == answer.BLUE + short
    assert not wrap(below, AXIS, 1200 - 2 * EDGE, 3)[-1].endswith("…")


def test_only_what_beats_chance_is_coloured_and_a_copy_is_left_out() -> None:
    found = found_(0.1, 0.1, 0.1)
    assert all(entry.high < 0 for entry in found.models)  # the interval alone is no claim
    names, *_ = answer.loss_chart(found, "", "").rows.columns
    assert [name.colour for name in names.cells] == [UP, UP, INK, INK]
    found = found_(0.1)
    copy = replace(found.models[0], model="blade_chest", same_as="tenhou")
    found = replace(
        found,
        models=(found.models[0], copy, found.models[1]),
    )
    assert answer.loss_chart(found, "", "").rows.names() == ["レーティング", "得点レート"]
    assert "相性つき" not in answer.verdict_of(found)
    assert found.best == "tenhou"
