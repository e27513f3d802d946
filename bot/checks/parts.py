"""The parts of a service that the checks examine, as `bot.service.Service` has them."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from bot.chat.access import ChatAccess
from bot.chat.command import Catalogue
from bot.league.repository import LeagueRegistry
from bot.line.client import LineClient
from bot.runtime.finding import Code, Finding, fault, trouble
from bot.runtime.translation import Message, message as _
from bot.settings import Settings
from bot.stores import Stores
from bot.sync.league_job import LeagueWork
from bot.sync.room_ids import RoomIds
from bot.sync.room_watch import RoomWatch
from storage.ports import ImageStore
from storage.state import State

UNTRUSTED = "certificate verify failed"  # in OpenSSL's messages
NO_TRUST = _(
    "the certificate there is not trusted: where a proxy looks into TLS, name a file with its certificates "
    "in SSL_CERT_FILE, REQUESTS_CA_BUNDLE and AWS_CA_BUNDLE"
)


class CheckedParts(Protocol):
    """The parts of a service that are checked. `now` gives an aware time."""

    settings: Settings
    now: Callable[[], datetime]
    stores: Stores
    state: State
    line: LineClient
    registry: LeagueRegistry
    access: ChatAccess
    catalogue: Catalogue
    room_ids: RoomIds
    room_watch: RoomWatch
    league_work: LeagueWork

    @property
    def has_rooms(self) -> bool: ...

    @property
    def images(self) -> ImageStore: ...


def unreachable(subject: str, error: Exception, message: Message, is_public: bool) -> Finding:
    """The finding on an address that can't be reached: `message`, or that its certificate is not
    trusted. That of a public service may be away for a while; another address may be wrong, which
    stops a release.
    """
    code: Code = "away"
    if UNTRUSTED in str(error):
        code = "untrusted"
        message = NO_TRUST
    if is_public:
        return trouble(subject, code, message)
    return fault(subject, code, message)
