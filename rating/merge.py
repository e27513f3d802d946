"""Merge new games into a season log that people edit by hand: each game once, old lines unmoved.

Two lines are the same game when day, start, room, players, points and chips agree. People forget to
type dates: the lines under `#4/10` may cover a week. So an equal line before any date, or under a
date up to seven days earlier, counts as the same game. Where all of Tenhou's own lines are given,
games that were corrected by hand are recognised too (rating/same_game.py).
"""

import re
from codecs import BOM_UTF8
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from rating.logdates import DEFAULT, header_like
from rating.roomlog import Kind, LogLine, RoomLog, Span, parse, parse_utf8
from rating.same_game import CorrectedGame, Offers, corrected_games, covers_day, identity

_START = re.compile(r"\|\s*(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)\s*\|")
_DAY_MINUTES = 24 * 60
_RESULTS = (Kind.GAME, Kind.FINE, Kind.PROBLEM)  # the lines of a room's results


class DayLine(NamedTuple):
    """A day of play and a line of the room's results, without its line end."""

    day: date
    raw: bytes


@dataclass(frozen=True, slots=True)
class Merged:
    """The log's new bytes, the lines added, and the games that the log has with corrections."""

    data: bytes
    added: tuple[DayLine, ...]
    corrected: tuple[CorrectedGame, ...] = ()


@dataclass(slots=True)
class _Section:
    """The lines of one day of play, as indexes: `start` is that of the line after the date, `end`
    that after the day's last line.

    `date_line`: the line of the date, None where the date is glued to a game's line.
    `ends_with_date`: the next section's date is glued to the last line.
    """

    day: date | None
    start: int
    end: int
    date_line: int | None = None
    ends_with_date: bool = False


@dataclass(frozen=True, slots=True)
class _New:
    """A line to merge: its bytes, its content, what identifies its game, and the game's start."""

    raw: bytes
    line: LogLine
    key: Hashable
    start: time


_NewLines = Mapping[date, list[_New]]
"""The lines to merge, by day of play."""


def merge(
    data: bytes,
    days: Mapping[date, Iterable[bytes]],
    hint: Span | date | None = None,
    offers: Offers | None = None,
    elsewhere: Iterable[LogLine] = (),
) -> Merged:
    """The log with those lines of `days` (Tenhou's room log lines by day of play) that it lacks.

    Merging again changes nothing. A line that occurs n times in `days` occurs at least n times
    afterwards, unless it was corrected by hand (below). Old lines keep their bytes and order; only
    a missing last newline is added. If lines are added, a log in another encoding is rewritten as
    UTF-8; otherwise its bytes stay.

    `hint`: see `roomlog.parse`; by default the log ends within half a year after the newest day.
    With `offers` (all that Tenhou offers for a day) a game that was corrected by hand in this log,
    or in another one (`elsewhere`: its lines), is not added. Raises ValueError when a line of
    `days` is not a single line of a room's results, or when the log is no text."""
    new_by_day = _filled({day: _read(days[day]) for day in sorted(days)})
    if not new_by_day:
        return Merged(data, ())
    hint = hint or max(new_by_day)
    parsed = without_bom(data, hint)
    log = parsed.log
    if log.refused:
        raise ValueError(log.refused)
    missing = _missing(log, new_by_day)
    corrected: list[CorrectedGame] = []
    if missing and offers is not None:
        missing_lines = {day: [new.line for new in lines] for day, lines in missing.items()}
        corrected = corrected_games(missing_lines, chain(log.lines, elsewhere), offers)
        missing = _without_corrected(missing, corrected)
    if not missing:
        return Merged(data, (), tuple(corrected))
    text = _place(log, missing, default_dates=False)
    # The log's own form of dates may be ambiguous: where a new date is not read as the same day,
    # new dates are written in the default form.
    if not set(missing) <= set(parse_utf8("", text, hint).days):
        text = _place(log, missing, default_dates=True)
    return Merged(parsed.bom + text, _day_lines(missing), tuple(corrected))


def _filled(lines_by_day: _NewLines) -> dict[date, list[_New]]:
    """The days that have lines."""
    return {day: lines for day, lines in lines_by_day.items() if lines}


