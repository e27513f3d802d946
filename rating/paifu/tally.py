"""Counts the rounds and games of one player: rates, mean win, mean placing and the balance sheet."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from rating.paifu.deal_in import CountSums, DealInCount, count, rons
from rating.paifu.efficiency import EfficiencyRating, efficiency_row
from rating.paifu.luck import Luck, luck_row
from rating.paifu.play_counts import PlayCount, PlayNumber, add
from rating.paifu.play_figures import PlayFigure, play_figures, share, yaku_shares
from rating.paifu.record import Call, Riichi, Round


class RoundEnding(StrEnum):
    """What a round was for a seat, by its name in JSON and recordlog.txt."""

    WIN = "win"
    DEAL_IN = "deal-in"
    OTHERS_TSUMO = "other's tsumo"
    OTHERS_RON = "others' ron"
    DRAW = "draw"


class DealInTo(StrEnum):
    """Who won on a discard."""

    RIICHI = "riichi"
    OTHERS = "others"


class LuckSum(StrEnum):
    """The sums of luck and tile efficiency over games, by their names in recordlog.txt."""

    DRAWS = "draws"
    VARIANCE = "variance"
    DEALT = "dealt"
    URA = "ura"
    URA_VARIANCE = "ura variance"
    LOSSES = "losses"


BILLIONTH = 1e-9
DISPERSION = 1.2
"""The variance of deal-ins between games over that of chance alone; 1.12 on 4,500 seats of Tenhou's
top table with three seats (error 0.02), 1.14 on 216 with four (0.10). Other rates have none to
speak of (wins 1.03)."""


class Ratio(NamedTuple):
    """A sum over so many cases."""

    total: int
    cases: int

    @property
    def mean(self) -> float:
        """0.0 without cases."""
        if not self.cases:
            return 0.0
        return self.total / self.cases


class Share(NamedTuple):
    """The result of one round for one seat. `change` is in points, with
    the seat's own riichi stick. `value` is that of its winning hand in points, 0 without a win.
    `called`: it called a tile of another seat. `deal_ins` counts the rons on its tiles."""

    ending: RoundEnding
    change: int
    value: int
    riichi: bool
    called: bool
    deal_ins: DealInCount = DealInCount()


def shares(played: Round) -> Iterator[Share]:
    """Yield the result of the round for each seat, in seat order."""
    wins = played.wins
    values = {win.seat: win.value for win in wins}
    round_rons = rons(played)
    givers = {ron.giver for ron in round_rons}
    tsumo = any(win.tsumo for win in wins)
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    called = {
        event.seat for event in played.events if isinstance(event, Call) and event.meld.is_open
    }
    for seat, change in enumerate(played.change):
        yield Share(
            ending=ending_of(seat, values, givers, tsumo),
            change=change,
            value=values.get(seat, 0),
            riichi=seat in riichi,
            called=seat in called,
            deal_ins=count(round_rons, seat),
        )


def ending_of(
    seat: int,
    winners: Collection[int],
    givers: Collection[int],
    tsumo: bool,
) -> RoundEnding:
    """What a round with these winners was for a seat; `givers` dealt in."""
    if not winners:
        return RoundEnding.DRAW
    if seat in winners:
        return RoundEnding.WIN
    if seat in givers:
        return RoundEnding.DEAL_IN
    if tsumo:
        return RoundEnding.OTHERS_TSUMO
    return RoundEnding.OTHERS_RON


@dataclass(slots=True)
class PaifuTally(CountSums):
    """The sums over rounds and games of one player; tallies can be added with `+=`.

    `placings` is keyed from 0. `endings` counts rounds by ending, `points` sums their changes.
    `win_value` is in points. `deal_ins` counts rons by DealInTo.RIICHI and DealInTo.OTHERS: each winner of a
    double ron, where `endings` has one round. `play` has the counts of `play_counts`, the value
    of wins, and of luck and tile efficiency those that are whole numbers. `sums` has the others
    in billionths, so that tallies are the same in whatever order they are added."""

    games: int = 0
    placings: Counter[int] = field(default_factory=Counter)
    rounds: int = 0
    riichis: int = 0
    called: int = 0
    win_value: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    deal_ins: Counter[str] = field(default_factory=Counter)
    play: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)

    def count(self, share: Share) -> None:
        """Add one round."""
        self.rounds += 1
        if share.riichi:
            self.riichis += 1
        if share.called:
            self.called += 1
        self.win_value += share.value
        if share.ending == RoundEnding.WIN:
            add(self.play, PlayNumber.WIN_VALUE, share.value)
        self.endings[share.ending] += 1
        self.points[share.ending] += share.change
        self.deal_ins.update(
            {DealInTo.RIICHI: share.deal_ins.to_riichi, DealInTo.OTHERS: share.deal_ins.to_others}
        )

    def finish(self, placing: int) -> None:
        self.games += 1
        self.placings[placing] += 1

    def watch(self, play: Counter[str], luck: Luck, efficiency: EfficiencyRating) -> None:
        """Add what a game showed of the player's play, luck and tile efficiency."""
        self.play.update(play)
        self.play.update(
            {
                PlayCount.DEALS: luck.rounds,
                PlayCount.DECISIONS: efficiency.decisions,
                PlayCount.BEST: efficiency.best,
            }
        )
        sums = {
            LuckSum.DRAWS: luck.draws,
            LuckSum.VARIANCE: luck.variance,
            LuckSum.DEALT: luck.dealt,
            LuckSum.URA: luck.ura,
            LuckSum.URA_VARIANCE: luck.ura_variance,
            LuckSum.LOSSES: efficiency.losses,
        }
        self.sums.update({name: round(value / BILLIONTH) for name, value in sums.items()})

    @property
    def luck(self) -> Luck:
        return Luck(
            draws=self.sums[LuckSum.DRAWS] * BILLIONTH,
            variance=self.sums[LuckSum.VARIANCE] * BILLIONTH,
            dealt=self.sums[LuckSum.DEALT] * BILLIONTH,
            rounds=self.play[PlayCount.DEALS],
            ura=self.sums[LuckSum.URA] * BILLIONTH,
            ura_variance=self.sums[LuckSum.URA_VARIANCE] * BILLIONTH,
        )

    @property
    def efficiency(self) -> EfficiencyRating:
        return EfficiencyRating(
            decisions=self.play[PlayCount.DECISIONS],
            best=self.play[PlayCount.BEST],
            losses=self.sums[LuckSum.LOSSES] * BILLIONTH,
        )

    @property
    def split(self) -> DealInCount | None:
        """The deal-ins by who won; None where a record log of version 0.1 has only their sum."""
        known = DealInCount(self.deal_ins[DealInTo.RIICHI], self.deal_ins[DealInTo.OTHERS])
        return known if known.total >= self.endings[RoundEnding.DEAL_IN] else None

    def ratios(self) -> dict[str, Ratio]:
        """The figures of rounds and games by name: shares of the rounds, the mean value of the
        winning hands without honba and sticks, the mean placing (1 the best), the mean change of
        points a round."""
        wins = self.endings[RoundEnding.WIN]
        placings = sum((placing + 1) * games for placing, games in self.placings.items())
        return {
            "win": Ratio(wins, self.rounds),
            "deal_in": Ratio(self.endings[RoundEnding.DEAL_IN], self.rounds),
            "riichi": Ratio(self.riichis, self.rounds),
            "call": Ratio(self.called, self.rounds),
            "mean_win": Ratio(self.win_value, wins),
            "mean_placing": Ratio(placings, self.games),
            "mean": Ratio(sum(self.points.values()), self.rounds),
        }

    def mean(self, name: str) -> float:
        """One of `ratios`; 0.0 without cases."""
        return self.ratios()[name].mean

    def rates(self) -> dict[str, PlayFigure]:
        """The shares of the rounds that ended in a win or a deal-in, or were played with riichi or
        calls.
        """
        ratios = self.ratios()
        rates = {}
        for name in ("win", "deal_in", "riichi", "call"):
            dispersion = 1.0
            if name == "deal_in":
                dispersion = DISPERSION
            rates[name] = share(ratios[name].total, ratios[name].cases, dispersion)
        return rates

    def all_figures(self) -> dict[str, PlayFigure]:
        """The figures of play, and `rates`.

        Where some records are lines from before figures of play, their wins are known only as a
        sum: the mean win then has no interval.
        """
        figures = play_figures(self.play) | self.rates()
        wins = self.endings[RoundEnding.WIN]
        if figures["mean_win"].cases != wins:
            figures["mean_win"] = PlayFigure(
                wins, counted=None, value=self.mean("mean_win"), low=None, high=None
            )
        return figures

    def balance(self) -> dict[str, dict[str, float]]:
        """{ending: {"share": share of the rounds (0-1), "points": mean change of points in
        them}}.
        """
        return {
            ending: {
                "share": Ratio(self.endings[ending], self.rounds).mean,
                "points": Ratio(self.points[ending], self.endings[ending]).mean,
            }
            for ending in RoundEnding
        }

    def figures(self) -> dict[str, Any]:
        """The figures of rounds and games by name, for JSON; rates are 0-1, `placings` four counts.
        `deal_in` is the share of the rounds, `deal_ins` counts rons by kind (null where a log does
        not tell them)."""
        means = {name: ratio.mean for name, ratio in self.ratios().items()}
        split = self.split
        deal_ins: dict[str, int] | None = None
        if split is not None:
            deal_ins = {"to_riichi": split.to_riichi, "to_others": split.to_others}
        return {
            "games": self.games,
            "rounds": self.rounds,
            "win": means["win"],
            "deal_in": means["deal_in"],
            "deal_ins": deal_ins,
            "riichi": means["riichi"],
            "call": means["call"],
            "mean_win": means["mean_win"],
            "mean_placing": means["mean_placing"],
            "placings": [self.placings[placing] for placing in range(4)],
            "balance": self.balance(),
            "mean": means["mean"],
        }

    def play_rows(self, seats: int) -> dict[str, dict[str, Any]]:
        """What `watch` added, for JSON: `play` and `yaku` have the fields of PlayFigure."""
        play = play_figures(self.play)
        yaku = yaku_shares(self.play)
        return {
            "play": {name: figure._asdict() for name, figure in play.items()},
            "yaku": {name: figure._asdict() for name, figure in yaku.items()},
            "luck": luck_row(self.luck),
            "efficiency": efficiency_row(self.efficiency, seats, self.games),
        }
