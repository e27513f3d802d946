"""Count what players did in their games: sums of points, chips and placings, streaks, opponents,
and careers, from which figures are counted. Points are in thousands. No rating.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain, groupby, pairwise, permutations, takewhile
from math import sqrt
from operator import attrgetter
from statistics import NormalDist
from typing import NamedTuple

from rating.games import Game, Seat
from rating.roomlog import is_guest
from rating.standings import NOISE, History, Line


@dataclass(frozen=True, slots=True)
class Meeting:
    """One player's games with another at the same table, as sums over these games. `ahead`: games
    in which the player finished above the other (ties as the source ordered them). `placings` (from
    1) and `points` (thousands) are the player's own sums. `gap`: the sum of the player's points
    minus the other's."""

    games: int = 0
    ahead: int = 0
    placings: int = 0
    points: float = 0.0
    gap: float = 0.0

    @property
    def share(self) -> float:
        """The share of the games in which the player finished above the other, 0 to 1."""
        return self.ahead / self.games

    @property
    def mean_placing(self) -> float:
        """The player's own mean placing in these games, from 1."""
        return self.placings / self.games

    @property
    def mean_gap(self) -> float:
        """Thousands of points a game by which the player was ahead of the other."""
        return self.gap / self.games


Meetings = dict[tuple[str, str], Meeting]
"""Meetings by pairs of players; `[a, b]` is a's side."""


def meetings(games: Iterable[Game]) -> Meetings:
    """All pairs of players who played each other, in both directions."""
    sides: dict[tuple[str, str], list[_Side]] = {}
    for game in games:
        places = enumerate(game.seats, 1)
        for (place, seat), (other_place, other) in permutations(places, 2):
            side = _Side(place, place < other_place, seat.score, seat.score - other.score)
            sides.setdefault((seat.player, other.player), []).append(side)
    return {pair: _meeting(pair_sides) for pair, pair_sides in sides.items()}


class _Side(NamedTuple):
    """One player's part in a game with another: placing, whether he finished above the other,
    points, and points minus the other's."""

    placing: int
    ahead: bool
    points: float
    gap: float


def _meeting(sides: Sequence[_Side]) -> Meeting:
    placings, ahead, points, gaps = zip(*sides, strict=True)
    return Meeting(
        games=len(sides),
        ahead=sum(ahead),
        placings=sum(placings),
        points=round(sum(points), 6),
        gap=round(sum(gaps), 6),
    )


def against(all_meetings: Meetings, player: str) -> dict[str, Meeting]:
    """One player's meetings by opponent, most games first."""
    opponents = {}
    for (side, opponent), meeting in all_meetings.items():
        if side == player:
            opponents[opponent] = meeting
    order = sorted(opponents, key=lambda opponent: (-opponents[opponent].games, opponent))
    return {opponent: opponents[opponent] for opponent in order}


def sure_leads(all_meetings: Meetings, players: Collection[str], fewest_games: int) -> Meetings:
    """The meetings of these players, from `fewest_games` games, in which the first surely finishes
    above the other. Of leagues of equal players at most 1 in 20 has any: a sign test with
    continuity correction at 5 %, divided by the number of pairs considered (C. Bonferroni, 1936),
    on both sides."""
    members = set(players)
    # every pair twice, once for each side
    considered = {
        pair: meeting
        for pair, meeting in all_meetings.items()
        if meeting.games >= fewest_games and members.issuperset(pair)
    }
    if not considered:
        return {}
    bound = NormalDist().inv_cdf(1 - 0.05 / len(considered))
    return {
        pair: meeting
        for pair, meeting in considered.items()
        if 2 * meeting.ahead - meeting.games - 1 > bound * sqrt(meeting.games)
    }


