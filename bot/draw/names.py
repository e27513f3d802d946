"""Names as pictures show them: each in glyphs of the font, and no two alike."""

from collections import defaultdict
from collections.abc import Iterable

from bot.draw.glyphs import ELLIPSIS, MISSING, drawable, width

_SIZE = 40  # pixels: the size in which names are measured
_LONGEST = 7.0 * _SIZE  # a name of this width fits into every chart, a wider one may be cut
_BEGINNING = 5.0 * _SIZE  # the width of a name's beginning that every chart shows
_FEWEST_LONG = 8  # letters of the shortest name that can be wider than _LONGEST
_MOST_AT_AN_END = 20  # letters before and after a middle that is left out


def distinct_names(names: Iterable[str]) -> dict[str, str]:
    """Each name as it is drawn. Different names that would look alike get numbers in sorted order,
    but for the one drawn as written. Long names with the same beginning lose their middle, not
    their end."""
    shown = {name: drawable(name) or (MISSING if name else "") for name in names}
    if len(shown) > 1:
        shown |= _shortened(shown)
    if len(set(shown.values())) == len(shown):
        return shown
    return shown | _numbered_names(shown)


def _numbered_names(shown: dict[str, str]) -> dict[str, str]:
    """The names that are drawn like another name, each with a number that makes it distinct."""
    names_by_text = defaultdict(list)
    for name, text in shown.items():
        names_by_text[text].append(name)
    numbered: dict[str, str] = {}
    used_texts = set(shown.values())
    for text, names in names_by_text.items():
        if len(names) == 1:
            continue
        number = 1
        if text in names:
            number = 2
        for name in sorted(name for name in names if name != text):
            while _numbered(text, number) in used_texts:
                number += 1
            numbered[name] = _numbered(text, number)
            used_texts.add(numbered[name])
    return numbered


def _numbered(text: str, number: int) -> str:
    """A drawn name with a number: 〓1みどり, みど…(2)り, or 吉野家(2) where there is neither."""
    for sign, form in ((MISSING, "{}"), (ELLIPSIS, "({})")):
        if sign in text:
            before, _, after = text.partition(sign)
            return before + sign + form.format(number) + after
    return f"{text}({number})"


def _shortened(shown: dict[str, str]) -> dict[str, str]:
    """The long names that share their beginning with another, without their middle."""
    names_by_beginning = defaultdict(list)
    for name, text in shown.items():
        if len(text) >= _FEWEST_LONG and width(text, _SIZE) > _LONGEST:
            names_by_beginning[_beginning(text)].append(name)
    shortened: dict[str, str] = {}
    for names in names_by_beginning.values():
        if len(names) > 1:
            for name in names:
                shortened[name] = _without_middle(shown[name])
    return shortened


def _beginning(text: str) -> str:
    """The letters of a long name that every chart shows."""
    for length in range(1, len(text)):
        if width(text[:length], _SIZE) > _BEGINNING:
            return text[: length - 1]
    return text[:-1]


def _without_middle(text: str) -> str:
    """A long name with as many letters of both ends as every chart has room for, at least two."""
    letters = min(len(text) // 2, _MOST_AT_AN_END)
    shortened = _ends(text, letters)
    while letters > 2 and width(shortened, _SIZE) > _LONGEST:
        letters -= 1
        shortened = _ends(text, letters)
    return shortened


def _ends(text: str, letters: int) -> str:
    return text[:letters].rstrip() + ELLIPSIS + text[-letters:].lstrip()
