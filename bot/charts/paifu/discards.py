"""Discards weighed: those that cost most speed with what was better, and the most dangerous ones into a riichi."""

from __future__ import annotations

from functools import partial

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import DOWN, GRID_COLOUR, INK, MUTED, UP, readable
from bot.charts.paifu.analysis import Analysis
from bot.charts.paifu.hand_strips import GAP, LINE, draw_final, draw_hand
from bot.charts.paifu.parts import (
    DEALT_IN,
    SMALLEST,
    TILE,
    WIDTH,
    Section,
    draw_danger_tile,
    frame_of,
)
from bot.charts.paifu.words import percent, shanten_words, verdict, wind
from bot.charts.parts.header import EDGE
from bot.charts.parts.tiles import HIGH, draw_tile
from rating.paifu.efficiency import DiscardChoice
from rating.paifu.review import Push
from rating.paifu.tile_choices import TileChoice
from rating.paifu.tiles import RED_FIVES

_LINE = 98
_CHOICE = 64 + LINE + 22 + 2 * _LINE + 20
_PUSH = 348
_KINDS_FROM = EDGE + 500


def choice_sections(analysis: Analysis, number: int, most: int) -> list[Section]:
    """A section for each of the round's discards that cost most speed."""
    return [
        Section(_CHOICE, partial(_choice, analysis, choice))
        for choice in analysis.worst_choices(number, most)
    ]


def _choice(analysis: Analysis, choice: TileChoice, paper: Paper, top: float) -> None:
    played = analysis.record.rounds[choice.round]
    who = f"{wind(played, choice.seat)} {analysis.names[choice.seat]}　{choice.turn}巡目"
    lost = lost_words(choice)
    right = WIDTH - EDGE
    taken = paper.text(
        right, top + 32, lost, 43, readable(DOWN), "right", bold=True, room=560, least=SMALLEST
    )
    paper.text(
        EDGE, top + 32, who, 43, INK, room=right - taken - EDGE - 24, least=SMALLEST,
        bold=choice.seat == analysis.seat,
    )  # fmt: skip
    top += 64 + 14
    draw_hand(paper, EDGE, top, choice.hand, raised=choice.tile)
    top += LINE + 8
    better = next(
        (tile for tile in reversed(choice.hand) if tile // 4 == choice.best.kind), choice.best.kind * 4
    )
    _option(paper, top, choice.tile, "切り", choice.taken, MUTED)
    _option(paper, top + _LINE, better, "切りなら", choice.best, UP)
    paper.across(top + 2 * _LINE + 6, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)


def lost_words(choice: TileChoice) -> str:
    """What a discard cost: 8枚の損, or シャンテン戻し where the hand got further from complete."""
    if choice.taken.shanten > choice.best.shanten:
        return "シャンテン戻し" if choice.best.shanten else "テンパイ取らず"
    return f"受け入れ {choice.best.tiles - choice.taken.tiles}枚の損"


def _option(paper: Paper, top: float, tile: int, words: str, option: DiscardChoice, colour: str) -> None:
    """Draw one line: the discard, the shanten after it, and the tiles that the hand then accepts."""
    draw_tile(paper, EDGE, top, TILE, tile)
    y = top + TILE * HIGH / 2
    ink = readable(colour)
    paper.text(EDGE + TILE + 12, y - 21, words, SMALLEST, MUTED)
    paper.text(EDGE + TILE + 12, y + 21, shanten_words(option.shanten), SMALLEST, MUTED)
    x = _KINDS_FROM - 24
    paper.text(x, y, f"{option.tiles}枚", 44, ink, "right", bold=True)
    room = int((WIDTH - EDGE - _KINDS_FROM) // (TILE + GAP))
    kinds = option.kinds if len(option.kinds) <= room else option.kinds[: room - 2]
    right = draw_hand(paper, _KINDS_FROM, top, [plain(kind) for kind in kinds])
    if len(kinds) < len(option.kinds):
        paper.text(right + 6, y, f"…全{len(option.kinds)}種", SMALLEST, MUTED)


def plain(kind: int) -> int:
    """A tile of a kind that is no red five."""
    return kind * 4 + (kind * 4 in RED_FIVES)


# -- into a riichi ----------------------------------------------------------------------------------------------


def push_sections(analysis: Analysis, number: int) -> list[Section]:
    """A section for each of the game's most dangerous discards that lies in the round."""
    return [
        Section(_PUSH, partial(_push, analysis, push))
        for push in analysis.review.most_dangerous()
        if push.round == number
    ]


def _push(analysis: Analysis, push: Push, paper: Paper, top: float) -> None:
    """Draw one dangerous discard: who and when, the tile, the safest tile instead, and the hand."""
    facing, played = push.facing, analysis.record.rounds[push.round]
    against = "リーチ " + "・".join(analysis.names[other] for other in facing.opponents)
    right = WIDTH - EDGE
    taken = paper.text(right, top + 36, against, SMALLEST, MUTED, "right", room=410, least=SMALLEST)
    who = f"{wind(played, facing.seat)} {analysis.names[facing.seat]}　{facing.turn}巡目"
    paper.text(
        EDGE, top + 36, who, 43, INK, room=right - taken - EDGE - 24, least=SMALLEST,
        bold=facing.seat == analysis.seat,
    )  # fmt: skip
    frame = frame_of(push.deal_ins)
    draw_danger_tile(paper, EDGE + 6, top + 74, 84, tile=facing.tile, chance=push.chance, frame=frame)
    left = EDGE + 122
    paper.text(left, top + 98, f"放銃率 {percent(push.chance)}", 36, INK, room=560, least=SMALLEST)
    ink = DEALT_IN if push.deal_ins.to_riichi else readable(DOWN) if push.kept_back else MUTED
    paper.text(left, top + 146, verdict(push), SMALLEST, ink, room=560, least=SMALLEST)
    paper.text(right - 90, top + 98, "安全だった牌", SMALLEST, MUTED, "right")
    paper.text(
        right - 90, top + 146, percent(push.least_chance), SMALLEST, MUTED, "right", room=380, least=SMALLEST
    )
    draw_danger_tile(paper, right - 72, top + 74, 72, tile=push.safest, chance=push.least_chance)
    draw_final(paper, left, top + 216, facing.hand, facing.melds, raised=facing.tile)
    paper.across(top + _PUSH - 10, EDGE, right, 2, GRID_COLOUR)
