"""Ask leagues' rooms for their own results, each when it is due: one request a room, one connection for all
of them.

The processes of a service share the memory of each room and the one connection to Tenhou
(bot/tenhou/throttle.py), so it does not matter which of them asks: the background loop
(bot/sync/room_loop.py) or `flask sync`. Which league has which room's id: TENHOU_ROOM_ID is the root folder's
league's, others are encrypted in the database.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from gettext import gettext as _

from bot.runtime import metrics
from bot.runtime.encryption import Encryption
from bot.sync.jobs import Outcome
from bot.sync.league_job import OwnResults
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError, TenhouUnreachable, note_failure
from bot.tenhou.room import RoomMemory, read_rows
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from rating.room_id import RoomId
from storage.ports import StorageError
from storage.state import State
from storage.tenhou import RoomKey, Rooms

PATIENCE = 20.0  # seconds for a room's whole answer
MOST = 60  # rooms asked in one look, those first that were asked the longest ago
BETWEEN = 1.0  # seconds between two rooms
FAILURES = 3  # rooms in a row that can't be reached, after which no other is asked
LONGEST = 250  # characters of a problem, without the name of its league


class RoomIds:
    """The rooms' ids by league ("" for the root folder's). Methods raise StorageError when the store cannot
    be reached. `secret_key` is JANROKU_SECRET_KEY, `own` is TENHOU_ROOM_ID; each may be "". What was put for
    the root folder's league counts only where `own` is ""."""

    def __init__(self, rooms: Rooms, secret_key: str = "", own: str = "") -> None:
        self._rooms, self._secret_key, self._own = rooms, secret_key, RoomId(own) if own else None

    def any(self) -> bool:
        return self._own is not None or self._rooms.any()

    def leagues(self) -> dict[str, str]:
        """The name of the room (`C1017`) by league."""
        rooms = {league: key.room for league, key in self._rooms.all().items() if key.id}
        return rooms | ({"": self._own.room} if self._own else {})

    def room(self, league: str) -> str:
        """The name of a league's room, "" for none."""
        if self._own and not league:
            return self._own.room
        key = self._rooms.key(league)
        return key.room if key and key.id else ""

    def get(self, league: str) -> RoomId | None:
        """A league's id. Raises ValueError, without the id, when it cannot be decrypted."""
        if self._own and not league:
            return self._own
        key = self._rooms.key(league)
        if key is None or not key.id:
            return None
        if not self._secret_key:
            raise ValueError("the room's id is encrypted, and JANROKU_SECRET_KEY is missing")
        try:
            return RoomId(Encryption(self._secret_key).decrypt(key.id))
        except ValueError as error:
            raise ValueError(f"the room's id {error}") from None

    def put(self, league: str, room: RoomId) -> None:
        """Keep a league's id, encrypted. Raises ValueError without JANROKU_SECRET_KEY."""
        if not self._secret_key:
            raise ValueError("JANROKU_SECRET_KEY is missing: `flask league key` makes one")
        self._rooms.set(league, RoomKey(room.room, Encryption(self._secret_key).encrypt(room.text)))

    def remove(self, league: str) -> None:
        self._rooms.remove(league)


@dataclass
class RoomNews:
    """What a look has found: how many rooms were asked, what to say of each league's room, and what to mend.
    `busy`: another process was asking, so nobody was asked, or not all."""

    asked: int = 0
    busy: bool = False
    said: defaultdict[str, Outcome] = field(default_factory=lambda: defaultdict(Outcome))

    def problem(self, league: str, text: str) -> None:
        self.said[league].problems.append(" ".join(text.split())[:LONGEST])


