"""`flask sweep`: remove pictures that no link leads to any more."""

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON, defaulted
from bot.cli.printing import print_report
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.settings.store_kind import fill
from bot.settings.stores import kind_of
from storage.addresses import UNREACHABLE
from storage.ports import ExpiringImages

LEAST = int(UNREACHABLE / 86400)  # days


@command()
@defaulted("--days", click.IntRange(LEAST), LEAST, "The age in days; no less.")
@click.option(
    "--lifecycle",
    is_flag=True,
    help="Have the pictures' store do it by itself from now on, by a rule, if it can.",
)
@AS_JSON
@with_context
def sweep(cli: CommandContext, days: int, lifecycle: bool, as_json: bool) -> None:
    """A link to a picture expires, and is given anew where somebody asks again."""
    if lifecycle:
        _set_rule(cli.service, days, as_json)
        return
    gone = cli.service.images.sweep(days * 86400.0)
    message = _("{gone} pictures older than {days} days removed", gone=gone, days=days)
    print_report(as_json, {"removed": gone, "days": days}, [message])


def _set_rule(service: Service, days: int, as_json: bool) -> None:
    images = service.images
    expiry = kind_of(service.settings.images_url).expiry
    if expiry is None or not isinstance(images, ExpiringImages):
        raise Failure(
            _("the store of IMAGES_URL has no such rule: the bot removes old pictures, once a day")
        )
    try:
        changed = images.expire_after(days)
    except ValueError:
        raise Failure(expiry.needs_prefix.said()) from None
    message = expiry.present
    if changed:
        message = expiry.added
    line = fill(message, days=days).said()
    print_report(as_json, {"changed": changed, "days": days}, [line])
