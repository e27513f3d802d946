"""What a room at Tenhou tells of this moment (tables under way, who waits), and who asks it, for a
tap alone.

    IDLE=%42%65,%XX&PLAY=%XX                                        names, percent-encoded, in two
    lists sw([\\r\\n"4332F684,8,03:00,9,SjNm,0,1500.00,QmVu,13,1777.85,…"\\r\\n]);     a string a
    game

A game's fields: its id, a number, the hour (JST), the rule's bits, then of each seat the name
(base64 of UTF-8), dan and rating. Three seats have 13 fields, or 16 with an empty fourth name. The
forms are undocumented: what is not wholly of them is counted as unread, and no name is made of a
part of one.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from gettext import gettext as _
from urllib.parse import quote, unquote

from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError
from bot.tenhou.room import SOUTH, THREE, RoomMemory
from rating.room_id import RoomId
from rating.roomlog import GUEST
from storage.state import State

APART = timedelta(seconds=10)  # between two questions to a room, whoever asks
PATIENCE = 8.0  # seconds for an answer: a member waits
TRIES = 30  # half seconds for another request of ours to end
_KEPT = 60.0  # seconds an answer is kept
_STARTED = 60.0  # seconds between two games that are started
# bits of a rule
_HUMANS = 0x01
_CHIPS = 0x200
_MISSING = re.compile(r"MEMBER NOT FOUND\s*(.*)", re.DOTALL)
_NAMES = re.compile(r"IDLE=([^&\s]*)&PLAY=([^&\s]*)")
_NAME = re.compile(r"(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z_.~()!*'-])+")
_ROW = re.compile(r'"([^"\r\n]*)"')
_SEAT = r",([A-Za-z0-9+/]*={0,2}),([0-9]{0,2}),([0-9]{1,4}\.[0-9]{2}|)"
_GAME = re.compile(
    r"([0-9A-Fa-f]{8}),[0-9]{1,4},((?:[01][0-9]|2[0-3]):[0-5][0-9]),[0-9A-Fa-f]{1,4}"
    rf"((?:{_SEAT}){{3,4}})"
)


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A game that can be watched: its id, the hour it began (`21:03`), the names on Tenhou by
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
    """A room (`C1017`) at a moment (JST): its tables, who waits, how many others play, and how many
    rows and names could not be read."""

    room: str
    at: datetime
    tables: tuple[RunningTable, ...] = ()
    waiting: tuple[str, ...] = ()
    others: int = 0
    unread: int = 0


def read_tables(text: str) -> tuple[tuple[RunningTable, ...], int]:
    """The games of an answer, and how many rows of it can't be read.

    Raises TenhouError for another form.
    """
    body = text.strip("\ufeff \r\n")
    if not body.startswith("sw(["):
        raise TenhouError(_("the room's games come in a form Janroku does not know"))
    inner = body.removeprefix("sw([").removesuffix("]);")
    unread = 0
    if _ROW.sub("", inner).strip(" ,\r\n") or not body.endswith("]);"):
        unread = 1
    found: dict[str, RunningTable | None] = {}
    for row in dict.fromkeys(_ROW.findall(inner)):
        game = _game(row)
        key = game.id if game else row
        if key in found:
            found[key] = None  # one id cannot be two games
        else:
            found[key] = game
    tables = tuple(game for game in found.values() if game)
    return tables, unread + len(found) - len(tables)


def _game(row: str) -> RunningTable | None:
    form = _GAME.fullmatch(row)
    if form is None:
        return None
    seats = re.findall(_SEAT, form[3])
    if len(seats) == 4 and not seats[3][0]:  # the empty seat of a game of three
        seats.pop()
    names = [_decoded(name) if dan and rating else "" for name, dan, rating in seats]
    known = [name for name in names if name != GUEST]
    if not all(names) or len(set(known)) < len(known):
        return None
    return RunningTable(form[1].upper(), form[2], tuple(names))


def _decoded(text: str) -> str:
    try:
        name = b64decode(text, validate=True).decode()
    except ValueError:
        return ""
    if b64encode(name.encode()).decode() != text or not _is_name(name):
        return ""
    return name


def _is_name(name: str) -> bool:
    return name.split() == [name] and name.isprintable() and len(name) <= 16


def read_names(text: str) -> tuple[list[str], list[str], int]:
    """Who waits in a room, who plays, and how many names can't be read. Raises TenhouError."""
    lists = _NAMES.fullmatch(text.strip("\ufeff \r\n"))
    if lists is None:
        raise TenhouError(_("the room's players come in a form Janroku does not know"))
    waiting, playing = map(_read_list, lists.groups())
    good = [name for name in waiting if name]
    return good, playing, len(waiting) - len(good)


