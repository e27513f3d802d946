"""The state of a room at Tenhou at this moment (running tables, waiting players), requested only
when a member taps.

    IDLE=%42%65,%XX&PLAY=%XX
        two lists of percent-encoded names
    sw([\\r\\n"4332F684,8,03:00,9,SjNm,0,1500.00,QmVu,13,1777.85,…"\\r\\n]);
        one string for each game

The fields of a game: its id, a number, the time it began (JST), the rule's bits, then for each seat
the name (base64 of UTF-8), dan and rating. Three seats have 13 fields, or 16 with an empty fourth
name. The forms are undocumented: what does not match them completely is counted as unread, and no
name is made from a part of one.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from gettext import gettext as _
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import quote, unquote

from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError
from bot.tenhou.room import SOUTH, THREE, EndRow, RoomMemory
from rating.room_id import RoomId
from rating.roomlog import GUEST
from storage.state import State

GAP = timedelta(seconds=10)  # between two requests to a room, of all chats and processes
PATIENCE = 8.0  # seconds for an answer: a member waits
TRIES = 30  # half seconds for another request of ours to end
_ANSWER_LIFE = 60.0  # seconds an answer is stored
_START_GAP = 60.0  # seconds between two games that are started
_TAP_LIFE = 86400.0  # seconds a button can start no second game
# bits of a rule
_HUMANS = 0x01
_CHIPS = 0x200
_MISSING = re.compile(r"MEMBER NOT FOUND\s*(?P<names>.*)", re.DOTALL)
_NAMES = re.compile(r"IDLE=([^&\s]*)&PLAY=([^&\s]*)")
_NAME = re.compile(r"(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z_.~()!*'-])+")
_ROW = re.compile(r'"([^"\r\n]*)"')
_SEAT = r",([A-Za-z0-9+/]*={0,2}),([0-9]{0,2}),([0-9]{1,4}\.[0-9]{2}|)"
_GAME = re.compile(
    r"(?P<id>[0-9A-Fa-f]{8}),[0-9]{1,4},(?P<begin>(?:[01][0-9]|2[0-3]):[0-5][0-9]),"
    rf"[0-9A-Fa-f]{{1,4}}(?P<seats>(?:{_SEAT}){{3,4}})"
)


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A game that can be watched: its id, the time it began (`21:03`), the names on Tenhou by
    seat.
    """

    id: str
    since: str
    players: tuple[str, ...]

    @property
    def url(self) -> str:
        return f"https://tenhou.net/0/?wg={self.id}"


@dataclass(frozen=True, slots=True)
class RoomNow:
    """A room (`C1017`) at a moment (JST): its tables, the waiting players, the number of players at
    other tables, and the number of rows and names that could not be read."""

    room: str
    at: datetime
    tables: tuple[RunningTable, ...] = ()
    waiting: tuple[str, ...] = ()
    others: int = 0
    unread: int = 0


class Tables(NamedTuple):
    """The running games of an answer, and the number of rows that can't be read."""

    tables: tuple[RunningTable, ...]
    unread: int


def read_tables(text: str) -> Tables:
    """Return the games of an answer. Raises TenhouError for another form."""
    body = text.strip("\ufeff \r\n")
    if not body.startswith("sw(["):
        raise TenhouError(_("the room's games come in a form Janroku does not know"))
    inner = body.removeprefix("sw([").removesuffix("]);")
    unread = 0
    text_between_rows = _ROW.sub("", inner).strip(" ,\r\n")
    if text_between_rows or not body.endswith("]);"):
        unread += 1
    games_by_id: dict[str, list[RunningTable]] = {}
    for row in dict.fromkeys(_ROW.findall(inner)):
        game = _game(row)
        if game is None:
            unread += 1
        else:
            games_by_id.setdefault(game.id, []).append(game)
    tables = []
    for games in games_by_id.values():
        if len(games) == 1:
            tables += games
        else:
            unread += 1  # rows with one id contradict each other, and count as one
    return Tables(tuple(tables), unread)


class _SeatFields(NamedTuple):
    name: str
    dan: str
    rating: str

    @property
    def player(self) -> str:
        """The decoded name, "" if it or another field can't be read."""
        if not self.dan or not self.rating:
            return ""
        return _decoded(self.name)


def _game(row: str) -> RunningTable | None:
    """Return the game of a row; None if any part of it can't be read."""
    fields = _GAME.fullmatch(row)
    if fields is None:
        return None
    seats = [_SeatFields(*seat) for seat in re.findall(_SEAT, fields["seats"])]
    if len(seats) == 4 and not seats[-1].name:  # the empty seat of a game of three
        seats.pop()
    players = [seat.player for seat in seats]
    members = [player for player in players if player != GUEST]
    if not all(players) or len(set(members)) < len(members):
        return None
    return RunningTable(fields["id"].upper(), fields["begin"], tuple(players))


