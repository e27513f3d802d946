"""Periods as members say them (今月, 2026年6月, 6/1〜6/30, 直近30日) and as buttons hold them
(`from`, `to`).

A game belongs to the day (JST) under which its season log has it, for Tenhou's own lines the day of
its start: a night that goes on after midnight is two days. A week begins on Monday."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot import texts

# what a year may be
EARLIEST = date(1990, 1, 1)
LATEST = date(2100, 12, 31)
LONGEST = 32  # characters of a word that may be a period
# What every period's words hold.
_HINT = re.compile(
    r"\d|[今昨本先去前半一曜]|きょ|きの|こ[んのな]|せん|こと|おと|さき|さく|ゆう|週末"
)
_DAY = timedelta(days=1)
_SPAN = re.compile(r"(.+?)(?:から|より|~|-(?=\d{1,2}[/月])|-(?=\d{4}))(.*)", re.DOTALL)
_UNTIL = re.compile(r"(?:~|-)?(.+?)(?:まで|迄)?")
_SINCE = re.compile(r"(.+?)(?:から|より|以降|以後|~)")
_YEAR_MONTH = re.compile(r"(\d{4})(?:年|[-/.])(\d{1,2})月?")
_YEAR = re.compile(r"(\d{4})年")
_DAY_ALONE = re.compile(r"(\d{1,2})日")
_MONTH = re.compile(r"(\d{1,2})月")
_FULL = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_PLAIN = re.compile(r"(\d{4})(\d{2})(\d{2})")
_SHORT = re.compile(r"(\d{1,2})[/.月](\d{1,2})日?")
_WEEKDAY = re.compile(r"[(（]?[月火水木金土日][)）]?$|曜日?$")
_PARTS = {
    "前半": (1, 15),
    "後半": (16, 0),
    "上旬": (1, 10),
    "中旬": (11, 20),
    "下旬": (21, 0),
}  # of a month; 0: its end
_LAST = re.compile(r"(?:直近|最近|ここ|過去|この)?(\d{1,3})(日|週間?|[かカヶヵケ個]?月|年)間?")
_LAST_UNITS = {"日": 1, "週": 7, "週間": 7, "年": 365}
_RELATIVE = {
    word: (unit, steps)
    for unit, steps, words in (
        ("day", 0, "今日 きょう 本日 今夜 今晩 こんや こんばん"),
        ("day", -1, "昨日 きのう 前日 前の日 昨夜 昨晩 さくや ゆうべ 昨日の夜"),
        ("day", -2, "おととい おとつい 一昨日"),
        ("day", -3, "さきおととい"),
        ("week", 0, "今週 こんしゅう"),
        ("week", -1, "先週 せんしゅう"),
        ("week", -2, "先々週"),
        ("month", 0, "今月 こんげつ"),
        ("month", -1, "先月 せんげつ 前月"),
        ("month", -2, "先々月 先先月"),
        ("year", 0, "今年 ことし 今年度"),
        ("year", -1, "去年 昨年 きょねん"),
    )
    for word in words.split()
}
_TONIGHT = ("今夜", "今晩", "こんや", "こんばん")
_BEFORE_WORDS = "この前 このまえ この間 このあいだ こないだ 前回 前に打った日 最後に打った日"
_BEFORE = tuple(_BEFORE_WORDS.split())  # the last day of play
_DAY_OF_WEEK = re.compile(
    r"(?:(今週|こんしゅう|先週|せんしゅう|先々週)の?|(?:この前|このまえ|この間|こないだ|前|昨日)の?)?([月火水木金土日])(?:曜日?)?(の夜)?"
)


@dataclass(frozen=True, order=True)
class Period:
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    def __contains__(self, day: date | None) -> bool:
        return day is not None and self.first <= day <= self.last

    @property
    def title(self) -> str:
        """2026年6月, 2026年, 2026年6月29日 or 2026年6月1日〜6月15日: always with the year."""
        if self.is_month:
            return f"{self.first.year}年{self.first.month}月"
        if self == year_of(self.first):
            return f"{self.first.year}年"
        return texts.period(self.first, self.last)

    @property
    def is_month(self) -> bool:
        return self == month_of(self.first)

    @property
    def short(self) -> str:
        """The title for a button: 6月, 6/29, 6/1〜6/15."""
        if self.is_month:
            return f"{self.first.month}月"
        if self == year_of(self.first):
            return self.title
        ends = (texts.short_day(self.first), texts.short_day(self.last))
        return ends[0] if self.first == self.last else "〜".join(ends)

    @property
    def options(self) -> dict[str, str]:
        return {"from": self.first.isoformat(), "to": self.last.isoformat()}

    def moved(self, steps: int) -> Period:
        """The period as long as this one, `steps` later (before, for less than 0): months from
        months.
        """
        if self.is_month:
            return month_of(_month_later(self.first, steps))
        if self == year_of(self.first):
            return year_of(self.first.replace(year=self.first.year + steps))
        days = (self.last - self.first + _DAY) * steps
        return Period(self.first + days, self.last + days)


# A period without games before the last game, and after it; of one season, and of all.
NO_GAMES = "{period}の対局はありません。記録があるのは{days}です。"
NO_GAMES_OF = "{period}の対局はありません。記録があるのは{season}の{days}です。"
NO_GAMES_SINCE = "{period}の対局はありません。最後は{day}です。"
NO_GAMES_SINCE_OF = "{period}の対局はありません。{season}の最後は{day}です。"


def no_games_sentence(period: Period, days: Sequence[date], season: str) -> str:
    """That a period has no games, and when there are some, of the season if it is named."""
    last = texts.day_with_year(days[-1])
    if days[-1] > period.last:
        all_days = texts.period(days[0], days[-1])
        if season:
            return NO_GAMES_OF.format(period=period.title, season=season, days=all_days)
        return NO_GAMES.format(period=period.title, days=all_days)
    if season:
        return NO_GAMES_SINCE_OF.format(period=period.title, season=season, day=last)
    return NO_GAMES_SINCE.format(period=period.title, day=last)


def period(first: date, last: date) -> Period:
    return Period(min(first, last), max(first, last))


def _one_day(day: date) -> Period:
    return Period(day, day)


def year_of(day: date) -> Period:
    return Period(date(day.year, 1, 1), date(day.year, 12, 31))


def month_of(day: date) -> Period:
    first = day.replace(day=1)
    return Period(first, _month_later(first, 1) - _DAY)


def week_of(day: date) -> Period:
    monday = day - timedelta(days=day.weekday())
    return Period(monday, monday + timedelta(days=6))


def last_days(count: int, today: date) -> Period:
    return Period(today - timedelta(days=count - 1), today)


def _month_later(day: date, months: int) -> date:
    number = 12 * day.year + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def of_options(first: str, last: str) -> Period | None:
    """The period of a button's `from` and `to` (ISO days; one may stand for both), or None."""
    try:
        days = [date.fromisoformat(day) for day in (first or last, last or first)]
    except ValueError:
        return None
    for day in (first, last):
        if day and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", day, re.ASCII):
            return None
    if not all(EARLIEST <= day <= LATEST for day in days):
        return None
    return period(*days)


