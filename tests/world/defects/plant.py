"""How a defect is put into the real code, and the list of all: each kind has a file of its own."""

from collections.abc import Callable
from contextlib import ExitStack
from inspect import Parameter, Signature, isfunction, signature
from typing import Any


class Plant:
    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def instead(self, owner: Any, name: str, wrong: Any) -> None:
        """Put `wrong` in an attribute's place.

        It must take what the right one does, or a TypeError is found.
        """
        right = getattr(owner, name)
        if isfunction(right) and isfunction(wrong):
            asked = signature(right).parameters.values()
            taken = signature(wrong).parameters.values()
            rest = any(one.kind is Parameter.VAR_POSITIONAL for one in taken)
            assert rest or len(taken) >= len(asked), f"{wrong} takes less than {right}"
        self._stack.callback(setattr, owner, name, right)
        setattr(owner, name, wrong)


Defect = Callable[[Plant], None]
"""Puts something wrong in place of something right, for as long as the plant lasts. Its docstring
says what is wrong."""
DEFECTS: dict[str, Defect] = {}


def defect(made: Defect) -> Defect:
    DEFECTS[made.__name__.replace("_", " ")] = made
    return made


def instead(
    owner: Any,
    name: str,
    right: bool = False,
) -> Callable[[Any], Any]:
    """List a function as a defect that stands in an attribute's place; with `right` it gets that
    first.
    """
    former = getattr(owner, name)

    def listed(wrong: Any) -> Any:
        def replacing(*given: Any, **named: Any) -> Any:
            return wrong(former, *given, **named)

        replacing.__signature__ = Signature([*signature(wrong).parameters.values()][1:])  # type: ignore[attr-defined]

        def made(plant: Plant) -> None:
            plant.instead(owner, name, replacing if right else wrong)

        made.__name__ = wrong.__name__
        made.__doc__ = wrong.__doc__
        made.__module__ = wrong.__module__
        return defect(made)

    return listed
