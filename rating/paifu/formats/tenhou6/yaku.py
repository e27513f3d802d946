"""The names of yaku, to Tenhou's numbers: as Tenhou writes them, and Mahjong Soul's in Japanese and
English.

Mahjong Soul's names are those of the table that the converter tensoul has
(https://github.com/Equim-chan/tensoul, data.json). What no number has, such as a local yaku, keeps
its own name.
"""

import re
import unicodedata
from typing import NamedTuple

from rating.paifu.formats.tenhou6.values import shortened
from rating.paifu.record import YAKU, Yaku
from rating.paifu.tiles import PaifuError

OWN_WIND = 10  # the first of four numbers, for east
ROUND_WIND = 14
YAKUMAN = range(36, 52)
LONGEST_NAME = 40

_MAHJONG_SOUL = {
    "Fully Concealed Hand": "門前清自摸和",
    "Riichi": "立直",
    "Robbing a Kan": "槍槓",
    "After a Kan": "嶺上開花",
    "Under the Sea": "海底摸月",
    "Under the River": "河底撈魚",
    "White Dragon": "役牌 白",
    "Green Dragon": "役牌 發",
    "Red Dragon": "役牌 中",
    "All Simples": "断幺九",
    "Pure Double Sequence": "一盃口",
    "Pinfu": "平和",
    "Half Outside Hand": "混全帯幺九",
    "Pure Straight": "一気通貫",
    "Mixed Triple Sequence": "三色同順",
    "ダブル立直": "両立直",
    "Double Riichi": "両立直",
    "Triple Triplets": "三色同刻",
    "Three Quads": "三槓子",
    "All Triplets": "対々和",
    "Three Concealed Triplets": "三暗刻",
    "Little Three Dragons": "小三元",
    "All Terminals and Honors": "混老頭",
    "Seven Pairs": "七対子",
    "Fully Outside Hand": "純全帯幺九",
    "Half Flush": "混一色",
    "Twice Pure Double Sequence": "二盃口",
    "Full Flush": "清一色",
    "Ippatsu": "一発",
    "Dora": "ドラ",
    "Red Five": "赤ドラ",
    "Ura Dora": "裏ドラ",
    # Tenhou counts the norths set aside as dora.
    "抜きドラ": "ドラ",
    "Kita": "ドラ",
    "Blessing of Heaven": "天和",
    "Blessing of Earth": "地和",
    "Big Three Dragons": "大三元",
    "Four Concealed Triplets": "四暗刻",
    "All Honors": "字一色",
    "All Green": "緑一色",
    "All Terminals": "清老頭",
    "Thirteen Orphans": "国士無双",
    "Four Little Winds": "小四喜",
    "Four Quads": "四槓子",
    "Nine Gates": "九蓮宝燈",
    "True Nine Gates": "純正九蓮宝燈",
    "Single-wait Four Concealed Triplets": "四暗刻単騎",
    "国士無双十三面待ち": "国士無双十三面",
    "Thirteen-wait Thirteen Orphans": "国士無双十三面",
    "Four Big Winds": "大四喜",
    "Hand of Man": "人和",
}
_OWN_WIND_NAMES = ("役牌:自風牌", "Seat Wind", "自風 東", "自風 南", "自風 西", "自風 北")
_ROUND_WIND_NAMES = ("役牌:場風牌", "Prevalent Wind", "場風 東", "場風 南", "場風 西", "場風 北")
# Mahjong Soul's local yaku that are yakuman. They have no number.
_LOCAL_YAKUMAN = ("八連荘", "大車輪", "大竹林", "大数隣", "石の上にも三年", "大七星")
_YAKU_TEXT = re.compile(r"(?P<name>[^(（]+)[(（](?P<worth>.+)[)）]", re.DOTALL)
_HAN = re.compile(r"(?P<number>[0-9]{1,3})\s*(?:飜|翻|番|han)?", re.IGNORECASE)


def _plain(name: str) -> str:
    """The name without spaces and differences of width and case."""
    return "".join(unicodedata.normalize("NFKC", name).split()).casefold()


_NUMBERS = {_plain(name): number for number, name in enumerate(YAKU)}
_NUMBERS |= {_plain(name): YAKU.index(other) for name, other in _MAHJONG_SOUL.items()}
_OWN_WIND_WORDS = frozenset(map(_plain, _OWN_WIND_NAMES))
_ROUND_WIND_WORDS = frozenset(map(_plain, _ROUND_WIND_NAMES))


class Winds(NamedTuple):
    """The winds of a winner, 0 for east: its own, and that of the round."""

    own: int
    round: int


class YakuOfHand(NamedTuple):
    """The yaku of a hand as in Win: pairs of yaku and han, and yakuman."""

    counted: tuple[tuple[Yaku, int], ...]
    yakuman: tuple[Yaku, ...]


def read_yaku(texts: list[str], winds: Winds) -> YakuOfHand:
    """The yaku in texts such as "立直(1飜)" and "大三元(役満)". Those of no han are left out, and the
    same yaku under two names is one."""
    counted: dict[Yaku, int] = {}
    yakuman: list[Yaku] = []
    for text in texts:
        match = _YAKU_TEXT.fullmatch(text)
        if not match:
            raise PaifuError(f"there is no yaku {shortened(text)}")
        yaku = yaku_of(match["name"], winds)
        han = _HAN.fullmatch(match["worth"].strip())
        if yaku in YAKUMAN or yaku in _LOCAL_YAKUMAN or not han:
            yakuman.append(yaku)
            continue
        number = int(han["number"])
        if number:
            counted[yaku] = counted.get(yaku, 0) + number
    return YakuOfHand(tuple(counted.items()), tuple(yakuman))


def yaku_of(name: str, winds: Winds) -> Yaku:
    """The number of a yaku, or its own name where it has none. Winds are those of the winner,
    since some converters name a wrong one."""
    plain = _plain(name)
    if plain in _OWN_WIND_WORDS:
        return OWN_WIND + winds.own
    if plain in _ROUND_WIND_WORDS:
        return ROUND_WIND + winds.round
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    printable = "".join(filter(str.isprintable, name)).strip()
    return printable[:LONGEST_NAME]
