"""Check the stores with real calls: something is written, read and removed. What a service answers
becomes a sentence."""

import os
import re
import secrets
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from bot.checks.parts import NO_TRUST, UNTRUSTED, CheckedParts
from bot.runtime.finding import Code, Finding, fault, good, trouble
from bot.runtime.translation import Message, message as _, untranslated
from bot.settings import Settings
from bot.stores import BASE
from storage.addresses import STATES, allowed_address
from storage.ports import Denied, ImageStore, LogSource, NewerSchema, NotFound, StorageError
from storage.s3_images import S3Images
from storage.schema import SCHEMA
from storage.state import State
from storage.stores import open_backups

BUSY = 2.0  # seconds for which another program may be writing SQLite's file
FETCH = 5.0  # seconds for a picture by its signed link
_PROBE = "doctor/probe.png"
PNG = b"\x89PNG\r\n\x1a\n"
_FOLDER_RIGHTS = _(
    "the Dropbox app lacks a permission: tick files.metadata.read, files.content.read and "
    "files.content.write under "
    "Permissions, Submit, and get a new refresh token with `flask setup`"
)
# What an error's words hold, the variable to mend with the code, and what to do; the first that
# fits counts.
_KNOWN: tuple[tuple[str, tuple[str, Code], Message], ...] = (
    (r"missing_scope|required scope", ("DROPBOX_REFRESH_TOKEN", "permission"), _FOLDER_RIGHTS),
    (
        r"(expired|invalid)_access_token",
        ("DROPBOX_REFRESH_TOKEN", "refused"),
        _("Dropbox no longer accepts it: `flask setup` gets a new one, which lasts"),
    ),
    (
        r"invalid_client|[Ii]nvalid client_id",
        ("DROPBOX_APP_SECRET", "refused"),
        _("it does not belong to DROPBOX_APP_KEY: copy both from the app's Settings"),
    ),
    (
        r"access token is malformed|HTTP header .?Authorization",
        ("DROPBOX_REFRESH_TOKEN", "malformed"),
        _("Dropbox knows no token of this form: copy it whole, or get one with `flask setup`"),
    ),
    (
        r"access token you provided",
        ("DROPBOX_REFRESH_TOKEN", "refused"),
        _("it is a team's token: get one of a single account with `flask setup`"),
    ),
    (
        r"(request body|Dropbox-API-Arg.?): path:",
        ("LOGS_URL", "malformed"),
        _("Dropbox has no such path: write dropbox:/FOLDER"),
    ),
    (
        r"Dropbox refuses the request: .{0,300}([Ii]nvalid app|app is disabled|[Yy]our app)",
        ("DROPBOX_APP_KEY", "refused"),
        _(
            "Dropbox refuses the app: look at its Settings (https://www.dropbox.com/developers/apps)"
        ),
    ),
    (
        r"InvalidAccessKeyId",
        ("AWS_ACCESS_KEY_ID", "refused"),
        _("AWS knows no such key: make one in IAM"),
    ),
    (
        r"SignatureDoesNotMatch",
        ("AWS_SECRET_ACCESS_KEY", "refused"),
        _("it does not belong to AWS_ACCESS_KEY_ID: make a new key in IAM"),
    ),
    (
        r"no usable AWS credentials",
        ("AWS_ACCESS_KEY_ID", "missing"),
        _("is missing, or AWS_SECRET_ACCESS_KEY is"),
    ),
    (
        r"another region|AWS_DEFAULT_REGION",
        ("AWS_DEFAULT_REGION", "elsewhere"),
        _("is missing, or not the bucket's region"),
    ),
    (
        r"\((ExpiredToken|InvalidToken|TokenRefreshRequired)\)",
        ("AWS_SESSION_TOKEN", "refused"),
        _(
            "these credentials have ended: make a key in IAM, which lasts, and take AWS_SESSION_TOKEN away"
        ),
    ),
    (
        r"\(RequestTimeTooSkewed\)",
        ("IMAGES_URL", "clock"),
        _("S3 refuses this machine's clock: set it, and have NTP keep it"),
    ),
    (
        r"\((AllAccessDisabled|AccountProblem|NotSignedUp)\)",
        ("IMAGES_URL", "refused"),
        _("AWS has closed the bucket's account: look at the AWS console"),
    ),
    (
        r"S3 refuses the credentials or the permission",
        ("IMAGES_URL", "permission"),
        _(
            "AWS refuses it: the key's user needs s3:PutObject, s3:GetObject and s3:ListBucket for the bucket"
        ),
    ),
    (r"no such bucket", ("IMAGES_URL", "missing"), _("there is no such bucket")),
    (
        r"(password )?authentication failed|no password supplied|not permitted to log in|"
        r"no pg_hba.conf entry|SQLSTATE 28",
        ("DATABASE_URL", "refused"),
        _("the database refuses its user or password"),
    ),
    (
        r'database "[^"]*" does not exist|permission denied',
        ("DATABASE_URL", "permission"),
        _("the database's user has no such database, or may not write in it"),
    ),
    (
        r"invalid connection option|invalid \w+ value|invalid URI query parameter",
        ("DATABASE_URL", "malformed"),
        _("it has an unknown parameter: take away what follows the question mark"),
    ),
    (
        r"does not support SSL",
        ("DATABASE_URL", "untrusted"),
        _("the database speaks no TLS: take sslmode away, or turn TLS on there"),
    ),
    (
        r"file is not a database",
        ("DATABASE_URL", "unreadable"),
        _("the file is no SQLite database: name another, or restore a backup (`flask restore`)"),
    ),
    (
        r"^sqlite.*(unable to open database file|\[Errno|readonly database)",
        ("DATABASE_URL", "permission"),
        _("the file can't be opened and written: name one in a folder that the bot may write"),
    ),
)
# The same of what time or the service's owner mends, which stops no release; of no certain
# variable.
_PASSING: tuple[tuple[tuple[str, Code], Message], ...] = (
    ((rf"{UNTRUSTED}|SSLError", "untrusted"), NO_TRUST),
    (
        (r"SQLSTATE 25006|read-only transaction", "read_only"),
        _("the database can only be read now: is it a copy, or full, or at its plan's limit?"),
    ),
    (
        (r"SQLSTATE 53300|too many (connections|clients)|connection slots are reserved", "limit"),
        _("the database has no connection free: set WEB_CONCURRENCY lower, or take a larger plan"),
    ),
)
_AWAY = {
    "dropbox": _("Dropbox does not answer at the moment; try again later"),
    "s3": _(
        "S3 does not answer at the moment; try again later (is AWS_ENDPOINT_URL_S3 right, if it is set?)"
    ),
    "postgres": _("the database can't be reached: is its address right, and does it run?"),
}


