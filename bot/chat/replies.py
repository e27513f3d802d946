"""The parts of an answer, without LINE: texts, tables, pictures, and what one would ask next.

LINE's limits are from https://developers.line.biz/en/reference/messaging-api/.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from storage.addresses import key_part

MESSAGES = 5  # in a reply
QUICK_REPLIES = 13  # choices below a reply
Tone = Literal["plain", "chosen", "main", "quiet", "danger", "link"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to ask next: a short label (20 characters at most on LINE) and its postback data. With `pick`
    "date" a tap opens a calendar, and the day that is picked comes along with the data. `least`, `most` and
    `initial` bound it and say where it opens (ISO days)."""

    label: str
    data: str
    pick: str = ""
    least: str = ""
    most: str = ""
    initial: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A text. With `mentions`, ids of members of the group, these stand in it as `{m0}`, `{m1}` …, other
    braces doubled, and LINE calls them."""

    text: str
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row: rank, name, the number that counts, further numbers, and a second line. A row is one
    line high; `detail` is a second line, in small letters below the name, for what is no row of figures.
    `colour` (#RRGGBB) is the member's own. `mine` marks the asker. `data` is the postback data of a tap on
    the row, and `said` what the chat then shows as the member's words (without it, the name). `mark` says in
    a word, at the end of the second line, what the tap opens."""

    name: str
    value: str
    rank: str = ""
    extra: tuple[str, ...] = ()
    detail: str = ""
    colour: str = ""
    mine: bool = False
    data: str = ""
    said: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of players. `heads` stand above the columns, `note` below. The notification shows `alt`, by
    default the title and the first three rows. The first of `heads` is for the values, the others are for the
    extra columns. In an `even` table the extra columns weigh as much as the values. `hero` moves above the
    title. `more` are further groups of rows, each below a heading of its own. Numbers below zero, ▼ and ✗ are
    red, ▲ and ✓ are green, unless the table is `plain`: where less is better. More rows than `page` stand on
    several bubbles side by side. `beside` is sent in its place with the picture that shows the same."""

    title: str
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    subtitle: str = ""
    note: str = ""
    alt: str = ""
    even: bool = False
    more: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    plain: bool = False
    hero: Animation | None = None
    page: int = 20
    beside: Table | None = None

    def __post_init__(self) -> None:
        if not self.alt:
            said = f"{self.title}：{leading(self.rows)}" if self.rows else self.title
            object.__setattr__(self, "alt", said)


def leading(rows: Sequence[Row]) -> str:
    """The first three rows as a notification names them: 1位 みどり 1,650、2位 …, or みどり 53%、…."""
    return "、".join(f"{row.rank}位 " * bool(row.rank) + f"{row.name} {row.value}" for row in rows[:3])


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards to swipe in one colour (#RRGGBB) and its ink: of each row the name above, the value large, the
    detail below, and what a tap opens (`said`)."""

    rows: tuple[Row, ...]
    alt: str
    colour: str
    ink: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Large buttons in a bubble of their own; below them `link` in small letters leads to an address."""

    title: str
    choices: tuple[Choice, ...]
    text: str = ""
    alt: str = ""
    link: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its words (a line or two), the postback data it sends, and how it looks.

    `chosen` is filled, `main` is what to press next, `quiet` a way back, `link` a question, `danger` red.
    `badge` stands before the words in a circle. `said` is shown in the chat as the member's own words
    (nothing if empty). `narrow` takes less room. Instead of sending data it `opens` an address, or `copies` a
    text.
    """

    words: tuple[str, ...]
    data: str
    tone: Tone = "plain"
    badge: str = ""
    said: str = ""
    narrow: bool = False
    opens: str = ""
    copies: str = ""

    @property
    def label(self) -> str:
        return "・".join(self.words)


@dataclass(frozen=True, slots=True)
class FormFact:
    """A line of a summary: what it is about and its value. `was` is the former value."""

    what: str
    value: str
    was: str = ""


