"""Read a league for a command, and say on standard error what is not in force as its files have it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from bot.cli.errors import Failure
from bot.league.files import LEAGUE_FILE
from bot.league.in_force import UnusableFile
from bot.league.snapshot import LeagueSnapshot
from bot.service import Service

_SAID = "janroku.warned"  # where click keeps what a command has said


def snapshot_of(service: Service, league: str, logs: bool = True) -> LeagueSnapshot:
    """Return what is known of a league, after `warn`. Without `logs` the command does not need the season
    logs.

    Raises Failure for a season log that cannot be read, and StorageError when the folder cannot be read.
    """
    snapshot = service.registry.league(league).snapshot()
    service.registry.keep_good()
    warn(fault for fault in snapshot.unusable if logs or fault.file == LEAGUE_FILE)
    return snapshot


def warn(faults: Iterable[UnusableFile]) -> None:
    """Say in a line each, once a command, what is wrong with league.toml and what is in force instead.

    Raises Failure, with one line, for a season log that cannot be read, because figures without it would be
    wrong.
    """
    found = list(faults)
    if refused := [f"{fault.file}: {fault.reason}" for fault in found if fault.file != LEAGUE_FILE]:
        raise Failure("; ".join(refused))
    context = click.get_current_context(silent=True)
    said: set[str] = context.meta.setdefault(_SAID, set()) if context else set()
    for words in (str(fault) for fault in found):
        if words not in said:
            said.add(words)
            click.echo(words, err=True)
