"""個人: one member's card to share: banner with the title earned, rating, form, placings, radar, and the rival."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts import card_course, card_rival
from bot.charts.canvas import glyphs
from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import INK, LOOKED_FOR, MUTED, SMALL, SMALLEST, WHITE, on, readable
from bot.charts.card_course import CardCourse
from bot.charts.card_rival import Rival
from bot.charts.parts import bars, facts, form, radar
from bot.charts.parts.facts import Fact
from bot.charts.parts.header import EDGE, draw_empty
from bot.charts.parts.lines import NO_GAMES, NO_GAMES_HINT
from bot.charts.parts.radar import RadarAxis

__all__ = ["CardCourse", "Fact", "Honour", "PlayerCard", "RadarAxis", "Rank", "Rival", "draw"]

COURSE, FORM, PLACINGS, PROFILE = "レートの動き", "最近の成績", "着順", "持ち味"
RADAR_NOTE = "灰色の線がリーグ平均、外ほどよい（偏差値）。点は平均、千点。"
FEW_NOTE = "対局が少ないので、形は暫定です。"
BANNER = 372
_BADGE = 112  # pixels of the badge's radius
_RADAR_X, _SIDE = 382, 752  # the radar's middle, and where the opponents' column begins
_HEAD, _BAR, _NOTE = (
    70,
    96,
    48,
)  # pixels of a block's heading, of the bar of placings, and of a line of the note


@dataclass(frozen=True)
class Honour:
    """A title, and the figure that earned it."""

    title: str
    reason: str = ""


@dataclass(frozen=True)
class Rank:
    """The place on the badge: `value` large (1位), `among` small below it (9人中)."""

    value: str
    among: str = ""


@dataclass(frozen=True)
class PlayerCard:
    """`figures` are up to four large figures; `counts` the games that ended 1st, 2nd, ...; `form` the last placings, oldest
    first; `others` are the best and the worst opponent. `few`: the member's games are few; `rough`: so are those the radar's
    shape is made of.
    """

    name: str
    subtitle: str
    colour: str = INK
    honour: Honour | None = None
    rank: Rank | None = None
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
    paper = Paper(1200, max(760, BANNER + 34 + _height(card)))
    _banner(paper, card)
    if not _height(card):
        draw_empty(paper, NO_GAMES, NO_GAMES_HINT)
        return paper.png()
    y: float = BANNER + 34
    if card.figures:
        y = facts.figures(paper, card.figures, y) + 24
    if card.course:
        facts.heading(paper, y + 28, COURSE)
        card_course.draw_course(paper, card.course, y + _HEAD, card.colour, card.few)
        y += _HEAD + card_course.HIGH + 10
    if card.form:
        facts.heading(paper, y + 28, FORM)
        words = f"{len(card.form)}戦・右が最新"
        paper.text(paper.width - EDGE, y + 30, words, SMALLEST, colour=MUTED, anchor="right")
        form.draw_form(paper, card.form, len(card.counts), y + _HEAD)
        y += _HEAD + form.height(len(card.counts)) + 24
    if sum(card.counts):
        facts.heading(paper, y + 28, PLACINGS)
        bars.legend(paper, len(card.counts), EDGE + 130, y + 30)
        bars.stacked(paper, card.counts, EDGE, paper.width - EDGE, y=y + _HEAD + 35, thick=70, size=44)
        y += _HEAD + _BAR
    if _lower(card):
        _profile(paper, card, y)
    return paper.png()


def _height(card: PlayerCard) -> int:
    """The pixels of everything below the banner; 0 where there is nothing."""
    high = 200 if card.figures else 0
    high += _HEAD + card_course.HIGH + 10 if card.course else 0
    high += _HEAD + form.height(len(card.counts)) + 24 if card.form else 0
    high += _HEAD + _BAR if sum(card.counts) else 0
    return high + _lower(card)


def _lower(card: PlayerCard) -> int:
    """The pixels of the radar, the opponents beside it, and the note below."""
    opponents = card_rival.height(card.rival, card.others)
    if not _has_radar(card):
        return opponents and opponents + 34
    return _columns(card) + _NOTE * (2 if card.rough else 1) + 34


def _columns(card: PlayerCard) -> int:
    """The pixels of the radar with its heading, or of the opponents where these are higher."""
    return max(_HEAD + radar.height(), card_rival.height(card.rival, card.others))


def _has_radar(card: PlayerCard) -> bool:
    return len(card.axes) >= radar.LEFT_OUT


def _banner(paper: Paper, card: PlayerCard) -> None:
    """Draw the member's name and title on the member's colour, and the place at the right."""
    ink = on(card.colour)
    paper.box(0, 0, paper.width, BANNER, card.colour)
    whole = paper.width - 2 * EDGE
    head, gap, tail = glyphs.drawable(card.subtitle).rpartition("\u3000")
    if head and glyphs.width(head + gap + tail, SMALLEST) > whole:
        paper.text(EDGE, 36, head, SMALLEST, ink, room=whole)
        paper.text(EDGE, 78, tail, SMALLEST, ink, room=whole)
    else:
        paper.text(EDGE, 56, card.subtitle, 38, ink, room=whole, least=SMALLEST)
    room = whole - (2 * _BADGE + 30 if card.rank else 0)
    paper.text(EDGE, 146, card.name, 96, ink, bold=True, room=room, least=LOOKED_FOR)
    if card.honour:
        size = 60
        words, size = glyphs.fit(card.honour.title, size, room - 60, LOOKED_FOR)
        wide = glyphs.width(words, size) + 60
        paper.pill(EDGE, 212, EDGE + wide, 302, radius=45, colour=WHITE)
        paper.text(EDGE + 30, 257, words, size, readable(card.colour), bold=True)
        paper.text(EDGE, 336, card.honour.reason, SMALL, ink, room=whole, least=SMALLEST)
    if card.rank:
        x, y = paper.width - EDGE - _BADGE, 200
        paper.dot(x, y, _BADGE, WHITE)
        small = 2 * _BADGE - 40
        paper.text(
            x,
            y - 14,
            card.rank.value,
            84,
            colour=readable(card.colour),
            anchor="middle",
            bold=True,
            room=small,
        )
        paper.text(x, y + 54, card.rank.among, SMALL, colour=MUTED, anchor="middle", room=small)


def _profile(paper: Paper, card: PlayerCard, y: float) -> None:
    """Draw the radar at the left and the opponents at the right; the opponents alone take the whole width."""
    side = float(EDGE)
    if _has_radar(card):
        side = _SIDE
        facts.heading(paper, y + 28, PROFILE)
        middle = y + _HEAD + radar.height() / 2
        alone = not card_rival.height(card.rival, card.others)
        x = paper.width / 2 if alone else _RADAR_X
        radar.draw_radar(paper, card.axes, x, middle, card.colour, card.rough)
        for line, words in enumerate((RADAR_NOTE, *[FEW_NOTE] * card.rough)):
            foot = y + _columns(card) + _NOTE * (line + 0.5)
            paper.text(EDGE, foot, words, SMALLEST, MUTED, room=paper.width - 2 * EDGE)
    card_rival.draw_rivals(paper, card.rival, card.others, side, paper.width - EDGE, y + 10, card.colour)
