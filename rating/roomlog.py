"""Read Tenhou's room log, and season logs edited by hand, as games; write them back as the same
bytes.

A line of a private room's results (https://tenhou.net/sc/raw/), players in order of placing, points
in thousands, chips optional:

    C1024 | 15:52 | 三般南喰赤祝 | ヒロト・カゼタ(+77.0,+5枚) 塔子待ち(-7.0,+1枚)
    Naoya731(-70.0,-6枚)

A game at a table has the room 卓, one on Mahjong Soul 雀魂; they are written by Janroku, as is a fine
or a bonus (罰符), in thousands:

    罰符 | 22:10 | みどり一色(-10.0) チョンボ

Names contain no space but may contain brackets, bars and signs, so a player's points are in the
last bracket of the word. Lines typed by hand may have other signs, wide brackets and digits, and
units (rating/numerals.py). Season logs also contain headers, titles, comments, blank lines, and
dates that start a day of play. A date is sometimes glued to the end of a game's line. A line that
cannot be read stays in the log and is reported.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, MINYEAR, date, time, timedelta
from enum import StrEnum
from functools import lru_cache
from gettext import gettext as _
from sys import intern  # a log names a few players thousands of times
from typing import NamedTuple

from rating.encoding import UTF8, EncodingError, as_utf8
from rating.games import Game, Seat, score_fault, score_of
from rating.names import LONGEST_NAME, canonical_name
from rating.numerals import plain_number


class Kind(StrEnum):
    """What a line of a log is."""

    GAME = "game"
    DAY = "day"
    TITLE = "title"
    HEADER = "header"
    COMMENT = "comment"
    BLANK = "blank"
    FINE = "fine"
    PROBLEM = "problem"


TABLE = "卓"  # the room of games that were played at a table, not on Tenhou
MAHJONG_SOUL = "雀魂"  # the room of games that were played on Mahjong Soul
OTHER_ROOMS = (TABLE, MAHJONG_SOUL)  # whose games no file of Tenhou has
_OTHER_ROOM = "|".join(OTHER_ROOMS)
FINE = "罰符"  # begins the line of a fine or a bonus
_BAR = r"\s*[|｜]\s*"
_CLOCK = "(?P<hour>[0-9０-９]{2})[:：](?P<minute>[0-9０-９]{2})"
_GAME = re.compile(
    rf"^(?P<room>[LCＬＣ][0-9０-９]{{4}}|{_OTHER_ROOM}){_BAR}{_CLOCK}{_BAR}"
    rf"(?P<rule>\S+?){_BAR}(?P<players>.+)$",
    re.DOTALL,
)
_GAME_OF_TENHOU = re.compile(
    rf"^(?:[LC][0-9]{{4}}|{_OTHER_ROOM})\s*\|\s*[0-9]{{2}}:[0-9]{{2}}\s*\|\s*\S+?\s*\|"
)
_FINES = (
    re.compile(
        rf"^{FINE}{_BAR}{_CLOCK}{_BAR}(?P<player>.+?)"
        r"\((?P<points>[+-]?[0-9]{1,6}(?:\.[0-9]+)?)\)\s*(?P<reason>.*)$"
    ),
    re.compile(
        rf"^{FINE}{_BAR}{_CLOCK}{_BAR}(?P<player>.+?)"
        r"[(（](?=[^()（）]*[0-9０-９])(?P<points>[^()（）]+)[)）]\s*(?P<reason>.*)$"
    ),
)
# A player with points, as Tenhou writes it and as people do.
_PLAYER = re.compile(
    r"^(?P<name>.+)\((?P<points>[+-]?[0-9]+(?:\.[0-9]+)?)(?:,(?P<chips>[+-]?[0-9]{1,9})枚)?\)$"
)
_TYPED_PLAYER = re.compile(
    r"^(?P<name>.+)[(（](?P<points>[^()（）]+?)(?:[,，、](?P<chips>[^()（）,，、]+)枚)?[)）]$"
)
_UNKNOWN_SIGN = re.compile(r"[(（](?P<sign>[^\w\s+])\ufe0f?[0-9０-９][^()（）]*[)）]$")
_MOST_CHIPS = 10**9
_EXPONENT = re.compile(r"\((?P<points>[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+)(?:,[^()]*)?\)$")
_GLUED = (
    re.compile(r"^(?P<game>.*\))\s*(?P<date>[^()\s][^()]*)$"),
    re.compile(r"^(?P<game>.*[0-9０-９枚tTｔト][)）])\s*(?P<date>[^()（）\s][^()]{0,40})$"),
)
_DAY = re.compile(
    r"^(?P<mark>#?)\s*(?:(?P<y1>[0-9]{4})(?P<m1>[0-9]{2})(?P<d1>[0-9]{2})"
    r"|(?:(?P<y2>[0-9]{4})[-/.年])?(?P<m2>[0-9]{1,2})[-/.月](?P<d2>[0-9]{1,2})日?)(?P<rest>(?:[^0-9].*)?)$"
)
_NO_DAY = re.compile(r"^#?\s*(?:[0-9]{8}|(?:[0-9]{4}[-/.年])?[0-9]{1,2}[/月][0-9]{1,2}日?)$")
_NOTES: dict[Kind, re.Pattern[str]] = {
    Kind.COMMENT: re.compile("#"),
    Kind.TITLE: re.compile(
        r"^第?\s*[0-9一二三四五六七八九十]+\s*(?:シーズン|期|節)|^(?i:season)\s*[0-9]+"
    ),
    Kind.HEADER: re.compile(r"^(?i:room(?:\s*id)?)\s*\|"),
}
_score = lru_cache(4096)(float)  # a log has the same few scores and starts thousands of times
_start = lru_cache(24 * 60)(time)
_name = lru_cache(4096)(canonical_name)
SLIP = timedelta(days=31)  # a date typed by hand may be so much before the one above it by mistake
GUEST = "NoName"  # Tenhou's name for every player without an account


@dataclass(frozen=True, slots=True)
class Fine:
    """Points (thousands) that a player lost or got outside the games, and the reason; `start` is
    the time in its line."""

    player: str
    points: float
    reason: str
    start: time | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that could not be read, or only in part: file, number (from 1), text and reason."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line: its number (from 1), its bytes with the ending, its kind, and its day of play.

    `reason`: what is wrong with it, "" for nothing. `glued`: the date typed at the end of a game's
    line, which is the day of play from the next line on.
    """

    number: int
    raw: bytes
    kind: Kind
    game: Game | None = None
    day: date | None = None
    reason: str = ""
    glued: date | None = None
    fine: Fine | None = None

    @property
    def text(self) -> str:
        return self.raw.decode("utf-8", "replace").strip("\r\n")

    @property
    def before_date(self) -> bytes:
        """The line's bytes without the date typed onto its end and what follows it."""
        text = self.raw.decode("utf-8", "surrogateescape")
        return _without_date(text.rstrip()).text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class RoomLog:
    """A whole file. `to_bytes` returns exactly the bytes that were parsed. The lines are UTF-8.

    `encoding`: the file's own (rating.encoding); `saved`: its bytes where that is not UTF-8.
    `refused`: the reason why the file cannot be read, "" when it can. A refused file has no lines.
    """

    name: str
    lines: tuple[LogLine, ...]
    encoding: str = UTF8
    refused: str = ""
    saved: bytes | None = None

    @property
    def games(self) -> list[Game]:
        return [line.game for line in self.lines if line.game is not None]

    @property
    def problems(self) -> list[Problem]:
        if self.refused:
            return [Problem(self.name, 1, "", self.refused)]
        return [
            Problem(self.name, line.number, line.text, line.reason)
            for line in self.lines
            if line.reason
        ]

    @property
    def days(self) -> list[date]:
        """The dates in the file, in order."""
        dates = [line.day if line.kind is Kind.DAY else line.glued for line in self.lines]
        return [day for day in dates if day is not None]

    @property
    def as_utf8(self) -> bytes:
        """The log as it is written: all lines in UTF-8. A refused file has none, so it is never
        written."""
        return b"".join(line.raw for line in self.lines)

    def to_bytes(self) -> bytes:
        return self.as_utf8 if self.saved is None else self.saved


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds for a file's days, from which years follow for dates without one. `since`: the first
    day is at most SLIP before it; it counts only where no date of the file has a year. `until`: the
    last day is not after it."""

    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class _Day:
    """A date as written; the year may be missing."""

    year: int | None
    month: int
    day: int

    def on(self, year: int) -> date | None:
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return None

    def before(self, other: date) -> date | None:
        """The date itself; without a year, the last such date that is at most SLIP after
        `other`."""
        candidates = self._in_years(other.year + 1, other.year - 9)
        return next((day for day in candidates if day - other <= SLIP), None)

    def after(self, other: date) -> date | None:
        """The date itself; without a year, the first such date that is at most SLIP before
        `other`."""
        candidates = self._in_years(other.year - 1, other.year + 9)
        return next((day for day in candidates if other - day <= SLIP), None)

    def _in_years(self, first: int, end: int) -> Iterator[date]:
        """The date in each year from `first` to before `end`, up or down, where it exists; just the
        date where it has a year."""
        years: Iterable[int] = range(first, end, 1 if first < end else -1)
        if self.year is not None:
            years = (self.year,)
        for year in years:
            day = self.on(year) if MINYEAR <= year <= MAXYEAR else None
            if day is not None:
                yield day


def parse(name: str, data: bytes, hint: Span | date | None = None) -> RoomLog:
    """Read a log. `hint` bounds its days; with a date the log ends at most half a year after it.

    Days go forward: a date without a year is before the next date with a year, or after the last
    one. A date that goes back by at most SLIP counts as a typing mistake. A file that is no text
    (rating.encoding) has no lines, and the reason in `refused`."""
    try:
        text = as_utf8(data)
    except EncodingError as error:
        return RoomLog(name, (), refused=str(error), saved=data)
    lines = _parsed(name, text.data, hint)
    return RoomLog(name, lines, text.encoding, saved=None if text.encoding == UTF8 else data)


def parse_utf8(name: str, data: bytes, hint: Span | date | None = None) -> RoomLog:
    """Read lines that are UTF-8 because of where they come from (Tenhou), even where bytes are
    broken.
    """
    return RoomLog(name, _parsed(name, data, hint))


class _ReadLine(NamedTuple):
    """A line without its day of play, and the date in it, which may lack its year."""

    line: LogLine
    date: _Day | None = None


def _parsed(
    name: str,
    data: bytes,
    hint: Span | date | None,
) -> tuple[LogLine, ...]:
    """The lines with their days of play. A date in a line of its own is the day from that line on,
    a date glued to a game's line from the next line on.
    """
    read_lines = [
        _read_line(name, number, raw)
        for number, raw in enumerate(data.splitlines(keepends=True), 1)
    ]
    written_dates = [read.date for read in read_lines if read.date is not None]
    dates = iter(_resolve(written_dates, hint))  # one for each line with a date
    lines: list[LogLine] = []
    today: date | None = None
    for read in read_lines:
        if read.date is None:
            lines.append(_on_day(read.line, today))
            continue
        new_day = next(dates)
        if read.line.kind is Kind.DAY:
            lines.append(_on_day(read.line, new_day))
        else:
            game_line = _on_day(read.line, today)
            lines.append(replace(game_line, glued=new_day))
        today = new_day
    return tuple(lines)


def _on_day(line: LogLine, day: date | None) -> LogLine:
    """The line and the game in it, with this day of play; None before the log's first date."""
    if day is None:
        return line
    game = line.game
    if game is not None:
        game = replace(game, day=day)
    return replace(line, game=game, day=day)