def _without_corrected(
    missing: _NewLines, corrected: Sequence[CorrectedGame]
) -> dict[date, list[_New]]:
    # by id, because equal lines are several games
    corrected_lines = {id(game.offered) for game in corrected}
    return _filled(
        {
            day: [new for new in lines if id(new.line) not in corrected_lines]
            for day, lines in missing.items()
        }
    )


def _day_lines(lines_by_day: _NewLines) -> tuple[DayLine, ...]:
    day_lines = []
    for day, lines in lines_by_day.items():
        day_lines += [DayLine(day, line.raw) for line in lines]
    return tuple(day_lines)


class DayGame(NamedTuple):
    """A game by its identity, and the day under which a log has it."""

    day: date | None
    game: Hashable


def games_of(log: RoomLog) -> Counter[DayGame]:
    """How often each game occurs under each day; a line that cannot be read counts by its text."""
    lines = [line for line in log.lines if line.kind in _RESULTS]
    return Counter(DayGame(line.day, identity(line)) for line in lines)


def _read(raws: Iterable[bytes]) -> list[_New]:
    """The lines in order of start. Raises ValueError when one is not a single line of a room's
    results."""
    result = []
    for raw in raws:
        raw = raw.rstrip(b"\r\n")
        line = next(iter(parse_utf8("", raw).lines), None)
        if line is None or line.kind is Kind.BLANK:
            continue
        if b"\n" in raw or line.kind not in _RESULTS or line.glued:
            raise ValueError(f"not a line of a room's results: {line.text[:200]!r}")
        result.append(_New(raw, line, identity(line), _start_of(line)))
    return sorted(result, key=attrgetter("start"))


def _start_of(line: LogLine) -> time:
    """The time in the line, as far as it can be read; else midnight."""
    start = None
    if line.game is not None:
        start = line.game.start
    elif line.fine is not None:
        start = line.fine.start
    else:
        clock = _START.search(line.text)
        if clock:
            start = time(int(clock["hour"]), int(clock["minute"]))
    return start or time()


def _missing(log: RoomLog, new_by_day: _NewLines) -> dict[date, list[_New]]:
    """The new lines that the log lacks. Of n equal ones of a day it lacks those beyond its own
    number."""
    logged: defaultdict[Hashable, list[date | None]] = defaultdict(list)
    for day_game, count in games_of(log).items():
        logged[day_game.game] += [day_game.day] * count
    missing: dict[date, list[_New]] = {}
    for today, lines in new_by_day.items():
        new_count: Counter[Hashable] = Counter()
        for line in lines:
            new_count[line.key] += 1
            log_count = sum(covers_day(day, today) for day in logged[line.key])
            if new_count[line.key] > log_count:
                missing.setdefault(today, []).append(line)
    return missing


_Inserts = defaultdict[int, list[bytes]]
"""The lines to insert before each index of the log's lines."""


def _place(log: RoomLog, missing: _NewLines, default_dates: bool) -> bytes:
    """The log's bytes with the lines inserted; with `default_dates`, new dates are written in the
    default form instead of the log's."""
    sections = _sections(log)
    # where a log has a day twice, the day's last section counts
    section_of = {section.day: section for section in sections}
    inserts: _Inserts = defaultdict(list)
    for day in missing.keys() & section_of.keys():
        _place_in_section(inserts, log, section_of[day], missing[day])
    for day in (day for day in missing if day not in section_of):
        before = _before(sections, day)
        if before:
            position = _end(log, before)
        else:
            position = _date_lines(sections)[0]
        inserts[position] += _header(log, sections, before, day, default_dates)
        inserts[position] += [line.raw for line in missing[day]]
    return _with_inserts(log, inserts)


def _place_in_section(
    inserts: _Inserts, log: RoomLog, section: _Section, lines: Sequence[_New]
) -> None:
    """Insert lines in their day: each before the first game that started later, else at the end."""
    start_minutes = _start_minutes(log, section)
    end = _end(log, section)
    if section.ends_with_date:
        end = section.end - 1
    for line in lines:
        minute = line.start.hour * 60 + line.start.minute
        later = (index for index, start in start_minutes.items() if start > minute)
        inserts[next(later, end)].append(line.raw)


