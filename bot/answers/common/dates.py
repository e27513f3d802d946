"""Reads days as people type them."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

_NEAR = {"今日": 0, "きょう": 0, "本日": 0, "明日": 1, "あした": 1, "昨日": -1, "きのう": -1}
_FULL = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?", re.ASCII)
_PLAIN = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)
_SHORT = re.compile(r"(\d{1,2})[-/.月](\d{1,2})日?", re.ASCII)


def day_of(word: str, today: date) -> date | None:
    """The day a word means, or None.

    `2026-12-01`, `20261201`, `12/1` and `12月1日` (the nearest such day), `明日`; から may stand at the end.
    """
    word = unicodedata.normalize("NFKC", word).removesuffix("から").removesuffix("より")
    if word in _NEAR:
        return today + timedelta(days=_NEAR[word])
    if found := _FULL.fullmatch(word) or _PLAIN.fullmatch(word):
        return _date(*map(int, found.groups()))
    if found := _SHORT.fullmatch(word):
        days = [
            _date(year, *map(int, found.groups())) for year in (today.year - 1, today.year, today.year + 1)
        ]
        return min((day for day in days if day), key=lambda day: abs(day - today), default=None)
    return None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
