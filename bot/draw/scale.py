"""Scales, round numbers and dates for axes, and numbers as text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, isfinite, log10

_DAY_STEPS = (1, 2, 5, 7, 14)
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120)


@dataclass(frozen=True)
class Scale:
    """Maps values from `low` to `high` to pixels from `start` to `end`, or all of them to the middle."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high <= self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def step_for(span: float, most: int) -> float:
    """The smallest of 1, 2, 5 (or 25, 250, ...) x 10^n that divides `span` into at most `most` parts."""
    if span <= 0 or not isfinite(span):
        return 1.0
    power = 10.0 ** floor(log10(span / most))
    leads = (1, 2, 2.5, 5, 10, 20) if power >= 10 else (1, 2, 5, 10, 20)
    return next(power * lead for lead in leads if span / (power * lead) <= most)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from `low` to `high`, at most `most` + 1 of them."""
    step = step_for(high - low, most)
    return [index * step for index in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def ticks_about(centre: float, low: float, high: float, most: int, least: int = 3) -> list[float]:
    """About `most` round steps up and down from `centre`, closer where fewer than `least` lie between the
    ends."""
    marks: list[float] = []
    for parts in range(most, most + 2 * least + 2):
        marks = [centre + mark for mark in ticks(low - centre, high - centre, parts)]
        if len(marks) >= least:
            break
    return marks


def days(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """The days (ordinals) that get a label, about `most`, and their labels: 7/12, 7月, or the year."""
    first, last = (date.fromordinal(min(max(end, 1), date.max.toordinal())) for end in (int(low), ceil(high)))
    span = last.toordinal() - first.toordinal()
    for step in _DAY_STEPS:
        if span <= step * most and span <= 62:
            ends = first.toordinal(), min(last.toordinal(), floor(high + 0.5)) + 1
            marks = [date.fromordinal(day) for day in range(*ends, step)]
            return [(day.toordinal(), f"{day.month}/{day.day}") for day in marks]
    for step in _MONTH_STEPS:
        marks = _months(first, last, step)
        if len(marks) <= most:
            break
    if step == 1 and len(marks) < 3:
        middles = _months(first, last, 1, 15)
        marks = sorted([*marks, *middles]) if len(marks) + len(middles) <= most + 1 else marks
    named = ((day, f"{day.month}月" if day.month > 1 else f"{day.year}年") for day in marks)
    return [(day.toordinal(), f"{day.month}/{day.day}" if day.day > 1 else word) for day, word in named]


def _months(first: date, last: date, step: int, on: int = 1) -> list[date]:
    """Day `on` of every `step`-th month, from `first` to `last`."""
    begin, end = first.year * 12 + first.month - 1, last.year * 12 + last.month - 1
    months = range(-(-begin // step) * step, end + 1, step)
    firsts = (date(month // 12, month % 12 + 1, on) for month in months)
    return [day for day in firsts if first <= day <= last]


def number(value: float, decimals: int = 0, signed: bool = False) -> str:
    """A number as text (1672, 12,345, +1,752.0, −4): a true minus sign, never −0."""
    text = f"{abs(value):,.{decimals}f}"
    if not signed and len(text.split(".")[0]) <= 5:
        text = text.replace(",", "")
    if not text.strip("0.,"):
        return text
    return ("−" if value < 0 else "+" if signed else "") + text


def finite(xs: Sequence[float], ys: Sequence[float]) -> tuple[list[float], list[float]]:
    kept = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True) if isfinite(x) and isfinite(y)]
    return [x for x, _ in kept], [y for _, y in kept]
