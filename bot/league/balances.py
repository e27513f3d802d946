"""What a game is worth in points: its score, chips and fines."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.league.snapshot import LeagueSnapshot
from rating.games import Game, Seat


def balance_worth(snapshot: LeagueSnapshot) -> Callable[[Seat, Game], float]:
    """A function that gives what a seat has in 収支 in addition to its points: what its chips are
    worth, and fines.
    """
    chip = chip_worth(snapshot)
    fine = seat_fines(snapshot)

    def worth(seat: Seat, game: Game) -> float:
        return chip(seat, game) + fine(seat, game)

    return worth


def seat_fines(snapshot: LeagueSnapshot) -> Callable[[Seat, Game], float]:
    """A function that gives the fines and bonuses (thousands) that belong to a seat's game."""
    fines = snapshot.fines

    def fine(seat: Seat, game: Game) -> float:
        return fines.get((game.source, game.line, seat.player), 0.0)

    return fine


def fines_by_player(snapshot: LeagueSnapshot, games: Iterable[Game]) -> dict[str, float]:
    """The fines and bonuses that belong to the games, by player."""
    lines = {(game.source, game.line) for game in games} if snapshot.fines else set()
    sums: dict[str, float] = {}
    for (source, line, player), fine in snapshot.fines.items():
        if (source, line) in lines:
            sums[player] = sums.get(player, 0.0) + fine
    return sums


def chip_worth(snapshot: LeagueSnapshot) -> Callable[[Seat, Game], float]:
    """A function that gives what a seat's chips are worth (thousands of points), by its season's
    rules.
    """
    usual = snapshot.league.rules.chip
    rates = {}
    for season in snapshot.league.seasons:
        rates[season.log] = usual if season.chip is None else season.chip

    def worth(seat: Seat, game: Game) -> float:
        return rates.get(game.source, usual) * (seat.chips or 0)

    return worth
