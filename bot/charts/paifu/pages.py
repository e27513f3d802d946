"""The pages of a paifu's report for `flask paifu`, and the picture of 危険度; PNG, 1200 pixels wide."""

from __future__ import annotations

from collections.abc import Collection

from bot.charts.canvas.paper import Paper
from bot.charts.paifu.analysis import analysed
from bot.charts.paifu.game_page import draw_game
from bot.charts.paifu.parts import GAP, WIDTH, draw_band, draw_danger_tile, draw_key, tile_height
from bot.charts.paifu.rates import draw_rates
from bot.charts.paifu.round_pages import draw_highlights, highlights
from bot.charts.paifu.words import subtitle
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from rating.paifu.deal_in_rate import SOURCE_RATES, DealInRate
from rating.paifu.record import Record
from rating.paifu.tiles import KINDS


def pages(record: Record) -> list[bytes]:
    """The pages of a record (PNG): luck and play, the rounds with most to see (where there are any), the rates."""
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
    lines = [order[start : start + 7] for start in range(0, len(order), 7)]
    big, small = 140, 100
    step = tile_height(big) + 34
    height = round(BELOW + 90 + step * len(lines) + 90 + 4 * (tile_height(small) + 18) + 60)
    paper = Paper(WIDTH, height)
    draw_header(paper, title, subtitle_words)
    top = draw_key(paper, BELOW) + 20
    if not order:
        draw_empty(paper, "手牌がありません")
    for line in lines:
        for place, tile in enumerate(line):
            draw_danger_tile(paper, EDGE + place * (big + 20), top, big, tile=tile, chance=chances[tile // 4])
        top += step
    top = draw_band(paper, top, "すべての牌") + 20
    for suit in range(4):
        for place, kind in enumerate(kind for kind in range(suit * 9, suit * 9 + 9) if kind in kinds):
            plain = kind * 4 + (1 if kind < 27 and kind % 9 == 4 else 0)
            draw_danger_tile(
                paper, EDGE + place * (small + GAP * 3), top, small, tile=plain, chance=chances[kind]
            )
        top += tile_height(small) + 18
    return paper.png()
