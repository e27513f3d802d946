"""Check the LINE channel: its token, its secret and webhook (by LINE's own test call), its rich
menu, who may use the bot."""

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from bot.checks.links import check_links
from bot.checks.parts import CheckedParts, unreachable
from bot.line.account import WebhookTest, secret_fits, user_name, webhook_endpoint
from bot.line.channel import install, rich_menus, shown
from bot.line.client import LineDown
from bot.runtime.finding import Finding, fault, good, trouble
from bot.runtime.translation import message as _
from bot.settings import LINE_API, Settings

TOKEN = "LINE_CHANNEL_ACCESS_TOKEN"  # noqa: S105 - the name of a variable
SECRET = "LINE_CHANNEL_SECRET"  # noqa: S105 - the name of a variable
WEBHOOK = "webhook"
CALLBACK = "/callback"
# seconds by which this machine's clock may differ from LINE's: a reply token lives so long
CLOCK = 60.0
ADMINS = 3  # that are looked up
BOT = "bot:"  # begins the keys of bots that LINE has called this service for; a user id follows
_ID = re.compile("[UCR][0-9a-f]{32}")
_AHEAD = _(
    "this machine's clock is {minutes} minutes ahead of LINE's: set it, and have NTP keep it"
)
_BEHIND = _("this machine's clock is {minutes} minutes behind LINE's: set it, and have NTP keep it")
ARRIVED = (
    "webhook:test"  # the key of when LINE's last test call came: signed rightly, without events
)
CALLED_ADDRESS = "webhook:address"
"""The key of the address at which LINE's last test call came, as the service sees it."""
FITS = _("it is this channel's")
_OTHER = _(
    "it is not this channel's: copy the Channel secret (LINE Developers console, Basic settings of the same "
    "channel)"
)
_BY_CONSOLE = _("the console plays LINE (no channel is set)")


def check_channel(parts: CheckedParts) -> Iterator[Finding]:
    settings = parts.settings
    if settings.console:
        yield good(TOKEN, _BY_CONSOLE)
        return
    try:
        bot = parts.line.bot()
    except LineDown as error:
        yield _refused(settings.line_api_url, error)
        return
    yield good(TOKEN, _("the channel answers as {name}", name=bot.name))
    if bot.at is not None:
        yield from _clock_trouble(seconds_ahead=time.time() - bot.at)
    try:
        fits = secret_fits(
            settings.line_api_url, settings.channel_access_token, settings.channel_secret
        )
    except LineDown as error:
        yield trouble(SECRET, "away", _("LINE could not be asked about it ({error})", error=error))
        return
    if fits:
        yield good(SECRET, FITS)
    else:
        yield fault(SECRET, "elsewhere", _OTHER)


def _clock_trouble(seconds_ahead: float) -> Iterator[Finding]:
    if abs(seconds_ahead) <= CLOCK:
        return
    message = _BEHIND
    if seconds_ahead > 0:
        message = _AHEAD
    minutes = round(abs(seconds_ahead) / 60)
    yield trouble("clock", "clock", replace(message, fields=(("minutes", minutes),)))


def _refused(address: str, error: LineDown) -> Finding:
    if error.status in (401, 403):
        message = _(
            "LINE at {address} says {error}; issue a new long-lived token in the LINE Developers console",
            address=address,
            error=error,
        )
        return fault(TOKEN, "refused", message)
    if error.status == 404:
        message = _(
            "what is at {address} says {error}: is LINE_API_URL right?",
            address=address,
            error=error,
        )
        return fault(TOKEN, "elsewhere", message)
    if error.status is not None:
        message = _(
            "LINE at {address} says {error}; the token was not looked at, so try again later",
            address=address,
            error=error,
        )
        return trouble(TOKEN, "away", message)
    message = _(
        "LINE can't be reached at {address} ({error}): is the network up, and LINE_API_URL right?",
        address=address,
        error=error,
    )
    return unreachable(TOKEN, error, message, is_public=address == LINE_API)


def check_quota(parts: CheckedParts) -> Finding:
    if parts.settings.console:
        return good("quota", _BY_CONSOLE)
    try:
        quota = parts.line.quota()
    except LineDown as error:
        return trouble(
            "quota", "away", _("LINE could not be asked about it ({error})", error=error)
        )
    if quota is None:
        return good("quota", _("the channel's plan has no limit"))
    remaining = max(0, quota.remaining)
    if not remaining:
        message = _(
            "the month's {total} are used up: nothing is told unasked until the next month, answers go on "
            "(another plan: LINE Official Account Manager, Settings)",
            total=quota.total,
        )
        return trouble("quota", "limit", message)
    return good(
        "quota",
        _("{left} of {total} are left this month", left=remaining, total=quota.total),
    )


def check_calls(parts: CheckedParts) -> Iterator[Finding]:
    """Whether LINE calls here, and the other bots in this one's database.

    Raises StorageError.
    """
    webhook = check_webhook(parts)
    yield webhook
    if parts.settings.console:
        return
    values = parts.state.values
    if webhook.ok:
        yield from check_links(parts, values.get(CALLED_ADDRESS) or "")
    keys = values.items(BOT)
    with suppress(LineDown):
        others = [key.removeprefix(BOT) for key in keys if key != BOT + parts.line.bot().id]
        if others:
            message = _(
                "another bot ({bot}) uses this database too: give each one of its own "
                "(after a change of channel this passes in two days)",
                bot=", ".join(others),
            )
            yield trouble("DATABASE_URL", "elsewhere", message)


