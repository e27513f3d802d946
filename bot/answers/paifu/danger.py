"""危険度: shows how dangerous each tile of a typed hand is against the rivers of players in riichi."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from bot import texts
from bot.answers.common.scope import offered
from bot.answers.paifu.tile_words import tile_name
from bot.charts.paifu.pages import draw_danger
from bot.chat.command import Question, Spec, choice, normal
from bot.chat.replies import Choice, Picture, Reply, Text, UserError
from rating.paifu.review import per_cent
from rating.paifu.situation import Situation, situation
from rating.paifu.tiles import PaifuError, parse

MOST_RIVERS, MOST_TILES = 3, 14
EXAMPLE = "123m406p789s1123z 19m4p2z ドラ3m"
HOW = (
    "手牌、リーチした人の河、ドラ表示牌の順に書いてください（河は3人まで、ドラは省けます）。\n\n"
    f"例：危険度 {EXAMPLE}\n\n"
    "m=萬子、p=筒子、s=索子、z=字牌（東南西北白發中が1〜7）、0は赤5です。"
)
NO_RIVER = "リーチした人の河がありません。手牌のあとに空白をあけて、河を書いてください。"
MANY_RIVERS = "河は3人までです。1人の河は、空白をあけずに続けて書いてください。"
MANY_TILES = "手牌は14枚までです。いまは{}枚あります。"
NO_HAND = "手牌がありません。"
ODD = "「{}」を牌として読めません。"
_GROUP = re.compile(r"([0-9]+)([mpsz])")
_TILES = re.compile(r"(?:[0-9]+[mps]|[1-7]+z)+")
_HAND, _RIVER, _DORA = range(3)
_LABELS = {
    "手牌": _HAND,
    "手": _HAND,
    "捨て牌": _RIVER,
    "捨牌": _RIVER,
    "河": _RIVER,
    "どら表示牌": _DORA,
    "どら表示": _DORA,
    "どら": _DORA,
}
_LABEL = re.compile(rf"({'|'.join(_LABELS)})[:=]?")


@dataclass(frozen=True)
class Asked:
    """What was typed, as tiles in notation (`123m406p`)."""

    hand: str = ""
    rivers: tuple[str, ...] = ()
    dora: str = ""


@dataclass(frozen=True)
class DangerChart:
    """The data of the picture: `hand` are tiles (0-135), `danger` is in points by tile kind (0-33)."""

    subtitle: str
    hand: tuple[int, ...]
    danger: tuple[int, ...]


def draw(chart: DangerChart) -> bytes:
    """The picture as PNG."""
    return draw_danger("危険度", chart.subtitle, chart.hand, chart.danger)


def answer(question: Question) -> Reply:
    """The danger of each tile as picture and text. Raises UserError, with an example, when the words can't be read."""
    words = question.option("q").split() or list(question.command.rest)
    if not words:
        raise UserError(HOW, _choices())
    asked = read(words)
    found = _situation(asked)
    against = "河 " + " / ".join(asked.rivers) + (f"　ドラ表示 {asked.dora}" if asked.dora else "")
    sentence = in_words(found)
    chart = DangerChart(against, found.hand, found.danger)
    return Reply((Picture(chart, draw, sentence, (Text(sentence),)), Text(sentence)), _choices())


def read(words: Iterable[str]) -> Asked:
    """The words as hand, rivers and dora indicators. Raises UserError, which names the word, when one can't be read.

    Each word after the hand is a river. A label (河, ドラ) may stand before a word. A label that stands alone holds for
    all words up to the next label; after 河 those words are one river.
    """
    hand, rivers, dora, part, alone = "", list[str](), "", _HAND, False
    for word in words:
        plain = normal(word)
        label = _LABEL.match(plain)
        if label:
            part, plain = _LABELS[label[1]], plain[label.end() :]
            alone = not plain
            rivers += [""] * (part == _RIVER)
            if alone:
                continue
        if not _TILES.fullmatch(plain):
            raise UserError(f"{ODD.format(word[:20])}\n\n{HOW}", _choices(), chatter=not hand)
        if part == _HAND:
            hand += plain
        elif part == _DORA:
            dora += plain
        elif rivers and (alone or label):
            rivers[-1] += plain
        else:
            rivers.append(plain)
        part = part if alone else _RIVER
    return Asked(hand, tuple(filter(None, rivers)), dora)


def _situation(asked: Asked) -> Situation:
    problem = _problem(asked)
    if problem:
        raise UserError(f"{problem}\n\n{HOW}", _choices())
    try:
        return situation(asked.hand, asked.rivers, asked.dora)
    except PaifuError:
        raise UserError(HOW, _choices()) from None


def _problem(asked: Asked) -> str:
    """What is wrong with what was typed, "" when nothing is wrong."""
    if not asked.hand:
        return NO_HAND
    if not asked.rivers:
        return NO_RIVER
    if len(asked.rivers) > MOST_RIVERS:
        return MANY_RIVERS
    named = Counter(_names("".join([asked.hand, asked.dora, *asked.rivers])))
    red = next((name for name, count in named.items() if name[0] == "0" and count > 1), None)
    plain = Counter({name: count for name, count in named.items() if name[0] != "0"})
    for suit in "mps":
        plain[f"5{suit}"] += named[f"0{suit}"]
    five = red or next((name for name, count in plain.items() if count > 4), None)
    if five:
        return f"{_spoken(five)}の枚数が多すぎます。"
    tiles = len(_names(asked.hand))
    return MANY_TILES.format(tiles) if tiles > MOST_TILES else ""


def _names(tiles: str) -> list[str]:
    """The tiles one by one: 123m -> 1m 2m 3m."""
    return [digit + found[2] for found in _GROUP.finditer(tiles) for digit in found[1]]


def _spoken(name: str) -> str:
    return tile_name(parse(name)[0])


def in_words(found: Situation) -> str:
    """The hand's tiles in three groups: the safe ones, the three least dangerous others, the most dangerous one."""
    order = sorted({tile // 4: tile for tile in found.hand}.values(), key=lambda t: (found.danger[t // 4], t))
    safe = [tile_name(tile) for tile in order if not found.danger[tile // 4]]
    rest = [
        f"{tile_name(tile)} {texts.number(per_cent(danger), 1)}%"
        for tile in order
        if (danger := found.danger[tile // 4])
    ]
    lines = [f"安全：{'、'.join(safe) or 'ありません'}"]
    if rest:
        lines.append(f"通りやすい順：{'、'.join(rest[:3])}")
    if len(rest) > 3:
        lines.append(f"いちばん危ない：{rest[-1]}")
    return "\n".join([*lines, "％は、放銃する率のめやすです。"] if rest else lines)


def _choices() -> tuple[Choice, ...]:
    return offered(choice("例を見る", "danger", q=EXAMPLE), choice("牌譜", "record_report"))


SPECS = (
    Spec(
        name="danger",
        title="危険度",
        help="手牌と河から、牌の危険度を出します（例は「危険度」とだけ送ると出ます）",
        answer=answer,
        words=("危険度", "きけんど", "危険"),
    ),
)
