"""Look after an installation: `flask doctor`, `flask richmenu` and `flask sweep`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click

from bot.checks.run import examine
from bot.cli.base import AS_JSON, DEMO, CommandContext, Failure, command, defaulted, print_json, with_context
from bot.line import rich_menu
from bot.line.client import LineDown
from bot.line.rich_menu import RichMenuApi, rich_menus
from bot.runtime.env_file import what_is_read
from bot.runtime.finding import fault
from bot.runtime.finding import translated as _
from bot.service import Service
from bot.stores import UNREACHABLE
from storage.s3_images import S3Images

LEAST = int(UNREACHABLE / 86400)  # days


@command()
@click.option(
    "--release",
    is_flag=True,
    help="For a release: only what is set up wrongly stops it, not an outage, nor the league's files.",
)
@DEMO
@AS_JSON
@with_context
def doctor(cli: CommandContext, release: bool, demo: bool, as_json: bool) -> None:
    shown = []
    wrong = [fault(one.name, one.code, one.message) for one in cli.faults]
    if not as_json:
        click.echo(_("configuration: {read}", read=what_is_read()))
    for finding in wrong or examine(cli.own_service(demo or release)):
        # Each finding is printed at once, because a store that does not answer takes long.
        shown.append(finding)
        if not as_json:
            click.echo(f"{_('ok  ') if finding.ok else _('MEND')}  {finding.what}: {finding.text}")
    if as_json:
        keys = ("what", "ok", "code", "text", "stops_release")
        findings = [{key: getattr(one, key) for key in keys} for one in shown]
        print_json({"configuration": what_is_read(), "findings": findings})
    if not all(finding.ok or (release and not finding.stops_release) for finding in shown):
        raise SystemExit(1)


@command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@AS_JSON
@with_context
def install(cli: CommandContext, dry_run: bool, as_json: bool) -> None:
    service = cli.service
    with _channel(service) as channel, _told(as_json, dry_run) as tell:
        done = rich_menu.install(channel, service.catalogue, dry_run, tell)
    if not as_json and (dry_run or not done):
        click.echo(_("dry run: nothing was changed") if done else _("the rich menu is up to date"))


@command()
@AS_JSON
@with_context
def remove(cli: CommandContext, as_json: bool) -> None:
    with _channel(cli.service) as channel, _told(as_json) as tell:
        done = rich_menu.remove(channel, tell)
    if not as_json and not done:
        click.echo(_("there is no rich menu of ours"))


@command()
@AS_JSON
@with_context
def show(cli: CommandContext, as_json: bool) -> None:
    with _channel(cli.service) as channel:
        found = rich_menu.shown(channel)
    if as_json:
        print_json({"menus": [asdict(menu) for menu in found]})
        return
    click.echo("\n".join(map(str, found)) or _("there is no rich menu"))


@contextmanager
def _told(as_json: bool, dry_run: bool = False) -> Iterator[Callable[[str], None]]:
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


@command()
@defaulted("--days", click.IntRange(LEAST), LEAST, "The age in days; no less.")
@click.option(
    "--lifecycle", is_flag=True, help="Have the bucket in S3 do it by itself from now on, by a rule."
)
@AS_JSON
@with_context
def sweep(cli: CommandContext, days: int, lifecycle: bool, as_json: bool) -> None:
    """A link lives for a week, and is given anew for another."""
    if lifecycle:
        _set_rule(cli.service, days, as_json)
        return
    gone = cli.service.images.sweep(days * 86400.0)
    if as_json:
        print_json({"removed": gone, "days": days})
    else:
        click.echo(_("{gone} pictures older than {days} days removed", gone=gone, days=days))


def _set_rule(service: Service, days: int, as_json: bool) -> None:
    images = service.images
    if not isinstance(images, S3Images):
        raise Failure(_("IMAGES_URL names no bucket in S3: the bot itself removes old pictures, once a day"))
    if not service.settings.images_url.removeprefix("s3://").partition("/")[2].strip("/"):
        told = _("IMAGES_URL has no prefix, and a rule for the whole bucket would remove more than pictures")
        raise Failure(told)
    changed = images.expire_after(days)
    if as_json:
        print_json({"changed": changed, "days": days})
    elif changed:
        click.echo(_("S3 removes pictures older than {days} days by itself from now on", days=days))
    else:
        click.echo(_("S3 has the rule already: pictures older than {days} days are removed", days=days))
