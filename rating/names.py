"""Normalise names: one name is one player, in whatever Unicode form a program writes it.

「が」 is one character (NFC) or か and a mark (NFD). macOS writes the second in names of files and
in what is copied from them. Both are the same text: https://unicode.org/reports/tr15/

NFC would also replace compatibility ideographs (U+FA19 by 神). These stay, because they are
different characters in people's names, and macOS leaves them as they are
(https://developer.apple.com/library/archive/technotes/tn/tn1150.html, Unicode Subtleties).
"""

import re
from unicodedata import is_normalized, normalize

LONGEST_NAME = 100  # characters of a name: of a player, a team, a season, a league
NO_NAME = "?"  # shown for a name without a visible character
_COMPOSED = re.compile("[^\uf900-\ufaff\U0002f800-\U0002faff]+")
# Characters that turn the direction of the text after them, or that show nothing
# (https://unicode.org/reports/tr9/, explicit directional formatting characters and marks).
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def canonical_name(name: str) -> str:
    """The name in the form in which names are compared."""
    if is_normalized("NFC", name):
        return name
    return _COMPOSED.sub(_composed, name)


def _composed(run: re.Match[str]) -> str:
    return normalize("NFC", run[0])


def visible_text(text: str) -> str:
    """The text without characters that would turn around what follows it."""
    return _INVISIBLE.sub("", text)


def visible_name(name: str) -> str:
    return visible_text(name) or NO_NAME
