"""A game's story as curves: everybody's chance of first at each deal, and the round that turned
it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot import texts
from bot.draw import lines
from bot.draw.layout import Area, Section
from bot.draw.lines import Curve, Lines
from bot.draw.names import distinct_names
from bot.draw.style import INK, LABEL, LOOKED_FOR, every_colour, readable
from rating.paifu.chances import Turning

TITLE = "トップになる確率"
TURNING = "分かれ目"
END = "終局"
HONBA = "本場"
SEAT = "{wind}家"
WINDS = "東南西北"
HEAD = 64
_FEET = 84
_AIR = 30


@dataclass(frozen=True)
class StoryLines(Lines):
    """Lines of per cents; the round from `turned` on is marked, and named by the subtitle, with
    what it changed, `swing` in `ink`. `points`: names and their labels at the lines' ends.
    """

    turned: int | None = None
    swing: str = ""
    ink: str = INK
    points: tuple[tuple[str, str], ...] = ()

    def tick(self, mark: float) -> str:
        return f"{mark:.0f}%"

    def last(self, curve: Curve) -> str:
        return dict(self.points)[curve.name]

    @property
    def marked(self) -> tuple[float, float] | None:
        if self.turned is None:
            return None
        return (self.turned, self.turned + 1)


def seat_names(shown: Sequence[str]) -> list[str]:
    """The names shown by seat; the wind at the start for those of several seats, which may be
    NoName's.
    """
    names = []
    for name, wind in zip(shown, WINDS, strict=False):
        if shown.count(name) > 1:
            names.append(SEAT.format(wind=wind))
        else:
            names.append(name)
    return names


def swing_of(
    first: Sequence[Sequence[float]], turning: Turning, order: Sequence[int]
) -> tuple[int, str]:
    """The seat whose chance of first the round changed the most, and how: 31%→78%."""
    seat = max(order, key=lambda each: abs(turning.swing[each]))
    before, after = (first[turning.round + step][seat] for step in (0, 1))
    return seat, f"{texts.chance(before)}→{texts.chance(after)}"


def story_lines(
    first: Sequence[Sequence[float]],
    deals: Sequence[str],
    seats: Sequence[tuple[str, str, str]],
    turning: Turning | None,
    order: Sequence[int],
    asker: int | None = None,
) -> StoryLines:
    """The curves of the chances of first at each of the `deals` and at the end; `seats` have a
    name, a colour ("" for none of their own) and the points, `order` the best first."""
    drawn = distinct_names(name for name, _, _ in seats)
    seats = [(drawn[name], colour, points) for name, colour, points in seats]
    colours = every_colour([colour for _, colour, _ in seats])
    xs = range(len(first))
    ys = []
    for at in range(len(seats)):
        chances = [100 * row[at] for row in first]
        ys.append(chances)
    curves = []
    for at in reversed(order):
        name, _, _ = seats[at]
        curves.append(
            Curve(
                name,
                xs,
                ys[at],
                colours[at],
                asker=at == asker,
            )
        )
    feet = [(place, deal[:2]) for place, deal in enumerate(deals) if "本場" not in deal]
    if len(first) > len(deals):
        feet.append((len(deals), END))
    points = tuple((name, points) for name, _, points in seats)
    if turning is None:
        return StoryLines("", "", curves, feet=feet, points=points)
    seat, swing = swing_of(first, turning, order)
    head = f"{TURNING}　{deals[turning.round]}"
    ink = readable(colours[seat])
    swing = f"{seats[seat][0]} {swing}"
    return StoryLines(
        "",
        head,
        curves,
        feet=feet,
        turned=turning.round,
        swing=swing,
        ink=ink,
        points=points,
    )


def turning_line(chart: StoryLines) -> list[Section]:
    """The turning point in words; nothing where there is none."""

    def draw(area: Area) -> None:
        taken = area.inset(area.width - 560).text(
            chart.swing, LOOKED_FOR, chart.ink, "right", bold=True
        )
        area.inset(right=taken + 24).text(chart.subtitle, LABEL, bold=True)

    if chart.turned is None:
        return []
    return [Section(HEAD, draw)]


def curves(chart: StoryLines, height: int) -> Section:
    def draw(area: Area) -> None:
        lines.plot(area.inset(top=_AIR, bottom=_FEET), chart)

    return Section(_AIR + height + _FEET, draw)
