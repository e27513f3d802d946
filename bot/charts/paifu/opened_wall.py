"""The wall opened: where each copy of a riichi's waits lay, and what would have come after the end of the round."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import DOWN, INK, MUTED, UP, on, readable
from bot.charts.canvas.wrap import wrap
from bot.charts.paifu.analysis import Analysis
from bot.charts.paifu.hand_strips import LINE, draw_hand
from bot.charts.paifu.parts import SMALLEST, TILE, WIDTH, Section, band
from bot.charts.paifu.words import wind
from bot.charts.parts.header import EDGE
from bot.charts.parts.tiles import HIGH, draw_tile
from rating.paifu.opened import DEAD_WALL, HELD, HIDDEN, LIVE, OWN, SHOWN, Copy, OpenedWait
from rating.paifu.round_end import RoundEnd
from rating.paifu.story import Story, drawer_of

_CELL = 128
_ACROSS = int((WIDTH - 2 * EDGE) // _CELL)
_LABEL = 42
_COPY_LINE = TILE * HIGH + 2 * _LABEL + 20
_ORDER = (LIVE, DEAD_WALL, HIDDEN, HELD, OWN, SHOWN)
COMING = 14  # draws shown of those that did not come
_PITCH = TILE + 12
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


def _riichi(analysis: Analysis, story: Story, one: OpenedWait, hands: bool, paper: Paper, top: float) -> None:
    words = count_words(one) + "　フリテン" * one.furiten
    ink = readable(DOWN) if one.live == 0 else INK
    right = WIDTH - EDGE
    taken = paper.text(right, top + 32, words, 43, ink, anchor="right", bold=True, room=600, least=SMALLEST)
    who = f"{wind(story.played, one.seat)} {analysis.names[one.seat]}　{one.turn}巡目リーチ"
    room = right - taken - EDGE - 24
    paper.text(EDGE, top + 32, who, 43, INK, room=room, least=SMALLEST)
    top += 62
    if hands:
        draw_hand(paper, EDGE, top, one.hand)
        top += LINE + 8
    copies = sorted(one.copies, key=lambda copy: (_ORDER.index(copy.place), copy.draws or 0, copy.tile))
    for place, copy in enumerate(copies):
        x = EDGE + place % _ACROSS * _CELL
        _copy(paper, x, top + place // _ACROSS * _COPY_LINE, copy, mark_of(story, one, copy))


def _copy(paper: Paper, left: float, top: float, copy: Copy, mark: Mark) -> None:
    """Draw one copy of a wait, in full colours where it could still come, with its two lines below."""
    middle = left + (_CELL - 8) / 2
    draw_tile(paper, middle - TILE / 2, top, TILE, copy.tile, pale=not mark.colour)
    y = top + TILE * HIGH + 6
    lines = [words for words in (mark.first, mark.second) if words]
    if mark.colour:
        paper.pill(left, y, left + _CELL - 8, y + _LABEL * len(lines), radius=10, colour=mark.colour)
    ink = on(mark.colour) if mark.colour else MUTED
    for place, words in enumerate(lines):
        paper.text(
            middle, y + _LABEL * (place + 0.5), words, SMALLEST, ink, "middle", room=_CELL - 6, least=SMALLEST
        )


# -- the end of the round ---------------------------------------------------------------------------------------


def end_sections(analysis: Analysis, number: int) -> list[Section]:
    """What would have come, the ura that nobody turned, and the next tile of the dead wall; [] where nothing can be said."""
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


def _coming(story: Story, end: RoundEnd, lines: tuple[str, ...], paper: Paper, top: float) -> None:
    waits = {kind for hand in end.tenpai for kind in hand.waits}
    for place, (seat, tile) in enumerate(end.coming[:COMING]):
        x = EDGE + place * _PITCH + 4
        wanted = tile // 4 in waits
        if wanted:
            paper.pill(x - 5, top - 5, x + TILE + 5, top + TILE * HIGH + 5, radius=11, colour=UP)
        draw_tile(paper, x, top, TILE, tile)
        ink = readable(UP) if wanted else MUTED
        y = top + TILE * HIGH + 26
        paper.text(x + TILE / 2, y, wind(story.played, seat), SMALLEST, ink, "middle", bold=wanted)
    rest = len(end.coming) - COMING
    if rest > 0:
        paper.text(WIDTH - EDGE, top + TILE * HIGH / 2, f"…{rest}枚", SMALLEST, MUTED, "right")
    top += LINE + _LABEL + 14
    _lines(paper, lines, top)


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


def _dead_wall(end: RoundEnd, riichi: bool, lines: tuple[str, ...], paper: Paper, top: float) -> None:
    """Draw the next tile that follows a kan and, in a round with a riichi, the ura that nobody turned."""
    left, middle = float(EDGE), top + TILE * HIGH / 2
    if end.ura and riichi:
        left += paper.text(left, middle, "裏ドラ表示", 36, INK) + 16
        left = draw_hand(paper, left, top, end.ura) + 40
    if end.rinshan is not None:
        left += paper.text(left, middle, "次の嶺上牌", 36, INK) + 16
        draw_tile(paper, left, top, TILE, end.rinshan)
    _lines(paper, lines, top + LINE)


def _lines(paper: Paper, lines: tuple[str, ...], top: float) -> None:
    for place, words in enumerate(lines):
        paper.text(EDGE, top + _TEXT * (place + 0.5), words, 36, INK)
