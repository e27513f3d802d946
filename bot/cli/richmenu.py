"""`flask richmenu`: the menu below the 1:1 chat on phones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON
from bot.cli.printing import print_json, print_report
from bot.line import channel as line_channel
from bot.line.channel import RichMenuApi, rich_menus
from bot.line.client import LineDown
from bot.runtime.translation import translated as _
from bot.service import Service


@command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@AS_JSON
@with_context
def install(cli: CommandContext, dry_run: bool, as_json: bool) -> None:
    service = cli.service
    with _channel(service) as channel, _step_printer(as_json, dry_run) as tell:
        done = line_channel.install(channel, service.catalogue, dry_run, tell)
    if as_json:
        return
    if not done:
        click.echo(_("the rich menu is up to date"))
    elif dry_run:
        click.echo(_("dry run: nothing was changed"))


@command()
@AS_JSON
@with_context
def remove(cli: CommandContext, as_json: bool) -> None:
    with _channel(cli.service) as channel, _step_printer(as_json) as tell:
        done = line_channel.remove(channel, tell)
    if not as_json and not done:
        click.echo(_("there is no rich menu of ours"))


@command()
@AS_JSON
@with_context
def show(cli: CommandContext, as_json: bool) -> None:
    with _channel(cli.service) as channel:
        menus = line_channel.shown(channel)
    lines = []
    for menu in menus:
        marks = list(menu["aliases"])
        if menu["default"]:
            marks.append("default")
        owner = "Janroku's" if menu["ours"] else "somebody else's"
        lines.append(f"{menu['id']}  {menu['name']}  {', '.join(marks) or '-'}  ({owner})")
    print_report(as_json, {"menus": menus}, lines or [_("there is no rich menu")])


@contextmanager
def _step_printer(
    as_json: bool,
    dry_run: bool = False,
) -> Iterator[Callable[[str], None]]:
    """Yield a function that reports a step: printed at once, or with `as_json` all at the end."""
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
