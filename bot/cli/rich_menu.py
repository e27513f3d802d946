"""`flask richmenu`: put our rich menus on the channel, show what is there, and remove ours again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from gettext import gettext as _

import click

from bot.cli.errors import Failure
from bot.cli.output import AS_JSON, print_json
from bot.line import rich_menu_sync
from bot.line.client import LineDown
from bot.line.rich_menu_api import RichMenuApi, rich_menus
from bot.service import Service


def commands(get: Callable[[], Service]) -> list[click.Command]:
    @click.group()
    def richmenu() -> None:
        """The menu below the 1:1 chat on phones."""

    @richmenu.command()
    @click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
    @AS_JSON
    def install(dry_run: bool, as_json: bool) -> None:
        """Make the menu, its tabs and aliases, and show it to everybody. Old menus of ours are removed."""
        service = get()
        with _channel(service) as channel, _told(as_json, dry_run) as tell:
            done = rich_menu_sync.install(channel, service.catalogue, dry_run, tell)
        if not as_json and not done:
            click.echo(_("the rich menu is up to date"))
        elif not as_json and dry_run:
            click.echo(_("dry run: nothing was changed"))

    @richmenu.command()
    @AS_JSON
    def remove(as_json: bool) -> None:
        """Remove our menus from the channel. Others stay."""
        with _channel(get()) as channel, _told(as_json) as tell:
            done = rich_menu_sync.remove(channel, tell)
        if not as_json and not done:
            click.echo(_("there is no rich menu of ours"))

    @richmenu.command()
    @AS_JSON
    def show(as_json: bool) -> None:
        """List every rich menu of the channel."""
        with _channel(get()) as channel:
            found = rich_menu_sync.shown(channel)
        if as_json:
            print_json([asdict(menu) for menu in found])
            return
        for line in map(str, found) if found else [_("there is no rich menu")]:
            click.echo(line)

    return [richmenu]


@contextmanager
def _told(as_json: bool, dry_run: bool = False) -> Iterator[Callable[[str], None]]:
    """Yield a function that reports a step: printed at once, or with `as_json` all together at the end."""
    if not as_json:
        yield click.echo
        return
    steps: list[str] = []
    yield steps.append
    print_json({"dry_run": dry_run, "changed": bool(steps) and not dry_run, "steps": steps})


@contextmanager
def _channel(service: Service) -> Iterator[RichMenuApi]:
    settings = service.settings
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            yield channel
    except LineDown as error:
        raise Failure(str(error)) from None
