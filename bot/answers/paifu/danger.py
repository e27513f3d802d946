"""危険度: how likely each tile of a typed hand is to deal in against the rivers of players in
riichi.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import NamedTuple

from bot import texts
from bot.answers.common.reader import SEATS as SEAT_WORDS
from bot.answers.common.rounds import tile_name
from bot.answers.common.scope import offered, other_seats, seats_of
from bot.answers.paifu import texts as paifu_texts
from bot.answers.paifu.analysis import SOURCE, SOURCE_OF_THREE, percent, rates_with
from bot.answers.paifu.hands import band, draw_danger_tile, key, plain, tile_height
from bot.chat.command import Ask, Question, Spec, choice, normal
from bot.chat.replies import Choice, Picture, Reply, Text, UserError
from bot.draw.layout import Area, Section, line, space, titled
from bot.league.snapshot import LeagueSnapshot
from rating.games import same_seats
from rating.paifu.deal_in import DealInRate
from rating.paifu.situation import Situation, situation
from rating.paifu.tiles import ABSENT_IN_THREE, KINDS, PaifuError, indicator_of, notation, parse

NO_RIVER = "リーチした人の河がありません。手牌のあとに空白をあけて、河を書いてください。"
MANY_RIVERS = "河は{rivers}人までです。1人の河は、空白をあけずに続けて書いてください。"
MANY_TILES = "手牌は14枚までです。いまは{tiles}枚あります。"
MANY_OF_A_KIND = "{tile}の枚数が多すぎます。"
NO_HAND = "手牌がありません。"
_GROUP = re.compile(r"(?<![0-9])([0-9]+)([mpsz])")
_TILES = re.compile(r"(?:[0-9]+[mps]|[1-7]+z)+")


class _Part(StrEnum):
    """What a typed word describes."""

    HAND = auto()
    RIVER = auto()
    INDICATOR = auto()
    DORA = auto()


_LABELS = {
    **dict.fromkeys(("手牌", "手"), _Part.HAND),
    **dict.fromkeys(("捨て牌", "捨牌", "河"), _Part.RIVER),
    **dict.fromkeys(("どら表示牌", "どら表示"), _Part.INDICATOR),
    "どら": _Part.DORA,
}
_LABEL = re.compile(rf"({'|'.join(_LABELS)})[:=]?")


@dataclass(frozen=True)
class TypedTiles:
    """The tiles that a member typed, in notation (`123m406p`): dora indicators, or the dora
    themselves.
    """

    hand: str = ""
    rivers: tuple[str, ...] = ()
    indicators: str = ""
    dora: str = ""

    @property
    def tiles(self) -> str:
        return "".join([self.hand, *self.rivers, self.indicators, self.dora])


class ReadHand(NamedTuple):
    """Words read as tiles. `unread`: the first word that can't be read, else ""."""

    typed: TypedTiles
    unread: str


def read(words: Iterable[str]) -> ReadHand:
    """Read words as hand, rivers, dora indicators and dora, up to a word that can't be read.

    The first word is the hand, each further word a river, unless a label (手, 河, ドラ表示, ドラ)
    is written before it: `ドラ5m`. A label that is a word of its own is for all words up to the
    next label: in `河 1m 9p` both words are one river.
    """
    tiles_of = dict.fromkeys(_Part, "")  # but for rivers
    rivers: list[str] = []
    part = _Part.HAND
    label_is_alone = False  # of the last label: it was a word on its own
    unread = ""
    for word in words:
        tiles = normal(word)
        label = _LABEL.match(tiles)
        if label:
            part = _LABELS[label[1]]
            tiles = tiles[label.end() :]
            label_is_alone = not tiles
        if part == _Part.RIVER and (label or not label_is_alone):
            rivers.append("")
        if label and label_is_alone:
            continue
        if not _TILES.fullmatch(tiles):
            unread = word
            break
        if part == _Part.RIVER:
            rivers[-1] += tiles
        else:
            tiles_of[part] += tiles
        if not label_is_alone:
            part = _Part.RIVER
    typed = TypedTiles(
        hand=tiles_of[_Part.HAND],
        rivers=tuple(filter(None, rivers)),
        indicators=tiles_of[_Part.INDICATOR],
        dora=tiles_of[_Part.DORA],
    )
    return ReadHand(typed, unread)