def store_finding(what: str, url: str, error: Exception, access_token: bool = False) -> Finding:
    """What a failed call of the store at `url` means; `access_token`:

    DROPBOX_ACCESS_TOKEN was used.
    """
    words = " ".join(str(error).split())
    if isinstance(error, NewerSchema):
        return fault(
            what, "old", untranslated(words.removeprefix("DATABASE_URL: "))
        )  # its own words say what to do
    of_database = url.startswith(STATES)
    for (pattern, code), told in _PASSING:
        if re.search(pattern, words):
            return trouble(what, code, told)
    for pattern, (variable, code), told in _KNOWN:
        if re.search(pattern, words) and (variable != "DATABASE_URL" or of_database):
            given = "DROPBOX_ACCESS_TOKEN" if access_token else "DROPBOX_REFRESH_TOKEN"
            own = {"DROPBOX_REFRESH_TOKEN": given, "IMAGES_URL": what, "LOGS_URL": what}
            return fault(own.get(variable, variable), code, told)
    kind = "postgres" if url.startswith("postgres") else re.split("[:/]", url, maxsplit=1)[0]
    if kind in _AWAY and not isinstance(error, Denied | NotFound | ValueError):
        return trouble(what, "away", _AWAY[kind])
    told = _("it can't be used: {words}", words=words)
    if "Dropbox refuses the request" in words:
        given = "DROPBOX_ACCESS_TOKEN" if access_token else "DROPBOX_REFRESH_TOKEN"
        return fault(given, "refused", told)
    return fault(what, "malformed" if isinstance(error, ValueError) else "unreadable", told)


def try_logs(logs: LogSource) -> None:
    name = f"charts/doctor-{secrets.token_hex(8)}.txt"
    data = secrets.token_bytes(8)
    logs.overwrite(name, data)
    if logs.read(name).data != data:
        raise StorageError("what was written could not be read again")
    logs.remove(name)


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
    return images.url(_PROBE) if link else ""


