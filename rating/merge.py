"""Merge new games into a season log that people edit by hand: each game once, old lines where they
were.

Two lines are the same game when day, start, room, players, points and chips agree. People forget to
type dates: the lines under `#4/10` may cover a week. So an equal line before any date, or under a
date up to seven days earlier, counts as the same game. With Tenhou's own lines at hand, a game that
a hand corrected is known too (rating/same_game.py).

Some lines were made of a room's own results. The day's file of Tenhou stays the truth: its line
takes the place of ours (`settle`), what a hand made of our line stands, and what a hand took out
stays out.
"""

import re
from codecs import BOM_UTF8
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import chain

from rating.games import Game
from rating.logdates import DEFAULT, header_like
from rating.roomlog import LogLine, RoomLog, Span, parse, parse_utf8
from rating.same_game import (
    CorrectedGame,
    Offers,
    content,
    corrected_games,
    identity,
    nearness,
    offered_identities,
    stands_for,
)

_START = re.compile(r"\|\s*([01]\d|2[0-3]):([0-5]\d)\s*\|")
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Merged:
    """The log's new bytes, the lines added, by day, and the games of which a hand's version
    stands.
    """

    data: bytes
    added: tuple[tuple[date, bytes], ...]
    corrected: tuple[CorrectedGame, ...] = ()


@dataclass(slots=True)
class _Section:
    """The lines of one day of play, as indexes:

    `start` follows the date, `end` the day's last line.
    """

    day: date | None
    start: int
    end: int
    dated: int | None = None  # the line with the date, where the date has its own line
    glued: bool = False  # the last line ends with the next section's date


@dataclass(frozen=True, slots=True)
class _New:
    raw: bytes
    line: LogLine
    key: Hashable
    start: time


def merge(
    data: bytes,
    days: Mapping[date, Iterable[bytes]],
    hint: Span | date | None = None,
    offers: Offers | None = None,
    elsewhere: Iterable[LogLine] = (),
) -> Merged:
    """The log with those lines of `days` (Tenhou's room log lines by day of play) that it lacks.

    Merging again changes nothing. A line that occurs n times in `days` occurs at least n times
    afterwards. Old lines keep their bytes and order; only a missing last newline is added. `hint`:
    see `roomlog.parse`; by default the log ends within half a year after the newest day. With
    `offers`, which tells all that Tenhou offers for a day, a game that a hand corrected in this
    log, or in another one (`elsewhere`: its lines), is not added. A log in another encoding is
    UTF-8 when lines were added. Raises ValueError when a line of `days` is not a single line of a
    room's results, or when the log is no text."""
    new = {day: _read(days[day]) for day in sorted(days)}
    new = {day: lines for day, lines in new.items() if lines}
    if not new:
        return Merged(data, ())
    hint = hint or Span(until=max(new) + timedelta(days=180))
    bom, log = _parsed(data, hint)
    if log.refused:
        raise ValueError(log.refused)
    lacking = _lacking(log, new)
    corrected: tuple[CorrectedGame, ...] = ()
    if lacking and offers is not None:
        by_day = {day: [new.line for new in lines] for day, lines in lacking.items()}
        corrected = tuple(corrected_games(by_day, chain(log.lines, elsewhere), offers))
        for day, lines in lacking.items():
            lacking[day] = [new for new in lines if not _is_corrected(new.line, corrected)]
        lacking = {day: lines for day, lines in lacking.items() if lines}
    if not lacking:
        return Merged(data, (), corrected)
    text = _place(log, lacking, plain=False)
    # the log's own form of dates may be ambiguous
    if not set(lacking) <= set(parse_utf8("", text, hint).days):
        text = _place(log, lacking, plain=True)
    added: list[DayLine] = []
    for day, lines in lacking.items():
        added += [(day, line.raw) for line in lines]
    return Merged(bom + text, tuple(added), corrected)


def _is_corrected(line: LogLine, corrected: Sequence[CorrectedGame]) -> bool:
    """Return whether a hand corrected the game of this very line: equal lines are several games."""
    return any(game.tenhou is line for game in corrected)


