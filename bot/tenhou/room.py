"""The log of a private room at Tenhou: its rows, the games they make up, and what is remembered
between two requests. No I/O.

    [2026/08/10 04:07:31] lobby=11017&type=0009&…&log=ID&cmd=<CHAT text="#START A B C D"/>
    [2026/08/10 04:38:26] lobby=11017&cmd=<CHAT text="#END D(+92.6) C(-0.9) A(-30.7) B(-61.0) " />
    [2026/08/10 04:38:29] lobby=11017&type=0009&un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=

The form is undocumented, so the fields of a row decide its kind. The input is not trusted: a row
that does not match a known form completely is skipped, and only its hash is stored. Times are JST
without a zone.

A result belongs to the latest start before it with the same players. A start followed by another
start of the same players was aborted. A result without a start row counts too, with its own time.

A room is requested at most every 3 minutes while a game is running, every 20 minutes otherwise, and
not at night if nobody has played for a day. A request reaches back to the start of every game
without a result.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date, datetime, time, timedelta
from html import unescape
from math import isclose
from typing import Any, NamedTuple
from urllib.parse import unquote

from bot.tenhou.client import TenhouError, is_paifu_id
from rating.roomlog import GUEST, format_points, is_guest, parse_utf8

STAMP = "%Y/%m/%d %H:%M:%S"
_ROW = re.compile(
    r"\[(?P<time>[0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})\] *(?P<body>.+)"
)
_CHAT = re.compile(r'(?:^|&)cmd=<CHAT\s+text="(?P<text>.*)"\s*/>(?=&|$)')
_POINTS = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?")
_CHIPS = re.compile(r"[+-]?[0-9]{1,6}")
_SCORE = re.compile(r"(?P<name>.+)\((?P<points>[+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?)(?:,[^()]*)?\)")
_LONGEST = 2000  # characters; longer rows are skipped
_START = "#START "
_END = "#END "
# The bits of a game's `type`.
NO_RED = 0x02
NO_OPEN_TANYAO = 0x04
SOUTH = 0x08
THREE = 0x10
EXPERT = 0x20
FAST = 0x40
HIGHER = 0x80
CHIPS = 0x600
# By the bits EXPERT and HIGHER; games of a private room have neither.
_LEVELS = {0: "般", HIGHER: "上", EXPERT: "特", EXPERT | HIGHER: "鳳"}
_PARLOUR = {0: "般", HIGHER: "銀", EXPERT: "琥", EXPERT | HIGHER: "鳳"}
_DIGITS = {0x200: "２", 0x400: "０", 0x600: "５"}
LONGEST_GAME = timedelta(hours=24)  # a result belongs to no earlier start
# No game is shorter: equal results within this time are one result.
SHORTEST_GAME = timedelta(seconds=60)
PLAYING = timedelta(minutes=3)  # between requests while a game is running
IDLE = timedelta(minutes=20)  # between requests otherwise
NIGHT_BEGIN = time(1)
NIGHT_END = time(7)
DAY = timedelta(days=1)
# Without an answer for this time a room is requested at night too: a game may be running.
LONGEST_SILENCE = timedelta(hours=12)
FIRST = DAY + timedelta(hours=1)  # how far the first request reaches back
OVERLAP = timedelta(hours=3)  # how far later requests reach back at least: rows may arrive late
RUNNING_TIME = timedelta(hours=3)  # how long a game without a result counts as running
SETTLING_TIME = timedelta(minutes=10)  # how long it does after its end was announced
REPORTED = 200  # hashes of unknown rows that are remembered


@dataclass(frozen=True, slots=True)
class StartRow:
    """The start of a game: `text` as in the row, the id of the game record ("" if none), and the
    rule's bits (None: not given)."""

    at: datetime
    text: str
    id: str = ""
    bits: int | None = None

    @property
    def players(self) -> list[Counter[str]]:
        """Every reading of the names: as they are, percent-decoded, and with XML's escapes
        resolved.
        """
        readings = _readings(self.text, _START)
        return [Counter(text[len(_START) :].split()) for text in readings]


