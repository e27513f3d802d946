"""Loads the drawing library and the font before the first picture is needed."""

from __future__ import annotations

from bot.draw import lines
from bot.draw.curves import Curve, Lines


def warm() -> None:
    """Load the drawing library and the font and draw once, so that the first answer does not wait for it."""
    curve = Curve("雀録", (0.0, 1.0, 2.0), (1500.0, 1510.0, 1490.0))
    lines.draw(Lines("レーティング", "0123456789 戦", (curve,)))
