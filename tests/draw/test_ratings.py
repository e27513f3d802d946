from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from bot.draw import style
from bot.draw.lines import Curve, Lines, draw
from tests.draw.leagues import NINE, TWENTY, rating_chart, rating_curves
from tests.draw.pngs import opened

WORDS = ("レーティング 第3シーズン", "2019/10/5〜2020/12/4・1,301戦・12/4 23:50現在")
CHARTS = {
    "by date": rating_chart(*WORDS, rating_curves(), axis="date"),
    "by games": rating_chart(*WORDS, rating_curves(dated=False, asker=0)),
    "twenty": rating_chart(*WORDS, rating_curves(TWENTY), axis="date"),
    "nobody": rating_chart(*WORDS, ()),
    "no games yet": rating_chart(*WORDS, (Curve("みどり", (), ()),)),
    "one game": rating_chart(*WORDS, (Curve("みどり", (1.0,), (1512.0,)),), axis="games"),
    "one day": rating_chart(*WORDS, (Curve("みどり", (737000.0,), (1512.0,)),), axis="date"),
    "equal values": rating_chart(*WORDS, tuple(Curve(n, (0.0, 9.0), (1500.0, 1500.0)) for n in NINE)),
    "extremes": rating_chart(*WORDS, (Curve("上", (0.0, 1.0), (1e9, -1e9)), Curve("下", (0.0,), (0.0,)))),
    "tiny": rating_chart(*WORDS, (Curve("上", (0.0, 1.0), (0.01, -0.02)),), baseline=0, decimals=2),
    "not numbers": rating_chart(*WORDS, (Curve("上", (0.0, 1.0, 2.0), (float("nan"), 1.0, float("inf"))),)),
    "odd words": rating_chart("$x$" * 40, "\\frac" * 60, (Curve("🀄" * 99, (0.0, 1.0), (1, 2)),), None),
    "three thousand points": rating_chart(*WORDS, rating_curves(days=3000, dated=False)),
    "forty": rating_chart(*WORDS, rating_curves(tuple(f"選手{i}" for i in range(40)))),
    "no name": rating_chart("", "", (Curve("", (0.0, 1.0), (1500.0, 1501.0)),)),
}


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())
def test_every_league_becomes_a_picture_and_nothing_touches_its_edge(chart: Lines) -> None:
    picture = opened(draw(chart))
    assert picture.size == (1200, 1200)
    for edge in ((0, 0, 1200, 4), (0, 1196, 1200, 1200), (0, 0, 4, 1200), (1196, 0, 1200, 1200)):
        assert picture.crop(edge).getcolors() == [(4800, (255, 255, 255))]


def test_a_members_colour_is_in_the_picture_exactly() -> None:
    chart = CHARTS["by games"]
    chart = replace(chart, curves=[replace(curve, asker=False) for curve in chart.curves])
    seen = {colour for _, colour in opened(draw(chart)).getcolors(1 << 24) or []}
    assert {style.rgb(curve.shade()) for curve in chart.curves} <= seen


def test_the_asker_stands_out() -> None:
    chart = CHARTS["by games"]
    plain = replace(chart, curves=rating_curves(dated=False))
    asker = style.rgb(chart.curves[0].colour)

    def count(data: bytes) -> int:
        return sum(n for n, colour in opened(data).getcolors(1 << 24) or [] if colour == asker)

    assert count(draw(chart)) > 1.5 * count(draw(plain))


def test_eight_threads_draw_the_same_bytes() -> None:
    charts = list(CHARTS.values())[:4]
    alone = [draw(chart) for chart in charts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(draw, charts * 4)) == alone * 4
