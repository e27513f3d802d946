"""Hands and discards as tiles: what each seat was dealt and held at the end, discards weighed for
speed and for danger, and the strips of discards into a riichi."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from bot.answers.common.rounds import wind, yaku_words
from bot.answers.paifu.analysis import (
    Analysis,
    percent,
    points_words,
    shanten_words,
    strip_words,
    verdict,
    whole_percent,
)
from bot.draw.layout import EDGE, WIDTH, Area, Section, line, paragraph, space
from bot.draw.paper import Paper
from bot.draw.style import (
    DOWN,
    FAINT,
    INK,
    LABEL,
    LOOKED_FOR,
    MUTED,
    PANEL,
    SMALLEST,
    UP,
    blend,
    on,
    readable,
)
from bot.draw.tiles import HIGH, draw_tile
from rating.paifu.deal_in import DealInCount, DealInRate, Ron, count
from rating.paifu.efficiency import DiscardChoice, TileChoice, shanten_of
from rating.paifu.melds import Meld, MeldType
from rating.paifu.record import Riichi
from rating.paifu.review import Push, Review
from rating.paifu.table import TableState
from rating.paifu.tiles import RED_FIVES, counts

TALLEST = 1900
TILE = 62  # the width of a tile at which its characters have that size
SAFE = "#CFE3F1"
MILD = "#F7E3CF"
HIGH_DANGER = "#F0A868"
EXTREME = DOWN
# frames of a deal-in: to a player in riichi, and to another
DEALT_IN = "#A50026"
TO_OTHERS = "#6B6B6B"
STRIP_GAP = 8
_MEANINGS = "0 安全", "5%以下", "6〜7%", "8%以上 危険"


def band(words: str, right: str = "", air: float = 14) -> Section:
    """A heading across the page, with some room below."""

    def draw(area: Area) -> None:
        strip = area.inset(bottom=air)
        strip.band(PANEL)
        strip.inset(right=520 if right else 0).text(words, LABEL, bold=True)
        strip.inset(strip.width - 500).text(right, SMALLEST, MUTED, "right")

    return Section(70 + air, draw)


def danger_colour(chance: DealInRate) -> str:
    """The colour of a chance to deal in: blue for none, then orange, deeper from 5.5 and 7.5 %."""
    if not chance.high:
        return SAFE
    if chance.rate < 0.055:
        return MILD
    if chance.rate < 0.075:
        return HIGH_DANGER
    return EXTREME


def frame_of(dealt: DealInCount) -> str:
    """The colour of the frame of a discard that these wins took; "" for none."""
    if dealt.to_riichi:
        return DEALT_IN
    if dealt.to_others:
        return TO_OTHERS
    return ""


def tile_height(width: float) -> float:
    """The height in pixels of a tile with its danger below it."""
    return width * HIGH + width * 0.62


def draw_danger_tile(
    paper: Paper,
    left: float,
    top: float,
    width: float,
    tile: int,
    chance: DealInRate,
    pale: bool = False,
    frame: str = "",
) -> None:
    """Draw a tile (0-135) with its chance to deal in (per cent) below; `frame` is a colour of
    `frame_of`.
    """
    if frame:
        paper.pill(
            left - 6,
            top - 6,
            left + width + 6,
            top + tile_height(width) + 4,
            radius=10,
            colour=frame,
        )
    draw_tile(paper, left, top, width, tile=tile, pale=pale)
    y = top + width * (HIGH + 0.08)
    colour = frame or danger_colour(chance)
    if pale and not frame:
        colour = blend(colour, "#FFFFFF", 0.5)
    paper.pill(
        left,
        y,
        left + width,
        y + width * 0.54,
        radius=width * 0.12,
        colour=colour,
    )
    ink = MUTED if pale and not frame else on(colour)
    size = max(SMALLEST, round(width * 0.5))
    paper.text(
        left + width / 2, y + width * 0.27, whole_percent(chance), size, ink, "middle", not pale
    )


def key() -> Section:
    """What the danger colours and the numbers mean."""

    def draw(area: Area) -> None:
        left = area.left
        y = area.top + 26
        for colour, words in zip((SAFE, MILD, HIGH_DANGER, EXTREME), _MEANINGS, strict=True):
            area.paper.pill(
                left,
                y - 18,
                left + 44,
                y + 18,
                radius=8,
                colour=colour,
            )
            left += 82 + area.paper.text(left + 56, y, words, SMALLEST, MUTED)
        area.text("放銃率（目安）", SMALLEST, MUTED, "right", down=26)

    return Section(60, draw)


TILE_GAP = 2
HAND_LINE = TILE * HIGH + 10
_LABEL = 96
_NAME_LINE = 56
_LAPPED = 0.6  # of a tile's width: how far the tiles of a kan lie apart


def draw_hand(
    paper: Paper,
    left: float,
    top: float,
    tiles: Iterable[int],
    width: float = TILE,
    raised: int = -1,
) -> float:
    """Draw tiles (0-135) side by side, `raised` a little higher; return the right edge."""
    for tile in tiles:
        draw_tile(paper, left, top - (14 if tile == raised else 0), width, tile)
        left += width + TILE_GAP
    return left


def draw_final(
    paper: Paper,
    left: float,
    top: float,
    hand: Sequence[int],
    melds: Sequence[Meld],
    won: int | None = None,
    raised: int = -1,
) -> None:
    """Draw a whole hand: concealed tiles, the winning tile `won` apart, the calls, the norths as
    one.
    """
    called = [meld for meld in melds if meld.type != MeldType.KITA]
    norths = [meld for meld in melds if meld.type == MeldType.KITA]
    kans = sum(1 for meld in called if meld.is_kan)
    tiles = float(len(hand))
    if won is not None:
        tiles += 1.3
    if norths:
        tiles += 2
    tiles += sum(len(meld.tiles) for meld in called if not meld.is_kan)
    apart = kans * (1 + 3 * _LAPPED) + len(called) * 0.3
    width = float(TILE)
    while tiles * (width + TILE_GAP) + apart * width > WIDTH - EDGE - left and width > 40:
        width -= 1
    top += (TILE - width) * HIGH
    left = draw_hand(paper, left, top, hand, width, raised)
    if won is not None:
        left += width * 0.3
        paper.pill(
            left - 5,
            top - 5,
            left + width + 5,
            top + width * HIGH + 5,
            radius=width * 0.16,
            colour=INK,
        )
        draw_tile(paper, left, top, width, won)
        left += width + TILE_GAP
    for meld in called:
        left += width * 0.3
        step = width * _LAPPED if meld.is_kan else width + TILE_GAP
        for place, tile in enumerate(meld.tiles):
            draw_tile(
                paper, left + place * step, top, width, tile, pale=meld.type != MeldType.CLOSED_KAN
            )
        left += (len(meld.tiles) - 1) * step + width + TILE_GAP
    if norths:
        left += width * 0.3
        draw_tile(paper, left, top, width, norths[0].tiles[0], pale=True)
        many = f"×{len(norths)}" if len(norths) > 1 else ""
        paper.text(left + width + 6, top + width * HIGH / 2, many, SMALLEST, MUTED)


def hand_sections(analysis: Analysis, number: int, seats: Iterable[int]) -> list[Section]:
    """A section for each of the `seats` of a round: name, what it was dealt, and its last hand."""
    played = analysis.record.rounds[number]
    table = TableState(played)
    for event in played.events:
        table.apply(event)

    def draw(seat: int, area: Area) -> None:
        if seat == analysis.seat:
            area.band()
        win = next((win for win in played.wins if win.seat == seat), None)
        change = played.change[seat]
        colour = analysis.colours[seat] or INK
        ink = readable(DOWN) if change < 0 else INK
        line = area.inset(top=2, bottom=area.height - _NAME_LINE - 2)
        line = line.inset(
            right=line.text(points_words(change), LOOKED_FOR, ink, "right", bold=True) + 24
        )
        line = line.inset(line.text(wind(played, seat), 38, MUTED) + 14)
        name = line.inset(right=line.width - 340)
        line = line.inset(
            name.text(analysis.names[seat], LOOKED_FOR, readable(colour), bold=True) + 24
        )
        start = shanten_words(shanten_of(counts(played.hands[seat]), played.seats))
        line.text("・".join(yaku_words(win)) if win else f"配牌{start}", SMALLEST, MUTED)
        top = area.top + _NAME_LINE
        left = area.left + _LABEL
        last = top + HAND_LINE
        for words, y in (("配牌", top), ("最後", last)):
            area.paper.text(area.left, y + TILE * HIGH / 2, words, SMALLEST, MUTED)
        draw_hand(area.paper, left, top, sorted(played.hands[seat]))
        won = win.tile if win else None
        hand = sorted(table.hands[seat] - {won})
        draw_final(area.paper, left, last, hand, table.melds[seat], won)

    return [Section(_NAME_LINE + HAND_LINE * 2 + 12, partial(draw, seat)) for seat in seats]


_OPTION_LINE = 98
_CHOICE = 64 + HAND_LINE + 22 + 2 * _OPTION_LINE + 20
_PUSH = 348
_KINDS_FROM = EDGE + 500


def choice_sections(analysis: Analysis, number: int, most: int) -> list[Section]:
    """Sections of the round's discards that cost most speed, and of what was better."""
    played = analysis.record.rounds[number]

    def draw(choice: TileChoice, area: Area) -> None:
        who = f"{wind(played, choice.seat)} {analysis.names[choice.seat]}　{choice.turn}巡目"
        looks = LOOKED_FOR, readable(DOWN), True
        head = area.inset(bottom=area.height - 64)
        _who(head, who, choice.seat == analysis.seat, lost_words(choice), looks, 560)
        draw_hand(
            area.paper,
            area.left,
            head.bottom + 14,
            choice.hand,
            raised=choice.tile,
        )
        kind = choice.best.kind
        better = next(
            (tile for tile in reversed(choice.hand) if tile // 4 == kind),
            kind * 4,
        )
        taken, best = islice(
            area.inset(top=64 + 14 + HAND_LINE + 8).rows(_OPTION_LINE),
            2,
        )
        _option(taken, choice.tile, "切り", choice.taken, MUTED)
        _option(best, better, "切りなら", choice.best, UP)
        best.inset(bottom=-6).underline()

    return [
        Section(_CHOICE, partial(draw, choice)) for choice in analysis.worst_choices(number, most)
    ]


def _who(
    area: Area,
    who: str,
    bold: bool,
    right: str,
    looks: tuple[int, str, bool],
    most: float,
) -> None:
    """Write whose discard it is at the left of a line, and words (size, colour, bold) at the
    right.
    """
    size, colour, heavy = looks
    taken = area.inset(area.width - most).text(right, size, colour, "right", heavy)
    area.inset(right=taken + 24).text(who, LOOKED_FOR, bold=bold)


def lost_words(choice: TileChoice) -> str:
    """What a discard cost: 8枚の損, or シャンテン戻し where the hand got further from complete."""
    if choice.taken.shanten > choice.best.shanten:
        return "シャンテン戻し" if choice.best.shanten else "テンパイ取らず"
    return f"受け入れ {choice.best.tiles - choice.taken.tiles}枚の損"


def _option(
    area: Area,
    tile: int,
    words: str,
    option: DiscardChoice,
    colour: str,
) -> None:
    paper = area.paper
    middle = TILE * HIGH / 2
    draw_tile(paper, area.left, area.top, TILE, tile)
    said = area.inset(TILE + 12, right=area.right - _KINDS_FROM + 24)
    said.text(words, SMALLEST, MUTED, down=middle - 21)
    said.text(shanten_words(option.shanten), SMALLEST, MUTED, down=middle + 21)
    said.text(f"{option.tiles}枚", LABEL, readable(colour), "right", bold=True, down=middle)
    room = int((area.right - _KINDS_FROM) // (TILE + TILE_GAP))
    kinds = option.kinds if len(option.kinds) <= room else option.kinds[: room - 2]
    right = draw_hand(paper, _KINDS_FROM, area.top, [plain(kind) for kind in kinds])
    if len(kinds) < len(option.kinds):
        paper.text(right + 6, area.top + middle, f"…全{len(option.kinds)}種", SMALLEST, MUTED)


def plain(kind: int) -> int:
    """A tile of a kind that is no red five."""
    tile = kind * 4
    if tile in RED_FIVES:
        return tile + 1
    return tile


def push_sections(analysis: Analysis, number: int) -> list[Section]:
    """Sections of the game's most dangerous discards in the round, with the safest tile instead."""
    played = analysis.record.rounds[number]

    def draw(push: Push, area: Area) -> None:
        facing = push.facing
        paper = area.paper
        top = area.top
        against = "リーチ " + "・".join(analysis.names[other] for other in facing.opponents)
        who = f"{wind(played, facing.seat)} {analysis.names[facing.seat]}　{facing.turn}巡目"
        head = area.inset(bottom=area.height - 72)
        _who(
            head,
            who,
            facing.seat == analysis.seat,
            against,
            (SMALLEST, MUTED, False),
            410,
        )
        frame = frame_of(push.deal_ins)
        draw_danger_tile(
            paper,
            area.left + 6,
            top + 74,
            84,
            facing.tile,
            push.chance,
            frame=frame,
        )
        left = area.inset(122, right=area.width - 682)
        left.text(f"放銃率 {percent(push.chance)}", 36, down=98)
        ink = MUTED
        if push.deal_ins.to_riichi:
            ink = DEALT_IN
        elif push.kept_back:
            ink = readable(DOWN)
        left.text(verdict(push), SMALLEST, ink, down=146)
        right = area.inset(area.width - 470, right=90)
        right.text("安全だった牌", SMALLEST, MUTED, "right", down=98)
        right.text(percent(push.least_chance), SMALLEST, MUTED, "right", down=146)
        draw_danger_tile(paper, area.right - 72, top + 74, 72, push.safest, push.least_chance)
        draw_final(
            paper,
            left.left,
            top + 216,
            facing.hand,
            facing.melds,
            raised=facing.tile,
        )
        area.inset(bottom=10).underline()

    pushes = analysis.review.most_dangerous()
    return [Section(_PUSH, partial(draw, push)) for push in pushes if push.round == number]


STRIPS = "リーチに対する打牌"
EXPLAINED = ("薄い牌はリーチ後のツモ切り", "赤い枠はリーチへの放銃、灰色の枠はリーチ以外への放銃")
_STRIP_TILE = 68
_STRIP_NAMES = 300
_STRIP_TILES = int((WIDTH - 2 * EDGE - _STRIP_NAMES) // (_STRIP_TILE + STRIP_GAP))
_STRIP_LINE = tile_height(_STRIP_TILE) + 24


class Strip(NamedTuple):
    """One seat in one round: its discards into a riichi, and such players' rons on its kans or
    kita.
    """

    seat: int
    pushes: tuple[Push, ...]
    robbed: tuple[Ron, ...]


def push_strips(analysis: Analysis, number: int) -> list[Section]:
    """The strips of a round below a heading and the key; [] where nobody discarded into a
    riichi.
    """
    played = analysis.record.rounds[number]

    def draw(strip: Strip, area: Area) -> None:
        paper = area.paper
        own = strip.pushes
        mine = strip.seat == analysis.seat
        if mine:
            area.inset(top=-8, bottom=8).band()
        names = area.inset(right=area.width - _STRIP_NAMES + 16)
        left = names.text(wind(played, strip.seat), SMALLEST, MUTED, down=26) + 8
        names.inset(left).text(
            analysis.names[strip.seat],
            LOOKED_FOR,
            bold=mine,
            down=26,
        )
        rons = [*strip.robbed, *(ron for push in own for ron in push.facing.rons)]
        words = strip_words(own, strip.robbed)
        ink = frame_of(count(rons)) or FAINT
        paragraph(
            paper,
            names.left,
            names.top + 72,
            words,
            SMALLEST,
            ink,
            names.width,
            2,
        )
        tiles: list[Push | Ron] = [*own, *strip.robbed[:1]]
        for place, shown in enumerate(tiles):
            x = area.left + _STRIP_NAMES + place % _STRIP_TILES * (_STRIP_TILE + STRIP_GAP)
            y = area.top + place // _STRIP_TILES * _STRIP_LINE
            wide = _STRIP_TILE
            if isinstance(shown, Push):
                facing = shown.facing
                frame = frame_of(shown.deal_ins)
                draw_danger_tile(
                    paper, x, y, wide, facing.tile, shown.chance, facing.in_riichi, frame
                )
            else:
                paper.pill(
                    x - 6,
                    y - 6,
                    x + wide + 6,
                    y + wide * HIGH + 6,
                    radius=10,
                    colour=DEALT_IN,
                )
                draw_tile(paper, x, y, wide, shown.tile)

    rows = []
    for strip in strips_of(analysis.review, number):
        count_of_tiles = len(strip.pushes)
        if strip.robbed:
            count_of_tiles += 1
        lines = -(-count_of_tiles // _STRIP_TILES)
        rows.append(Section(lines * _STRIP_LINE, partial(draw, strip)))
    declared = dict.fromkeys(event.seat for event in played.events if isinstance(event, Riichi))
    against = "リーチ " + "・".join(wind(played, seat) for seat in declared)
    if not rows:
        return []
    return [
        band(STRIPS, against),
        key(),
        *(line(words, height=46) for words in EXPLAINED),
        space(22),
        *rows,
    ]


def strips_of(done: Review, number: int) -> list[Strip]:
    """The seats with discards into a riichi, or with a robbed kan or kita, in the round at index
    `number`.
    """
    strips = []
    for seat in range(done.record.seats):
        pushes = tuple(push for push in done.of_round(number) if push.facing.seat == seat)
        robbed = tuple(ron for ron in done.robbed(number) if ron.giver == seat)
        if pushes or robbed:
            strips.append(Strip(seat, pushes, robbed))
    return strips
