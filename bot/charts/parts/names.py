"""The column of names beside rows: as wide as the longest name, within bounds."""

from __future__ import annotations

from collections.abc import Iterable

from bot.charts.canvas import glyphs
from bot.charts.canvas.style import LABEL

_LEAST, _MOST = 180, 364  # pixels; eight kanji, the longest names on Tenhou, fit into the most


def column(names: Iterable[str], more: float = 0.0) -> int:
    """The pixels for names (as `told_apart` returns them) at LABEL size, and `more` beside each."""
    widest = max((glyphs.width(name, LABEL) for name in names), default=0.0)
    return int(min(max(widest + more + 24, _LEAST), _MOST + more))
