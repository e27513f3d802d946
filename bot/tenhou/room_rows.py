"""Read the rows in which a room tells its own games: starts, ends and results. No I/O.

    [2026/08/10 04:07:31] lobby=11017&type=0009&…&log=ID&cmd=<CHAT text="#START A B C D"/>
    [2026/08/10 04:38:26] lobby=11017&cmd=<CHAT text="#END D(+92.6) C(-0.9) A(-30.7) B(-61.0) " />
    [2026/08/10 04:38:29] lobby=11017&type=0009&un=A,B,C,D&sc=-30.7,-61.0,-0.9,92.6&chip=

The form is undocumented, so a row is told by what it holds. What comes is not trusted: a row that is not
wholly of a known form is passed over, and only its hash is kept. Times are JST without a zone.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from math import isclose
from urllib.parse import unquote

from bot.tenhou.errors import TenhouError
from bot.tenhou.paifu_url import is_paifu_id
from rating.roomlog import GUEST, format_points, is_guest, parse_utf8

STAMP = "%Y/%m/%d %H:%M:%S"
_ROW = re.compile(r"\[([0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})\] *(.+)")
_CHAT = re.compile(r'(?:^|&)cmd=<CHAT\s+text="(.*)"\s*/>(?=&|$)')
_POINTS = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?")
_CHIPS = re.compile(r"[+-]?[0-9]{1,6}")
_TOKEN = re.compile(r"(.+)\(([+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?)(?:,[^()]*)?\)")
_LONGEST = 2000  # characters of a row that is read
_START, _END = "#START ", "#END "
# The bits of a game's `type`.
NO_RED, NO_OPEN_TANYAO, SOUTH, THREE, EXPERT, FAST, HIGHER = 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80
CHIPS = 0x600
# By the bits EXPERT and HIGHER; a room of one's own has neither.
_LEVELS = {0: "般", HIGHER: "上", EXPERT: "特", EXPERT | HIGHER: "鳳"}
_PARLOUR = {0: "般", HIGHER: "銀", EXPERT: "琥", EXPERT | HIGHER: "鳳"}
_DIGITS = {0x200: "２", 0x400: "０", 0x600: "５"}

Players = Counter[str]


@dataclass(frozen=True, slots=True)
class StartRow:
    """A game that began: its players as the row has them, its record's id ("" if none), the rule's bits
    (None: not told)."""

    at: datetime
    text: str
    id: str = ""
    bits: int | None = None

    @property
    def players(self) -> list[Players]:
        """Every reading of the names: as they stand, percent-decoded, with XML's escapes resolved."""
        return [Counter(text[len(_START) :].split()) for text in _readings(self.text, _START)]


@dataclass(frozen=True, slots=True)
class EndRow:
    """A game's end as the room's talk announces it: players with points."""

    at: datetime
    text: str

    @property
    def scores(self) -> list[dict[str, float]]:
        """Every reading of the players' points (thousands); none where the text has another form."""
        found = []
        for text in _readings(self.text, _END):
            tokens = [_TOKEN.fullmatch(word) for word in text[len(_END) :].split()]
            if tokens and all(tokens):
                found.append({token[1]: float(token[2]) for token in tokens if token})
        return found


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A game's result: names, points (thousands) and chips (None: played without) by seat, the first dealer
    first."""

    at: datetime
    names: tuple[str, ...]
    scores: tuple[float, ...]
    chips: tuple[int, ...] | None
    bits: int | None = None

    def line(self, room: str, start: datetime, bits: int) -> bytes:
        """Return the line of the day's file: players best first, equal points in the order of seats."""
        order = sorted(range(len(self.names)), key=lambda seat: -self.scores[seat])
        words = " ".join(map(self._word, order))
        return f"{room} | {start:%H:%M} | {rule_word(bits, len(self.names))} | {words}".encode()

    def _word(self, seat: int) -> str:
        points = format_points(self.scores[seat])
        if self.chips is None:
            return f"{self.names[seat]}({points})"
        chips = self.chips[seat]
        return f"{self.names[seat]}({points},{f'{chips:+d}' if chips else '0'}枚)"

    @property
    def sound(self) -> bool:
        """Whether the line would be read back as this very game."""
        lines = parse_utf8("", self.line("C0000", self.at, 0)).lines
        game = lines[0].game if len(lines) == 1 and lines[0].glued is None and not lines[0].reason else None
        if game is None or any(name.split() != [name] for name in self.names):
            return False
        return Counter(self.names) == Counter(
            GUEST if is_guest(player) else player for player in game.players
        )


Row = StartRow | EndRow | ResultRow


@dataclass(frozen=True, slots=True)
class RoomRows:
    """What an answer holds: its rows, each once, and the hashes of the rows passed over."""

    rows: tuple[Row, ...] = ()
    unknown: tuple[str, ...] = field(default=())


