"""Read and check Janroku's environment variables: what each means, its default, its check.

All faults are reported at once, with the variable's name, never with a secret. The SDKs read
variables of their own (AWS_*, DROPBOX_API_HOST, REQUESTS_CA_BUNDLE).
"""

import gettext
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from bot.demo_chat import DEMO_ACCESS_TOKEN, DEMO_CHANNEL_SECRET, DEMO_GROUP, DEMO_USERS
from bot.runtime.encryption import Encryption
from bot.runtime.env_file import load_env_file
from bot.runtime.finding import Code
from bot.runtime.json_log import FORMS
from bot.runtime.translation import Message, Translate, message as _, untranslated
from rating.room_id import RoomId
from storage.addresses import LOOPBACK, STATES, allowed_address, split
from storage.files import is_name
from storage.stores import IMAGES, LOGS

HOME = Path(__file__).resolve().parent.parent / "var"  # where the default stores keep their files
LINE_API = "https://api.line.me"
TENHOU = "https://tenhou.net"
LOOPBACK_ADDRESSES = "127.0.0.1,::1"
ANYBODY = "*"  # trusts every address
_ID = re.compile(r"[UCR][0-9A-Za-z_-]*")
_REDIS_OPTIONS = {"db", "protocol", "ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile", "ssl_keyfile"}
_SECRET = re.compile("SECRET|TOKEN|PASSWORD")
_SHOUTED = re.compile(r"[UCRucr][0-9A-Fa-f]{32}")  # an id but for small and capital letters


@dataclass(frozen=True, slots=True)
class SettingFault:
    name: str
    message: Message
    code: Code = "malformed"

    def said(self, translate: Translate = gettext.gettext) -> str:
        """Return a line with the variable's name, in the language of `translate`."""
        return f"{self.name}: {self.message.said(translate)}"


class SettingsError(Exception):
    """The environment cannot be used. `found` has the faults, `faults` an English line for each."""

    def __init__(self, found: Sequence[SettingFault]) -> None:
        self.found = found
        self.faults = [fault.said(str) for fault in found]
        super().__init__("; ".join(self.faults))


@dataclass(frozen=True)
class Settings:
    """The checked environment. `repr` leaves the secrets out."""

    channel_secret: str = field(repr=False)
    channel_access_token: str = field(repr=False)
    line_api_url: str
    logs_url: str
    images_url: str
    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    public_url: str
    tenhou_url: str
    league_chats: frozenset[str]
    admin_user_ids: frozenset[str]
    dropbox_app_key: str = field(repr=False)
    dropbox_app_secret: str = field(repr=False)
    dropbox_refresh_token: str = field(repr=False)
    dropbox_access_token: str = field(repr=False)
    demo: bool  # LOGS_URL is not set: the logs are the demo league's
    tenhou_room_id: str = field(
        default="", repr=False
    )  # TENHOU_ROOM_ID: the room whose own results are read
    secret_key: str = field(
        default="", repr=False
    )  # JANROKU_SECRET_KEY: encrypts leagues' Dropbox tokens
    metrics_token: str = field(
        default="", repr=False
    )  # METRICS_TOKEN: the bearer token that opens /metrics
    heartbeat_url: str = field(default="", repr=False)  # HEARTBEAT_URL: called after each good sync
    backup_url: str = ""  # BACKUP_URL: where a backup is kept each day
    cache_mb: int = 96  # CACHE_MB: megabytes a process keeps of leagues' games
    web_concurrency: int = 2  # WEB_CONCURRENCY: web processes
    worker_concurrency: int = (
        1  # WORKER_CONCURRENCY: processes of a worker, of sixteen threads each
    )
    admin_notices: bool = True  # ADMIN_NOTICES: "off" pushes nothing to the admins
    dyno: bool = False  # this is one of Heroku's dynos, which lose their disk at every restart
    forwarded_allow_ips: str = LOOPBACK_ADDRESSES  # FORWARDED_ALLOW_IPS: proxies that are trusted
    log_format: str = ""  # LOG_FORMAT: "json" or "text"; "" is text at a terminal, json elsewhere
    page_days: int = 30  # PAGE_DAYS: days a link to a league's page lives
    start_games: bool = False  # START_GAMES: "on" lets members start games in the league's own room
    commit: str = ""  # HEROKU_BUILD_COMMIT or HEROKU_SLUG_COMMIT: what was deployed

    @property
    def dropbox(self) -> dict[str, str]:
        app = {
            "DROPBOX_APP_KEY": self.dropbox_app_key,
            "DROPBOX_APP_SECRET": self.dropbox_app_secret,
        }
        token = {"DROPBOX_ACCESS_TOKEN": self.dropbox_access_token}
        return {**app, "DROPBOX_REFRESH_TOKEN": self.dropbox_refresh_token, **token}

    @property
    def stores(self) -> dict[str, str]:
        return {**self.dropbox, "DATABASE_URL": self.database_url}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every value that must not be shown; also passwords in addresses, as written and
        percent-decoded. Stores read some from the environment themselves (AWS_SECRET_ACCESS_KEY).
        """
        passwords = [urlsplit(url).password or "" for url in (self.database_url, self.redis_url)]
        found = [
            self.channel_secret,
            self.channel_access_token,
            self.metrics_token,
            self.heartbeat_url,
        ]
        found += [self.dropbox_app_secret, self.dropbox_refresh_token, self.dropbox_access_token]
        found += RoomId(self.tenhou_room_id).secrets if self.tenhou_room_id else ()
        found += [value for name, value in os.environ.items() if _SECRET.search(name)]
        return tuple(
            filter(
                None,
                (
                    *found,
                    *self.secret_key.split(","),
                    *passwords,
                    *map(unquote, passwords),
                ),
            )
        )

    @property
    def proxied(self) -> bool:
        """Whether a proxy of any address is trusted: nobody reaches the service but through it."""
        return self.forwarded_allow_ips == ANYBODY

    @property
    def console(self) -> bool:
        parts = urlsplit(self.line_api_url)
        return parts.hostname in LOOPBACK and parts.path.startswith("/console")


def read_settings(env: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of the environment and .env, or of a mapping.

    SettingsError names every fault.
    """
    if env is None:
        try:
            load_env_file()
        except ValueError as error:
            raise SettingsError([SettingFault("JANROKU_ENV_FILE", untranslated(error))]) from None
        env = os.environ
    return _Reader(env).read()


