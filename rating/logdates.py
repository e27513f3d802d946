"""Write a date for a hand-kept season log in the form that the log already uses."""

import re
import unicodedata
from datetime import date, timedelta, timezone

JST = timezone(timedelta(hours=9), "JST")
DEFAULT = "%Y%m%d"
_COMPACT = re.compile(r"^(?P<mark>\s*(?:[#＃]\s*)?)[0-9]{8}")
_PARTED = re.compile(
    r"^(?P<mark>\s*(?:[#＃]\s*)?)(?:(?P<year>[0-9]{4})(?P<first>[-/.年]))?"
    r"(?P<month>[0-9]{1,2})(?P<second>[-/.月])(?P<day>[0-9]{1,2})(?P<last>日?)"
)


def header_like(sample: str, day: date) -> str:
    """`day` in the form of `sample`, a line that `roomlog` reads as a date. Where the form is
    unknown, the date is written like `20200518`."""
    text = sample.lstrip("\ufeff")
    # Digits and slashes as ASCII; a full-width mark in front stays.
    plain = unicodedata.normalize("NFKC", text)
    if text.startswith("＃") and len(plain) == len(text):
        plain = "＃" + plain.removeprefix("#")
    compact = _COMPACT.match(plain)
    if compact:
        return compact["mark"] + format(day, DEFAULT)
    parts = _PARTED.match(plain)
    if not parts:
        return format(day, DEFAULT)
    width = 1
    if parts["month"].startswith("0") or parts["day"].startswith("0"):
        width = 2
    year = f"{day.year:04d}{parts['first']}" if parts["year"] else ""
    month = str(day.month).zfill(width)
    month_day = str(day.day).zfill(width)
    return f"{parts['mark']}{year}{month}{parts['second']}{month_day}{parts['last']}"
