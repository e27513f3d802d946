"""The discards into a riichi as strips: each player's tiles in a round, with their chance to deal in."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import ASKER_ROW, FAINT, INK, LOOKED_FOR, MUTED
from bot.charts.canvas.wrap import paragraph
from bot.charts.paifu.analysis import Analysis
from bot.charts.paifu.parts import (
    GAP,
    SMALLEST,
    WIDTH,
    Section,
    band,
    draw_danger_tile,
    draw_key,
    draw_robbed_tile,
    frame_of,
    tile_height,
)
from bot.charts.paifu.words import strip_words, wind
from bot.charts.parts.header import EDGE
from rating.paifu.events import Riichi
from rating.paifu.review import Push, Review
from rating.paifu.rons import Ron, count

TITLE = "リーチに対する打牌"
EXPLAINED = ("薄い牌はリーチ後のツモ切り", "赤い枠はリーチへの放銃、灰色の枠はリーチ以外への放銃")
_TILE, _NAMES = 68, 300
_ACROSS = int((WIDTH - 2 * EDGE - _NAMES) // (_TILE + GAP))
_LINE = tile_height(_TILE) + 24
_KEY = 70 + 2 * 46 + 12


class Strip(NamedTuple):
    """One seat in one round: its discards into a riichi, and the rons by players in riichi on its kans or kita."""

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
    return [band(TITLE, against), Section(_KEY, lambda paper, top: _explain(paper, top)), *rows]


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


def _explain(paper: Paper, top: float) -> None:
    top = draw_key(paper, top)
    for place, words in enumerate(EXPLAINED):
        paper.text(EDGE, top + 26 + 46 * place, words, SMALLEST, MUTED)


def _strip(analysis: Analysis, number: int, strip: Strip, paper: Paper, top: float) -> None:
    own, mine, lines = strip.pushes, strip.seat == analysis.seat, _lines(strip)
    if mine:
        paper.box(0, top - 8, WIDTH, top + lines * _LINE - 8, ASKER_ROW)
    y, room = top + 26, _NAMES - 16
    left = EDGE + paper.text(EDGE, y, wind(analysis.record.rounds[number], strip.seat), SMALLEST, MUTED) + 8
    paper.text(
        left,
        y,
        analysis.names[strip.seat],
        LOOKED_FOR,
        INK,
        bold=mine,
        room=EDGE + room - left,
        least=SMALLEST,
    )
    ink = frame_of(count([*strip.robbed, *(ron for push in own for ron in push.facing.rons)])) or FAINT
    paragraph(paper, EDGE, y + 46, strip_words(own, strip.robbed), SMALLEST, ink, room, 2)
    _tiles(paper, strip, top)


def _tiles(paper: Paper, strip: Strip, top: float) -> None:
    """Draw the discards of one seat, and after them the tile of a kan that was robbed."""
    places = [
        (EDGE + _NAMES + place % _ACROSS * (_TILE + GAP), top + place // _ACROSS * _LINE)
        for place in range(len(strip.pushes) + 1)
    ]
    for (x, y), push in zip(places, strip.pushes, strict=False):
        draw_danger_tile(
            paper,
            x,
            y,
            _TILE,
            tile=push.facing.tile,
            chance=push.chance,
            pale=push.facing.in_riichi,
            frame=frame_of(push.deal_ins),
        )
    for ron in strip.robbed[:1]:
        draw_robbed_tile(paper, *places[-1], _TILE, ron.tile)
