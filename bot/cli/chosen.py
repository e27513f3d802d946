"""Which league and season a command is about."""

from collections.abc import Callable, Iterable

import click

from bot.answers.common.scope import ALL
from bot.cli.errors import Failure
from bot.league.files import LEAGUE_FILE
from bot.league.in_force import UnusableFile
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service

_WARNED = "janroku.warned"  # where click stores the warnings that a command has printed
Decorated = Callable[[Callable[..., None]], Callable[..., None]]
LEAGUE = click.option("--league", default="", help="Folder of the league, where there are several.")
SEASON = click.option("--season", default=ALL, show_default=True, help="A season's number, or all.")
MODEL = click.option("--model", help="Rating system; the league's own by default.")


def seats_option(
    words: str = "Games of 3 or 4 players; by default the more frequent.",
) -> Decorated:
    return click.option("--seats", type=click.Choice(["3", "4"]), help=words)


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
