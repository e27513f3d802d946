"""Ranking boards: everything that is counted of each player over some games, and who is ranked by it.

A rate (a mean or a share) ranks only players with as many games as the league asks for (規定打数); a sum or a record ranks all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rating.games import Game, Seat
from rating.meetings import Meetings, meetings
from rating.standings import PROVISIONAL_GAMES, places
from rating.streaks import days_of, is_first, longest, not_last
from rating.tallies import Result, Tally, results_by_player, tallies


class Busts(NamedTuple):
    """Games that ended below 0 points, of the games whose records tell."""

    busts: int
    games: int


@dataclass(frozen=True)
class Figures:
    """What is counted of one player. `total` is 収支, points and what chips are worth; `ahead` of `met` opponents finished lower.

    Points are in thousands. `best_day` is None without dates. `rating` and `peak` are None where no system rates the games.
    """

    tally: Tally
    total: float
    ahead: int
    met: int
    best: float
    worst: float
    firsts: int
    not_lasts: int
    in_money: int
    best_day: float | None = None
    rating: float | None = None
    peak: float | None = None
    busts: Busts | None = None


Rated = Mapping[str, tuple[float, float]]
"""The rating and its highest value so far, by player."""


def figures_of(
    games: Sequence[Game],
    worth: Callable[[Seat, Game], float],
    rated: Rated,
    busts: Mapping[str, Busts],
) -> dict[str, Figures]:
    """Everybody's figures over games with one number of seats. `worth` is what a seat's chips are worth."""
    found, met = tallies(games), meetings(games)
    best_days: dict[str, float] = {}
    for day in days_of(games):
        best_days[day.player] = max(day.points, best_days.get(day.player, day.points))
    chips = dict.fromkeys(found, 0.0)
    for game in games:
        for seat in game.seats:
            chips[seat.player] += worth(seat, game)
    ahead = _ahead(met)
    result, own = {}, results_by_player(games, found)
    for player, tally in found.items():
        results = own[player]
        scores = [result.seat.score for result in results]
        value = rated.get(player)
        result[player] = Figures(
            tally,
            total=round(tally.points + chips[player], 6),
            ahead=ahead[player][0],
            met=ahead[player][1],
            best=max(scores),
            worst=min(scores),
            firsts=longest(results, is_first).length,
            not_lasts=longest(results, not_last).length,
            in_money=longest(results, _in_upper_half).length,
            best_day=best_days.get(player),
            rating=value[0] if value else None,
            peak=value[1] if value else None,
            busts=busts.get(player),
        )
    return result


def _ahead(met: Meetings) -> dict[str, tuple[int, int]]:
    """How many opponents each player finished ahead of, and of how many, over all games."""
    sums: dict[str, tuple[int, int]] = {}
    for (player, _), meeting in met.items():
        ahead, games = sums.get(player, (0, 0))
        sums[player] = (ahead + meeting.ahead, games + meeting.games)
    return sums


def _in_upper_half(result: Result) -> bool:
    return result.placing <= 2


@dataclass(frozen=True)
class Board:
    """One ranking: how its value is found (None where a player has none), and whether less is better.

    `rate`: only players with enough games are ranked. `seats`: it is told of games with so many seats alone (0: of both).
    """

    name: str
    value: Callable[[Figures], float | None]
    least: bool = False
    rate: bool = False
    seats: int = 0


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


BOARDS = {
    board.name: board
    for board in (
        Board("mean", lambda f: f.tally.mean_placing, least=True, rate=True),
        Board("total", lambda f: f.total),
        Board("average", lambda f: f.total / f.tally.games, rate=True),
        Board("first", lambda f: f.tally.first_rate, rate=True),
        Board("upper", lambda f: sum(f.tally.placings[:2]) / f.tally.games, rate=True),
        Board("last", lambda f: f.tally.last_rate, least=True, rate=True),
        Board("ahead", lambda f: _share(f.ahead, f.met), rate=True),
        Board("best", lambda f: f.best),
        Board("worst", lambda f: f.worst),
        Board("day", lambda f: f.best_day),
        Board("firsts", lambda f: float(f.firsts) if f.firsts > 1 else None),
        Board("not_lasts", lambda f: float(f.not_lasts) if f.not_lasts > 1 else None),
        Board("uppers", lambda f: float(f.in_money) if f.in_money > 1 else None, seats=4),
        Board("rating", lambda f: f.rating),
        Board("peak", lambda f: f.peak),
        Board("games", lambda f: float(f.tally.games)),
        Board(
            "chips", lambda f: f.tally.chips / f.tally.chip_games if f.tally.chip_games else None, rate=True
        ),
        Board("busts", lambda f: _share(*f.busts) if f.busts else None, least=True),
    )
}


class Ranked(NamedTuple):
    """A player's place (from 1; 0 for one with too few games) and value."""

    player: str
    place: int
    value: float


def ranking(board: Board, figures: Mapping[str, Figures], qualifying: int) -> tuple[Ranked, ...]:
    """The players by the board, best first and equal ones by games and name; those with too few games after all others.

    With a rate players need `qualifying` games. Equal values share a place.
    """
    known = [(p, value) for p, f in figures.items() if (value := board.value(f)) is not None]
    known.sort(
        key=lambda each: (each[1] if board.least else -each[1], -figures[each[0]].tally.games, each[0])
    )
    enough = [(p, v) for p, v in known if not board.rate or figures[p].tally.games >= qualifying]
    shared = places([value for _, value in enough])
    few = [Ranked(p, 0, v) for p, v in known if (p, v) not in enough]
    return (*(Ranked(p, place, v) for place, (p, v) in zip(shared, enough, strict=True)), *few)


def qualifying_games(asked: int | None, figures: Mapping[str, Figures]) -> int:
    """The games a rate needs: as many as the league asks for (by default 30), half of the most where nobody has these yet."""
    usual = PROVISIONAL_GAMES if asked is None else asked
    most = max((figure.tally.games for figure in figures.values()), default=0)
    return usual if most >= usual else (most + 1) // 2
