"""Members' colours on the page."""

from __future__ import annotations

from bot.draw.style import readable

LINE_CONTRAST = 3.0


def line_colour(colour: str) -> str:
    """A colour whose lines have enough contrast with the page (WCAG 2.1, 1.4.11): light ones
    darker.
    """
    return readable(colour, LINE_CONTRAST)
