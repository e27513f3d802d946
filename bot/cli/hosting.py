"""`flask league dropbox` and `flask league key`: Dropbox accounts of their own for single leagues of a
host."""

from __future__ import annotations

import sys
from collections.abc import Callable
from gettext import gettext as _

import click

from bot.cli.errors import Failure
from bot.league.repository import check_folder_name
from bot.runtime.encryption import Encryption, new_key
from bot.service import Service
from storage.chats import Account


def commands(get: Callable[[], Service]) -> list[click.Command]:
    """Return the commands `dropbox` and `key`, for the group `league`."""
    return [_dropbox(get), _key()]


def _dropbox(get: Callable[[], Service]) -> click.Command:
    @click.command("dropbox")
    @click.argument("league")
    @click.option("--folder", default="/", show_default=True, help="The logs' folder in that account.")
    @click.option(
        "--remove", is_flag=True, help="Forget the account: the league's folder is LOGS_URL's again."
    )
    def command(league: str, folder: str, remove: bool) -> None:
        """Keep LEAGUE's logs in a Dropbox account of its own. The account's refresh token is read from
        standard input."""
        service = get()
        if not league:
            raise Failure(_("the league of the root folder has the account of DROPBOX_REFRESH_TOKEN"))
        check_folder_name(league)
        if remove:
            service.state.accounts.remove(league)
            click.echo(_("{league}: its Dropbox account is forgotten").format(league=league))
            return
        if not service.settings.secret_key:
            raise Failure(_("JANROKU_SECRET_KEY is missing: `flask league key` makes one"))
        if not service.settings.dropbox_app_key:
            raise Failure(_("DROPBOX_APP_KEY is missing: the token belongs to an app"))
        token = sys.stdin.readline().strip()
        if not token or len(token) > 500 or not token.isprintable() or " " in token:
            raise Failure(_("standard input has no refresh token on its first line"))
        encrypted = Encryption(service.settings.secret_key).encrypt(token)
        service.state.accounts.set(league, Account("/" + folder.strip("/"), encrypted))
        service.registry.forget(league)
        files = service.registry.league(league).logs.changes().files
        click.echo(
            _("{league}: {files} files in its Dropbox account").format(league=league, files=len(files))
        )

    return command


def _key() -> click.Command:
    @click.command("key")
    def command() -> None:
        """Make a key for JANROKU_SECRET_KEY."""
        click.echo(new_key())

    return command
