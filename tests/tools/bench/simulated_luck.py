"""Measure the luck of draws in games that the engine of `flask duplicate` plays: python -m
tests.tools.bench.simulated_luck [GAMES [SEATS]].

The hits less the chances of all draws (`draws`) have mean 0, and so has their sum over a fixed
variance. The mean z of games is not quite 0: a useful draw makes the next ones less likely to be
useful, so a lucky game has the smaller variance to be divided by. Both are printed, with the
covariance that makes the difference, and draws each standardised by themselves as a check that
needs no division.
"""

import multiprocessing
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from rating.paifu import melds, record
from rating.paifu.engine import Match, Policy
from rating.paifu.luck import DrawLuck, draw_luck
from rating.paifu.tiles import ABSENT_IN_THREE, RED_FIVES, TILES

HONOURS = "ESWNPFC"
FIRST = 60  # draws of a player that are standardised each by itself; every game has more


class PlayerDraws(NamedTuple):
    draws: float
    variance: float
    first: float


class Tiles:
    """Gives each tile of a round, written as in mjai's format, a number of its own."""

    def __init__(self, seats: int) -> None:
        self.free = {
            tile for tile in range(TILES) if seats == 4 or tile // 4 not in ABSENT_IN_THREE
        }

    def new(self, name: str) -> int:
        """The free copy with the highest number; the red five for a name that ends in r."""
        tile = max(tile for tile in self.free if written(tile) == name)
        self.free.remove(tile)
        return tile


def written(tile: int) -> str:
    kind = tile // 4
    if kind >= 27:
        return HONOURS[kind - 27]
    return f"{kind % 9 + 1}{'mps'[kind // 9]}{'r' if tile in RED_FIVES else ''}"


def rounds(log: Sequence[Mapping[str, Any]]) -> Iterator[record.Round]:
    events: list[record.Event] = []
    for event in log:
        kind = event["type"]
        seat = event.get("actor", -1)
        if kind == "start_kyoku":
            seats = len(event["tehais"])
            tiles = Tiles(seats)
            events = []
            drawn = -1
            last = -1
            indicator = tiles.new(event["dora_marker"])
            hands = [{tiles.new(name) for name in hand} for hand in event["tehais"]]
            dealt = tuple(map(tuple, hands))
            dealer = event["oya"]
        elif kind == "tsumo":
            drawn = tiles.new(event["pai"])
            hands[seat].add(drawn)
            events.append(record.Draw(seat, drawn))
        elif kind == "dahai":
            last = drawn if event["tsumogiri"] else _held(hands[seat], event["pai"])
            hands[seat].remove(last)
            events.append(record.Discard(seat, last, last == drawn))
        elif kind in (melds.MeldType.CHI, melds.MeldType.PON):
            events.append(
                record.Call(seat, called(kind, event, hands[seat], last, seats)),
            )
        elif kind == melds.MeldType.KITA:
            tile = _held(hands[seat], "N")
            hands[seat].remove(tile)
            events.append(
                record.Call(seat, melds.Meld(melds.MeldType.KITA, (tile,), tile)),
            )
        elif kind == "reach":
            events.append(record.Riichi(seat, 1))
        elif kind == "end_kyoku":
            nothing = (0,) * seats
            yield record.Round(
                0, 0, 0, dealer, indicator, nothing, dealt, events=tuple(events), endings=()
            )


def _held(hand: set[int], name: str) -> int:
    return min(tile for tile in hand if written(tile) == name)


def called(
    kind: str,
    event: Mapping[str, Any],
    hand: set[int],
    last: int,
    seats: int,
) -> melds.Meld:
    own = []
    for name in event["consumed"]:
        own.append(_held(hand, name))
        hand.remove(own[-1])
    tiles = tuple(sorted((*own, last)))
    source = (event["target"] - event["actor"]) % seats
    return melds.Meld(kind, tiles, last, source)


def played(seats: int, walls: int) -> record.Record:
    log, _ = Match([Policy(None)] * seats, walls).play()
    rules = record.GameRules(9 if seats == 4 else 0x19)
    return record.Record(rules, ("",) * seats, tuple(rounds(log)))


def draws_of(seats: int, walls: int) -> list[PlayerDraws]:
    return summed(list(draw_luck(played(seats, walls))), seats)


def summed(every: Sequence[DrawLuck], seats: int) -> list[PlayerDraws]:
    """The sums of each seat's draws, without those that were sure, which have no variance."""
    found = []
    for seat in range(seats):
        own = [one for one in every if one.seat == seat and 0 < one.chance < 1]
        mine = [(one.hit - one.chance, one.chance * (1 - one.chance)) for one in own]
        first = sum(luck / sqrt(variance) for luck, variance in mine[:FIRST])
        total = sum(luck for luck, _ in mine)
        variance = sum(part for _, part in mine)
        found.append(PlayerDraws(total, variance, first))
    return found


def simulated(games: int, seats: int = 4, seed: int = 1) -> Iterator[list[PlayerDraws]]:
    walls = [seed * 1_000_003 + 1000 * game for game in range(games)]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        results = pool.map(partial(draws_of, seats), walls, chunksize=8)
        for done, found in enumerate(results, 1):
            yield found
            if sys.stderr.isatty():
                print(f"\r{done}/{games}", end="", file=sys.stderr)


class Estimate(NamedTuple):
    """A mean over games and its standard error, of games' means: a game's players are not
    independent.
    """

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} (error {self.error:.4f})"


def estimate(games: Sequence[Sequence[float]]) -> Estimate:
    means = [fmean(values) for values in games]
    return Estimate(fmean(means), stdev(means) / sqrt(len(means)))


class Measured(NamedTuple):
    """The mean z of games and its deviation; means of draws over the mean variance, and of the
    first draws, each standardised by itself; the covariance of draws with 1 / sqrt(variance)."""

    z: Estimate
    deviation: float
    fixed: Estimate
    covariance: float
    first: Estimate


def measured(games: Sequence[Sequence[PlayerDraws]]) -> Measured:
    every = [one for game in games for one in game]
    z = [one.draws / sqrt(one.variance) for one in every]
    typical = sqrt(fmean(one.variance for one in every))
    inverse = fmean(1 / sqrt(one.variance) for one in every)
    draws = fmean(one.draws for one in every)
    return Measured(
        estimate([[one.draws / sqrt(one.variance) for one in game] for game in games]),
        stdev(z),
        estimate([[one.draws / typical for one in game] for game in games]),
        fmean(z) - draws * inverse,
        estimate([[one.first / sqrt(FIRST) for one in game] for game in games]),
    )


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seat_numbers = [int(sys.argv[2])] if len(sys.argv) > 2 else [4, 3]
    for seats in seat_numbers:
        found = list(simulated(games, seats))
        one = measured(found)
        every = [player for game in found for player in game]
        total = sum(player.draws for player in every)
        variance = sum(player.variance for player in every)
        print(f"{games} games of {seats} seats, {len(every)} players")
        print(
            f"  all draws together: {total:+.1f} useful ones above expected (error {sqrt(variance):.1f})"
        )
        print(f"  draws over the mean variance: {one.fixed}")
        print(f"  the first {FIRST} draws, each standardised by itself: {one.first}")
        print(f"  z of a game: mean {one.z}, sd {one.deviation:.4f}")
        print(
            f"  of which the covariance of draws and 1 / sqrt(variance): {one.covariance:+.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