@dataclass(frozen=True, slots=True)
class EndRow:
    """The end of a game as announced in the room's chat: players with points."""

    at: datetime
    text: str

    @property
    def scores(self) -> list[dict[str, float]]:
        """Every reading of the players' points (thousands), none for a text of another form."""
        scores = []
        for text in _readings(self.text, _END):
            words = text[len(_END) :].split()
            matches = [_SCORE.fullmatch(word) for word in words]
            points = {match["name"]: float(match["points"]) for match in matches if match}
            if words and all(matches):
                scores.append(points)
        return scores


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of a game by seat, the first dealer first: names, points (thousands), and chips
    (None: played without).
    """

    at: datetime
    names: tuple[str, ...]
    scores: tuple[float, ...]
    chips: tuple[int, ...] | None
    bits: int | None = None

    def line(self, room: str, start: datetime, bits: int) -> bytes:
        """Return the line of the day's file: the best player first, equal points in the order of
        seats.
        """
        ranking = sorted(
            range(len(self.scores)),
            key=self.scores.__getitem__,
            reverse=True,
        )
        rule = rule_word(bits, len(self.names))
        seats = " ".join(map(self._seat_text, ranking))
        return f"{room} | {start:%H:%M} | {rule} | {seats}".encode()

    def _seat_text(self, seat: int) -> str:
        points = format_points(self.scores[seat])
        if self.chips is None:
            return f"{self.names[seat]}({points})"
        count = self.chips[seat]
        chips = f"{count:+d}" if count else "0"
        return f"{self.names[seat]}({points},{chips}枚)"

    @property
    def is_valid(self) -> bool:
        """Whether the result's line, read as a line of a season log, has the same players."""
        if any(name.split() != [name] for name in self.names):
            return False
        lines = parse_utf8("", self.line("C0000", self.at, 0)).lines
        if len(lines) != 1:
            return False
        (line,) = lines
        if line.game is None or line.glued is not None or line.reason:
            return False
        players = Counter(GUEST if is_guest(player) else player for player in line.game.players)
        return Counter(self.names) == players


Row = StartRow | EndRow | ResultRow


@dataclass(frozen=True, slots=True)
class RoomRows:
    """The rows of an answer without duplicates, and the hashes of the rows that were skipped."""

    rows: tuple[Row, ...] = ()
    unknown: tuple[str, ...] = ()


def read_rows(text: str, lobby: str) -> RoomRows:
    """Return the rows of a room's answer. Rows of another lobby count as unknown. Raises
    TenhouError, whose message has none of the text, if the answer is not empty and has no row of
    a known form."""
    rows: dict[Row, None] = {}
    unknown: dict[str, None] = {}
    has_known_form = False
    lines = [line.strip("\r\ufeff") for line in text.split("\n")]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        reading = _read_line(line, lobby)
        row = reading.row
        has_known_form = has_known_form or reading.has_known_form
        if row is None or (number == len(lines) and not _is_complete(row)):
            unknown[_hash(line)] = None
        else:
            rows[row] = None
    if unknown and not has_known_form:
        raise TenhouError("the answer has no row of the known form")
    return RoomRows(tuple(rows), tuple(unknown))


def _hash(line: str) -> str:
    return hashlib.sha256(line.encode("utf-8", "replace")).hexdigest()[:12]


class _LineReading(NamedTuple):
    """The row of a line, None if it is skipped, and whether the line has the form of a known
    kind.
    """

    row: Row | None
    has_known_form: bool


class _RawRow(NamedTuple):
    """A row by its parts: the time, the text of its chat command (None: no command), the fields."""

    at: datetime
    chat: str | None
    fields: Mapping[str, str]


def _read_line(line: str, lobby: str) -> _LineReading:
    raw = _split_line(line)
    if raw is None or raw.fields.get("lobby", lobby) != lobby:
        return _LineReading(row=None, has_known_form=False)
    if "un" in raw.fields and "sc" in raw.fields:
        return _LineReading(_result(raw.at, raw.fields), has_known_form=True)
    if raw.chat is None:
        return _LineReading(row=None, has_known_form=False)
    return _LineReading(_start_or_end(raw.at, raw.chat, raw.fields), has_known_form=True)


def _split_line(line: str) -> _RawRow | None:
    """Return the parts of a row; None for a line of another form. The first of equal fields
    counts.
    """
    if len(line) > _LONGEST:
        return None
    row = _ROW.fullmatch(line.rstrip())
    if row is None:
        return None
    try:
        at = datetime.strptime(row["time"], STAMP)  # noqa: DTZ007 (JST, as all of this module)
    except ValueError:
        return None
    body = row["body"]
    chat = _CHAT.search(body)
    text = None
    if chat:
        text = chat["text"]
        body = body[: chat.start()] + body[chat.end() :]
    fields: dict[str, str] = {}
    for pair in body.split("&"):
        key, _equals, value = pair.partition("=")
        fields.setdefault(key, value)
    return _RawRow(at, text, fields)


