"""What a kind of store brings: how it is opened, its variables, what its errors mean, and how
`flask setup` asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bot.runtime.finding import Code
from bot.runtime.translation import Message, message as _
from bot.settings.variable import Reading, Variable, Wording
from storage.addresses import UNREACHABLE, ImageOptions
from storage.backups import BackupPlace
from storage.ports import Guard, ImageStore, LogSource

if TYPE_CHECKING:
    from storage.database import Database

LogOpener = Callable[[str, Mapping[str, str], "Database | None", Guard], LogSource]
"""Opens the logs at an address, with the stores' variables, the database, and what guards calls."""
ImageOpener = Callable[[str, ImageOptions], ImageStore]
BackupOpener = Callable[[str, Mapping[str, str]], BackupPlace]
AddressCheck = Callable[[Reading, str, str], None]
"""Reports faults of an address: the variable that has it, the address, its scheme."""
_REFUSED = _("the store answers {status} to a phone that fetches a picture")


@dataclass(frozen=True)
class Advice:
    """What to do about an error whose text has the pattern.

    `variable` is the one to fix; "" means the one that has the store's address. A `passing`
    fault ends by itself or by the service's owner, so it stops no release. The message may have a
    field `words`, the error's text.
    """

    pattern: re.Pattern[str]
    variable: str
    code: Code
    message: Message
    passing: bool = False


@dataclass(frozen=True)
class SetupOffer:
    """How `flask setup` offers the store, for logs or for pictures.

    `choice` is its line in the list. `question` asks for the address, which is `address` by
    default; where there is no question, `address` is taken.
    """

    choice: Message
    address: str = ""
    question: Message | None = None


class Hint(NamedTuple):
    """What `flask setup` explains as long as a variable is not set."""

    variable: str
    message: Message


class Authorisation(Protocol):
    """A request for a token: its owner allows it at `address` and copies a code."""

    address: str

    def refresh_token(self, code: str) -> str:
        """The token for a code. Raises StorageError."""


@dataclass(frozen=True)
class TokenRequest:
    """A variable whose value the store's owner grants instead of typing it."""

    variable: str
    begin: Callable[[Mapping[str, str]], Authorisation]


class AccountAddress(NamedTuple):
    """Where a league's own account is, with the variables that open it."""

    url: str
    variables: Mapping[str, str]


@dataclass(frozen=True)
class LeagueAccounts:
    """Leagues of a host may have accounts of their own at this store.

    `address` makes one of a folder, a token and the stores' variables. `revoked` is what an admin
    of the league is sent once the token is refused; it has a field `league`.
    """

    address: Callable[[str, str, Mapping[str, str]], AccountAddress]
    revoked: Message


@dataclass(frozen=True)
class Expiry:
    """Messages about a rule by which the store itself removes old pictures (`ExpiringImages`). All
    but `needs_prefix` may have a field `days`.
    """

    added: Message
    present: Message
    needs_prefix: Message
    setup_added: Message
    setup_failed: Message


def fill(message: Message, **fields: object) -> Message:
    """Return a store's message with values for its fields."""
    return Message(message.text, (*message.fields, *fields.items()))


def check_names_something(reading: Reading, url: str, scheme: str) -> None:
    """Report an address with nothing after its scheme."""
    if not url[len(scheme) :].strip("/"):
        reading.report(_("names nothing after {scheme}", scheme=scheme))


@dataclass(frozen=True)
class StoreKind:
    """A kind of store.

    Addresses in LOGS_URL, IMAGES_URL and BACKUP_URL begin with `scheme`, those in DATABASE_URL with
    one of `state_schemes`. `form` is how the documents write an address.
    """

    name: str
    title: str
    scheme: str
    form: Wording
    state_schemes: tuple[str, ...] = ()
    open_logs: LogOpener | None = None
    open_images: ImageOpener | None = None
    open_backups: BackupOpener | None = None
    check: AddressCheck = check_names_something
    """Reports faults of an address of this kind when the settings are read. By default an address
    with nothing after its scheme is refused; a store that is whole without (`mem:`) has its own."""
    variables: tuple[Variable[Any], ...] = ()
    """Its own variables, which `open_logs`, `open_backups` and ImageOptions are given by name."""
    obstacle: Callable[[str], Message | None] | None = None
    """What keeps the database at an address from being used now; `flask doctor` looks first."""
    advice: tuple[Advice, ...] = ()
    away: Message | None = None
    """What to do where the store does not answer at all."""
    revoked: Callable[[Mapping[str, str]], Message] | None = None
    """What the admins are sent once the store refuses the log folder's credentials."""
    on_disk: bool = False
    """The address names a path of this machine, so a dyno loses the files; `flask doctor` warns of
    that. The contract suite of logs edits the files at the path by hand."""
    in_database: bool = False
    """The files are in the database of DATABASE_URL, which must be this store's too."""
    keeps_pictures: float | None = UNREACHABLE
    """Seconds after which the bot removes a picture; None where it does not."""
    serves_pictures: bool = False
    """Phones fetch pictures from the store itself, not from the bot."""
    picture_refused: Message = _REFUSED
    expiry: Expiry | None = None
    logs_offer: SetupOffer | None = None
    images_offer: SetupOffer | None = None
    hints: tuple[Hint, ...] = ()
    token_request: TokenRequest | None = None
    league_accounts: LeagueAccounts | None = None

    @property
    def plain_form(self) -> str:
        """How an address is written, in messages of the command line."""
        return self.form.en.replace("`", "")

    @property
    def schemes(self) -> tuple[str, ...]:
        """How any address of this store begins."""
        return (self.scheme, *self.state_schemes)

    def variable_in_use(self, name: str, values: Mapping[str, str]) -> str:
        """The name of the variable that is set in place of another one, else that one's name."""
        for variable in self.variables:
            if name and variable.replaces == name and values.get(variable.name):
                return variable.name
        return name


def forms(kinds: Iterable[StoreKind]) -> Wording:
    """How addresses of these kinds are written, as an enumeration."""
    english = [kind.form.en for kind in kinds]
    japanese = [kind.form.ja for kind in kinds]
    return Wording(
        f"{', '.join(english[:-1])} or {english[-1]}",
        f"{'、'.join(japanese[:-1])}、または {japanese[-1]}",
    )
