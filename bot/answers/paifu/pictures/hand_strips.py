"""Hands as strips of tiles: what each seat was dealt, and what it held at the end with its calls and the
winning tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from bot.answers.paifu.pictures.analysis import Analysis
from bot.answers.paifu.pictures.parts import TILE
from bot.answers.paifu.pictures.words import points_words, shanten_words, wind, yaku_words
from bot.draw.layout import EDGE, WIDTH, Area, Section
from bot.draw.paper import Paper
from bot.draw.style import DOWN, INK, LOOKED_FOR, MUTED, SMALLEST, readable
from bot.draw.tiles import HIGH, draw_tile
from rating.paifu.efficiency import shanten_of
from rating.paifu.record import CLOSED_KAN, KANS, KITA, Meld, Round, Win
from rating.paifu.table import TableState
from rating.paifu.tiles import counts

GAP = 2
LINE = TILE * HIGH + 10
_LABEL, _NAME = 96, 56
_LAPPED = 0.6  # of a tile's width: how far the tiles of a kan lie apart


def draw_hand(
    paper: Paper,
    left: float,
    top: float,
    tiles: Iterable[int],
    width: float = TILE,
    raised: int | None = None,
) -> float:
    """Draw tiles (0-135) side by side, `raised` a little higher; return the right edge."""
    for tile in tiles:
        draw_tile(paper, left, top - (14 if tile == raised else 0), width, tile)
        left += width + GAP
    return left


def _draw_meld(paper: Paper, left: float, top: float, width: float, meld: Meld) -> float:
    step = width * _LAPPED if meld.type in KANS else width + GAP
    for place, tile in enumerate(meld.tiles):
        draw_tile(paper, left + place * step, top, width, tile, pale=meld.type != CLOSED_KAN)
    return left + (len(meld.tiles) - 1) * step + width + GAP


def _room_of(tiles: int, melds: Sequence[Meld], width: float) -> float:
    kans = sum(meld.type in KANS for meld in melds)
    own = sum(len(meld.tiles) for meld in melds if meld.type not in KANS)
    return (tiles + own) * (width + GAP) + kans * width * (1 + 3 * _LAPPED) + len(melds) * width * 0.3


def draw_final(
    paper: Paper,
    left: float,
    top: float,
    hand: Sequence[int],
    melds: Sequence[Meld],
    won: int | None = None,
    raised: int | None = None,
) -> None:
    """Draw a whole hand: concealed tiles, the winning tile `won` apart, the calls, the norths taken out as
    one."""
    called = [meld for meld in melds if meld.type != KITA]
    norths = [meld for meld in melds if meld.type == KITA]
    width = float(TILE)
    needed = len(hand) + 1.3 * (won is not None) + 2 * bool(norths)
    while _room_of(0, called, width) + needed * (width + GAP) > WIDTH - EDGE - left and width > 40:
        width -= 1
    top += TILE * HIGH - width * HIGH
    left = draw_hand(paper, left, top, hand, width, raised=raised)
    if won is not None:
        left += width * 0.3
        paper.pill(
            left - 5, top - 5, left + width + 5, top + width * HIGH + 5, radius=width * 0.16, colour=INK
        )
        draw_tile(paper, left, top, width, won)
        left += width + GAP
    for meld in called:
        left = _draw_meld(paper, left + width * 0.3, top, width, meld)
    if norths:
        left += width * 0.3
        draw_tile(paper, left, top, width, norths[0].tiles[0], pale=True)
        many = f"×{len(norths)}" if len(norths) > 1 else ""
        paper.text(left + width + 6, top + width * HIGH / 2, many, SMALLEST, MUTED)


def at_the_end(played: Round) -> TableState:
    """The table after the last event of a round."""
    table = TableState(played)
    for event in played.events:
        table.apply(event)
    return table


def hand_sections(analysis: Analysis, number: int, seats: Iterable[int], dealt: bool = True) -> list[Section]:
    """A section for each of the `seats` of a round: name, what it was dealt (unless not `dealt`), and its
    last hand."""
    played = analysis.record.rounds[number]
    table = at_the_end(played)
    high = _NAME + LINE * (1 + dealt) + 12
    return [Section(high, partial(_seat, analysis, played, table, seat, dealt)) for seat in seats]


def _seat(analysis: Analysis, played: Round, table: TableState, seat: int, dealt: bool, area: Area) -> None:
    if seat == analysis.seat:
        area.band()
    win = next((win for win in played.wins if win.seat == seat), None)
    _name(analysis, played, seat, win, area.inset(top=2, bottom=area.height - _NAME - 2))
    top, left = area.top + _NAME, area.left
    if dealt:
        for words, y in (("配牌", top), ("最後", top + LINE)):
            area.paper.text(left, y + TILE * HIGH / 2, words, SMALLEST, MUTED)
        left += _LABEL
        draw_hand(area.paper, left, top, sorted(played.hands[seat]))
        top += LINE
    concealed = sorted(table.hands[seat] - {win.tile}) if win else sorted(table.hands[seat])
    draw_final(area.paper, left, top, concealed, table.melds[seat], won=win.tile if win else None)


def _name(analysis: Analysis, played: Round, seat: int, win: Win | None, line: Area) -> None:
    """Draw wind, name, the win's yaku or the deal's shanten, and the points gained or lost."""
    change, colour = played.change[seat], analysis.colours[seat] or INK
    ink = readable(DOWN) if change < 0 else INK
    line = line.inset(right=line.text(points_words(change), LOOKED_FOR, ink, "right", bold=True) + 24)
    line = line.inset(line.text(wind(played, seat), 38, MUTED) + 14)
    name = line.inset(right=line.width - 340)
    line = line.inset(name.text(analysis.names[seat], LOOKED_FOR, readable(colour), bold=True) + 24)
    if win is None:
        words = f"配牌{shanten_words(shanten_of(counts(played.hands[seat]), played.seats))}"
    else:
        words = "・".join(yaku_words(win))
    line.text(words, SMALLEST, MUTED)