def games_of(log: RoomLog) -> Counter[tuple[date | None, Hashable]]:
    """How often each game occurs under each day; a line that cannot be read counts by its text."""
    entries = [line for line in log.lines if line.kind in ("game", "fine", "problem")]
    return Counter((line.day, identity(line)) for line in entries)


def _read(raws: Iterable[bytes]) -> list[_New]:
    """The lines in order of start.

    Raises ValueError when one is not a single line of a room's results.
    """
    result = []
    for raw in raws:
        raw = raw.rstrip(b"\r\n")
        line = next(iter(parse_utf8("", raw).lines), None)
        if line is None or line.kind == "blank":
            continue
        if b"\n" in raw or line.kind not in ("game", "fine", "problem") or line.glued:
            raise ValueError(f"not a line of a room's results: {line.text[:200]!r}")
        result.append(_New(raw, line, identity(line), _start_of(line)))
    return sorted(result, key=lambda line: line.start)


def _start_of(line: LogLine) -> time:
    """The time in the line, as far as it can be read; else midnight."""
    start = None
    if line.game is not None:
        start = line.game.start
    elif line.fine is not None:
        start = line.fine.start
    elif clock := _START.search(line.text):
        start = time(int(clock[1]), int(clock[2]))
    return start or time()


def _lacking(
    log: RoomLog,
    new: Mapping[date, list[_New]],
) -> dict[date, list[_New]]:
    held: defaultdict[Hashable, list[date | None]] = defaultdict(list)
    for (day, key), count in games_of(log).items():
        held[key] += [day] * count
    result: dict[date, list[_New]] = {}
    for today, lines in new.items():
        seen: Counter[Hashable] = Counter()
        for line in lines:
            seen[line.key] += 1
            days = [day for day in held[line.key] if stands_for(day, today)]
            if seen[line.key] > len(days):
                result.setdefault(today, []).append(line)
    return result


def _place(
    log: RoomLog,
    lacking: Mapping[date, list[_New]],
    plain: bool,
) -> bytes:
    """The log's bytes with the lines inserted; with `plain`, new dates are written in the default
    form. In its day a game goes before the first that started later, else to the end."""
    windows = sum(line.raw.endswith(b"\r\n") for line in log.lines)
    unix = sum(line.raw.endswith(b"\n") for line in log.lines) - windows
    newline = b"\r\n" if windows > unix else b"\n"
    sections = _sections(log)
    inserts: defaultdict[int, list[bytes]] = defaultdict(list)
    own = {
        section.day: section for section in sections
    }  # where a day is named twice, its last section
    for day in lacking.keys() & own.keys():
        section = own[day]
        clock = _clock(log, own[day])
        end = section.end - 1 if section.glued else _end(log, section)
        for line in lacking[day]:
            minutes = line.start.hour * 60 + line.start.minute
            later = (index for index, other in clock.items() if other > minutes)
            inserts[next(later, end)].append(line.raw)
    for day in (day for day in lacking if day not in own):
        before = _before(sections, day)
        if before:
            position = _end(log, before)
        else:
            position = next(s.dated for s in sections if s.dated is not None)
        inserts[position] += _header(log, sections, before, day, plain)
        inserts[position] += [line.raw for line in lacking[day]]
    result = bytearray()
    for index in range(len(log.lines) + 1):
        for raw in inserts.get(index, ()):
            if result and result[-1:] != b"\n":
                result += newline
            result += raw + newline
        if index < len(log.lines):
            result += log.lines[index].raw
    return bytes(result)


def _sections(log: RoomLog) -> list[_Section]:
    """The log cut at its dates; the first section holds the lines before any date."""
    sections = [_Section(None, 0, 0)]
    for index, line in enumerate(log.lines):
        if line.kind == "day":
            sections.append(_Section(line.day, index + 1, index + 1, dated=index))
        sections[-1].end = index + 1
        if line.glued is not None:
            sections[-1].glued = True
            sections.append(_Section(line.glued, index + 1, index + 1))
    return sections


def _before(sections: list[_Section], day: date) -> _Section | None:
    """The section that a new day follows: the last of an earlier day, or the first where none is
    dated. None means before the first date. No date may directly follow a line with a glued date,
    so the new day then follows the section that the glued date starts."""
    dated = [index for index, section in enumerate(sections) if section.day is not None]
    earlier = [index for index in dated if (sections[index].day or day) < day]
    index = max(earlier) if earlier else 0
    if not earlier and dated and not sections[dated[0] - 1].glued:
        return None
    while sections[index].glued:
        index += 1
    return sections[index]


