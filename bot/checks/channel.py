"""Check the LINE channel: its token, its secret and webhook (by LINE's own test call), its rich
menu, who may use the bot."""

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from bot.checks.parts import NO_TRUST, UNTRUSTED, CheckedParts
from bot.checks.stores import check_links
from bot.line.channel import install, rich_menus, secret_fits, shown, user_name, webhook_endpoint
from bot.line.client import LineDown
from bot.runtime.finding import Code, Finding, fault, good, trouble
from bot.runtime.translation import message as _
from bot.settings import LINE_API

TOKEN = "LINE_CHANNEL_ACCESS_TOKEN"  # noqa: S105 - the name of a variable
SECRET = "LINE_CHANNEL_SECRET"  # noqa: S105 - the name of a variable
WEBHOOK = "webhook"
CALLBACK = "/callback"
# seconds by which this machine's clock may differ from LINE's: a reply token lives so long
CLOCK = 60.0
ADMINS = 3  # who are looked up
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
    off = 0.0 if bot.at is None else time.time() - bot.at
    if abs(off) > CLOCK:
        told = _AHEAD if off > 0 else _BEHIND
        yield trouble(
            "clock",
            "clock",
            replace(told, fields=(("minutes", round(abs(off) / 60)),)),
        )
    try:
        fits = secret_fits(
            settings.line_api_url, settings.channel_access_token, settings.channel_secret
        )
    except LineDown as error:
        yield trouble(SECRET, "away", _("LINE could not be asked about it ({error})", error=error))
        return
    yield good(SECRET, FITS) if fits else fault(SECRET, "elsewhere", _OTHER)


def _refused(address: str, error: LineDown) -> Finding:
    if error.status in (401, 403):
        told = _(
            "LINE at {address} says {error}; issue a new long-lived token in the LINE Developers console",
            address=address,
            error=error,
        )
        return fault(TOKEN, "refused", told)
    if error.status == 404:
        told = _(
            "what is at {address} says {error}: is LINE_API_URL right?",
            address=address,
            error=error,
        )
        return fault(TOKEN, "elsewhere", told)
    if error.status is not None:
        told = _(
            "LINE at {address} says {error}; the token was not looked at, so try again later",
            address=address,
            error=error,
        )
        return trouble(TOKEN, "away", told)
    told = _(
        "LINE can't be reached at {address} ({error}): is the network up, and LINE_API_URL right?",
        address=address,
        error=error,
    )
    code: Code = "away"
    if UNTRUSTED in str(error):
        told = NO_TRUST
        code = "untrusted"
    return (trouble if address == LINE_API else fault)(TOKEN, code, told)


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
    """Whether LINE calls here, and the bots beside this one in its database.

    Raises StorageError.
    """
    webhook = check_webhook(parts)
    yield webhook
    if webhook.ok and not parts.settings.console:
        yield from check_links(parts, parts.state.values.get(CALLED_ADDRESS) or "")
    noted = {} if parts.settings.console else parts.state.values.items(BOT)
    with suppress(LineDown):
        others = [key.removeprefix(BOT) for key in noted if key != BOT + parts.line.bot().id]
        if others:
            told = _(
                "another bot ({bot}) uses this database too: give each one of its own "
                "(after a change of channel this passes in two days)",
                bot=", ".join(others),
            )
            yield trouble("DATABASE_URL", "elsewhere", told)


def check_webhook(parts: CheckedParts) -> Finding:
    """The address LINE calls, and whether its signed test call arrives, which proves the secret
    too.
    """
    settings = parts.settings
    if settings.console:
        return good(WEBHOOK, _BY_CONSOLE)
    wanted = settings.public_url + CALLBACK if settings.public_url else ""
    try:
        with webhook_endpoint(settings.line_api_url, settings.channel_access_token) as webhook:
            there, active = webhook.read()
            if not there:
                return trouble(
                    WEBHOOK,
                    "missing",
                    _("LINE knows no webhook address yet: `flask setup` sets it"),
                )
            if wanted and there != wanted:
                told = _(
                    "LINE calls {there}, but PUBLIC_URL is {public}: `flask setup` sets the webhook anew",
                    there=there,
                    public=settings.public_url,
                )
                return trouble(WEBHOOK, "elsewhere", told)
            if not active:
                told = _(
                    "LINE does not use it: turn on Use webhook (LINE Developers console, Messaging API)"
                )
                return trouble(WEBHOOK, "off", told)
            before = parts.state.values.get(ARRIVED)
            result = webhook.test()
            arrived = parts.state.values.get(ARRIVED) != before
    except LineDown as error:
        return trouble(
            WEBHOOK, "away", _("LINE could not be asked about it ({error})", error=error)
        )
    return judged_test(there, result, arrived)


