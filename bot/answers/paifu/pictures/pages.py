"""The pages of a paifu's report for `flask paifu`, and the picture of 危険度; PNG, 1200 pixels wide."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.answers.paifu.pictures.analysis import analysed
from bot.answers.paifu.pictures.discards import plain
from bot.answers.paifu.pictures.game_page import draw_game
from bot.answers.paifu.pictures.parts import band, draw_danger_tile, key, tile_height
from bot.answers.paifu.pictures.rates import draw_rates
from bot.answers.paifu.pictures.round_pages import draw_highlights, highlights
from bot.answers.paifu.pictures.words import subtitle
from bot.draw.layout import Area, Section, line, space, titled
from rating.paifu.deal_in import SOURCE_RATES, DealInRate
from rating.paifu.record import Record
from rating.paifu.tiles import KINDS


def pages(record: Record) -> list[bytes]:
    """The pages of a record (PNG): luck and play, the rounds with most to see (where there are any), the
    rates."""
    analysis = analysed(record, SOURCE_RATES)
    rounds = [draw_highlights(analysis)] if highlights(analysis) else []
    return [draw_game(analysis), *rounds, draw_rates(record, subtitle(record))]


def draw_danger(
    title: str,
    subtitle_words: str,
    hand: tuple[int, ...],
    chances: tuple[DealInRate, ...],
    kinds: Collection[int] = range(KINDS),
) -> bytes:
    """A PNG of the hand (tiles 0-135) from safe to dangerous, then of all `kinds`.

    `chances` are those of the kinds 0-33 to deal in.
    """
    order = sorted(hand, key=lambda tile: (chances[tile // 4].rate, tile))
    suits = [[plain(kind) for kind in range(suit * 9, suit * 9 + 9) if kind in kinds] for suit in range(4)]
    sections = [
        key(),
        space(30),
        *(_tiles(order[start : start + 7], chances, 140, 20, 34) for start in range(0, len(order), 7)),
        *([] if order else [line("手牌がありません", "middle")]),
        band("すべての牌", air=20),
        *(_tiles(tiles, chances, 100, 24, 18) for tiles in suits),
        space(60),
    ]
    return titled(title, subtitle_words, sections)


def _tiles(
    tiles: Sequence[int], chances: Sequence[DealInRate], width: int, apart: int, below: int
) -> Section:
    """A line of tiles of a width, so many pixels apart, with room below."""

    def draw(area: Area) -> None:
        for place, tile in enumerate(tiles):
            left = area.left + place * (width + apart)
            draw_danger_tile(area.paper, left, area.top, width, tile=tile, chance=chances[tile // 4])

    return Section(tile_height(width) + below, draw)