GAP = Button((), "")
"""Room for a button, where a row has fewer than those above."""

FormRow = tuple[Button, ...] | FormFact | str
"""Buttons side by side, a fact, or a heading."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form: rows of buttons, facts and headings.

    `step` says how far one is (`1/3`), `text` stands below the title, `note` small at the end.
    """

    title: str
    rows: tuple[FormRow, ...]
    text: str = ""
    note: str = ""
    step: str = ""
    alt: str = ""


class _Drawn:
    """What is drawn of plain data when it is needed."""

    chart: Any
    draw: Callable[[Any], bytes]
    kind: str
    content_type = "image/png"
    _keys: dict[str, str]

    def render(self) -> bytes:
        return self.draw(self.chart)

    def key(self, renderer: str) -> str:
        """The content's key: the same for the same data drawn by the same renderer, unguessable without both."""
        key = self._keys.get(renderer)
        if key is None:
            digest = hashlib.sha256(f"{renderer}|{self.draw.__module__}|{self.chart!r}".encode())
            key = self._keys[renderer] = f"{self.kind}/{digest.hexdigest()[:40]}.png"
        return key


@dataclass(frozen=True)
class Picture(_Drawn):
    """A chart: plain data and the function that draws it. `instead` says the same if there can be no picture."""

    chart: Any
    draw: Callable[[Any], bytes] = field(compare=False)
    alt: str
    instead: tuple[Text | Table, ...] = ()
    kind: str = "chart"
    _keys: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Animation(_Drawn):
    """An animated chart above a table: plain data and the function that draws it. `size` is its width and
    height in pixels. Its table says all that matters, so it is left out where it can't be stored."""

    chart: Any
    draw: Callable[[Any], bytes] = field(compare=False)
    size: tuple[int, int]
    kind: str = "chart"
    _keys: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Download:
    """A file to save: the label of its button, its name in any script, and its bytes."""

    label: str
    name: str
    data: bytes = field(repr=False)
    content_type: str = "text/csv; charset=utf-8"

    def render(self) -> bytes:
        return self.data

    def key(self, renderer: str) -> str:
        """The key of the content, unguessable without the renderer's secret."""
        digest = hashlib.sha256(f"{renderer}|{self.name}|".encode() + self.data)
        return f"export/{digest.hexdigest()[:40]}/{key_part(self.name)}"


@dataclass(frozen=True, slots=True)
class Downloads:
    """Files offered as buttons in a bubble."""

    title: str
    files: tuple[Download, ...]
    text: str = ""
    alt: str = ""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A button in a bubble that opens an address in LINE's browser."""

    title: str
    label: str
    url: str
    text: str = ""


Stored = Picture | Animation | Download
"""What has an address once it is in the image store."""

Part = Text | Table | Cards | Menu | Picture | Downloads | PageLink | Form


@dataclass(frozen=True, slots=True)
class Once:
    """Parts that a chat gets along with an answer the first time only. `mark` names what it then has seen."""

    mark: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: its parts in order (five at most) and the choices offered below it. Without parts nothing
    is said. What one asks next comes first in `choices`: the first short ones stand in the last table's
    bubble, where they stay when others write, the others below it. `buttons` stand there instead. `asked` is
    the postback data of the question, "" for an answer that can't be quoted to ask for it with a change.
    `once` comes after the parts the first time the chat asks."""

    parts: tuple[Part, ...]
    choices: tuple[Choice, ...] = ()
    buttons: tuple[Choice, ...] = ()
    asked: str = ""
    once: Once | None = None


class UserError(Exception):
    """A member asked for something that cannot be. The sentence says what to do instead.

    `chatter`: perhaps nobody asked, and members were talking in words that begin like a command.
    """

    def __init__(self, sentence: str, choices: tuple[Choice, ...] = (), chatter: bool = False) -> None:
        super().__init__(sentence)
        self.reply = Reply((Text(sentence),), choices)
        self.chatter = chatter
