"""The rounds of a paifu as strips: each player's discards into a riichi, with their danger points."""

from __future__ import annotations

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import ASKER_ROW, FAINT, INK
from bot.charts.paifu.parts import (
    DEALT_IN,
    GAP,
    TALLEST,
    WIDTH,
    draw_band,
    draw_danger_tile,
    draw_key,
    tile_height,
)
from bot.charts.parts.header import BELOW, EDGE, draw_header
from rating.paifu.events import Riichi
from rating.paifu.review import Push, Review

TITLE = "リーチに対する打牌"
_TILE, _NAMES = 62, 210
_ACROSS = int((WIDTH - 2 * EDGE - _NAMES) // (_TILE + GAP))
_LINE = tile_height(_TILE) + 24

Strip = tuple[int, tuple[Push, ...]]
"""A seat and its discards."""
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
            room = tall - BELOW - 80
        pages[-1].append(block)
        room -= needed
    return pages


def _strips(done: Review, number: int) -> list[Strip]:
    pushes = done.of_round(number)
    strips = (
        (seat, tuple(push for push in pushes if push.facing.seat == seat))
        for seat in range(done.record.seats)
    )
    return [(seat, own) for seat, own in strips if own]


def _lines(own: tuple[Push, ...]) -> int:
    return -(-len(own) // _ACROSS)


def _height(strips: list[Strip]) -> float:
    return 70 + 14 + sum(_lines(own) * _LINE for _, own in strips) + 16


def _page(done: Review, blocks: list[Block], place: int, count: int, seat: int | None) -> bytes:
    height = BELOW + 60 + sum(_height(strips) for _, strips in blocks) + 20
    paper = Paper(WIDTH, round(height))
    number = f"（{place}/{count}）" if count > 1 else ""
    draw_header(paper, TITLE + number, "数字は危険度。薄い牌はリーチ後のツモ切り、赤い枠は放銃")
    top = draw_key(paper, BELOW - 10) + 10
    for index, strips in blocks:
        top = _round(paper, done, index, strips, top=top, seat=seat)
    return paper.png()


def _round(
    paper: Paper, done: Review, index: int, strips: list[Strip], top: float, seat: int | None
) -> float:
    played, players = done.record.rounds[index], done.record.players
    declared = dict.fromkeys(event.seat for event in played.events if isinstance(event, Riichi))
    top = draw_band(paper, top, played.name, "リーチ " + "・".join(players[other] for other in declared)) + 14
    for owner, own in strips:
        lines = _lines(own)
        if owner == seat:
            paper.box(0, top - 8, WIDTH, top + lines * _LINE - 8, ASKER_ROW)
        middle = top + tile_height(_TILE) / 2
        paper.text(EDGE, middle - 18, players[owner], 34, INK, bold=owner == seat, room=_NAMES - 16, least=24)
        hit = any(push.dealt_in for push in own)
        back = sum(push.kept_back for push in own)
        words = "放銃" if hit else f"押しすぎ{back}" if back else ""
        paper.text(EDGE, middle + 26, words, 30, DEALT_IN if hit else FAINT)
        for place, push in enumerate(own):
            x = EDGE + _NAMES + place % _ACROSS * (_TILE + GAP)
            y = top + place // _ACROSS * _LINE
            facing = push.facing
            draw_danger_tile(
                paper,
                x,
                y,
                _TILE,
                tile=facing.tile,
                points=push.danger,
                pale=facing.in_riichi,
                hit=push.dealt_in,
            )
        top += lines * _LINE
    return top + 16