def groups(tables: Iterable[Sequence[str]]) -> dict[str, int]:
    """The number of each player's group, from 1: players who played each other, directly or through
    others, are one group. `tables` are the players of each game, in order of play.

    The group with the most players comes first, equal ones in order of play. Fitted strengths can
    be compared within a group only. Tenhou's nameless guests are different people, so they join
    nobody and are in no group.
    """
    parents: dict[str, str] = {}
    for players in dict.fromkeys(map(tuple, tables)):
        named = [player for player in players if not is_guest(player)]
        for player in named:
            parents.setdefault(player, player)
            parents[_root(parents, player)] = _root(parents, named[0])
    members: dict[str, list[str]] = {}
    for player in parents:
        members.setdefault(_root(parents, player), []).append(player)
    numbers = {}
    ordered = sorted(members.values(), key=len, reverse=True)
    for number, group in enumerate(ordered, 1):
        numbers.update(dict.fromkeys(group, number))
    return numbers


def _root(parents: dict[str, str], player: str) -> str:
    """The player who represents the group (union-find; each look-up halves the path)."""
    while parents[player] != player:
        parents[player] = parents[parents[player]]
        player = parents[player]
    return player


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's games: how many, points in thousands, chips, and how many ended first, second
    and so on. `chip_games` counts the games whose line has chips; `chips` is 0 without any."""

    games: int
    points: float
    chips: int
    chip_games: int
    placings: tuple[int, ...]

    @property
    def mean_placing(self) -> float:
        return sum(place * count for place, count in enumerate(self.placings, 1)) / self.games


@dataclass(frozen=True, slots=True)
class Result:
    """One player's part in one game: the game's number in the sequence (from 0), the game and the
    seat."""

    number: int
    game: Game
    seat: Seat

    @property
    def placing(self) -> int:
        """The placing from 1, ties as the source ordered them."""
        return self.game.placing(self.seat.player) + 1

    @property
    def last(self) -> bool:
        return self.placing == len(self.game.seats)


def results_by_player(
    games: Sequence[Game],
    players: Iterable[str],
) -> dict[str, list[Result]]:
    """The results of each of the players, in order; an empty list for one without games."""
    results: dict[str, list[Result]] = {player: [] for player in players}
    for number, game in enumerate(games):
        for seat in game.seats:
            if seat.player in results:
                results[seat.player].append(Result(number, game, seat))
    return results


def tallies(games: Iterable[Game]) -> dict[str, Tally]:
    """Every player's tally, in order of first appearance. The games must have the same number of
    seats."""
    seats_of: dict[str, list[tuple[int, Seat]]] = {}
    size = 0
    for game in games:
        size = max(size, len(game.seats))
        for placing, seat in enumerate(game.seats):
            seats_of.setdefault(seat.player, []).append((placing, seat))
    result = {}
    for player, seats in seats_of.items():
        counts = Counter(placing for placing, _ in seats)
        chips = [seat.chips for _, seat in seats if seat.chips is not None]
        result[player] = Tally(
            games=len(seats),
            points=round(sum(seat.score for _, seat in seats), 6),
            chips=sum(chips),
            chip_games=len(chips),
            placings=tuple(counts[placing] for placing in range(size)),
        )
    return result


def points_of(seat: Seat, game: Game) -> float | None:
    """A seat's points (thousands), for `totals`."""
    return seat.score


def has_chips(games: Iterable[Game]) -> bool:
    """Whether chips changed hands in any of the games."""
    return any(seat.chips for seat in chain.from_iterable(game.seats for game in games))


def totals(
    games: Sequence[Game], value: Callable[[Seat, Game], float | None] = points_of
) -> History:
    """Every player's running total of `value`. A line starts at 0 and has an entry for each of the
    player's games with a value."""
    history: History = {}
    for number, game in enumerate(games):
        for seat in game.seats:
            gain = value(seat, game)
            if gain is None:
                continue
            line = history.setdefault(seat.player, Line(0.0))
            line.values.append(round(line.last + gain, 6))
            line.games.append(number)
    return history


def grouped(lines: History, groups: Mapping[str, Iterable[str]]) -> History:
    """The running totals of groups of players (teams); a group's has an entry for each game of one
    of its members."""
    result: History = {}
    for group, members in groups.items():
        changes: dict[int, float] = {}
        for line in (lines[member] for member in members if member in lines):
            moves = pairwise([line.start, *line.values])
            for number, (before, after) in zip(line.games, moves, strict=True):
                changes[number] = changes.get(number, 0.0) + after - before
        total = Line(0.0)
        for number in sorted(changes):
            total.values.append(round(total.last + changes[number], 6))
            total.games.append(number)
        result[group] = total
    return result


