"""How the texts of variables are read and checked: numbers, addresses, ids and others."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import parse_qsl

from bot.runtime.encryption import Encryption
from bot.runtime.translation import message as _, untranslated
from bot.settings.store_kind import StoreKind
from bot.settings.variable import HOME, Reading, ValueKind, passwords_of
from rating.room_id import RoomId
from storage.addresses import allowed_address, split

LINE_API = "https://api.line.me"
LOOPBACK_ADDRESSES = "127.0.0.1,::1"
ANYBODY = "*"  # trusts every address
_ID = re.compile(r"[UCR][0-9A-Za-z_-]*")
_SHOUTED = re.compile(r"[UCRucr][0-9A-Fa-f]{32}")  # an id but for small and capital letters
_CREDENTIAL = re.compile(r"[!#-&(-~]+")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_REDIS_OPTIONS = {"db", "protocol", "ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile", "ssl_keyfile"}


class WholeNumber(ValueKind[int]):
    """A whole number from `minimum` to `maximum`."""

    def __init__(self, default: int, minimum: int, maximum: int) -> None:
        self.default = str(default)
        self.minimum = minimum
        self.maximum = maximum

    def read(self, reading: Reading) -> int:
        text = reading.text or self.default
        is_number = text.isascii() and text.isdecimal() and len(text) < 9
        if is_number and self.minimum <= int(text) <= self.maximum:
            return int(text)
        reading.report(
            _(
                "must be a whole number from {least} to {most}: {value}",
                least=self.minimum,
                most=self.maximum,
                value=repr(text[:20]),
            )
        )
        return int(self.default)


class PortNumber(ValueKind[int]):
    """The port at which the web processes listen."""

    default = "8000"

    def read(self, reading: Reading) -> int:
        text = reading.text or self.default
        if text.isdecimal() and 0 < int(text) < 65536:
            return int(text)
        reading.report(_("is no port: {value}", value=repr(text)))
        return int(self.default)


class OneOf(ValueKind[str]):
    """One of these words; the first is the default."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.default = words[0]

    def read(self, reading: Reading) -> str:
        text = reading.text or self.default
        if text in self.words:
            return text
        allowed = " / ".join(filter(None, self.words))
        reading.report(_("must be {words}: {value}", words=allowed, value=repr(text[:20])))
        return self.default


class Switch(ValueKind[bool]):
    """`on` or `off`."""

    def __init__(self, is_on: bool) -> None:
        words = ("off", "on")
        if is_on:
            words = ("on", "off")
        self._word = OneOf(words)
        self.default = self._word.default

    def read(self, reading: Reading) -> bool:
        return self._word.read(reading) == "on"


@dataclass(frozen=True)
class Credential(ValueKind[str]):
    """One of the two credentials of a LINE channel; `other` is the other one.

    `demo` is the console's, which is taken where the channel is not set.
    """

    other: str
    demo: str

    def read(self, reading: Reading) -> str:
        text = reading.text
        if text and not _CREDENTIAL.fullmatch(text):
            reading.report(
                _("must be copied whole and alone, without quotation marks, blanks or other signs")
            )
        if not text and reading.text_of(self.other):
            reading.report(
                _("is missing (LINE Developers console: the channel's secret and access token)"),
                "missing",
            )
        return text or self.demo


@dataclass(frozen=True)
class HttpAddress(ValueKind[str]):
    """An http or https address, without a query and a slash at its end."""

    default: str = ""

    def read(self, reading: Reading) -> str:
        return self.checked(reading, reading.text or self.default)

    def checked(self, reading: Reading, text: str) -> str:
        url = text.rstrip("/")
        parts = split(url)
        is_http = parts is not None and parts.scheme in ("http", "https")
        if text and (parts is None or not is_http or not parts.hostname or parts.query):
            reading.report(_("must be an address such as https://host"))
        return url


class LineApiAddress(ValueKind[str]):
    """The address of LINE's API: the console's where no channel is set."""

    def read(self, reading: Reading) -> str:
        has_channel = reading.text_of("LINE_CHANNEL_SECRET") or reading.text_of(
            "LINE_CHANNEL_ACCESS_TOKEN"
        )
        default = LINE_API
        if not has_channel:
            port = reading.text_of("PORT") or PortNumber.default
            default = f"http://127.0.0.1:{port}/console/line"
        return HttpAddress().checked(reading, reading.text or default)


class PublicAddress(ValueKind[str]):
    """The address of the service: https and a host alone."""

    def read(self, reading: Reading) -> str:
        url = reading.text.rstrip("/")
        if not url:
            return url
        parts = split(url)
        if parts is None or not allowed_address(url) or "?" in url or "#" in url:
            reading.report(_("must be an https address (LINE takes pictures from no other)"))
        elif parts.path:
            host = url.removesuffix(parts.path)
            reading.report(_("must end with the host: write {url}", url=host))
        return url


