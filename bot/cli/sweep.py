"""`flask sweep`: remove the pictures that no link leads to any more, from whatever store they are in.

With --lifecycle a bucket in S3 does it by itself from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _

import click

from bot.cli.errors import Failure
from bot.cli.output import AS_JSON, print_json
from bot.service import Service
from bot.stores import UNREACHABLE
from storage.s3_images import S3Images

DAY = 86400.0
LEAST = int(UNREACHABLE / DAY)


def commands(get: Callable[[], Service]) -> list[click.Command]:
    """Return the command `sweep`."""

    @click.command("sweep")
    @click.option(
        "--days",
        type=click.IntRange(LEAST),
        default=LEAST,
        show_default=True,
        help="The age in days; no less.",
    )
    @click.option(
        "--lifecycle", is_flag=True, help="Have the bucket in S3 do it by itself from now on, by a rule."
    )
    @AS_JSON
    def command(days: int, lifecycle: bool, as_json: bool) -> None:
        """Remove the pictures that no link leads to any more. A link lives for a week, and is given anew for
        another."""
        if lifecycle:
            _set_rule(get(), days, as_json)
            return
        gone = get().images.sweep(days * DAY)
        if as_json:
            print_json({"removed": gone, "days": days})
        else:
            click.echo(_("{gone} pictures older than {days} days removed").format(gone=gone, days=days))

    return [command]


def _set_rule(service: Service, days: int, as_json: bool) -> None:
    """Give the bucket its rule. Raises Failure where the pictures are in no bucket, or at its top."""
    images = service.images
    if not isinstance(images, S3Images):
        raise Failure(_("IMAGES_URL names no bucket in S3: the bot itself removes old pictures, once a day"))
    if not service.settings.images_url.removeprefix("s3://").partition("/")[2].strip("/"):
        raise Failure(
            _("IMAGES_URL has no prefix, and a rule for the whole bucket would remove more than pictures")
        )
    changed = images.expire_after(days)
    if as_json:
        print_json({"changed": changed, "days": days})
    elif changed:
        click.echo(_("S3 removes pictures older than {days} days by itself from now on").format(days=days))
    else:
        click.echo(
            _("S3 has the rule already: pictures older than {days} days are removed").format(days=days)
        )
