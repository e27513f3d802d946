"""What a forecast reads of a league's folder: what chips are worth, and the games of the seasons before."""

from __future__ import annotations

from collections.abc import Callable

from bot.league.snapshot import LeagueSnapshot
from rating.games import Game, Seat


def chip_worth(snapshot: LeagueSnapshot) -> Callable[[Seat, Game], float]:
    """A function that gives what a seat's chips are worth (points in thousands), by the rules of the game's
    season."""
    usual = snapshot.league.rules.chip
    rates = {s.log: usual if s.chip is None else s.chip for s in snapshot.league.seasons}
    return lambda seat, game: rates.get(game.source, usual) * (seat.chips or 0)


def earlier_games(snapshot: LeagueSnapshot, number: int) -> list[Game]:
    """The games of the seasons before this one, in order."""
    return [
        game for s in snapshot.league.seasons if s.number < number for game in snapshot.all_games(s.number)
    ]
