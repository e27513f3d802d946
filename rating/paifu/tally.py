"""Counts the rounds and games of one player: rates, mean win, mean placing and the balance sheet."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rating.paifu.deal_in import CountSums, DealInCount, count, rons
from rating.paifu.efficiency import EfficiencyRating, efficiency_row
from rating.paifu.luck import Luck, luck_row
from rating.paifu.play_figures import PlayFigure, add, play_figures, share, yaku_shares
from rating.paifu.record import OPEN, Call, Riichi, Round

WIN, DEAL_IN, OTHERS_TSUMO, OTHERS_RON, DRAW = "win", "deal-in", "other's tsumo", "others' ron", "draw"
ENDINGS = (WIN, DEAL_IN, OTHERS_TSUMO, OTHERS_RON, DRAW)
TO_RIICHI, TO_OTHERS = "riichi", "others"
BILLIONTH = 1e-9
DISPERSION = 1.2
"""The variance of deal-ins between games over that of chance alone; 1.12 on 4,500 seats of Tenhou's top table
with three seats (error 0.02), 1.14 on 216 with four (0.10). Other rates have none to speak of (wins 1.03)."""
LUCK = ("draws", "variance", "dealt", "ura", "ura variance")  # of the sums


class Share(NamedTuple):
    """The result of one round for one seat. `ending` is one of ENDINGS. `change` is in points, with the
    seat's own riichi stick. `value` is that of its winning hand in points, 0 without a win. `called`: it
    called a tile of another seat. `deal_ins` counts the rons on its tiles."""

    ending: str
    change: int
    value: int
    riichi: bool
    called: bool
    deal_ins: DealInCount = DealInCount()


def shares(played: Round) -> Iterator[Share]:
    wins = played.wins
    values = {win.seat: win.value for win in wins}
    given = rons(played)
    givers = {ron.giver for ron in given}
    tsumo = any(win.tsumo for win in wins)
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    called = {event.seat for event in played.events if isinstance(event, Call) and event.meld.type in OPEN}
    for seat, change in enumerate(played.change):
        ending, value, dealt = ending_of(seat, values, givers, tsumo), values.get(seat, 0), count(given, seat)
        yield Share(ending, change, value, seat in riichi, seat in called, dealt)


def ending_of(seat: int, winners: Collection[int], givers: Collection[int], tsumo: bool) -> str:
    """What a round with these winners was for a seat, one of ENDINGS; `givers` dealt in."""
    if not winners:
        return DRAW
    return WIN if seat in winners else DEAL_IN if seat in givers else OTHERS_TSUMO if tsumo else OTHERS_RON


@dataclass(slots=True)
class PaifuTally(CountSums):
    """The sums over rounds and games of one player; tallies can be added with `+=`.

    `placings` is keyed from 0. `endings` counts rounds by ending, `points` sums their changes. `win_value` is
    in points. `deal_ins` counts rons by TO_RIICHI and TO_OTHERS: each winner of a double ron, where `endings`
    has one round. `play` holds the counts of `play_counts`, the value of wins, and of luck and tile
    efficiency those that are whole numbers. `sums` holds the others in billionths, so that tallies are the
    same in whatever order they are added."""

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
        self.riichis += share.riichi
        self.called += share.called
        self.win_value += share.value
        if share.ending == WIN:
            add(self.play, "win value", share.value)
        self.endings[share.ending] += 1
        self.points[share.ending] += share.change
        self.deal_ins.update({TO_RIICHI: share.deal_ins.to_riichi, TO_OTHERS: share.deal_ins.to_others})

    def finish(self, placing: int) -> None:
        self.games += 1
        self.placings[placing] += 1

    def watch(self, play: Counter[str], luck: Luck, efficiency: EfficiencyRating) -> None:
        """Add what a game showed of the player's play, luck and tile efficiency."""
        self.play.update(play)
        self.play.update({"deals": luck.rounds, "decisions": efficiency.decisions, "best": efficiency.best})
        values = (luck.draws, luck.variance, luck.dealt, luck.ura, luck.ura_variance, efficiency.losses)
        names = (*LUCK, "losses")
        self.sums.update({name: round(n / BILLIONTH) for name, n in zip(names, values, strict=True)})

    @property
    def luck(self) -> Luck:
        draws, variance, dealt, ura, ura_variance = (self.sums[name] * BILLIONTH for name in LUCK)
        return Luck(draws, variance, dealt, self.play["deals"], ura, ura_variance)

    @property
    def efficiency(self) -> EfficiencyRating:
        return EfficiencyRating(self.play["decisions"], self.play["best"], self.sums["losses"] * BILLIONTH)

    @property
    def split(self) -> DealInCount | None:
        """The deal-ins by who won; None where a record log of version 0.1 does not tell them."""
        known = DealInCount(self.deal_ins[TO_RIICHI], self.deal_ins[TO_OTHERS])
        return known if known.total >= self.endings[DEAL_IN] else None

    def mean(self, name: str) -> float:
        """One of FIGURES; 0.0 without cases."""
        total, cases = FIGURES[name](self)
        return total / cases if cases else 0.0

    def rates(self) -> dict[str, PlayFigure]:
        """The shares of the rounds that ended in a win or a deal-in, or were played with riichi or calls."""
        counted = ((name, *FIGURES[name](self)) for name in ("win", "deal_in", "riichi", "call"))
        return {
            name: share(int(count), int(of), DISPERSION if name == "deal_in" else 1.0)
            for name, count, of in counted
        }

    def all_figures(self) -> dict[str, PlayFigure]:
        """The figures of play, and `rates`. Older lines tell the sum of wins alone: no interval then."""
        found, wins = play_figures(self.play) | self.rates(), self.endings[WIN]
        if found["mean_win"].cases != wins:
            found["mean_win"] = PlayFigure(wins, None, self.mean("mean_win"), None, None)
        return found

    def balance(self) -> dict[str, dict[str, float]]:
        """{ending: {"share": share of the rounds (0-1), "points": mean change of points in them}}."""
        return {
            ending: {
                "share": self.endings[ending] / self.rounds if self.rounds else 0.0,
                "points": self.points[ending] / self.endings[ending] if self.endings[ending] else 0.0,
            }
            for ending in ENDINGS
        }

    def figures(self) -> dict[str, Any]:
        """The figures of rounds and games by name, for JSON; rates are 0-1, `placings` four counts. `deal_in`
        is the share of the rounds, `deal_ins` counts rons by kind (null where a log does not tell them)."""
        return {
            "games": self.games,
            "rounds": self.rounds,
            "win": self.mean("win"),
            "deal_in": self.mean("deal_in"),
            "deal_ins": self.split and {"to_riichi": self.split.to_riichi, "to_others": self.split.to_others},
            **{name: self.mean(name) for name in ("riichi", "call", "mean_win", "mean_placing")},
            "placings": [self.placings[placing] for placing in range(4)],
            "balance": self.balance(),
            "mean": self.mean("mean"),
        }

    def play_rows(self, seats: int) -> dict[str, dict[str, Any]]:
        """What `watch` added, for JSON: `play` and `yaku` have the fields of PlayFigure."""
        return {
            "play": {name: figure._asdict() for name, figure in play_figures(self.play).items()},
            "yaku": {name: figure._asdict() for name, figure in yaku_shares(self.play).items()},
            "luck": luck_row(self.luck),
            "efficiency": efficiency_row(self.efficiency, seats, self.games),
        }


FIGURES: dict[str, Callable[[PaifuTally], tuple[float, float]]] = {
    "win": lambda tally: (tally.endings[WIN], tally.rounds),
    "deal_in": lambda tally: (tally.endings[DEAL_IN], tally.rounds),
    "riichi": lambda tally: (tally.riichis, tally.rounds),
    "call": lambda tally: (tally.called, tally.rounds),
    "mean_win": lambda tally: (tally.win_value, tally.endings[WIN]),
    "mean_placing": lambda tally: (sum((p + 1) * n for p, n in tally.placings.items()), tally.games),
    "mean": lambda tally: (sum(tally.points.values()), tally.rounds),
}
"""The figures of rounds and games as (sum, cases): shares of the rounds, the mean value of the winning hands
without honba and sticks, the mean placing (1 the best), the mean change of points a round."""
