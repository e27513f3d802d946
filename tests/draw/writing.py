"""Record the texts that are drawn on a picture: the words as shown, and where they stand, in pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest

from bot.draw import glyphs
from bot.draw.paper import Paper
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
        return across > 1 and abs(self.y - other.y) < 0.44 * (self.size + other.size)


@contextmanager
def watched() -> Iterator[list[Written]]:
    found: list[Written] = []
    plain = Paper.text

    def text(self: Paper, x: float, y: float, words: str, size: int, *rest: Any, **options: Any) -> float:
        names = ("colour", "anchor", "bold", "room", "least")
        given = dict(zip(names, rest, strict=False)) | options
        room, least = given.get("room"), given.get("least")
        shown, shown_size = glyphs.fit(words, size, 1e9 if room is None else room, least or least_of(size))
        wide = plain(self, x, y, words, size, *rest, **options)
        if shown.strip():
            left = x - {"left": 0.0, "middle": wide / 2, "right": wide}[given.get("anchor", "left")]
            found.append(Written(shown, left, left + wide, y, shown_size))
        return wide

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Paper, "text", text)
        yield found


def written(draw: Callable[[], bytes]) -> list[Written]:
    """All texts that are drawn by `draw`."""
    with watched() as found:
        draw()
    return found


def overlaps(found: list[Written]) -> list[tuple[str, str]]:
    """Pairs of texts that overlap."""
    return [(one.text, other.text) for one, other in combinations(found, 2) if one.meets(other)]