def read_rows(text: str, lobby: str) -> RoomRows:
    """Return the rows of a room's answer.

    Rows of another lobby count as unknown. Raises TenhouError, without any of the text, when an answer that
    is not empty has no row of the known form.
    """
    lines = [line.strip("\r\ufeff") for line in text.split("\n")]
    rows: dict[Row, None] = {}
    unknown: dict[str, None] = {}
    known = False
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        row, form = _read(line, lobby)
        known = known or form
        if row is None or (number == len(lines) - 1 and not _whole(row)):
            unknown[hashlib.sha256(line.encode("utf-8", "replace")).hexdigest()[:12]] = None
        else:
            rows[row] = None
    if unknown and not known:
        raise TenhouError("the answer has no row of the known form")
    return RoomRows(tuple(rows), tuple(unknown))


def _read(line: str, lobby: str) -> tuple[Row | None, bool]:
    """Return the row, None for one that is passed over, and whether it has the form of a known kind."""
    found = _ROW.fullmatch(line.rstrip()) if len(line) <= _LONGEST else None
    if found is None:
        return None, False
    try:
        at = datetime.strptime(found[1], STAMP)  # noqa: DTZ007 (JST, as all of this module)
    except ValueError:
        return None, False
    chat = _CHAT.search(found[2])
    body = found[2][: chat.start()] + found[2][chat.end() :] if chat else found[2]
    fields = dict(pair.partition("=")[::2] for pair in reversed(body.split("&")))
    if fields.get("lobby", lobby) != lobby:
        return None, False
    if "un" in fields and "sc" in fields:
        return _result(at, fields), True
    if chat is None:
        return None, False
    return _talk(at, chat[1], fields), True


def _talk(at: datetime, text: str, fields: dict[str, str]) -> Row | None:
    """Return the start or end of a game; None for members' own talk."""
    if any(3 <= len(reading[len(_START) :].split()) <= 4 for reading in _readings(text, _START)):
        paifu = fields.get("log", "")
        return StartRow(at, text, paifu if is_paifu_id(paifu) else "", _bits(fields.get("type", "")))
    if _readings(text, _END):
        return EndRow(at, text)
    return None


def _result(at: datetime, fields: dict[str, str]) -> ResultRow | None:
    """Return the result; None where the lists differ in length or hold no numbers, or where a name can't
    stand in a log."""
    names, scores = fields["un"].split(","), fields["sc"].split(",")
    chips = fields.get("chip", "?").split(",")
    if len(names) == len(scores) == 4 and not names[3]:  # the empty seat of a game of three
        names, scores, chips = names[:3], scores[:3], chips[:3]
    if not any(chips):
        chips = []
    if len(names) not in (3, 4) or len(scores) != len(names) or (chips and len(chips) != len(names)):
        return None
    if not all(map(_POINTS.fullmatch, scores)) or not all(map(_CHIPS.fullmatch, chips)):
        return None
    try:
        decoded = tuple(unquote(name, errors="strict") for name in names)
    except UnicodeDecodeError:
        return None
    row = ResultRow(
        at,
        decoded,
        tuple(map(float, scores)),
        tuple(map(int, chips)) if chips else None,
        _bits(fields.get("type", "")),
    )
    return row if row.sound else None


def _whole(row: Row) -> bool:
    """Whether a row without a line end is surely not cut off: a result's points and chips each sum to
    zero."""
    if not isinstance(row, ResultRow):
        return True
    if row.chips is None:
        return isclose(sum(row.scores), 0, abs_tol=0.05) and not (row.bits or 0) & CHIPS
    return isclose(sum(row.scores), 0, abs_tol=0.05) and sum(row.chips) == 0


def _bits(text: str) -> int | None:
    return int(text, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,8}", text) else None


def _readings(text: str, begin: str) -> Sequence[str]:
    """Return the readings of a talk's text that begin with a word such as `#START `, each once."""
    decoded = unquote(text)
    return [
        reading
        for reading in dict.fromkeys((text, decoded, unescape(text), unescape(decoded)))
        if reading.startswith(begin)
    ]


def rule_word(bits: int, seats: int) -> str:
    """Return the word for a game's rule in a room's results, such as `三般南喰赤祝`.

    It has seats (3 or 4), level, length, open tanyao (喰), red fives (赤), then 祝 (chips) or 速 (fast). 般
    has no digit for the chips' worth.
    """
    chips, level = bits & CHIPS, bits & (EXPERT | HIGHER)
    last = "祝" if chips else "速" if bits & FAST else "－"
    return (
        ("三" if seats == 3 else "四")
        + (_PARLOUR if chips else _LEVELS)[level]
        + ("南" if bits & SOUTH else "東")
        + ("－" if bits & NO_OPEN_TANYAO else "喰")
        + ("－" if bits & NO_RED else "赤")
        + last
        + (_DIGITS[chips] if chips and level else "")
    )
