"""レート検証 in words and colours: a best system is named only where it is surely the best."""

from dataclasses import replace

import pytest

from bot.answers.standings import compare as answer
from bot.draw.glyphs import wrap
from bot.draw.layout import EDGE
from bot.draw.style import AXIS, INK, UP
from rating.study.compare import Comparison, ModelScore

MODELS = ("tenhou", "jansou", "bradley_terry", "plackett_luce", "btr", "bayesian_btr")


def found_(*behind_lows: float, beats: int = 2, days: int = 40) -> Comparison:
    """A comparison whose systems after the first have these lower ends of the distance from it."""
    models = []
    for place, low in enumerate((0.0, *behind_lows)):
        of_chance, of_best = (-0.09 + 0.01 * place, -0.1, -0.01), (0.01 * place, low, 0.02 * place)
        loss, beaten = 1.70 + 0.01 * place, place < beats
        models.append(ModelScore(MODELS[place], loss, *of_chance, *of_best, 1.0, beaten, (), ()))
    return Comparison(200, 100, 3, days=days, uniform=1.79, models=tuple(models))


def test_nothing_is_named_where_nothing_beats_chance() -> None:
    assert answer.verdict_of(found_(0.1, 0.2, beats=0)) == answer.CHANCE
    few = answer.verdict_of(found_(0.1, beats=0, days=3))
    assert few.startswith(answer.CHANCE)
    assert "3日" in few


def test_a_best_is_named_where_it_is_surely_ahead() -> None:
    words = answer.verdict_of(found_(0.001, 0.002))
    assert "いちばん当たったのは「レーティング」" in words
    assert "「レーティング」「得点レート」は、偶然の予想を統計的に上回っています。" in words


@pytest.mark.parametrize("lows", [(0.0, 0.1), (-0.01, 0.1), (0.01, -0.1)])
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


def test_only_what_beats_chance_is_coloured() -> None:
    found = found_(0.1, 0.1, 0.1)
    assert all(entry.high < 0 for entry in found.models)  # the interval alone is no claim
    assert [row.colour for row in answer.loss_chart(found, "", "").rows] == [UP, UP, INK, INK]


def test_a_copy_is_left_out() -> None:
    found = found_(0.1)
    copy = replace(found.models[0], model="blade_chest", same_as="tenhou")
    found = replace(found, models=(found.models[0], copy, found.models[1]))
    assert [row.name for row in answer.loss_chart(found, "", "").rows] == ["レーティング", "得点レート"]
    assert "相性つき" not in answer.verdict_of(found)
    assert found.best == "tenhou"
