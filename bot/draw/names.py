"""Names as pictures show them: each in glyphs of the font, and no two alike."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from bot.draw.glyphs import ELLIPSIS, MISSING, drawable, width

_ROOM = 7.0  # ems: a name this long fits into every chart, a longer one may be cut
_HEAD = 5.0  # ems of a name's beginning that every chart shows


def distinct_names(names: Iterable[str]) -> dict[str, str]:
    """Each name as it is drawn. Different names that would look alike get numbers in sorted order,
    but for the one drawn as written. Long names with the same beginning lose their middle, not
    their end."""
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
        if len(group) == 1:
            continue
        number = 2 if words in group else 1
        for name in sorted(name for name in group if name != words):
            marked = _numbered(words, number)
            while marked in taken:
                number += 1
                marked = _numbered(words, number)
            taken.add(marked)
            shown[name] = marked
    return shown


def _numbered(words: str, number: int) -> str:
    """A drawn name with a number: 〓1みどり, みど…(2)り, or 吉野家(2) where there is neither."""
    for sign, form in ((MISSING, "{}"), (ELLIPSIS, "({})")):
        if sign in words:
            before, _, after = words.partition(sign)
            return before + sign + form.format(number) + after
    return f"{words}({number})"


def _middles(shown: dict[str, str]) -> dict[str, str]:
    """The long names that share their beginning with another, without their middle."""
    heads = defaultdict(list)
    found: dict[str, str] = {}
    for name, words in shown.items():
        if len(words) > _ROOM and width(words, 40) > 40 * _ROOM:
            seen = bisect_right(
                range(1, len(words)),
                40 * _HEAD,
                key=lambda end: width(words[:end], 40),
            )
            heads[words[:seen]].append(name)
    long = (name for group in heads.values() if len(group) > 1 for name in group)
    for name in long:  # as much of both ends as every chart has room for
        words = shown[name]
        for kept in range(min(len(words) // 2, 20), 1, -1):
            start = words[:kept].rstrip()
            end = words[-kept:].lstrip()
            found[name] = start + ELLIPSIS + end
            if width(found[name], 40) <= 40 * _ROOM:
                break
    return found