@dataclass(frozen=True, slots=True)
class Streak:
    """How many games of a player in a row fit, with the first and the last of them (None without
    any)."""

    length: int = 0
    first: Game | None = None
    last: Game | None = None


def streaks(
    results: Iterable[Result],
    fits: Callable[[Result], bool],
) -> list[Streak]:
    """Every streak of games that fit, in order; the last one may go on."""
    return [_streak(list(run)) for fit, run in groupby(results, fits) if fit]


def _streak(run: Sequence[Result]) -> Streak:
    return Streak(len(run), run[0].game, run[-1].game)


def longest(results: Iterable[Result], fits: Callable[[Result], bool]) -> Streak:
    """The longest streak; the first of equals; an empty one where no game fits."""
    return max(streaks(results, fits), key=attrgetter("length"), default=Streak())


def current(results: Sequence[Result], fits: Callable[[Result], bool]) -> int:
    """The length of the streak at the end of the results."""
    return len(list(takewhile(fits, reversed(results))))


def is_first(result: Result) -> bool:
    return result.placing == 1


def is_last(result: Result) -> bool:
    return result.last


def is_not_last(result: Result) -> bool:
    return not result.last


def is_upper(result: Result) -> bool:
    return result.placing <= 2


STREAKS: Mapping[str, Callable[[Result], bool]] = {
    "firsts": is_first,
    "uppers": is_upper,
    "not_lasts": is_not_last,
    "lasts": is_last,
}
"""The streaks that are counted, by the keys of their figures."""


FEWEST = 10  # games of those who are compared, at least


def no_worth(seat: Seat, game: Game) -> float:
    """What a seat's chips are worth where they are worth nothing."""
    return 0.0


@dataclass(frozen=True)
class Peers:
    """The players with enough of the games, and what else figures are counted from.

    `worth`: what a seat's chips are worth. `lines`: ratings over the games. `records`: returns the
    counts from the games' records by player; called only where a figure needs them.
    """

    games: Sequence[Game]
    players: Collection[str]
    tallies: Mapping[str, Tally]
    worth: Callable[[Seat, Game], float] = no_worth
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
        """The player with the best mean placing; "" where several have it."""
        best = min(tally.mean_placing for tally in self.tallies.values())
        leaders = [p for p, tally in self.tallies.items() if tally.mean_placing - best < NOISE]
        return leaders[0] if len(leaders) == 1 else ""


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
        """What the player's chips are worth, thousands of points."""
        worths = [self.peers.worth(result.seat, result.game) for result in self.results]
        return round(sum(worths), 6)

    @property
    def total(self) -> float:
        """収支: points and what chips are worth."""
        return round(self.tally.points + self.worth, 6)

    @property
    def line(self) -> Line | None:
        return self.peers.lines.get(self.player)

    @property
    def records(self) -> Mapping[str, int]:
        return self.peers.record_counts.get(self.player, {})

    @cached_property
    def meetings(self) -> dict[str, Meeting]:
        """The meetings with members by opponent, most games first."""
        opponents = against(self.peers.meetings, self.player)
        return {name: meeting for name, meeting in opponents.items() if name in self.peers.players}

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
    fewest_games: int = 1,
    worth: Callable[[Seat, Game], float] = no_worth,
    lines: Mapping[str, Line] | None = None,
    records: Callable[[], Mapping[str, Mapping[str, int]]] = dict,
) -> dict[str, Career]:
    """The careers of those `players` who have at least `fewest_games` of the games, which must have
    the same number of seats."""
    qualified = {
        player: tally
        for player, tally in tallies(games).items()
        if player in players and tally.games >= fewest_games
    }
    peers = Peers(games, players, qualified, worth, lines or {}, records)
    results = results_by_player(games, qualified)
    return {
        player: Career(player, tally, results[player], peers) for player, tally in qualified.items()
    }
