"""`flask setup --check`: what is done and what is left, without a question and without a change."""

from collections.abc import Iterator

from bot.checks.channel import WEBHOOK, check_channel, check_chats, check_rich_menu
from bot.checks.store_trials import store_finding
from bot.checks.tenhou import check_sync
from bot.league.files import LEAGUE_FILE
from bot.line.account import webhook_endpoint
from bot.line.client import LineDown
from bot.runtime.finding import Finding, good, trouble
from bot.runtime.translation import message as _
from bot.service import Service
from bot.settings import Settings, SettingsError, read_settings
from bot.settings.stores import kind_of
from rating.league import LOG_NAME
from storage.ports import StorageError
from storage.state import open_state


def look() -> Iterator[Finding]:
    """Yield what is done and what is left. Services are only read from."""
    try:
        settings = read_settings()
    except SettingsError as error:
        yield from (trouble(fault.name, fault.code, fault.message) for fault in error.faults)
        return
    values = {
        "LINE_CHANNEL_ACCESS_TOKEN": "" if settings.console else settings.channel_access_token,
        "LINE_CHANNEL_SECRET": "" if settings.console else settings.channel_secret,
        "ADMIN_USER_IDS": ",".join(settings.admin_user_ids),
        "LOGS_URL": "" if settings.demo else settings.logs_url,
        "PUBLIC_URL": settings.public_url,
    }
    missing = [
        trouble(name, "missing", _("is not set yet")) for name, value in values.items() if not value
    ]
    yield from missing
    if missing:
        return
    service = Service(settings)
    channel = list(check_channel(service))
    yield from channel
    if all(finding.ok for finding in channel):
        yield _webhook(settings)
        yield check_rich_menu(service)
    yield from _store_findings(service)


def _store_findings(service: Service) -> Iterator[Finding]:
    """Yield what is in the stores.

    Looking into a database that was never used would make its tables.
    """
    settings = service.settings
    try:
        is_used = _is_database_used(settings.database_url)
    except (StorageError, ValueError, OSError) as error:
        yield store_finding("DATABASE_URL", settings.database_url, error)
        return
    if not is_used:
        yield trouble("DATABASE_URL", "missing", _("nothing is in it yet"))
    if is_used or not kind_of(settings.logs_url).in_database:
        try:
            files = service.stores.open_logs().revisions()
        except (StorageError, OSError) as error:
            yield store_finding("LOGS_URL", settings.logs_url, error, settings.store_variables)
            return
        yield _presence(LEAGUE_FILE, LEAGUE_FILE in files)
        yield _presence("logvol1.txt", any(map(LOG_NAME.match, files)))
    if is_used:
        yield check_chats(service)
        yield check_sync(service)


def _is_database_used(url: str) -> bool:
    state = open_state(url)
    try:
        return state.database.is_made()
    finally:
        state.close()


def _presence(name: str, is_there: bool) -> Finding:
    if is_there:
        return good(name, _("it is there"))
    return trouble(name, "missing", _("there is none"))


def _webhook(settings: Settings) -> Finding:
    try:
        with webhook_endpoint(settings.line_api_url, settings.channel_access_token) as webhook:
            address = webhook.read()
    except LineDown as error:
        return trouble(
            WEBHOOK, "away", _("LINE could not be asked about it ({error})", error=error)
        )
    if not address.url.startswith(f"{settings.public_url}/"):
        return trouble(
            WEBHOOK, "elsewhere", _("LINE does not call {public}", public=settings.public_url)
        )
    if not address.is_active:
        message = _(
            "LINE does not use it: turn on Use webhook (LINE Developers console, Messaging API)"
        )
        return trouble(WEBHOOK, "off", message)
    return good(WEBHOOK, _("LINE calls {url}", url=address.url))