def is_period(word: str) -> bool:
    """Whether a word names a period, whatever day it is."""
    return period_of(word, date(2024, 12, 31)) is not None


def is_day(word: str) -> bool:
    found = period_of(word, date(2024, 12, 31))
    return found is not None and found.first == found.last


def is_date(word: str) -> bool:
    """Whether a word names one day by its date or like 昨日; 土曜, 13日 and この前 begin plans and
    talk.
    """
    vague = "曜" in word or _DAY_ALONE.fullmatch(word) or _plain(word) in (*_BEFORE, *_TONIGHT)
    return is_day(word) and not vague


def day_of(word: str, today: date) -> date | None:
    """The day a word names, perhaps to come; without a year the nearest. から may stand at the
    end.
    """
    word = _without_weekday(_plain(word).removesuffix("から").removesuffix("より")).replace(
        "-", "/"
    )
    if word in ("明日", "あした"):
        return today + _DAY
    if found := _SHORT.fullmatch(word):
        years = (today.year - 1, today.year, today.year + 1)
        month, day = map(int, found.groups())
        tried = (of_options(f"{year}-{month:02}-{day:02}", "") for year in years)
        dates = [each.first for each in tried if each]
        return min(dates, key=lambda day: abs(day - today), default=None)
    named = period_of(word, today)
    return named.first if named and named.first == named.last else None


