"""What a room at Tenhou tells of its own games: its rows, the games they make, and what is
remembered between two requests. No I/O.

    [2026/08/10 04:07:31] lobby=11017&type=0009&…&log=ID&cmd=<CHAT text="#START A B C D"/>
    [2026/08/10 04:38:26] lobby=11017&cmd=<CHAT text="#END D(+92.6) C(-0.9) A(-30.7) B(-61.0) " />
    [2026/08/10 04:38:29] lobby=11017&type=0009&un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=

The form is undocumented, so a row is told by what it holds. What comes is not trusted: a row that
is not wholly of a known form is passed over, and only its hash is kept. Times are JST without a
zone.

A result belongs to the latest start before it with the same players. A start followed by another
start of the same players was broken off. A result whose start is not there counts too, with its own
time.

A room is asked at most every 3 minutes while somebody plays, every 20 otherwise, and not at night
where nobody has played for a day. A request reaches back to the start of every game that has not
ended.
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
from typing import Any
from urllib.parse import unquote

from bot.tenhou.client import TenhouError, is_paifu_id
from rating.roomlog import GUEST, format_points, is_guest, parse_utf8

STAMP = "%Y/%m/%d %H:%M:%S"
_ROW = re.compile(r"\[([0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})\] *(.+)")
_CHAT = re.compile(r'(?:^|&)cmd=<CHAT\s+text="(.*)"\s*/>(?=&|$)')
_POINTS = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?")
_CHIPS = re.compile(r"[+-]?[0-9]{1,6}")
_TOKEN = re.compile(r"(.+)\(([+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?)(?:,[^()]*)?\)")
_LONGEST = 2000  # characters of a row that is read
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
# By the bits EXPERT and HIGHER; a room of one's own has neither.
_LEVELS = {0: "般", HIGHER: "上", EXPERT: "特", EXPERT | HIGHER: "鳳"}
_PARLOUR = {0: "般", HIGHER: "銀", EXPERT: "琥", EXPERT | HIGHER: "鳳"}
_DIGITS = {0x200: "２", 0x400: "０", 0x600: "５"}
REACH = timedelta(hours=24)  # a result belongs to no start longer ago
TWICE = timedelta(
    seconds=60
)  # no game is over so soon: an equal result within this time is the same one
PLAYING = timedelta(minutes=3)
IDLE = timedelta(minutes=20)
NIGHT = time(1), time(7)
DAY = timedelta(days=1)
KNOWN = timedelta(hours=12)  # after so long without a look it is not known whether somebody plays
FIRST = DAY + timedelta(hours=1)  # how far the first request reaches back
OVERLAP = timedelta(hours=3)  # how far a later one reaches back at least: rows may come late
GAME = timedelta(hours=3)  # a game without a result counts as running for so long
SETTLED = timedelta(minutes=10)  # and after its end was announced, for so long
SAID = 200  # hashes of unknown rows that are remembered


@dataclass(frozen=True, slots=True)
class StartRow:
    """A game that began: its players as the row has them, its record's id ("" if none), the rule's
    bits (None: not told)."""

    at: datetime
    text: str
    id: str = ""
    bits: int | None = None

    @property
    def players(self) -> list[Counter[str]]:
        """Every reading of the names: as they stand, percent-decoded, with XML's escapes
        resolved.
        """
        readings = _readings(self.text, _START)
        return [Counter(text[len(_START) :].split()) for text in readings]


@dataclass(frozen=True, slots=True)
class EndRow:
    """A game's end as the room's talk announces it: players with points."""

    at: datetime
    text: str

    @property
    def scores(self) -> list[dict[str, float]]:
        """Every reading of the players' points (thousands); none where the text has another
        form.
        """
        scores = []
        for text in _readings(self.text, _END):
            words = text[len(_END) :].split()
            matches = [_TOKEN.fullmatch(word) for word in words]
            tokens = [match for match in matches if match]
            if words and len(tokens) == len(words):
                scores.append({token[1]: float(token[2]) for token in tokens})
        return scores


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A game's result by seat, the first dealer first: names, points (thousands), chips (None:
    without).
    """

    at: datetime
    names: tuple[str, ...]
    scores: tuple[float, ...]
    chips: tuple[int, ...] | None
    bits: int | None = None

    def line(self, room: str, start: datetime, bits: int) -> bytes:
        """Return the line of the day's file: players best first, equal points in the order of
        seats.
        """
        chips = [""] * len(self.names)
        if self.chips is not None:
            chips = [f",{count:+d}枚" if count else ",0枚" for count in self.chips]
        seats = sorted(
            zip(self.names, self.scores, chips, strict=True),
            key=lambda seat: -seat[1],
        )
        words = [f"{name}({format_points(score)}{won})" for name, score, won in seats]
        return f"{room} | {start:%H:%M} | {rule_word(bits, len(self.names))} | {' '.join(words)}".encode()

    @property
    def sound(self) -> bool:
        if any(name.split() != [name] for name in self.names):
            return False
        lines = parse_utf8("", self.line("C0000", self.at, 0)).lines
        if len(lines) != 1:
            return False
        (line,) = lines
        if line.game is None or line.glued is not None or line.reason:
            return False
        read = Counter(GUEST if is_guest(player) else player for player in line.game.players)
        return Counter(self.names) == read


