"""The pages of rounds as PNG, 1200 pixels wide: one round whole, or what is most worth seeing in several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.answers.paifu.pictures.analysis import Analysis
from bot.answers.paifu.pictures.discards import choice_sections, push_sections
from bot.answers.paifu.pictures.hand_strips import hand_sections
from bot.answers.paifu.pictures.opened_wall import end_sections, riichi_sections
from bot.answers.paifu.pictures.parts import TALLEST, band
from bot.answers.paifu.pictures.rounds import push_strips
from bot.answers.paifu.pictures.words import result, subtitle
from bot.draw.layout import BELOW, Area, Section, height_of, space, titled
from bot.draw.style import LOOKED_FOR, MUTED
from rating.paifu.moments import Moment

MOST_PAGES = 2  # of one round
MOST_ROUNDS = 3  # on the page of highlights
HIGHLIGHTS = "見どころ"
SPEED = "損だった打牌"
SPEED_ALONE = "速さだけの比較"
_MOMENT = 56
_END = 30
_TOLD_BY_END = frozenset(("next draw", "ura unturned", "rinshan asleep"))


def highlights(analysis: Analysis) -> tuple[int, ...]:
    """The rounds on the page of highlights: those with most to see that fit, in order of play; at least one
    if there is any."""
    return tuple(sorted(_chosen(analysis)))


def _chosen(analysis: Analysis) -> dict[int, list[Section]]:
    """{round: what is shown of it}. Its discards are left out where there is no room for them, but not where
    they are all."""
    kept: dict[int, list[Section]] = {}
    room = float(TALLEST - BELOW - _END)
    for number in analysis.by_weight:
        told = bool(analysis.moments_of(number) or analysis.stories[number].riichi)
        for discards in (True, False)[: 1 + told]:
            sections = _short(analysis, number, discards)
            if not kept or height_of(sections) <= room:
                kept[number] = sections
                room -= height_of(sections)
                break
        if len(kept) == MOST_ROUNDS:
            break
    return kept


def draw_highlights(analysis: Analysis) -> bytes:
    """A PNG of what is most worth seeing in the rounds of `highlights`."""
    chosen = sorted(_chosen(analysis).items())
    sections = [section for _, parts in chosen for section in parts]
    return titled(HIGHLIGHTS, subtitle(analysis.record), [*sections, space(_END)])


def pages_of(analysis: Analysis, number: int) -> int:
    """The number of pages that a round takes."""
    return len(_layout(analysis, number))


def draw_round(analysis: Analysis, number: int, page: int) -> bytes:
    """One page of the round at index `number`, as PNG; `page` counts from 0."""
    pages = _layout(analysis, number)
    place = f"（{page + 1}/{len(pages)}）" if len(pages) > 1 else ""
    played = analysis.record.rounds[number]
    return titled(played.name + place, result(played, analysis.names), [*pages[page], space(_END)])


def _short(analysis: Analysis, number: int, discards: bool) -> list[Section]:
    """What is most worth seeing in a round: moments, winning hands or riichi, the wall, and of the `discards`
    one or two."""
    played, story = analysis.record.rounds[number], analysis.stories[number]
    told = analysis.moments_of(number)

    def ended(area: Area) -> None:
        area.text(result(played, analysis.names), LOOKED_FOR)

    found = [band(played.name, air=0), Section(58, ended), *_moments(analysis, told)]
    winners = [win.seat for win in played.wins]
    found += hand_sections(analysis, number, winners, dealt=False)
    found += riichi_sections(analysis, number, hands=True, without=winners)
    if any(moment.rule in _TOLD_BY_END for moment in told):
        found += end_sections(analysis, number)
    if not discards:
        return found
    pushes = push_sections(analysis, number)
    choices = choice_sections(analysis, number, 1)
    found += [band("危険だった打牌", "リーチに対して"), *pushes[:1]] if pushes else []
    found += [band(SPEED, SPEED_ALONE), *choices] if choices and not (pushes and story.riichi) else []
    return found


def _moments(analysis: Analysis, told: Sequence[Moment]) -> list[Section]:
    return [Section(_MOMENT, partial(_moment, analysis, moment)) for moment in told]


def _moment(analysis: Analysis, moment: Moment, area: Area) -> None:
    """Draw a moment in a line: a star, whose it is, and its words."""
    left = area.text("★", 36, "#B8860B") + 12
    name = area.inset(left, right=area.width - left - 380)
    left += name.text(analysis.names[moment.seat], LOOKED_FOR, MUTED) + 20
    area.inset(left).text(moment.words, LOOKED_FOR, bold=True)


def _groups(analysis: Analysis, number: int) -> list[list[Section]]:
    """All parts of a round; each list stays on one page where it can."""
    seats = analysis.by_wind(number)
    riichi = riichi_sections(analysis, number)
    choices = choice_sections(analysis, number, 2)
    pushes = push_sections(analysis, number)
    groups = [
        _moments(analysis, analysis.moments_of(number)),
        [band("手牌", "配牌と最後"), *hand_sections(analysis, number, seats)],
        [band("リーチ", "当たり牌のありか"), *riichi] if riichi else [],
        end_sections(analysis, number),
        [band(SPEED, SPEED_ALONE), *choices] if choices else [],
        [band("危険だった打牌", "リーチに対して"), *pushes] if pushes else [],
        push_strips(analysis, number),
    ]
    return [group for group in groups if group]


def _layout(analysis: Analysis, number: int) -> list[list[Section]]:
    """The parts of a round on pages: as few as their height allows, which grows where there would be too
    many."""
    groups = _groups(analysis, number)
    tall = float(TALLEST)
    while len(pages := _split(groups, tall)) > MOST_PAGES:
        tall += 200
    return pages


def _split(groups: list[list[Section]], tall: float) -> list[list[Section]]:
    pages: list[list[Section]] = []
    room = 0.0
    for group in groups:
        needed = height_of(group)
        if not pages or needed > room:
            pages.append([])
            room = tall - BELOW - _END
        pages[-1] += group
        room -= needed
    return pages
