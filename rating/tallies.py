"""What players did in their games: sums of points, chips and placings, runs that meet a condition,
opponents, and each one's games with all that figures are counted from. Points in thousands. No
rating.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import groupby, permutations, takewhile
from math import sqrt
from statistics import NormalDist

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


def meetings(games: Iterable[Game]) -> Meetings:
    """All pairs that met, in both directions: `[a, b]` is a's side."""
    sums: dict[tuple[str, str], list[float]] = {}
    for game in games:
        places = enumerate(game.seats, 1)
        for (place, seat), (other_place, other) in permutations(places, 2):
            total = sums.setdefault(
                (seat.player, other.player),
                [0, 0, 0, 0.0, 0.0],
            )
            total[0] += 1
            if place < other_place:
                total[1] += 1
            total[2] += place
            total[3] += seat.score
            total[4] += seat.score - other.score
    return {
        pair: Meeting(
            int(n),
            int(ahead),
            int(placings),
            round(points, 6),
            round(gap, 6),
        )
        for pair, (n, ahead, placings, points, gap) in sums.items()
    }


def against(found: Meetings, player: str) -> dict[str, Meeting]:
    """One player's meetings by opponent, most games first."""
    own = {other: meeting for (one, other), meeting in found.items() if one == player}
    return dict(
        sorted(
            own.items(),
            key=lambda item: (-item[1].games, item[0]),
        )
    )


def sure_leads(found: Meetings, players: Collection[str], least: int) -> Meetings:
    """The meetings of these players, from `least` games, in which the first surely finishes above
    the other. In at most 1 of 20 leagues of equal players there is any: a sign test with continuity
    correction at 5 %, divided by the number of pairs looked at (C. Bonferroni, 1936), on both
    sides."""
    # every pair twice, once for each side
    members = set(players)
    known = {
        pair: meeting
        for pair, meeting in found.items()
        if meeting.games >= least and members.issuperset(pair)
    }
    bound = NormalDist().inv_cdf(1 - 0.05 / len(known)) if known else 0.0
    return {
        p: met
        for p, met in known.items()
        if 2 * met.ahead - met.games - 1 > bound * sqrt(met.games)
    }


def groups(tables: Iterable[Sequence[str]]) -> dict[str, int]:
    """The number of each player's group, from 1: those who met, directly or through others, are one
    group. `tables` are the players of each game, in order of play. The group with the most players
    comes first, equal ones in order of play. Strengths fitted to games tell differences within a
    group only. Tenhou's nameless guests are different people, so they join nobody and are in no
    group."""
    joined: dict[str, str] = {}
    for players in dict.fromkeys(map(tuple, tables)):
        known = [player for player in players if not is_guest(player)]
        for player in known:
            joined.setdefault(player, player)
        for player in known[1:]:
            joined[_head(joined, player)] = _head(joined, known[0])
    members: dict[str, list[str]] = {}
    for player in joined:
        members.setdefault(_head(joined, player), []).append(player)
    ordered: Sequence[list[str]] = sorted(
        members.values(),
        key=lambda group: -len(group),
    )
    return {player: number for number, group in enumerate(ordered, 1) for player in group}


def _head(joined: dict[str, str], player: str) -> str:
    """The player who stands for the group; the way there gets shorter with each question (path
    halving).
    """
    while joined[player] != player:
        joined[player] = joined[joined[player]]
        player = joined[player]
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
    """One player's part in one game: the game's number in the sequence (from 0), the game, the
    seat.
    """

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
    """The games of each of the players in order, found in one pass; an empty list for one without
    games.
    """
    found: dict[str, list[Result]] = {player: [] for player in players}
    for number, game in enumerate(games):
        for seat in game.seats:
            if seat.player in found:
                found[seat.player].append(Result(number, game, seat))
    return found


