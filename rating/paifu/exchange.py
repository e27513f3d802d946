"""A record in the forms that other programs read: tenhou.net/6's JSON and mjai's events.

Both know tiles by kind and red five alone, and nothing of players who were away. With three seats
tenhou.net/6 has a fourth, empty one, and a north taken out is `f44` (mjai: `nukidora`, as Mortal's
forks for three read it). mjai tells what a hand won, but not its yaku and fu.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rating.paifu.record import (
    ADDED_KAN,
    CHI,
    CLOSED_KAN,
    KITA,
    OPEN_KAN,
    PON,
    Call,
    Discard,
    Draw,
    Meld,
    NewDora,
    NoWin,
    Record,
    Riichi,
    Round,
    Win,
    yaku_name,
)
from rating.paifu.tiles import RED_FIVES

Json = dict[str, Any]
DRAWN = 60  # the tile just drawn
LETTERS = {
    CHI: "c",
    PON: "p",
    OPEN_KAN: "m",
    ADDED_KAN: "k",
    CLOSED_KAN: "a",
    KITA: "f",
}
LIMITS = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
BASES = (0, 2000, 3000, 4000, 6000)
ENDS = {
    "": "流局",
    "nm": "流し満貫",
    "yao9": "九種九牌",
    "reach4": "四家立直",
    "ron3": "三家和了",
    "kan4": "四槓散了",
    "kaze4": "四風連打",
}
MJAI_CALLS = {
    CHI: "chi",
    PON: "pon",
    ADDED_KAN: "kakan",
    OPEN_KAN: "daiminkan",
    CLOSED_KAN: "ankan",
    KITA: "nukidora",
}


def is_red(record: Record, tile: int) -> bool:
    return tile in RED_FIVES and not record.rules.bits & 2


def tenhou6(record: Record) -> Json:
    """The record as tenhou.net/6 reads it, a list for each round; points single, seats in order."""
    rules = record.rules
    red = int(not record.rules.bits & 2)
    game: Json = {
        "title": ["", ""],
        "name": [*record.players, *[""] * (4 - record.seats)],
        "rule": {"disp": rules.name.replace("－", "")}
        | {f"aka{five}": red for five in (51, 52, 53)},
        "log": [_tenhou_round(record, played) for played in record.rounds],
    }
    if record.final and record.scores:
        game["sc"] = [
            value for pair in zip(record.final, record.scores, strict=True) for value in pair
        ]
    return game


def _tenhou_round(record: Record, played: Round) -> list[Any]:
    def code(tile: int) -> int:
        suit, number = divmod(tile // 4, 9)
        return 51 + suit if is_red(record, tile) else 10 * (suit + 1) + number + 1

    def call(meld: Meld) -> str:
        """The caller's own tiles, and before them, after the first or at the end, by where the
        giver sits, the call's letter with the tile added to a pon and the tile called."""
        named = [tile for tile in (meld.added, meld.called) if tile is not None]
        words = [str(code(tile)) for tile in meld.tiles if tile not in named]
        place = {3: 0, 2: 1}.get(meld.giver, len(words))
        named_codes = [str(code(tile)) for tile in named]
        return "".join([*words[:place], LETTERS[meld.type], *named_codes, *words[place:]])

    taken: list[list[int | str]] = [[] for _ in range(4)]
    given: list[list[int | str]] = [[] for _ in range(4)]
    declared = -1
    dora = [code(played.indicator)]
    for event in played.events:
        if isinstance(event, Draw):
            taken[event.seat].append(code(event.tile))
        elif isinstance(event, Discard):
            word: int | str = DRAWN if event.drawn else code(event.tile)
            given[event.seat].append(f"r{word}" if declared == event.seat else word)
            declared = -1
        elif isinstance(event, Riichi) and event.step == 1:
            declared = event.seat
        elif isinstance(event, NewDora):
            dora.append(code(event.indicator))
        elif isinstance(event, Call):
            if event.meld.type in (ADDED_KAN, CLOSED_KAN, KITA):
                given[event.seat].append(call(event.meld))
            else:
                taken[event.seat].append(call(event.meld))
            if event.meld.type == OPEN_KAN:
                given[event.seat].append(0)
    hands = [[code(tile) for tile in sorted(hand)] for hand in played.hands]
    hands += [[]] * (4 - played.seats)
    ura = max((list(map(code, win.ura)) for win in played.wins), key=len, default=[])
    found: list[Any] = [
        [played.number, played.honba, played.sticks],
        _four(played.start),
        dora,
        ura,
    ]
    for seat in range(4):
        found += [hands[seat], taken[seat], given[seat]]
    if not played.wins:
        ending = next(ending for ending in played.endings if isinstance(ending, NoWin))
        name = ENDS.get(ending.type, ENDS[""])
        return [*found, [name, _four(ending.change)]]
    wins: list[Any] = []
    for win in played.wins:
        liable = win.seat if win.liable is None else win.liable
        yaku = [f"{yaku_name(number)}({han}飜)" for number, han in win.yaku if han]
        yaku += [f"{yaku_name(number)}(役満)" for number in win.yakuman]
        wins.append(_four(win.change))
        wins.append([win.seat, win.giver, liable, _worth(played, win), *yaku])
    return [*found, ["和了", *wins]]


