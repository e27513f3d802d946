"""The report of one paifu as PNG pages, 1200 pixels wide: push and fold, then the rounds, then the rates.

There are at most five pages, because a LINE reply holds five messages
(https://developers.line.biz/en/reference/messaging-api/#send-reply-message).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.charts.canvas.paper import Paper
from bot.charts.canvas.style import ASKER_ROW, DOWN, FAINT, GRID_COLOUR, INK, MUTED, UP
from bot.charts.canvas.unique_names import told_apart
from bot.charts.paifu.parts import (
    DEALT_IN,
    GAP,
    TO_OTHERS,
    WIDTH,
    draw_band,
    draw_bar,
    draw_danger_tile,
    draw_key,
    frame_of,
    tile_height,
)
from bot.charts.paifu.rates import draw_rates
from bot.charts.paifu.rounds import count_pages, round_pages
from bot.charts.paifu.words import NOT_RIICHI, percent, verdict
from bot.charts.parts.header import BELOW, EDGE, draw_empty, draw_header
from bot.charts.parts.tiles import draw_tile
from rating.paifu.deal_in_rate import DealInRate
from rating.paifu.record import Record
from rating.paifu.review import Push, PushRating, Review, review
from rating.paifu.tiles import KINDS

TITLE = "押し引きレポート"
MOST_PAGES = 5
_ROW = 120
_WORST = 330


def pages(
    record: Record, seat: int | None = None, reviewed: Review | None = None, most: int = MOST_PAGES
) -> list[bytes]:
    """The report's pages (PNG), `most` at most. `seat` (0-3) is the asker's, whose rows are marked.

    With `reviewed`, the record's review, it is not computed again.
    """
    done = _told_apart(reviewed or review(record))
    record = done.record
    rounds = round_pages(done, seat, most - 2)
    return [_overview(done, seat), *rounds, draw_rates(record, subtitle(record))]


def _told_apart(done: Review) -> Review:
    """The review with the players' names as they are drawn."""
    shown = told_apart(done.record.players)
    return replace(
        done,
        record=replace(done.record, players=tuple(shown[name] for name in done.record.players)),
        ratings=tuple(replace(row, player=shown[row.player]) for row in done.ratings),
    )


def how_many(done: Review, most: int = MOST_PAGES) -> int:
    """The number of pages that `pages` returns."""
    return 2 + count_pages(done, most - 2)


def subtitle(record: Record) -> str:
    """The rule and the number of rounds: 四鳳南喰赤・12局."""
    return f"{record.rules.name.replace('－', '')}・{len(record.rounds)}局"


def _overview(done: Review, seat: int | None) -> bytes:
    worst = done.most_dangerous(3)
    height = BELOW + 70 + 44 + _ROW * len(done.ratings) + 30 + 70 + _WORST * max(1, len(worst)) + 20
    paper = Paper(WIDTH, height)
    draw_header(paper, TITLE, subtitle(done.record))
    top = _ratings(paper, done, BELOW, seat)
    top = draw_band(paper, top + 30, "危険だった打牌", "リーチに対して")
    for push in worst:
        top = _worst(paper, done, push, top)
    if not worst:
        paper.text(
            WIDTH / 2, top + 120, "安全牌より危険な打牌はありませんでした", 40, colour=MUTED, anchor="middle"
        )
    return paper.png()


