"""Ask for the LINE channel's token and secret and the admin's id, each tried by a call of LINE as it is
pasted."""

from __future__ import annotations

import re
from gettext import gettext as _

from bot.cli.setup.wizard import AskedVariable, RefusedAnswer, Wizard
from bot.line.channel import secret_fits, user_name
from bot.line.client import LineClient, LineDown

TOKEN, SECRET, ADMINS = "LINE_CHANNEL_ACCESS_TOKEN", "LINE_CHANNEL_SECRET", "ADMIN_USER_IDS"
_USER = re.compile("U[0-9a-f]{32}")


def ask_channel(wizard: Wizard) -> None:
    wizard.explain(
        TOKEN,
        _(
            "Open https://developers.line.biz/console/ and your Messaging API channel (create one: a "
            "provider, then a "
            "Messaging API channel)."
        ),
    )
    wizard.explain(
        TOKEN,
        _(
            "Messaging API tab: allow group chats, turn auto-reply and greeting messages off, issue the "
            "token."
        ),
    )
    token = AskedVariable(TOKEN, _("Channel access token (long-lived)"), secret=True)
    wizard.ask([token], lambda given: _token_told(wizard, given[TOKEN]))
    secret = AskedVariable(SECRET, _("Channel secret (Basic settings tab)"), secret=True)
    wizard.ask([secret], lambda given: _secret_told(wizard, given[SECRET]))
    admins = AskedVariable(ADMINS, _("Your user ID (Basic settings tab; several: comma separated)"))
    wizard.ask([admins], lambda given: _admins_told(wizard, given[ADMINS]))


def _token_told(wizard: Wizard, token: str) -> str:
    try:
        name = LineClient(wizard.line_api, token).bot_name()
    except LineDown as error:
        if error.status in (400, 401, 403):
            raise RefusedAnswer(
                _("LINE does not know this token: issue it anew and copy all of it.")
            ) from None
        raise _away() from None
    return _("the channel {name}").format(name=name)


def _secret_told(wizard: Wizard, secret: str) -> str:
    try:
        fits = secret_fits(wizard.line_api, wizard.get(TOKEN), secret)
    except LineDown:
        raise _away() from None
    if not fits:
        raise RefusedAnswer(
            _("This is not the secret of the token's channel: copy it from the same channel.")
        )
    return _("it is this channel's")


def _admins_told(wizard: Wizard, ids: str) -> str:
    names = []
    for one in (part.strip() for part in ids.split(",")):
        if not _USER.fullmatch(one):
            told = _("{id} is no user ID: those are U and 32 hexadecimal digits.").format(id=one[:40])
            raise RefusedAnswer(told)
        try:
            name = user_name(wizard.line_api, wizard.get(TOKEN), one)
        except LineDown:
            raise _away() from None
        names.append(name or _("{id} (add the bot as a friend in LINE)").format(id=f"{one[:5]}…"))
    return ", ".join(names)


def _away() -> RefusedAnswer:
    return RefusedAnswer(_("LINE can't be reached at the moment."), away=True)