Row = StartRow | EndRow | ResultRow


@dataclass(frozen=True, slots=True)
class RoomRows:
    """What an answer holds: its rows, each once, and the hashes of the rows passed over."""

    rows: tuple[Row, ...] = ()
    unknown: tuple[str, ...] = ()


def read_rows(text: str, lobby: str) -> RoomRows:
    """Return the rows of a room's answer. Rows of another lobby count as unknown. Raises
    TenhouError, without any of the text, when an answer that is not empty has no row of the known
    form."""
    rows: dict[Row, None] = {}
    unknown: dict[str, None] = {}
    known = False
    lines = [line.strip("\r\ufeff") for line in text.split("\n")]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row, form = _read(line, lobby)
        known = known or form
        if row is None or (number == len(lines) and not _whole(row)):
            unknown[
                hashlib.sha256(
                    line.encode(
                        "utf-8",
                        "replace",
                    )
                ).hexdigest()[:12]
            ] = None
        else:
            rows[row] = None
    if unknown and not known:
        raise TenhouError("the answer has no row of the known form")
    return RoomRows(tuple(rows), tuple(unknown))


def _read(line: str, lobby: str) -> tuple[Row | None, bool]:
    """Return the row, None for one that is passed over, and whether it has the form of a known
    kind.
    """
    if len(line) > _LONGEST:
        return None, False
    found = _ROW.fullmatch(line.rstrip())
    if found is None:
        return None, False
    try:
        at = datetime.strptime(found[1], STAMP)  # noqa: DTZ007 (JST, as all of this module)
    except ValueError:
        return None, False
    chat = _CHAT.search(found[2])
    body = found[2]
    if chat:
        body = body[: chat.start()] + body[chat.end() :]
    pairs = reversed(body.split("&"))
    fields = dict(pair.partition("=")[::2] for pair in pairs)
    if fields.get("lobby", lobby) != lobby:
        return None, False
    if "un" in fields and "sc" in fields:
        return _result(at, fields), True
    if chat is None:
        return None, False
    readings = [reading[len(_START) :].split() for reading in _readings(chat[1], _START)]
    if any(len(names) in (3, 4) for names in readings):
        paifu = fields.get("log", "")
        return StartRow(
            at,
            chat[1],
            paifu if is_paifu_id(paifu) else "",
            _bits(fields.get("type", "")),
        ), True
    # what is neither start nor end is members' own talk
    if not _readings(chat[1], _END):
        return None, True
    return EndRow(at, chat[1]), True


def _result(at: datetime, fields: dict[str, str]) -> ResultRow | None:
    """Return the result; None where the lists do not fit, or a name can't stand in a log."""
    names = fields["un"].split(",")
    scores = fields["sc"].split(",")
    chips = fields.get("chip", "?").split(",")
    if len(names) == len(scores) == 4 and not names[3]:  # the empty seat of a game of three
        names = names[:3]
        scores = scores[:3]
        chips = chips[:3]
    if not any(chips):
        chips = []
    if (
        len(names) not in (3, 4)
        or len(scores) != len(names)
        or (chips and len(chips) != len(names))
    ):
        return None
    if not all(
        map(
            _POINTS.fullmatch,
            scores,
        )
    ) or not all(map(_CHIPS.fullmatch, chips)):
        return None
    try:
        decoded = tuple(unquote(name, errors="strict") for name in names)
    except UnicodeDecodeError:
        return None
    won = tuple(map(int, chips)) if chips else None
    row = ResultRow(
        at,
        decoded,
        tuple(map(float, scores)),
        won,
        _bits(fields.get("type", "")),
    )
    if not row.sound:
        return None
    return row


