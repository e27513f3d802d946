"""Read what `exchange` writes back, by a second way that knows only the two forms, beside the
record.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from rating.paifu.exchange import mjai, tenhou6
from rating.paifu.record import Call, Discard, Draw, NewDora, Record, Riichi, Win, yaku_name
from rating.paifu.tiles import RED_FIVES

Plain = list[Any]
NAMES = [*(f"{n}{suit}" for suit in "mps" for n in range(1, 10)), *"ESWNPFC"]
ENDS = {
    "流し満貫": "nm",
    "九種九牌": "yao9",
    "四家立直": "reach4",
    "三家和了": "ron3",
    "四槓散了": "kan4",
    "四風連打": "kaze4",
}
SIDES = {
    "chi": "chi",
    "pon": "pon",
    "daiminkan": "open kan",
    "kakan": "kakan",
    "ankan": "closed kan",
}
LETTERS = {
    "c": "chi",
    "p": "pon",
    "m": "open kan",
    "k": "kakan",
    "a": "closed kan",
    "f": "kita",
}
CALL = re.compile(r"(\d*)([cpmkaf])(\d+)")


def plain(record: Record, order: bool) -> list[Plain]:
    """The rounds of a record by the names of tiles; `order`: with the moments of dora and riichi
    sticks.
    """

    def face(tile: int) -> str:
        name = NAMES[tile // 4]
        if tile in RED_FIVES and not record.rules.bits & 2:
            return f"{name}r"
        return name

    rounds = []
    for played in record.rounds:
        events: Plain = []
        for event in played.events:
            if isinstance(event, Draw):
                events.append(["draw", event.seat, face(event.tile)])
            elif isinstance(event, Discard):
                events.append(["discard", event.seat, face(event.tile), event.drawn])
            elif isinstance(event, Riichi) and (order or event.step == 1):
                events.append(["riichi", event.seat, event.step])
            elif isinstance(event, Call):
                meld = event.meld
                giver = None
                if meld.type in ("chi", "pon", "open kan"):
                    giver = (event.seat + meld.giver) % 4
                if meld.type == "closed kan":
                    named = None
                elif meld.type == "kakan":
                    named = face(meld.added or 0)
                else:
                    named = face(meld.called)
                tiles = sorted(map(face, meld.tiles))
                events.append(["call", event.seat, meld.type, tiles, named, giver])
            elif isinstance(event, NewDora) and order:
                events.append(["dora", face(event.indicator)])
        dora = [face(e.indicator) for e in played.events if isinstance(e, NewDora)]
        hands = [sorted(map(face, hand)) for hand in played.hands]
        deal = [
            played.number,
            played.honba,
            played.sticks,
            played.dealer,
            list(played.start),
            hands,
        ]
        ends = [_end(ending, face) for ending in played.endings]
        rounds.append([deal, [face(played.indicator), *dora], events, ends])
    return rounds


def _end(ending: Any, face: Any) -> Plain:
    if not isinstance(ending, Win):
        return [ending.type, list(ending.change)]
    yaku = {yaku_name(n): h for n, h in ending.yaku if h} | {
        yaku_name(n): -1 for n in ending.yakuman
    }
    fu = None if ending.limit else ending.fu
    worth = [ending.value, ending.limit, fu, yaku, ending.liable]
    return [
        ending.seat,
        ending.giver,
        list(ending.change),
        sorted(map(face, ending.ura)),
        worth,
    ]


def _tile(code: int) -> str:
    if code > 50:
        return f"5{'mps'[code - 51]}r"
    return "ESWNPFC"[code - 41] if code > 40 else f"{code % 10}{'mps'[code // 10 - 1]}"


def _pairs(digits: str) -> list[str]:
    starts = range(0, len(digits), 2)
    return [_tile(int(digits[start : start + 2])) for start in starts]


def from_tenhou(data: Any) -> list[Plain]:
    """The rounds of tenhou.net/6's JSON; the order of play is found by trying."""
    seats = sum(map(bool, data["name"]))
    rounds = []
    for (number, honba, sticks), scores, dora, ura, *seat_lists, end in data["log"]:
        hands = seat_lists[0:12:3][:seats]
        takes = seat_lists[1:12:3]
        gives = seat_lists[2:12:3]
        dealer = number % 4
        deal = [
            number,
            honba,
            sticks,
            dealer,
            scores[:seats],
            [sorted(map(_tile, hand)) for hand in hands],
        ]
        events = next(_orders(takes, gives, seats, dealer))
        ends = _tenhou_ends(end, seats, [_tile(code) for code in ura], events)
        rounds.append([deal, list(map(_tile, dora)), events, ends])
    return rounds


