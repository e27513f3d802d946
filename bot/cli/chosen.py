"""Which league, season and games, from the logs or a score table, a command is about."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bot.answers.common.scope import ALL
from bot.cli.base import Failure
from bot.league.files import LEAGUE_FILE
from bot.league.in_force import UnusableFile
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.games import LIMIT, Game, same_seats
from rating.tables import Order, order_of, read

NO_DATES = "The table has no dates: its games are taken in the order of the file."
_WARNED = "janroku.warned"  # where click stores the warnings that a command has printed
Decorated = Callable[[Callable[..., None]], Callable[..., None]]
LEAGUE = click.option("--league", default="", help="Folder of the league, where there are several.")
SEASON = click.option("--season", default=ALL, show_default=True, help="A season's number, or all.")
MODEL = click.option("--model", help="Rating system; the league's own by default.")
_TABLE = (
    click.option(
        "--games",
        "table",
        type=click.Path(),
        help="A score table instead of the logs, in CSV: columns p1..pK (players), s1..sK (scores in"
        " thousands of points) and date (YYYY-MM-DD); or two arrays as numpy prints them, names and scores."
        " Its games are taken in order of date; without dates in the order of the file.",
    ),
    click.option(
        "--raw",
        is_flag=True,
        help="Take the rank points (--uma) out of the scores of the table (--games).",
    ),
    click.option(
        "--uma", default="", help="Rank points, such as 45,5,-15,-35; league.toml's by default."
    ),
)


def seats_option(
    words: str = "Games of 3 or 4 players; by default the more frequent.",
) -> Decorated:
    return click.option("--seats", type=click.Choice(["3", "4"]), help=words)


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_TABLE):
        command = option(command)
    return command


def snapshot_of(service: Service, league: str, logs: bool = True) -> LeagueSnapshot:
    """Return what is known of a league, after `warn`; without `logs` faults of season logs don't
    matter. Raises Failure for a season log that can't be read, StorageError when the folder can't
    be."""
    snapshot = service.registry.league(league).snapshot()
    service.registry.settle(quiet=True)
    warn(fault for fault in snapshot.unusable if logs or fault.file == LEAGUE_FILE)
    return snapshot


def warn(faults: Iterable[UnusableFile]) -> None:
    """Print in a line each, once a command, what is in force instead of unusable files. Raises
    Failure for a season log that can't be read: figures without it would be wrong. One that has
    lost games counts as it was."""
    faults = list(faults)
    unread = [fault for fault in faults if fault.file != LEAGUE_FILE and not fault.lost]
    if unread:
        raise Failure("; ".join(f"{fault.file}: {fault.reason}" for fault in unread))
    context = click.get_current_context(silent=True)
    printed: set[str] = context.meta.setdefault(_WARNED, set()) if context else set()
    for fault in faults:
        line = str(fault)
        if line not in printed:
            printed.add(line)
            click.echo(line, err=True)


def season_number(text: str) -> int | None:
    if text in (ALL, ""):
        return None
    if not text.isdecimal():
        raise ValueError(_("--season takes a season's number or all, not {text!r}", text=text))
    return int(text)


def season_of(snapshot: LeagueSnapshot, text: str) -> int | None:
    """Return the season that an option names, None for `all`. Raises ValueError, with those there
    are, for others."""
    number = season_number(text)
    seasons = snapshot.league.seasons
    if number is None or any(season.number == number for season in seasons):
        return number
    if not seasons:
        raise ValueError(_("there is no season {number}; the league has none", number=number))
    there = ", ".join(str(season.number) for season in seasons)
    raise ValueError(
        _("there is no season {number}; there are: {there}", number=number, there=there)
    )


def chosen_games(
    service: Service,
    season: str = ALL,
    seats: str | None = None,
    league: str = "",
    table: str | None = None,
    raw: bool = False,
    uma: str = "",
) -> list[Game]:
    """Return the games a command is about, all with the same number of players."""
    check_table_options(table, raw, uma, season_number(season))
    if table is not None:
        games = table_games(service, table, raw, uma, league)
    else:
        snapshot = snapshot_of(service, league)
        games = list(snapshot.all_games(season_of(snapshot, season)))
    return same_seats(games, int(seats) if seats else None)


def table_games(
    service: Service,
    path: str,
    raw: bool,
    uma: str,
    league: str,
) -> list[Game]:
    """Return the games of a CSV score table; with `raw` the rank points (uma) are taken out of the
    scores.
    """
    points = numbers(uma)
    if raw and not points:
        points = snapshot_of(service, league, logs=False).league.rules.uma
        if not points:
            raise ValueError(
                _("--raw takes out rank points: give them with --uma, such as 45,5,-15,-35")
            )
    if not raw:
        points = ()
    return read(Path(path).read_bytes(), Path(path).name, points)


def check_table_options(
    table: str | None,
    raw: bool,
    uma: str,
    season: int | None,
) -> None:
    """Raise ValueError for options that don't go together."""
    if table is not None and season is not None:
        raise ValueError(
            _("--season is for the season logs: a score table (--games) has no seasons")
        )
    if raw and table is None:
        raise ValueError(_("--raw is for score tables: name one with --games"))
    if uma and not raw:
        raise ValueError(
            _("--uma says what --raw takes out of a score table (--games): give --raw too")
        )


def numbers(text: str) -> tuple[float, ...]:
    """Return the numbers in a text like `45,5,-15,-35`. Raises ValueError for anything else."""
    points: tuple[float, ...] = ()
    try:
        if text.strip():
            points = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(
            _("--uma takes numbers with commas between, not {text!r}", text=text)
        ) from None
    if not all(abs(point) <= LIMIT for point in points):
        message = _("--uma takes numbers from {least:g} to {most:g}, not {text!r}")
        raise ValueError(message.format(least=-LIMIT, most=LIMIT, text=text))
    return points


def table_order(games: Sequence[Game], table: str | None) -> dict[str, str]:
    """Return what a report adds for a score table: the `order` of its games, "date" or "file"."""
    if table is None:
        return {}
    return {"order": str(order_of(games))}


def order_words(report: Mapping[str, Any]) -> list[str]:
    if report.get("order") == Order.FILE:
        return [NO_DATES]
    return []
