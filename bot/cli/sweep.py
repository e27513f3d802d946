"""`flask sweep`: remove the pictures that no link leads to any more, from whatever store they are in."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _

import click

from bot.cli.output import AS_JSON, print_json
from bot.service import Service
from bot.stores import UNREACHABLE

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
    @AS_JSON
    def command(days: int, as_json: bool) -> None:
        """Remove the pictures that no link leads to any more. A link lives for a week, and is given anew for another."""
        gone = get().images.sweep(days * DAY)
        if as_json:
            print_json({"removed": gone, "days": days})
        else:
            click.echo(_("{gone} pictures older than {days} days removed").format(gone=gone, days=days))

    return [command]
