"""The title and subtitle above every picture, and what an empty picture shows."""

from __future__ import annotations

from bot.draw import glyphs
from bot.draw.paper import Paper
from bot.draw.style import FAINT, INK, LOOKED_FOR, MUTED, SMALLEST, SUBTITLE, TITLE

EDGE = 48
BELOW = 158
"""The first row of pixels that is free below a header."""
_GAP = "\u3000"


def draw_header(paper: Paper, title: str, subtitle: str) -> None:
    """Draw title and subtitle. A long title is cut before its last part (the season); a long subtitle takes
    two lines."""
    room = paper.width - 2 * EDGE
    paper.text(EDGE, 58, _title(title, room), TITLE, INK, bold=True, room=room)
    draw_subtitle(paper, subtitle, (107, 146), 120)


def draw_subtitle(
    paper: Paper, words: str, lines: tuple[float, float], middle: float, colour: str = MUTED
) -> None:
    """Draw a subtitle at the height `middle`; a long one with its last part below the rest, at the heights
    `lines`."""
    room = paper.width - 2 * EDGE
    first, _, last = glyphs.drawable(words).rpartition(_GAP)
    if first and glyphs.width(glyphs.drawable(words), SMALLEST) > room:
        for y, part in zip(lines, (first, last), strict=True):
            paper.text(EDGE, y, part, SMALLEST, colour, room=room)
    else:
        paper.text(EDGE, middle, words, SUBTITLE, colour, room=room)


def _title(title: str, room: float) -> str:
    title = glyphs.drawable(title)
    head, gap, tail = title.rpartition(_GAP)
    room -= glyphs.width(gap + tail, LOOKED_FOR)
    if not head or room < 300 or glyphs.width(head, LOOKED_FOR) <= room:
        return title
    return glyphs.fit(head, LOOKED_FOR, room, LOOKED_FOR)[0] + gap + tail


def draw_empty(paper: Paper, words: str, hint: str = "") -> None:
    """Say in the middle of the picture that there is no data yet."""
    middle, centre = paper.height / 2, paper.width / 2
    for offset, (height, shade) in enumerate(((70, "#E6E6E6"), (120, "#DADADA"), (95, "#E6E6E6"))):
        left = centre - 87 + offset * 62
        paper.pill(left, middle - 70 - height, left + 50, middle - 70, radius=8, colour=shade)
    paper.text(centre, middle, words, 44, colour=MUTED, anchor="middle", room=paper.width - 2 * EDGE)
    paper.text(
        centre, middle + 66, hint, SMALLEST, colour=FAINT, anchor="middle", room=paper.width - 2 * EDGE
    )