def judged_test(url: str, result: tuple[bool, int, str], arrived: bool) -> Finding:
    """Return what LINE's test call of an address says.

    `arrived`: this installation has taken the call.
    """
    success, status, reason = result
    if success and arrived:
        return good(WEBHOOK, _("LINE's test call of {url} arrived, rightly signed", url=url))
    if success:
        told = _(
            "LINE's test call was answered, but not by this installation: is {url} another one's, "
            "or DATABASE_URL here another than there?",
            url=url,
        )
        return trouble(WEBHOOK, "elsewhere", told)
    if status == 400:
        told = _(
            "the service at {url} refuses LINE's signature: set LINE_CHANNEL_SECRET there, and restart it",
            url=url,
        )
        return trouble(WEBHOOK, "refused", told)
    if status:
        told = _(
            "LINE's test call of {url} was answered with status {status}: is that the service's address, "
            "and does it run?",
            url=url,
            status=status,
        )
        return trouble(WEBHOOK, "elsewhere", told)
    told = _(
        "LINE's test call does not reach {url} ({reason}): does the service run there, with a valid "
        "certificate?",
        url=url,
        reason=reason,
    )
    return trouble(WEBHOOK, "away", told)


def check_rich_menu(parts: CheckedParts) -> Finding:
    what = "richmenu"
    settings = parts.settings
    if settings.console:
        return good(what, _BY_CONSOLE)
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            ours = [menu for menu in shown(channel) if menu["ours"]]
            old = bool(ours) and install(channel, parts.catalogue, dry=True, tell=lambda step: None)
    except LineDown as error:
        return trouble(what, "away", _("LINE could not be asked about it ({error})", error=error))
    if not ours:
        return trouble(
            what, "missing", _("there is none: `flask richmenu install` puts it on the channel")
        )
    if not any(menu["default"] for menu in ours):
        return trouble(
            what, "off", _("nobody is shown it: `flask richmenu install` shows it to everybody")
        )
    if old:
        return trouble(
            what, "old", _("it is not this version's, whole: `flask richmenu install` renews it")
        )
    return good(what, _("everybody is shown it"))


def check_chats(parts: CheckedParts) -> Finding:
    settings = parts.settings
    what = "LEAGUE_CHATS"
    groups = parts.access.groups()
    if not groups and not settings.league_chats and not settings.admin_user_ids:
        told = _("nobody may use the bot: set it to your user id, and send 登録 in the group")
        return fault("ADMIN_USER_IDS", "missing", told)
    for name, ids in (
        ("LEAGUE_CHATS", settings.league_chats),
        ("ADMIN_USER_IDS", settings.admin_user_ids),
    ):
        if odd := sorted(one for one in ids if not _ID.fullmatch(one)):
            told = _(
                "{id} is no LINE id: those are U, C or R and 32 hexadecimal digits", id=repr(odd[0])
            )
            return fault(name, "malformed", told)
    strangers: list[
        str
    ] = []  # the first admins' ids that LINE does not know; none where it can't be asked
    with suppress(LineDown):
        asked = [] if settings.console else sorted(settings.admin_user_ids)[:ADMINS]
        api = settings.line_api_url
        token = settings.channel_access_token
        strangers = [admin for admin in asked if user_name(api, token, admin) is None]
    if strangers:
        told = _(
            "LINE knows no friend {id} of the bot: copy Your user ID (LINE Developers console, Basic "
            "settings), and add the bot as a friend",
            id=strangers[0],
        )
        return trouble("ADMIN_USER_IDS", "elsewhere", told)
    admins = len(settings.admin_user_ids)
    return good(
        what, _("{groups} groups and rooms, {admins} admins", groups=len(groups), admins=admins)
    )
