"""Plays duplicate games that measure whether folding by danger pays.

Two policies play that differ only in the rule of push or fold: one folds by `danger`, the other by
suji alone or never. A pair is two games on the same walls: the policy with the rule has seats 0 and
2 in one game, 1 and 3 in the other. Each policy so has every seat of a wall once, and the luck of
the deal cancels in the difference. The pairs are independent, so the error of the difference is
computed over them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from rating.paifu.deal_in import DealInCount
from rating.paifu.engine import BY_SUJI, BY_WAITS, FoldRule, Match, Policy, load
from rating.paifu.record import placings
from rating.paifu.tally import PaifuTally, Ratio, RoundEnding, Share, ending_of

Log = Sequence[Mapping[str, Any]]
SEATS = 4
CALLS = frozenset(("chi", "pon", "daiminkan"))
STICK = 1000  # points
HONBA = 300  # points of a win for each honba


def rounds(log: Log) -> Iterator[list[Share]]:
    played: list[Mapping[str, Any]] = []
    for event in log:
        if event["type"] == "start_kyoku":
            played = []
        played.append(event)
        if event["type"] == "end_kyoku":
            yield _shares(played)


def _shares(played: Log) -> list[Share]:
    """Each seat's share of a round, from the round's events."""
    start = played[0]
    outcome = _RoundOutcome(start["kyotaku"], start["honba"], change=[0] * SEATS)
    for event in played:
        outcome.apply(event)
    return [outcome.share(seat) for seat in range(SEATS)]


@dataclass(slots=True)
class _RoundOutcome:
    """What a round brought each seat. `change` are points by seat; `values` the points of each
    winner's hand without sticks and honba; `givers` dealt in."""

    sticks: int
    honba: int
    change: list[int]
    riichi: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)
    values: dict[int, int] = field(default_factory=dict)
    givers: set[int] = field(default_factory=set)
    is_tsumo: bool = False

    def apply(self, event: Mapping[str, Any]) -> None:
        kind = event["type"]
        if kind == "reach":
            self.riichi.add(event["actor"])
        elif kind == "reach_accepted":
            self.change[event["actor"]] -= STICK
            self.sticks += 1
        elif kind in CALLS:
            self.called.add(event["actor"])
        elif kind in ("hora", "ryukyoku"):
            for seat, points in enumerate(event["deltas"]):
                self.change[seat] += points
        if kind == "hora":
            self._apply_win(event["actor"], event["target"], event["deltas"])

    def _apply_win(self, winner: int, giver: int, change: Sequence[int]) -> None:
        value = change[winner]
        if not self.values:  # the first winner takes the sticks and the honba
            value -= STICK * self.sticks + HONBA * self.honba
        self.values[winner] = value
        self.is_tsumo = giver == winner
        if not self.is_tsumo:
            self.givers.add(giver)

    def share(self, seat: int) -> Share:
        deal_ins = DealInCount()
        if seat in self.givers:
            to_riichi = len(self.riichi & self.values.keys())
            deal_ins = DealInCount(to_riichi, len(self.values) - to_riichi)
        return Share(
            ending_of(seat, self.values, self.givers, self.is_tsumo),
            self.change[seat],
            self.values.get(seat, 0),
            seat in self.riichi,
            seat in self.called,
            deal_ins,
        )


Z = 1.96  # 95 %
WITH = True
WITHOUT = False
AGAINST: dict[str, FoldRule | None] = {"none": None, "suji": BY_SUJI}


class PairResult(NamedTuple):
    """One pair:

    `folding` of the policy with the rule, `plain` of the other, and the rounds played.
    """

    folding: PaifuTally
    plain: PaifuTally
    rounds: int


def ratios(tally: PaifuTally) -> dict[str, Ratio]:
    """The figures that are compared: how often each place was reached, and those of the tally."""
    places = {
        name: Ratio(tally.placings[placing], tally.games)
        for placing, name in enumerate(("1st", "2nd", "3rd", "4th"))
    }
    return places | tally.ratios()