def read_commit(env: Mapping[str, str]) -> str:
    """The deployed commit as Heroku says it (https://devcenter.heroku.com/articles/dyno-metadata),
    or "".
    """
    commit = env.get("HEROKU_BUILD_COMMIT") or env.get("HEROKU_SLUG_COMMIT") or ""
    return commit if re.fullmatch("[0-9a-f]{7,64}", commit) else ""


class _Reader:
    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env
        self.faults: list[SettingFault] = []

    def text(self, name: str, default: str = "") -> str:
        return self.env.get(name, "").strip() or default

    def fault(self, name: str, what: Message, code: Code = "malformed") -> None:
        self.faults.append(SettingFault(name, what, code))

    def read(self) -> Settings:
        secret, token, api = self.channel()
        settings = Settings(
            channel_secret=secret,
            channel_access_token=token,
            line_api_url=api,
            logs_url=self.logs(),
            images_url=self.store("IMAGES_URL", f"file:{HOME / 'images'}", IMAGES),
            database_url=self.store(
                "DATABASE_URL", f"sqlite:///{HOME / 'janroku.sqlite3'}", STATES
            ),
            redis_url=self.redis(),
            public_url=self.public(),
            tenhou_url=self.address("TENHOU_URL", TENHOU),
            tenhou_room_id=self.room_id(),
            league_chats=self.ids("LEAGUE_CHATS"),
            admin_user_ids=self.ids("ADMIN_USER_IDS"),
            dropbox_app_key=self.text("DROPBOX_APP_KEY"),
            dropbox_app_secret=self.text("DROPBOX_APP_SECRET"),
            dropbox_refresh_token=self.text("DROPBOX_REFRESH_TOKEN"),
            dropbox_access_token=self.text("DROPBOX_ACCESS_TOKEN"),
            demo=not self.text("LOGS_URL"),
            secret_key=self.secret_key(),
            metrics_token=self.metrics_token(),
            heartbeat_url=self.address("HEARTBEAT_URL", "") if self.text("HEARTBEAT_URL") else "",
            backup_url=self.text("BACKUP_URL")
            and self.store("BACKUP_URL", "", ("file:", "dropbox:", "s3://")),
            cache_mb=self.number("CACHE_MB", 96, 8, 65536),
            web_concurrency=self.number("WEB_CONCURRENCY", 2, 1, 256),
            worker_concurrency=self.number("WORKER_CONCURRENCY", 1, 1, 256),
            admin_notices=self.one_of("ADMIN_NOTICES", ("on", "off")) == "on",
            dyno="DYNO" in self.env,
            forwarded_allow_ips=self.proxies(),
            log_format=self.one_of("LOG_FORMAT", ("", *FORMS)),
            page_days=self.number("PAGE_DAYS", 30, 1, 365),
            start_games=self.one_of("START_GAMES", ("off", "on")) == "on",
            commit=read_commit(self.env),
        )
        if self.faults:
            raise SettingsError(self.faults)
        if not settings.console or settings.league_chats:
            return settings
        admins = settings.admin_user_ids or frozenset({DEMO_USERS[0].id})
        return replace(settings, league_chats=frozenset({DEMO_GROUP}), admin_user_ids=admins)

    def channel(self) -> tuple[str, str, str]:
        secret = self.text("LINE_CHANNEL_SECRET")
        token = self.text("LINE_CHANNEL_ACCESS_TOKEN")
        for name, word in (("LINE_CHANNEL_SECRET", secret), ("LINE_CHANNEL_ACCESS_TOKEN", token)):
            if word and not re.fullmatch(r"[!#-&(-~]+", word):
                self.fault(
                    name,
                    _(
                        "must be copied whole and alone, without quotation marks, blanks or other signs"
                    ),
                )
        if bool(secret) != bool(token):
            name = "LINE_CHANNEL_SECRET" if token else "LINE_CHANNEL_ACCESS_TOKEN"
            told = _("is missing (LINE Developers console: the channel's secret and access token)")
            self.fault(name, told, "missing")
        port = self.text("PORT", "8000")
        if not (port.isdecimal() and 0 < int(port) < 65536):
            self.fault("PORT", _("is no port: {value}", value=repr(port)))
        console = f"http://127.0.0.1:{port}/console/line"
        api = self.address("LINE_API_URL", LINE_API if secret or token else console)
        if not secret and not token:
            if "DYNO" in self.env:
                self.fault(
                    "LINE_CHANNEL_SECRET",
                    _("is missing: on Heroku the console is not to be had"),
                    "missing",
                )
            elif (
                parts := split(api)
            ) and parts.hostname not in LOOPBACK:  # the console's secret is public
                told = _("is missing (LINE_API_URL names another host than this machine)")
                self.fault("LINE_CHANNEL_SECRET", told, "missing")
        return secret or DEMO_CHANNEL_SECRET, token or DEMO_ACCESS_TOKEN, api

    def logs(self) -> str:
        url = self.store("LOGS_URL", f"file:{HOME / 'demo'}", LOGS)
        if url.startswith("dropbox:") and not self.text("DROPBOX_ACCESS_TOKEN"):
            told = _("is missing (LOGS_URL names Dropbox; or give DROPBOX_ACCESS_TOKEN)")
            for name in ("DROPBOX_APP_KEY", "DROPBOX_REFRESH_TOKEN"):
                if not self.text(name):
                    self.fault(name, told, "missing")
        return url

    def store(self, name: str, default: str, schemes: Iterable[str]) -> str:
        url = self.text(name, default)
        scheme = next((s for s in schemes if url.startswith(s)), None)
        if scheme is None:
            self.fault(name, _("must begin with {schemes}", schemes=" / ".join(schemes)))
        elif scheme == "postgres:":
            self.in_database(name, url)
        elif not url[len(scheme) :].strip("/") and scheme != "dropbox:":
            self.fault(name, _("names nothing after {scheme}", scheme=scheme))
        elif scheme == "s3://" and url.startswith("s3:///"):
            self.fault(name, _("names no bucket: write s3://BUCKET/PREFIX"))
        elif scheme == "sqlite:///" and url == "sqlite:///:memory:":
            self.fault(name, _("needs a file: sqlite:///FILE"))
        elif scheme.startswith("postgres") and split(url) is None:
            self.fault(name, _("is no address such as postgres://user:password@host/name"))
        return url

    def in_database(self, name: str, url: str) -> None:
        if (name == "IMAGES_URL" and url != "postgres:") or url.startswith("postgres://"):
            self.fault(
                name, _("must be postgres: alone (the database's own address is DATABASE_URL's)")
            )
        elif not self.text("DATABASE_URL").startswith(("postgres://", "postgresql://")):
            self.fault(name, _("is postgres:, so DATABASE_URL must be postgres://… too"))
        elif name == "LOGS_URL" and not is_name(url.removeprefix("postgres:").strip("/") or "logs"):
            self.fault(name, _("is no folder's name: write postgres: or postgres:/FOLDER"))

    def redis(self) -> str:
        url = self.text("REDIS_URL")
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            self.fault("REDIS_URL", _("must begin with {schemes}", schemes="redis:// / rediss://"))
        elif (parts := split(url)) is None:
            self.fault("REDIS_URL", _("is no address such as redis://host:6379"))
        elif odd := sorted({name for name, _value in parse_qsl(parts.query)} - _REDIS_OPTIONS):
            self.fault("REDIS_URL", _("has no such option: {name}", name=repr(odd[0][:40])))
        return url

    def secret_key(self) -> str:
        keys = self.text("JANROKU_SECRET_KEY")
        try:
            if keys:
                Encryption(keys)
        except ValueError:
            self.fault("JANROKU_SECRET_KEY", _("is no key: `flask league key` makes one"))
        return keys

    def room_id(self) -> str:
        text = self.text("TENHOU_ROOM_ID")
        try:
            return RoomId(text).text if text else ""
        except ValueError as error:
            self.fault("TENHOU_ROOM_ID", untranslated(error))
            return ""

    def metrics_token(self) -> str:
        token = self.text("METRICS_TOKEN")
        if token and len(token) < 16:
            self.fault("METRICS_TOKEN", _("is too short: 16 characters at least"))
        return token

    def number(self, name: str, default: int, least: int, most: int) -> int:
        text = self.text(name, str(default))
        if not (
            text.isascii() and text.isdecimal() and len(text) < 9 and least <= int(text) <= most
        ):
            bounds = {"least": least, "most": most, "value": repr(text[:20])}
            self.fault(name, _("must be a whole number from {least} to {most}: {value}", **bounds))
            return default
        return int(text)

    def one_of(self, name: str, words: tuple[str, ...]) -> str:
        """Return a variable that must be one of these words; the first is the default."""
        text = self.text(name, words[0])
        if text not in words:
            allowed = " / ".join(filter(None, words))
            self.fault(
                name,
                _("must be {words}: {value}", words=allowed, value=repr(text[:20])),
            )
            return words[0]
        return text

    def address(self, name: str, default: str) -> str:
        url = self.text(name, default).rstrip("/")
        parts = split(url)
        if (
            parts is None
            or parts.scheme not in ("http", "https")
            or not parts.hostname
            or parts.query
        ):
            self.fault(name, _("must be an address such as https://host"))
        return url

    def public(self) -> str:
        url = self.text("PUBLIC_URL").rstrip("/")
        if url and (not allowed_address(url) or "?" in url or "#" in url):
            self.fault(
                "PUBLIC_URL", _("must be an https address (LINE takes pictures from no other)")
            )
        elif url and (path := urlsplit(url).path):
            self.fault(
                "PUBLIC_URL", _("must end with the host: write {url}", url=url.removesuffix(path))
            )
        return url

    def proxies(self) -> str:
        """Return the addresses of proxies whose X-Forwarded-… is believed, as gunicorn takes them.
        Heroku's routers have no fixed addresses.
        """
        name = "FORWARDED_ALLOW_IPS"
        if "DYNO" in self.env:
            return ANYBODY
        text = self.text(name, LOOPBACK_ADDRESSES)
        for part in text.split(","):
            try:
                if part.strip() != ANYBODY:
                    ip_network(part.strip())
            except ValueError:
                self.fault(
                    name,
                    _(
                        "must be addresses or networks such as 10.0.0.0/8, or *: {value}",
                        value=repr(part[:40]),
                    ),
                )
        return text

    def ids(self, name: str) -> frozenset[str]:
        ids = [part.strip() for part in self.text(name).split(",") if part.strip()]
        for bad in ids:
            right = bad[:1].upper() + bad[1:].lower()
            if _SHOUTED.fullmatch(bad) and bad != right:
                told = _(
                    "{id}: an id has a capital letter and then small letters: {right}",
                    id=bad,
                    right=right,
                )
                self.fault(name, told)
            elif not _ID.fullmatch(bad):
                self.fault(
                    name,
                    _(
                        "{id} is no LINE id: those are U, C or R and 32 hexadecimal digits",
                        id=repr(bad[:40]),
                    ),
                )
        for bad in (part for part in ids if name == "ADMIN_USER_IDS" and part[0] in "CR"):
            self.fault(name, _("{id} is a group's id; a user's begins with U", id=repr(bad[:40])))
        return frozenset(ids)
