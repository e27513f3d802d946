"""Read Tenhou's room log, and season logs kept by hand, as games; write them back as the same
bytes.

A line of a private room's results (https://tenhou.net/sc/raw/), players in order of placing, points
in thousands, chips optional:

    C1024 | 15:52 | 三般南喰赤祝 | ヒロト・カゼタ(+77.0,+5枚) 塔子待ち(-7.0,+1枚)
    Naoya731(-70.0,-6枚)

A game at a table has the room 卓 and is written by Janroku, as is a fine or a bonus (罰符), in
thousands:

    罰符 | 22:10 | みどり一色(-10.0) チョンボ

Names hold no space but may hold brackets, bars
and signs, so a player's points are in the last bracket of the word. Season logs also hold headers,
titles, comments, blank lines, and dates that start a day of play. A date is sometimes glued to the
end of a game's line. A line that cannot be read stays in the log and is reported.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, time, timedelta
from functools import lru_cache
from gettext import gettext as _
from sys import intern  # a log names a few players thousands of times
from typing import Literal

from rating.encoding import UTF8, EncodingError, as_utf8
from rating.games import Game, Seat, score_fault

Kind = Literal["game", "day", "title", "header", "comment", "blank", "fine", "problem"]

TABLE = "卓"  # the room of games that were played at a table, not on Tenhou
FINE = "罰符"  # begins the line of a fine or a bonus
_GAME = re.compile(
    rf"^([LC][0-9]{{4}}|{TABLE})\s*\|\s*([0-9]{{2}}):([0-9]{{2}})\s*\|\s*(\S+?)\s*\|\s*(.+)$",
    re.DOTALL,
)
_FINE = re.compile(
    rf"^{FINE}\s*\|\s*([0-9]{{2}}):([0-9]{{2}})\s*\|\s*(.+?)\(([+-]?[0-9]{{1,6}}(?:\.[0-9]+)?)\)\s*(.*)$"
)
_PLAYER = re.compile(r"^(.+)\(([+-]?[0-9]+(?:\.[0-9]+)?)(?:,([+-]?[0-9]{1,9})枚)?\)$")
_EXPONENT = re.compile(r"\(([+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+)(?:,[^()]*)?\)$")
_GLUED = re.compile(r"^(.*\))\s*([^()\s][^()]*)$")
_DAY = re.compile(
    r"^(?P<mark>#?)\s*(?:(?P<y1>[0-9]{4})(?P<m1>[0-9]{2})(?P<d1>[0-9]{2})"
    r"|(?:(?P<y2>[0-9]{4})[-/.年])?(?P<m2>[0-9]{1,2})[-/.月](?P<d2>[0-9]{1,2})日?)(?P<rest>(?:[^0-9].*)?)$"
)
_NO_DAY = re.compile(r"^#?\s*(?:[0-9]{8}|(?:[0-9]{4}[-/.年])?[0-9]{1,2}[/月][0-9]{1,2}日?)$")
_NOTES: dict[Kind, re.Pattern[str]] = {
    "comment": re.compile("#"),
    "title": re.compile(
        r"^第?\s*[0-9一二三四五六七八九十]+\s*(?:シーズン|期|節)|^(?i:season)\s*[0-9]+"
    ),
    "header": re.compile(r"^(?i:room(?:\s*id)?)\s*\|"),
}
_score = lru_cache(4096)(float)  # a log has the same few scores and starts thousands of times
_start = lru_cache(24 * 60)(time)
SLIP = timedelta(days=31)  # how far a date typed by hand may go back by mistake
GUEST = "NoName"  # Tenhou's name for every player without an account


@dataclass(frozen=True, slots=True)
class Fine:
    """Points (thousands) that a player lost or got beside the games, and why."""

    player: str
    points: float
    reason: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that could not be read, or only in part: file, number (from 1), text and reason."""

    file: str
    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line: its number (from 1), its bytes with the ending, its kind, and the day of play in
    force at it. `reason` says what is wrong with it, "" for nothing. `glued` is the date typed at
    the end of a game's line; it holds from the next line on."""

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


