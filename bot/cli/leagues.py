"""`flask league list`, `remove` and `rename`, and `flask member forget`."""

from collections.abc import Sequence
from typing import Any

import click

from bot.answers.common.members import key as plain, names_of
from bot.cli.base import AS_JSON, YES, CommandContext, Failure, command, show, with_context
from bot.cli.chosen import LEAGUE, snapshot_of
from bot.league.backup import leagues_of, names_in
from bot.league.folder_names import check_folder_name
from bot.league.forgetting import rename as rename_in_files, unused_name
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from storage.ports import Conflict, StorageError
from storage.values import LeagueKey


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
        old = service.stores.open_logs(league)
        logs = service.stores.open_logs(new)
        there = set(names_in(logs))
        names = names_in(old)
        for name in names:
            data = old.read(name).data
            if name in there and logs.read(name).data != data:
                raise Conflict(_("{new} has another {name}: nothing was moved", new=new, name=name))
        for name in names:
            logs.overwrite(name, old.read(name).data)
        service.state.rename_league(league, new)
        for name in names:
            old.remove(name)
    else:
        service.state.rename_league(league, new)
    click.echo(_("{league} is {new} from now on", league=league, new=new))


@command()
@click.argument("name")
@click.option(
    "--logs", is_flag=True, help="Also write 退会者1 for the member's names in the league's files."
)
@LEAGUE
@YES
@with_context
def forget(
    cli: CommandContext,
    name: str,
    logs: bool,
    league: str,
    yes: bool,
) -> None:
    """Who the member is in LINE, questions and notices are forgotten. Former versions of files stay
    in `flask league history`."""
    service = cli.service
    snapshot = snapshot_of(cli.service, league)
    # stored until the end, for a run that was stopped
    key_prefix = LeagueKey.FORGETTING.of(league)
    stopped = [key.removeprefix(key_prefix) for key in service.state.values.items(key_prefix)]
    player = _player_to_forget(snapshot, name, stopped)
    if player is None:
        raise Failure(_("{name}: no such member", name=name))
    users = service.state.chats.users_of(league, snapshot.league.player_of, player)
    question = _("Forget {player} ({users} users of LINE)?", player=player, users=len(users))
    if not (yes or click.confirm(question)):
        return
    for user in users:
        service.forget_user(user, service.now().timestamp())
    click.echo(
        _("{player}: what was kept of {users} users is gone", player=player, users=len(users))
    )
    if logs:
        _rename_in_logs(service, snapshot, league, player, key_prefix + player)


def _player_to_forget(snapshot: LeagueSnapshot, name: str, stopped: Sequence[str]) -> str | None:
    """The name on Tenhou of the member with exactly this name; of nobody in the league, the player
    of a run that was stopped. None for neither.
    """
    player_by_name = names_of(snapshot)
    players = snapshot.league.players
    player = player_by_name.get(plain(name))
    if name in stopped:
        player = name
    if player:
        aliases: tuple[str, ...] = ()
        if player in players:
            aliases = tuple(alias.name for alias in players[player].aliases)
        # A similar name (さん, the width of signs) may be somebody else's: it is not enough.
        if name in {player, *stopped, snapshot.league.shown(player), *aliases}:
            return player
    return next((former for former in stopped if former not in player_by_name.values()), None)


def _rename_in_logs(
    service: Service, snapshot: LeagueSnapshot, league: str, player: str, key: str
) -> None:
    """Write another name for the player in the league's files. The value under `key` is the other
    name until all files have it.
    """
    values = service.state.values
    values.add(key, unused_name(snapshot))
    new = values.get(key) or ""
    folder = service.stores.open_logs(league)
    files = rename_in_files(folder, snapshot, player, new, service.now())
    values.delete(key)
    click.echo(_("{new} stands in {files}", new=new, files=", ".join(files)))


@command()
@AS_JSON
@with_context
def list(cli: CommandContext, as_json: bool) -> None:
    service = cli.service
    chats = [*service.access.groups().values()]
    rows: dict[str, dict[str, Any]] = {}
    for league in leagues_of(service.state.database, service.stores.open_logs):
        try:
            games = service.registry.league(league).snapshot().all_games()
        except StorageError as error:
            rows[league] = {"chats": chats.count(league), "error": str(error)}
            continue
        last = max(
            (game.day.isoformat() for game in games if game.day),
            default=None,
        )
        rows[league] = {
            "chats": chats.count(league),
            "games": len(games),
            "last": last,
        }
    text = _("{league}: {chats} chats, {games} games, last on {last}")
    lines = []
    for league, facts in rows.items():
        name = league or _("(the root folder)")
        if "games" in facts:
            lines.append(text.format(league=name, **facts))
        else:
            lines.append(f"{name}: {facts['error']}")
    show(as_json, {"leagues": rows}, lines)


def _with_league(service: Service, league: str) -> Service:
    _check_name(league)
    if league not in leagues_of(service.state.database, service.stores.open_logs):
        raise Failure(_("{league}: no such league (see `flask league list`)", league=league))
    return service


def _check_name(league: str) -> None:
    if not league:
        raise Failure(_("the league of the root folder stays where it is"))
    check_folder_name(league)
