"""Parts of several pictures: facts, bars of placings, the last games, rows of results, crown,
radar.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, hypot, pi, sin

from bot import texts
from bot.draw import glyphs, style
from bot.draw.layout import ENDS, Area, Scale, Section
from bot.draw.paper import Anchor, Paper, Point

JOINT = "・"  # between several names
_FACT_GAP = 16
_FACT_HEIGHT = 160
_FACT_PAD = 14


@dataclass(frozen=True)
class Fact:
    """For example `最長連勝`, `7連勝`, `6/12〜6/19`. `names` are those at the beginning of a value,
    in `colour`."""

    label: str
    value: str
    detail: str = ""
    colour: str = style.INK
    names: tuple[str, ...] = ()


def names_of(facts: Sequence[Fact]) -> list[str]:
    return [name for fact in facts for name in fact.names or (fact.value,)]


def as_drawn(facts: Sequence[Fact], shown: Mapping[str, str]) -> list[Fact]:
    """The facts with their names as they are drawn: `shown` has them by name (`distinct_names`)."""
    return [fact_as_drawn(fact, shown) for fact in facts]


def fact_as_drawn(fact: Fact, shown: Mapping[str, str]) -> Fact:
    """As `as_drawn`, for a single fact."""
    names = tuple(shown[name] for name in fact.names)
    if names:
        after_names = fact.value[len(JOINT.join(fact.names)) :]
        value = JOINT.join(names) + after_names
    else:
        value = shown[fact.value]
    return replace(fact, value=value, names=names)


def large_facts(facts: Sequence[Fact]) -> Section:
    def draw(area: Area) -> None:
        columns = area.columns(*[0] * len(facts))
        for fact, column in zip(facts, columns, strict=True):
            cell = column.inset(right=24)
            cell.text(fact.label, style.SMALL, style.MUTED, down=22)
            cell.text(
                fact.value,
                64,
                style.readable(fact.colour),
                bold=True,
                down=82,
            )
            cell.text(fact.detail, style.SMALL, style.MUTED, down=138)

    return Section(200, draw)


def fact_grid(facts: Sequence[Fact], fill: bool = False) -> list[Section]:
    """The facts, two panels in a row. `fill`: one that is left over takes a whole row."""

    def draw(pair: Sequence[Fact], area: Area) -> None:
        columns = area.columns(0, 0, gap=_FACT_GAP)
        if fill and len(pair) == 1:
            columns = [area]
        for fact, cell in zip(pair, columns, strict=False):
            draw_fact(fact, cell)

    height = _FACT_HEIGHT + _FACT_GAP
    pairs = [facts[at : at + 2] for at in range(0, len(facts), 2)]
    return [Section(height, partial(draw, pair)) for pair in pairs]


def fact_column(facts: Sequence[Fact]) -> list[Section]:
    return [Section(_FACT_HEIGHT + _FACT_GAP, partial(draw_fact, fact)) for fact in facts]


def draw_fact(fact: Fact, area: Area) -> None:
    """Draw a fact on a panel; several names that are too long for a line take two."""
    panel = area.inset(bottom=_FACT_GAP)
    ink = style.readable(fact.colour)
    panel.plate(style.PANEL)
    panel = panel.inset(_FACT_PAD, right=_FACT_PAD)
    label = 32
    detail = 128
    lines = [(80, 46, fact.value)]
    if (
        len(fact.names) > 1
        and glyphs.width(glyphs.drawable(fact.value), style.LOOKED_FOR) > panel.width
    ):
        first = fact.names[0] + JOINT
        label = 24
        detail = 141
        lines = [
            (62, style.LABEL, first),
            (
                104,
                style.LABEL,
                fact.value[len(first) :],
            ),
        ]
    panel.text(fact.label, style.SMALL, style.MUTED, down=label)
    for down, size, words in lines:
        panel.text(words, size, ink, bold=True, down=down)
    panel.text(fact.detail, style.SMALL, style.MUTED, down=detail)


def placing_bar(area: Area, counts: Sequence[int], size: int) -> None:
    """Draw the shares of 1st, 2nd, ... side by side, each with its percentage where there is
    room.
    """
    total = sum(counts)
    x = area.left
    if total <= 0:
        area.paper.across(area.y, area.left, area.right, 3, "#DDDDDD")
        return
    for place, count in enumerate(counts):
        share = replace(area, left=x, right=x + area.width * count / total)
        ground = style.placing_colour(place + 1, len(counts))
        if share.width >= 1:
            replace(share, right=max(x + 1, share.right - 2)).fill(ground)
        words = f"{count / total:.0%}"
        if glyphs.width(words, size) + 10 <= share.width:
            share.text(words, size, style.on(ground), "middle")
        x = share.right


def ahead_bar(
    area: Area, counts: Sequence[int], colours: Sequence[str], always: bool = False
) -> None:
    """Draw how often each of two was ahead as one bar, with the counts that have room, or
    `always`.
    """
    split = area.width * counts[0] / sum(counts)
    parts = area.inset(right=area.width - split + 2), area.inset(split + 2)
    for part, count, colour, end in zip(parts, counts, colours, ENDS, strict=True):
        shade = style.blend(colour, style.WHITE, 0.25)
        roomy = part.width >= 90
        if part.width > 0:
            part.fill(shade)
        if roomy or always:
            area.inset(18, right=18).text(
                str(count),
                style.LOOKED_FOR,
                style.on(shade) if roomy else style.INK,
                end,
                bold=True,
            )


def placing_legend(area: Area, seats: int) -> None:
    """Draw what the colours of the bars mean."""
    left = area.left
    y = area.y
    half = style.SMALLEST * 0.4
    for placing in range(1, seats + 1):
        colour = style.placing_colour(placing, seats)
        area.paper.pill(
            left,
            y - half,
            left + 2 * half,
            y + half,
            radius=6,
            colour=colour,
        )
        left += style.SMALLEST + 6
        label = texts.placing(placing, seats)
        left += area.paper.text(left, y, label, style.SMALLEST, style.MUTED) + 30


FORM_GAMES = 20  # games that have room
FORM_PITCH = 54  # pixels between two placings
_FORM_RADIUS = 25


def form_section(placings: Sequence[int], seats: int) -> Section:
    """The placings (from 1) of up to FORM_GAMES games, oldest first, the newest at the right
    edge.
    """

    def draw(area: Area) -> None:
        across = Scale(0, FORM_GAMES - 1, area.left + _FORM_RADIUS, area.right - _FORM_RADIUS)
        xs = [across(number) for number in range(FORM_GAMES - len(placings), FORM_GAMES)]
        ys = [area.top + _FORM_RADIUS + FORM_PITCH * (placing - 1) for placing in placings]
        if len(placings) > 1:
            area.paper.line(xs, ys, style.CONTEXT_LINE, style.CONTEXT)
        for placing, x, y in zip(placings, xs, ys, strict=True):
            ground = style.placing_colour(placing, seats)
            area.paper.dot(x, y, _FORM_RADIUS, ground, edge=style.WHITE, thick=3)
            area.paper.text(
                x,
                y - 1,
                str(placing),
                style.SMALLEST,
                style.on(ground),
                "middle",
            )

    return Section(FORM_PITCH * (seats - 1) + 2 * _FORM_RADIUS + 24, draw)


GOLD = "#E8B923"
_RAYS = 18  # light ones, and as many gaps between them
_LIGHT = 0.12  # of the ground's opposite mixed into a ray


def draw_crown(paper: Paper, x: float, y: float, half: float) -> None:
    paper.dot(x, y, half * 1.25, style.WHITE)
    points = [
        (-1, -0.42),
        (-0.5, 0.1),
        (0, -0.68),
        (0.5, 0.1),
        (1, -0.42),
        (0.78, 0.62),
        (-0.78, 0.62),
    ]
    scale = half * 0.82
    paper.shape(
        [(x + scale * a, y + scale * b) for a, b in points],
        GOLD,
        GOLD,
        8,
    )
    tips = [(-1, -0.48), (0, -0.74), (1, -0.48)]
    for a, b in tips:
        paper.dot(x + scale * a, y + scale * b, scale * 0.13, GOLD)
    paper.box(
        x - scale * 0.62,
        y + scale * 0.36,
        x + scale * 0.62,
        y + scale * 0.46,
        style.WHITE,
    )


def draw_rays(
    paper: Paper,
    x: float,
    y: float,
    bottom: float,
    ground: str,
) -> None:
    """Fill the sheet down to `bottom` with the ground's colour and with rays from the point (x,
    y).
    """
    paper.box(0, 0, paper.width, bottom, ground)
    opposite = "#000000"
    if style.on(ground) == style.WHITE:
        opposite = style.WHITE
    ray = style.blend(ground, opposite, _LIGHT)
    far = hypot(paper.width, bottom)
    step = pi / _RAYS
    for number in range(_RAYS):
        turns = (2 * number * step, (2 * number + 1) * step)
        ends = [(x + far * cos(turn), y + far * sin(turn)) for turn in turns]
        paper.shape([(x, y), *ends], ray)
    paper.box(0, bottom, paper.width, paper.height, style.WHITE)


RADAR_RADIUS = 180  # pixels of the outermost ring
RADAR_LEFT_OUT = 3  # with fewer axes there is no shape
# scores in the middle, at the outermost ring, and of the mean
_LOW = 20.0
_HIGH = 80.0
_MEAN = 50.0
_RINGS = (35.0, 65.0, 80.0)
_RADAR_WORDS = 100  # pixels from the outermost ring to the middle of the words above and below it


@dataclass(frozen=True)
class RadarAxis:
    """An axis: its name, the value in words, the standard score (mean 50, standard deviation
    10).
    """

    name: str
    value: str
    score: float


def radar(axes: Sequence[RadarAxis], colour: str, pale: bool = False) -> Section:
    """The axes, clockwise from the top; `pale` for a shape of few games."""
    return Section(2 * (RADAR_RADIUS + _RADAR_WORDS), partial(_radar, axes, colour, pale))


def _radar(axes: Sequence[RadarAxis], colour: str, pale: bool, area: Area) -> None:
    paper = area.paper
    x = area.x
    y = area.y
    count = len(axes)
    for ring in _RINGS:
        _outline(paper, _polygon(x, y, [ring] * count), style.GRID, style.GRID_COLOUR)
    mean = _polygon(x, y, [_MEAN] * count)
    paper.shape(mean, style.PANEL, style.BASELINE_COLOUR, 3)
    for point in _polygon(x, y, [_HIGH] * count):
        paper.line(
            [x, point[0]],
            [y, point[1]],
            style.GRID,
            style.GRID_COLOUR,
        )
    shape = _polygon(x, y, [axis.score for axis in axes])
    edge = style.blend(colour, style.WHITE, 0.5) if pale else colour
    if not pale:
        paper.shape(shape, style.blend(colour, style.WHITE, 0.72))
        _outline(paper, mean, 3, style.BASELINE_COLOUR)
    _outline(paper, shape, style.LINE, edge)
    for point in shape:
        paper.dot(*point, 9, edge, edge=style.WHITE, thick=2)
    ink = style.MUTED if pale else style.readable(colour)
    for number, axis in enumerate(axes):
        _radar_label(area, axis, 2 * pi * number / count, ink)


def _radar_label(area: Area, axis: RadarAxis, turn: float, ink: str) -> None:
    """Write an axis's name and value next to the outermost ring, or above or below it."""
    side = sin(turn)
    left = area.x + (RADAR_RADIUS + 18) * side
    gap = 18
    anchor: Anchor = "left" if side > 0 else "right"
    if abs(side) < 0.1:
        left = area.x
        gap = 56
        anchor = "middle"
    middle = area.y - (RADAR_RADIUS + gap) * cos(turn)
    area.paper.text(
        left,
        middle - 22,
        axis.name,
        style.SMALL,
        style.MUTED,
        anchor,
    )
    area.paper.text(
        left,
        middle + 22,
        axis.value,
        style.LOOKED_FOR,
        ink,
        anchor,
        bold=True,
    )


def _polygon(x: float, y: float, scores: Sequence[float]) -> list[Point]:
    points = []
    for number, score in enumerate(scores):
        limited = min(max(score, _LOW + 2), _HIGH)
        far = RADAR_RADIUS * (limited - _LOW) / (_HIGH - _LOW)
        turn = 2 * pi * number / len(scores)
        points.append((x + far * sin(turn), y - far * cos(turn)))
    return points


def _outline(paper: Paper, points: Sequence[Point], thick: float, colour: str) -> None:
    around = [*points, points[0]]
    paper.line(
        [x for x, _ in around],
        [y for _, y in around],
        thick,
        colour,
    )
