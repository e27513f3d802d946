"""Tell LINE where the service is, have LINE test it, and put the rich menu on the channel."""

from __future__ import annotations

import urllib.request
from gettext import gettext as _

from bot.checks.channel import CALLBACK, WEBHOOK, check_webhook
from bot.cli.setup.wizard import AskedVariable, RefusedAnswer, Wizard
from bot.line import rich_menu_sync
from bot.line.client import LineDown
from bot.line.rich_menu_api import rich_menus
from bot.line.webhook_endpoint import webhook_endpoint
from bot.service import Service
from bot.settings import allowed_address

WAIT = 5.0  # seconds for the service's answer


def ask_address(wizard: Wizard) -> None:
    wizard.explain("PUBLIC_URL", _("On Heroku: `heroku create NAME`, then `heroku info` shows the Web URL."))
    question = AskedVariable("PUBLIC_URL", _("Address of the service (https://…)"))
    wizard.ask([question], lambda given: _address_told(given["PUBLIC_URL"].rstrip("/")))


def _address_told(url: str) -> str:
    if not allowed_address(url) or "?" in url or "#" in url:
        raise RefusedAnswer(_("LINE takes https addresses only."))
    return _("the service answers there") if answers(url) else _("kept; nothing of ours answers there yet")


def answers(url: str) -> bool:
    """Whether a Janroku runs at the address."""
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=WAIT) as answer:  # noqa: S310 (https or loopback)
            return b'"version"' in answer.read(1000)
    except OSError:
        return False


def set_webhook(wizard: Wizard, service: Service) -> bool:
    """Set LINE's webhook to the service, and have LINE test it; return whether the test arrived."""
    wanted = service.settings.public_url + CALLBACK
    try:
        with webhook_endpoint(
            service.settings.line_api_url, service.settings.channel_access_token
        ) as webhook:
            if webhook.read().url != wanted:
                webhook.put(wanted)
                wizard.terminal.worked(_("LINE calls {url} from now on").format(url=wanted))
    except LineDown as error:
        wizard.terminal.failed(_("LINE took no webhook address: {error}").format(error=error))
        return False
    found = check_webhook(service)
    (wizard.terminal.worked if found.ok else wizard.terminal.failed)(f"{WEBHOOK}: {found.text}")
    return found.ok


def install_menu(wizard: Wizard, service: Service) -> None:
    settings = service.settings
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            changed = rich_menu_sync.install(channel, service.catalogue, tell=lambda step: None)
    except LineDown as error:
        wizard.terminal.failed(str(error))
        return
    wizard.terminal.worked(
        _("the rich menu is on the channel") if changed else _("the rich menu is up to date")
    )
