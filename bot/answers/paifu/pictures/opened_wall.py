"""The wall opened: where each copy of a riichi's waits lay, and what would have come after the end of the
round."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from bot.answers.paifu.pictures.analysis import Analysis
from bot.answers.paifu.pictures.hand_strips import LINE, draw_hand
from bot.answers.paifu.pictures.parts import TILE, band
from bot.answers.paifu.pictures.words import wind
from bot.draw.glyphs import wrap
from bot.draw.layout import EDGE, WIDTH, Area, Section
from bot.draw.style import DOWN, INK, LOOKED_FOR, MUTED, SMALLEST, UP, on, readable
from bot.draw.tiles import HIGH, draw_tile
from rating.paifu.opened import DEAD_WALL, HELD, HIDDEN, LIVE, OWN, SHOWN, Copy, OpenedWait, RoundEnd
from rating.paifu.story import Story, drawer_of

_CELL = 128
_ACROSS = int((WIDTH - 2 * EDGE) // _CELL)
_LABEL = 42
_COPY_LINE = TILE * HIGH + 2 * _LABEL + 20
_ORDER = (LIVE, DEAD_WALL, HIDDEN, HELD, OWN, SHOWN)
COMING = 14  # draws shown of those that did not come
_TEXT = 50


class Mark(NamedTuple):
    """The two lines below a copy of a wait, and the colour of the field they stand in; "" for none."""

    first: str
    second: str
    colour: str = ""


def mark_of(story: Story, one: OpenedWait, copy: Copy) -> Mark:
    """Where a copy lay just after the riichi, and what became of it."""
    played = story.played
    if any(win.seat == one.seat and win.tile == copy.tile for win in played.wins):
        return Mark("アガリ", _before(copy), INK)
    if copy.place == LIVE:
        drawer = drawer_of(played, copy.tile)
        if drawer is not None:
            return Mark(f"{copy.draws}枚先", f"{wind(played, drawer)}ツモ", UP)
        return Mark(f"{copy.draws}枚先", f"{wind(played, copy.seat or 0)}の番", UP)
    if copy.place == HELD:
        return Mark(f"{wind(played, copy.seat or 0)}家", "手の中")
    return {
        DEAD_WALL: Mark("王牌", ""),
        HIDDEN: Mark("山か", "王牌"),
        OWN: Mark("自分の", "手の中"),
        SHOWN: Mark("場に", "見え"),
    }[copy.place]


def _before(copy: Copy) -> str:
    return f"{copy.draws}枚先" if copy.draws else ""


def count_words(one: OpenedWait) -> str:
    """How many copies lay in the wall, and how many could be expected: 山に2枚（平均3.4枚）."""
    if one.live is None:
        return f"見えない当たり牌 {sum(copy.place in (HIDDEN, HELD) for copy in one.copies)}枚"
    return f"山に{one.live}枚（平均{one.expected:.1f}枚）"


def riichi_sections(
    analysis: Analysis, number: int, hands: bool = False, without: Collection[int] = ()
) -> list[Section]:
    """A section for each riichi of a round; with `hands` the hand, too, but of the seats `without`."""
    story = analysis.stories[number]
    found = [(one, hands and one.seat not in without) for one in story.riichi]
    return [
        Section(_riichi_height(one, hand), partial(_riichi, analysis, story, one, hand))
        for one, hand in found
    ]


def _riichi_height(one: OpenedWait, hands: bool) -> float:
    lines = -(-len(one.copies) // _ACROSS)
    return 62 + (LINE + 8) * hands + _COPY_LINE * lines + 24


def _riichi(analysis: Analysis, story: Story, one: OpenedWait, hands: bool, area: Area) -> None:
    ink = readable(DOWN) if one.live == 0 else INK
    words = count_words(one) + "　フリテン" * one.furiten
    taken = area.inset(area.width - 600).text(words, LOOKED_FOR, ink, "right", bold=True, down=32)
    who = f"{wind(story.played, one.seat)} {analysis.names[one.seat]}　{one.turn}巡目リーチ"
    area.inset(right=taken + 24).text(who, LOOKED_FOR, down=32)
    below = area.inset(top=62)
    if hands:
        draw_hand(area.paper, below.left, below.top, one.hand)
        below = below.inset(top=LINE + 8)
    copies = sorted(one.copies, key=lambda copy: (_ORDER.index(copy.place), copy.draws or 0, copy.tile))
    for place, copy in enumerate(copies):
        line, column = divmod(place, _ACROSS)
        cell = below.inset(column * _CELL, line * _COPY_LINE)
        _copy(replace(cell, right=cell.left + _CELL - 8), copy, mark_of(story, one, copy))


def _copy(cell: Area, copy: Copy, mark: Mark) -> None:
    """Draw one copy of a wait, in full colours where it could still come, with its two lines below."""
    draw_tile(cell.paper, cell.x - TILE / 2, cell.top, TILE, copy.tile, pale=not mark.colour)
    lines = [words for words in (mark.first, mark.second) if words]
    top = cell.top + TILE * HIGH + 6
    field = replace(cell, top=top, bottom=top + _LABEL * len(lines))
    if mark.colour:
        field.plate(mark.colour, 10)
    for words, line in zip(lines, field.rows(_LABEL), strict=False):
        line.inset(-1, right=-1).text(words, SMALLEST, on(mark.colour) if mark.colour else MUTED, "middle")


# -- the end of the round
# ---------------------------------------------------------------------------------------


def end_sections(analysis: Analysis, number: int) -> list[Section]:
    """What would have come, the ura that nobody turned, and the next tile of the dead wall; [] where nothing
    can be said."""
    story = analysis.stories[number]
    end = story.end
    if end is None:
        return []
    found: list[Section] = []
    if end.coming and end.tenpai:
        lines = [line for hand in end.tenpai for line in _coming_words(analysis, story, end, hand.seat)]
        found.append(
            Section(LINE + _LABEL + 14 + _TEXT * len(lines) + 16, partial(_coming, story, end, tuple(lines)))
        )
    if (end.ura and story.riichi) or end.rinshan is not None:
        words = _ura_words(analysis, end)
        found.append(
            Section(
                LINE + _TEXT * len(words) + 16, partial(_dead_wall, end, bool(story.riichi), tuple(words))
            )
        )
    return [band("このあとの山", "見えなかった牌"), *found] if found else []


def _coming_words(analysis: Analysis, story: Story, end: RoundEnd, seat: int) -> list[str]:
    hand = next(hand for hand in end.tenpai if hand.seat == seat)
    who = f"{analysis.names[seat]}（{'リーチ' if hand.riichi else 'テンパイ'}）"
    if hand.first is None:
        words = f"{who}の当たり牌は、もう引かれません"
    elif hand.own == hand.first:
        words = f"{who}は{hand.own}枚先を自分でツモ"
    else:
        drawer = end.coming[hand.first - 1][0]
        words = f"{who}の当たり牌は{hand.first}枚先、{analysis.names[drawer]}のツモ番"
    return wrap(words, 36, WIDTH - 2 * EDGE, 2)


def _coming(story: Story, end: RoundEnd, lines: tuple[str, ...], area: Area) -> None:
    waits = {kind for hand in end.tenpai for kind in hand.waits}
    tiles = area.inset(4, bottom=area.height - TILE * HIGH).columns(*[TILE] * COMING, gap=12)
    for (seat, tile), cell in zip(end.coming, tiles, strict=False):
        wanted = tile // 4 in waits
        if wanted:
            cell.inset(-5, -5, -5, -5).plate(UP, 11)
        draw_tile(cell.paper, cell.left, cell.top, TILE, tile)
        ink = readable(UP) if wanted else MUTED
        cell.text(wind(story.played, seat), SMALLEST, ink, "middle", bold=wanted, down=TILE * HIGH + 26)
    rest = len(end.coming) - COMING
    if rest > 0:
        area.text(f"…{rest}枚", SMALLEST, MUTED, "right", down=TILE * HIGH / 2)
    _write(lines, area.inset(top=LINE + _LABEL + 14))


def _ura_words(analysis: Analysis, end: RoundEnd) -> list[str]:
    hits = [
        f"{analysis.names[seat]}に裏{count}枚" for seat, count in enumerate(end.ura_hits) if count and end.ura
    ]
    said = ["、".join(hits) + "が乗っていた"] if hits else []
    waiting = [
        analysis.names[hand.seat]
        for hand in end.tenpai
        if end.rinshan is not None and end.rinshan // 4 in hand.waits
    ]
    said += [f"嶺上牌は{'・'.join(waiting)}の当たり牌だった"] if waiting else []
    return [line for words in said for line in wrap(words, 36, WIDTH - 2 * EDGE, 2)]


def _dead_wall(end: RoundEnd, riichi: bool, lines: tuple[str, ...], area: Area) -> None:
    """Draw the next tile that follows a kan and, in a round with a riichi, the ura that nobody turned."""
    wall = area.inset(bottom=area.height - TILE * HIGH)
    if end.ura and riichi:
        left = wall.left + wall.text("裏ドラ表示", 36) + 16
        wall = replace(wall, left=draw_hand(wall.paper, left, wall.top, end.ura) + 40)
    if end.rinshan is not None:
        left = wall.left + wall.text("次の嶺上牌", 36) + 16
        draw_tile(wall.paper, left, wall.top, TILE, end.rinshan)
    _write(lines, area.inset(top=LINE))


def _write(lines: tuple[str, ...], area: Area) -> None:
    for words, line in zip(lines, area.rows(_TEXT), strict=False):
        line.text(words, 36)