def _read_list(names: str) -> list[str]:
    """The names of a list, "" for one that can't be read."""
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


class RoomAsker:
    """Asks leagues' own rooms, at most once in ten seconds a room for all processes and chats
    together. `ids` gives a league's id, `turn` is `Throttle.turn`, `now` gives an aware time (JST).
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
        self._connect = connect or (lambda: TenhouClient(url, patience=PATIENCE))
        self.may_start = may_start

    def look(self, league: str) -> RoomNow | None:
        """What happens in a league's room, as it was at most ten seconds ago; None where it has
        none. Raises TenhouError (TenhouBusy: not asked), ValueError for an unreadable id,
        StorageError."""
        room = self._ids(league)
        if room is None:
            return None
        known = self._known(room)
        if known is None:
            with self._turn(TRIES) as renew:
                known = self._known(room, waited=True) or self._asked(room, renew)
        return known

    def _known(self, room: RoomId, waited: bool = False) -> RoomNow | None:
        """What the last question has told; None where it is too long ago, or may still be under
        way.
        """
        kept = json.loads(self._state.values.get(_key(room)) or "{}")
        if not kept:
            return None
        at = datetime.fromisoformat(kept["at"])
        if abs(self._now() - at) >= APART:
            return None
        if "names" in kept:
            return _read(room, at, kept["names"], kept["games"])
        if waited:
            raise TenhouBusy(_("the room was asked a moment ago, without an answer"))
        return None

    def _asked(self, room: RoomId, renew: Callable[[], None]) -> RoomNow:
        """Ask the room; that it is asked is noted first."""
        at = self._now()
        kept = {"at": at.isoformat()}
        self._state.values.put(_key(room), json.dumps(kept), _KEPT)
        with self._connect() as tenhou:
            renew()
            names = tenhou.room("get_players", room)
            games = "sw([]);"
            if read_names(names)[1]:
                renew()
                games = tenhou.room("get_wg", room)
        now = _read(room, at, names, games)
        self._state.values.put(
            _key(room), json.dumps(kept | {"names": names, "games": games}), _KEPT
        )
        return now

    def name(self, league: str) -> str:
        """The name of a league's own room (`C1017`), "" where none can be asked."""
        with suppress(ValueError):
            room = self._ids(league)
            return room.room if room else ""
        return ""

    def start(
        self,
        league: str,
        names: Sequence[str],
        once: str,
        chips: bool,
    ) -> list[str]:
        """Have Tenhou start a game of these members by the rules of the last; return who is not in
        the room. Raises TenhouBusy within a minute of another, or by the same button (`once`), and
        else as `look`."""
        room = self._ids(league)
        if room is None or not self.may_start:
            raise ValueError("no game may be started")
        gate = f"{_key(room)}/start"
        bits = self._bits(league, len(names), chips)
        members = quote("".join(f"{name}\n" for name in names))
        fields = f"&R2={bits:04x}&M={members}&RND=default&WG=1&PW="
        with self._turn(TRIES) as renew:
            marks = {f"tenhou/start/{once}": 86400.0, gate: _STARTED}
            for mark, life in marks.items():
                if not self._state.values.add(mark, "", life):
                    raise TenhouBusy(_("a game was started a moment ago"))
            with self._connect() as tenhou:
                renew()
                told = _MISSING.search(tenhou.room("start", room, fields))
        if not told:
            return []
        self._state.values.delete(gate)
        words = told[1].split()
        said = {*words, *map(unquote, words)}
        missing = [name for name in names if name in said]
        if not missing:
            raise TenhouError(_("Tenhou says that members are missing, and not whom it means"))
        return missing

    def _bits(self, league: str, seats: int, chips: bool) -> int:
        """The rule's bits of the room's last game with so many seats, else those of a usual one."""
        memory = self.memory(league)
        rows = memory.rows if memory else ()
        for row in sorted(rows, key=lambda row: row.at, reverse=True):
            known = getattr(row, "bits", None)
            if known is not None and bool(known & THREE) == (seats == 3):
                return int(known)
        bits = _HUMANS | SOUTH
        if seats == 3:
            bits |= THREE
        if chips:
            bits |= _CHIPS
        return bits

    def memory(self, league: str) -> RoomMemory | None:
        text = self._state.rooms.memory(league)
        return RoomMemory.from_text(text) if text else None


def _read(room: RoomId, at: datetime, names: str, games: str) -> RoomNow:
    waiting, playing, odd = read_names(names)
    tables, unread = read_tables(games)
    others = 0
    if not unread:
        seated = sum(len(table.players) for table in tables)
        others = max(0, len(playing) - seated)
    return RoomNow(room.room, at, tables, tuple(waiting), others, odd + unread)


def _key(room: RoomId) -> str:
    return f"tenhou/now/{room.text[:-8]}"
