"""The league's own number of seats, and the chances to deal in that go with it."""

from __future__ import annotations

from bot.league.snapshot import LeagueSnapshot
from rating.games import same_seats
from rating.paifu.deal_in import DealInRate, class_rates
from rating.paifu.recordlog import total


def league_seats(snapshot: LeagueSnapshot) -> int:
    """The commonest number of seats in the latest season; 4 without a game."""
    seasons = snapshot.seasons
    games = same_seats(snapshot.all_games(seasons[-1].number)) if seasons else []
    return len(games[0].seats) if games else 4


def rates_with(snapshot: LeagueSnapshot, seats: int) -> dict[str, DealInRate]:
    """Each class's chance to deal in; with three seats by the league's own records, where they hold
    enough."""
    if seats == 4:
        return class_rates()
    return class_rates(seats, total(each for each in snapshot.paifus if each.seats == seats).deal_ins[seats])
