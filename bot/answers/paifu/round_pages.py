"""The pages of rounds as PNG: each round whole, with where a riichi's waits lay and what would have
come.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from bot.answers.common.rounds import result, wind
from bot.answers.paifu.analysis import Analysis
from bot.answers.paifu.hands import (
    HAND_LINE,
    TALLEST,
    TILE,
    band,
    choice_sections,
    draw_hand,
    hand_sections,
    push_sections,
    push_strips,
)
from bot.draw.glyphs import wrap
from bot.draw.layout import BELOW, EDGE, WIDTH, Area, Section, height_of, space, titled
from bot.draw.style import DOWN, INK, LOOKED_FOR, MUTED, SMALLEST, UP, on, readable
from bot.draw.tiles import HIGH, draw_tile
from bot.league.moment_text import moment_text_in
from rating.paifu.moments import Moment
from rating.paifu.opened import Copy, CopyPlace, OpenedWait, RoundEnd, Tenpai
from rating.paifu.story import Story, drawer_of

_CELL = 128
_ACROSS = int((WIDTH - 2 * EDGE) // _CELL)
_LABEL = 42
_COPY_LINE = TILE * HIGH + 2 * _LABEL + 20
_ORDER = (
    CopyPlace.LIVE,
    CopyPlace.DEAD_WALL,
    CopyPlace.HIDDEN,
    CopyPlace.HELD,
    CopyPlace.OWN,
    CopyPlace.SHOWN,
)
COMING = 13  # draws shown of those that did not come
_TEXT = 50


class Mark(NamedTuple):
    """The two lines below a copy of a wait, and the colour of the field they stand in; "" for
    none.
    """

    first: str
    second: str
    colour: str = ""


def mark_of(story: Story, one: OpenedWait, copy: Copy) -> Mark:
    """Where a copy lay just after the riichi, and what became of it."""
    played = story.played
    if any(win.seat == one.seat and win.tile == copy.tile for win in played.wins):
        return Mark("アガリ", f"{copy.draws}枚先" if copy.draws else "", INK)
    if copy.place == CopyPlace.LIVE:
        drawer = drawer_of(played, copy.tile)
        turn = (
            f"{wind(played, copy.seat or 0)}の番"
            if drawer is None
            else f"{wind(played, drawer)}ツモ"
        )
        return Mark(f"{copy.draws}枚先", turn, UP)
    if copy.place == CopyPlace.HELD:
        return Mark(f"{wind(played, copy.seat or 0)}家", "手の中")
    return {
        CopyPlace.DEAD_WALL: Mark("王牌", ""),
        CopyPlace.HIDDEN: Mark("山か", "王牌"),
        CopyPlace.OWN: Mark("自分の", "手の中"),
        CopyPlace.SHOWN: Mark("場に", "見え"),
    }[copy.place]


def count_words(one: OpenedWait) -> str:
    """How many copies lay in the wall, and how many could be expected: 山に2枚（平均3.4枚）."""
    if one.live is None:
        unseen = sum(1 for copy in one.copies if copy.place in (CopyPlace.HIDDEN, CopyPlace.HELD))
        return f"見えない当たり牌 {unseen}枚"
    return f"山に{one.live}枚（平均{one.expected:.1f}枚）"


def riichi_sections(analysis: Analysis, number: int) -> list[Section]:
    """A section for each riichi of a round: where its waits lay."""
    story = analysis.stories[number]

    def draw(one: OpenedWait, area: Area) -> None:
        ink = readable(DOWN) if one.live == 0 else INK
        words = count_words(one)
        if one.furiten:
            words += "　フリテン"
        taken = area.inset(area.width - 600).text(
            words, LOOKED_FOR, ink, "right", bold=True, down=32
        )
        who = f"{wind(story.played, one.seat)} {analysis.names[one.seat]}　{one.turn}巡目リーチ"
        area.inset(right=taken + 24).text(who, LOOKED_FOR, down=32)
        below = area.inset(top=62)
        copies = sorted(
            one.copies,
            key=lambda copy: (
                _ORDER.index(copy.place),
                copy.draws or 0,
                copy.tile,
            ),
        )
        for place, copy in enumerate(copies):
            line, column = divmod(place, _ACROSS)
            cell = below.inset(column * _CELL, line * _COPY_LINE)
            mark = mark_of(story, one, copy)
            cell = replace(cell, right=cell.left + _CELL - 8)
            left = cell.x - TILE / 2
            draw_tile(cell.paper, left, cell.top, TILE, copy.tile, pale=not mark.colour)
            marks = [each for each in (mark.first, mark.second) if each]
            top = cell.top + TILE * HIGH + 6
            field = replace(cell, top=top, bottom=top + _LABEL * len(marks))
            if mark.colour:
                field.plate(mark.colour, 10)
            for each, row in zip(marks, field.rows(_LABEL), strict=False):
                shade = on(mark.colour) if mark.colour else MUTED
                row.inset(-1, right=-1).text(each, SMALLEST, shade, "middle")

    sections = []
    for one in story.riichi:
        lines = -(-len(one.copies) // _ACROSS)
        sections.append(Section(62 + _COPY_LINE * lines + 24, partial(draw, one)))
    return sections


def end_sections(analysis: Analysis, number: int) -> list[Section]:
    """What would have come, the ura nobody turned, and the next tile of the dead wall; [] for
    nothing.
    """
    story = analysis.stories[number]
    names = analysis.names
    end = story.end
    if end is None:
        return []
    waits = {kind for hand in end.tenpai for kind in hand.waits}

    def write(said: Sequence[str], area: Area) -> None:
        for words, line in zip(said, area.rows(_TEXT), strict=False):
            line.text(words, 36)

    def coming(said: Sequence[str], area: Area) -> None:
        tiles = area.inset(4, bottom=area.height - TILE * HIGH).columns(
            *[TILE] * COMING,
            gap=12,
        )
        for (seat, tile), cell in zip(end.coming, tiles, strict=False):
            wanted = tile // 4 in waits
            if wanted:
                cell.inset(-5, -5, -5, -5).plate(UP, 11)
            draw_tile(cell.paper, cell.left, cell.top, TILE, tile)
            ink = readable(UP) if wanted else MUTED
            cell.text(
                wind(story.played, seat),
                SMALLEST,
                ink,
                "middle",
                bold=wanted,
                down=TILE * HIGH + 26,
            )
        rest = len(end.coming) - COMING
        area.text(
            f"…{rest}枚" if rest > 0 else "",
            SMALLEST,
            MUTED,
            "right",
            down=TILE * HIGH / 2,
        )
        write(said, area.inset(top=HAND_LINE + _LABEL + 14))

    def dead_wall(said: Sequence[str], area: Area) -> None:
        wall = area.inset(bottom=area.height - TILE * HIGH)
        if end.ura and story.riichi:
            left = wall.left + wall.text("裏ドラ表示", 36) + 16
            wall = replace(
                wall,
                left=draw_hand(wall.paper, left, wall.top, end.ura) + 40,
            )
        if end.rinshan is not None:
            left = wall.left + wall.text("次の嶺上牌", 36) + 16
            draw_tile(wall.paper, left, wall.top, TILE, end.rinshan)
        write(said, area.inset(top=HAND_LINE))

    def broken(sentences: Iterable[str]) -> list[str]:
        return [line for words in sentences for line in wrap(words, 36, WIDTH - 2 * EDGE, 2)]

    found: list[Section] = []
    if end.coming and end.tenpai:
        said = broken(_coming_words(names, end, hand) for hand in end.tenpai)
        found.append(
            Section(HAND_LINE + _LABEL + 14 + _TEXT * len(said) + 16, partial(coming, said))
        )
    if (end.ura and story.riichi) or end.rinshan is not None:
        hits = [
            f"{names[seat]}に裏{hit}枚" for seat, hit in enumerate(end.ura_hits) if hit and end.ura
        ]
        sentences = []
        if hits:
            sentences.append("、".join(hits) + "が乗っていた")
        next_kind = None if end.rinshan is None else end.rinshan // 4
        waiting = [names[hand.seat] for hand in end.tenpai if next_kind in hand.waits]
        if waiting:
            sentences.append(f"嶺上牌は{'・'.join(waiting)}の当たり牌だった")
        said = broken(sentences)
        found.append(Section(HAND_LINE + _TEXT * len(said) + 16, partial(dead_wall, said)))
    return [band("このあとの山", "見えなかった牌"), *found] if found else []


def _coming_words(names: Sequence[str], end: RoundEnd, hand: Tenpai) -> str:
    who = f"{names[hand.seat]}（{'リーチ' if hand.riichi else 'テンパイ'}）"
    if hand.first is None:
        return f"{who}の当たり牌は、もう引かれません"
    if hand.own == hand.first:
        return f"{who}は{hand.own}枚先を自分でツモ"
    return f"{who}の当たり牌は{hand.first}枚先、{names[end.coming[hand.first - 1][0]]}のツモ番"


MOST_PAGES = 2  # of one round
SPEED = "損だった打牌"
_END = 30


def pages_of(analysis: Analysis, number: int) -> int:
    return len(_layout(analysis, number))


def draw_round(analysis: Analysis, number: int, page: int) -> bytes:
    """One page of the round at index `number`, as PNG; `page` counts from 0."""
    pages = _layout(analysis, number)
    place = f"（{page + 1}/{len(pages)}）" if len(pages) > 1 else ""
    played = analysis.record.rounds[number]
    return titled(
        played.name + place,
        result(played, analysis.names),
        [*pages[page], space(_END)],
    )


def _moment(analysis: Analysis, moment: Moment, area: Area) -> None:
    left = area.text("★", 36, "#B8860B") + 12
    name = area.inset(left, right=area.width - left - 380)
    left += name.text(analysis.names[moment.seat], LOOKED_FOR, MUTED) + 20
    area.inset(left).text(moment_text_in(moment, analysis.record), LOOKED_FOR, bold=True)


def _groups(analysis: Analysis, number: int) -> list[list[Section]]:
    """All parts of a round; each list stays on one page where it can."""
    played = analysis.record.rounds[number]
    by_wind = [(played.dealer + step) % played.seats for step in range(played.seats)]
    riichi = riichi_sections(analysis, number)
    pushes = push_sections(analysis, number)
    choices = choice_sections(analysis, number, 2)
    groups = [
        [Section(56, partial(_moment, analysis, one)) for one in analysis.moments_of(number)],
        [band("手牌", "配牌と最後"), *hand_sections(analysis, number, by_wind)],
        [band("リーチ", "当たり牌のありか"), *riichi] if riichi else [],
        end_sections(analysis, number),
        [band(SPEED, "速さだけの比較"), *choices] if choices else [],
        [band("危険だった打牌", "リーチに対して"), *pushes] if pushes else [],
        push_strips(analysis, number),
    ]
    return [group for group in groups if group]


def _layout(analysis: Analysis, number: int) -> list[list[Section]]:
    """The parts of a round on pages, which get taller where there would be too many."""
    groups = _groups(analysis, number)
    tall = float(TALLEST)
    while len(pages := _split(groups, tall)) > MOST_PAGES:
        tall += 200
    return pages


def _split(
    groups: list[list[Section]],
    tall: float,
) -> list[list[Section]]:
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