class _Undated(NamedTuple):
    """A line's text before the date typed onto its end, and that date; None where there is none."""

    text: str
    date: _Day | None


class _GameText(NamedTuple):
    """The parts of a game's line."""

    room: str
    hour: int
    minute: int
    rule: str
    players: str


class _Player(NamedTuple):
    """A player's word in a game's line."""

    name: str
    score: float
    chips: int | None


def _read_line(name: str, number: int, raw: bytes) -> _ReadLine:
    text = raw.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if not text:
        return _ReadLine(LogLine(number, raw, Kind.BLANK))
    body = _without_date(text)
    parts = _game_text(body.text)
    if parts:
        return _ReadLine(_game_line(name, number, raw, body.text, parts), body.date)
    plain = unicodedata.normalize("NFKC", text)
    day = _read_day(plain)
    if day:
        return _ReadLine(LogLine(number, raw, Kind.DAY), day)
    if _NO_DAY.match(plain):
        return _ReadLine(LogLine(number, raw, Kind.PROBLEM, reason=_("there is no such day")))
    for kind, pattern in _NOTES.items():
        if pattern.match(plain):
            return _ReadLine(LogLine(number, raw, kind))
    fine = _fine_of(text)
    if fine:
        return _ReadLine(LogLine(number, raw, Kind.FINE, fine=fine))
    reason = _("neither a game, a date, a comment (#) nor a season's title")
    return _ReadLine(LogLine(number, raw, Kind.PROBLEM, reason=reason))


