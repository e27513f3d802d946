"""The last value and the name at the end of each line, in place of a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.draw import glyphs
from bot.draw.axes import Frame
from bot.draw.curves import Curve, Lines
from bot.draw.labels import separate
from bot.draw.paper import Paper
from bot.draw.scale import Scale
from bot.draw.style import LABEL, LINE, LOOKED_FOR, MUTED, SMALL, ink
from bot.texts import SIGN, SIGN_MEANS

_SHORT = SIGN_MEANS.partition("（")[0]
_GAP = 48
_LEAST, _MOST = 0.22, 0.41  # of the sheet's width
_SWATCH, _SAMPLE = 22, 62  # pixels for a bar of the line's colour, or for a piece of the line
_AIR, _EDGE = 14, 22  # between value and name, and at the sheet's right edge


@dataclass(frozen=True)
class Ends:
    """How the labels are laid out: the widths in pixels of the swatches, the values and the names."""

    curves: Sequence[Curve]
    swatch: int
    values: float
    names: float

    @property
    def width(self) -> float:
        """Pixels taken to the right of the frame."""
        return self.swatch + self.values + _AIR + self.names + _EDGE


def ends_of(paper: Paper, chart: Lines, curves: Sequence[Curve]) -> Ends:
    """The layout of the labels of `curves` (worst first). A name that is too long for the margin is cut."""
    values = max(glyphs.width(chart.last(curve), LABEL) for curve in curves)
    swatch = _SAMPLE if len({curve.colour for curve in curves}) < len(curves) else _SWATCH
    fixed = swatch + values + _AIR + _EDGE
    least, most = (share * paper.width - fixed for share in (_LEAST, _MOST))
    needed = max(glyphs.width(curve.name, LABEL) + _mark_width() * curve.provisional for curve in curves)
    return Ends(curves, swatch, values, min(max(least, needed), most))


def _gap(curves: Sequence[Curve], top: float, bottom: float) -> float:
    low, high = _span(top, bottom)
    return min(_GAP, (high - low) / max(1, len(curves) - 1))


def _span(top: float, bottom: float) -> tuple[float, float]:
    """The least and the greatest y of a label's middle."""
    return top - 6, bottom - 8


def _mark_width() -> float:
    return glyphs.width(SIGN, SMALL)


def draw_ends(paper: Paper, chart: Lines, frame: Frame, up: Scale, ends: Ends) -> None:
    """Draw the last values and names, each beside the end of its line, moved apart where they would
    overlap."""
    ranked = ends.curves[::-1]
    gap = _gap(ranked, frame.top, frame.bottom)
    places = separate([up(curve.ys[-1]) for curve in ranked], gap, *_span(frame.top, frame.bottom))
    for curve, y in zip(ranked, places, strict=True):
        _swatch(paper, curve, frame.right, y, ends)
        _label(paper, chart, curve, frame.right, y=y, ends=ends)
    if any(curve.provisional for curve in ranked):
        x = paper.width - _EDGE
        room = x - frame.right - 64
        words = SIGN_MEANS if glyphs.width(SIGN_MEANS, SMALL) <= room else _SHORT
        paper.text(x, frame.bottom + 40, words, SMALL, colour=MUTED, anchor="right", room=room)


def _swatch(paper: Paper, curve: Curve, left: float, y: float, ends: Ends) -> None:
    """Draw the line's colour; where two lines share a colour, a piece of the line with its dashes."""
    if ends.swatch == _SWATCH:
        half = LABEL * 0.36
        paper.pill(left + 2, y - half, left + 11, y + half, radius=4, colour=curve.shade())
    else:
        paper.line((left + 4, left + ends.swatch - 14), (y, y), LINE, curve.shade(), curve.dash)


def _label(paper: Paper, chart: Lines, curve: Curve, left: float, y: float, ends: Ends) -> None:
    colour, column = ink(curve.colour, curve.provisional), left + ends.swatch + ends.values
    paper.text(column, y, chart.last(curve), LABEL, colour=colour, anchor="right", bold=curve.asker)
    x, room = column + _AIR, ends.names - _mark_width() * curve.provisional
    taken = paper.text(x, y, curve.name, LABEL, colour, bold=curve.asker, room=room, least=LOOKED_FOR)
    if curve.provisional:
        paper.text(x + taken, y, SIGN, SMALL, colour)