def _ratings(paper: Paper, done: Review, top: float, seat: int | None) -> float:
    """Draw a row for each player: free discards into a riichi, the share the rule agrees with, extra risk, deal-ins."""
    top = draw_band(paper, top, "押し引き", "リーチに対する打牌")
    for x, words in ((640, "基準と一致"), (752, "打牌"), (965, "余計なリスク"), (WIDTH - EDGE, "放銃")):
        paper.text(x, top + 24, words, 32, colour=FAINT, anchor="right")
    top += 44
    points, placings = done.record.points(), done.record.placings()
    for place, row in enumerate(done.ratings):
        y = top + _ROW / 2
        if place == seat:
            paper.box(0, top, WIDTH, top + _ROW, ASKER_ROW)
        paper.text(EDGE, y - 18, row.player, 40, INK, bold=place == seat, room=300, least=28)
        paper.text(EDGE, y + 28, f"{placings[place] + 1}位　{points[place]:,}点", 32, MUTED, room=300)
        if row.choices:
            draw_bar(
                paper, 370, y + 30, 270, share=row.agreement, colour=UP if row.agreement >= 0.8 else DOWN
            )
            paper.text(640, y - 12, f"{row.agreement:.0%}", 42, colour=INK, anchor="right", bold=True)
            paper.text(752, y, f"{row.choices}", 38, colour=INK, anchor="right")
            paper.text(965, y, f"{row.spare:,.0f}点", 38, colour=INK, anchor="right")
        else:
            paper.text(640, y, "該当なし", 34, colour=FAINT, anchor="right")
        _deal_ins(paper, row, y)
        top += _ROW
        paper.across(top, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)
    return top


def _deal_ins(paper: Paper, row: PushRating, y: float) -> None:
    """Draw a player's deal-ins to a riichi, and below them those to others."""
    right, (riichi, others) = WIDTH - EDGE, row.deal_ins
    ink = DEALT_IN if riichi else FAINT
    paper.text(right, y - 12 if others else y, f"{riichi}", 42, colour=ink, anchor="right", bold=True)
    if others:
        paper.text(right, y + 32, f"{NOT_RIICHI}に{others}", 30, colour=TO_OTHERS, anchor="right", room=185)


def _worst(paper: Paper, done: Review, push: Push, top: float) -> float:
    """Draw one dangerous discard: who and when, the tile, the safest tile instead, and the hand."""
    facing, record = push.facing, done.record
    against = "・".join(record.players[other] for other in facing.opponents)
    where = f"{record.rounds[push.round].name} {facing.turn}巡目　{record.players[facing.seat]}"
    paper.text(EDGE, top + 40, where, 38, INK, bold=True, room=660, least=28)
    paper.text(
        WIDTH - EDGE, top + 40, f"リーチ {against}", 32, colour=MUTED, anchor="right", room=410, least=24
    )
    draw_danger_tile(
        paper, EDGE, top + 78, 84, tile=facing.tile, chance=push.chance, frame=frame_of(push.deal_ins)
    )
    paper.text(EDGE + 116, top + 102, f"放銃率 {percent(push.chance)}", 36, INK, room=560, least=28)
    paper.text(
        EDGE + 116,
        top + 150,
        verdict(push),
        34,
        DEALT_IN if push.deal_ins.to_riichi else DOWN if push.kept_back else MUTED,
        room=560,
        least=26,
    )
    paper.text(WIDTH - EDGE - 90, top + 102, "安全だった牌", 32, colour=MUTED, anchor="right")
    paper.text(
        WIDTH - EDGE - 90, top + 150, percent(push.least_chance), 34, colour=MUTED, anchor="right", room=300
    )
    draw_danger_tile(paper, WIDTH - EDGE - 72, top + 78, 72, tile=push.safest, chance=push.least_chance)
    _hand(paper, push, EDGE + 116, top + 200)
    paper.across(top + _WORST - 8, EDGE, WIDTH - EDGE, 2, GRID_COLOUR)
    return top + _WORST


def _hand(paper: Paper, push: Push, left: float, top: float) -> None:
    """Draw the hand with the discard a little higher, and the calls at the end."""
    called = [meld.tiles for meld in push.facing.melds]
    tiles = len(push.facing.hand) + sum(map(len, called))
    width = min(62.0, (WIDTH - EDGE - 84 - left) / (tiles + 0.4 * len(called)) - 3)
    for tile in push.facing.hand:
        draw_tile(paper, left, top - (12 if tile == push.facing.tile else 0), width, tile)
        left += width + 3
    for meld in called:
        left += width * 0.3
        for tile in meld:
            draw_tile(paper, left, top, width, tile, pale=True)
            left += width + 3


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