def period_of(
    word: str,
    today: date,
    days: Sequence[date] = (),
) -> Period | None:
    """The period a word means, or None. `days` are the days of play in order. A month or day
    without a year is the latest one with games, where there is any, else the latest that is not to
    come."""
    if len(word) > LONGEST or not _HINT.search(word):
        return None
    word = _plain(word)
    try:
        return (
            _relative(word, today)
            or _of_week(word, today, days)
            or _dated(word, today, days)
            or _between(word, today, days)
        )
    except (ValueError, OverflowError):  # no such day
        return None


def _plain(word: str) -> str:
    """A word as it is compared: widths folded, one sign for from-to, no spaces."""
    word = unicodedata.normalize("NFKC", word).strip()
    return re.sub(r"\s+", "", re.sub("[〜～∼−–—―ー](?=[\\d今昨])|[〜～∼]", "~", word))


def _relative(word: str, today: date) -> Period | None:
    if word in _RELATIVE:
        unit, steps = _RELATIVE[word]
        if unit == "year":
            return year_of(date(today.year + steps, 1, 1))
        whole = {
            "day": Period(today, today),
            "week": week_of(today),
            "month": month_of(today),
        }
        return whole[unit].moved(steps)
    if word == "半年":
        return last_days(183, today)
    found = _LAST.fullmatch(word)
    # 6月 and 2026年 are a month and a year.
    if not found or not int(found[1]) or found[2] in ("月", "年"):
        return None
    if found[2].endswith("月"):
        first = _month_later(today, -int(found[1]))
        return Period(
            first.replace(day=min(today.day, month_of(first).last.day)) + _DAY,
            today,
        )
    if (
        found[2] == "日"
        and word == found[0]
        and not re.match(r"\D", word)
        and not word.endswith("間")
    ):
        return None  # 30日 alone is no period: it may be a day of a month
    return last_days(int(found[1]) * _LAST_UNITS[found[2]], today)


def _of_week(word: str, today: date, days: Sequence[date]) -> Period | None:
    """The last day of play before today (この前), the latest Saturday (土曜) or a week's
    (先週の土曜).
    """
    if word in _BEFORE:
        day = max((day for day in days if day < today), default=today - _DAY)
        return Period(day, day)
    if word in ("週末", "先週末", "今週末"):
        saturday = week_of(today if word == "今週末" else today - 5 * _DAY).first + 5 * _DAY
        return Period(saturday, saturday + _DAY)
    found = _DAY_OF_WEEK.fullmatch(word)
    if not found or word == "日":
        return None
    if word[-1] not in "日曜夜" and len(word) < 3:
        return None
    number = texts.WEEKDAYS.index(found[2])
    if found[1]:
        _, steps = _RELATIVE[found[1]]
        day = week_of(today).moved(steps).first + number * _DAY
    else:
        day = today - (today.weekday() - number) % 7 * _DAY
    return Period(day, day)


def _dated(word: str, today: date, days: Sequence[date]) -> Period | None:
    if found := _YEAR_MONTH.fullmatch(word):
        return _kept(
            month_of(
                date(
                    int(found[1]),
                    int(found[2]),
                    1,
                )
            )
        )
    if found := _YEAR.fullmatch(word):
        return _kept(year_of(date(int(found[1]), 1, 1)))
    if found := _MONTH.fullmatch(word):
        month = int(found[1])
        return _latest(lambda year: month_of(date(year, month, 1)), today, days)
    if part := re.fullmatch(rf"(.+?)の?({'|'.join(_PARTS)})", word):
        whole = _point(part[1], today, days)
        first, last = _PARTS[part[2]]
        if whole is None or not whole.is_month:
            return None
        end = whole.last
        if last:
            end = whole.first.replace(day=last)
        return Period(whole.first.replace(day=first), end)
    if found := _DAY_ALONE.fullmatch(word):
        months = [month_of(_month_later(today, -back)) for back in range(12)]
        after_first = (int(found[1]) - 1) * _DAY
        tried = [(month, month.first + after_first) for month in months]
        past = [day for month, day in tried if day in month and day <= today]
        if not past:
            return None
        return _one_day(next((day for day in past if day in days), past[0]))
    bare = _without_weekday(word)
    if found := _FULL.fullmatch(bare) or _PLAIN.fullmatch(bare):
        return _kept(_one_day(date(*map(int, found.groups()))))
    if found := _SHORT.fullmatch(bare):
        month, number = map(int, found.groups())
        return _latest(lambda year: _one_day(date(year, month, number)), today, days)
    return None


