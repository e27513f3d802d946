"""The calibration plot of a rating system: what it predicted, and how often that came true."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

from bot.answers.common.ratings import model_title
from bot.draw import glyphs, style
from bot.draw.layout import Area, Scale, Section, ticks, titled
from rating.models import MODELS
from rating.study.compare import Comparison, ForecastBin, ModelScore

TITLE = "{model}の予想と実際"
FIRST = "トップの確率"
LAST = "ラスの確率"
KEY = "横：予想　縦：実際　斜線：ぴったり　円と上の数：件数"
NO_FORECASTS = "まだ予想できる対局がありません"
_HEIGHT = 890
# pixels of a square of the calibration plot, and of what is above it
_SIDE = 470
_ABOVE = 116
_LEFT = 72  # for the numbers of the axis


@dataclass(frozen=True)
class Ends:
    """The ends of both axes, and the count of the largest dot."""

    low: float
    high: float
    most: int


def draw_best_calibration(comparison: Comparison, subtitle: str) -> list[bytes]:
    """The calibration plot of the best system (PNG), for the command line."""
    best = next(score for score in comparison.models if score.beats_chance or score.model in MODELS)
    return [draw_calibration(best, subtitle)]


def draw_calibration(score: ModelScore, subtitle: str) -> bytes:
    """A PNG of 1200 x 890 pixels: the chances of first and of last place that a system predicted,
    and how often they came true; larger dots, more seats."""
    bins = [*score.first, *score.last]
    title = TITLE.format(model=model_title(score.model))
    if not bins:
        return titled(title, subtitle, [], _HEIGHT, (NO_FORECASTS, ""))
    ends = _ends(bins)

    def draw(area: Area) -> None:
        left, right = area.inset(_LEFT).columns(0, 0, gap=92)
        left.text(FIRST, style.LABEL, style.UP, bold=True, down=34)
        _draw_square(score.first, style.UP, ends, left.inset(top=_ABOVE))
        right.text(LAST, style.LABEL, style.DOWN, bold=True, down=34)
        _draw_square(score.last, style.DOWN, ends, right.inset(top=_ABOVE))

    def draw_key(area: Area) -> None:
        area.inset(_LEFT).text(KEY, style.SMALL, style.MUTED, down=92)

    return titled(title, subtitle, [Section(_ABOVE + _SIDE, draw), Section(146, draw_key)])


def _ends(bins: Sequence[ForecastBin]) -> Ends:
    values: list[float] = []
    for forecast in bins:
        ends = (forecast.predicted, forecast.observed, forecast.low, forecast.high)
        values.extend(filter(isfinite, ends))
    low = max(0.0, min(values) - 0.03)
    high = min(1.0, max(values) + 0.03)
    return Ends(low, high, max(forecast.seats for forecast in bins))


def _draw_square(bins: Sequence[ForecastBin], colour: str, ends: Ends, frame: Area) -> None:
    """Draw the groups of forecasts on two equal axes."""
    across = Scale(ends.low, ends.high, frame.left, frame.right)
    up = Scale(ends.low, ends.high, frame.bottom, frame.top)
    _draw_axes(frame, across, up)
    _draw_counts(bins, frame, across)
    for forecast in bins:
        known = isfinite(forecast.predicted) and isfinite(forecast.observed)
        if not known or forecast.seats <= 0:
            continue
        x = across(forecast.predicted)
        if isfinite(forecast.low) and isfinite(forecast.high):
            top = up(min(forecast.high, ends.high))
            bottom = up(max(forecast.low, ends.low))
            shade = style.blend(colour, style.WHITE, 0.5)
            frame.paper.pill(
                x - 3,
                top,
                x + 3,
                bottom,
                radius=3,
                colour=shade,
            )
        radius = 7 + 17 * sqrt(forecast.seats / ends.most)
        y = up(forecast.observed)
        frame.paper.dot(x, y, radius, colour, edge=style.WHITE, thick=3)


def _draw_axes(frame: Area, across: Scale, up: Scale) -> None:
    paper = frame.paper
    for mark in ticks(across.low, across.high, 4):
        x = across(mark)
        y = up(mark)
        text = f"{mark:.0%}"
        paper.across(y, frame.left, frame.right, style.GRID, style.GRID_COLOUR)
        paper.down(x, frame.top, frame.bottom, style.GRID, style.GRID_COLOUR)
        paper.text(frame.left - 12, y, text, style.SMALL, style.MUTED, "right")
        paper.text(x, frame.bottom + 32, text, style.SMALL, style.MUTED, "middle")
    xs = (frame.left, frame.right)
    ys = (frame.bottom, frame.top)
    paper.line(xs, ys, 4, style.BASELINE_COLOUR, dash=(3.0, 2.0))


def _draw_counts(bins: Sequence[ForecastBin], frame: Area, across: Scale) -> None:
    """Write the counts above the square; one that would touch the one before it is left out."""
    end = frame.left - 20
    for forecast in sorted(bins, key=lambda forecast: forecast.predicted):
        text = str(forecast.seats)
        half = glyphs.width(text, style.SMALL) / 2
        x = min(
            max(across(forecast.predicted), frame.left + half),
            frame.right - half,
        )
        if x - half >= end + 10:
            frame.paper.text(
                x,
                frame.top - 24,
                text,
                style.SMALL,
                style.MUTED,
                "middle",
            )
            end = x + half