def shown(typed: TypedTiles, seats: int) -> TypedTiles:
    """The tiles with each dora as its indicator, the tile that lies open: ドラ3m shows 2m."""
    if not typed.dora:
        return typed
    indicators = typed.indicators
    for name in _names(typed.dora):
        kind = parse(name)[0] // 4
        indicators += notation([indicator_of(kind, seats) * 4 + 1])
    return replace(typed, indicators=indicators, dora="")


def problem(typed: TypedTiles, seats: int) -> str:
    """The sentence about a fault of tiles that are `shown`, "" where they have none."""
    if not typed.hand:
        return NO_HAND
    if not typed.rivers:
        return NO_RIVER
    if len(typed.rivers) >= seats:
        return MANY_RIVERS.format(rivers=seats - 1)
    excess = _excess_tile(_names(typed.tiles))
    if excess:
        return MANY_OF_A_KIND.format(tile=tile_name(parse(excess)[0]))
    tiles = len(_names(typed.hand))
    if tiles > 14:
        return MANY_TILES.format(tiles=tiles)
    return ""


def _excess_tile(names: Sequence[str]) -> str:
    """A tile that is typed more often than it exists, "" for none. A red five is a five too."""
    for name, count in Counter(names).items():
        if name.startswith("0") and count > 1:
            return name
    for name, count in Counter(name.replace("0", "5") for name in names).items():
        if count > 4:
            return name
    return ""


def in_words(typed: TypedTiles, seats: int) -> str:
    """The rivers and the dora as they were understood: 河 19m4p2z　ドラ3m（表示牌2m）."""
    parts = [RIVERS.format(rivers=" / ".join(typed.rivers))]
    if typed.indicators:
        parts.append(INDICATORS.format(tiles=typed.indicators))
    if typed.dora:
        indicators = shown(replace(typed, indicators=""), seats).indicators
        parts.append(DORA.format(tiles=typed.dora, indicators=indicators))
    return "　".join(parts)


def _names(tiles: str) -> list[str]:
    """The tiles one by one: 123m -> 1m 2m 3m."""
    names: list[str] = []
    for group in _GROUP.finditer(tiles):
        digits, suit = group.groups()
        names += [digit + suit for digit in digits]
    return names


# By number of seats.
EXAMPLES = {4: "123m406p789s1123z 19m4p2z ドラ表示3m", 3: "19m406p789s11123z 9m4p2z ドラ表示3p"}
HOW = (
    "手牌、リーチした人の河、ドラ表示牌の順に書いてください（河は{rivers}人まで、ドラは省けます）。\n\n"
    "例：危険度 {example}\n\n"
    "m=萬子、p=筒子、s=索子、z=字牌（東南西北白發中が1〜7）、0は赤5です。「ドラ3p」と書くと、表示牌は2pになります。\n"
    "三人打ちは「三麻」、四人打ちは「四麻」を付けると選べます（いまは{seats}）。"
)
UNREAD = "「{text}」を牌として読めません。"
REFUSED = "{reason}\n\n{how}"
RIVERS = "河 {rivers}"
INDICATORS = "ドラ表示{tiles}"
DORA = "ドラ{tiles}（表示牌{indicators}）"
TITLE = "危険度"
SUBTITLE = "{seats}　{typed}"
NO_TILES = "手牌がありません"
ALL_TILES = "すべての牌"
AS_FOUR = "四人打ちで見る"
EXAMPLE = "例を見る"
OTHER_EXAMPLE = "{seats}の例"
SAFE = "安全：{tiles}"
NO_SAFE = "安全：ありません"
SAFER_FIRST = "通りやすい順：{tiles}"
MOST_DANGEROUS = "いちばん危ない：{tile}"
RATES_OF = "％は放銃率の目安です（{source}での割合）。"
OWN_RATES = "％は放銃率の目安です（三人打ちの牌譜での割合と、その95%の範囲）。"
OWN_RATES_PARTLY = (
    "％は放銃率の目安です（三人打ちの牌譜での割合と、その95%の範囲）。"
    "（　）のない％は{source}での割合です。"
)
ABSENT = (
    "三人打ちに2萬から8萬はありません（四人打ちのときは「危険度 四麻」に続けて書いてください）。"
)


