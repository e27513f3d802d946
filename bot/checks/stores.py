"""Check the stores with real calls: something is written, read and removed. What a service answers
becomes a sentence."""

import re
import secrets
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urljoin

from bot.checks.parts import NO_TRUST, UNTRUSTED, CheckedParts
from bot.runtime.finding import Code, Finding, fault, good, trouble
from bot.runtime.translation import message as _, untranslated
from bot.settings import Settings
from bot.settings.store_kind import Advice, StoreKind, fill
from bot.settings.stores import kind_of, open_backups
from bot.stores import BASE
from storage.addresses import allowed_address
from storage.backups import BackupPlace
from storage.ports import Denied, ImageStore, LogSource, NewerSchema, NotFound, StorageError
from storage.schema import SCHEMA
from storage.state import State

FETCH = 5.0  # seconds for a picture by its signed link
_PROBE = "doctor/probe.png"
PNG = b"\x89PNG\r\n\x1a\n"


def store_finding(
    name: str,
    url: str,
    error: Exception,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Finding:
    """What a failed call of the store at `url`, which the variable `name` has, means. `variables`
    are the stores' own.
    """
    words = " ".join(str(error).split())
    if isinstance(error, NewerSchema):
        # The error itself has the remedy.
        return fault(name, "old", untranslated(words.removeprefix("DATABASE_URL: ")))
    if re.search(rf"{UNTRUSTED}|SSLError", words):
        return trouble(name, "untrusted", NO_TRUST)
    kind = kind_of(url)
    for advice in kind.advice:
        if advice.pattern.search(words):
            message = fill(advice.message, words=words)
            if advice.passing:
                return trouble(advice.variable or name, advice.code, message)
            variable = kind.variable_in_use(advice.variable, variables) or name
            return fault(variable, advice.code, message)
    if kind.away and not isinstance(error, Denied | NotFound | ValueError):
        return trouble(name, "away", kind.away)
    code: Code = "unreadable"
    if isinstance(error, ValueError):
        code = "malformed"
    return fault(name, code, _("it can't be used: {words}", words=words))


def try_logs(logs: LogSource) -> None:
    name = f"charts/doctor-{secrets.token_hex(8)}.txt"
    data = secrets.token_bytes(8)
    logs.overwrite(name, data)
    if logs.read(name).data != data:
        raise StorageError("what was written could not be read again")
    logs.remove(name)


def try_backups(place: BackupPlace) -> None:
    name = f"doctor-{secrets.token_hex(8)}.txt"
    data = secrets.token_bytes(8)
    place.put(name, data)
    if place.read(name) != data:
        raise StorageError("what was written could not be read again")
    place.remove(name)


def try_state(state: State) -> None:
    key = f"doctor:{secrets.token_hex(8)}"
    value = secrets.token_hex(8)
    state.values.put(key, value, 60)
    if state.values.get(key) != value:
        raise StorageError("what was written could not be read again")
    state.values.delete(key)


def try_images(images: ImageStore, link: bool = True) -> str:
    """Put a picture and find it; return its signed link, "" without `link`. Raises StorageError."""
    images.put(_PROBE, PNG)
    if not images.has(_PROBE):
        raise StorageError("what was written can't be found again")
    if not link:
        return ""
    return images.url(_PROBE)


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


def check_heartbeat(parts: CheckedParts) -> Iterator[Finding]:
    """Whether the external watcher answers.

    Only the root of its site is requested: a request to HEARTBEAT_URL would report a sync.
    """
    name = "HEARTBEAT_URL"
    url = parts.settings.heartbeat_url
    if not url:
        return
    try:
        # Settings allow only http and https (S310). Any HTTP status shows that the watcher answers.
        place = urljoin(url, "/")
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(place, timeout=FETCH):  # noqa: S310
            pass
    except (OSError, ValueError) as error:
        words = str(getattr(error, "reason", error))
        yield trouble(name, "away", _("the watcher can't be reached ({error})", error=words))
    else:
        yield good(name, _("the watcher answers"))


# Patterns of Redis's errors, and what to do.
_REDIS = (
    Advice(
        re.compile(
            r"NOAUTH|WRONGPASS|[Aa]uthentication|invalid username-password|without any password"
        ),
        "",
        "refused",
        _("Redis refuses the password: write redis://:PASSWORD@HOST:PORT as it is set there"),
    ),
    Advice(re.compile(UNTRUSTED), "", "untrusted", NO_TRUST),
    Advice(
        re.compile(r"WRONG_VERSION_NUMBER|wrong version number|record layer failure"),
        "",
        "untrusted",
        _("Redis speaks no TLS at this address: write redis:// instead of rediss://"),
    ),
    Advice(
        re.compile("NOPERM|NoPermission"),
        "",
        "permission",
        _("this Redis user may not do all: give it +@all ~* &*"),
    ),
    Advice(
        re.compile(r"READONLY|read only replica"),
        "",
        "read_only",
        _("this Redis can only be read: name the one it copies"),
    ),
    Advice(
        re.compile(r"OOM|maxmemory"),
        "",
        "limit",
        _("Redis's memory is full: give it more, or another policy than noeviction"),
    ),
    Advice(
        re.compile(r"DB index"),
        "",
        "malformed",
        _("Redis has no database of the number at the end of the address: write /0"),
    ),
)


def check_workers(parts: CheckedParts) -> Finding:
    name = "REDIS_URL"
    url = parts.settings.redis_url
    if not url:
        return good(name, _("taps run in threads of the web process"))
    from bot.runtime.work_queue import (
        NAME,
        OUTAGE,
        connect,
    )  # Redis is loaded only where it is used

    try:
        connect(url).set(f"{NAME}:doctor", 1, ex=10)
        living = parts.state.events.workers()
    except (*OUTAGE, ValueError) as error:
        for advice in _REDIS:
            if advice.pattern.search(f"{type(error).__name__} {error}"):
                return fault(name, advice.code, advice.message)
        message = _(
            "Redis can't be reached ({error}); threads of the web process answer meanwhile (is the address "
            "right: redis:// without TLS, rediss:// with it?)",
            error=type(error).__name__,
        )
        return trouble(name, "away", message)
    if not living:
        message = _(
            "Redis is reached, but no worker lives: start one (`heroku ps:scale worker=1`), or take "
            "REDIS_URL away"
        )
        return trouble(name, "missing", message)
    return good(name, _("reached; {count} workers live", count=living))
