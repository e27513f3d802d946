"""Forms: a bubble with buttons that lead on, for what takes more than one tap. Without LINE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "chosen", "main", "quiet", "danger", "link"]


@dataclass(frozen=True, slots=True)
class Button:
    """A tap: what it reads (a line or two), what it asks, and how it looks.

    `chosen` is filled, `main` what to press next, `quiet` a way back, `link` a question. `badge` stands before the words in a
    circle; `said` is shown in the chat as the member's own words (nothing, where it is empty). `narrow` takes less room.
    """

    words: tuple[str, ...]
    data: str
    tone: Tone = "plain"
    badge: str = ""
    said: str = ""
    narrow: bool = False

    @property
    def label(self) -> str:
        return "・".join(self.words)


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of a summary: what, and how it is; `was` is how it was before."""

    what: str
    value: str
    was: str = ""


GAP = Button((), "")
"""Room for a button, where a row has fewer than those above."""

FormRow = tuple[Button, ...] | Fact | str
"""Buttons side by side, a fact, or a heading."""


@dataclass(frozen=True, slots=True)
class Form:
    """`step` says how far one is (`1/3`); `text` stands below the title, `note` small at the end."""

    title: str
    rows: tuple[FormRow, ...]
    text: str = ""
    note: str = ""
    step: str = ""
    alt: str = ""