def _clock(log: RoomLog, section: _Section) -> dict[int, int]:
    """Minutes from the day's midnight of each game, by index; a clock that goes back is the next
    day's.
    """
    result: dict[int, int] = {}
    days = previous = 0
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
    """The index after the last of the section's own lines. Blank lines at its end, and titles and
    headers before the next date, stay behind the index."""
    excluded = {"blank", "title", "header"}
    if section.end == len(log.lines):
        excluded = {"blank"}
    index = section.end
    while index > section.start and log.lines[index - 1].kind in excluded:
        index -= 1
    return index


def _header(
    log: RoomLog, sections: list[_Section], before: _Section | None, day: date, plain: bool
) -> list[bytes]:
    """The lines of the new day's date, in the form of the date before it, else of the log's first
    date.
    """
    dated = [section.dated for section in sections if section.dated is not None]
    near = [index for index in dated if before is not None and index < before.end]
    if plain or not dated:
        return [format(day, DEFAULT).encode()]
    sample = near[-1] if near else dated[0]
    header = header_like(log.lines[sample].text, day).encode()
    if near and sample > 1 and log.lines[sample - 1].kind == "blank":
        return [b"", header]
    return [header]


DayLine = tuple[date, bytes]
"""A day of play and a line of the room's results, without its line end."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the room's own results. `versions` are the lines made of it; the last one is in
    force (an earlier one is from before its start was known). `started`: the last one's time is the
    game's start, else the time of its end. `stood`: a line of the game is or was in the log.
    `fresh`: the log is not looked at yet."""

    key: str
    end: datetime
    versions: tuple[DayLine, ...]
    started: bool
    stood: bool = False
    fresh: bool = True

    @property
    def current(self) -> DayLine:
        return self.versions[-1]

    @property
    def game(self) -> Game | None:
        return _line(self.current[1]).game

    def nearness(self, start: datetime) -> tuple[bool, timedelta] | None:
        """How well a start fits the game, the best first; None where it does not."""
        game = self.game
        clock = time()
        if game is not None and game.start is not None:
            clock = game.start
        ours = datetime.combine(self.current[0], clock)
        return nearness(ours, self.started, start)


@dataclass(frozen=True, slots=True)
class SettledLines:
    """A log without our lines that others replace, and what to merge into it. `days` lacks the
    lines that must not be added, `replaced` names the lines that come in place of ours, `corrected`
    tells the games of which a hand's version stands."""

    data: bytes
    days: Mapping[date, Sequence[bytes]]
    replaced: frozenset[DayLine] = frozenset()
    corrected: tuple[CorrectedGame, ...] = ()


def offered_for(
    games: Sequence[OwnGame], offered: Mapping[date, Sequence[bytes]]
) -> dict[str, DayLine]:
    """Return the line of the day's files that is each game, by its key; every line is one game at
    most.
    """
    lines: defaultdict[Hashable, list[tuple[datetime, DayLine]]] = defaultdict(list)
    for day, raws in offered.items():
        for raw in dict.fromkeys(raws):
            game = _line(raw).game
            if game is not None and game.start is not None:
                start = datetime.combine(day, game.start)
                lines[content(game)].append((start, (day, raw)))
    fits: list[tuple[bool, timedelta, str, DayLine]] = []
    for own in games:
        game = own.game
        if game is None:
            continue
        for start, line in lines.get(content(game), ()):
            near = own.nearness(start)
            if near is not None:
                fits.append((*near, own.key, line))
    lines_by_key: dict[str, DayLine] = {}
    for _, _, key, line in sorted(fits):
        if key not in lines_by_key and line not in lines_by_key.values():
            lines_by_key[key] = line
    return lines_by_key