def _decoded(text: str) -> str:
    """Return the name in base64, "" for any other text."""
    try:
        name = b64decode(text, validate=True).decode()
    except ValueError:
        return ""
    if b64encode(name.encode()).decode() != text or not _is_name(name):
        return ""
    return name


def _is_name(name: str) -> bool:
    return name.split() == [name] and name.isprintable() and len(name) <= 16


class Names(NamedTuple):
    """The players in a room: those who wait, those who play (one that can't be read is ""), and the
    number of waiting players whose names can't be read."""

    waiting: list[str]
    playing: list[str]
    unread: int


def read_names(text: str) -> Names:
    """Return the players of an answer. Raises TenhouError for another form."""
    lists = _NAMES.fullmatch(text.strip("\ufeff \r\n"))
    if lists is None:
        raise TenhouError(_("the room's players come in a form Janroku does not know"))
    waiting, playing = map(_read_list, lists.groups())
    readable = [name for name in waiting if name]
    return Names(readable, playing, len(waiting) - len(readable))


def _read_list(names: str) -> list[str]:
    """Return the names of a list, "" for a name that can't be read."""
    return [_unquoted(name) for name in names.split(",") if name]


def _unquoted(text: str) -> str:
    if not _NAME.fullmatch(text):
        return ""
    try:
        name = unquote(text, errors="strict")
    except UnicodeDecodeError:
        return ""
    if not _is_name(name):
        return ""
    return name


class _LastRequest(NamedTuple):
    """The last request to a room: its time, and its two answers (the players, the games), both None
    until they have arrived. One that failed remains without answers."""

    at: datetime
    names: str | None = None
    games: str | None = None

    @classmethod
    def from_text(cls, text: str) -> _LastRequest:
        stored = json.loads(text)
        at = datetime.fromisoformat(stored["at"])
        return cls(at, stored.get("names"), stored.get("games"))

    def to_text(self) -> str:
        stored = {"at": self.at.isoformat()}
        if self.names is not None and self.games is not None:
            stored |= {"names": self.names, "games": self.games}
        return json.dumps(stored)

    def state(self, room: RoomId) -> RoomNow | None:
        """Return the room's state by the answers, None while there are none."""
        if self.names is None or self.games is None:
            return None
        return _room_state(room, self.at, self.names, self.games)


