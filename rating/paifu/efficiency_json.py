"""Answers questions about tile efficiency that come as JSON: the discards of hands, each with what it
accepts."""

from __future__ import annotations

from typing import Any

from rating.paifu.danger import check_seats
from rating.paifu.efficiency import choices, shanten_of
from rating.paifu.tiles import ABSENT_IN_THREE, KIND_NAMES, KINDS, PaifuError, present


def efficiency_answers(asked: object, seats: int = 4) -> list[dict[str, Any]]:
    """The answer to each question of a list from JSON, or to one.

    A question is {"hand": 34 counts of concealed tiles, "calls": 0 to 4, "unseen": 34 counts, "seats": 3 or
    4}; without `calls` there are none, and `seats` is meant where it does not say. An answer is {"shanten":
    of the whole hand, "discards": [{"kind", "shanten", "tiles", "kinds"}]}. Raises PaifuError, which names
    the hand, when one is impossible.
    """
    found = []
    for place, question in enumerate(asked if isinstance(asked, list) else [asked], 1):
        try:
            found.append(_answer(question, seats))
        except PaifuError as error:
            raise PaifuError(f"hand {place}: {error}") from None
    return found


def _answer(question: object, seats: int) -> dict[str, Any]:
    if not isinstance(question, dict):
        raise PaifuError('a hand is an object with "hand", "calls", "unseen" and "seats"')
    seats = check_seats(question.get("seats", seats))
    hand, unseen = _counts(question, "hand"), _counts(question, "unseen")
    _check(hand, unseen, question.get("calls", 0), seats)
    return {
        "shanten": shanten_of(hand, seats),
        "discards": [
            {"kind": one.kind, "shanten": one.shanten, "tiles": one.tiles, "kinds": list(one.kinds)}
            for one in choices(hand, present(unseen, seats), seats)
        ],
    }


def _counts(question: dict[str, object], name: str) -> list[int]:
    found = question.get(name)
    if not isinstance(found, list) or len(found) != KINDS:
        raise PaifuError(f"{name} must be a list of {KINDS} counts")
    for kind, count in enumerate(found):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= 4:
            raise PaifuError(f"{name}[{kind}] ({KIND_NAMES[kind]}) must be 0 to 4")
    return found


def _check(hand: list[int], unseen: list[int], calls: object, seats: int) -> None:
    if isinstance(calls, bool) or not isinstance(calls, int) or not 0 <= calls <= 4:
        raise PaifuError("calls must be 0 to 4")
    if sum(hand) != 14 - 3 * calls:
        raise PaifuError(f"a hand with {calls} calls has {14 - 3 * calls} tiles, not {sum(hand)}")
    for kind, (own, others) in enumerate(zip(hand, unseen, strict=True)):
        if own + others > 4:
            raise PaifuError(f"{own + others} copies of {KIND_NAMES[kind]} are named, there are only 4")
        if own and seats == 3 and kind in ABSENT_IN_THREE:
            raise PaifuError(f"there is no {KIND_NAMES[kind]} with three seats")
