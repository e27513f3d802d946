"""Record the texts that are drawn on a picture: the words as shown, and where they stand, in
pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from itertools import combinations
from typing import Any

import pytest

from bot.draw import glyphs
from bot.draw.paper import FlatSheet, Paper
from bot.draw.style import least as least_of


@dataclass(frozen=True)
class Written:
    text: str
    left: float
    right: float
    y: float
    size: int

    def meets(self, other: Written) -> bool:
        """Whether the two overlap. Japanese text fills about nine tenths of its size."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = abs(self.y - other.y)
        return across > 1 and down < 0.44 * (self.size + other.size)


@contextmanager
def watched(sheet: type[Paper | FlatSheet] = Paper) -> Iterator[list[Written]]:
    found: list[Written] = []
    plain: Callable[..., float | None] = sheet.text
    named = signature(plain)

    def text(*given: Any, **options: Any) -> float | None:
        bound = named.bind(*given, **options)
        bound.apply_defaults()
        said = bound.arguments
        room = said["room"]
        least = said["least"] or (least_of if sheet is Paper else int)(said["size"])
        shown, size = glyphs.fit(
            said["text"],
            said["size"],
            1e9 if room is None else room,
            least,
        )
        drawn = plain(*given, **options)
        wide = glyphs.width(shown, size) if drawn is None else drawn
        if shown.strip():
            offsets = {"left": 0.0, "middle": wide / 2, "right": wide}
            left = said["x"] - offsets[said["anchor"]]
            found.append(Written(shown, left, left + wide, said["y"], size))
        return drawn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet, "text", text)
        yield found


def written(draw: Callable[[], bytes]) -> list[Written]:
    """All texts that are drawn by `draw`."""
    with watched() as found:
        draw()
    return found


def overlaps(found: list[Written]) -> list[tuple[str, str]]:
    """Pairs of texts that overlap."""
    pairs = combinations(found, 2)
    return [(one.text, other.text) for one, other in pairs if one.meets(other)]
