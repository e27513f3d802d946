"""The data of a line picture: curves, title and axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.draw.scale import number
from bot.draw.style import INK, Dash, pale

Axis = Literal["games", "date"]


@dataclass(frozen=True)
class Curve:
    """The line of one member or team. `xs` are game numbers, or days as `date.toordinal()` (with fractions of
    a day)."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    colour: str = INK
    dash: Dash = ()
    provisional: bool = False
    asker: bool = False

    def shade(self) -> str:
        return pale(self.colour) if self.provisional else self.colour


@dataclass(frozen=True)
class Lines:
    """A whole line picture. `baseline` is a value to mark, or None; `signed` writes a plus before positive
    values."""

    title: str
    subtitle: str
    curves: Sequence[Curve]
    baseline: float | None = None
    axis: Axis = "games"
    decimals: int = 0
    signed: bool = False

    def tick(self, mark: float) -> str:
        return number(mark, 0 if mark == int(mark) else max(1, self.decimals), self.signed)

    def last(self, curve: Curve) -> str:
        """The last value of a curve as text."""
        return number(curve.ys[-1], self.decimals, self.signed)

    @property
    def marked(self) -> float | None:
        """A place on the lower axis that gets a line from top to bottom; None for none."""
        return None