def _start_or_end(at: datetime, chat: str, fields: Mapping[str, str]) -> Row | None:
    """Return what a chat command announces; None for the members' own messages."""
    readings = [reading[len(_START) :].split() for reading in _readings(chat, _START)]
    if any(len(names) in (3, 4) for names in readings):
        paifu_id = fields.get("log", "")
        if not is_paifu_id(paifu_id):
            paifu_id = ""
        return StartRow(at, chat, paifu_id, _bits(fields.get("type", "")))
    if not _readings(chat, _END):
        return None
    return EndRow(at, chat)


class _ResultLists(NamedTuple):
    """The lists of a result by seat, as texts; `chips` is empty for a game without chips."""

    names: list[str]
    scores: list[str]
    chips: list[str]

    @property
    def are_valid(self) -> bool:
        """Whether the lists are of three or four seats, with numbers for each."""
        if len(self.names) not in (3, 4) or len(self.scores) != len(self.names):
            return False
        if self.chips and len(self.chips) != len(self.names):
            return False
        return all(map(_POINTS.fullmatch, self.scores)) and all(map(_CHIPS.fullmatch, self.chips))


def _result_lists(fields: Mapping[str, str]) -> _ResultLists:
    names = fields["un"].split(",")
    scores = fields["sc"].split(",")
    chips = fields.get("chip", "?").split(",")
    if len(names) == len(scores) == 4 and not names[3]:  # the empty seat of a game of three
        names = names[:3]
        scores = scores[:3]
        chips = chips[:3]
    if not any(chips):
        chips = []
    return _ResultLists(names, scores, chips)


def _result(at: datetime, fields: Mapping[str, str]) -> ResultRow | None:
    """Return the result; None if the lists do not match, or a season log can't have a name."""
    lists = _result_lists(fields)
    if not lists.are_valid:
        return None
    try:
        names = tuple(unquote(name, errors="strict") for name in lists.names)
    except UnicodeDecodeError:
        return None
    chips: tuple[int, ...] | None = None
    if lists.chips:
        chips = tuple(map(int, lists.chips))
    scores = tuple(map(float, lists.scores))
    row = ResultRow(at, names, scores, chips, _bits(fields.get("type", "")))
    if not row.is_valid:
        return None
    return row


def _is_complete(row: Row) -> bool:
    """Whether a row without a line end is not cut off: a result's points and chips each sum to
    zero.
    """
    if not isinstance(row, ResultRow):
        return True
    if row.chips is None:
        chips = (row.bits or 0) & CHIPS
    else:
        chips = sum(row.chips)
    return isclose(sum(row.scores), 0, abs_tol=0.05) and chips == 0


def _bits(text: str) -> int | None:
    if re.fullmatch(r"[0-9A-Fa-f]{1,8}", text) is None:
        return None
    return int(text, 16)


def _readings(text: str, begin: str) -> Sequence[str]:
    unquoted = unquote(text)
    readings = dict.fromkeys((text, unquoted, unescape(text), unescape(unquoted)))
    return [reading for reading in readings if reading.startswith(begin)]


def rule_word(bits: int, seats: int) -> str:
    """Return a game's rule as the room's results write it, such as `三般南喰赤祝`: seats (3 or 4),
    level, length, open tanyao (喰), red fives (赤), then 祝 (chips) or 速 (fast). Levels other than
    般 add a digit for the chips' value."""
    chips = bits & CHIPS
    level = bits & (EXPERT | HIGHER)
    word = "三" if seats == 3 else "四"
    word += _PARLOUR[level] if chips else _LEVELS[level]
    word += "南" if bits & SOUTH else "東"
    word += "－" if bits & NO_OPEN_TANYAO else "喰"
    word += "－" if bits & NO_RED else "赤"
    if chips:
        word += "祝"
    elif bits & FAST:
        word += "速"
    else:
        word += "－"
    if chips and level:
        word += _DIGITS[chips]
    return word