def _whole(row: Row) -> bool:
    """Whether a row without a line end is surely whole: a result's points and chips each sum to
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
    readings = dict.fromkeys(
        (
            text,
            unquote(text),
            unescape(text),
            unescape(unquote(text)),
        )
    )
    return [reading for reading in readings if reading.startswith(begin)]


def rule_word(bits: int, seats: int) -> str:
    """Return the word for a game's rule in a room's results, such as `三般南喰赤祝`. It has seats
    (3 or 4), level, length, open tanyao (喰), red fives (赤), then 祝 (chips) or 速 (fast). 般 has
    no digit for the chips' worth."""
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
    """A finished game of the room; `start` is None where its start row is not there.

    Times are JST.
    """

    result: ResultRow
    start: StartRow | None = None

    @property
    def key(self) -> str:
        """What tells this game from every other: its result, whatever is known of its start."""
        told = repr((self.result.names, self.result.scores, self.result.chips))
        mark = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{self.result.at:%Y%m%d%H%M%S}{mark}"

    @property
    def begun(self) -> datetime:
        return self.start.at if self.start else self.result.at

    @property
    def day(self) -> date:
        return self.begun.date()

    @property
    def paifu(self) -> str:
        return self.start.id if self.start else ""

    def line(self, room: str) -> bytes:
        bits = self.result.bits
        if bits is None and self.start:
            bits = self.start.bits
        return self.result.line(room, self.begun, bits or 0)


