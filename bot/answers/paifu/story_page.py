"""The story of a game as PNG: everybody's chance of the first place at each deal, and the round that changed
it the most.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot import texts
from bot.answers.paifu.analysis import Analysis, result, subtitle
from bot.draw import lines
from bot.draw.layout import Area, Section, prose, titled
from bot.draw.lines import Curve, Lines
from bot.draw.style import LABEL, LOOKED_FOR, palette, readable
from rating.paifu.chances import Turning, deals_of
from rating.paifu.record import Round

TITLE, TURNING, END = "1位になる確率", "分かれ目", "終局"
_HIGH, _FEET, _HEAD = 400, 84, 64


@dataclass(frozen=True)
class StoryLines(Lines):
    """Lines of per cents; the round from `turned` to the next deal is marked, and by the names stand the
    final `points`."""

    turned: int | None = None
    points: dict[str, str] = field(default_factory=dict)

    def tick(self, mark: float) -> str:
        return f"{mark:.0f}%"

    def last(self, curve: Curve) -> str:
        return self.points[curve.name]

    @property
    def marked(self) -> tuple[float, float] | None:
        return None if self.turned is None else (self.turned, self.turned + 1)


def turned_round(analysis: Analysis) -> tuple[Round, Turning] | None:
    """The round of the turning point; None where nothing changes or the chances are unknown."""
    turning = analysis.turning
    return None if turning is None else (deals_of(analysis.record)[turning.round][0], turning)


def swing_words(analysis: Analysis, turning: Turning) -> tuple[int, str]:
    """The seat whose chance of first the round changed the most, and how: 31%→78%."""
    seat = max(analysis.order, key=lambda each: abs(turning.swing[each]))
    assert analysis.chances is not None
    before, after = (analysis.chances[turning.round + step][seat, 0] for step in (0, 1))
    return seat, f"{texts.chance(before)}→{texts.chance(after)}"


def draw_story(analysis: Analysis, when: str = "") -> bytes:
    """A PNG, 1200 pixels wide: the turning point in words, and the curves; the chances are known."""
    assert analysis.chances is not None
    spare = (colour for colour in palette(12) if colour not in analysis.colours)
    colours = [analysis.colours[seat] or next(spare) for seat in range(analysis.record.seats)]
    per_cent = [[100 * float(places[seat, 0]) for places in analysis.chances] for seat in analysis.order]
    curves = [
        Curve(analysis.names[seat], range(len(ys)), ys, colours[seat], asker=seat == analysis.seat)
        for seat, ys in zip(analysis.order, per_cent, strict=True)
    ]
    deals = [deal for deal, _ in deals_of(analysis.record)]
    feet = [(place, deal.name[:2]) for place, deal in enumerate(deals) if not deal.honba]
    feet += [(len(deals), END)] * (analysis.record.final is not None)
    final = [f"{points:,}".replace("-", "−") for points in analysis.record.points()]
    points = dict(zip(analysis.names, final, strict=True))
    turned, sections = turned_round(analysis), []
    chart = StoryLines(
        "", "", curves[::-1], feet=feet, turned=turned[1].round if turned else None, points=points
    )
    if turned:
        played, turning = turned
        seat, swing = swing_words(analysis, turning)

        def head(area: Area) -> None:
            ink = readable(colours[seat])
            right = area.inset(area.width - 560)
            taken = right.text(f"{analysis.names[seat]} {swing}", LOOKED_FOR, ink, "right", bold=True)
            area.inset(right=taken + 24).text(f"{TURNING}　{played.name}", LABEL, bold=True)

        sections += [Section(_HEAD, head)]
        sections += [prose(result(played, analysis.names), air=6)] if played.endings else []
    plotted = Section(30 + _HIGH + _FEET, lambda area: lines.plot(area.inset(top=30, bottom=_FEET), chart))
    subtitles = filter(None, (when, subtitle(analysis.record)))
    return titled(TITLE, "　".join(subtitles), [*sections, plotted])
