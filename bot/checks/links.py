"""Check that signed links to pictures work, as LINE follows them."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import NamedTuple

from bot.checks.parts import CheckedParts
from bot.checks.store_trials import PNG, try_images
from bot.runtime.finding import Finding, fault, good, trouble
from bot.runtime.translation import message as _
from bot.settings.store_kind import StoreKind, fill
from bot.settings.stores import kind_of
from bot.stores import BASE
from storage.addresses import allowed_address

FETCH = 5.0  # seconds for a picture by its signed link


def check_links(parts: CheckedParts, called: str) -> Iterator[Finding]:
    """Yield whether a phone can load what answers link to, where PUBLIC_URL is not set: then links
    begin with the address that LINE has `called`, as the service saw it.
    """
    name = "PUBLIC_URL"
    settings = parts.settings
    if settings.public_url or not called:
        return
    if not allowed_address(called):
        message = _(
            "is not set, and a proxy that is not trusted hides that LINE called by https (here it is "
            "{called}), so that answers have no pictures and no page: set PUBLIC_URL to the https address, "
            "or FORWARDED_ALLOW_IPS to the proxy's address",
            called=called,
        )
        yield trouble(name, "missing", message)
        return
    if kind_of(settings.images_url).serves_pictures:
        return
    BASE.set(called)
    failure = fetch_failure(try_images(parts.images))
    if failure is None:
        yield good(name, _("is not needed: a picture was fetched at {called}", called=called))
    else:
        message = _(
            "is not set, and a phone gets no picture from {called} ({cause}): set it to the https address of "
            "this service",
            called=called,
            cause=failure.cause,
        )
        yield trouble(name, "elsewhere", message)


class FetchFailure(NamedTuple):
    """Why a picture could not be fetched by its link. `status`: the HTTP status, if there is one."""

    cause: str
    status: int | None = None


def fetch_failure(link: str) -> FetchFailure | None:
    """Fetch the probe's picture as a phone does, and return what failed."""
    try:
        # Only https or loopback gets here.
        with urllib.request.urlopen(link, timeout=FETCH) as answer:  # noqa: S310
            is_same = answer.read(len(PNG) + 1) == PNG
    except urllib.error.HTTPError as error:
        return FetchFailure(str(error.code), error.code)
    except OSError as error:
        return FetchFailure(str(getattr(error, "reason", error)) or type(error).__name__)
    return None if is_same else FetchFailure("no picture", 200)


def fetched(name: str, link: str, kind: StoreKind, public: str = "") -> Finding:
    """Fetch a picture as a phone does: from the store itself, or by PUBLIC_URL from the bot, which
    need not run yet.
    """
    if not allowed_address(link):
        return fault(
            name, "malformed", _("the pictures' address is not https: LINE would refuse it")
        )
    failure = fetch_failure(link)
    if failure is None:
        return good(name, _("written, found and fetched by a signed link"))
    if public and not kind.serves_pictures:
        message = _(
            "a phone gets no picture from {public} ({cause}): is PUBLIC_URL this bot's own address, does it "
            "run there with this LINE_CHANNEL_SECRET, and is its certificate valid?",
            public=public,
            cause=failure.cause,
        )
        return trouble(name, "elsewhere", message)
    if failure.status is None:
        message = _("a picture could not be fetched by its link ({error})", error=failure.cause)
        return trouble(name, "away", message)
    if failure.status == 200:
        return fault(
            name, "elsewhere", _("the signed link leads to something else than the picture")
        )
    refusal = fill(kind.picture_refused, status=failure.status)
    return fault(name, "permission", refusal)
