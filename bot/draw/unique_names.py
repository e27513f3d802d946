"""The names in one picture as they are drawn: no two different names look the same."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from bot.draw.glyphs import ELLIPSIS, MISSING, drawable, width

_ROOM = 7.0  # ems: a name this long fits into every chart, a longer one may be cut
_HEAD = 5.0  # ems of a name's beginning that every chart shows


def told_apart(names: Iterable[str]) -> dict[str, str]:
    """Each name as it is drawn.

    Different names that would look the same get numbers in sorted order, except the one that is drawn as it
    is written. Long names with the same beginning lose their middle instead of their end.
    """
    every = list(dict.fromkeys(names))
    shown = {name: drawable(name) or (MISSING if name else "") for name in every}
    if len(shown) > 1:
        shown |= _middles(shown)
    taken = set(shown.values())
    if len(taken) == len(shown):
        return shown
    alike = defaultdict(list)
    for name, words in shown.items():
        alike[words].append(name)
    for words, group in alike.items():
        others = sorted(name for name in group if name != words)
        number = 1 + (words in group)
        for name in others if len(group) > 1 else ():
            while (marked := _numbered(words, number)) in taken:
                number += 1
            taken.add(marked)
            shown[name] = marked
    return shown


def _numbered(words: str, number: int) -> str:
    """The drawn name with a number: 〓1みどり, or 吉野家(2) where there is no 〓."""
    if MISSING in words:
        return words.replace(MISSING, f"{MISSING}{number}", 1)
    if ELLIPSIS in words:
        return words.replace(ELLIPSIS, f"{ELLIPSIS}({number})", 1)
    return f"{words}({number})"


def _middles(shown: dict[str, str]) -> dict[str, str]:
    """The long names that share their beginning with another, without their middle."""
    heads = defaultdict(list)
    for name, words in shown.items():
        if len(words) > _ROOM and width(words, 40) > 40 * _ROOM:
            heads[words[: _fitting(words)]].append(name)
    long = (name for group in heads.values() if len(group) > 1 for name in group)
    return {name: _without_middle(shown[name]) for name in long}


def _fitting(words: str) -> int:
    """How many of the first characters every chart shows."""
    return bisect_right(range(1, len(words)), 40 * _HEAD, key=lambda end: width(words[:end], 40))


def _without_middle(words: str) -> str:
    """As much of both ends of a name as every chart has room for."""
    for kept in range(min(len(words) // 2, 20), 1, -1):
        short = words[:kept].rstrip() + ELLIPSIS + words[-kept:].lstrip()
        if width(short, 40) <= 40 * _ROOM:
            break
    return short
