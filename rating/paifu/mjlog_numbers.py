"""Reads and checks the numbers, separated by commas, in the attributes of an mjlog."""

from __future__ import annotations

from rating.paifu.tiles import TILES, PaifuError


def numbers(text: str, low: int, high: int) -> tuple[int, ...]:
    """The whole numbers in `text`. Raises PaifuError when one is no number or not between `low` and
    `high`."""
    if not text:
        return ()
    if len(text) > 2000:
        raise PaifuError("a list of numbers is far too long")
    try:
        found = tuple(map(int, text.split(",")))
    except ValueError:
        raise PaifuError(f"not numbers: {text[:30]!r}") from None
    if min(found) < low or max(found) > high:
        raise PaifuError(f"out of range: {text[:30]!r}")
    return found


def tiles(text: str) -> tuple[int, ...]:
    """The tiles (0-135) in `text`. Raises PaifuError when one is no tile or is there twice."""
    found = numbers(text, 0, TILES - 1)
    if len(set(found)) != len(found):
        raise PaifuError(f"a tile stands twice: {text[:30]!r}")
    return found


def decimals(text: str) -> tuple[float, ...]:
    """The decimal numbers in `text`. Raises PaifuError when one is no number or too large."""
    try:
        found = tuple(float(part) for part in text[:2000].split(",") if part)
    except ValueError:
        raise PaifuError(f"not numbers: {text[:30]!r}") from None
    if not all(abs(number) < 1e7 for number in found):
        raise PaifuError(f"out of range: {text[:30]!r}")
    return found
