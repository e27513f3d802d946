"""Reads the results of a game on the engine from its log: events in mjai's format
(https://github.com/gimite/mjai)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rating.paifu.rons import DealInCount
from rating.paifu.tally import DEAL_IN, DRAW, OTHERS_RON, OTHERS_TSUMO, WIN, Share

Log = Sequence[Mapping[str, Any]]
SEATS = 4
CALLS = frozenset(("chi", "pon", "daiminkan"))


def rounds(log: Log) -> Iterator[list[Share]]:
    """Yield for each round the results of the seats 0-3."""
    played: list[Mapping[str, Any]] = []
    for event in log:
        if event["type"] == "start_kyoku":
            played = []
        played.append(event)
        if event["type"] == "end_kyoku":
            yield _shares(played)


def _shares(played: Log) -> list[Share]:
    change = [0] * SEATS
    riichi: set[int] = set()
    called: set[int] = set()
    values: dict[int, int] = {}
    givers: set[int] = set()
    tsumo = False
    sticks, honba = played[0]["kyotaku"], played[0]["honba"]
    for event in played:
        kind = event["type"]
        if kind == "reach":
            riichi.add(event["actor"])
        elif kind == "reach_accepted":
            change[event["actor"]] -= 1000
            sticks += 1
        elif kind in CALLS:
            called.add(event["actor"])
        elif kind in ("hora", "ryukyoku"):
            change = [mine + delta for mine, delta in zip(change, event["deltas"], strict=True)]
        if kind == "hora":
            winner = event["actor"]
            values[winner] = event["deltas"][winner] - (0 if values else 1000 * sticks + 300 * honba)
            tsumo = event["target"] == winner
            givers |= set() if tsumo else {event["target"]}
    return [
        Share(
            _ending(seat, values, givers, tsumo),
            change[seat],
            values.get(seat, 0),
            seat in riichi,
            seat in called,
            _dealt(seat, values, givers, riichi),
        )
        for seat in range(SEATS)
    ]


def _dealt(seat: int, values: Mapping[int, int], givers: set[int], riichi: set[int]) -> DealInCount:
    won_by_riichi = len(riichi & values.keys())
    return DealInCount(won_by_riichi, len(values) - won_by_riichi) if seat in givers else DealInCount()


def _ending(seat: int, values: Mapping[int, int], givers: set[int], tsumo: bool) -> str:
    if seat in values:
        return WIN
    if seat in givers:
        return DEAL_IN
    if not values:
        return DRAW
    return OTHERS_TSUMO if tsumo else OTHERS_RON


def placings(points: Sequence[int]) -> list[int]:
    """Placing by seat, 0 the best. On equal points the seat that dealt earlier is better.

    This is Tenhou's rule (https://tenhou.net/man/#RULE).
    """
    order = sorted(range(len(points)), key=lambda seat: (-points[seat], seat))
    return [order.index(seat) for seat in range(len(points))]
