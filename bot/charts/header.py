"""What stands above every picture: its title, and below it the period, the number of games and the time of the data."""

from __future__ import annotations

from bot.charts.paper import Paper
from bot.charts.style import FAINT, INK, MUTED, SUBTITLE, TITLE

EDGE = 48
BELOW = 158
"""The first row of pixels that is free below a header."""


def draw_header(paper: Paper, title: str, subtitle: str) -> None:
    room = paper.width - 2 * EDGE
    paper.text(EDGE, 58, title, TITLE, INK, bold=True, room=room, least=38)
    paper.text(EDGE, 118, subtitle, SUBTITLE, MUTED, room=room, least=28)


def draw_empty(paper: Paper, words: str, hint: str = "") -> None:
    """A picture without data says so in the middle, kindly."""
    middle, centre = paper.height / 2, paper.width / 2
    for offset, (height, shade) in enumerate(((70, "#E6E6E6"), (120, "#DADADA"), (95, "#E6E6E6"))):
        left = centre - 87 + offset * 62
        paper.pill(left, middle - 70 - height, left + 50, middle - 70, 8, shade)
    paper.text(centre, middle, words, 44, MUTED, "middle", room=paper.width - 2 * EDGE)
    paper.text(centre, middle + 66, hint, 34, FAINT, "middle", room=paper.width - 2 * EDGE)
