"""A player's games with one number of seats, and all that figures are counted from; points in thousands."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from rating.games import Game, Seat
from rating.meetings import Meeting, Meetings, against, meetings
from rating.standings import NOISE, Line
from rating.tallies import Result, Tally, results_by_player, tallies

FEWEST = 10  # games of those who are compared, at least


@dataclass(frozen=True)
class Peers:
    """The players with enough of the games, and what figures are counted from beside the games. `worth` tells
    what a seat's chips are worth. `lines` are ratings over the games. `records` counts what the games'
    records tell of each player; it is asked where a figure needs it."""

    games: Sequence[Game]
    players: Collection[str]
    tallies: Mapping[str, Tally]
    worth: Callable[[Seat, Game], float] = lambda seat, game: 0.0
    lines: Mapping[str, Line] = field(default_factory=dict)
    records: Callable[[], Mapping[str, Mapping[str, int]]] = dict

    @cached_property
    def meetings(self) -> Meetings:
        return meetings(self.games)

    @cached_property
    def record_counts(self) -> Mapping[str, Mapping[str, int]]:
        return self.records()

    @cached_property
    def leader(self) -> str:
        """Who alone has the best mean placing; "" where nobody has."""
        best = min(tally.mean_placing for tally in self.tallies.values())
        first = [p for p, tally in self.tallies.items() if tally.mean_placing - best < NOISE]
        return first[0] if len(first) == 1 else ""


@dataclass(frozen=True)
class Career:
    """One player's games with one number of seats, and those of its peers."""

    player: str
    tally: Tally
    results: Sequence[Result]
    peers: Peers

    @cached_property
    def scores(self) -> list[float]:
        return [result.seat.score for result in self.results]

    @cached_property
    def worth(self) -> float:
        return round(sum(self.peers.worth(result.seat, result.game) for result in self.results), 6)

    @property
    def total(self) -> float:
        return round(self.tally.points + self.worth, 6)

    @property
    def line(self) -> Line | None:
        return self.peers.lines.get(self.player)

    @property
    def records(self) -> Mapping[str, int]:
        return self.peers.record_counts.get(self.player, {})

    @cached_property
    def met(self) -> dict[str, Meeting]:
        """The meetings with members by opponent, most games first."""
        own = against(self.peers.meetings, self.player)
        return {other: meeting for other, meeting in own.items() if other in self.peers.players}

    @cached_property
    def days(self) -> list[list[Result]]:
        """The games of each day of play, in order of date; games without a date do not count."""
        days: dict[date, list[Result]] = {}
        for result in self.results:
            if result.game.day is not None:
                days.setdefault(result.game.day, []).append(result)
        return [days[day] for day in sorted(days)]


def careers(
    games: Sequence[Game],
    players: Collection[str],
    least: int = 1,
    worth: Callable[[Seat, Game], float] = lambda seat, game: 0.0,
    lines: Mapping[str, Line] | None = None,
    records: Callable[[], Mapping[str, Mapping[str, int]]] = dict,
) -> dict[str, Career]:
    """The careers of those `players` who have `least` of the games, which must have one number of seats."""
    found = {p: t for p, t in tallies(games).items() if p in players and t.games >= least}
    peers = Peers(games, players, found, worth, lines or {}, records)
    results = results_by_player(games, found)
    return {player: Career(player, tally, results[player], peers) for player, tally in found.items()}
