"""The pages of rounds as PNG: each round whole, with where a riichi's waits lay and what would have
come.
"""

from collections.abc import Iterable, Iterator, Sequence
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
MOST_COMING = 13  # draws shown of those that did not come
_TEXT = 50
_RIICHI_HEAD = 62
WON = "アガリ"
AHEAD = "{count}枚先"
TURN_OF = "{wind}の番"
DRAWN_BY = "{wind}ツモ"
SEAT_OF = "{wind}家"
IN_HAND = "手の中"
PLACES_OF_COPIES = {
    CopyPlace.DEAD_WALL: ("王牌", ""),
    CopyPlace.HIDDEN: ("山か", "王牌"),
    CopyPlace.OWN: ("自分の", "手の中"),
    CopyPlace.SHOWN: ("場に", "見え"),
}
UNSEEN_COPIES = "見えない当たり牌 {count}枚"
IN_WALL = "山に{count}枚（平均{expected:.1f}枚）"
FURITEN = "フリテン"
RIICHI = "{wind} {player}　{turn}巡目リーチ"
MORE_TILES = "…{count}枚"
URA_INDICATORS = "裏ドラ表示"
NEXT_RINSHAN = "次の嶺上牌"
URA_HIT = "{player}に裏{count}枚"
URA_HITS = "{hits}が乗っていた"
RINSHAN_WAIT = "嶺上牌は{players}の当たり牌だった"
NOT_DRAWN = "このあとの山"
UNSEEN_TILES = "見えなかった牌"
READY_IN_RIICHI = "{player}（リーチ）"
READY = "{player}（テンパイ）"
NEVER_DRAWN = "{player}の当たり牌は、もう引かれません"
SELF_DRAWN = "{player}は{count}枚先を自分でツモ"
DRAWN_BY_OTHER = "{player}の当たり牌は{count}枚先、{drawer}のツモ番"
PAGE_OF = "{round}（{page}/{pages}）"
HANDS = "手牌"
HANDS_SHOWN = "配牌と最後"
RIICHI_BAND = "リーチ"
WHERE_WAITS_LAY = "当たり牌のありか"
SPEED_ALONE = "速さだけの比較"
DANGEROUS = "危険だった打牌"
AGAINST_RIICHI = "リーチに対して"


class Mark(NamedTuple):
    """The two lines below a copy of a wait, and the colour of the field behind them; "" for
    none.
    """

    first: str
    second: str
    colour: str = ""


def mark_of(story: Story, wait: OpenedWait, copy: Copy) -> Mark:
    """Where a copy lay just after the riichi, and what became of it."""
    played = story.played
    if any(win.seat == wait.seat and win.tile == copy.tile for win in played.wins):
        ahead = ""
        if copy.draws:
            ahead = AHEAD.format(count=copy.draws)
        return Mark(WON, ahead, INK)
    if copy.place == CopyPlace.LIVE:
        drawer = drawer_of(played, copy.tile)
        turn = TURN_OF.format(wind=wind(played, copy.seat or 0))
        if drawer is not None:
            turn = DRAWN_BY.format(wind=wind(played, drawer))
        return Mark(AHEAD.format(count=copy.draws), turn, UP)
    if copy.place == CopyPlace.HELD:
        return Mark(SEAT_OF.format(wind=wind(played, copy.seat or 0)), IN_HAND)
    return Mark(*PLACES_OF_COPIES[copy.place])


def count_words(wait: OpenedWait) -> str:
    """How many copies lay in the wall, and how many could be expected: 山に2枚（平均3.4枚）."""
    if wait.live is None:
        unseen = sum(1 for copy in wait.copies if copy.place in (CopyPlace.HIDDEN, CopyPlace.HELD))
        return UNSEEN_COPIES.format(count=unseen)
    return IN_WALL.format(count=wait.live, expected=wait.expected)


