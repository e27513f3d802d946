"""Sums over players' games: points, chips, placings and running totals. No rating."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rating.games import Game, Seat
from rating.standings import History, Line


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's games: how many, points in thousands, chips, and how many ended first, second and so on.
    `chip_games` counts the games whose line has chips; `chips` is 0 without any."""

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
    """One player's part in one game: the game's number in the sequence (from 0), the game, the seat."""

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


def results_by_player(games: Sequence[Game], players: Iterable[str]) -> dict[str, list[Result]]:
    """The games of each of the players in order, found in one pass; an empty list for one without games."""
    found: dict[str, list[Result]] = {player: [] for player in players}
    for number, game in enumerate(games):
        for seat in game.seats:
            if seat.player in found:
                found[seat.player].append(Result(number, game, seat))
    return found


def tallies(games: Iterable[Game]) -> dict[str, Tally]:
    """Every player's tally, in order of first appearance. The games must have the same number of seats."""
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
        tallied[player] = Tally(len(places), points, sum(chips), len(chips), placings)
    return tallied


def points_of(seat: Seat, game: Game) -> float | None:
    """A seat's points (thousands), for `totals`."""
    return seat.score


def has_chips(games: Iterable[Game]) -> bool:
    """Whether chips changed hands in any of the games, so that points alone are not all that was won."""
    return any(seat.chips for game in games for seat in game.seats)


def totals(games: Sequence[Game], value: Callable[[Seat, Game], float | None] = points_of) -> History:
    """Every player's running total of `value`; a line starts at 0 and moves in the player's own games."""
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
    """The running totals of groups of players (teams); a group's moves when one of its members' does."""
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