def _four(points: Sequence[int]) -> list[int]:
    return [*points, *[0] * (4 - len(points))]


def _worth(played: Round, win: Win) -> str:
    """What a hand is worth: 30符2飜2000点, 満貫4000点∀ (each), 跳満3000-6000点 (others and
    dealer).
    """
    han = sum(han for _, han in win.yaku)
    words = LIMITS[win.limit] or f"{win.fu}符{han}飜"
    if win.limit == 5 and not win.yakuman:
        words = f"数え{words}"
    if not win.tsumo:
        return f"{words}{win.value}点"
    if win.seat == played.dealer:
        return f"{words}{win.value // (played.seats - 1)}点∀"
    if win.limit == 5:
        whole = win.value // played.seats
    else:
        whole = BASES[win.limit] or win.fu << 2 + han
    other = -(-whole // 100) * 100
    return f"{words}{other}-{win.value - (played.seats - 2) * other}点"


def mjai(record: Record) -> Iterator[Json]:
    """The record's events as mjai's, in order of play; actors from 0, points single."""
    yield {
        "type": "start_game",
        "names": list(record.players),
        "aka_flag": not record.rules.bits & 2,
    }
    for played in record.rounds:
        yield from _mjai_round(record, played)
    yield {"type": "end_game"}


def _mjai_round(record: Record, played: Round) -> Iterator[Json]:
    def pai(tile: int) -> str:
        kind = tile // 4
        if kind >= 27:
            return "ESWNPFC"[kind - 27]
        plain = f"{kind % 9 + 1}{'mps'[kind // 9]}"
        if is_red(record, tile):
            return f"{plain}r"
        return plain

    yield {
        "type": "start_kyoku",
        "bakaze": "ESWN"[played.number // 4 % 4],
        "dora_marker": pai(played.indicator),
        "kyoku": played.number % 4 + 1,
        "honba": played.honba,
        "kyotaku": played.sticks,
        "oya": played.dealer,
        "scores": list(played.start),
        "tehais": [list(map(pai, sorted(hand))) for hand in played.hands],
    }
    for event in played.events:
        if isinstance(event, Draw):
            yield {"type": "tsumo", "actor": event.seat, "pai": pai(event.tile)}
        elif isinstance(event, Discard):
            yield {
                "type": "dahai",
                "actor": event.seat,
                "pai": pai(event.tile),
                "tsumogiri": event.drawn,
            }
        elif isinstance(event, Riichi):
            yield {"type": ("reach", "reach_accepted")[event.step - 1], "actor": event.seat}
        elif isinstance(event, NewDora):
            yield {"type": "dora", "dora_marker": pai(event.indicator)}
        elif isinstance(event, Call):
            yield _mjai_call(event, pai)
    for win in played.wins:
        yield {
            "type": "hora",
            "actor": win.seat,
            "target": win.giver,
            "pai": pai(win.tile),
            "deltas": list(win.change),
            "ura_markers": list(map(pai, win.ura)),
        }
    if not played.wins:
        ending = next(ending for ending in played.endings if isinstance(ending, NoWin))
        yield {"type": "ryukyoku", "reason": ending.type, "deltas": list(ending.change)}
    yield {"type": "end_kyoku"}


def _mjai_call(event: Call, pai: Callable[[int], str]) -> Json:
    """A call: the tile taken or added (`pai`), and those it joins (`consumed`)."""
    meld = event.meld
    found = {"type": MJAI_CALLS[event.meld.type], "actor": event.seat}
    named = meld.called if meld.added is None else meld.added
    if meld.type == CLOSED_KAN:
        return found | {"consumed": list(map(pai, meld.tiles))}
    found["pai"] = pai(named)
    if meld.type == KITA:
        return found
    if meld.type != ADDED_KAN:
        found["target"] = (event.seat + meld.giver) % 4
    return found | {"consumed": [pai(tile) for tile in meld.tiles if tile != named]}
