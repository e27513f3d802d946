"""Write a date for a hand-kept season log in the form that the log already uses."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta, timezone

JST = timezone(timedelta(hours=9), "JST")
DEFAULT = "%Y%m%d"
_COMPACT = re.compile(r"^(\s*(?:[#＃]\s*)?)[0-9]{8}")
_PARTED = re.compile(
    r"^(?P<mark>\s*(?:[#＃]\s*)?)(?:(?P<year>[0-9]{4})(?P<first>[-/.年]))?"
    r"(?P<month>[0-9]{1,2})(?P<second>[-/.月])(?P<day>[0-9]{1,2})(?P<last>日?)"
)


def header_like(sample: str, day: date) -> str:
    """`day` in the form of `sample`, a line that `roomlog` reads as a date.

    Where the form is unknown, the date is written like `20200518`.
    """
    text = _ascii_digits(sample.lstrip("\ufeff"))
    if found := _COMPACT.match(text):
        return found[1] + format(day, DEFAULT)
    found = _PARTED.match(text)
    if not found:
        return format(day, DEFAULT)
    padded = found["month"].startswith("0") or found["day"].startswith("0")
    month, monthday = (f"{part:02d}" if padded else str(part) for part in (day.month, day.day))
    year = f"{day.year:04d}{found['first']}" if found["year"] else ""
    return f"{found['mark']}{year}{month}{found['second']}{monthday}{found['last']}"


def _ascii_digits(text: str) -> str:
    """Full-width digits and slashes as ASCII; a full-width mark (＃) in front stays."""
    plain = unicodedata.normalize("NFKC", text)
    return text[0] + plain[1:] if text and len(plain) == len(text) and text[0] == "＃" else plain
