"""Check the stores of logs, pictures, the database and backups."""

from collections.abc import Iterator

from bot.checks.links import fetched
from bot.checks.parts import CheckedParts
from bot.checks.store_trials import store_finding, try_backups, try_images, try_logs, try_state
from bot.runtime.finding import Finding, fault, good, trouble
from bot.runtime.translation import message as _
from bot.settings import Settings
from bot.settings.stores import kind_of, open_backups
from storage.ports import StorageError
from storage.schema import SCHEMA


def check_logs(parts: CheckedParts) -> Finding:
    name = "LOGS_URL"
    settings = parts.settings
    if settings.demo and not settings.console:
        message = _(
            "is not set: the group would be shown the demo league; `flask setup` asks where the logs go"
        )
        return fault(name, "missing", message)
    try:
        snapshot = parts.registry.league().snapshot()
        parts.registry.settle(quiet=True)
        try_logs(parts.stores.open_logs())
    except (StorageError, ValueError, OSError) as error:
        return store_finding(name, settings.logs_url, error, settings.store_variables)
    games = len(snapshot.all_games())
    count = len(snapshot.logs)
    if _lost(settings, settings.logs_url):
        return fault(name, "lost", _LOST)
    return good(
        name,
        _(
            "reached, written and read; {games} games in {count} season logs",
            games=games,
            count=count,
        ),
    )


def check_state(parts: CheckedParts) -> Finding:
    name = "DATABASE_URL"
    settings = parts.settings
    try:
        obstacle = kind_of(settings.database_url).obstacle
        if obstacle is not None:
            message = obstacle(settings.database_url)
            if message is not None:
                return trouble(name, "away", message)
        try_state(parts.state)
    except (StorageError, ValueError, OSError) as error:
        return store_finding(name, settings.database_url, error)
    if _lost(settings, settings.database_url):
        return fault(name, "lost", _LOST)
    return good(name, _("written and read; schema {schema}", schema=SCHEMA))


_LOST = _(
    "it names a disk that a dyno loses at every restart: use the database "
    "(DATABASE_URL of Heroku Postgres, LOGS_URL=postgres:, IMAGES_URL=postgres:)"
)


def _lost(settings: Settings, url: str) -> bool:
    return settings.dyno and kind_of(url).on_disk


def check_images(parts: CheckedParts) -> Finding:
    """The image store: a picture is put, is there, and is fetched by its signed link as a phone
    does, where the link's host is known."""
    name = "IMAGES_URL"
    settings = parts.settings
    kind = kind_of(settings.images_url)
    try:
        link = try_images(parts.images, link=kind.serves_pictures or bool(settings.public_url))
    except (StorageError, ValueError, OSError) as error:
        return store_finding(name, settings.images_url, error, settings.store_variables)
    if _lost(settings, settings.images_url):
        return fault(name, "lost", _LOST)
    if not link:
        return good(name, _("written and found; links use the host LINE calls (or set PUBLIC_URL)"))
    return fetched(name, link, kind, settings.public_url)


def check_backups(parts: CheckedParts) -> Iterator[Finding]:
    name = "BACKUP_URL"
    settings = parts.settings
    if not settings.backup_url:
        return
    try:
        try_backups(open_backups(settings.backup_url, settings.store_variables))
    except (StorageError, ValueError, OSError) as error:
        yield store_finding(name, settings.backup_url, error, settings.store_variables)
    else:
        if _lost(settings, settings.backup_url):
            yield fault(name, "lost", _LOST)
        else:
            yield good(name, _("a file was written, read and removed"))
