"""`flask member forget`."""

from collections.abc import Sequence

import click

from bot.answers.common.members import key as plain, names_of
from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, snapshot_of
from bot.cli.errors import Failure
from bot.cli.options import YES
from bot.league.forgetting import rename as rename_in_files, unused_name
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from storage.values import LeagueKey


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
