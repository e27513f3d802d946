"""The rich menu's picture: up to six large buttons with symbols, and a strip of tabs above them where there
are tabs.

The picture and the tap areas both use `areas`, so that they always agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.draw.paper import Paper
from bot.draw.style import INK, MUTED, WHITE, blend, palette
from bot.draw.symbols import SYMBOLS, Brush

WIDTH, HEIGHT, TAB = 2500, 1686, 206
_COLUMNS, _ROWS = 3, 2
_GROUND, _SEAM = "#F2F3F5", 12
_TINTS = [palette(7)[i] for i in (1, 2, 3, 4, 5, 6)]

Area = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(frozen=True)
class RichMenuTab:
    """`buttons` are up to six (symbol, label); `tabs` are the labels of all tabs, `active` the index of this
    one."""

    buttons: Sequence[tuple[str, str]]
    tabs: Sequence[str] = ()
    active: int = 0


def areas(menu: RichMenuTab) -> tuple[list[Area], list[Area]]:
    """The places of the buttons and of the tabs. With six buttons they cover the picture without overlap."""
    top = TAB if menu.tabs else 0
    xs = [WIDTH * column // _COLUMNS for column in range(_COLUMNS + 1)]
    ys = [top + (HEIGHT - top) * row // _ROWS for row in range(_ROWS + 1)]
    cells = [
        (xs[c], ys[r], xs[c + 1] - xs[c], ys[r + 1] - ys[r]) for r in range(_ROWS) for c in range(_COLUMNS)
    ]
    edges = [WIDTH * tab // max(1, len(menu.tabs)) for tab in range(len(menu.tabs) + 1)]
    tabs = [(a, 0, b - a, TAB) for a, b in pairwise(edges)]
    return cells[: len(menu.buttons)], tabs


def draw(menu: RichMenuTab) -> bytes:
    """A PNG of 2500 x 1686 pixels. Raises ValueError for more than six buttons, KeyError for an unknown
    symbol."""
    if len(menu.buttons) > _COLUMNS * _ROWS:
        raise ValueError(f"a rich menu has {_COLUMNS * _ROWS} buttons, not {len(menu.buttons)}")
    paper = Paper(WIDTH, HEIGHT)
    paper.box(0, 0, WIDTH, HEIGHT, _GROUND)
    buttons, tabs = areas(menu)
    for place, (area, label) in enumerate(zip(tabs, menu.tabs, strict=True)):
        _tab(paper, area, label, place == menu.active)
    for place, (area, (symbol, label)) in enumerate(zip(buttons, menu.buttons, strict=True)):
        _button(paper, area, symbol, label, _TINTS[place])
    return paper.png()


def _tab(paper: Paper, area: Area, label: str, active: bool) -> None:
    left, top, wide, high = area
    ink = INK if active else MUTED
    if active:
        paper.pill(
            left + _SEAM, top + _SEAM, left + wide - _SEAM, top + high - _SEAM / 2, radius=36, colour=WHITE
        )
        paper.pill(
            left + wide * 0.3,
            top + high - 30,
            left + wide * 0.7,
            top + high - 18,
            radius=6,
            colour=palette(7)[1],
        )
    paper.text(
        left + wide / 2, top + high / 2, label, 84, colour=ink, anchor="middle", bold=active, room=wide - 80
    )


def _button(paper: Paper, area: Area, symbol: str, label: str, tint: str) -> None:
    left, top, wide, high = area
    paper.pill(left + _SEAM, top + _SEAM, left + wide - _SEAM, top + high - _SEAM, radius=44, colour=WHITE)
    x, disc = left + wide / 2, min(wide, high) * 0.27
    y = top + high * 0.40
    paper.dot(x, y, disc, blend(tint, WHITE, 0.84))
    SYMBOLS[symbol](Brush(paper, x, y, disc * 0.56, blend(tint, INK, 0.12)))
    paper.text(
        x, top + high * 0.82, label, 112, colour=INK, anchor="middle", bold=True, room=wide - 90, least=64
    )