@dataclass(frozen=True, slots=True)
class RoomLog:
    """A whole file. `to_bytes` gives back exactly the bytes that were parsed. The lines are UTF-8.
    `encoding` is the file's own (rating.encoding); of a file in another one `saved` has the bytes.
    `refused` says why the file cannot be read, "" when it can. A refused file has no lines."""

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
        named = [line.day if line.kind == "day" else line.glued for line in self.lines]
        return [day for day in named if day is not None]

    @property
    def as_utf8(self) -> bytes:
        """The log as it is written: all lines in UTF-8.

        A refused file has none, so it is never written.
        """
        return b"".join(line.raw for line in self.lines)

    def to_bytes(self) -> bytes:
        return self.as_utf8 if self.saved is None else self.saved


@dataclass(frozen=True, slots=True)
class Span:
    """What is known about a file's days from elsewhere; it decides the year of dates typed without
    one. `since`: the first day is at most SLIP before it. `until`: the last day is not after it.
    `since` counts only where no date of the file has a year."""

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
        `other`.
        """
        return self._of_years(other, range(1, -9, -1), lambda d: d - other <= SLIP)

    def after(self, other: date) -> date | None:
        """The date itself; without a year, the first such date that is at most SLIP before
        `other`.
        """
        return self._of_years(other, range(-1, 9), lambda d: other - d <= SLIP)

    def _of_years(
        self, other: date, years: Iterable[int], fits: Callable[[date], bool]
    ) -> date | None:
        if self.year is not None:
            return self.on(self.year)
        days = (self.on(other.year + y) for y in years if MINYEAR <= other.year + y <= MAXYEAR)
        return next((d for d in days if d is not None and fits(d)), None)


def parse(name: str, data: bytes, hint: Span | date | None = None) -> RoomLog:
    """Read a log. `hint` bounds its days; a date says that the log ends at most half a year after
    it. Days go forward: a date without a year is before the next date with a year, or after the
    last one. A date that goes back by at most SLIP is taken for a mistake of the writer. A file
    that is no text (rating.encoding) has no lines, and says why in `refused`."""
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


def _parsed(name: str, data: bytes, hint: Span | date | None) -> tuple[LogLine, ...]:
    lines = [
        _read_line(name, number, raw)
        for number, raw in enumerate(data.splitlines(keepends=True), 1)
    ]
    named = iter(_resolve([day for _, day in lines if day is not None], hint))
    result: list[LogLine] = []
    today: date | None = None
    for line, day in lines:
        following = today if day is None else next(named)  # the day from here on
        if line.kind == "day":
            today = following
        glued = following if day is not None and line.kind != "day" else None
        if today is not None or glued is not None:
            line = replace(
                line, game=line.game and replace(line.game, day=today), day=today, glued=glued
            )
        result.append(line)
        today = following
    return tuple(result)


def _read_line(name: str, number: int, raw: bytes) -> tuple[LogLine, _Day | None]:
    text = raw.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if not text:
        return LogLine(number, raw, "blank"), None
    glued = _GLUED.match(text) if "|" in text else None
    day = _read_day(glued[2]) if glued else None
    if parts := _GAME.match(glued[1] if glued and day else text):
        game = _game_of(name, number, parts)
        if isinstance(game, str):
            return LogLine(number, raw, "problem", reason=game), day
        broken = "\ufffd" in parts[0]
        return LogLine(
            number, raw, "game", game, reason=_("broken bytes in a name") if broken else ""
        ), day
    plain = unicodedata.normalize("NFKC", text)
    if day := _read_day(plain):
        return LogLine(number, raw, "day"), day
    if _NO_DAY.match(plain):
        return LogLine(number, raw, "problem", reason=_("there is no such day")), None
    for kind, pattern in _NOTES.items():
        if pattern.match(plain):
            return LogLine(number, raw, kind), None
    fine = _FINE.match(text)
    if fine and int(fine[1]) < 24 and int(fine[2]) < 60:
        return LogLine(
            number, raw, "fine", fine=Fine(intern(fine[3]), float(fine[4]), fine[5].strip())
        ), None
    reason = _("neither a game, a date, a comment (#) nor a season's title")
    return LogLine(number, raw, "problem", reason=reason), None


def _read_day(text: str) -> _Day | None:
    parts = _DAY.match(unicodedata.normalize("NFKC", text).strip())
    if not parts or (parts["rest"] and not parts["mark"] and parts["rest"][0] not in " (\u3000"):
        return None
    year = parts["y1"] or parts["y2"]
    day = _Day(
        int(year) if year else None,
        int(parts["m1"] or parts["m2"]),
        int(parts["d1"] or parts["d2"]),
    )
    return day if day.on(day.year or 2024) else None  # 2024: a leap year


def _game_of(name: str, number: int, parts: re.Match[str]) -> Game | str:
    """The game of a line, or the reason why it is none. The second NoName of a line is `NoName#2`,
    because the two are different people."""
    seats: list[Seat] = []
    names: Counter[str] = Counter()
    for word in parts[5].split():
        token = _PLAYER.match(word)
        if token is None:
            score = _EXPONENT.search(
                word
            )  # a score in a form of its own (1e11) may only be out of range
            reason = score_fault(float(score[1])) if score else ""
            return reason or _("not a player with points: {word}").format(word=word)
        player = intern(token[1])
        names[player] += 1
        if player == GUEST and names[player] > 1:
            player = f"{GUEST}#{names[player]}"
        seats.append(Seat(player, _score(token[2]), int(token[3]) if token[3] else None))
        if reason := score_fault(seats[-1].score):
            return reason
    if len(seats) not in (3, 4):
        return _("a game has 3 or 4 players, not {count}").format(count=len(seats))
    if not (int(parts[2]) < 24 and int(parts[3]) < 60):
        return _("no such time: {hour}:{minute}").format(hour=parts[2], minute=parts[3])
    for player, count in names.items():
        if count > 1 and player != GUEST:
            return _("{player} sits twice in one game").format(player=player)
    start = _start(int(parts[2]), int(parts[3]))
    return Game(tuple(seats), None, start, intern(parts[1]), intern(parts[4]), name, number)


def is_guest(player: str) -> bool:
    """Whether the name is Tenhou's name for a player without an account."""
    return player == GUEST or player.startswith(GUEST + "#")