def _game_line(
    name: str,
    number: int,
    raw: bytes,
    text: str,
    parts: _GameText,
) -> LogLine:
    game = _game_of(name, number, parts)
    if isinstance(game, str):
        return LogLine(number, raw, Kind.PROBLEM, reason=game)
    reason = ""
    if "\ufffd" in text:
        reason = _("broken bytes in a name")
    return LogLine(number, raw, Kind.GAME, game, reason=reason)


def _without_date(text: str) -> _Undated:
    if text.endswith(")") or not _has_bar(text):
        return _Undated(text, None)
    for pattern in _GLUED:
        glued = pattern.match(text)
        day = _read_day(glued["date"]) if glued else None
        if glued and day:
            return _Undated(glued["game"], day)
    return _Undated(text, None)


def _has_bar(text: str) -> bool:
    return "|" in text or "｜" in text


def _game_text(text: str) -> _GameText | None:
    match = _GAME.match(text)
    if match is None:
        return None
    room, hour, minute, rule, players = match.groups()
    return _GameText(_room(room), int(hour), int(minute), intern(rule), players)


@lru_cache(4096)
def _room(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _fine_of(text: str) -> Fine | None:
    match = next(filter(None, (pattern.match(text) for pattern in _FINES)), None)
    if match is None:
        return None
    hour = int(match["hour"])
    minute = int(match["minute"])
    player = canonical_name(match["player"])
    points = score_of(match["points"])
    if not _is_time(hour, minute) or len(player) > LONGEST_NAME:
        return None
    if points is None or score_fault(points):
        return None
    reason = match["reason"].strip()
    return Fine(intern(player), points, reason, _start(hour, minute))


def _is_time(hour: int, minute: int) -> bool:
    return hour < 24 and minute < 60


def _read_day(text: str) -> _Day | None:
    parts = _DAY.match(unicodedata.normalize("NFKC", text).strip())
    if not parts:
        return None
    note = parts["rest"]
    if note and not parts["mark"] and note[0] not in " (\u3000":
        return None
    year = parts["y1"] or parts["y2"]
    day = _Day(
        int(year) if year else None,
        int(parts["m1"] or parts["m2"]),
        int(parts["d1"] or parts["d2"]),
    )
    return day if day.on(day.year or 2024) else None  # 2024: a leap year


def _game_of(name: str, number: int, parts: _GameText) -> Game | str:
    """The game of a line, or the reason why it is none. The second NoName of a line is `NoName#2`,
    because the two are different people."""
    seats: list[Seat] = []
    names: Counter[str] = Counter()
    for word in parts.players.split():
        seated = _player_of(word)
        if isinstance(seated, str):
            return seated
        player = seated.name
        names[player] += 1
        if player == GUEST and names[player] > 1:
            player = f"{GUEST}#{names[player]}"
        seats.append(Seat(player, seated.score, seated.chips))
    if len(seats) not in (3, 4):
        return _("a game has 3 or 4 players, not {count}").format(count=len(seats))
    if not _is_time(parts.hour, parts.minute):
        message = _("no such time: {hour}:{minute}")
        return message.format(hour=f"{parts.hour:02}", minute=f"{parts.minute:02}")
    for player, count in names.items():
        if count > 1 and player != GUEST:
            return _("{player} sits twice in one game").format(player=player)
    start = _start(parts.hour, parts.minute)
    return Game(tuple(seats), None, start, parts.room, parts.rule, name, number)


def _player_of(word: str) -> _Player | str:
    """The player of a word, or the reason why it is none."""
    match = _PLAYER.match(word)
    if match:
        name, points, chips = match.groups()
        player = _Player(_name(name), _score(points), int(chips) if chips else None)
    else:
        typed = _typed_player(word)
        if typed is None:
            return _no_player(word)
        player = typed
    fault = score_fault(player.score)
    if fault:
        return fault
    if len(player.name) > LONGEST_NAME:
        message = _("a name has {count} characters, more than {most}")
        return message.format(count=len(player.name), most=LONGEST_NAME)
    return player


def _typed_player(word: str) -> _Player | None:
    """The player of a word with other signs, brackets or digits than Tenhou's; None for none."""
    match = _TYPED_PLAYER.match(word)
    points = score_of(match["points"]) if match else None
    if match is None or points is None:
        return None
    name = _name(match["name"])
    if match["chips"] is None:
        return _Player(name, points, None)
    chips = score_of(match["chips"])
    if chips is None or not chips.is_integer() or abs(chips) >= _MOST_CHIPS:
        return None
    return _Player(name, points, int(chips))


def _no_player(word: str) -> str:
    """The reason why a word of a game's line is no player with points."""
    # a score in a form of its own (1e11) may only be out of range
    exponent = _EXPONENT.search(word)
    fault = score_fault(float(exponent["points"])) if exponent else ""
    if fault:
        return fault
    unknown = _UNKNOWN_SIGN.search(word)
    if unknown and plain_number(f"{unknown['sign']}1") is None:
        message = _("{sign} is not read as a sign: {word}")
        return message.format(sign=unknown["sign"], word=word)
    return _("not a player with points: {word}").format(word=word)


def is_guest(player: str) -> bool:
    """Whether the name is Tenhou's name for a player without an account."""
    return player == GUEST or player.startswith(GUEST + "#")


def _resolve(
    days: list[_Day],
    hint: Span | date | None,
) -> list[date | None]:
    """Years for days without one: before the next day with a year, else after the last, else by the
    hint.
    """
    if isinstance(hint, Span):
        span = hint
    elif hint is None:
        span = Span()
    else:
        span = Span(until=hint + timedelta(days=183))
    written = [index for index, day in enumerate(days) if day.year is not None]
    if written:
        head = _backwards(days[: written[-1] + 1], None)
        return head + _forwards(days[len(head) :], head[-1], span.until)
    if span.since is not None:
        return _forwards(days, span.since, span.until)
    bound = None
    if span.until is not None:
        bound = span.until - SLIP
    return _backwards(days, bound)


def _backwards(days: list[_Day], bound: date | None) -> list[date | None]:
    """The dates, each before the next one; the last is before `bound`."""
    result: list[date | None] = []
    for day in reversed(days):
        preceding = None
        if day.year is not None:
            preceding = day.on(day.year)
        elif bound is not None:
            preceding = day.before(bound)
        result.append(preceding)
        bound = preceding or bound
    return result[::-1]


def _forwards(
    days: list[_Day],
    bound: date | None,
    until: date | None,
) -> list[date | None]:
    """The dates of days without years, each after the one before it; the first is after `bound`.

    A date that would be later than `until` is taken a year earlier instead, out of order.
    """
    result: list[date | None] = []
    for day in days:
        following = None
        if bound is not None:
            following = day.after(bound)
        if following is not None and until is not None and following > until:
            following = day.before(until - SLIP)
        result.append(following)
        bound = following or bound
    return result


def format_points(score: float) -> str:
    """Points (thousands) as Tenhou writes them: signed with one decimal, zero without a sign."""
    text = f"{score:+.1f}"
    return "0.0" if float(text) == 0 else text


def format_fine(fine: Fine, start: time) -> str:
    """The fine as a line of a season log, without a line ending."""
    return f"{FINE} | {start:%H:%M} | {fine.player}({format_points(fine.points)}) {fine.reason}".rstrip()


def format_game(game: Game) -> str:
    """The game as a room-log line, without a line ending."""
    names = [GUEST if is_guest(player) else player for player in game.players]
    return _format_line(game, names)


def _format_line(game: Game, names: Iterable[str]) -> str:
    words = []
    for name, seat in zip(names, game.seats, strict=True):
        chips = ""
        if seat.chips is not None:
            chips = f",{seat.chips:+d}枚" if seat.chips else ",0枚"
        words.append(f"{name}({format_points(seat.score)}{chips})")
    start = f"{game.start:%H:%M}" if game.start else "00:00"
    return f"{game.room or 'C0000'} | {start} | {game.rule or '－'} | {' '.join(words)}"


def tenhou_form(line: LogLine) -> str:
    """The game of a line as Tenhou writes it, where the line has other signs, brackets or digits;
    else "". Names stay as they are written."""
    text = _without_date(line.text.lstrip("\ufeff").strip()).text
    parts = _game_text(text)
    if line.game is None or parts is None or "\ufffd" in text:
        return ""
    words = parts.players.split()
    if _GAME_OF_TENHOU.match(text) and all(map(_PLAYER.match, words)):
        return ""
    matches = [_PLAYER.match(word) or _TYPED_PLAYER.match(word) for word in words]
    return _format_line(line.game, [match["name"] for match in matches if match])
