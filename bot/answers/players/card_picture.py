"""個人: one member's card to share: banner with the title earned, rating, form, placings, radar, and the
rival."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.answers.players import card_course, card_rival
from bot.answers.players.card_course import CardCourse
from bot.answers.players.card_rival import Rival
from bot.draw import bars, facts, form, glyphs, radar
from bot.draw.facts import Fact
from bot.draw.header import draw_empty, draw_subtitle
from bot.draw.layout import (
    NO_GAMES,
    NO_GAMES_HINT,
    Area,
    Section,
    heading,
    height_of,
    line,
    picture,
    space,
    stacked,
)
from bot.draw.radar import RadarAxis
from bot.draw.style import INK, LABEL, LOOKED_FOR, MUTED, SMALL, WHITE, on, readable

__all__ = ["CardCourse", "Fact", "Honour", "PlayerCard", "RadarAxis", "Rank", "Rival", "draw"]

COURSE, FORM, PLACINGS, PROFILE = "レートの動き", "最近の成績", "着順", "持ち味"
RADAR_NOTE = "灰色の線がリーグ平均、外ほどよい（偏差値）。点は平均、千点。"
FEW_NOTE = "対局が少ないので、形は暫定です。"
BANNER = 372
_BADGE = 112  # pixels of the badge's radius


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
    """`figures` are up to four large figures; `counts` the games that ended 1st, 2nd, ...; `form` the last
    placings, oldest first; `others` are the best and the worst opponent. `few`: the member's games are few;
    `rough`: so are those the radar's shape is made of.
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
    sections: list[Section] = [facts.figures(card.figures)] if card.figures else []
    if card.course:
        course = partial(card_course.draw_course, card.course, card.colour, card.few)
        sections += [heading(COURSE), Section(card_course.HIGH + 10, course)]
    if card.form:
        sections += [
            heading(FORM, f"{len(card.form)}戦・右が最新"),
            form.section_of(card.form, len(card.counts)),
        ]
    if sum(card.counts):
        sections.append(Section(166, partial(_placings, card.counts)))
    sections += _profile(card)
    blank = Section(760 - BANNER - 34, lambda area: draw_empty(area.paper, NO_GAMES, NO_GAMES_HINT))
    return picture([Section(BANNER + 34, partial(_banner, card)), *(sections or [blank])], least=760)


def _banner(card: PlayerCard, area: Area) -> None:
    """Draw the member's name and title on the member's colour, and the place at the right."""
    ink, banner = on(card.colour), area.inset(bottom=34)
    banner.band(card.colour)
    draw_subtitle(area.paper, card.subtitle, (36, 78), 56, ink)
    words = banner.inset(right=2 * _BADGE + 30 if card.rank else 0)
    words.text(card.name, 96, ink, bold=True, down=146)
    if card.honour:
        title, size = glyphs.fit(card.honour.title, 60, words.width - 60, LOOKED_FOR)
        plate = Area(area.paper, area.left, 212, area.left + glyphs.width(title, size) + 60, 302)
        plate.plate(WHITE, 45)
        plate.inset(30).text(title, size, readable(card.colour), bold=True)
        banner.text(card.honour.reason, SMALL, ink, down=336)
    if card.rank:
        badge = banner.inset(banner.width - 2 * _BADGE, 200 - _BADGE)
        area.paper.dot(badge.x, 200, _BADGE, WHITE)
        badge = badge.inset(20, right=20)
        badge.text(card.rank.value, 84, readable(card.colour), "middle", bold=True, down=_BADGE - 14)
        badge.text(card.rank.among, SMALL, MUTED, "middle", down=_BADGE + 54)


def _placings(counts: Sequence[int], area: Area) -> None:
    head, bar = area.inset(bottom=106), area.inset(top=70, bottom=26)
    head.text(PLACINGS, LABEL, bold=True)
    bars.legend(head.inset(130), len(counts))
    bars.stacked(bar, counts, LABEL)


def _profile(card: PlayerCard) -> list[Section]:
    """The radar at the left and the opponents at the right, and notes below; the opponents alone take the
    whole width."""
    opponents = card_rival.sections_of(card.rival, card.others, card.colour)
    if len(card.axes) < radar.LEFT_OUT:
        return [space(10), *opponents, space(24)] if opponents else []

    def draw(area: Area) -> None:
        left, right = area.columns(0, 400, gap=36) if opponents else (area, area)
        left.text(PROFILE, LABEL, bold=True, down=30)
        radar.draw_radar(
            area.paper, card.axes, left.x, left.top + 70 + radar.HEIGHT / 2, card.colour, card.rough
        )
        stacked(opponents, right.inset(top=10))

    high = max(70 + radar.HEIGHT, height_of(opponents))
    notes = [line(RADAR_NOTE, height=48), *[line(FEW_NOTE, height=48)] * card.rough]
    return [Section(high, draw), *notes, space(34)]