def _resolve(days: list[_Day], hint: Span | date | None) -> list[date | None]:
    """Years for days without one: before the next day with a year, else after the last, else by the
    hint.
    """
    span = hint if isinstance(hint, Span) else Span(until=hint and hint + timedelta(days=183))
    written = [index for index, day in enumerate(days) if day.year is not None]
    if not written and span.since is None:
        return _backwards(days, span.until and span.until - SLIP)
    head = _backwards(days[: written[-1] + 1], None) if written else []
    return head + _forwards(days[len(head) :], head[-1] if head else span.since, span.until)


def _backwards(days: list[_Day], bound: date | None) -> list[date | None]:
    """The dates, each before the next one; the last is before `bound`."""
    result: list[date | None] = []
    for day in reversed(days):
        result.append(day.on(day.year) if day.year is not None else bound and day.before(bound))
        bound = result[-1] or bound
    return result[::-1]


def _forwards(days: list[_Day], bound: date | None, until: date | None) -> list[date | None]:
    """The dates, each after the one before it; the first is after `bound`.

    Order counts less than `until`.
    """
    result: list[date | None] = []
    for day in days:
        following = bound and day.after(bound)
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
    words = []
    for seat in game.seats:
        chips = "" if seat.chips is None else f",{seat.chips:+d}枚" if seat.chips else ",0枚"
        name = GUEST if is_guest(seat.player) else seat.player
        words.append(f"{name}({format_points(seat.score)}{chips})")
    start = f"{game.start:%H:%M}" if game.start else "00:00"
    return f"{game.room or 'C0000'} | {start} | {game.rule or '－'} | {' '.join(words)}"
