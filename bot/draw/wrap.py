"""Sentences on a picture, broken into lines by the rules of Japanese text."""

from __future__ import annotations

import re

from bot.draw import glyphs
from bot.draw.paper import Paper

LEADING = 1.35  # from one line to the next, in font sizes
_PIECES = re.compile(r"[!-~]+|.", re.DOTALL)
_NOT_LAST = set("「『（【([")
_NOT_FIRST = set("、。，．）」』】！？ー…ぁぃぅぇぉっゃゅょァィゥェォッャュョ)]!?,.")


def wrap(text: str, size: int, room: float, most: int) -> list[str]:
    """At most `most` lines of about `room` pixels; a cut text ends with an ellipsis.

    Latin words stay whole. No line begins with a closing sign (it may stick out instead) or ends with an
    opening one.
    """
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(glyphs.drawable(text)):
        if line and glyphs.width(line + piece, size) > room and piece[0] not in _NOT_FIRST:
            held = line[-1] if line[-1] in _NOT_LAST and len(line) > 1 else ""
            lines.append(line.removesuffix(held))
            line = held
        line += piece if line or piece != " " else ""
    lines += [line] if line else []
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + glyphs.ELLIPSIS]
    return lines


def paragraph(
    paper: Paper, x: float, y: float, text: str, size: int, colour: str, room: float, most: int = 2
) -> float:
    """Draw the text in lines, the middle of the first at `y`; return the height taken in pixels."""
    lines = wrap(text, size, room, most)
    for place, line in enumerate(lines):
        paper.text(x, y + place * size * LEADING, line, size, colour, room=room)
    return len(lines) * size * LEADING
