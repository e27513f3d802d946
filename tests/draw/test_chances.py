"""優勝確率: the chances of every place have a column each, or share one where there are many places; per
cents as a phone can show them."""

import pytest

from bot.answers.forecast import chances
from bot.answers.forecast.chances import ChanceLines, ChancesChart, PlaceRow, Turn, columns
from bot.draw.lines import Curve
from bot.draw.style import AXIS, colours
from tests.draw.leagues import NINE, TWENTY, rating_curves
from tests.draw.pngs import opened
from tests.draw.writing import overlaps, written

LONG = tuple(name * 4 for name in NINE)


def chart(names: tuple[str, ...]) -> ChancesChart:
    m = len(names)
    curves = [
        Curve(c.name, c.xs, [(y - 1000) / 10 for y in c.ys], c.colour, c.dash)
        for c in rating_curves(names, dated=False)
    ]
    rows = [
        PlaceRow(
            name, [1.0 if m == 1 else (0.6 if i == j else 0.4 / (m - 1)) for j in range(m)], colour, i == 1
        )
        for i, (name, colour) in enumerate(colours(names).items())
    ]
    turn = Turn(400.0, f"流れが変わった日 6/14（{names[0]} 32%→63%）", "#0072B2")
    return ChancesChart("優勝確率　第2シーズン", "5/24〜6/30　474戦　残り50戦", curves, rows, turn)


@pytest.mark.parametrize("names", [NINE[:3], NINE, TWENTY, LONG], ids=["three", "nine", "twenty", "long"])
def test_every_league_is_drawn_in_sizes_that_a_phone_shows(names: tuple[str, ...]) -> None:
    found = written(lambda: chances.draw(chart(names)))
    assert overlaps(found) == []
    heat = [text for text in found if text.y > next(t.y for t in found if t.text == chances.PLACES)]
    assert min(text.size for text in heat) >= AXIS
    drawn = opened(chances.draw(chart(names)))
    assert drawn.size[0] == 1200


def test_without_places_there_are_only_the_curves() -> None:
    whole = chart(NINE)
    over = ChancesChart(whole.title, whole.subtitle, whole.curves)
    assert chances.PLACES not in [text.text for text in written(lambda: chances.draw(over))]
    assert opened(chances.draw(over)).size[1] < opened(chances.draw(whole)).size[1]


def test_a_season_without_curves_says_so() -> None:
    texts = [text.text for text in written(lambda: chances.draw(ChancesChart("優勝確率", "", ())))]
    assert "まだ対局がありません" in texts


@pytest.mark.parametrize("places", [1, 2, 3, 9, 10, 11, 12, 13, 20, 37, 300])
def test_columns_hold_each_place_once_and_no_more_than_fit(places: int) -> None:
    found = columns(places)
    assert [place for first, last in found for place in range(first, last + 1)] == [*range(1, places + 1)]
    assert len(found) <= 10
    assert found[0] == (1, 1)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "0%"), (0.3, "<1%"), (0.5, "0%"), (41.4, "41%"), (99.4, "99%"), (99.7, ">99%"), (100.0, "100%")],
)
def test_a_chance_that_is_not_sure_is_not_told_as_sure(value: float, words: str) -> None:
    assert ChanceLines("", "", ()).last(Curve("", (0.0,), (value,))) == words