def _orders(takes: Any, gives: Any, seats: int, dealer: int) -> Iterator[Plain]:
    """Every order in which all that was taken and given can have come."""

    def on(
        seat: int,
        at: tuple[int, ...],
        to: tuple[int, ...],
        events: Plain,
    ) -> Iterator[Plain]:
        if at[seat] >= len(takes[seat]):
            if all(at[s] == len(takes[s]) and to[s] == len(gives[s]) for s in range(seats)):
                yield events
            return
        took = takes[seat][at[seat]]
        at = (
            *at[:seat],
            at[seat] + 1,
            *at[seat + 1 :],
        )
        events = [*events, _taken(seat, took)]
        while True:
            if to[seat] >= len(gives[seat]):  # a win by tsumo, or nine terminals
                yield from on(seat, at, to, events)
                return
            gave = gives[seat][to[seat]]
            to = (
                *to[:seat],
                to[seat] + 1,
                *to[seat + 1 :],
            )
            if gave == 0 or (isinstance(gave, str) and gave[0] != "r"):
                events = events if gave == 0 else [*events, _taken(seat, gave)]
                yield from on(seat, at, to, events)
                return
            word = int(str(gave).removeprefix("r"))
            tile = _tile(took) if word == 60 else _tile(word)
            if str(gave).startswith("r"):
                events = [*events, ["riichi", seat, 1]]
            events = [*events, ["discard", seat, tile, word == 60]]
            for other in range(seats):
                after = takes[other][at[other] : at[other] + 1]
                if other != seat and after and isinstance(after[0], str):
                    called = _taken(other, after[0])
                    if called[4:] == [tile, seat]:
                        yield from on(other, at, to, events)
            following = (seat + 1) % seats
            after = takes[following][at[following] : at[following] + 1]
            if not after or isinstance(after[0], int):
                yield from on(following, at, to, events)
            return

    yield from on(dealer, (0,) * 4, (0,) * 4, [])


def _taken(seat: int, took: Any) -> Plain:
    if isinstance(took, int):
        return ["draw", seat, _tile(took)]
    match = CALL.fullmatch(took)
    assert match
    before, letter, number = match.groups()
    kind = LETTERS[letter]
    named = _pairs(number)[0]
    tiles = sorted(_pairs(before + number))
    side = {0: 3, 1: 2}.get(len(before) // 2, 1)
    giver = (seat + side) % 4 if letter in "cpm" else None
    return ["call", seat, kind, tiles, None if letter == "a" else named, giver]


def _tenhou_ends(end: Any, seats: int, ura: list[str], events: Plain) -> Plain:
    if end[0] != "和了":
        return [[ENDS.get(end[0], ""), end[1][:seats]]]
    endings = []
    wins = zip(end[1::2], end[2::2], strict=True)
    for change, (winner, giver, liable, words, *yaku) in wins:
        match = re.fullmatch(r"(?:(\d+)符\d+飜|(?:数え)?(\D*))(\d+)(?:-(\d+))?点(∀?)", words)
        assert match
        fu, limit, first, second, every = match.groups()
        value = int(first) * (seats - 1 if every else 1)
        value = int(second) + (seats - 2) * int(first) if second else value
        han_of = dict(re.fullmatch(r"(.+)\((.+?)飜?\)", yaku_text).groups() for yaku_text in yaku)  # type: ignore[union-attr]
        counted = {name: -1 if han == "役満" else int(han) for name, han in han_of.items()}
        rank = ["", "満貫", "跳満", "倍満", "三倍満", "役満"].index(limit or "")
        riichi = ["riichi", winner, 1] in events
        worth = [
            value,
            rank,
            int(fu) if fu else None,
            counted,
            liable if liable != winner else None,
        ]
        ura_shown = sorted(ura) if riichi else []
        endings.append([winner, giver, change[:seats], ura_shown, worth])
    return endings


def from_mjai(events: Any) -> list[Plain]:
    """The rounds of mjai's events, which do not have the worth of a hand."""
    rounds: list[Plain] = []
    for event in events:
        kind = event["type"]
        seat = event.get("actor")
        pai = event.get("pai")
        if kind == "start_kyoku":
            number = "ESWN".index(event["bakaze"]) * 4 + event["kyoku"] - 1
            hands = [sorted(hand) for hand in event["tehais"]]
            deal = [
                number,
                event["honba"],
                event["kyotaku"],
                event["oya"],
                event["scores"],
                hands,
            ]
            rounds.append([deal, [event["dora_marker"]], [], []])
        elif kind == "tsumo":
            rounds[-1][2].append(["draw", seat, pai])
        elif kind == "dahai":
            rounds[-1][2].append(["discard", seat, pai, event["tsumogiri"]])
        elif kind.startswith("reach"):
            step = 1 if kind == "reach" else 2
            rounds[-1][2].append(["riichi", seat, step])
        elif kind == "dora":
            rounds[-1][1].append(event["dora_marker"])
            rounds[-1][2].append(["dora", event["dora_marker"]])
        elif kind == "nukidora":
            rounds[-1][2].append(["call", seat, "kita", [pai], pai, None])
        elif kind in SIDES:
            tiles = list(event["consumed"])
            if pai:
                tiles.append(pai)
            target = event.get("target")
            rounds[-1][2].append(["call", seat, SIDES[kind], sorted(tiles), pai, target])
        elif kind == "hora":
            won = [seat, event["target"], event["deltas"], sorted(event["ura_markers"]), None]
            rounds[-1][3].append(won)
        elif kind == "ryukyoku":
            reason = event.get("reason", "")
            rounds[-1][3].append([reason, event["deltas"]])
    return rounds


def differences(record: Record) -> list[str]:
    tenhou = json.loads(json.dumps(tenhou6(record)))
    lines = []
    if from_tenhou(tenhou) != plain(record, order=False):
        lines.append("tenhou6")
    events = [json.loads(json.dumps(event)) for event in mjai(record)]
    expected = plain(record, order=True)
    for *_, ends in expected:
        for end in ends:
            if len(end) == 5:
                end[-1] = None
    if from_mjai(events) != expected:
        lines.append("mjai")
    return lines
