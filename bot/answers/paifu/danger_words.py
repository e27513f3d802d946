"""Reads what is typed after 危険度: the hand, the rivers of players in riichi, and the dora."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.answers.paifu.tile_words import tile_name
from bot.chat.command import normal
from rating.paifu.tiles import ABSENT_IN_THREE, indicator_of, notation, parse

MOST_TILES = 14
NO_RIVER = "リーチした人の河がありません。手牌のあとに空白をあけて、河を書いてください。"
MANY_RIVERS = "河は{}人までです。1人の河は、空白をあけずに続けて書いてください。"
MANY_TILES = "手牌は14枚までです。いまは{}枚あります。"
NO_HAND = "手牌がありません。"
_GROUP = re.compile(r"(?<![0-9])([0-9]+)([mpsz])")
_TILES = re.compile(r"(?:[0-9]+[mps]|[1-7]+z)+")
_HAND, _RIVER, _INDICATOR, _DORA = range(4)
_LABELS = {
    "手牌": _HAND,
    "手": _HAND,
    "捨て牌": _RIVER,
    "捨牌": _RIVER,
    "河": _RIVER,
    "どら表示牌": _INDICATOR,
    "どら表示": _INDICATOR,
    "どら": _DORA,
}
_LABEL = re.compile(rf"({'|'.join(_LABELS)})[:=]?")


@dataclass(frozen=True)
class Asked:
    """What was typed, as tiles in notation (`123m406p`). `indicators` are dora indicators, `dora` the dora
    themselves."""

    hand: str = ""
    rivers: tuple[str, ...] = ()
    indicators: str = ""
    dora: str = ""

    @property
    def tiles(self) -> str:
        """All tiles typed."""
        return "".join([self.hand, *self.rivers, self.indicators, self.dora])


def read(words: Iterable[str]) -> tuple[Asked, str]:
    """(the words as hand, rivers, dora indicators and dora; the first word that can't be read, else "").

    Reading ends at such a word.

    Each word after the hand is a river. A label (河, ドラ表示, ドラ) may stand before a word. A label that
    stands alone holds for all words up to the next label; after 河 those words are one river.
    """
    parts, rivers, part, alone, odd = {_HAND: "", _INDICATOR: "", _DORA: ""}, list[str](), _HAND, False, ""
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
            odd = word
            break
        if part in parts:
            parts[part] += plain
        elif rivers and (alone or label):
            rivers[-1] += plain
        else:
            rivers.append(plain)
        part = part if alone else _RIVER
    return Asked(parts[_HAND], tuple(filter(None, rivers)), parts[_INDICATOR], parts[_DORA]), odd


def shown(asked: Asked, seats: int) -> Asked:
    """What was typed with each dora as its indicator, the tile that lies open: ドラ3m shows 2m."""
    if not asked.dora:
        return asked
    kinds = [parse(name)[0] // 4 for name in _names(asked.dora)]
    found = "".join(notation([indicator_of(kind, seats) * 4 + 1]) for kind in kinds)
    return replace(asked, indicators=asked.indicators + found, dora="")


def absent(asked: Asked) -> bool:
    """Whether a tile was typed that three do not play with: 2 to 8 of man."""
    return any(_plain(name) in _ABSENT for name in _names(asked.tiles))


def problem(asked: Asked, seats: int) -> str:
    """What is wrong with what was typed and `shown`, "" when nothing is wrong."""
    if not asked.hand:
        return NO_HAND
    if not asked.rivers:
        return NO_RIVER
    if len(asked.rivers) >= seats:
        return MANY_RIVERS.format(seats - 1)
    named = Counter(_names(asked.tiles))
    red = next((name for name, count in named.items() if name[0] == "0" and count > 1), None)
    plain = Counter[str]()
    for name, count in named.items():
        plain[_plain(name)] += count
    five = red or next((name for name, count in plain.items() if count > 4), None)
    if five:
        return f"{tile_name(parse(five)[0])}の枚数が多すぎます。"
    tiles = len(_names(asked.hand))
    return MANY_TILES.format(tiles) if tiles > MOST_TILES else ""


def in_words(asked: Asked, seats: int) -> str:
    """The rivers and the dora as they were understood: 河 19m4p2z　ドラ3m（表示牌2m）."""
    parts = ["河 " + " / ".join(asked.rivers)]
    if asked.indicators:
        parts.append(f"ドラ表示{asked.indicators}")
    if asked.dora:
        parts.append(f"ドラ{asked.dora}（表示牌{shown(replace(asked, indicators=''), seats).indicators}）")
    return "　".join(parts)


def _names(tiles: str) -> list[str]:
    """The tiles one by one: 123m -> 1m 2m 3m."""
    return [digit + found[2] for found in _GROUP.finditer(tiles) for digit in found[1]]


def _plain(name: str) -> str:
    """The name of a tile, of a red five that of the plain one: 0m -> 5m."""
    return name.replace("0", "5")


_ABSENT = frozenset(f"{kind + 1}m" for kind in ABSENT_IN_THREE)