def settle(
    data: bytes,
    days: Mapping[date, Sequence[bytes]],
    own: Mapping[DayLine, OwnGame],
    hint: Span | date | None,
    offers: Offers,
    elsewhere: Iterable[LogLine] = (),
) -> SettledLines:
    """Prepare a log and the lines to merge for those (`own`) that are a game of the room's own
    results. The log can be read (rating.encoding); `hint`, `offers` and `elsewhere` are as in
    `merge`."""
    mine: dict[DayLine, OwnGame] = {}
    for line, game in own.items():
        day, raw = line
        if raw in days.get(day, ()):
            mine[line] = game
    if not mine:
        return SettledLines(data, days)
    bom, log = _parsed(data, hint)
    table = _Places((*log.lines, *elsewhere))
    # indexes of lines to take out, and of those that are some game's
    out = set[int]()
    used = set[int]()
    dropped = set[DayLine]()
    replaced = set[DayLine]()
    corrected: list[CorrectedGame] = []
    for line, game in mine.items():
        olds = [version for version in game.versions if version != line]
        ours = {index for old in olds for index in table.exact(old)[:1]} - used
        held = [index for index in table.held(line) if index not in ours | used]
        if held or ours:
            if held:
                used.add(held[0])
            else:
                used |= ours
                replaced.add(line)
            out |= {index for index in ours if index < len(log.lines)}
        elif hand := [
            found
            for day, raw in (*olds, line)
            for found in corrected_games({day: [_line(raw)]}, table.lines, offers)
        ][:1]:
            corrected += hand
            dropped.add(line)
        elif any(table.held(old) for old in olds) or game.stood:
            dropped.add(line)
        elif line == game.current and (
            by_hand := [i for i in table.by_hand(game, offers) if i not in used]
        ):
            used.add(by_hand[0])
            dropped.add(line)
    remaining: dict[date, list[bytes]] = {}
    for day, raws in days.items():
        remaining[day] = [raw for raw in raws if (day, raw) not in dropped]
    return SettledLines(
        _but(data, bom, log, out),
        remaining,
        frozenset(replaced),
        tuple(corrected),
    )


def without(data: bytes, lines: Iterable[DayLine], hint: Span | date | None) -> bytes:
    """Return a log without these lines, each of which is taken out once where it stands exactly
    so.
    """
    bom, log = _parsed(data, hint)
    table = _Places(log.lines)
    out = set[int]()
    for line in lines:
        indexes = [index for index in table.exact(line) if index not in out]
        out.update(indexes[:1])
    return _but(data, bom, log, out)


def _but(data: bytes, bom: bytes, log: RoomLog, out: Collection[int]) -> bytes:
    if not out:
        return data
    remaining = [line.raw for index, line in enumerate(log.lines) if index not in out]
    return bom + b"".join(remaining)


class _Places:
    """Where each game stands among the lines of logs."""

    def __init__(self, lines: Sequence[LogLine]) -> None:
        self.lines = lines
        # by the game's identity and by its content, which are never equal
        self._index: defaultdict[Hashable, list[int]] = defaultdict(list)
        for number, line in enumerate(lines):
            if line.game is not None or line.fine is not None:
                self._index[identity(line)].append(number)
            if line.game is not None:
                self._index[content(line.game)].append(number)

    def held(self, line: DayLine) -> list[int]:
        """Return where the line's game stands, whatever its rule's word."""
        equal = self._index.get(identity(_line(line[1])), ())
        return [index for index in equal if stands_for(self.lines[index].day, line[0])]

    def exact(self, line: DayLine) -> list[int]:
        _, raw = line
        held = self.held(line)
        return [index for index in held if self.lines[index].raw.rstrip(b"\r\n") == raw]

    def by_hand(self, own: OwnGame, offers: Offers) -> Iterator[int]:
        """Yield where somebody has entered the game by hand, with a start that fits but is not
        ours.
        """
        assert own.game is not None
        for index in self._index.get(content(own.game), ()):
            line = self.lines[index]
            if line.day is None or line.game is None or line.game.start is None:
                continue
            near = own.nearness(datetime.combine(line.day, line.game.start))
            if near is not None and identity(line) not in offered_identities(offers, line.day):
                yield index


def _parsed(data: bytes, hint: Span | date | None) -> tuple[bytes, RoomLog]:
    bom = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    return bom, parse("", data[len(bom) :], hint)


def _line(raw: bytes) -> LogLine:
    return parse_utf8("", raw).lines[0]
