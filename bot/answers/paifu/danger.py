"""危険度: how likely each tile of a typed hand is to deal in against the rivers of players in
riichi.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot import texts
from bot.answers.common.reader import SEATS as SEAT_WORDS
from bot.answers.common.rounds import tile_name
from bot.answers.common.scope import offered, seats_of
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
MANY_RIVERS = "河は{}人までです。1人の河は、空白をあけずに続けて書いてください。"
MANY_TILES = "手牌は14枚までです。いまは{}枚あります。"
NO_HAND = "手牌がありません。"
_GROUP = re.compile(r"(?<![0-9])([0-9]+)([mpsz])")
_TILES = re.compile(r"(?:[0-9]+[mps]|[1-7]+z)+")
_HAND, _RIVER, _INDICATOR, _DORA = range(4)
_LABELS = {
    **dict.fromkeys(("手牌", "手"), _HAND),
    **dict.fromkeys(("捨て牌", "捨牌", "河"), _RIVER),
    **dict.fromkeys(("どら表示牌", "どら表示"), _INDICATOR),
    "どら": _DORA,
}
_LABEL = re.compile(rf"({'|'.join(_LABELS)})[:=]?")


@dataclass(frozen=True)
class Asked:
    """What was typed, as tiles in notation (`123m406p`): dora indicators, or the dora
    themselves.
    """

    hand: str = ""
    rivers: tuple[str, ...] = ()
    indicators: str = ""
    dora: str = ""

    @property
    def tiles(self) -> str:
        return "".join([self.hand, *self.rivers, self.indicators, self.dora])


def read(words: Iterable[str]) -> tuple[Asked, str]:
    """(the words as hand, rivers, dora indicators and dora; the first word that can't be read, else
    ""). Reading ends at such a word. Each word after the hand is a river. A label (河, ドラ表示,
    ドラ) may stand before a word. A label that stands alone holds for all words up to the next
    label; after 河 those words are one river."""
    parts = {_HAND: "", _INDICATOR: "", _DORA: ""}
    rivers: list[str] = []
    part = _HAND
    alone = False
    odd = ""
    for word in words:
        plain = normal(word)
        label = _LABEL.match(plain)
        if label:
            part = _LABELS[label[1]]
            plain = plain[label.end() :]
            alone = not plain
            if part == _RIVER:
                rivers.append("")
            if alone:
                continue
        if not _TILES.fullmatch(plain):
            odd = word
            break
        if part in parts:
            parts[part] += plain
        elif rivers and (alone or label):
            rivers[-1] += plain
        else:
            rivers.append(plain)
        if not alone:
            part = _RIVER
    return Asked(
        parts[_HAND],
        tuple(filter(None, rivers)),
        parts[_INDICATOR],
        parts[_DORA],
    ), odd


def shown(asked: Asked, seats: int) -> Asked:
    """What was typed with each dora as its indicator, the tile that lies open: ドラ3m shows 2m."""
    if not asked.dora:
        return asked
    indicators = asked.indicators
    for name in _names(asked.dora):
        kind = parse(name)[0] // 4
        indicators += notation([indicator_of(kind, seats) * 4 + 1])
    return replace(asked, indicators=indicators, dora="")


def problem(asked: Asked, seats: int) -> str:
    """What is wrong with what was typed and `shown`, "" when nothing is wrong."""
    if not asked.hand:
        return NO_HAND
    if not asked.rivers:
        return NO_RIVER
    if len(asked.rivers) >= seats:
        return MANY_RIVERS.format(seats - 1)
    names = _names(asked.tiles)
    named = Counter(names)
    plain = Counter(name.replace("0", "5") for name in names)  # a red five is a five
    many = [name for name, count in named.items() if name[0] == "0" and count > 1]
    many += [name for name, count in plain.items() if count > 4]
    if many:
        return f"{tile_name(parse(many[0])[0])}の枚数が多すぎます。"
    tiles = len(_names(asked.hand))
    return MANY_TILES.format(tiles) if tiles > 14 else ""


def in_words(asked: Asked, seats: int) -> str:
    """The rivers and the dora as they were understood: 河 19m4p2z　ドラ3m（表示牌2m）."""
    parts = ["河 " + " / ".join(asked.rivers)]
    if asked.indicators:
        parts.append(f"ドラ表示{asked.indicators}")
    if asked.dora:
        of_dora = shown(replace(asked, indicators=""), seats).indicators
        parts.append(f"ドラ{asked.dora}（表示牌{of_dora}）")
    return "　".join(parts)


def _names(tiles: str) -> list[str]:
    """The tiles one by one: 123m -> 1m 2m 3m."""
    return [digit + found[2] for found in _GROUP.finditer(tiles) for digit in found[1]]


# By number of seats.
EXAMPLES = {4: "123m406p789s1123z 19m4p2z ドラ表示3m", 3: "19m406p789s11123z 9m4p2z ドラ表示3p"}
HOW = (
    "手牌、リーチした人の河、ドラ表示牌の順に書いてください（河は{}人まで、ドラは省けます）。\n\n"
    "例：危険度 {}\n\n"
    "m=萬子、p=筒子、s=索子、z=字牌（東南西北白發中が1〜7）、0は赤5です。「ドラ3p」と書くと、表示牌は2pになります。\n"
    "三人打ちは「三麻」、四人打ちは「四麻」を付けると選べます（いまは{}）。"
)
ODD = "「{}」を牌として読めません。"
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
    lines = [order[start : start + 7] for start in range(0, len(order), 7)]
    sections = [key(), space(30)]
    sections += [_tiles(tiles, chances, 140, 20, 34) for tiles in lines]
    if not order:
        sections.append(line("手牌がありません", "middle"))
    sections.append(band("すべての牌", air=20))
    sections += [_tiles(tiles, chances, 100, 24, 18) for tiles in suits]
    sections.append(space(60))
    return titled("危険度", chart.subtitle, sections)


def _tiles(
    tiles: Sequence[int], chances: Sequence[DealInRate], width: int, apart: int, below: int
) -> Section:
    def draw(area: Area) -> None:
        for place, tile in enumerate(tiles):
            left = area.left + place * (width + apart)
            draw_danger_tile(
                area.paper, left, area.top, width, tile=tile, chance=chances[tile // 4]
            )

    return Section(tile_height(width) + below, draw)


def league_seats(snapshot: LeagueSnapshot) -> int:
    """The commonest number of seats in the latest season; 4 without a game."""
    seasons = snapshot.seasons
    games = same_seats(snapshot.all_games(seasons[-1].number)) if seasons else []
    return len(games[0].seats) if games else 4


def answer(question: Question) -> Reply:
    """The danger of each tile as picture and text.

    Raises UserError, with an example, for other words.
    """
    typed = question.option("q").split() or question.command.rest
    words = [word for word in typed if normal(word) not in SEAT_WORDS]
    seats = _seats_meant(question, typed)
    if not words:
        raise UserError(how(seats), _choices(seats))
    asked, odd = read(words)
    if odd:
        raise _refused(ODD.format(odd[:20]), seats, chatter=not asked.hand)
    kinds = {parse(name)[0] // 4 for name in _names(asked.tiles)}
    # Three do not play with 2 to 8 of man.
    if seats == 3 and not kinds.isdisjoint(ABSENT_IN_THREE):
        as_four = choice(
            "四人打ちで見る",
            Ask.DANGER,
            seats=4,
            q=" ".join(map(normal, words)),
        )
        raise UserError(ABSENT, (as_four, *_choices(seats)))
    lying = shown(asked, seats)
    if wrong := problem(lying, seats):
        raise _refused(wrong, seats)
    rates = rates_with(question.snapshot, seats)
    try:
        found = situation(lying.hand, lying.rivers, lying.indicators, seats=seats, rates=rates)
    except PaifuError:
        raise UserError(how(seats), _choices(seats)) from None
    sentence = in_sentences(found)
    chart = DangerChart(
        f"{texts.SEATS[seats]}　{in_words(asked, seats)}", found.hand, found.chance, seats
    )
    return Reply(
        (
            Picture(
                chart,
                draw,
                sentence,
                (Text(sentence),),
            ),
            Text(sentence),
        ),
        _choices(seats),
    )


def _seats_meant(question: Question, typed: Sequence[str]) -> int:
    """The number of seats of the button, else of the first word for one, else of the league."""
    seats = seats_of(question)
    if seats:
        return seats
    for word in map(normal, typed):
        if word in SEAT_WORDS:
            return int(SEAT_WORDS[word])
    return league_seats(question.snapshot)


def how(seats: int) -> str:
    """How to ask, with an example for so many seats."""
    return HOW.format(seats - 1, EXAMPLES[seats], texts.SEATS[seats])


def _refused(wrong: str, seats: int, chatter: bool = False) -> UserError:
    return UserError(f"{wrong}\n\n{how(seats)}", _choices(seats), chatter=chatter)


def in_sentences(found: Situation) -> str:
    """The safe tiles, the three least likely to deal in, the likeliest one, and where the rates
    come from.
    """
    chances = found.chance
    tiles = {tile // 4: tile for tile in found.hand}.values()
    order = sorted(
        tiles,
        key=lambda tile: (
            chances[tile // 4].rate,
            found.danger[tile // 4],
            tile,
        ),
    )
    safe = [tile_name(tile) for tile in order if not found.danger[tile // 4]]
    rest = [tile for tile in order if found.danger[tile // 4]]
    words = [f"{tile_name(tile)} {percent(chances[tile // 4])}" for tile in rest]
    lines = [f"安全：{'、'.join(safe) or 'ありません'}"]
    if rest:
        lines.append(f"通りやすい順：{'、'.join(words[:3])}")
    if len(rest) > 3:
        lines.append(f"いちばん危ない：{words[-1]}")
    own = [chances[tile // 4].own for tile in rest]
    if own and (found.seats == 4 or not any(own)):
        source = SOURCE if found.seats == 4 else SOURCE_OF_THREE
        lines.append(f"％は放銃率の目安です（{source}での割合）。")
    elif own:
        sentence = "％は放銃率の目安です（三人打ちの牌譜での割合と、その95%の範囲）。"
        if not all(own):
            sentence += f"（　）のない％は{SOURCE_OF_THREE}での割合です。"
        lines.append(sentence)
    return "\n".join(lines)


def _choices(seats: int) -> tuple[Choice, ...]:
    other = 7 - seats
    example = choice("例を見る", Ask.DANGER, q=EXAMPLES[seats], seats=seats)
    other_example = choice(
        f"{texts.SEATS[other]}の例",
        Ask.DANGER,
        q=EXAMPLES[other],
        seats=other,
    )
    return offered(example, other_example, choice("牌譜", Ask.RECORDS))


SPECS = (
    Spec(
        name=Ask.DANGER,
        title="危険度",
        help="手牌と河から、牌の危険度を出します（例は「危険度」とだけ送ると出ます）",
        answer=answer,
        words="危険度 きけんど 危険",
        longest=200,  # a hand and three rivers
    ),
)
