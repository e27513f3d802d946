"""What the environment's variables have in common: a row of the table, how a text is read, and a
fault in it.
"""

import gettext
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

from bot.runtime.finding import Code
from bot.runtime.translation import Message, Translate

HOME = (
    Path(__file__).resolve().parent.parent.parent / "var"
)  # where the default stores put their files
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SettingFault:
    name: str
    message: Message
    code: Code = "malformed"

    def said(self, translate: Translate = gettext.gettext) -> str:
        """Return a line with the variable's name, in the language of `translate`."""
        return f"{self.name}: {self.message.said(translate)}"


class SettingsError(Exception):
    """The environment cannot be used. `faults` has what is wrong, `lines` an English line for each."""

    def __init__(self, faults: Sequence[SettingFault]) -> None:
        self.faults = faults
        self.lines = [fault.said(str) for fault in faults]
        super().__init__("; ".join(self.lines))


@dataclass(frozen=True)
class Reading:
    """The reading of a variable in an environment. Faults are collected in `faults`."""

    name: str
    env: Mapping[str, str]
    faults: list[SettingFault]

    @property
    def text(self) -> str:
        return self.text_of(self.name)

    def text_of(self, name: str) -> str:
        """The text of another variable, without blanks around it; "" where it is not set."""
        return self.env.get(name, "").strip()

    @property
    def on_dyno(self) -> bool:
        return "DYNO" in self.env

    def report(self, message: Message, code: Code = "malformed", name: str = "") -> None:
        """Add a fault of this variable, or of the one called `name`."""
        self.faults.append(SettingFault(name or self.name, message, code))


class ValueKind(ABC, Generic[T]):
    """How a variable's text is read and checked. `default` is the text that counts where none is
    set; "" where there is none, or where it depends on other variables.
    """

    default: str = ""

    @abstractmethod
    def read(self, reading: Reading) -> T:
        """Return the value, and report what is wrong with the text."""

    def secret_parts(self, value: T) -> Iterable[str]:
        """The parts of a secret variable's value that must not be shown."""
        return (str(value),)


class PlainText(ValueKind[str]):
    """Any text."""

    def read(self, reading: Reading) -> str:
        return reading.text


class Topic(StrEnum):
    """What a variable is about: the headings of `.env.example`, in this order."""

    LINE = "LINE"
    STORES = "Stores"
    ACCESS = "Who may use it"
    FEATURES = "Features"
    TENHOU = "Tenhou"
    WATCHING = "Watching"
    PROCESSES = "Processes"


@dataclass(frozen=True)
class Wording:
    """A text of the documents in both languages, as Markdown."""

    en: str
    ja: str


@dataclass(frozen=True)
class SetupQuestion:
    """How `flask setup` asks for a variable. `hidden`: it is typed unseen, as secrets always are."""

    label: Message
    default: str = ""
    optional: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Heroku:
    """How the deploy button (app.json) treats a variable: it must be filled in, may be, or has a
    value already.
    """

    required: bool = False
    value: str = ""


@dataclass(frozen=True)
class Variable(Generic[T]):
    """A row of the table: everything about one variable.

    `meaning` is its description in the documents. `default` describes the default where it is no text that
    one could write. `replaces` names a variable that is not needed where this one is set.
    """

    name: str
    kind: ValueKind[T]
    topic: Topic
    meaning: Wording
    default: Wording | None = None
    secret: bool = False
    question: SetupQuestion | None = None
    heroku: Heroku | None = None
    replaces: str = ""
    in_env_file: bool = True


def read_from(variable: Variable[T]) -> T:
    """A field of a dataclass that has the value of a variable; `repr` leaves secrets out."""
    column: T = field(metadata={"variable": variable}, repr=not variable.secret)
    return column


class SettingField(NamedTuple):
    """A field of a dataclass, and the variable that it is read from."""

    name: str
    variable: Variable[Any]


def variables_of(table: Any) -> Iterator[SettingField]:
    """Yield the fields of a dataclass (or its instance) that have a variable."""
    for column in fields(table):
        if "variable" in column.metadata:
            yield SettingField(column.name, column.metadata["variable"])


def passwords_of(url: str) -> list[str]:
    """The password in an address, as written and percent-decoded."""
    password = urlsplit(url).password or ""
    return [password, unquote(password)]
