"""Checks single JSON values: a list, a whole number, a text."""

from typing import Any

from rating.paifu.tiles import PaifuError, is_whole

MOST_POINTS = 10_000_000


def listed(value: Any, subject: str) -> list[Any]:
    """The value, which has to be a list."""
    if not isinstance(value, list):
        raise PaifuError(f"{subject}: not a list")
    return value


def whole(value: Any, subject: str, lowest: int, highest: int) -> int:
    """The value, which has to be a whole number within these bounds."""
    if not is_whole(value):
        raise PaifuError(f"{subject}: not a whole number: {shortened(value)}")
    if not lowest <= value <= highest:
        raise PaifuError(f"{subject}: {shortened(value)} is out of range")
    return value


def points_of(value: Any, subject: str, seats: int) -> tuple[int, ...]:
    """The points of each seat; a list for four where three play has a number without meaning."""
    numbers = listed(value, subject)
    if len(numbers) < seats:
        raise PaifuError(f"{subject}: not the points of every seat")
    return tuple(whole(number, subject, -MOST_POINTS, MOST_POINTS) for number in numbers[:seats])


def shortened(value: Any) -> str:
    """The value as text of at most 30 characters, on one line."""
    return ascii(str(value)[:40])[:30]