def seeds(games: int, seed: int) -> list[int]:
    """One seed of walls for each pair of games; an odd number of games is rounded up. The seeds are
    drawn at random from 48 bits, since the engine uses seed + 1 for the next round of a game.
    Raises PaifuError when the engine is not installed."""
    load()
    source = random.Random(seed)  # noqa: S311 - the walls are no secret
    return [source.getrandbits(48) for _ in range((games + 1) // 2)]


def play(walls: int, against: str = "none") -> PairResult:
    """Play one pair: two games on the walls of the seed `walls`, between which the policies change
    seats. `against`, a key of AGAINST, is the rule by which the other policy folds."""
    rules = {WITH: BY_WAITS, WITHOUT: AGAINST[against]}
    tallies = {WITH: PaifuTally(), WITHOUT: PaifuTally()}
    count = 0
    for seats in ((WITH, WITHOUT, WITH, WITHOUT), (WITHOUT, WITH, WITHOUT, WITH)):
        policies = [Policy(rules[folds]) for folds in seats]
        match = Match(policies, walls).play()
        for shares in rounds(match.events):
            count += 1
            for folds, share in zip(seats, shares, strict=True):
                tallies[folds].count(share)
        for folds, placing in zip(seats, placings(match.points), strict=True):
            tallies[folds].finish(placing)
    return PairResult(tallies[WITH], tallies[WITHOUT], count)


def report(
    results: Sequence[PairResult],
    seed: int,
    seconds: float,
) -> dict[str, object]:
    """The figures of both policies, their differences (with minus without) and 95 % intervals, for
    JSON. `seed` and `seconds` (how long it took) are passed on."""
    folding = PaifuTally()
    plain = PaifuTally()
    for result in results:
        folding += result.folding
        plain += result.plain

    folding_ratios = [ratios(result.folding) for result in results]
    plain_ratios = [ratios(result.plain) for result in results]
    figures: dict[str, dict[str, float]] = {}
    for name in ratios(folding):
        with_rule = [row[name] for row in folding_ratios]
        without_rule = [row[name] for row in plain_ratios]
        figures[name] = compare(with_rule, without_rule)
    return {
        "games": 2 * len(results),
        "pairs": len(results),
        "rounds": sum(result.rounds for result in results),
        "seed": seed,
        "seconds": round(seconds, 1),
        "figures": figures,
        "balance": {ending: _balance(results, ending) for ending in RoundEnding},
        "with": folding.figures(),
        "without": plain.figures(),
    }


def _balance(results: Sequence[PairResult], ending: RoundEnding) -> dict[str, dict[str, float]]:
    """How often rounds ended so, and what such a round brought."""
    tallies = [(result.folding, result.plain) for result in results]
    return {
        "share": compare(
            [Ratio(folding.endings[ending], folding.rounds) for folding, _ in tallies],
            [Ratio(plain.endings[ending], plain.rounds) for _, plain in tallies],
        ),
        "points": compare(
            [Ratio(folding.points[ending], folding.endings[ending]) for folding, _ in tallies],
            [Ratio(plain.points[ending], plain.endings[ending]) for _, plain in tallies],
        ),
    }


def compare(folding: Sequence[Ratio], plain: Sequence[Ratio]) -> dict[str, float]:
    """Both means of a figure, their difference, its standard error over the pairs and its 95 %
    interval. A mean is a ratio of sums, so the error is that of the linearised ratio."""
    with_rule = _linearised(folding)
    without = _linearised(plain)
    difference = with_rule.mean - without.mean
    parts = [a - b for a, b in zip(with_rule.deviations, without.deviations, strict=True)]
    error = 0.0
    if parts:
        squares = sum(part * part for part in parts)
        error = sqrt(squares / max(1, len(parts) - 1) / len(parts))
    return {
        "with": with_rule.mean,
        "without": without.mean,
        "difference": difference,
        "error": error,
        "low": difference - Z * error,
        "high": difference + Z * error,
    }


class _Linearised(NamedTuple):
    """The ratio of the sums of all pairs, and the linearised deviation of each pair from it."""

    mean: float
    deviations: list[float]


def _linearised(ratios: Sequence[Ratio]) -> _Linearised:
    cases = sum(ratio.cases for ratio in ratios)
    if not cases:
        return _Linearised(0.0, [0.0] * len(ratios))
    mean = sum(ratio.total for ratio in ratios) / cases
    size = cases / len(ratios)
    return _Linearised(mean, [(ratio.total - mean * ratio.cases) / size for ratio in ratios])
