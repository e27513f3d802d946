"""The parts of an answer, without LINE: texts, tables, pictures, and what one would ask next.
LINE's limits: https://developers.line.biz/en/reference/messaging-api/."""

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
    """A next question: a short label (20 characters at most on LINE) and postback data. With `pick`
    "date" a tap opens a calendar between `earliest` and `latest`, at `initial` (ISO days)."""

    label: str
    data: str
    pick: str = ""
    earliest: str = ""
    latest: str = ""
    initial: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A text, with the places `{m0}`, `{m1}` … for members' ids of `mentions` (other braces are
    doubled)."""

    text: str
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row: rank, name, the number that counts (`value`), further numbers, and `detail`,
    a second line for what is no figure. `colour` is the member's, `mine` the asker's row. A tap
    sends `data`, shown as `said` (or the name); `mark` says what it opens. `pale`: the value is of
    too few games to be ranked."""

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
    pale: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of players. The first of `heads` is for the values, the others for the extra columns,
    which weigh as much in an `even` table. `alt` is the notification, where the first three rows are not good
    enough. `hero` is above the rows, `more` are further groups of rows with headings. Values are
    red and green unless `plain`: where less is better. More rows than `page` take several bubbles.
    `by_picture` is sent in its place where a picture with the same content is sent."""

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
    by_picture: Table | None = None

    @property
    def notification(self) -> str:
        """The text of LINE's notification and chat list."""
        if self.alt:
            return self.alt
        if self.rows:
            return f"{self.title}：{leading(self.rows)}"
        return self.title


def leading(rows: Sequence[Row]) -> str:
    """The first three rows as a notification names them: 1位 みどり 1,650、2位 …, or みどり
    53%、….
    """
    return "、".join(map(_in_notification, rows[:3]))


def _in_notification(row: Row) -> str:
    if row.rank:
        return f"{row.rank}位 {row.name} {row.value}"
    return f"{row.name} {row.value}"


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards to swipe in one colour and its ink: of each row the name above, the value, the detail
    below.
    """

    rows: tuple[Row, ...]
    alt: str
    colour: str
    ink: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Large buttons in a bubble of their own; below them `link` in small letters leads to an
    address.
    """

    title: str
    choices: tuple[Choice, ...]
    text: str = ""
    alt: str = ""
    link: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its words (a line or two), the data it sends (or it `opens` an address, or `copies`
    a text), and how it looks: `chosen` filled, `main` to press next, `quiet` a way back, `link` a
    question, `danger` red; `badge` in a circle, `narrow`. `said` is shown as the member's words."""

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


GAP = Button((), "")  # room for a button, where a row has fewer than those above

FormRow = tuple[Button, ...] | FormFact | str  # a row of buttons, a fact, or a heading


@dataclass(frozen=True, slots=True)
class Form:
    """Rows of buttons, facts and headings; `step`: how far one is (`1/3`); `text` is below the
    title.
    """

    title: str
    rows: tuple[FormRow, ...]
    text: str = ""
    note: str = ""
    step: str = ""
    alt: str = ""


@dataclass(frozen=True)
class _Drawn:
    """What is drawn of plain data when it is needed. `url` is its address once it is stored."""

    chart: Any
    draw: Callable[[Any], bytes] = field(compare=False)
    kind: str = field(default="chart", kw_only=True)
    url: str = field(default="", compare=False, kw_only=True)
    _keys: dict[str, str] = field(
        default_factory=dict,
        init=False,
        compare=False,
        repr=False,
    )
    content_type = "image/png"

    def render(self) -> bytes:
        return self.draw(self.chart)

    def key(self, renderer: str) -> str:
        """The content's key: the same for the same data and renderer, unguessable without both."""
        key = self._keys.get(renderer)
        if key is None:
            digest = hashlib.sha256(f"{renderer}|{self.draw.__module__}|{self.chart!r}".encode())
            key = self._keys[renderer] = f"{self.kind}/{digest.hexdigest()[:40]}.png"
        return key


@dataclass(frozen=True)
class Picture(_Drawn):
    """A chart: plain data and the function that draws it; `instead` has the content without a
    picture.
    """

    alt: str
    instead: tuple[Text | Table, ...] = ()


@dataclass(frozen=True)
class Animation(_Drawn):
    """An animated chart above a table, `size` in pixels, left out where it can't be stored."""

    size: tuple[int, int]


@dataclass(frozen=True)
class Download:
    """A file to save: the label of its button, its name in any script, and its bytes. `url` is
    its address once it is stored."""

    label: str
    name: str
    data: bytes = field(repr=False)
    content_type: str = "text/csv; charset=utf-8"
    url: str = field(default="", compare=False)

    def render(self) -> bytes:
        return self.data

    def key(self, renderer: str) -> str:
        """The key of the content, unguessable without the renderer's secret."""
        digest = hashlib.sha256(f"{renderer}|{self.name}|".encode() + self.data)
        return f"export/{digest.hexdigest()[:40]}/{key_part(self.name)}"


@dataclass(frozen=True, slots=True)
class Downloads:
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


Stored = Picture | Animation | Download  # what has an address once it is in the image store

Part = Text | Table | Cards | Menu | Picture | Downloads | PageLink | Form


@dataclass(frozen=True, slots=True)
class Once:
    """Parts that a chat gets along with an answer the first time only.

    `mark` names what it then has seen.
    """

    mark: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: its parts (five at most) and the choices below it. Without parts nothing is sent.
    The first short choices, or `buttons`, are in the last table's bubble. `question_data` is the
    question's postback data, "" for an answer that can't be quoted. `once` is sent with the chat's
    first answer only."""

    parts: tuple[Part, ...]
    choices: tuple[Choice, ...] = ()
    buttons: tuple[Choice, ...] = ()
    question_data: str = ""
    once: Once | None = None

    @property
    def pictures(self) -> list[Picture]:
        return [part for part in self.parts if isinstance(part, Picture)]

    @property
    def drawn(self) -> list[Picture | Animation]:
        """The pictures, then the animations above tables."""
        tables = [part for part in self.parts if isinstance(part, Table)]
        animations = [table.hero for table in tables if table.hero is not None]
        return [*self.pictures, *animations]


class UserError(Exception):
    """A member wants what is not possible; the sentence explains what to do instead.

    `chatter`: perhaps it was not meant for the bot.
    """

    def __init__(
        self, sentence: str, choices: tuple[Choice, ...] = (), chatter: bool = False
    ) -> None:
        super().__init__(sentence)
        self.reply = Reply((Text(sentence),), choices)
        self.chatter = chatter
