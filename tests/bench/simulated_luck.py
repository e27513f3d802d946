"""Measure the luck of draws in games that the engine of `flask duplicate` plays: python -m tests.bench.simulated_luck [GAMES]."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rating.paifu.engine import Match
from rating.paifu.events import Call, Discard, Draw, Event, Riichi
from rating.paifu.luck import Luck, luck_of
from rating.paifu.melds import CHI, PON, Meld
from rating.paifu.policy import Policy
from rating.paifu.record import GameRules, Record, Round
from rating.paifu.tiles import RED_FIVES, TILES

HONOURS = "ESWNPFC"


class Tiles:
    """Gives each tile of a round, written as in mjai's format, a number of its own."""

    def __init__(self) -> None:
        self.free = set(range(TILES))

    def new(self, name: str) -> int:
        """The free copy with the highest number; the red five for a name that ends in r."""
        tile = next(tile for tile in sorted(self.free, reverse=True) if written(tile) == name)
        self.free.remove(tile)
        return tile


def written(tile: int) -> str:
    kind = tile // 4
    if kind >= 27:
        return HONOURS[kind - 27]
    return f"{kind % 9 + 1}{'mps'[kind // 9]}{'r' if tile in RED_FIVES else ''}"


def rounds(log: Sequence[Mapping[str, Any]]) -> list[Round]:
    """The rounds of a game's log, without their endings."""
    found: list[Round] = []
    events: list[Event] = []
    hands: list[set[int]] = []
    tiles, drawn, last = Tiles(), -1, -1
    for event in log:
        kind, seat = event["type"], event.get("actor", -1)
        if kind == "start_kyoku":
            tiles, events = Tiles(), []
            indicator = tiles.new(event["dora_marker"])
            hands = [{tiles.new(name) for name in hand} for hand in event["tehais"]]
            dealt = tuple(map(tuple, hands))
            start = Round(
                0, 0, 0, event["oya"], indicator, start=(0,) * 4, hands=dealt, events=(), endings=()
            )
        elif kind == "tsumo":
            drawn = tiles.new(event["pai"])
            hands[seat].add(drawn)
            events.append(Draw(seat, drawn))
        elif kind == "dahai":
            own = drawn if event["tsumogiri"] else min(t for t in hands[seat] if written(t) == event["pai"])
            hands[seat].remove(own)
            events.append(Discard(seat, own, own == drawn))
            last = own
        elif kind in (CHI, PON):
            events.append(Call(seat, called(kind, event, hands[seat], last)))
        elif kind == "reach":
            events.append(Riichi(seat, 1))
        elif kind == "end_kyoku":
            found.append(
                Round(
                    0,
                    0,
                    0,
                    start.dealer,
                    start.indicator,
                    start=start.start,
                    hands=start.hands,
                    events=tuple(events),
                    endings=(),
                )
            )
    return found


def called(kind: str, event: Mapping[str, Any], hand: set[int], last: int) -> Meld:
    own = []
    for name in event["consumed"]:
        own.append(min(tile for tile in hand if written(tile) == name))
        hand.remove(own[-1])
    return Meld(kind, tuple(sorted((*own, last))), last, (event["target"] - event["actor"]) % 4)


def simulated(games: int, seed: int = 1) -> list[Luck]:
    """The luck of every player of so many games of four seats."""
    found = []
    for game in range(games):
        log, _ = Match([Policy(False)] * 4, seed * 1_000_003 + 1000 * game).play()
        record = Record(GameRules(9), ("",) * 4, tuple(rounds(log)))
        found += luck_of(record)
        if sys.stderr.isatty():
            print(f"\r{game + 1}/{games}", end="", file=sys.stderr)
    return found


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    found = simulated(games)
    values = [one.z for one in found if one.z is not None]
    mean = sum(values) / len(values)
    deviation = (sum((z - mean) ** 2 for z in values) / (len(values) - 1)) ** 0.5
    error = deviation / len(values) ** 0.5
    print(
        f"z by left in {games} games: mean {mean:+.4f} (error {error:.4f}), sd {deviation:.4f}, of {len(values)}"
    )
    draws, variance = sum(one.draws for one in found), sum(one.variance for one in found)
    print(f"all draws together: {draws:+.1f} useful ones above those expected (error {variance**0.5:.1f})")


if __name__ == "__main__":
    main()