def tallies(games: Iterable[Game]) -> dict[str, Tally]:
    """Every player's tally, in order of first appearance.

    The games must have the same number of seats.
    """
    found: dict[str, list[tuple[int, Seat]]] = {}
    seats = 0
    for game in games:
        seats = max(seats, len(game.seats))
        for place, seat in enumerate(game.seats):
            found.setdefault(seat.player, []).append((place, seat))
    tallied = {}
    for player, places in found.items():
        counts = Counter(place for place, _ in places)
        chips = [seat.chips for _, seat in places if seat.chips is not None]
        points = round(sum(seat.score for _, seat in places), 6)
        placings = tuple(counts[place] for place in range(seats))
        tallied[player] = Tally(
            len(places),
            points,
            sum(chips),
            len(chips),
            placings,
        )
    return tallied


def points_of(seat: Seat, game: Game) -> float | None:
    """A seat's points (thousands), for `totals`."""
    return seat.score


def has_chips(games: Iterable[Game]) -> bool:
    """Whether chips changed hands in any of the games, so that points alone are not all that was
    won.
    """
    return any(seat.chips for game in games for seat in game.seats)


def totals(
    games: Sequence[Game], value: Callable[[Seat, Game], float | None] = points_of
) -> History:
    """Every player's running total of `value`; a line starts at 0 and moves in the player's own
    games.
    """
    history: History = {}
    for number, game in enumerate(games):
        for seat in game.seats:
            won = value(seat, game)
            if won is None:
                continue
            line = history.setdefault(seat.player, Line(0.0))
            line.values.append(round(line.last + won, 6))
            line.games.append(number)
    return history


def grouped(lines: History, groups: Mapping[str, Iterable[str]]) -> History:
    """The running totals of groups of players (teams); a group's moves when one of its members'
    does.
    """
    result: History = {}
    for group, members in groups.items():
        moves: dict[int, float] = {}
        for line in (lines[member] for member in members if member in lines):
            for number, before, after in zip(
                line.games, [line.start, *line.values], line.values, strict=False
            ):
                moves[number] = moves.get(number, 0.0) + after - before
        total = result[group] = Line(0.0)
        for number in sorted(moves):
            total.values.append(round(total.last + moves[number], 6))
            total.games.append(number)
    return result


@dataclass(frozen=True, slots=True)
class Streak:
    """Games of the player's in a row that fit; the first and the last of them, None where there is
    none.
    """

    length: int = 0
    first: Game | None = None
    last: Game | None = None


def streaks(
    results: Iterable[Result],
    fits: Callable[[Result], bool],
) -> list[Streak]:
    """Every run of games that fit, in order; the last run is still open where the last game
    fits.
    """
    return [_streak(list(run)) for fit, run in groupby(results, fits) if fit]


def _streak(run: Sequence[Result]) -> Streak:
    return Streak(len(run), run[0].game, run[-1].game)


def longest(results: Iterable[Result], fits: Callable[[Result], bool]) -> Streak:
    """The longest run; the first of equals; an empty one where no game fits."""
    return max(streaks(results, fits), key=lambda run: run.length, default=Streak())


def current(results: Sequence[Result], fits: Callable[[Result], bool]) -> int:
    return len(list(takewhile(fits, reversed(results))))


def is_first(result: Result) -> bool:
    return result.placing == 1


def is_last(result: Result) -> bool:
    return result.last


STREAKS: Mapping[str, Callable[[Result], bool]] = {
    "firsts": is_first,
    "uppers": lambda result: result.placing <= 2,
    "not_lasts": lambda result: not result.last,
    "lasts": is_last,
}
"""The runs that are counted, by the keys of their figures."""


FEWEST = 10  # games of those who are compared, at least


@dataclass(frozen=True)
class Peers:
    """The players with enough of the games, and what figures are counted from beside the games.
    `worth` tells what a seat's chips are worth. `lines` are ratings over the games. `records`
    counts what the games' records tell of each player; it is asked where a figure needs it."""

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
        return round(
            sum(self.peers.worth(result.seat, result.game) for result in self.results),
            6,
        )

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
    """The careers of those `players` who have `least` of the games, which must have one number of
    seats.
    """
    found = {
        player: tally
        for player, tally in tallies(games).items()
        if player in players and tally.games >= least
    }
    peers = Peers(games, players, found, worth, lines or {}, records)
    results = results_by_player(games, found)
    return {
        player: Career(player, tally, results[player], peers) for player, tally in found.items()
    }