class RoomAsker:
    """Requests the state of leagues' own rooms, and starts games in them.

    What it guarantees, for all processes and chats together:
    - a room is requested at most once in ten seconds (`GAP`), and no second time while a request
      is running or after one that failed (tests/answers/tonight/test_room.py);
    - a button starts at most one game, and a room starts at most one game a minute: the marks are
      added to the database before the request (shown there too);
    - no other process has a connection to Tenhou meanwhile (`turn`, see `Throttle.turn`).

    `ids` returns a league's room id, `turn` is `Throttle.turn`, `now` returns an aware time (JST).
    `may_start`: games may be started (START_GAMES)."""

    def __init__(
        self,
        state: State,
        ids: Callable[[str], RoomId | None],
        turn: Callable[[int], AbstractContextManager[Callable[[], None]]],
        now: Callable[[], datetime],
        url: str,
        *,
        may_start: bool = False,
        connect: Callable[[], TenhouClient] | None = None,
    ) -> None:
        self._state = state
        self._ids = ids
        self._turn = turn
        self._now = now
        self._connect = connect or partial(TenhouClient, url, patience=PATIENCE)
        self.may_start = may_start

    def look(self, league: str) -> RoomNow | None:
        """Return the state of a league's room at most ten seconds ago; None if it has no room.
        Raises TenhouError (TenhouBusy: no request was sent), ValueError for an unreadable id, and
        StorageError."""
        room = self._ids(league)
        if room is None:
            return None
        request = self._recent_request(room)
        state = request.state(room) if request else None
        if state is not None:
            return state
        with self._turn(TRIES) as renew:
            # Only now is no request running: one without answers failed.
            request = self._recent_request(room)
            if request is None:
                return self._request(room, renew)
            state = request.state(room)
            if state is None:
                raise TenhouBusy(_("the room was asked a moment ago, without an answer"))
            return state

    def _recent_request(self, room: RoomId) -> _LastRequest | None:
        """Return the last request, None if it was more than `GAP` ago."""
        text = self._state.values.get(_key(room))
        if not text:
            return None
        request = _LastRequest.from_text(text)
        if abs(self._now() - request.at) >= GAP:
            return None
        return request

    def _store(self, room: RoomId, request: _LastRequest) -> None:
        self._state.values.put(_key(room), request.to_text(), _ANSWER_LIFE)

    def _request(self, room: RoomId, renew: Callable[[], None]) -> RoomNow:
        """Request the room's state. The time is stored first, so that a request that fails counts
        too.
        """
        at = self._now()
        self._store(room, _LastRequest(at))
        with self._connect() as tenhou:
            renew()
            names = tenhou.room("get_players", room)
            games = "sw([]);"  # the form of an answer without games
            if read_names(names).playing:
                renew()
                games = tenhou.room("get_wg", room)
        state = _room_state(room, at, names, games)  # raises for answers that can't be used
        self._store(room, _LastRequest(at, names, games))
        return state

    def name(self, league: str) -> str:
        """Return the name of a league's own room (`C1017`), "" if it has no usable one."""
        with suppress(ValueError):
            room = self._ids(league)
            return room.room if room else ""
        return ""

    def start(
        self,
        league: str,
        names: Sequence[str],
        nonce: str,
        *,
        chips: bool,
    ) -> list[str]:
        """Have Tenhou start a game of these members by the rules of the last game. Return the
        members who are not in the room; without any, the game was started. `nonce` identifies the
        button. Raises TenhouBusy within a minute of another start or if the button was used,
        ValueError if no game may be started, and TenhouError and StorageError."""
        room = self._ids(league)
        if room is None or not self.may_start:
            raise ValueError("no game may be started")
        bits = self._bits(league, len(names), chips)
        with self._turn(TRIES) as renew:
            self._mark_start(room, nonce)
            with self._connect() as tenhou:
                renew()
                answer = tenhou.room("start", room, _start_fields(bits, names))
        refusal = _MISSING.search(answer)
        if refusal is None:
            return []
        self._state.values.delete(
            _start_key(room)
        )  # no game was started: the next try need not wait
        missing = _members_in(refusal["names"], names)
        if not missing:
            raise TenhouError(_("Tenhou says that members are missing, and not whom it means"))
        return missing

    def _mark_start(self, room: RoomId, nonce: str) -> None:
        """Mark the button as used and the room as started, before the request. Raises TenhouBusy if
        one of the marks is there."""
        marks = {f"tenhou/start/{nonce}": _TAP_LIFE, _start_key(room): _START_GAP}
        for mark, life in marks.items():
            if not self._state.values.add(mark, "", life):
                raise TenhouBusy(_("a game was started a moment ago"))

    def _bits(self, league: str, seats: int, chips: bool) -> int:
        """Return the rule's bits of the room's last game with this number of seats, or else those
        of a usual game.
        """
        memory = self.memory(league)
        rows = memory.rows if memory else ()
        for row in sorted(rows, key=attrgetter("at"), reverse=True):
            if isinstance(row, EndRow) or row.bits is None:
                continue
            if bool(row.bits & THREE) == (seats == 3):
                return row.bits
        bits = _HUMANS | SOUTH
        if seats == 3:
            bits |= THREE
        if chips:
            bits |= _CHIPS
        return bits

    def memory(self, league: str) -> RoomMemory | None:
        text = self._state.rooms.memory(league)
        return RoomMemory.from_text(text) if text else None


def _room_state(room: RoomId, at: datetime, names: str, games: str) -> RoomNow:
    players = read_names(names)
    running = read_tables(games)
    others = 0
    if not running.unread:
        seated = sum(len(table.players) for table in running.tables)
        others = max(0, len(players.playing) - seated)
    return RoomNow(
        room.room,
        at,
        tables=running.tables,
        waiting=tuple(players.waiting),
        others=others,
        unread=players.unread + running.unread,
    )


def _start_fields(bits: int, names: Sequence[str]) -> str:
    """Return the form fields of a start: the rule's bits, one member a line, and fixed fields."""
    members = quote("".join(f"{name}\n" for name in names))
    return f"&R2={bits:04x}&M={members}&RND=default&WG=1&PW="


def _members_in(text: str, names: Sequence[str]) -> list[str]:
    """Return the members among the words of a text, which may be percent-encoded."""
    words = text.split()
    readings = {*words, *map(unquote, words)}
    return [name for name in names if name in readings]


def _start_key(room: RoomId) -> str:
    return f"{_key(room)}/start"


def _key(room: RoomId) -> str:
    return f"tenhou/now/{room.text[:-8]}"
