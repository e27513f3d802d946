"""The discards into a riichi as strips: each player's tiles in a round, with their chance to deal in."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from bot.answers.paifu.pictures.analysis import Analysis
from bot.answers.paifu.pictures.parts import (
    GAP,
    band,
    draw_danger_tile,
    draw_robbed_tile,
    frame_of,
    key,
    tile_height,
)
from bot.answers.paifu.pictures.words import strip_words, wind
from bot.draw.layout import EDGE, WIDTH, Area, Section, line, paragraph, space
from bot.draw.paper import Paper
from bot.draw.style import FAINT, LOOKED_FOR, MUTED, SMALLEST
from rating.paifu.deal_in import Ron, count
from rating.paifu.record import Riichi
from rating.paifu.review import Push, Review

TITLE = "リーチに対する打牌"
EXPLAINED = ("薄い牌はリーチ後のツモ切り", "赤い枠はリーチへの放銃、灰色の枠はリーチ以外への放銃")
_TILE, _NAMES = 68, 300
_ACROSS = int((WIDTH - 2 * EDGE - _NAMES) // (_TILE + GAP))
_LINE = tile_height(_TILE) + 24


class Strip(NamedTuple):
    """One seat in one round: its discards into a riichi, and the rons by players in riichi on its kans or
    kita."""

    seat: int
    pushes: tuple[Push, ...]
    robbed: tuple[Ron, ...]


def push_strips(analysis: Analysis, number: int) -> list[Section]:
    """The strips of a round below a heading and the key; [] where nobody discarded into a riichi."""
    strips = strips_of(analysis.review, number)
    if not strips:
        return []
    played = analysis.record.rounds[number]
    declared = dict.fromkeys(event.seat for event in played.events if isinstance(event, Riichi))
    against = "リーチ " + "・".join(wind(played, seat) for seat in declared)
    rows = [Section(_lines(strip) * _LINE, partial(_strip, analysis, number, strip)) for strip in strips]
    return [
        band(TITLE, against),
        key(),
        *(line(words, height=46) for words in EXPLAINED),
        space(22),
        *rows,
    ]


def strips_of(done: Review, number: int) -> list[Strip]:
    """The seats with discards into a riichi, or with a robbed kan or kita, in the round at index `number`."""
    pushes = done.of_round(number)
    robbed = done.robbed(number)
    strips = (
        Strip(
            seat,
            tuple(push for push in pushes if push.facing.seat == seat),
            tuple(ron for ron in robbed if ron.giver == seat),
        )
        for seat in range(done.record.seats)
    )
    return [strip for strip in strips if strip.pushes or strip.robbed]


def _lines(strip: Strip) -> int:
    return -(-(len(strip.pushes) + bool(strip.robbed)) // _ACROSS)


def _strip(analysis: Analysis, number: int, strip: Strip, area: Area) -> None:
    own, mine = strip.pushes, strip.seat == analysis.seat
    if mine:
        area.inset(top=-8, bottom=8).band()
    names = area.inset(right=area.width - _NAMES + 16)
    left = names.text(wind(analysis.record.rounds[number], strip.seat), SMALLEST, MUTED, down=26) + 8
    names.inset(left).text(analysis.names[strip.seat], LOOKED_FOR, bold=mine, down=26)
    ink = frame_of(count([*strip.robbed, *(ron for push in own for ron in push.facing.rons)])) or FAINT
    words = strip_words(own, strip.robbed)
    paragraph(area.paper, names.left, names.top + 72, words, SMALLEST, ink, names.width, 2)
    for place, push in enumerate(own):
        draw_danger_tile(
            *_place(area, place),
            push.facing.tile,
            push.chance,
            push.facing.in_riichi,
            frame_of(push.deal_ins),
        )
    for ron in strip.robbed[:1]:
        draw_robbed_tile(*_place(area, len(own)), ron.tile)


def _place(area: Area, place: int) -> tuple[Paper, float, float, float]:
    """The sheet, and the left edge, the top and the width of a tile."""
    line, column = divmod(place, _ACROSS)
    return area.paper, area.left + _NAMES + column * (_TILE + GAP), area.top + line * _LINE, _TILE