def check_webhook(parts: CheckedParts) -> Finding:
    """The address LINE calls, and whether its signed test call arrives, which proves the secret
    too.
    """
    settings = parts.settings
    if settings.console:
        return good(WEBHOOK, _BY_CONSOLE)
    try:
        with webhook_endpoint(settings.line_api_url, settings.channel_access_token) as webhook:
            address = webhook.read()
            if not address.url:
                return trouble(
                    WEBHOOK,
                    "missing",
                    _("LINE knows no webhook address yet: `flask setup` sets it"),
                )
            if settings.public_url and address.url != settings.public_url + CALLBACK:
                message = _(
                    "LINE calls {there}, but PUBLIC_URL is {public}: `flask setup` sets the webhook anew",
                    there=address.url,
                    public=settings.public_url,
                )
                return trouble(WEBHOOK, "elsewhere", message)
            if not address.is_active:
                message = _(
                    "LINE does not use it: turn on Use webhook (LINE Developers console, Messaging API)"
                )
                return trouble(WEBHOOK, "off", message)
            before = parts.state.values.get(ARRIVED)
            result = webhook.test()
            arrived = parts.state.values.get(ARRIVED) != before
    except LineDown as error:
        return trouble(
            WEBHOOK, "away", _("LINE could not be asked about it ({error})", error=error)
        )
    return judged_test(address.url, result, arrived)


def judged_test(url: str, test: WebhookTest, arrived: bool) -> Finding:
    """The finding of LINE's test call of an address.

    `arrived`: this installation has received the call.
    """
    if test.succeeded and arrived:
        return good(WEBHOOK, _("LINE's test call of {url} arrived, rightly signed", url=url))
    if test.succeeded:
        message = _(
            "LINE's test call was answered, but not by this installation: is {url} another one's, "
            "or DATABASE_URL here another than there?",
            url=url,
        )
        return trouble(WEBHOOK, "elsewhere", message)
    if test.status == 400:
        message = _(
            "the service at {url} refuses LINE's signature: set LINE_CHANNEL_SECRET there, and restart it",
            url=url,
        )
        return trouble(WEBHOOK, "refused", message)
    if test.status:
        message = _(
            "LINE's test call of {url} was answered with status {status}: is that the service's address, "
            "and does it run?",
            url=url,
            status=test.status,
        )
        return trouble(WEBHOOK, "elsewhere", message)
    message = _(
        "LINE's test call does not reach {url} ({reason}): does the service run there, with a valid "
        "certificate?",
        url=url,
        reason=test.reason,
    )
    return trouble(WEBHOOK, "away", message)


def check_rich_menu(parts: CheckedParts) -> Finding:
    name = "richmenu"
    settings = parts.settings
    if settings.console:
        return good(name, _BY_CONSOLE)
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            ours = [menu for menu in shown(channel) if menu["ours"]]
            old = bool(ours) and install(channel, parts.catalogue, dry=True, tell=_ignore)
    except LineDown as error:
        return trouble(name, "away", _("LINE could not be asked about it ({error})", error=error))
    if not ours:
        return trouble(
            name, "missing", _("there is none: `flask richmenu install` puts it on the channel")
        )
    if not any(menu["default"] for menu in ours):
        return trouble(
            name, "off", _("nobody is shown it: `flask richmenu install` shows it to everybody")
        )
    if old:
        return trouble(
            name, "old", _("it is not this version's, whole: `flask richmenu install` renews it")
        )
    return good(name, _("everybody is shown it"))


def _ignore(step: str) -> None:
    """Report no step of an installation."""


def check_chats(parts: CheckedParts) -> Finding:
    settings = parts.settings
    groups = parts.access.groups()
    if not groups and not settings.league_chats and not settings.admin_user_ids:
        message = _("nobody may use the bot: set it to your user id, and send 登録 in the group")
        return fault("ADMIN_USER_IDS", "missing", message)
    malformed = _malformed_id(settings)
    if malformed is not None:
        return malformed
    unknown = _unknown_admin(settings)
    if unknown:
        message = _(
            "LINE knows no friend {id} of the bot: copy Your user ID (LINE Developers console, Basic "
            "settings), and add the bot as a friend",
            id=unknown,
        )
        return trouble("ADMIN_USER_IDS", "elsewhere", message)
    admins = len(settings.admin_user_ids)
    return good(
        "LEAGUE_CHATS",
        _("{groups} groups and rooms, {admins} admins", groups=len(groups), admins=admins),
    )


def _malformed_id(settings: Settings) -> Finding | None:
    variables = {
        "LEAGUE_CHATS": settings.league_chats,
        "ADMIN_USER_IDS": settings.admin_user_ids,
    }
    for name, ids in variables.items():
        for line_id in sorted(ids):
            if not _ID.fullmatch(line_id):
                message = _(
                    "{id} is no LINE id: those are U, C or R and 32 hexadecimal digits",
                    id=repr(line_id),
                )
                return fault(name, "malformed", message)
    return None


def _unknown_admin(settings: Settings) -> str:
    """The id of an admin whom LINE does not know, "" for none and where LINE does not answer. Only
    the first `ADMINS` are looked up."""
    if settings.console:
        return ""
    api_url = settings.line_api_url
    token = settings.channel_access_token
    admins = sorted(settings.admin_user_ids)[:ADMINS]
    with suppress(LineDown):
        unknown = [admin for admin in admins if user_name(api_url, token, admin) is None]
        if unknown:
            return unknown[0]
    return ""