def riichi_sections(analysis: Analysis, number: int) -> list[Section]:
    """A section for each riichi of a round: where its waits lay."""
    sections = []
    for wait in analysis.stories[number].riichi:
        lines = -(-len(wait.copies) // _ACROSS)
        draw = partial(_draw_riichi, analysis, number, wait)
        sections.append(Section(_RIICHI_HEAD + _COPY_LINE * lines + 24, draw))
    return sections


def _draw_riichi(analysis: Analysis, number: int, wait: OpenedWait, area: Area) -> None:
    story = analysis.stories[number]
    ink = INK
    if wait.live == 0:
        ink = readable(DOWN)
    count = count_words(wait)
    if wait.furiten:
        count = f"{count}　{FURITEN}"
    count_area = area.inset(area.width - 600)
    width = count_area.text(count, LOOKED_FOR, ink, "right", bold=True, down=32)
    player = RIICHI.format(
        wind=wind(
            story.played,
            wait.seat,
        ),
        player=analysis.names[wait.seat],
        turn=wait.turn,
    )
    area.inset(right=width + 24).text(player, LOOKED_FOR, down=32)
    below = area.inset(top=_RIICHI_HEAD)
    for place, copy in enumerate(sorted(wait.copies, key=_copy_order)):
        line, column = divmod(place, _ACROSS)
        cell = below.inset(column * _CELL, line * _COPY_LINE)
        cell = replace(cell, right=cell.left + _CELL - 8)
        _draw_copy(copy, mark_of(story, wait, copy), cell)


def _copy_order(copy: Copy) -> tuple[int, ...]:
    return (_ORDER.index(copy.place), copy.draws or 0, copy.tile)


def _draw_copy(copy: Copy, mark: Mark, cell: Area) -> None:
    """Draw a copy of a wait with its mark below."""
    draw_tile(
        cell.paper,
        cell.x - TILE / 2,
        cell.top,
        TILE,
        copy.tile,
        pale=not mark.colour,
    )
    lines = [line for line in (mark.first, mark.second) if line]
    top = cell.top + TILE * HIGH + 6
    field = replace(cell, top=top, bottom=top + _LABEL * len(lines))
    ink = MUTED
    if mark.colour:
        field.plate(mark.colour, 10)
        ink = on(mark.colour)
    for line, row in zip(lines, field.rows(_LABEL), strict=False):
        row.inset(-1, right=-1).text(line, SMALLEST, ink, "middle")


def end_sections(analysis: Analysis, number: int) -> list[Section]:
    """What would have come, the ura nobody turned, and the next tile of the dead wall; [] for
    nothing.
    """
    story = analysis.stories[number]
    end = story.end
    if end is None:
        return []
    sections: list[Section] = []
    if end.coming and end.tenpai:
        lines = _broken(_coming_words(analysis.names, end, hand) for hand in end.tenpai)
        height = HAND_LINE + _LABEL + 14 + _TEXT * len(lines) + 16
        sections.append(Section(height, partial(_draw_coming, story, end, lines)))
    ura: Sequence[int] = ()
    if end.ura and story.riichi:
        ura = end.ura
    if ura or end.rinshan is not None:
        lines = _broken(_dead_wall_sentences(analysis.names, end))
        height = HAND_LINE + _TEXT * len(lines) + 16
        sections.append(Section(height, partial(_draw_dead_wall, end, ura, lines)))
    if not sections:
        return []
    return [band(NOT_DRAWN, UNSEEN_TILES), *sections]


def _broken(sentences: Iterable[str]) -> list[str]:
    """The sentences as lines of the page's width."""
    lines: list[str] = []
    for sentence in sentences:
        lines += wrap(sentence, 36, WIDTH - 2 * EDGE, 2)
    return lines


def _write(lines: Sequence[str], area: Area) -> None:
    for line, row in zip(lines, area.rows(_TEXT), strict=False):
        row.text(line, 36)


def _draw_coming(story: Story, end: RoundEnd, lines: Sequence[str], area: Area) -> None:
    """Draw the tiles that would have been drawn, those that somebody waits for marked."""
    waits = {kind for hand in end.tenpai for kind in hand.waits}
    cells = area.inset(4, bottom=area.height - TILE * HIGH).columns(
        *[TILE] * MOST_COMING,
        gap=12,
    )
    for (seat, tile), cell in zip(end.coming, cells, strict=False):
        is_wait = tile // 4 in waits
        ink = MUTED
        if is_wait:
            cell.inset(-5, -5, -5, -5).plate(UP, 11)
            ink = readable(UP)
        draw_tile(cell.paper, cell.left, cell.top, TILE, tile)
        down = TILE * HIGH + 26
        cell.text(
            wind(story.played, seat),
            SMALLEST,
            ink,
            "middle",
            bold=is_wait,
            down=down,
        )
    more = len(end.coming) - MOST_COMING
    if more > 0:
        label = MORE_TILES.format(count=more)
        area.text(label, SMALLEST, MUTED, "right", down=TILE * HIGH / 2)
    _write(lines, area.inset(top=HAND_LINE + _LABEL + 14))


def _draw_dead_wall(
    end: RoundEnd,
    ura: Sequence[int],
    lines: Sequence[str],
    area: Area,
) -> None:
    """Draw the indicators of ura, and the tile that the next kan would have drawn."""
    wall = area.inset(bottom=area.height - TILE * HIGH)
    if ura:
        x = wall.left + wall.text(URA_INDICATORS, 36) + 16
        wall = replace(wall, left=draw_hand(wall.paper, x, wall.top, ura) + 40)
    if end.rinshan is not None:
        x = wall.left + wall.text(NEXT_RINSHAN, 36) + 16
        draw_tile(wall.paper, x, wall.top, TILE, end.rinshan)
    _write(lines, area.inset(top=HAND_LINE))


def _dead_wall_sentences(names: Sequence[str], end: RoundEnd) -> Iterator[str]:
    """Whose hands the ura would have fitted, and who waited for the next tile of a kan."""
    hits = [
        URA_HIT.format(player=names[seat], count=hit)
        for seat, hit in enumerate(end.ura_hits)
        if hit and end.ura
    ]
    if hits:
        yield URA_HITS.format(hits="、".join(hits))
    if end.rinshan is None:
        return
    waiting = [names[hand.seat] for hand in end.tenpai if end.rinshan // 4 in hand.waits]
    if waiting:
        yield RINSHAN_WAIT.format(players="・".join(waiting))


def _coming_words(names: Sequence[str], end: RoundEnd, hand: Tenpai) -> str:
    """When a hand's wait would have come, and to whom."""
    template = READY
    if hand.riichi:
        template = READY_IN_RIICHI
    player = template.format(player=names[hand.seat])
    if hand.first is None:
        return NEVER_DRAWN.format(player=player)
    if hand.own == hand.first:
        return SELF_DRAWN.format(player=player, count=hand.own)
    drawer, _ = end.coming[hand.first - 1]
    return DRAWN_BY_OTHER.format(player=player, count=hand.first, drawer=names[drawer])


MOST_PAGES = 2  # of one round
SPEED = "損だった打牌"
_END = 30


def pages_of(analysis: Analysis, number: int) -> int:
    return len(_layout(analysis, number))


def draw_round(analysis: Analysis, number: int, page: int) -> bytes:
    """One page of the round at index `number`, as PNG; `page` counts from 0."""
    pages = _layout(analysis, number)
    played = analysis.record.rounds[number]
    title = played.name
    if len(pages) > 1:
        title = PAGE_OF.format(round=played.name, page=page + 1, pages=len(pages))
    return titled(
        title,
        result(played, analysis.names),
        [*pages[page], space(_END)],
    )


def _moment(analysis: Analysis, moment: Moment, area: Area) -> None:
    x = area.text("★", 36, "#B8860B") + 12
    name = area.inset(x, right=area.width - x - 380)
    x += name.text(analysis.names[moment.seat], LOOKED_FOR, MUTED) + 20
    area.inset(x).text(moment_text_in(moment, analysis.record), LOOKED_FOR, bold=True)


def _groups(analysis: Analysis, number: int) -> list[list[Section]]:
    """All parts of a round; each list stays on one page where it can."""
    played = analysis.record.rounds[number]
    by_wind = [(played.dealer + step) % played.seats for step in range(played.seats)]
    moments = [
        Section(56, partial(_moment, analysis, moment)) for moment in analysis.moments_of(number)
    ]
    hands = hand_sections(analysis, number, by_wind)
    groups = [
        moments,
        [band(HANDS, HANDS_SHOWN), *hands],
        _below_band(RIICHI_BAND, WHERE_WAITS_LAY, riichi_sections(analysis, number)),
        end_sections(analysis, number),
        _below_band(SPEED, SPEED_ALONE, choice_sections(analysis, number, 2)),
        _below_band(DANGEROUS, AGAINST_RIICHI, push_sections(analysis, number)),
        push_strips(analysis, number),
    ]
    return [group for group in groups if group]


def _below_band(title: str, right: str, sections: Sequence[Section]) -> list[Section]:
    """Sections below their heading; [] without any."""
    if not sections:
        return []
    return [band(title, right), *sections]


def _layout(analysis: Analysis, number: int) -> list[list[Section]]:
    """The parts of a round on pages, which get taller where there would be too many."""
    groups = _groups(analysis, number)
    tall = float(TALLEST)
    pages = _split(groups, tall)
    while len(pages) > MOST_PAGES:
        tall += 200
        pages = _split(groups, tall)
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
