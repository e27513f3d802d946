"""Discards weighed: those that cost most speed with what was better, and the most dangerous ones into a
riichi."""

from __future__ import annotations

from functools import partial
from itertools import islice

from bot.answers.paifu.pictures.analysis import Analysis
from bot.answers.paifu.pictures.hand_strips import GAP, LINE, draw_final, draw_hand
from bot.answers.paifu.pictures.parts import DEALT_IN, TILE, draw_danger_tile, frame_of
from bot.answers.paifu.pictures.words import percent, shanten_words, verdict, wind
from bot.draw.layout import EDGE, Area, Section
from bot.draw.style import DOWN, LABEL, LOOKED_FOR, MUTED, SMALLEST, UP, readable
from bot.draw.tiles import HIGH, draw_tile
from rating.paifu.efficiency import DiscardChoice, TileChoice
from rating.paifu.review import Push
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


def _who(area: Area, who: str, bold: bool, right: str, looks: tuple[int, str, bool], most: float) -> None:
    """Write whose discard it is at the left of a line, and words in their size and colour, bold or not, at
    the right."""
    size, colour, heavy = looks
    taken = area.inset(area.width - most).text(right, size, colour, "right", bold=heavy)
    area.inset(right=taken + 24).text(who, LOOKED_FOR, bold=bold)


def _choice(analysis: Analysis, choice: TileChoice, area: Area) -> None:
    played = analysis.record.rounds[choice.round]
    who = f"{wind(played, choice.seat)} {analysis.names[choice.seat]}　{choice.turn}巡目"
    looks = LOOKED_FOR, readable(DOWN), True
    head = area.inset(bottom=area.height - 64)
    _who(head, who, choice.seat == analysis.seat, lost_words(choice), looks, 560)
    draw_hand(area.paper, area.left, head.bottom + 14, choice.hand, raised=choice.tile)
    kind = choice.best.kind
    better = next((tile for tile in reversed(choice.hand) if tile // 4 == kind), kind * 4)
    taken, best = islice(area.inset(top=64 + 14 + LINE + 8).rows(_LINE), 2)
    _option(taken, choice.tile, "切り", choice.taken, MUTED)
    _option(best, better, "切りなら", choice.best, UP)
    best.inset(bottom=-6).underline()


def lost_words(choice: TileChoice) -> str:
    """What a discard cost: 8枚の損, or シャンテン戻し where the hand got further from complete."""
    if choice.taken.shanten > choice.best.shanten:
        return "シャンテン戻し" if choice.best.shanten else "テンパイ取らず"
    return f"受け入れ {choice.best.tiles - choice.taken.tiles}枚の損"


def _option(area: Area, tile: int, words: str, option: DiscardChoice, colour: str) -> None:
    """Draw one line: the discard, the shanten after it, and the tiles that the hand then accepts."""
    paper, middle = area.paper, TILE * HIGH / 2
    draw_tile(paper, area.left, area.top, TILE, tile)
    said = area.inset(TILE + 12, right=area.right - _KINDS_FROM + 24)
    said.text(words, SMALLEST, MUTED, down=middle - 21)
    said.text(shanten_words(option.shanten), SMALLEST, MUTED, down=middle + 21)
    said.text(f"{option.tiles}枚", LABEL, readable(colour), "right", bold=True, down=middle)
    room = int((area.right - _KINDS_FROM) // (TILE + GAP))
    kinds = option.kinds if len(option.kinds) <= room else option.kinds[: room - 2]
    right = draw_hand(paper, _KINDS_FROM, area.top, [plain(kind) for kind in kinds])
    if len(kinds) < len(option.kinds):
        paper.text(right + 6, area.top + middle, f"…全{len(option.kinds)}種", SMALLEST, MUTED)


def plain(kind: int) -> int:
    """A tile of a kind that is no red five."""
    return kind * 4 + (kind * 4 in RED_FIVES)


# -- into a riichi
# ----------------------------------------------------------------------------------------------


def push_sections(analysis: Analysis, number: int) -> list[Section]:
    """A section for each of the game's most dangerous discards that lies in the round."""
    return [
        Section(_PUSH, partial(_push, analysis, push))
        for push in analysis.review.most_dangerous()
        if push.round == number
    ]


def _push(analysis: Analysis, push: Push, area: Area) -> None:
    """Draw one dangerous discard: who and when, the tile, the safest tile instead, and the hand."""
    facing, played = push.facing, analysis.record.rounds[push.round]
    paper, top = area.paper, area.top
    against = "リーチ " + "・".join(analysis.names[other] for other in facing.opponents)
    who = f"{wind(played, facing.seat)} {analysis.names[facing.seat]}　{facing.turn}巡目"
    head = area.inset(bottom=area.height - 72)
    _who(head, who, facing.seat == analysis.seat, against, (SMALLEST, MUTED, False), 410)
    frame = frame_of(push.deal_ins)
    draw_danger_tile(paper, area.left + 6, top + 74, 84, tile=facing.tile, chance=push.chance, frame=frame)
    left = area.inset(122, right=area.width - 682)
    left.text(f"放銃率 {percent(push.chance)}", 36, down=98)
    ink = DEALT_IN if push.deal_ins.to_riichi else readable(DOWN) if push.kept_back else MUTED
    left.text(verdict(push), SMALLEST, ink, down=146)
    right = area.inset(area.width - 470, right=90)
    right.text("安全だった牌", SMALLEST, MUTED, "right", down=98)
    right.text(percent(push.least_chance), SMALLEST, MUTED, "right", down=146)
    draw_danger_tile(paper, area.right - 72, top + 74, 72, tile=push.safest, chance=push.least_chance)
    draw_final(paper, left.left, top + 216, facing.hand, facing.melds, raised=facing.tile)
    area.inset(bottom=10).underline()