def check_logs(parts: CheckedParts) -> Finding:
    what = "LOGS_URL"
    settings = parts.settings
    if settings.demo and not settings.console:
        told = _(
            "is not set: the group would be shown the demo league; `flask setup` asks where the logs go"
        )
        return fault(what, "missing", told)
    try:
        snapshot = parts.registry.league().snapshot()
        parts.registry.settle(quiet=True)
        try_logs(parts.stores.open_logs())
    except (StorageError, ValueError, OSError) as error:
        url = (
            settings.database_url if settings.logs_url.startswith("postgres") else settings.logs_url
        )
        return store_finding(what, url, error, bool(settings.dropbox_access_token))
    games = len(snapshot.all_games())
    count = len(snapshot.logs)
    if _lost(settings, settings.logs_url):
        return fault(what, "lost", _LOST)
    return good(
        what,
        _(
            "reached, written and read; {games} games in {count} season logs",
            games=games,
            count=count,
        ),
    )


def check_state(parts: CheckedParts) -> Finding:
    what = "DATABASE_URL"
    settings = parts.settings
    try:
        path = Path(settings.database_url.removeprefix("sqlite:///"))
        if path.is_file() and (told := _locked(path)):
            return trouble(what, "away", told)
        try_state(parts.state)
    except (StorageError, ValueError, OSError) as error:
        return store_finding(what, settings.database_url, error)
    if _lost(settings, settings.database_url):
        return fault(what, "lost", _LOST)
    return good(what, _("written and read; schema {schema}", schema=SCHEMA))


_LOST = _(
    "it names a disk that a dyno loses at every restart: use the database "
    "(DATABASE_URL of Heroku Postgres, LOGS_URL=postgres:, IMAGES_URL=postgres:)"
)


def _lost(settings: Settings, url: str) -> bool:
    return settings.dyno and url.startswith(("file:", "sqlite:"))


def _locked(path: Path) -> Message | None:
    """Who keeps SQLite's file from being written for longer than a write takes; None for nobody."""
    with (
        suppress(sqlite3.DatabaseError),
        closing(sqlite3.connect(path, timeout=BUSY)) as connection,
    ):
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                held = _("a program keeps {path} locked; `fuser -v {path}` tells which", path=path)
                if found := ", ".join(_programs(path)):
                    held = _(
                        "a program keeps {path} locked; it is open in {found}",
                        path=path,
                        found=found,
                    )
                return _(
                    "{held}: let it end its work, or end it with `kill` and its number", held=held
                )
    return None


