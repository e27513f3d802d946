"""個人: one member's card to share: banner with the title, rating, form, placings, radar and
opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.draw import glyphs, parts, style
from bot.draw.layout import (
    ENDS,
    NO_GAMES,
    NO_GAMES_HINT,
    Area,
    Scale,
    Section,
    draw_empty,
    draw_subtitle,
    heading,
    height_of,
    line,
    picture,
    space,
    stacked,
    ticks,
    ticks_about,
)
from bot.draw.lines import Lines, draw_values, value_range
from bot.draw.names import distinct_names
from bot.draw.parts import Fact, RadarAxis

RADAR_NOTE = "灰色の線がリーグ平均、外ほどよい（偏差値）。点は平均、千点。"
BANNER = 372
_BADGE = 112  # pixels of the badge's radius
RIVAL = "ライバル"
COURSE = "レートの動き"
FORM = "最近の成績"
FORM_GAMES = "{games}戦・右が最新"
PLACINGS = "着順"
PROFILE = "持ち味"
ROUGH_NOTE = "対局が少ないので、形は暫定です。"
HIGH = 406  # pixels of the course
# for the words of the highest value, and for the days
_ABOVE = 84
_BELOW = 72
_DOT = 15  # pixels of a dot's radius


@dataclass(frozen=True)
class Honour:
    """A title, and the figure that earned it."""

    title: str
    reason: str = ""


@dataclass(frozen=True)
class PlayerCard:
    """`counts` are the games that ended 1st, 2nd, ...; `form` the last placings, oldest first;
    `others` the best and the worst opponent. `few`: the member's games are few; `rough`: so are
    those of the radar's shape. `rank` is the place on the badge (1位), small above it `ranked_by`
    (レート), below it `among` (9人中)."""

    name: str
    subtitle: str
    colour: str = style.INK
    honour: Honour | None = None
    rank: str = ""
    ranked_by: str = ""
    among: str = ""
    figures: Sequence[Fact] = ()
    course: CardCourse | None = None
    form: Sequence[int] = ()
    counts: Sequence[int] = ()
    axes: Sequence[RadarAxis] = ()
    few: bool = False
    rough: bool = False
    rival: Rival | None = None
    others: Sequence[Fact] = ()


def draw(card: PlayerCard) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    sections: list[Section] = []
    if card.figures:
        sections.append(parts.large_facts(card.figures))
    if card.course:
        course = partial(draw_course, card.course, card.colour, card.few)
        sections += [heading(COURSE), Section(HIGH, course)]
    if card.form:
        sections.append(heading(FORM, FORM_GAMES.format(games=len(card.form))))
        sections.append(parts.form_section(card.form, len(card.counts)))
    if sum(card.counts):
        sections.append(Section(166, partial(_draw_placings, card)))
    sections += _profile(card)
    if not sections:
        sections.append(Section(760 - BANNER - 34, _draw_no_games))
    return picture(
        [Section(BANNER + 34, partial(_banner, card)), *sections],
        least=760,
    )


def _draw_placings(card: PlayerCard, area: Area) -> None:
    head = area.inset(bottom=106)
    head.text(PLACINGS, style.LABEL, bold=True)
    parts.placing_legend(head.inset(130), len(card.counts))
    parts.placing_bar(area.inset(top=70, bottom=26), card.counts, style.LABEL)


def _draw_no_games(area: Area) -> None:
    draw_empty(area.paper, NO_GAMES, NO_GAMES_HINT)


def _banner(card: PlayerCard, area: Area) -> None:
    ink = style.on(card.colour)
    banner = area.inset(bottom=34)
    banner.band(card.colour)
    draw_subtitle(area.paper, card.subtitle, (36, 78), 56, ink)
    words = banner
    if card.rank:
        words = banner.inset(right=2 * _BADGE + 30)
    words.text(card.name, 96, ink, bold=True, down=146)
    if card.honour:
        title, size = glyphs.fit(
            card.honour.title,
            60,
            words.width - 60,
            style.LOOKED_FOR,
        )
        plate = Area(
            area.paper,
            area.left,
            212,
            area.left + glyphs.width(title, size) + 60,
            302,
        )
        plate.plate(style.WHITE, 45)
        plate.inset(30).text(
            title,
            size,
            style.readable(card.colour),
            bold=True,
        )
        banner.text(card.honour.reason, style.SMALL, ink, down=336)
    if card.rank:
        badge = banner.inset(banner.width - 2 * _BADGE, 200 - _BADGE)
        area.paper.dot(badge.x, 200, _BADGE, style.WHITE)
        badge = badge.inset(20, right=20)
        badge.text(card.ranked_by, style.SMALL, style.MUTED, "middle", down=_BADGE - 66)
        badge.text(
            card.rank,
            76,
            style.readable(card.colour),
            "middle",
            bold=True,
            down=_BADGE,
        )
        badge.text(card.among, style.SMALL, style.MUTED, "middle", down=_BADGE + 62)


def _profile(card: PlayerCard) -> list[Section]:
    """The radar next to the opponents, notes below; opponents alone take the whole width."""
    panels = opponents(card.rival, card.others, card.colour)
    if len(card.axes) < parts.RADAR_LEFT_OUT:
        if not panels:
            return []
        return [space(10), *panels, space(24)]

    profile = [heading(PROFILE), parts.radar(card.axes, card.colour, card.rough)]

    def draw(area: Area) -> None:
        if not panels:
            stacked(profile, area)
            return
        radar, column = area.columns(0, 400, gap=36)
        stacked(profile, radar)
        stacked(panels, column.inset(top=10))

    notes = [line(RADAR_NOTE, height=48)]
    if card.rough:
        notes.append(line(ROUGH_NOTE, height=48))
    return [
        Section(max(height_of(profile), height_of(panels)), draw),
        *notes,
        space(34),
    ]


@dataclass(frozen=True)
class CardCourse:
    """A rating over the member's games: `places` are numbers of games, `days` words of the first
    and the last. `peak` is the index of the highest value, `baseline` a value to mark."""

    places: Sequence[float]
    values: Sequence[float]
    peak: int
    peak_words: str
    days: tuple[str, str]
    baseline: float | None = None
    decimals: int = 0
    signed: bool = False


def draw_course(course: CardCourse, colour: str, few: bool, area: Area) -> None:
    """Draw the line over the height of the area; `few` games in a paler colour."""
    paper = area.paper
    base = course.baseline
    if few:
        colour = style.pale(colour)
    chart = Lines("", "", (), base, decimals=course.decimals, signed=course.signed)
    low, high = value_range(chart, course.values)
    if base is None:
        marks = ticks(low, high, 3)
    else:
        marks = ticks_about(base, low, high, 3, least=2)
    widths = [glyphs.width(chart.tick(mark), style.AXIS) for mark in marks]
    plot = area.inset(max(widths, default=0) + 20, top=_ABOVE, bottom=_BELOW)
    up = Scale(low, high, plot.bottom, plot.top)
    first = course.places[0]
    last = course.places[-1]
    across = Scale(
        first,
        max(last, first + 1),
        plot.left + 10,
        plot.right - _DOT,
    )
    xs = list(map(across, course.places))
    ys = list(map(up, course.values))
    under = [
        (xs[0], plot.bottom),
        *zip(xs, ys, strict=True),
        (xs[-1], plot.bottom),
    ]
    paper.shape(under, style.blend(colour, style.WHITE, 0.88))
    draw_values(plot, chart, up, marks)
    paper.line(xs, ys, style.ASKER_LINE, colour)
    paper.dot(
        xs[-1],
        ys[-1],
        _DOT,
        colour,
        edge=style.WHITE,
        thick=4,
    )
    # The highest value has a ring, and above it what it was.
    x = xs[course.peak]
    y = ys[course.peak]
    paper.dot(x, y, _DOT, style.WHITE, edge=colour, thick=7)
    half = glyphs.width(glyphs.drawable(course.peak_words), style.LOOKED_FOR) / 2
    middle = min(max(x, plot.left + half), plot.right - half)
    paper.text(
        middle,
        y - 48,
        course.peak_words,
        style.LOOKED_FOR,
        style.readable(colour),
        "middle",
        bold=True,
    )
    for word, anchor in zip(course.days, ENDS, strict=True):
        plot.text(word, style.AXIS, style.MUTED, anchor, down=plot.height + 38)


@dataclass(frozen=True)
class Rival:
    """An opponent: in `ahead` of `games` together the member finished above.

    `share` is it as text.
    """

    name: str
    colour: str
    ahead: int
    games: int
    share: str


def opponents(
    rival: Rival | None,
    others: Sequence[Fact],
    colour: str,
) -> list[Section]:
    """Panels: the rival's, then one for each of the other opponents."""
    names = parts.names_of(others)
    if rival:
        names = [rival.name, *names]
    shown = distinct_names(names)
    panels = parts.fact_column(parts.as_drawn(others, shown))
    if not rival:
        return panels

    def draw(area: Area) -> None:
        panel = area.inset(bottom=16)
        panel.plate(style.PANEL)
        panel = panel.inset(18, right=18)
        panel.text(RIVAL, style.SMALL, style.MUTED, down=34)
        panel.text(
            shown[rival.name],
            56,
            style.readable(rival.colour),
            bold=True,
            down=92,
        )
        counts = rival.ahead, rival.games - rival.ahead
        parts.ahead_bar(
            panel.inset(top=146, bottom=86),
            counts,
            (colour, rival.colour),
        )
        panel.text(rival.share, style.LOOKED_FOR, bold=True, down=250)

    return [Section(308, draw), *panels]
