"""A season as the forecast takes it, and whether it is over; chats and commands agree on both."""

from collections.abc import Sequence
from datetime import date, timedelta

from bot.league.balances import chip_worth, seat_fines
from bot.league.snapshot import LeagueSnapshot, earlier_games
from rating.forecast.past import Past, past_of
from rating.games import Game
from rating.league import Season

QUIET = timedelta(days=30)  # the last season counts as over when its last game is longer ago


def past_of_games(
    snapshot: LeagueSnapshot, games: Sequence[Game], season: Season | None = None
) -> Past:
    """The games as the forecast takes them, with those of the seasons before `season`.

    Raises GameError as `past_of`.
    """
    return past_of(
        games,
        earlier_games(snapshot, season.number) if season else [],
        snapshot.league.is_guest,
        chips=chip_worth(snapshot),
        fines=seat_fines(snapshot),
    )


def season_is_over(
    snapshot: LeagueSnapshot, season: Season, games: Sequence[Game], today: date
) -> bool:
    """Whether a season with these games is over: a later one has games, the games or the last day
    that league.toml plans are past, or, without such a day, its last game is more than QUIET ago.
    """
    if season.number != snapshot.seasons[-1].number:
        return True
    if season.games is not None and len(games) >= season.games:
        return True
    if season.end is not None:
        return today > season.end
    last = games[-1].day
    return last is not None and today - last > QUIET