def _programs(path: Path) -> Iterator[str]:
    """The other processes that have the file open, where Linux shows them: number and command."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            links = {os.readlink(each) for each in (process / "fd").iterdir()}
            if str(path.resolve()) in links and int(process.name) != os.getpid():
                command = (
                    (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                yield f"{process.name} ({command.strip()[:60]})"


def check_images(parts: CheckedParts) -> Finding:
    """The image store: a picture put, found, and where S3 has it, fetched by its signed link as a
    phone does."""
    what = "IMAGES_URL"
    settings = parts.settings
    try:
        own = not settings.images_url.startswith("s3:")
        link = try_images(parts.images, link=not own or bool(settings.public_url))
    except (StorageError, ValueError, OSError) as error:
        url = (
            settings.database_url
            if settings.images_url.startswith("postgres")
            else settings.images_url
        )
        return store_finding(what, url, error)
    if _lost(settings, settings.images_url):
        return fault(what, "lost", _LOST)
    if not link:
        return good(what, _("written and found; links use the host LINE calls (or set PUBLIC_URL)"))
    return fetched(what, link, settings.public_url if own else "")


def check_links(parts: CheckedParts, called: str) -> Iterator[Finding]:
    """Yield whether a phone gets what answers link to, where PUBLIC_URL is not set: then links begin
    with the address at which the service itself says that LINE has `called` it.
    """
    what = "PUBLIC_URL"
    settings = parts.settings
    if settings.public_url or not called:
        return
    if not allowed_address(called):
        told = _(
            "is not set, and a proxy that is not trusted hides that LINE called by https (here it is "
            "{called}), so that answers have no pictures and no page: set PUBLIC_URL to the https address, "
            "or FORWARDED_ALLOW_IPS to the proxy's address",
            called=called,
        )
        yield trouble(what, "missing", told)
        return
    if settings.images_url.startswith("s3:"):
        return
    BASE.set(called)
    failure = fetch_failure(try_images(parts.images))
    if failure is None:
        yield good(what, _("is not needed: a picture was fetched at {called}", called=called))
    else:
        told = _(
            "is not set, and a phone gets no picture from {called} ({cause}): set it to the https address of "
            "this service",
            called=called,
            cause=failure.cause,
        )
        yield trouble(what, "elsewhere", told)


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


def fetched(what: str, link: str, public: str = "") -> Finding:
    """Fetch a picture as a phone does: from S3, or by PUBLIC_URL from the bot, which need not run
    yet.
    """
    if not allowed_address(link):
        return fault(
            what, "malformed", _("the pictures' address is not https: LINE would refuse it")
        )
    failure = fetch_failure(link)
    if failure is None:
        return good(what, _("written, found and fetched by a signed link"))
    if public:
        told = _(
            "a phone gets no picture from {public} ({cause}): is PUBLIC_URL this bot's own address, does it "
            "run there with this LINE_CHANNEL_SECRET, and is its certificate valid?",
            public=public,
            cause=failure.cause,
        )
        return trouble(what, "elsewhere", told)
    if failure.status is None:
        told = _("a picture could not be fetched by its link ({error})", error=failure.cause)
        return trouble(what, "away", told)
    if failure.status == 200:
        return fault(
            what, "elsewhere", _("the signed link leads to something else than the picture")
        )
    told = _(
        "S3 answers {status} to a phone that fetches a picture: the key's user needs s3:GetObject",
        status=failure.status,
    )
    return fault(what, "permission", told)


def check_backups(parts: CheckedParts) -> Iterator[Finding]:
    what = "BACKUP_URL"
    settings = parts.settings
    if not settings.backup_url:
        return
    try:
        place = open_backups(settings.backup_url, settings.stores)
        if isinstance(place, S3Images):
            try_images(place, link=False)
        else:
            try_logs(place)
    except (StorageError, ValueError, OSError) as error:
        yield store_finding(what, settings.backup_url, error, bool(settings.dropbox_access_token))
    else:
        lost = _lost(settings, settings.backup_url)
        yield (
            fault(what, "lost", _LOST)
            if lost
            else good(what, _("a file was written, read and removed"))
        )


def check_heartbeat(parts: CheckedParts) -> Iterator[Finding]:
    """Whether the watcher outside is there.

    Its own address is not called, which would tell it of a sync.
    """
    what = "HEARTBEAT_URL"
    url = parts.settings.heartbeat_url
    if not url:
        return
    try:
        # The settings let http and https in.
        place = urljoin(url, "/")
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(place, timeout=FETCH):  # noqa: S310
            pass
    except (OSError, ValueError) as error:
        words = str(getattr(error, "reason", error))
        yield trouble(what, "away", _("the watcher can't be reached ({error})", error=words))
    else:
        yield good(what, _("the watcher answers"))


# What Redis's errors hold with the code, and what to do.
_REDIS: tuple[tuple[tuple[str, Code], Message], ...] = (
    (
        (
            r"NOAUTH|WRONGPASS|[Aa]uthentication|invalid username-password|without any password",
            "refused",
        ),
        _("Redis refuses the password: write redis://:PASSWORD@HOST:PORT as it is set there"),
    ),
    ((UNTRUSTED, "untrusted"), NO_TRUST),
    (
        (r"WRONG_VERSION_NUMBER|wrong version number|record layer failure", "untrusted"),
        _("Redis speaks no TLS at this address: write redis:// instead of rediss://"),
    ),
    (
        ("NOPERM|NoPermission", "permission"),
        _("this Redis user may not do all: give it +@all ~* &*"),
    ),
    (
        (r"READONLY|read only replica", "read_only"),
        _("this Redis can only be read: name the one it copies"),
    ),
    (
        (r"OOM|maxmemory", "limit"),
        _("Redis's memory is full: give it more, or another policy than noeviction"),
    ),
    (
        (r"DB index", "malformed"),
        _("Redis has no database of the number at the end of the address: write /0"),
    ),
)


def check_workers(parts: CheckedParts) -> Finding:
    what = "REDIS_URL"
    url = parts.settings.redis_url
    if not url:
        return good(what, _("taps run in threads of the web process"))
    from bot.runtime.work_queue import (
        NAME,
        OUTAGE,
        connect,
    )  # Redis is loaded only where it is used

    try:
        connect(url).set(f"{NAME}:doctor", 1, ex=10)
        living = parts.state.events.workers()
    except (*OUTAGE, ValueError) as error:
        for (pattern, code), known in _REDIS:
            if re.search(pattern, f"{type(error).__name__} {error}"):
                return fault(what, code, known)
        told = _(
            "Redis can't be reached ({error}); threads of the web process answer meanwhile (is the address "
            "right: redis:// without TLS, rediss:// with it?)",
            error=type(error).__name__,
        )
        return trouble(what, "away", told)
    if not living:
        told = _(
            "Redis is reached, but no worker lives: start one (`heroku ps:scale worker=1`), or take "
            "REDIS_URL away"
        )
        return trouble(what, "missing", told)
    return good(what, _("reached; {count} workers live", count=living))