@dataclass(frozen=True, slots=True)
class RoomGame:
    """A finished game of the room; `start` is None if it has no start row. Times are JST."""

    result: ResultRow
    start: StartRow | None = None

    @property
    def key(self) -> str:
        """Identifies the game by its result, with or without a start row."""
        content = repr((self.result.names, self.result.scores, self.result.chips))
        digest = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{self.result.at:%Y%m%d%H%M%S}{digest}"

    @property
    def begin(self) -> datetime:
        if self.start is None:
            return self.result.at
        return self.start.at

    @property
    def day(self) -> date:
        return self.begin.date()

    @property
    def paifu(self) -> str:
        """The id of the game's record, "" if none."""
        if self.start is None:
            return ""
        return self.start.id

    def line(self, room: str) -> bytes:
        bits = self.result.bits
        if bits is None and self.start:
            bits = self.start.bits
        return self.result.line(room, self.begin, bits or 0)


@dataclass(slots=True)
class _OpenGame:
    """A game without a result so far; `over` is when its end was announced, with `scores`."""

    start: StartRow
    over: datetime | None = None
    scores: Sequence[dict[str, float]] = ()


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game without a result; `over` is when its end was announced, None while it runs."""

    at: datetime
    over: datetime | None


class RoomGames(NamedTuple):
    """The games of a room's rows: those with a result by its time, and those without."""

    finished: list[RoomGame]
    running: list[RunningGame]


def games_of(rows: Iterable[Row]) -> RoomGames:
    """Return the games that the rows make up. The order of the rows does not matter: in the same
    second a result comes before an end, and an end before the next start."""
    finished: list[RoomGame] = []
    open_games: list[_OpenGame] = []
    for row in sorted(set(rows), key=_order):
        if isinstance(row, StartRow):
            open_games = [game for game in open_games if not _have_same_players(game.start, row)]
            open_games.append(_OpenGame(row))
        elif isinstance(row, EndRow):
            _note_end(row, open_games)
        elif not any(_same_result(row, game.result) for game in finished):
            game = _game_of_result(row, open_games)
            if game is None:
                finished.append(RoomGame(row))
            else:
                open_games.remove(game)
                finished.append(RoomGame(row, game.start))
    return RoomGames(finished, [RunningGame(game.start.at, game.over) for game in open_games])


def _have_same_players(first: StartRow, second: StartRow) -> bool:
    players = second.players
    return any(reading in players for reading in first.players)


def _note_end(row: EndRow, open_games: Sequence[_OpenGame]) -> None:
    """Store an announced end with the latest game of these players whose end was not announced."""
    announced = [set(scores) for scores in row.scores]
    for game in reversed(open_games):
        has_players = any(set(players) in announced for players in game.start.players)
        if game.over is None and has_players:
            game.over = row.at
            game.scores = row.scores
            return


def _order(row: Row) -> tuple[Any, ...]:
    kinds = (ResultRow, EndRow, StartRow)
    return row.at, kinds.index(type(row)), repr(row)


def _same_result(row: ResultRow, other: ResultRow) -> bool:
    """Whether two rows are of one game, which the room may have reported twice."""
    if abs(row.at - other.at) > SHORTEST_GAME:
        return False
    return (row.names, row.scores, row.chips) == (other.names, other.scores, other.chips)


def _game_of_result(row: ResultRow, open_games: Sequence[_OpenGame]) -> _OpenGame | None:
    """Return the game that ended with this result. Guests with the same name are not
    distinguished.
    """
    names = Counter(row.names)
    for game in reversed(open_games):
        if row.at - game.start.at > LONGEST_GAME or names not in game.start.players:
            continue
        if game.over is None or any(_fits(row, scores) for scores in game.scores):
            return game
    return None


def _fits(row: ResultRow, announced: Mapping[str, float]) -> bool:
    """Whether a result has the announced scores. Those of guests with the same name can't be
    compared.
    """
    names = Counter(row.names)
    for name, score in zip(row.names, row.scores, strict=True):
        if names[name] > 1:
            continue
        if name not in announced or not isclose(announced[name], score, abs_tol=0.06):
            return False
    return True


