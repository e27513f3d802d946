"""The opponents on a member's card: the rival with the games of both as a bar, and the best and the worst opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import (
    INK,
    LOOKED_FOR,
    MUTED,
    PANEL,
    SMALL,
    WHITE,
    blend,
    on,
    readable,
)
from bot.charts.canvas.unique_names import told_apart
from bot.charts.parts import facts
from bot.charts.parts.facts import Fact

RIVAL = "ライバル"
_PAD, _GAP, _HIGH = 18, 16, 292  # pixels of the rival's panel


@dataclass(frozen=True)
class Rival:
    """An opponent: in `ahead` of `games` together the member finished above. `share` says it in words."""

    name: str
    colour: str
    ahead: int
    games: int
    share: str


def height(rival: Rival | None, others: Sequence[Fact]) -> int:
    """The height of `draw_rivals` in pixels."""
    return (_HIGH + _GAP if rival else 0) + facts.column(others)


def draw_rivals(
    paper: Paper,
    rival: Rival | None,
    others: Sequence[Fact],
    left: float,
    right: float,
    top: float,
    colour: str,
) -> None:
    """Draw panels between `left` and `right`: the rival's, then one for each of the other opponents."""
    names = [name for fact in others for name in facts.names_in(fact.value, fact.names)]
    shown = told_apart([rival.name, *names] if rival else names)
    if rival:
        _rival(paper, rival, left, right, top, colour=colour, name=shown[rival.name])
        top += _HIGH + _GAP
    for fact in others:
        top = facts.panel(paper, fact, left, right, top, shown)


def _rival(paper: Paper, rival: Rival, left: float, right: float, top: float, colour: str, name: str) -> None:
    paper.pill(left, top, right, top + _HIGH, radius=16, colour=PANEL)
    x, room = left + _PAD, right - left - 2 * _PAD
    paper.text(x, top + 34, RIVAL, SMALL, MUTED)
    paper.text(x, top + 92, name, 56, readable(rival.colour), bold=True, room=room, least=LOOKED_FOR)
    ends = x, right - _PAD
    split = x + room * rival.ahead / rival.games
    y = top + 176
    for start, end, shade in ((ends[0], split - 2, colour), (split + 2, ends[1], rival.colour)):
        if end > start:
            paper.box(start, y - 30, end, y + 30, blend(shade, WHITE, 0.2))
    _count(paper, rival.ahead, ends[0] + 12, y, split - x, colour, False)
    _count(paper, rival.games - rival.ahead, ends[1] - 12, y, ends[1] - split, rival.colour, True)
    paper.text(x, top + 250, rival.share, LOOKED_FOR, INK, bold=True, room=room, least=SMALL)


def _count(paper: Paper, count: int, x: float, y: float, wide: float, colour: str, last: bool) -> None:
    """Write how often one of the two was ahead, on its part of the bar where there is room."""
    if wide >= 90:
        ink = on(blend(colour, WHITE, 0.2))
        paper.text(x, y, str(count), 40, colour=ink, anchor="right" if last else "left", bold=True)