class RoomWatch:
    """Looks at rooms. `now` returns an aware time, `wait` sleeps so many seconds. `connect` opens one
    connection; the default is one to `tenhou_url`."""

    def __init__(
        self,
        ids: RoomIds,
        state: State,
        tenhou_url: str,
        now: Callable[[], datetime],
        wait: Callable[[float], None] = time.sleep,
        connect: Callable[[], AbstractContextManager[TenhouClient]] | None = None,
    ) -> None:
        self._ids, self._state, self._now, self._wait = ids, state, now, wait
        self._turn = Throttle(state, now, wait).turn
        self._connect = connect or (lambda: TenhouClient(tenhou_url, patience=PATIENCE))

    def memory(self, league: str, room: str = "") -> RoomMemory | None:
        """What is known of a league's `room`; None for none, or one never asked. Raises StorageError."""
        text = self._state.rooms.memory(league)
        known = RoomMemory.from_text(text) if text else None
        return known if known is not None and known.room == (room or self._ids.room(league)) else None

    def look(self, rooms: Mapping[str, Collection[str]]) -> RoomNews:
        """Ask the rooms of these leagues that are due, and keep what they tell (OwnResults, Records). `rooms`
        has the rooms that count, by league. Never raises: what fails is told."""
        news, first = RoomNews(), next(iter(rooms), "")
        try:
            if due := self._due(rooms, news):
                row = 0
                with self._turn() as renew, self._connect() as tenhou:
                    for number, (league, room) in enumerate(due.items()):
                        if number:
                            self._wait(BETWEEN)
                        row = 0 if self._ask(league, room, tenhou, renew, news) else row + 1
                        if row == FAILURES:
                            break
        except TenhouError as error:  # another process asks just now, and keeps what it hears
            news.busy = True
            words = _("the rooms' own results are read later: {error}")
            news.said[first].notes.append(words.format(error=error))
        except StorageError as error:
            news.problem(first, _("the rooms' own results can't be read: {error}").format(error=error))
        return news

    def _due(self, rooms: Mapping[str, Collection[str]], news: RoomNews) -> dict[str, str]:
        """Return the rooms that are due, by league, those first that were asked the longest ago."""
        found: list[tuple[datetime, str, str]] = []
        for league, room in self._ids.leagues().items():
            if not rooms.get(league):
                continue
            if room not in rooms[league]:
                words = _("{room} is not among the rooms of league.toml: its own results are not read")
                news.problem(league, words.format(room=room))
                continue
            memory = self._memory(league, room)
            if memory.due(self._jst()):
                found.append((memory.asked or memory.since, league, room))
        return {league: room for _, league, room in sorted(found)[:MOST]}

    def _ask(
        self, league: str, room: str, tenhou: TenhouClient, renew: Callable[[], None], news: RoomNews
    ) -> bool:
        """Ask one room and keep what it tells; return False where Tenhou can't be reached. The memory goes
        last: where the process ends before, the same is asked once more."""
        secret = None
        try:
            memory = self._memory(league, room)
            secret = self._ids.get(league)
            if secret is None or not memory.due(self._jst()):  # another process was faster
                return True
            memory = replace(memory, asked=self._jst())
            self._state.rooms.remember(league, room, memory.to_text())
            renew()
            news.asked += 1
            read = read_rows(tenhou.room_log(secret, memory.since), secret.lobby)
            metrics.count("rooms", outcome="answered")
            after, games = memory.with_answer(read, self._jst())
            if unknown := len(set(read.unknown) - set(memory.said)):
                words = _("{room}: rows of an unknown form passed over: {count}")
                news.said[league].notes.append(words.format(room=room, count=unknown))
            OwnResults(self._state, league).put(games, room)
            paifus = [game.paifu for game in games if game.paifu]
            self._state.records.put(league, paifus, self._now().timestamp())
            self._state.rooms.remember(league, room, after.to_text())
        except TenhouBusy:  # the connection is another's by now
            raise
        except (TenhouError, ValueError) as error:
            note_failure(error)
            metrics.count("rooms", outcome="failed")
            text = _("{room}: its own results can't be read: {error}").format(room=room, error=error)
            for digits in secret.secrets if secret else ():
                text = text.replace(digits, "***")
            news.problem(league, text)
            return not isinstance(error, TenhouUnreachable)
        return True

    def _memory(self, league: str, room: str) -> RoomMemory:
        return self.memory(league, room) or RoomMemory.new(room, self._jst())

    def _jst(self) -> datetime:
        return self._now().astimezone(JST).replace(tzinfo=None)