@dataclass(frozen=True)
class DangerChart:
    """The data of the picture:

    `hand` are tiles (0-135), `chances` those of the kinds 0-33 to deal in.
    """

    subtitle: str
    hand: tuple[int, ...]
    chances: tuple[DealInRate, ...]
    seats: int


def draw(chart: DangerChart) -> bytes:
    """A PNG of the hand from safe to dangerous, then of all kinds that so many play with."""
    chances = chart.chances
    order = sorted(
        chart.hand,
        key=lambda tile: (chances[tile // 4].rate, tile),
    )
    suits: list[list[int]] = [[], [], [], []]
    for kind in range(KINDS):
        if chart.seats == 4 or kind not in ABSENT_IN_THREE:
            suits[kind // 9].append(plain(kind))
    lines = [
        order[start : start + 7]
        for start in range(
            0,
            len(order),
            7,
        )
    ]
    sections = [key(), space(30)]
    sections += [_tiles(tiles, chances, _TileRow(140, 20, 34)) for tiles in lines]
    if not order:
        sections.append(line(NO_TILES, "middle"))
    sections.append(band(ALL_TILES, air=20))
    sections += [_tiles(tiles, chances, _TileRow(100, 24, 18)) for tiles in suits]
    sections.append(space(60))
    return titled(TITLE, chart.subtitle, sections)


class _TileRow(NamedTuple):
    """Pixels: a tile's width, the gap between two, and the room below the row."""

    width: int
    gap: int
    below: int


def _tiles(tiles: Sequence[int], chances: Sequence[DealInRate], row: _TileRow) -> Section:
    def draw(area: Area) -> None:
        for place, tile in enumerate(tiles):
            x = area.left + place * (row.width + row.gap)
            chance = chances[tile // 4]
            draw_danger_tile(area.paper, x, area.top, row.width, tile=tile, chance=chance)

    return Section(tile_height(row.width) + row.below, draw)


def league_seats(snapshot: LeagueSnapshot) -> int:
    """The commonest number of seats in the latest season; 4 without a game."""
    if not snapshot.seasons:
        return 4
    games = same_seats(snapshot.all_games(snapshot.seasons[-1].number))
    if not games:
        return 4
    return len(games[0].seats)


def answer(question: Question) -> Reply:
    """The danger of each tile as picture and text.

    Raises UserError, with an example, for other words.
    """
    words = question.option("q").split() or question.command.rest
    seats = _seats_meant(question, words)
    tile_words = [word for word in words if normal(word) not in SEAT_WORDS]
    if not tile_words:
        raise UserError(how(seats), _buttons(seats))
    reading = read(tile_words)
    typed = reading.typed
    if reading.unread:
        reason = UNREAD.format(text=reading.unread[:20])
        raise _refused(reason, seats, chatter=not typed.hand)
    kinds = {parse(name)[0] // 4 for name in _names(typed.tiles)}
    # Three do not play with 2 to 8 of man.
    if seats == 3 and not kinds.isdisjoint(ABSENT_IN_THREE):
        query = " ".join(map(normal, tile_words))
        as_four = choice(AS_FOUR, Ask.DANGER, seats=4, q=query)
        raise UserError(ABSENT, (as_four, *_buttons(seats)))
    danger = _figures(question, typed, seats)
    text = Text(in_sentences(danger))
    return Reply((_picture(danger, typed, text), text), _buttons(seats))


def _figures(question: Question, typed: TypedTiles, seats: int) -> Situation:
    """The chance of each tile to deal in. Raises UserError for tiles that can't be."""
    lying = shown(typed, seats)
    fault = problem(lying, seats)
    if fault:
        raise _refused(fault, seats)
    rates = rates_with(question.snapshot, seats)
    try:
        return situation(lying.hand, lying.rivers, lying.indicators, seats=seats, rates=rates)
    except PaifuError:
        raise UserError(how(seats), _buttons(seats)) from None


def _picture(danger: Situation, typed: TypedTiles, text: Text) -> Picture:
    seats = danger.seats
    subtitle = SUBTITLE.format(seats=texts.SEATS[seats], typed=in_words(typed, seats))
    chart = DangerChart(subtitle, danger.hand, danger.chance, seats)
    return Picture(chart, draw, text.text, (text,))


def _seats_meant(question: Question, words: Sequence[str]) -> int:
    """The number of seats of the button, else of the first word for one, else of the league."""
    seats = seats_of(question)
    if seats:
        return seats
    for word in map(normal, words):
        if word in SEAT_WORDS:
            return int(SEAT_WORDS[word])
    return league_seats(question.snapshot)


def how(seats: int) -> str:
    """How to ask, with an example for so many seats."""
    return HOW.format(
        rivers=seats - 1,
        example=EXAMPLES[seats],
        seats=texts.SEATS[seats],
    )


def _refused(reason: str, seats: int, chatter: bool = False) -> UserError:
    sentence = REFUSED.format(reason=reason, how=how(seats))
    return UserError(sentence, _buttons(seats), chatter=chatter)


def in_sentences(danger: Situation) -> str:
    """The safe tiles, the three least likely to deal in, the likeliest one, and where the rates
    come from.
    """
    tiles = _safer_first(danger)
    safe = [tile_name(tile) for tile in tiles if not danger.danger[tile // 4]]
    risky = [tile for tile in tiles if danger.danger[tile // 4]]
    rates = [f"{tile_name(tile)} {percent(danger.chance[tile // 4])}" for tile in risky]
    sentences = [NO_SAFE]
    if safe:
        sentences = [SAFE.format(tiles="、".join(safe))]
    if rates:
        sentences.append(SAFER_FIRST.format(tiles="、".join(rates[:3])))
    if len(rates) > 3:
        sentences.append(MOST_DANGEROUS.format(tile=rates[-1]))
    if risky:
        sentences.append(_source_sentence(danger, risky))
    return "\n".join(sentences)


def _safer_first(danger: Situation) -> list[int]:
    """A tile of each kind in the hand, the safest first."""

    def risk(tile: int) -> tuple[float, ...]:
        return (danger.chance[tile // 4].rate, danger.danger[tile // 4], tile)

    return sorted({tile // 4: tile for tile in danger.hand}.values(), key=risk)


def _source_sentence(danger: Situation, risky: Sequence[int]) -> str:
    """Where the rates of these tiles come from: Tenhou's games, or the league's own records."""
    if danger.seats == 4:
        return RATES_OF.format(source=SOURCE)
    are_own = [danger.chance[tile // 4].own for tile in risky]
    if not any(are_own):
        return RATES_OF.format(source=SOURCE_OF_THREE)
    if all(are_own):
        return OWN_RATES
    return OWN_RATES_PARTLY.format(source=SOURCE_OF_THREE)


def _buttons(seats: int) -> tuple[Choice, ...]:
    other = other_seats(seats)
    example = choice(EXAMPLE, Ask.DANGER, q=EXAMPLES[seats], seats=seats)
    other_label = OTHER_EXAMPLE.format(seats=texts.SEATS[other])
    other_example = choice(other_label, Ask.DANGER, q=EXAMPLES[other], seats=other)
    return offered(example, other_example, choice(paifu_texts.RECORDS, Ask.RECORDS))


SPECS = (
    Spec(
        name=Ask.DANGER,
        title=TITLE,
        help="手牌と河から、牌の危険度を出します（例は「危険度」とだけ送ると出ます）",
        answer=answer,
        words="危険度 きけんど 危険",
        longest=200,  # a hand and three rivers
    ),
)
