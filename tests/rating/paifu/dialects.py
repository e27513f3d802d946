"""The records of the tests in every dialect of tenhou.net/6's JSON.

Each dialect changes what the product's own exporter writes in the way its converter does.
"""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

from rating.paifu.exchange import tenhou6
from rating.paifu.melds import MeldType
from rating.paifu.record import Record

Game = dict[str, Any]
Dialect = Callable[[Record], Game]
JAPANESE_LENGTHS = ("東", "南")
ENGLISH_LENGTHS = ("East", "South")
UUID = "220507-f6240ec4-0f30-47f2-8ba7-b072b9f07f7f"
MAHJONG_SOUL_NAMES = {
    "両立直": "ダブル立直",
    "国士無双十三面": "国士無双十三面待ち",
    "四槓散了": "四開槓",
    "三家和了": "三家和",
}
ENGLISH_NAMES = {
    "門前清自摸和": "Fully Concealed Hand",
    "立直": "Riichi",
    "一発": "Ippatsu",
    "断幺九": "All Simples",
    "平和": "Pinfu",
    "一盃口": "Pure Double Sequence",
    "混一色": "Half Flush",
    "対々和": "All Triplets",
    "ドラ": "Dora",
    "裏ドラ": "Ura Dora",
    "赤ドラ": "Red Five",
    "和了": "Agari",
    "流局": "Ryuukyoku",
    "九種九牌": "Kyuushu Kyuuhai",
    "流し満貫": "Nagashi Mangan",
    "四家立直": "Suucha Riichi",
    "四風連打": "Suufon Renda",
    "三家和了": "Sanchahou",
    "四槓散了": "Suukaikan",
}
ENGLISH_LIMITS = {
    "数え役満": "Kazoe Yakuman ",
    "役満": "Yakuman ",
    "三倍満": "Sanbaiman ",
    "倍満": "Baiman ",
    "跳満": "Haneman ",
    "満貫": "Mangan ",
}


def exported(record: Record) -> Game:
    """What the product writes."""
    game: Game = json.loads(json.dumps(tenhou6(record)))
    return game


def tenhou(record: Record) -> Game:
    """Tenhou's own: no title, an id, results of eight numbers."""
    game = exported(record)
    del game["title"]
    game |= {"ver": 2.3, "ref": "2026011617gm-00b9-0000-0e405baf", "lobby": 0}
    return _with_four_results(game)


def editor(record: Record) -> Game:
    """Tenhou's editor: red fives in one number, no final points."""
    game = exported(record)
    game.pop("sc", None)
    rule = game["rule"]
    game["rule"] = {"disp": rule["disp"], "aka": rule["aka51"]}
    return game


def tensoul(record: Record) -> Game:
    """Mahjong Soul's names of winds and norths; draws without points have zeros."""
    game = exported(record)
    rule = f"友人戦{JAPANESE_LENGTHS[record.rules.south_rounds]}喰赤"
    if record.seats == 3:
        rule = f"三{rule}"
    game["rule"]["disp"] = rule
    game["title"] = [f"{rule}: 12345", "Sat, 07 May 2022 10:36:42 GMT"]
    game |= {"ver": "2.3", "ref": UUID, "ratingc": f"PF{record.seats}"}
    for number, items in enumerate(game["log"]):
        _rename(items[-1], MAHJONG_SOUL_NAMES)
        for hand in _hands(items[-1]):
            _substitute(hand, "^自風 .", "役牌:自風牌")
            _substitute(hand, "^場風 .", "役牌:場風牌")
            _split_norths(hand, record, number)
            if "立直(1飜)" in hand and "裏ドラ(" not in str(hand):
                hand.append("裏ドラ(0飜)")
    return _with_four_results(game)


def tensoul_py(record: Record) -> Game:
    """Rounds of 14 items with three seats, no length in the rule, wrong own winds."""
    game = tensoul(record)
    game["title"] = ["", "2022-05-07 19:36:42"]
    for items in game["log"]:
        for hand in _hands(items[-1]):
            _substitute(hand, "役牌:自風牌", "自風 東")
    return _with_three_places(game, record)


def tensoul_py_ng(record: Record) -> Game:
    """Accounts, and the time as a number."""
    game = tensoul(record)
    game["title"] = ["", 1651919802]
    game["playerMapping"] = [{"nickname": name, "account_id": 1} for name in record.players]
    for items in game["log"]:
        if items[-1] == ["流局", [0, 0, 0, 0]]:
            items[-1] = ["全員聴牌"]
    return _with_three_places(game, record)


def english(record: Record) -> Game:
    """A script in English, whose rounds have no order in their hands."""
    game = exported(record)
    rule = f"Jade Room {ENGLISH_LENGTHS[record.rules.south_rounds]}"
    if record.seats == 3:
        rule = f"3-Player {rule}"
    game["rule"]["disp"] = rule
    game["title"] = [game["rule"]["disp"], ""]
    for items in game["log"]:
        for place in (4, 7, 10, 13):
            items[place].reverse()
        _rename(items[-1], ENGLISH_NAMES)
        for hand in _hands(items[-1]):
            for name, limit in ENGLISH_LIMITS.items():
                _substitute(hand, f"^{name}", limit)
    return _with_four_results(game)


DIALECTS: tuple[Dialect, ...] = (
    exported,
    tenhou,
    editor,
    tensoul,
    tensoul_py,
    tensoul_py_ng,
    english,
)


def as_bytes(game: Any) -> bytes:
    return json.dumps(game, ensure_ascii=False).encode()


def _hands(result: list[Any]) -> list[list[Any]]:
    """The hands of a result that were won."""
    return [part for part in result[2::2] if isinstance(part, list)]


def _substitute(hand: list[Any], pattern: str, text: str) -> None:
    """Replace text in the worth and the yaku of a hand."""
    texts = hand[3:]
    del hand[3:]
    hand += [re.sub(pattern, text, part) for part in texts]


def _rename(result: list[Any], names: dict[str, str]) -> None:
    result[0] = names.get(result[0], result[0])
    for hand in _hands(result):
        for place, text in enumerate(hand[4:], 4):
            name, bracket, han = text.partition("(")
            hand[place] = names.get(name, name) + bracket + han


def _split_norths(hand: list[Any], record: Record, number: int) -> None:
    """Write the norths that Tenhou counts as dora by their own name."""
    wins = {win.seat: win for win in record.rounds[number].wins}
    norths = sum(meld.type == MeldType.KITA for meld in wins[hand[0]].melds)
    dora = next((text for text in hand[4:] if text.startswith("ドラ(")), "")
    if not norths or not dora:
        return
    others = int(dora[3:-2]) - norths
    hand.remove(dora)
    if others:
        hand.append(f"ドラ({others}飜)")
    hand.append(f"抜きドラ({norths}飜)")


def _with_four_results(game: Game) -> Game:
    if "sc" in game:
        game["sc"] += [0] * (8 - len(game["sc"]))
    return game


def _with_three_places(game: Game, record: Record) -> Game:
    """A table of three without a place for the fourth."""
    if record.seats == 4:
        return game
    game = copy.deepcopy(game)
    game["rule"]["disp"] = "三友人戦"
    game["name"] = game["name"][:3]
    if "sc" in game:
        game["sc"] = game["sc"][:6]
    for items in game["log"]:
        del items[13:16]
    return game
