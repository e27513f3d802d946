"""上位卓: how often everybody discarded as Tenhou's top table would, and the rarest discards.

Only sentences that docs/claims.md allows: a discard is usual or rare among strong players, never
good, bad or a mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from bot.answers.common.rounds import tile_name, wind
from bot.answers.paifu.analysis import Analysis
from bot.chat.replies import Row, Table
from bot.draw.layout import Area, Section, prose, titled
from bot.draw.paper import Paper
from bot.draw.style import DOWN, INK, LOOKED_FOR, MUTED, SMALLEST, UP
from bot.draw.tiles import HIGH, draw_tile
from rating.paifu.table import RiverTile, TableState
from rating.paifu.top_table.review import SAME_AT_TOP_TABLE, Agreement, TopTableChoice, rarest

Link = Callable[[int], str]
"""The postback data that shows the rarest discards of a seat."""
TITLE = "上位卓との比較"
RAREST = "珍しい打牌"
SHOW_RAREST = "{name}の珍しい打牌"
SAME = "上位卓と同じ打牌 {share}（上位卓どうし {usual}）"
UNUSUAL_COUNT = "上位卓が5%未満しか選ばない打牌 {count}回（ふつう{expected}回）"
NO_UNUSUAL = "上位卓が5%未満しか選ばない打牌はありません。"
FAVOURITE = "上位卓でいちばん多い打牌：{tile} {share}"
ONE_IN = "強い人の約{people}人に1人がこう切ります"
UNDER_ONE_IN_200 = "強い人でこう切るのは200人に1人もいません"
MEANING = (
    "上位卓は、天鳳の三人打ち最上位卓1,500戦から学んだモデルの予想です。"
    "珍しい打牌がよくないとは限りません。"
)
SHARE = "上位卓 {share}"
SHARES_OF = (
    "上位卓は、天鳳の三人打ち最上位卓1,500戦から学んだモデルの予想です（棒：切る割合、黒：実戦）。"
)
DIVIDED = "上位卓でも分かれる一打です（半分が選ぶ打牌はありません）。"
CALLS = "{who}の鳴き"
BARS = "棒：上位卓がその牌を切る割合（同じ牌は合わせて）。"
TAKEN = "打 {tile}：{rarity}"
TAKEN_AT = "{where}　打 {tile}"
RIVER = "{who}の河"
OWN = "自分"
SEAT = "{wind}家"
INDICATORS = "ドラ表示"
ALT = "珍しい打牌：{first}"
WHERE = "{round}　{turn}巡目　{wind}家 {name}"
FEWEST_DECISIONS = 10  # of a seat; with fewer nothing is compared
LEAST_SHOWN = 0.01  # of a share below a tile
SMALLEST_SHARE = 0.005  # below it: UNDER_ONE_IN_200
_PEOPLE = (20, 25, 30, 40, 50, 70, 100, 150, 200)
_TILE = 70
_BARS = 190
_RIVER_TILE = 42
_RIVER_LINE = _RIVER_TILE * HIGH + 16
_RIVER_LEFT = 210
_GAP = 4


def rarity_text(share: float) -> str:
    """How many strong players would have made a discard of this share, which is unusual.

    >>> rarity_text(0.033)
    '強い人の約30人に1人がこう切ります'
    """
    if share < SMALLEST_SHARE:
        return UNDER_ONE_IN_200
    people = min(_PEOPLE, key=partial(_distance, 1 / share))
    return ONE_IN.format(people=people)


def _distance(value: float, other: float) -> float:
    """How far two numbers are apart as a ratio, 0 for equal ones."""
    return max(value / other, other / value) - 1


def agreement_text(agreement: Agreement) -> str:
    """The share of discards that are the top table's favourite, with that of the top table."""
    share = agreement.same / agreement.decisions
    return SAME.format(share=f"{share:.0%}", usual=f"{SAME_AT_TOP_TABLE:.0%}")


def unusual_text(agreement: Agreement) -> str:
    """How many discards were unusual, with how many are usual among strong players."""
    expected = f"{agreement.expected_unusual:.1f}"
    return UNUSUAL_COUNT.format(count=agreement.unusual, expected=expected)


def agreement_rows(analysis: Analysis, link: Link) -> tuple[Row, ...]:
    """A row for each seat with enough discards, whose tap shows the rarest of them."""
    rows = []
    for seat in analysis.order:
        agreement = analysis.agreements[seat]
        if agreement.decisions < FEWEST_DECISIONS:
            continue
        data = ""
        if agreement.unusual:
            data = link(seat)
        name = analysis.record.players[seat]
        rows.append(
            Row(
                name,
                "",
                detail=f"{agreement_text(agreement)}\n{unusual_text(agreement)}",
                data=data,
                said=SHOW_RAREST.format(name=name),
            )
        )
    return tuple(rows)


def rarest_of(analysis: Analysis) -> tuple[TopTableChoice, ...]:
    """The rarest discards of the seat to mark, or of all seats without one."""
    if analysis.seat is None:
        return rarest(analysis.choices)
    return rarest(choice for choice in analysis.choices if choice.seat == analysis.seat)


def rarest_table(analysis: Analysis, when: str) -> Table:
    """The rarest discards in words."""
    rows = rarest_rows(analysis)
    if not rows:
        rows = (Row(NO_UNUSUAL, ""),)
    alt = ALT.format(first=rows[0].name)
    return Table(RAREST, rows, subtitle=when, note=MEANING, alt=alt)