def _without_weekday(word: str) -> str:
    return _WEEKDAY.sub("", word) if word[-1:] in ")）曜日" and "(" in word else word


def _kept(found: Period) -> Period | None:
    return found if EARLIEST <= found.first <= found.last <= LATEST else None


def _latest(
    of: Callable[[int], Period],
    today: date,
    days: Sequence[date],
) -> Period | None:
    """The latest year's period with games, else the latest begun; no year without the day
    (2/29).
    """
    begun: Period | None = None
    earliest = today.year - 4
    if days:
        earliest = min(earliest, days[0].year)
    for year in range(today.year, earliest - 1, -1):
        try:
            found = of(year)
        except ValueError:
            continue
        if found.first > today:
            continue
        begun = begun or found
        if any(day in found for day in days):
            return found
    return begun


def _between(word: str, today: date, days: Sequence[date]) -> Period | None:
    first_day = days[0] if days else EARLIEST
    found = _SINCE.fullmatch(word)
    since = _point(found[1], today, days) if found else None
    if since:
        return period(since.first, max(today, since.first))
    if word.endswith(("まで", "迄")) or word.startswith("~"):
        found = _UNTIL.fullmatch(word)
        if found and "~" not in found[1] and "から" not in found[1]:
            until = _point(found[1], today, days)
            return period(first_day, until.last) if until else None
    found = _SPAN.fullmatch(word)
    if not found:
        return None
    begin = found[1]
    end = found[2].removesuffix("まで").removesuffix("迄")
    since = _point(begin, today, days)
    length = _LAST.fullmatch(end)
    without_unit = found[2].replace("間", "")
    if since and length and length[2] in _LAST_UNITS and end != without_unit:
        count = int(length[1]) * _LAST_UNITS[length[2]]
        return period(since.first, since.first + (count - 1) * _DAY)
    if begin.isdecimal() and _MONTH.fullmatch(end):
        begin += "月"
    since = _point(begin, today, ())
    until = _ending(end, begin, today)
    if since is None or until is None:
        return None
    if until.last < since.first and not _has_year(begin):
        # The beginning of 12/20〜1/10 is of the year before the end.
        year = until.last.year
        if since.first.replace(year=2000) > until.last.replace(year=2000):
            year -= 1
        since = Period(
            since.first.replace(year=year),
            since.last.replace(year=year),
        )
    made = period(since.first, until.last)
    fixed = any(_has_year(end) or _relative(end, today) for end in (begin, end))
    return made if fixed else _played(made, days)


def _played(made: Period, days: Sequence[date]) -> Period:
    """The period, or as many years earlier as it takes to have games; itself where no year has
    any.
    """
    earliest = made.last.year
    if days:
        earliest = min(earliest, days[0].year)
    for years in range(made.last.year - earliest + 1):
        try:
            first = made.first.replace(year=made.first.year - years)
            last = made.last.replace(year=made.last.year - years)
        except ValueError:  # 2/29
            continue
        earlier = Period(first, last)
        if any(day in earlier for day in days):
            return earlier
    return made


def _point(word: str, today: date, days: Sequence[date]) -> Period | None:
    return _relative(word, today) or _dated(word, today, days)


def _ending(word: str, begin: str, today: date) -> Period | None:
    """The end of a from-to, which takes what it lacks from the beginning: 2026/6/1〜6/30,
    6/1〜30.
    """
    begin_year = re.match(r"(\d{4})[-/.年]", begin)
    if begin_year and not _has_year(word) and _relative(word, today) is None:
        found = _ending(word, begin[begin_year.end() :], today)
        begin_at = _point(begin, today, ())
        if found is None or begin_at is None:
            return None
        year = int(begin_year[1])
        same = Period(
            found.first.replace(year=year),
            found.last.replace(year=year),
        )
        if found.is_month:
            same = month_of(same.first)
        if same.last < begin_at.first:
            return Period(same.first, same.last.replace(year=year + 1))
        return same
    if (number := re.fullmatch(r"(\d{1,2})日?", word)) and (
        month := re.match(r"(\d{1,2})[/.月]\d", begin)
    ):
        return _point(f"{month[1]}/{number[1]}", today, ())
    if (number := re.fullmatch(r"(\d{1,2})", word)) and _MONTH.fullmatch(begin):
        return _point(f"{number[1]}月", today, ())
    return _point(word, today, ())


def _has_year(word: str) -> bool:
    return re.match(r"\d{4}", word) is not None
