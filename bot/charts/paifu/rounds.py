"""The rounds of a paifu as strips: each player's discards into a riichi, with their danger points."""

from __future__ import annotations

from typing import NamedTuple

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import ASKER_ROW, FAINT, INK
from bot.charts.paifu.parts import (
    GAP,
    TALLEST,
    WIDTH,
    draw_band,
    draw_danger_tile,
    draw_key,
    draw_robbed_tile,
    frame_of,
    tile_height,
)
from bot.charts.paifu.words import strip_words
from bot.charts.parts.header import BELOW, EDGE, draw_header
from rating.paifu.events import Riichi
from rating.paifu.review import Push, Review
from rating.paifu.rons import Ron, count

TITLE = "リーチに対する打牌"
EXPLAINED = "薄い牌はリーチ後のツモ切り\u3000赤い枠はリーチへの放銃、灰色の枠はリーチ以外への放銃"
_TILE, _NAMES = 62, 264
_ACROSS = int((WIDTH - 2 * EDGE - _NAMES) // (_TILE + GAP))
_LINE = tile_height(_TILE) + 24


class Strip(NamedTuple):
    """One seat in one round: its discards into a riichi, and the rons by players in riichi on its kans or kita."""

    seat: int
    pushes: tuple[Push, ...]
    robbed: tuple[Ron, ...]


Block = tuple[int, list[Strip]]
"""A round's index in the record and its strips."""


def round_pages(done: Review, seat: int | None = None, most: int = 3) -> list[bytes]:
    """The pages (PNG) of the rounds with discards into a riichi. `seat` (0-3) is the asker's.

    Pages get taller where there would be more than `most`. Without such rounds the list is empty.
    """
    pages = _layout(done, most)
    return [_page(done, page, place, len(pages), seat) for place, page in enumerate(pages, 1)]


def count_pages(done: Review, most: int) -> int:
    """The number of pages that `round_pages` returns."""
    return len(_layout(done, most))


def _layout(done: Review, most: int) -> list[list[Block]]:
    blocks = [
        (number, strips) for number in range(len(done.record.rounds)) if (strips := _strips(done, number))
    ]
    tall = TALLEST
    while len(pages := _split(blocks, tall)) > most:
        tall += 200
    return pages


def _split(blocks: list[Block], tall: float) -> list[list[Block]]:
    """The rounds in order, on each page as many as its height allows and at least one."""
    pages: list[list[Block]] = []
    room = 0.0
    for block in blocks:
        needed = _height(block[1])
        if not pages or needed > room:
            pages.append([])
            room = tall - BELOW - 104
        pages[-1].append(block)
        room -= needed
    return pages


def _strips(done: Review, number: int) -> list[Strip]:
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


def _height(strips: list[Strip]) -> float:
    return 70 + 14 + sum(_lines(strip) * _LINE for strip in strips) + 16


def _page(done: Review, blocks: list[Block], place: int, count: int, seat: int | None) -> bytes:
    height = BELOW + 84 + sum(_height(strips) for _, strips in blocks) + 20
    paper = Paper(WIDTH, round(height))
    number = f"（{place}/{count}）" if count > 1 else ""
    draw_header(paper, TITLE + number, EXPLAINED)
    top = draw_key(paper, BELOW + 14) + 10
    for index, strips in blocks:
        top = _round(paper, done, index, strips, top=top, seat=seat)
    return paper.png()


def _round(
    paper: Paper, done: Review, index: int, strips: list[Strip], top: float, seat: int | None
) -> float:
    played, players = done.record.rounds[index], done.record.players
    declared = dict.fromkeys(event.seat for event in played.events if isinstance(event, Riichi))
    top = draw_band(paper, top, played.name, "リーチ " + "・".join(players[other] for other in declared)) + 14
    for strip in strips:
        own, mine, lines = strip.pushes, strip.seat == seat, _lines(strip)
        if mine:
            paper.box(0, top - 8, WIDTH, top + lines * _LINE - 8, ASKER_ROW)
        middle = top + tile_height(_TILE) / 2
        paper.text(EDGE, middle - 18, players[strip.seat], 34, INK, bold=mine, room=_NAMES - 16, least=24)
        ink = frame_of(count([*strip.robbed, *(ron for push in own for ron in push.facing.rons)])) or FAINT
        paper.text(EDGE, middle + 26, strip_words(own, strip.robbed), 32, ink, room=_NAMES - 16, least=24)
        _tiles(paper, strip, top)
        top += lines * _LINE
    return top + 16


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