def where_text(analysis: Analysis, choice: TopTableChoice) -> str:
    """東2局　5巡目　南家 みどり."""
    played = analysis.record.rounds[choice.round]
    return WHERE.format(
        round=played.name,
        turn=choice.turn,
        wind=wind(played, choice.seat),
        name=analysis.record.players[choice.seat],
    )


def rarest_rows(analysis: Analysis) -> tuple[Row, ...]:
    """The rarest discards in words: the tile, how rare it is, and what most would discard."""
    rows = []
    for choice in rarest_of(analysis):
        favourite = choice.favourite
        usual = FAVOURITE.format(
            tile=tile_name(favourite * 4 + 1), share=f"{choice.shares[favourite]:.0%}"
        )
        rows.append(
            Row(
                TAKEN_AT.format(where=where_text(analysis, choice), tile=tile_name(choice.tile)),
                "",
                detail=f"{rarity_text(choice.share)}\n{usual}",
            )
        )
    return tuple(rows)


def draw_rarest(analysis: Analysis, place: int) -> bytes:
    """A PNG, 1200 pixels wide, of the discard at a place of `rarest_of`: its table, and the hand
    with the top table's shares.
    """
    choice = rarest_of(analysis)[place]
    played = analysis.record.rounds[choice.round]
    table = TableState(played)
    for event in played.events[: choice.at]:
        table.apply(event)
    bars = ShareBars(choice)

    def head(area: Area) -> None:
        words = TAKEN.format(tile=tile_name(choice.tile), rarity=rarity_text(choice.share))
        area.text(words, LOOKED_FOR, bold=True, down=40)

    def hand(area: Area) -> None:
        bars.draw(area.paper, area.left, area.top + 16)

    sections = [Section(80, head), Section(bars.height + 24, hand)]
    sections.append(_labelled(INDICATORS, table.indicators))
    for step in range(table.seats):
        seat = (choice.seat + step) % table.seats
        who = SEAT.format(wind=wind(played, seat))
        if step == 0:
            who = OWN
        sections.append(_river(RIVER.format(who=who), table.rivers[seat]))
        if table.melds[seat]:
            tiles: list[int] = []
            for meld in table.melds[seat]:
                tiles += meld.tiles
            sections.append(_labelled(CALLS.format(who=who), tiles))
    sections.append(prose(f"{BARS}{MEANING}", air=10, most=3))
    return titled(RAREST, where_text(analysis, choice), sections, least=0)


class ShareBars:
    """The hand with a bar below each tile, as long as the share of the top table that discards it.

    The tile discarded is raised, and its bar is dark."""

    def __init__(self, choice: TopTableChoice) -> None:
        self.choice = choice
        self.height = _TILE * HIGH + bars_height(choice.shares)

    def draw(self, paper: Paper, left: float, top: float) -> None:
        for tile in self.choice.hand:
            raised = 0
            colour = UP
            if tile == self.choice.tile:
                raised = 14
                colour = INK
            draw_tile(paper, left, top - raised, _TILE, tile)
            place = BarPlace(paper, left, top + _TILE * HIGH, _TILE)
            draw_share(
                place,
                share=self.choice.shares[tile // 4],
                colour=colour,
                is_taken=tile == self.choice.tile,
            )
            left += _TILE + _GAP


class BarPlace(NamedTuple):
    """Where a bar is drawn: below a tile of a width, at its left and lower edges."""

    paper: Paper
    left: float
    top: float
    width: float


def draw_share(place: BarPlace, share: float, colour: str, is_taken: bool) -> None:
    """A bar as long as the share, and the share in words below it."""
    bar_top = place.top + 8
    bottom = bar_top + 3 + share * _BARS
    place.paper.box(place.left + 4, bar_top, place.left + place.width - 4, bottom, colour)
    middle = place.left + place.width / 2
    place.paper.text(middle, bottom + 24, share_text(share, is_taken), SMALLEST, colour, "middle")


def share_text(share: float, is_taken: bool) -> str:
    """A share: 12%; one too small to be shown is "", that of the tile discarded <1%."""
    if share >= LEAST_SHOWN:
        return f"{share:.0%}"
    if is_taken:
        return "<1%"
    return ""


def bars_height(shares: Sequence[float]) -> float:
    """How much room bars with these shares and their words take below the tiles, in pixels."""
    return 60 + max(shares) * _BARS


def _labelled(label: str, tiles: Sequence[int]) -> Section:
    """A line of small tiles behind a label."""

    def draw(area: Area) -> None:
        area.text(label, SMALLEST, MUTED, down=_RIVER_TILE * HIGH / 2)
        left = area.left + _RIVER_LEFT
        for tile in tiles:
            draw_tile(area.paper, left, area.top, _RIVER_TILE, tile)
            left += _RIVER_TILE + _GAP

    return Section(_RIVER_LINE, draw)


def _river(label: str, river: Sequence[RiverTile]) -> Section:
    """The discards of a seat in order; those just drawn are pale, that of a riichi is marked."""

    def draw(area: Area) -> None:
        area.text(label, SMALLEST, MUTED, down=_RIVER_TILE * HIGH / 2)
        left = area.left + _RIVER_LEFT
        for thrown in river:
            right = left + _RIVER_TILE
            if thrown.riichi:
                frame = replace(area, left=left, right=right).inset(-4, -4, -4)
                frame.inset(bottom=frame.height - _RIVER_TILE * HIGH - 8).plate(DOWN, 8)
            draw_tile(area.paper, left, area.top, _RIVER_TILE, thrown.tile, pale=thrown.drawn)
            left = right + _GAP

    return Section(_RIVER_LINE, draw)
