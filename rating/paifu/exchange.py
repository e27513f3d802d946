"""A record in the forms that other programs read: tenhou.net/6's JSON and mjai's events.

Both name tiles by kind and red five alone, and leave out that players were away. With three seats
tenhou.net/6 has a fourth, empty one, and a north taken out is `f44` (mjai: `nukidora`, as Mortal's
forks for three read it). mjai has the points that a hand won, but not its yaku and fu.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from rating.paifu.melds import Meld, MeldType
from rating.paifu.record import (
    Call,
    Discard,
    Draw,
    Event,
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
    MeldType.CHI: "c",
    MeldType.PON: "p",
    MeldType.OPEN_KAN: "m",
    MeldType.ADDED_KAN: "k",
    MeldType.CLOSED_KAN: "a",
    MeldType.KITA: "f",
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
    MeldType.CHI: "chi",
    MeldType.PON: "pon",
    MeldType.ADDED_KAN: "kakan",
    MeldType.OPEN_KAN: "daiminkan",
    MeldType.CLOSED_KAN: "ankan",
    MeldType.KITA: "nukidora",
}


def is_red(record: Record, tile: int) -> bool:
    return tile in RED_FIVES and not record.rules.bits & 2


def tenhou6(record: Record) -> Json:
    """The record as tenhou.net/6 reads it, a list for each round; points single, seats in order."""
    red = int(not record.rules.bits & 2)
    rule: Json = {"disp": record.rules.name.replace("－", "")}
    for five in (51, 52, 53):
        rule[f"aka{five}"] = red
    game: Json = {
        "title": ["", ""],
        "name": [*record.players, *[""] * (4 - record.seats)],
        "rule": rule,
        "log": [_tenhou_round(record, played) for played in record.rounds],
    }
    if record.final and record.scores:
        game["sc"] = list(chain.from_iterable(zip(record.final, record.scores, strict=True)))
    return game


@dataclass(slots=True)
class _TenhouSeat:
    """What a seat took (draws and called tiles) and gave (discards and kans), in order of play."""

    taken_tiles: list[int | str] = field(default_factory=list)
    given_tiles: list[int | str] = field(default_factory=list)


def _tenhou_round(record: Record, played: Round) -> list[Any]:
    def code(tile: int) -> int:
        return _tenhou_tile(tile, is_red(record, tile))

    hands = [[code(tile) for tile in sorted(hand)] for hand in played.hands]
    hands += [[]] * (4 - played.seats)
    new_dora = [event.indicator for event in played.events if isinstance(event, NewDora)]
    ura = max((win.ura for win in played.wins), key=len, default=())
    log: list[Any] = [
        [played.number, played.honba, played.sticks],
        _four(played.start),
        [code(tile) for tile in (played.indicator, *new_dora)],
        [code(tile) for tile in ura],
    ]
    for hand, seat in zip(hands, _tenhou_seats(played, code), strict=True):
        log += [hand, seat.taken_tiles, seat.given_tiles]
    if played.wins:
        log.append(_tenhou_wins(played))
    else:
        log.append(_tenhou_draw(played))
    return log


def _tenhou_tile(tile: int, red: bool) -> int:
    suit, number = divmod(tile // 4, 9)
    if red:
        return 51 + suit
    return 10 * (suit + 1) + number + 1


def _tenhou_seats(played: Round, code: Callable[[int], int]) -> list[_TenhouSeat]:
    """The play of each of four seats; the discard that declares riichi begins with `r`."""
    seats = [_TenhouSeat() for _ in range(4)]
    declarer: int | None = None
    for event in played.events:
        if isinstance(event, Draw):
            seats[event.seat].taken_tiles.append(code(event.tile))
        elif isinstance(event, Riichi) and event.step == 1:
            declarer = event.seat
        elif isinstance(event, Discard):
            tile: int | str = code(event.tile)
            if event.drawn:
                tile = DRAWN
            if declarer == event.seat:
                tile = f"r{tile}"
            declarer = None
            seats[event.seat].given_tiles.append(tile)
        elif isinstance(event, Call):
            _add_tenhou_call(seats[event.seat], event.meld, code)
    return seats


def _add_tenhou_call(seat: _TenhouSeat, meld: Meld, code: Callable[[int], int]) -> None:
    call = _tenhou_call(meld, code)
    if meld.type in (MeldType.ADDED_KAN, MeldType.CLOSED_KAN, MeldType.KITA):
        seat.given_tiles.append(call)
        return
    seat.taken_tiles.append(call)
    if meld.type == MeldType.OPEN_KAN:
        seat.given_tiles.append(0)


def _tenhou_call(meld: Meld, code: Callable[[int], int]) -> str:
    """The caller's own tiles, and among them the call's letter with the tile added to a pon and the
    tile called: first, second or last, by the seat of the giver."""
    named = [tile for tile in (meld.added, meld.called) if tile is not None]
    own_codes = [str(code(tile)) for tile in meld.tiles if tile not in named]
    named_codes = [str(code(tile)) for tile in named]
    place = {3: 0, 2: 1}.get(meld.giver, len(own_codes))
    return "".join([*own_codes[:place], LETTERS[meld.type], *named_codes, *own_codes[place:]])


def _tenhou_wins(played: Round) -> list[Any]:
    wins: list[Any] = []
    for win in played.wins:
        liable = win.seat
        if win.liable is not None:
            liable = win.liable
        yaku = [f"{yaku_name(number)}({han}飜)" for number, han in win.yaku if han]
        yaku += [f"{yaku_name(number)}(役満)" for number in win.yakuman]
        wins.append(_four(win.change))
        wins.append([win.seat, win.giver, liable, _worth(played, win), *yaku])
    return ["和了", *wins]


def _tenhou_draw(played: Round) -> list[Any]:
    ending = next(ending for ending in played.endings if isinstance(ending, NoWin))
    return [ENDS.get(ending.type, ENDS[""]), _four(ending.change)]


def _four(points: Sequence[int]) -> list[int]:
    return [*points, *[0] * (4 - len(points))]


def _worth(played: Round, win: Win) -> str:
    """What a hand is worth: 30符2飜2000点, 満貫4000点∀ (each), 跳満3000-6000点 (others and
    dealer).
    """
    han = sum(han for _, han in win.yaku)
    limit = LIMITS[win.limit] or f"{win.fu}符{han}飜"
    if win.limit == 5 and not win.yakuman:
        limit = f"数え{limit}"
    if not win.tsumo:
        return f"{limit}{win.value}点"
    if win.seat == played.dealer:
        return f"{limit}{win.value // (played.seats - 1)}点∀"
    if win.limit == 5:
        base = win.value // played.seats
    else:
        base = BASES[win.limit] or win.fu << 2 + han
    from_other = -(-base // 100) * 100  # rounded up to hundreds
    from_dealer = win.value - (played.seats - 2) * from_other
    return f"{limit}{from_other}-{from_dealer}点"


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
        return _mjai_tile(tile, is_red(record, tile))

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
    yield from _mjai_events(played.events, pai)
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


def _mjai_tile(tile: int, red: bool) -> str:
    kind = tile // 4
    if kind >= 27:
        return "ESWNPFC"[kind - 27]
    plain = f"{kind % 9 + 1}{'mps'[kind // 9]}"
    if red:
        return f"{plain}r"
    return plain


def _mjai_events(events: Iterable[Event], pai: Callable[[int], str]) -> Iterator[Json]:
    for event in events:
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


def _mjai_call(event: Call, pai: Callable[[int], str]) -> Json:
    """A call: the tile taken or added (`pai`), and those it joins (`consumed`)."""
    meld = event.meld
    call: Json = {"type": MJAI_CALLS[meld.type], "actor": event.seat}
    if meld.type == MeldType.CLOSED_KAN:
        call["consumed"] = list(map(pai, meld.tiles))
        return call
    named = meld.called
    if meld.added is not None:
        named = meld.added
    call["pai"] = pai(named)
    if meld.type == MeldType.KITA:
        return call
    if meld.type != MeldType.ADDED_KAN:
        call["target"] = (event.seat + meld.giver) % 4
    call["consumed"] = [pai(tile) for tile in meld.tiles if tile != named]
    return call