@dataclass(frozen=True)
class StoreAddress(ValueKind[str]):
    """An address of one of these kinds of stores. `{home}` in the default is the folder of the
    default stores. `in_database`: it is the database's own.
    """

    kinds: tuple[StoreKind, ...]
    address: str = ""
    in_database: bool = False

    def read(self, reading: Reading) -> str:
        url = reading.text or self.address.format(home=HOME)
        if not url:
            return url
        schemes: list[str] = []
        for kind in self.kinds:
            for scheme in self._schemes(kind):
                if url.startswith(scheme):
                    kind.check(reading, url, scheme)
                    return url
                schemes.append(scheme)
        reading.report(_("must begin with {schemes}", schemes=" / ".join(schemes)))
        return url

    def _schemes(self, kind: StoreKind) -> Iterable[str]:
        if self.in_database:
            return kind.state_schemes
        return (kind.scheme,)

    def secret_parts(self, value: str) -> Iterable[str]:
        return passwords_of(value)


class RedisAddress(ValueKind[str]):
    """The address of a Redis; its password is secret."""

    def read(self, reading: Reading) -> str:
        url = reading.text
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            reading.report(_("must begin with {schemes}", schemes="redis:// / rediss://"))
            return url
        parts = split(url)
        if parts is None:
            reading.report(_("is no address such as redis://host:6379"))
            return url
        unknown = sorted({name for name, _value in parse_qsl(parts.query)} - _REDIS_OPTIONS)
        if unknown:
            reading.report(_("has no such option: {name}", name=repr(unknown[0][:40])))
        return url

    def secret_parts(self, value: str) -> Iterable[str]:
        return passwords_of(value)


class EncryptionKeys(ValueKind[str]):
    """Keys separated by commas; the first encrypts."""

    def read(self, reading: Reading) -> str:
        keys = reading.text
        try:
            if keys:
                Encryption(keys)
        except ValueError:
            reading.report(_("is no key: `flask league key` makes one"))
        return keys

    def secret_parts(self, value: str) -> Iterable[str]:
        return value.split(",")


class ManagementId(ValueKind[str]):
    """The id of a room's management page at Tenhou."""

    def read(self, reading: Reading) -> str:
        text = reading.text
        try:
            if text:
                return RoomId(text).text
        except ValueError as error:
            reading.report(untranslated(error))
        return ""

    def secret_parts(self, value: str) -> Iterable[str]:
        if not value:
            return ()
        return RoomId(value).secrets


class LongToken(ValueKind[str]):
    """A token that nobody guesses."""

    def read(self, reading: Reading) -> str:
        token = reading.text
        if token and len(token) < 16:
            reading.report(_("is too short: 16 characters at least"))
        return token


class ProxyAddresses(ValueKind[str]):
    """The addresses of proxies whose X-Forwarded-… is believed, as gunicorn takes them."""

    default = LOOPBACK_ADDRESSES

    def read(self, reading: Reading) -> str:
        if reading.on_dyno:
            return ANYBODY  # Heroku's routers have no fixed addresses
        text = reading.text or self.default
        for part in text.split(","):
            try:
                if part.strip() != ANYBODY:
                    ip_network(part.strip())
            except ValueError:
                reading.report(
                    _(
                        "must be addresses or networks such as 10.0.0.0/8, or *: {value}",
                        value=repr(part[:40]),
                    )
                )
        return text


@dataclass(frozen=True)
class LineIds(ValueKind[frozenset[str]]):
    """Ids of LINE separated by commas. `only_users`: a group's or room's is refused."""

    only_users: bool = False

    def read(self, reading: Reading) -> frozenset[str]:
        parts = map(str.strip, reading.text.split(","))
        ids = [part for part in parts if part]
        for text in ids:
            corrected = text[:1].upper() + text[1:].lower()
            shown = repr(text[:40])
            if _SHOUTED.fullmatch(text) and text != corrected:
                reading.report(
                    _(
                        "{id}: an id has a capital letter and then small letters: {right}",
                        id=text,
                        right=corrected,
                    )
                )
            elif not _ID.fullmatch(text):
                reading.report(
                    _("{id} is no LINE id: those are U, C or R and 32 hexadecimal digits", id=shown)
                )
            if self.only_users and text[0] in "CR":
                reading.report(_("{id} is a group's id; a user's begins with U", id=shown))
        return frozenset(ids)


class DeployedCommit(ValueKind[str]):
    """The deployed commit as Heroku names it, or "".

    https://devcenter.heroku.com/articles/dyno-metadata
    """

    older_name = "HEROKU_SLUG_COMMIT"

    def read(self, reading: Reading) -> str:
        commit = reading.env.get(reading.name) or reading.env.get(self.older_name) or ""
        return commit if _COMMIT.fullmatch(commit) else ""
