"""The opponents on a member's card: the rival with the games of both as a bar, and the best and the worst
opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.draw import bars, facts
from bot.draw.facts import Fact
from bot.draw.layout import Area, Section
from bot.draw.style import LOOKED_FOR, MUTED, PANEL, SMALL, readable
from bot.draw.unique_names import told_apart

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


def sections_of(rival: Rival | None, others: Sequence[Fact], colour: str) -> list[Section]:
    """Panels: the rival's, then one for each of the other opponents."""
    shown = told_apart([*([rival.name] if rival else []), *facts.names_of(others)])
    panels = facts.column(facts.as_drawn(others, shown))
    if rival:
        panels.insert(0, Section(308, partial(_rival, replace(rival, name=shown[rival.name]), colour)))
    return panels


def _rival(rival: Rival, colour: str, area: Area) -> None:
    panel = area.inset(bottom=16)
    panel.plate(PANEL)
    panel = panel.inset(18, right=18)
    panel.text(RIVAL, SMALL, MUTED, down=34)
    panel.text(rival.name, 56, readable(rival.colour), bold=True, down=92)
    counts = rival.ahead, rival.games - rival.ahead
    bars.against(panel.inset(top=146, bottom=86), counts, (colour, rival.colour))
    panel.text(rival.share, LOOKED_FOR, bold=True, down=250)