def _with_inserts(log: RoomLog, inserts: _Inserts) -> bytes:
    """The log's bytes with lines inserted, which get the line ends that most lines have."""
    windows = sum(line.raw.endswith(b"\r\n") for line in log.lines)
    unix = sum(line.raw.endswith(b"\n") for line in log.lines) - windows
    newline = b"\r\n" if windows > unix else b"\n"
    result = bytearray()
    for index in range(len(log.lines) + 1):
        for raw in inserts.get(index, ()):
            if result and not result.endswith(b"\n"):
                result += newline
            result += raw + newline
        if index < len(log.lines):
            result += log.lines[index].raw
    return bytes(result)


def _sections(log: RoomLog) -> list[_Section]:
    """The log cut at its dates. The first section has the lines before any date. A line that is a
    date counts to the section it begins, a game's line with a glued date to the one before."""
    section = _Section(day=None, start=0, end=0)
    sections = [section]
    for index, line in enumerate(log.lines):
        next_line = index + 1
        if line.kind is Kind.DAY:
            section = _Section(line.day, start=next_line, end=next_line, date_line=index)
            sections.append(section)
        section.end = next_line
        if line.glued is not None:
            section.ends_with_date = True
            section = _Section(line.glued, start=next_line, end=next_line)
            sections.append(section)
    return sections


def _date_lines(sections: list[_Section]) -> list[int]:
    """The indexes of the lines that are dates."""
    return [section.date_line for section in sections if section.date_line is not None]


def _before(sections: list[_Section], day: date) -> _Section | None:
    """The section that a new day follows: the last of an earlier day, or the first where none is
    dated. None means before the first date. No date may directly follow a line with a glued date,
    so the new day then follows the section of the glued date."""
    dated = [index for index, section in enumerate(sections) if section.day is not None]
    earlier = [index for index in dated if (sections[index].day or day) < day]
    if not earlier and dated and not sections[dated[0] - 1].ends_with_date:
        return None
    index = max(earlier, default=0)
    while sections[index].ends_with_date:
        index += 1
    return sections[index]


def _start_minutes(log: RoomLog, section: _Section) -> dict[int, int]:
    """The start of each game by index, in minutes from the day's midnight; an earlier time of day
    than the game before it has is one of the next day."""
    result: dict[int, int] = {}
    days = 0
    previous = 0
    for index in range(section.start, section.end):
        game = log.lines[index].game
        if game is None or game.start is None:
            continue
        minutes = game.start.hour * 60 + game.start.minute
        if minutes < previous:
            days += 1
        previous = minutes
        result[index] = days * _DAY_MINUTES + minutes
    return result


def _end(log: RoomLog, section: _Section) -> int:
    """The index after the section's last line, without blank lines at its end, and without titles
    and headers before the next date."""
    excluded = {Kind.BLANK, Kind.TITLE, Kind.HEADER}
    if section.end == len(log.lines):
        excluded = {Kind.BLANK}
    index = section.end
    while index > section.start and log.lines[index - 1].kind in excluded:
        index -= 1
    return index


def _header(
    log: RoomLog, sections: list[_Section], before: _Section | None, day: date, default_dates: bool
) -> list[bytes]:
    """The lines of the new day's date, in the form of the date before it (after a blank line where
    that has one), else of the log's first date."""
    date_lines = _date_lines(sections)
    if default_dates or not date_lines:
        return [format(day, DEFAULT).encode()]
    earlier = [index for index in date_lines if before is not None and index < before.end]
    sample = date_lines[0]
    if earlier:
        sample = earlier[-1]
    header = header_like(log.lines[sample].text, day).encode()
    if earlier and sample > 1 and log.lines[sample - 1].kind is Kind.BLANK:
        return [b"", header]
    return [header]


class ParsedLog(NamedTuple):
    """A log without the byte order mark at its beginning, and that mark."""

    bom: bytes
    log: RoomLog


def without_bom(data: bytes, hint: Span | date | None) -> ParsedLog:
    bom = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    return ParsedLog(bom, parse("", data[len(bom) :], hint))
