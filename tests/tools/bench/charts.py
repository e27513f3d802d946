"""Measure the drawing of the rating picture beside a plain way to draw the same data, and of the
race.

python -m tests.tools.bench.charts
"""

import io
from collections.abc import Callable

from matplotlib import rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bot.answers.standings.race import draw as draw_race
from bot.draw.lines import Curve, draw
from tests.draw.leagues import NINE, TWENTY, rating_chart, rating_curves
from tests.draw.test_race import chart_of
from tests.tools.bench.loadkit import fastest

WORDS = ("レーティング 第3シーズン", "2019/10/5〜2020/12/4・1,301戦・12/4 23:50現在")


def milliseconds(work: Callable[[], object]) -> float:
    work()
    return 1000 * fastest(work)


def plain(curves: tuple[Curve, ...]) -> bytes:
    """The curves drawn with Axes and savefig, names at the ends: 1200 x 900 pixels."""
    figure = Figure(figsize=(12, 9), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for curve in curves:
        axes.plot(curve.xs, curve.ys, linewidth=3, color=curve.colour)
        end = (curve.xs[-1], curve.ys[-1])
        axes.annotate(f"{curve.ys[-1]:.0f} {curve.name}", end, fontsize=20)
    axes.set_title("レーティング", fontsize=28)
    axes.tick_params(labelsize=18)
    axes.grid()
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()


def main() -> None:
    rcParams["font.family"] = ["IPAexGothic", "DejaVu Sans"]
    import matplotlib_fontja

    matplotlib_fontja.japanize()
    daily = rating_curves(days=60)
    ten = rating_curves((*NINE, "十人目"), days=60)
    chart = rating_chart(*WORDS, daily, axis="date")
    ours = milliseconds(lambda: draw(chart))

    def draw_long() -> bytes:
        return draw(rating_chart(*WORDS, rating_curves(days=3000, dated=False)))

    long = milliseconds(draw_long)
    wide = milliseconds(lambda: plain(ten))
    print(
        f"rating picture 1200x1200, 9 players, 60 days: {ours:6.1f} ms, {len(draw(chart)) / 1000:.0f} KB"
    )
    print(f"  9 players, 3,000 points each:              {long:6.1f} ms")
    print(
        f"plain savefig 1200x900, 10 lines with Axes:   {wide:6.1f} ms, {wide / ours:.1f} times as long"
    )
    for members in (3, 9, 20):
        moving = chart_of(TWENTY[:members], 60)
        taken = milliseconds(lambda chart=moving: draw_race(chart))
        size = len(draw_race(moving))
        print(f"race of {members} players, 60 days:{'':17}{taken:6.0f} ms, {size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
