"""The last value and the name at the end of each line, in place of a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas import glyphs
from bot.charts.canvas.labels import separate
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.scale import Scale
from bot.charts.canvas.style import LABEL, LINE, MUTED, SMALL, ink
from bot.charts.parts.axes import Frame
from bot.charts.parts.curves import Curve, Lines

PROVISIONAL = "暫定"
SIGN, SIGN_MEANS = "※", "※は暫定（30戦未満）"
_GAP = 46
_LEAST, _USUAL, _MOST = 0.22, 0.34, 0.36  # of the sheet's width
_SWATCH, _SAMPLE = 22, 62  # pixels for a bar of the line's colour, or for a piece of the line
_AIR, _EDGE = 14, 22  # between value and name, and at the sheet's right edge
# Shares of a name's size: for all names together, and the least for one name before it is cut.
_SMALLER, _SMALLEST = 0.85, 0.7


@dataclass(frozen=True)
class Ends:
    """How the labels are laid out: the font sizes, the widths of the columns, and the mark of provisional members."""

    curves: Sequence[Curve]
    size: int
    name_size: int
    swatch: int
    values: float
    names: float
    mark: str

    @property
    def width(self) -> float:
        """Pixels taken to the right of the frame."""
        return self.swatch + self.values + _AIR + self.names + _EDGE


def ends_of(paper: Paper, chart: Lines, curves: Sequence[Curve], top: float, bottom: float) -> Ends:
    """The layout of the labels of `curves` (worst first) beside a frame from `top` to `bottom`.

    Names keep their size where they fit into the usual margin. Otherwise all names get smaller; then ※ stands for 暫定;
    then the margin grows. A name that is still too long gets smaller alone, and is cut at last.
    """
    gap = _gap(curves, top, bottom)
    size = min(LABEL, max(10, int(gap * 0.9)))
    values = max(glyphs.width(chart.last(curve), size) for curve in curves)
    swatch = _SAMPLE if len({curve.colour for curve in curves}) < len(curves) else _SWATCH
    fixed = swatch + values + _AIR + _EDGE
    least, usual, most = (share * paper.width - fixed for share in (_LEAST, _USUAL, _MOST))
    smaller = int(size * _SMALLER)
    for name_size, mark in ((size, PROVISIONAL), (smaller, PROVISIONAL), (size, SIGN), (smaller, SIGN)):
        needed = max(_name_width(curve, name_size, mark, size) for curve in curves)
        if needed <= usual:
            return Ends(
                curves,
                size,
                name_size=name_size,
                swatch=swatch,
                values=values,
                names=max(least, needed),
                mark=mark,
            )
    at_least = max(_name_width(curve, int(size * _SMALLEST), mark, size) for curve in curves)
    return Ends(
        curves,
        size,
        name_size=smaller,
        swatch=swatch,
        values=values,
        names=min(max(usual, at_least), most),
        mark=SIGN,
    )


def _gap(curves: Sequence[Curve], top: float, bottom: float) -> float:
    low, high = _span(top, bottom)
    return min(_GAP, (high - low) / max(1, len(curves) - 1))


def _span(top: float, bottom: float) -> tuple[float, float]:
    """The least and the greatest y of a label's middle."""
    return top - 6, bottom - 8


def _name_width(curve: Curve, name_size: int, mark: str, size: int) -> float:
    return glyphs.width(curve.name, name_size) + (_mark_width(mark, size) if curve.provisional else 0.0)


def _mark_width(mark: str, size: int) -> float:
    return _mark_gap(mark) + glyphs.width(mark, size * 3 // 4)


def _mark_gap(mark: str) -> int:
    return 10 if mark == PROVISIONAL else 2


def draw_ends(paper: Paper, chart: Lines, frame: Frame, up: Scale, ends: Ends) -> None:
    """Draw the last values and names, each beside the end of its line, moved apart where they would overlap."""
    ranked = ends.curves[::-1]
    gap = _gap(ranked, frame.top, frame.bottom)
    places = separate([up(curve.ys[-1]) for curve in ranked], gap, *_span(frame.top, frame.bottom))
    for curve, y in zip(ranked, places, strict=True):
        _swatch(paper, curve, frame.right, y, ends)
        _label(paper, chart, curve, frame.right, y=y, ends=ends)
    if ends.mark == SIGN and any(curve.provisional for curve in ranked):
        x, room = paper.width - _EDGE, paper.width - _EDGE - frame.right - 64
        paper.text(x, frame.bottom + 40, SIGN_MEANS, SMALL, colour=MUTED, anchor="right", room=room, least=22)


def _swatch(paper: Paper, curve: Curve, left: float, y: float, ends: Ends) -> None:
    """Draw the line's colour; where two lines share a colour, a piece of the line with its dashes."""
    if ends.swatch == _SWATCH:
        half = ends.size * 0.36
        paper.pill(left + 2, y - half, left + 11, y + half, radius=4, colour=curve.shade())
    else:
        paper.line((left + 4, left + ends.swatch - 14), (y, y), LINE, curve.shade(), curve.dash)


def _label(paper: Paper, chart: Lines, curve: Curve, left: float, y: float, ends: Ends) -> None:
    colour, size = ink(curve.colour, curve.provisional), ends.size
    column = left + ends.swatch + ends.values
    paper.text(column, y, chart.last(curve), size, colour=colour, anchor="right", bold=curve.asker)
    room = ends.names - (_mark_width(ends.mark, size) if curve.provisional else 0.0)
    least = int(size * _SMALLEST)
    taken = paper.text(
        column + _AIR, y, curve.name, ends.name_size, colour, bold=curve.asker, room=room, least=least
    )
    if curve.provisional:
        x = column + _AIR + taken + _mark_gap(ends.mark)
        paper.text(x, y, ends.mark, size * 3 // 4, colour)
