"""The parts of which a view of the league's page consists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from bot.chat.replies import Choice, Menu, Row, Table, Text
from bot.draw.lines import Lines


class Cell(NamedTuple):
    """A figure's value and its text; None and "" where there is none, None alone where it is of too
    few games to be ranked."""

    value: float | None
    text: str


class GridRow(NamedTuple):
    """A member's row with its cells."""

    row: Row
    cells: tuple[Cell, ...]


class GridGroup(NamedTuple):
    """A heading, and the rows below it."""

    heading: str
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Members by figures: `heads` are keys and names; a row has a cell for each. The heading of the
    first group is ""."""

    title: str
    subtitle: str
    note: str
    heads: tuple[tuple[str, str], ...]
    groups: tuple[GridGroup, ...]


class Placings(Lines):
    """Lines of placings: the lowest number is the best, and is at the top."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A part that a tap on its title opens."""

    part: Shown


Shown = Text | Table | Menu | Lines | Grid | Folded


class PageContent(NamedTuple):
    """Parts, and the choices that lead on."""

    parts: tuple[Shown, ...]
    choices: tuple[Choice, ...]


class FurtherLink(NamedTuple):
    """A label and an address of the page (`?ask=…`)."""

    label: str
    url: str


class PeriodLink(NamedTuple):
    """A link to the same question about other games. `is_shown`: the page shows these games."""

    label: str
    is_shown: bool
    url: str


class DayEnd(NamedTuple):
    """The number of a day's last game among the games drawn as lines."""

    number: int
    day: date


@dataclass(frozen=True, slots=True)
class Answered:
    """Parts in order, and the links that lead on. `days` are the days of the games drawn as lines;
    none where the question has no period.
    """

    parts: tuple[Shown, ...]
    links: tuple[FurtherLink, ...]
    periods: tuple[PeriodLink, ...]
    days: tuple[DayEnd, ...] = ()
