"""Counts the results of rounds and games of one player: rates, mean win, mean placing and the balance
sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rating.paifu.deal_in import DealInCount, of_seat, rons
from rating.paifu.efficiency import EfficiencyRating, efficiency_row
from rating.paifu.luck import Luck, luck_row
from rating.paifu.play_figures import play_figures, yaku_shares
from rating.paifu.record import OPEN, Call, Riichi, Round

WIN, DEAL_IN, OTHERS_TSUMO, OTHERS_RON, DRAW = "win", "deal-in", "other's tsumo", "others' ron", "draw"
ENDINGS = (WIN, DEAL_IN, OTHERS_TSUMO, OTHERS_RON, DRAW)
TO_RIICHI, TO_OTHERS = "riichi", "others"
BILLIONTH = 1e-9


class Share(NamedTuple):
    """The result of one round for one seat.

    `ending` is one of ENDINGS. `change` is in points, with the seat's own riichi stick. `value` is that of
    its winning hand in points, 0 without a win. `called`: it called a tile of another seat. `deal_ins` counts
    the rons on its tiles.
    """

    ending: str
    change: int
    value: int
    riichi: bool
    called: bool
    deal_ins: DealInCount = DealInCount()


def shares(played: Round) -> Iterator[Share]:
    """Yield the result of the round for each seat, in seat order."""
    wins = played.wins
    values = {win.seat: win.value for win in wins}
    given = rons(played)
    givers = {ron.giver for ron in given}
    tsumo = any(win.tsumo for win in wins)
    riichi = {event.seat for event in played.events if isinstance(event, Riichi)}
    called = {event.seat for event in played.events if isinstance(event, Call) and event.meld.type in OPEN}
    for seat, change in enumerate(played.change):
        if seat in values:
            ending = WIN
        elif seat in givers:
            ending = DEAL_IN
        else:
            ending = (OTHERS_TSUMO if tsumo else OTHERS_RON) if wins else DRAW
        dealt = of_seat(given, seat)
        yield Share(ending, change, values.get(seat, 0), seat in riichi, seat in called, dealt)


@dataclass(slots=True)
class PaifuTally:
    """The sums over rounds and games of one player; tallies can be added with `+=`.

    `placings` is keyed from 0. `endings` counts rounds by ending, `points` sums their changes. `win_value` is
    in points. `deal_ins` counts rons by TO_RIICHI and TO_OTHERS: each winner of a double ron, where `endings`
    has one round. `play` holds the counts of `play_counts`, and of luck and tile efficiency those that are
    whole numbers. `sums` holds the others in billionths, so that tallies are the same in whatever order they
    are added.
    """

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
        self.endings[share.ending] += 1
        self.points[share.ending] += share.change
        self.deal_ins.update({TO_RIICHI: share.deal_ins.to_riichi, TO_OTHERS: share.deal_ins.to_others})

    def finish(self, placing: int) -> None:
        """Add one game; `placing` counts from 0."""
        self.games += 1
        self.placings[placing] += 1

    def watch(self, play: Counter[str], luck: Luck, efficiency: EfficiencyRating) -> None:
        """Add what a game showed of the player's play, luck and tile efficiency."""
        self.play.update(play)
        self.play.update({"deals": luck.rounds, "decisions": efficiency.decisions, "best": efficiency.best})
        sums = {
            "draws": luck.draws,
            "variance": luck.variance,
            "dealt": luck.dealt,
            "ura": luck.ura,
            "ura variance": luck.ura_variance,
            "losses": efficiency.losses,
        }
        self.sums.update({name: round(value / BILLIONTH) for name, value in sums.items()})

    def _sum(self, name: str) -> float:
        return self.sums[name] * BILLIONTH

    @property
    def luck(self) -> Luck:
        """The player's luck over all games that tell it."""
        return Luck(
            self._sum("draws"),
            self._sum("variance"),
            dealt=self._sum("dealt"),
            rounds=self.play["deals"],
            ura=self._sum("ura"),
            ura_variance=self._sum("ura variance"),
        )

    @property
    def efficiency(self) -> EfficiencyRating:
        """The player's tile efficiency over all games that tell it."""
        return EfficiencyRating(self.play["decisions"], self.play["best"], self._sum("losses"))

    def __iadd__(self, other: PaifuTally) -> PaifuTally:
        self.games += other.games
        self.rounds += other.rounds
        self.riichis += other.riichis
        self.called += other.called
        self.win_value += other.win_value
        self.placings.update(other.placings)
        self.endings.update(other.endings)
        self.points.update(other.points)
        self.deal_ins.update(other.deal_ins)
        self.play.update(other.play)
        self.sums.update(other.sums)
        return self

    def rate(self, count: int) -> float:
        """`count` as a share of the rounds (0-1); 0.0 without rounds."""
        return count / self.rounds if self.rounds else 0.0

    @property
    def split(self) -> DealInCount | None:
        """The deal-ins to players in riichi and to others; None where a record log of version 0.1 does not
        tell them."""
        known = DealInCount(self.deal_ins[TO_RIICHI], self.deal_ins[TO_OTHERS])
        return known if known.total >= self.endings[DEAL_IN] else None

    @property
    def mean_placing(self) -> float:
        """Mean placing, 1 the best; 0.0 without games."""
        total = sum((placing + 1) * count for placing, count in self.placings.items())
        return total / self.games if self.games else 0.0

    @property
    def mean_win(self) -> float:
        """Mean value of the winning hands in points, without honba and sticks; 0.0 without wins."""
        return self.win_value / self.endings[WIN] if self.endings[WIN] else 0.0

    @property
    def mean_change(self) -> float:
        """Mean change of points per round; 0.0 without rounds."""
        return sum(self.points.values()) / self.rounds if self.rounds else 0.0

    def balance(self) -> dict[str, dict[str, float]]:
        """{ending: {"share": share of the rounds (0-1), "points": mean change of points in them}}."""
        return {
            ending: {
                "share": self.rate(self.endings[ending]),
                "points": self.points[ending] / self.endings[ending] if self.endings[ending] else 0.0,
            }
            for ending in ENDINGS
        }

    def figures(self) -> dict[str, object]:
        """All figures by name, for JSON; rates are 0-1, `placings` four counts.

        `deal_in` is the share of the rounds, `deal_ins` counts rons by kind (null where a log does not tell
        them).
        """
        return {
            "games": self.games,
            "rounds": self.rounds,
            "win": self.rate(self.endings[WIN]),
            "deal_in": self.rate(self.endings[DEAL_IN]),
            "deal_ins": self.split and {"to_riichi": self.split.to_riichi, "to_others": self.split.to_others},
            "riichi": self.rate(self.riichis),
            "call": self.rate(self.called),
            "mean_win": self.mean_win,
            "mean_placing": self.mean_placing,
            "placings": [self.placings[placing] for placing in range(4)],
            "balance": self.balance(),
            "mean": self.mean_change,
        }

    def play_rows(self) -> dict[str, dict[str, Any]]:
        """What `watch` added, for JSON: `play` and `yaku` have the fields of PlayFigure."""
        return {
            "play": {name: figure._asdict() for name, figure in play_figures(self.play).items()},
            "yaku": {name: figure._asdict() for name, figure in yaku_shares(self.play).items()},
            "luck": luck_row(self.luck),
            "efficiency": efficiency_row(self.efficiency),
        }
