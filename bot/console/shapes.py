"""Building blocks of checks that say what a piece of JSON must look like.

A check takes a value and its place in the body, and yields the problems it finds there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from bot.console.events import utf16

LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class ShapeProblem:
    """One thing that LINE would refuse: where (`property`, a path in the body) and why."""

    property: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"message": self.message, "property": self.property}


Check = Callable[[Any, str], Iterator[ShapeProblem]]
Rule = Callable[[Mapping[str, Any], str], Iterator[ShapeProblem]]


def anything(value: Any, at: str) -> Iterator[ShapeProblem]:
    return iter(())


def boolean(value: Any, at: str) -> Iterator[ShapeProblem]:
    if not isinstance(value, bool):
        yield ShapeProblem(at, "must be a boolean")


def string(longest: int | None = None, shortest: int = 1) -> Check:
    """Return a check for a string of at least `shortest` characters and at most `longest` UTF-16 code
    units."""

    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, str):
            yield ShapeProblem(at, "must be a string")
        elif len(value) < shortest:
            yield ShapeProblem(at, "May not be empty")
        elif longest is not None and utf16(value) > longest:
            yield ShapeProblem(at, f"Length must be between {shortest} and {longest}")

    return check


def matching(pattern: str, meant: str) -> Check:
    """Return a check for a string that matches the whole regular expression; `meant` describes it."""
    compiled = re.compile(pattern)

    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            yield ShapeProblem(at, f"must be {meant}")

    return check


def one_of(*allowed: str) -> Check:
    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, str) or value not in allowed:
            yield ShapeProblem(at, f"Must be one of the following values: [{', '.join(allowed)}]")

    return check


def whole(lowest: int, highest: int = 2**31 - 1) -> Check:
    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield ShapeProblem(at, "must be an integer")
        elif not lowest <= value <= highest:
            yield ShapeProblem(at, f"must be between {lowest} and {highest}")

    return check


def number(lowest: float, highest: float) -> Check:
    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, int | float) or isinstance(value, bool):
            yield ShapeProblem(at, "must be a number")
        elif not lowest <= value <= highest:
            yield ShapeProblem(at, f"must be between {lowest} and {highest}")

    return check


def url(longest: int, *schemes: str) -> Check:
    """Return a check for an address with one of the schemes.

    http is always allowed for a loopback host, which is this machine.
    """

    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        problems = list(string(longest)(value, at))
        yield from problems
        if not problems:
            yield from _scheme(value, at, schemes)

    return check


def _scheme(value: str, at: str, schemes: Sequence[str]) -> Iterator[ShapeProblem]:
    try:
        parts = urlsplit(value)
        host = parts.hostname
    except ValueError:
        yield ShapeProblem(at, "invalid uri")
        return
    local = parts.scheme == "http" and host in LOOPBACK
    if parts.scheme not in schemes and not local:
        yield ShapeProblem(at, f"invalid uri scheme; must be one of [{', '.join(schemes)}]")
    elif parts.scheme in ("http", "https") and not host:
        yield ShapeProblem(at, "invalid uri")
    elif not value.isascii() or not value.isprintable() or " " in value:
        yield ShapeProblem(at, "invalid uri: characters other than ASCII must be percent-encoded")


MEDIA_URL: Check = url(2000, "https")
COLOUR: Check = matching(r"#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})", "a colour (#RRGGBB or #RRGGBBAA)")


def items(each: Check, least: int = 0, most: int | None = None) -> Check:
    """Return a check for an array of so many items, with a check for each item."""

    def check(value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, list):
            yield ShapeProblem(at, "must be an array")
            return
        if len(value) < least or (most is not None and len(value) > most):
            yield ShapeProblem(at, f"Size must be between {least} and {most if most is not None else 'any'}")
        for index, item in enumerate(value):
            yield from each(item, f"{at}[{index}]")

    return check


@dataclass(frozen=True)
class Shape:
    """A check for an object: the properties it must have and may have, each with its check, and rules across
    them."""

    required: Mapping[str, Check]
    optional: Mapping[str, Check]
    rules: Sequence[Rule] = ()

    def __call__(self, value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, dict):
            yield ShapeProblem(at, "must be an object")
            return
        known = {**self.optional, **self.required}
        for name in self.required:
            if value.get(name) is None:
                yield ShapeProblem(joined(at, name), "must be specified")
        for name, part in value.items():
            if name not in known:
                yield ShapeProblem(joined(at, name), "unknown field")
            elif part is not None:
                yield from known[name](part, joined(at, name))
            elif name not in self.required:
                yield ShapeProblem(joined(at, name), "must not be null")
        for rule in self.rules:
            yield from rule(value, at)


@dataclass(frozen=True)
class ByType:
    """A check for an object whose `type` says which shape it has.

    `only` names the types allowed, None: all. `shapes` is a function because shapes may contain one another.
    """

    shapes: Callable[[], Mapping[str, Check]]
    only: Sequence[str] | None = None

    def __call__(self, value: Any, at: str) -> Iterator[ShapeProblem]:
        if not isinstance(value, dict):
            yield ShapeProblem(at, "must be an object")
            return
        shapes = self.shapes()
        allowed = [kind for kind in shapes if self.only is None or kind in self.only]
        kind = value.get("type")
        if kind is None:
            yield ShapeProblem(joined(at, "type"), "must be specified")
        elif kind not in allowed:
            yield from one_of(*allowed)(kind, joined(at, "type"))
        else:
            yield from shapes[kind](value, at)


def joined(at: str, name: str) -> str:
    """Return the place of a property of the object at `at`."""
    return f"{at}.{name}" if at else name


def listed(value: Mapping[str, Any], name: str) -> list[Any]:
    """Return the array of that name; an empty one if it is no array, which another check reports."""
    found = value.get(name)
    return found if isinstance(found, list) else []


def objects(value: Mapping[str, Any], name: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects in the array of that name, each with its index."""
    return [(index, item) for index, item in enumerate(listed(value, name)) if isinstance(item, dict)]


def paths(problems: Iterable[ShapeProblem]) -> list[str]:
    """Return the places of the problems."""
    return [problem.property for problem in problems]
