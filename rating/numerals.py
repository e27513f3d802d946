"""Numbers as people write them: with any minus sign, wide digits, commas between thousands, a unit.

Phones, spreadsheets and Tenhou's own pages write a negative number with different characters:
a hyphen, a minus sign, a dash, the long vowel mark ー, or the triangles of Japanese bookkeeping.
"""

import re
import unicodedata

MINUS_SIGNS = "-‐‑‒–—―−⁻－﹣ーｰ─━▲△▼▽➖"
PLUS_SIGNS = "+＋﹢⁺➕"
_EMOJI = "\ufe0f"  # makes the character before it an emoji: ➖ followed by it is still a minus sign
MINUS = f"(?:[{re.escape(MINUS_SIGNS)}]{_EMOJI}?)"
PLUS = f"(?:[{re.escape(PLUS_SIGNS)}]{_EMOJI}?)"
SIGN = f"(?:{MINUS}|{PLUS})"
"""Patterns of one sign, for use in larger patterns."""

UNIT = "(?:pts?|ポイント|点)"
_NUMBER = re.compile(
    rf"(?:(?P<minus>{MINUS})|{PLUS})?\s?"
    r"(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?P<decimals>\.[0-9]+)?"
    rf"\s?{UNIT}?",
    re.IGNORECASE,
)


def plain_number(text: str) -> str | None:
    """The number of a text as Python and Tenhou write it (`-1047.0`), or None where it is none.

    A number without a sign, or with a plus sign, has no sign in the result.
    """
    number = _NUMBER.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if number is None:
        return None
    sign = "-" if number["minus"] else ""
    return sign + number["digits"].replace(",", "") + (number["decimals"] or "")


def number_of(text: str) -> float | None:
    """The value of a number written in any of these ways, or None where the text is none."""
    plain = plain_number(text)
    return None if plain is None else float(plain)
