"""How a defect is put into the real code, and the list of all: each kind has a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any


class Plant:
    """Puts wrong things in place, and takes them out again."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def instead(self, owner: Any, name: str, wrong: Any) -> None:
        """Put `wrong` in place of an attribute."""
        self._stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, wrong)


Defect = Callable[[Plant], None]
"""Puts something wrong in place of something right, for as long as the plant lasts. Its docstring says what
is wrong."""
DEFECTS: dict[str, Defect] = {}


def defect(made: Defect) -> Defect:
    """List a defect under its function's name."""
    DEFECTS[made.__name__.replace("_", " ")] = made
    return made
