"""Write a date for a hand-kept season log in the form that the log already uses."""

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
    """`day` in the form of `sample`, a line that `roomlog` reads as a date. Where the form is
    unknown, the date is written like `20200518`."""
    text = sample.lstrip("\ufeff")
    # Digits and slashes as ASCII; a full-width mark in front stays.
    plain = unicodedata.normalize("NFKC", text)
    if text.startswith("＃") and len(plain) == len(text):
        plain = text[0] + plain[1:]
    if compact := _COMPACT.match(plain):
        return compact[1] + format(day, DEFAULT)
    date_ = _PARTED.match(plain)
    if not date_:
        return format(day, DEFAULT)
    padded = date_["month"].startswith("0") or date_["day"].startswith("0")
    month = str(day.month)
    monthday = str(day.day)
    if padded:
        month = month.zfill(2)
        monthday = monthday.zfill(2)
    year = ""
    if date_["year"]:
        year = f"{day.year:04d}{date_['first']}"
    return f"{date_['mark']}{year}{month}{date_['second']}{monthday}{date_['last']}"