@dataclass(slots=True)
class _Open:
    """A game that began; `over` is when its end was announced, with `scores`."""

    start: StartRow
    over: datetime | None = None
    scores: Sequence[dict[str, float]] = ()


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game without a result; `over` is when its end was announced, None while it runs."""

    at: datetime
    over: datetime | None


def put_together(rows: Iterable[Row]) -> tuple[list[RoomGame], list[RunningGame]]:
    """Return the finished games by time of result, and those without a result. The order of the
    rows does not count: in the same second a result comes before an end, and an end before the next
    start."""
    games: list[RoomGame] = []
    begun: list[_Open] = []
    for row in sorted(set(rows), key=_order):
        if isinstance(row, StartRow):
            players = row.players
            begun = [
                game for game in begun if not any(other in players for other in game.start.players)
            ]
            begun.append(_Open(row))
        elif isinstance(row, EndRow):
            named = [set(scores) for scores in row.scores]
            for game in reversed(begun):
                if game.over is None and any(
                    set(players) in named for players in game.start.players
                ):
                    game.over = row.at
                    game.scores = row.scores
                    break
        elif not any(_same_result(row, game.result) for game in games):
            found = _begun_before(row, begun)
            if found is not None:
                begun.remove(found)
            games.append(RoomGame(row, found.start if found else None))
    return games, [RunningGame(game.start.at, game.over) for game in begun]


def _order(row: Row) -> tuple[Any, ...]:
    kinds = (ResultRow, EndRow, StartRow)
    return row.at, kinds.index(type(row)), repr(row)


def _same_result(row: ResultRow, other: ResultRow) -> bool:
    """Whether two rows are of one game, which the room may have reported twice."""
    if abs(row.at - other.at) > TWICE:
        return False
    return (row.names, row.scores, row.chips) == (other.names, other.scores, other.chips)


def _begun_before(row: ResultRow, begun: Sequence[_Open]) -> _Open | None:
    """Return the game that ended with this result; guests of one name are not told apart."""
    names = Counter(row.names)
    for game in reversed(begun):
        if row.at - game.start.at > REACH or names not in game.start.players:
            continue
        if game.over is None or any(_fits(row, scores) for scores in game.scores):
            return game
    return None


def _fits(row: ResultRow, announced: Mapping[str, float]) -> bool:
    """Whether a result has the announced scores. Of guests with the same name nothing is known."""
    names = Counter(row.names)
    for name, score in zip(row.names, row.scores, strict=True):
        if names[name] > 1:
            continue
        if name not in announced or not isclose(announced[name], score, abs_tol=0.06):
            return False
    return True


@dataclass(frozen=True, slots=True)
class RoomMemory:
    """What is known of a room. `since` is how far back the next request reaches. `asked` is the
    last request's time, `looked` that of the last one that was answered, `active` the latest row's.
    `rows` are kept as long as a game may begin in them. `said` are hashes of the unknown rows that
    were told of."""

    room: str
    since: datetime
    asked: datetime | None = None
    looked: datetime | None = None
    active: datetime | None = None
    running: tuple[RunningGame, ...] = ()
    rows: tuple[Row, ...] = ()
    said: tuple[str, ...] = ()

    @classmethod
    def new(cls, room: str, now: datetime) -> RoomMemory:
        return cls(room, now - FIRST)

    def due(self, now: datetime) -> bool:
        if self.asked is not None:
            wait = PLAYING if self.playing(now) else IDLE
            if abs(now - self.asked) < wait:
                return False
        night = NIGHT[0] <= now.time() < NIGHT[1]
        quiet = self.active is None or now - self.active > DAY
        return not (night and quiet and self.looked is not None and now - self.looked < KNOWN)

    def due_from(self, now: datetime) -> datetime:
        """Return when the room may be asked next, as far as is known now; not before now."""
        asked = self.asked or now
        for at in sorted(
            {
                now,
                asked + PLAYING,
                asked + IDLE,
                datetime.combine(now.date(), NIGHT[1]),
            }
        ):
            if at >= now and self.due(at):
                return at
        return now + IDLE

    def playing(self, now: datetime) -> bool:
        """Whether a game has begun whose result is still to come."""
        for game in self.running:
            if game.over is None:
                awaited = now - game.at < GAME
            else:
                awaited = now - game.over < SETTLED
            if awaited:
                return True
        return False

    def with_answer(self, read: RoomRows, now: datetime) -> tuple[RoomMemory, list[RoomGame]]:
        """Return the memory after an answer, and the games to keep; those of earlier answers come
        again.
        """
        rows = dict.fromkeys((*self.rows, *read.rows))
        kept = [row for row in rows if self.since - 2 * DAY <= row.at <= now + DAY]
        games, running = put_together(kept)
        recent = [game.at for game in running if now - game.at < DAY]
        starts = [start - timedelta(minutes=1) for start in recent]
        since = min(
            max(min([now - OVERLAP, *starts]), self.since),
            now - OVERLAP,
        )
        said = tuple(dict.fromkeys((*self.said, *read.unknown)))
        return replace(
            self,
            since=since,
            looked=now,
            active=max((row.at for row in kept), default=self.active),
            running=tuple(running),
            rows=tuple(row for row in kept if row.at >= since - 2 * DAY),
            said=said[-SAID:],
        ), [game for game in games if game.result.at >= self.since - DAY]

    def to_text(self) -> str:
        """JSON without a secret, because rows have none."""
        rows = [(_NAMES[type(row)], *astuple(row)) for row in self.rows]
        known = {
            "room": self.room,
            "since": self.since,
            "times": [self.asked, self.looked, self.active],
            "running": [astuple(game) for game in self.running],
            "rows": rows,
            "said": self.said,
        }
        return json.dumps(known, default=datetime.isoformat, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> RoomMemory:
        known = json.loads(text)
        since, asked, looked, active = map(_time, (known["since"], *known["times"]))
        running = tuple(RunningGame(*map(_time, times)) for times in known["running"])
        rows = []
        for name, at, *rest in known["rows"]:
            values = (tuple(value) if isinstance(value, list) else value for value in rest)
            rows.append(_ROWS[name](_time(at), *values))
        return cls(
            known["room"],
            since,
            asked,
            looked,
            active,
            running,
            tuple(rows),
            tuple(known["said"]),
        )


_ROWS: Mapping[str, Any] = {"start": StartRow, "end": EndRow, "result": ResultRow}
_NAMES = {kind: name for name, kind in _ROWS.items()}


def _time(text: str | None) -> Any:
    return datetime.fromisoformat(text) if text else None
