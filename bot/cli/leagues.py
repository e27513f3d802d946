"""`flask league list`, `remove` and `rename`."""

from typing import Any

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON, YES
from bot.cli.printing import print_report
from bot.league.backup import leagues_of, names_in
from bot.league.folder_names import check_folder_name
from bot.runtime.translation import translated as _
from bot.service import Service
from storage.ports import Conflict, StorageError


@command()
@click.argument("league")
@YES
@with_context
def remove(cli: CommandContext, league: str, yes: bool) -> None:
    """Its files stay where they are."""
    service = _with_league(cli.service, league)
    question = _(
        "Remove {league}: its chats, names, results not merged yet and secrets? Its files stay."
    )
    if yes or click.confirm(question.format(league=league)):
        service.state.remove_league(league)
        click.echo(_("{league} is removed; its files are in its folder still", league=league))


@command()
@click.argument("league")
@click.argument("new")
@with_context
def rename(cli: CommandContext, league: str, new: str) -> None:
    """Its files move into the folder NEW. Stop the bot first. What was stopped can be run again."""
    service = _with_league(cli.service, league)
    _check_name(new)
    # A league with an account has its folder where it was, in its own Dropbox.
    if service.state.accounts.get(league) is None:
        _move_files(service, league, new)
    else:
        service.state.rename_league(league, new)
    click.echo(_("{league} is {new} from now on", league=league, new=new))


def _move_files(service: Service, league: str, new: str) -> None:
    """Copy the files into the new folder, rename the league, then remove the old files: a run that
    was killed at any step can be run again
    (tests/cli/test_leagues.py::test_a_killed_command_is_completed_by_running_it_again). Raises Conflict where the
    new folder has another file of that name.
    """
    old_logs = service.stores.open_logs(league)
    new_logs = service.stores.open_logs(new)
    names = names_in(old_logs)
    names_there = set(names_in(new_logs))
    for name in names:
        if name in names_there and new_logs.read(name).data != old_logs.read(name).data:
            raise Conflict(_("{new} has another {name}: nothing was moved", new=new, name=name))
    for name in names:
        new_logs.overwrite(name, old_logs.read(name).data)
    service.state.rename_league(league, new)
    for name in names:
        old_logs.remove(name)


@command()
@AS_JSON
@with_context
def list(cli: CommandContext, as_json: bool) -> None:
    service = cli.service
    groups = [*service.access.groups().values()]
    rows = {}
    for league in leagues_of(service.state.database, service.stores.open_logs):
        rows[league] = {"chats": groups.count(league), **_games_row(service, league)}
    lines = [_league_line(league, row) for league, row in rows.items()]
    print_report(as_json, {"leagues": rows}, lines)


def _games_row(service: Service, league: str) -> dict[str, Any]:
    """A league's games, or the error where its folder can't be read."""
    try:
        games = service.registry.league(league).snapshot().all_games()
    except StorageError as error:
        return {"error": str(error)}
    days = [game.day.isoformat() for game in games if game.day]
    return {"games": len(games), "last": max(days, default=None)}


def _league_line(league: str, row: dict[str, Any]) -> str:
    name = league or _("(the root folder)")
    if "error" in row:
        return f"{name}: {row['error']}"
    text = _("{league}: {chats} chats, {games} games, last on {last}")
    return text.format(league=name, **row)


def _with_league(service: Service, league: str) -> Service:
    _check_name(league)
    if league not in leagues_of(service.state.database, service.stores.open_logs):
        raise Failure(_("{league}: no such league (see `flask league list`)", league=league))
    return service


def _check_name(league: str) -> None:
    if not league:
        raise Failure(_("the league of the root folder stays where it is"))
    check_folder_name(league)
