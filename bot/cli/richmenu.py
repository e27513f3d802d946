"""flask richmenu: puts the menu on the channel, shows what is there, takes ours off again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.line_menus import Menus
    from bot.service import Service


def commands(get: Callable[[], Service]) -> list[click.Command]:
    @click.group()
    def richmenu() -> None:
        """The menu below the 1:1 chat on phones."""

    @richmenu.command()
    @click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
    def install(dry_run: bool) -> None:
        """Make the menu, its tabs and aliases, and show it to everybody; old ones of ours are removed."""
        from bot.richmenu_install import install

        with _channel(get()) as channel:
            if not install(channel, dry_run, click.echo):
                click.echo("the rich menu is up to date")
            elif dry_run:
                click.echo("dry run: nothing was changed")

    @richmenu.command()
    def remove() -> None:
        """Take our menus off the channel; others stay."""
        from bot.richmenu_install import remove

        with _channel(get()) as channel:
            if not remove(channel, click.echo):
                click.echo("there is no rich menu of ours")

    @richmenu.command()
    def show() -> None:
        """Every rich menu of the channel."""
        from bot.richmenu_install import show

        with _channel(get()) as channel:
            for line in show(channel) or ["there is no rich menu"]:
                click.echo(line)

    return [richmenu]


@contextmanager
def _channel(service: Service) -> Iterator[Menus]:
    from bot.cli import Failure
    from bot.line import LineDown
    from bot.line_menus import menus

    settings = service.settings
    try:
        with menus(settings.line_api_url, settings.channel_access_token) as channel:
            yield channel
    except LineDown as error:
        raise Failure(str(error)) from None
