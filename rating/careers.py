"""A player's games with all that titles and the card's radar are made of, and the players who are compared by them.

Points are in thousands, without chips.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, pstdev

from rating.games import Game
from rating.meetings import Meeting, against, meetings
from rating.standings import NOISE
from rating.streaks import days_of, is_first
from rating.tallies import Result, Tally, results_by_player, tallies

RECENT = 20  # games of a player's form
FEW, SOME, HALVES = (
    10,
    20,
    60,
)  # fewest cases of a mean or of a pair's share, of a share, and games for two halves
DAYS = 15  # fewest days of play of a share


@dataclass(frozen=True)
class Career:
    """One player's games with all that the figures are made of. `met` are the meetings by opponent, `leader` is the
    compared player who alone has the best mean placing, "" where nobody has.
    """

    tally: Tally
    results: Sequence[Result]
    met: Mapping[str, Meeting]
    best_day: float | None
    leader: str

    @cached_property
    def scores(self) -> list[float]:
        return [result.seat.score for result in self.results]

    @property
    def mean(self) -> float:
        """Points a game."""
        return self.tally.points / self.tally.games

    @property
    def spread(self) -> float:
        """The standard deviation of a game's points."""
        return pstdev(self.scores)

    @property
    def recent(self) -> float | None:
        """The points of the last RECENT games; None with fewer."""
        return sum(self.scores[-RECENT:]) if len(self.scores) >= RECENT else None

    def mean_of(self, fits: Callable[[Result], bool], least: int = FEW) -> float | None:
        """The mean points of the games that fit; None of fewer than `least`."""
        own = [result.seat.score for result in self.results if fits(result)]
        return fmean(own) if len(own) >= least else None

    def firsts_after(self, fits: Callable[[Result], bool]) -> float | None:
        """The share of first places in the own games right after one that fits; None of fewer than SOME."""
        after = [now for before, now in zip(self.results, self.results[1:], strict=False) if fits(before)]
        return fmean(map(is_first, after)) if len(after) >= SOME else None

    def firsts_of_days(self, place: int) -> float | None:
        """The share of first places in the first (0) or last (-1) own game of each day; None of fewer than DAYS days."""
        days: dict[object, list[Result]] = {}
        for result in self.results:
            if result.game.day is not None:
                days.setdefault(result.game.day, []).append(result)
        return fmean(is_first(own[place]) for own in days.values()) if len(days) >= DAYS else None

    @property
    def growth(self) -> float | None:
        """By how much the mean placing of the second half of the games is better than that of the first."""
        if len(self.results) < HALVES:
            return None
        middle = len(self.results) // 2
        first, second = self.results[:middle], self.results[middle:]
        return fmean(r.placing for r in first) - fmean(r.placing for r in second)

    @property
    def hardest(self) -> float | None:
        """The least share of games finished above an opponent, of at least two with FEW games together."""
        known = [meeting.share for meeting in self.met.values() if meeting.games >= FEW]
        return min(known) if len(known) > 1 else None

    @property
    def above_leader(self) -> float | None:
        """The share of games finished above the leader; None of fewer than FEW, and of the leader."""
        meeting = self.met.get(self.leader, Meeting())
        return meeting.share if meeting.games >= FEW else None


def careers(games: Sequence[Game], players: Collection[str], least: int) -> dict[str, Career]:
    """The careers of those `players` who have at least `least` of the games, which must have one number of seats.

    Only meetings of members, of `players`, count.
    """
    found = {p: t for p, t in tallies(games).items() if p in players and t.games >= least}
    best_placing = min((tally.mean_placing for tally in found.values()), default=0.0)
    first = [p for p, tally in found.items() if tally.mean_placing - best_placing < NOISE]
    leader = first[0] if len(first) == 1 else ""
    pairs = {pair: meeting for pair, meeting in meetings(games).items() if pair[1] in players}
    results = results_by_player(games, found)
    best: dict[str, float] = {}
    for day in days_of(games):
        best[day.player] = max(day.points, best.get(day.player, day.points))
    return {
        player: Career(tally, results[player], against(pairs, player), best.get(player), leader)
        for player, tally in found.items()
    }
