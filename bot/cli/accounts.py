"""`flask league dropbox` and `key`: a Dropbox account of a league's own, and the key for its token."""

import sys

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.league.folder_names import check_folder_name
from bot.runtime.encryption import Encryption, new_key
from bot.runtime.translation import translated as _
from bot.service import Service
from storage.accounts import Account

LONGEST_TOKEN = 500  # characters


@command()
@click.argument("league")
@click.option("--folder", default="/", show_default=True, help="The logs' folder in that account.")
@click.option(
    "--remove", is_flag=True, help="Forget the account: the league's folder is LOGS_URL's again."
)
@with_context
def dropbox(cli: CommandContext, league: str, folder: str, remove: bool) -> None:
    service = cli.service
    if not league:
        raise Failure(_("the league of the root folder has the account of DROPBOX_REFRESH_TOKEN"))
    check_folder_name(league)
    if remove:
        service.state.accounts.remove(league)
        click.echo(_("{league}: its Dropbox account is forgotten", league=league))
        return
    token = _encrypted_token(service)
    service.state.accounts.set(league, Account("/" + folder.strip("/"), token))
    service.registry.forget(league)
    files = service.registry.league(league).logs.revisions()
    click.echo(_("{league}: {files} files in its Dropbox account", league=league, files=len(files)))


def _encrypted_token(service: Service) -> str:
    """The refresh token on standard input. Raises Failure where it can't be used."""
    settings = service.settings
    if not settings.secret_key:
        raise Failure(_("JANROKU_SECRET_KEY is missing: `flask league key` makes one"))
    if not settings.store_variables["DROPBOX_APP_KEY"]:
        raise Failure(_("DROPBOX_APP_KEY is missing: the token belongs to an app"))
    token = sys.stdin.readline().strip()
    if not token or len(token) > LONGEST_TOKEN or not token.isprintable() or " " in token:
        raise Failure(_("standard input has no refresh token on its first line"))
    return Encryption(settings.secret_key).encrypt(token)


@command()
def key() -> None:
    click.echo(new_key())
