"""Highlights of a day's games: the closest game, the best score, comebacks.

Nothing here checks who is a member: callers pass the players to consider.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from rating.games import Game
from rating.standings import NOISE

COMEBACK_GAMES = 3  # fewest games of a day with a comeback
COMEBACK_FROM = -20.0  # the thousands of points it comes from


class Comeback(NamedTuple):
    """A player's day: the running total at its lowest, and at the end (thousands of points)."""

    player: str
    day: date | None
    low: float
    final: float

    @property
    def climb(self) -> float:
        return self.final - self.low


def gap(game: Game) -> float:
    """By how much the first is ahead of the second, thousands of points with uma."""
    return game.seats[0].score - game.seats[1].score


def raw_gap(game: Game, uma: Sequence[float], oka: float) -> int | None:
    """The first's lead in single points without uma and oka (thousands); None where uma and oka
    cannot be those of the game."""
    if len(uma) != len(game.seats):
        return None
    first_uma, second_uma, *_ = uma
    points = round(1000 * (gap(game) - (first_uma - second_uma) - oka))
    return points if points >= 0 else None


def closest(games: Iterable[Game], players: Collection[str]) -> Game | None:
    """The game in which the first was least ahead of the second, both `players`; the earliest of
    equals."""
    members = set(players)
    candidates = [game for game in games if members.issuperset(game.players[:2])]
    return min(candidates, key=_rounded_gap, default=None)


def _rounded_gap(game: Game) -> float:
    return round(gap(game), 6)


class BestScore(NamedTuple):
    """A player with the highest score, and the game of it."""

    player: str
    game: Game


def best_scores(games: Iterable[Game], players: Collection[str]) -> list[BestScore]:
    """The players with the highest score and its games, the earliest first; none if not above 0."""
    best = 0.0
    scores: list[tuple[float, BestScore]] = []
    for game in games:
        for seat in game.seats:
            if seat.player in players and seat.score > 0:
                scores.append((seat.score, BestScore(seat.player, game)))
                best = max(best, seat.score)
    return [holder for score, holder in scores if best - score < NOISE]


def comebacks(games: Iterable[Game], players: Collection[str]) -> list[Comeback]:
    """Every day on which a player came from COMEBACK_FROM or below to above 0, the longest climb
    first."""
    totals: dict[tuple[date | None, str], list[float]] = {}
    for game in games:
        for seat in game.seats:
            line = totals.setdefault((game.day, seat.player), [0.0])
            line.append(round(line[-1] + seat.score, 6))
    climbs = []
    for (day, player), (_, *line) in totals.items():
        comeback = Comeback(player, day, low=min(line), final=line[-1])
        is_comeback = comeback.low <= COMEBACK_FROM and comeback.final > 0
        if player in players and len(line) >= COMEBACK_GAMES and is_comeback:
            climbs.append(comeback)
    return sorted(climbs, key=_comeback_order)


def _comeback_order(comeback: Comeback) -> tuple[object, ...]:
    return -round(comeback.climb, 6), comeback.day or date.min, comeback.player