@dataclass(frozen=True, slots=True)
class RoomMemory:
    """What is stored of a room between requests. `since` is how far back the next request reaches.
    `requested` is the time of the last request, `answered` that of the last request with an answer,
    `active` that of the latest row. `rows` are stored as long as a game may begin with them.
    `reported` are the hashes of the unknown rows that the admin was notified of."""

    room: str
    since: datetime
    requested: datetime | None = None
    answered: datetime | None = None
    active: datetime | None = None
    running: tuple[RunningGame, ...] = ()
    rows: tuple[Row, ...] = ()
    reported: tuple[str, ...] = ()

    @classmethod
    def new(cls, room: str, now: datetime) -> RoomMemory:
        return cls(room, now - FIRST)

    def due(self, now: datetime) -> bool:
        """Whether the room may be requested at this time."""
        if self.requested is not None:
            pace = PLAYING if self.playing(now) else IDLE
            if abs(now - self.requested) < pace:
                return False
        if not NIGHT_BEGIN <= now.time() < NIGHT_END:
            return True
        has_played = self.active is not None and now - self.active <= DAY
        return has_played or self.answered is None or now - self.answered >= LONGEST_SILENCE

    def due_from(self, now: datetime) -> datetime:
        """Return from when on the room may be requested, by the games known now; not before now."""
        requested = self.requested or now
        end_of_night = datetime.combine(now.date(), NIGHT_END)
        for at in sorted({now, requested + PLAYING, requested + IDLE, end_of_night}):
            if at >= now and self.due(at):
                return at
        return now + IDLE

    def playing(self, now: datetime) -> bool:
        """Whether the result of a game is still expected."""
        for game in self.running:
            if game.over is None:
                is_expected = now - game.at < RUNNING_TIME
            else:
                is_expected = now - game.over < SETTLING_TIME
            if is_expected:
                return True
        return False

    def with_answer(self, answer: RoomRows, now: datetime) -> RoomUpdate:
        """Return the memory after an answer, and the games to store, also those that earlier
        answers had.
        """
        known_rows = dict.fromkeys((*self.rows, *answer.rows))
        rows = [row for row in known_rows if self.since - 2 * DAY <= row.at <= now + DAY]
        games = games_of(rows)
        since = self._next_since(games.running, now)
        reported = tuple(dict.fromkeys((*self.reported, *answer.unknown)))
        memory = replace(
            self,
            since=since,
            answered=now,
            active=max((row.at for row in rows), default=self.active),
            running=tuple(games.running),
            rows=tuple(row for row in rows if row.at >= since - 2 * DAY),
            reported=reported[-REPORTED:],
        )
        recent = [game for game in games.finished if game.result.at >= self.since - DAY]
        return RoomUpdate(memory, recent)

    def _next_since(self, running: Iterable[RunningGame], now: datetime) -> datetime:
        """Return the time the next request reaches back to: the start of every game of the last
        day without a result, but no further than this request, and at least `OVERLAP`."""
        starts = [game.at - timedelta(minutes=1) for game in running if now - game.at < DAY]
        earliest = min([now - OVERLAP, *starts])
        return min(max(earliest, self.since), now - OVERLAP)

    def to_text(self) -> str:
        """Return the memory as JSON. It has no secret, because rows have none."""
        rows = [(_NAME_OF_TYPE[type(row)], *astuple(row)) for row in self.rows]
        stored = {
            "room": self.room,
            "since": self.since,
            "times": [self.requested, self.answered, self.active],
            "running": [astuple(game) for game in self.running],
            "rows": rows,
            "said": self.reported,
        }
        return json.dumps(stored, default=datetime.isoformat, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> RoomMemory:
        """Return the memory from the JSON of `to_text`."""
        stored = json.loads(text)
        requested, answered, active = stored["times"]
        running = []
        for at, over in stored["running"]:
            running.append(RunningGame(datetime.fromisoformat(at), _time_or_none(over)))
        return cls(
            stored["room"],
            since=datetime.fromisoformat(stored["since"]),
            requested=_time_or_none(requested),
            answered=_time_or_none(answered),
            active=_time_or_none(active),
            running=tuple(running),
            rows=tuple(map(_stored_row, stored["rows"])),
            reported=tuple(stored["said"]),
        )


class RoomUpdate(NamedTuple):
    """A room's memory after an answer, and the games to store."""

    memory: RoomMemory
    games: list[RoomGame]


_TYPES: Mapping[str, Any] = {"start": StartRow, "end": EndRow, "result": ResultRow}
_NAME_OF_TYPE = {row_type: name for name, row_type in _TYPES.items()}


def _stored_row(stored: Sequence[Any]) -> Row:
    """Return a row of the JSON: the name of its type, its time, and the values of its other fields
    in order. JSON has a list for each tuple."""
    name, at, *stored_values = stored
    values = [tuple(value) if isinstance(value, list) else value for value in stored_values]
    row: Row = _TYPES[name](datetime.fromisoformat(at), *values)
    return row


def _time_or_none(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
