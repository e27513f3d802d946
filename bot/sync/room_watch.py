"""Ask leagues' rooms for their own results, each when it is due: one request a room, one connection for all of them.

The processes of a service share the memory of each room and the one connection to Tenhou (bot/tenhou/throttle.py), so it
does not matter which of them asks: the background loop (bot/sync/room_loop.py) or `flask sync`.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from gettext import gettext as _
from typing import Protocol

from bot.runtime import metrics
from bot.sync.download import note_failure
from bot.sync.jobs import Outcome
from bot.sync.own_results import OwnResults
from bot.sync.room_ids import RoomIds
from bot.sync.room_memory import RoomMemory
from bot.tenhou.client import TenhouClient
from bot.tenhou.errors import TenhouBusy, TenhouError, TenhouUnreachable
from bot.tenhou.room_rows import read_rows
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from rating.room_id import RoomId
from storage.ports import StorageError
from storage.state import State

PATIENCE = 20.0  # seconds for a room's whole answer
MOST = 60  # rooms asked in one look, those first that were asked the longest ago
FEW = 50  # leagues up to which each one's room is read by itself
BETWEEN = 1.0  # seconds between two rooms
FAILURES = 3  # rooms in a row that can't be reached, after which no other is asked
LONGEST = 250  # characters of a problem, without the name of its league


class RoomSource(Protocol):
    """Sends a room's rows: `TenhouClient`."""

    def room_log(self, room: RoomId, since: datetime) -> str: ...


@dataclass
class RoomNews:
    """What a look has found: how many rooms were asked, what to say of each league's room, and what to mend.

    `busy`: another process was asking, so nobody was asked, or not all.
    """

    asked: int = 0
    busy: bool = False
    said: defaultdict[str, Outcome] = field(default_factory=lambda: defaultdict(Outcome))

    def problem(self, league: str, text: str) -> None:
        self.said[league].problems.append(" ".join(text.split())[:LONGEST])


class RoomWatch:
    """Looks at rooms. `now` returns an aware time, `wait` sleeps so many seconds.

    `connect` opens one connection; the default is one to `tenhou_url`.
    """

    def __init__(
        self,
        ids: RoomIds,
        state: State,
        tenhou_url: str,
        now: Callable[[], datetime],
        wait: Callable[[float], None] = time.sleep,
        connect: Callable[[], AbstractContextManager[RoomSource]] | None = None,
    ) -> None:
        self._ids = ids
        self._state = state
        self._now = now
        self._wait = wait
        self._turn = Throttle(state, now, wait).turn
        self._connect = connect or (lambda: TenhouClient(tenhou_url, patience=PATIENCE))

    def memory(self, league: str) -> RoomMemory | None:
        """Return what is known of a league's room; None where it has none, or was never asked.

        Raises StorageError when the state store cannot be reached.
        """
        return self._known(league, self._ids.room(league))

    def look(self, rooms: Mapping[str, frozenset[str]]) -> RoomNews:
        """Ask the rooms of these leagues that are due, and keep what they tell (OwnResults, Records).

        `rooms` has the rooms that count, by league. Never raises: what fails is told.
        """
        news, first = RoomNews(), next(iter(rooms), "")
        try:
            if due := self._due(rooms, news):
                self._ask_all(due, news)
        except TenhouError as error:  # another process asks just now, and keeps what it hears
            news.busy = True
            words = _("the rooms' own results are read later: {error}")
            news.said[first].notes.append(words.format(error=error))
        except StorageError as error:
            news.problem(first, _("the rooms' own results can't be read: {error}").format(error=error))
        return news

    def _due(self, rooms: Mapping[str, frozenset[str]], news: RoomNews) -> dict[str, str]:
        """Return the rooms that are due, by league, those first that were asked the longest ago."""
        found: list[tuple[datetime, str, str]] = []
        few = {league: self._ids.room(league) for league in rooms} if len(rooms) <= FEW else None
        for league, room in (few if few is not None else self._ids.leagues()).items():
            if not room or not rooms.get(league):
                continue
            if room not in rooms[league]:
                words = _("{room} is not among the rooms of league.toml: its own results are not read")
                news.problem(league, words.format(room=room))
                continue
            memory = self._memory(league, room)
            if memory.due(self._jst()):
                found.append((memory.asked or memory.since, league, room))
        return {league: room for _, league, room in sorted(found)[:MOST]}

    def _ask_all(self, due: Mapping[str, str], news: RoomNews) -> None:
        row = 0
        with self._turn() as renew, self._connect() as tenhou:
            for number, (league, room) in enumerate(due.items()):
                if number:
                    self._wait(BETWEEN)
                row = 0 if self._ask(league, room, (tenhou, renew), news) else row + 1
                if row == FAILURES:
                    return

    def _ask(
        self, league: str, room: str, connection: tuple[RoomSource, Callable[[], None]], news: RoomNews
    ) -> bool:
        """Ask one room, and return False where Tenhou can't be reached."""
        (tenhou, renew), secret = connection, None
        try:
            memory = self._memory(league, room)
            secret = self._ids.get(league)
            if secret is None or not memory.due(self._jst()):  # another process was faster
                return True
            memory = replace(memory, asked=self._jst())
            self._keep(league, memory)
            renew()
            news.asked += 1
            self._take(league, memory, secret, tenhou, news)
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

    def _take(
        self, league: str, memory: RoomMemory, secret: RoomId, tenhou: RoomSource, news: RoomNews
    ) -> None:
        """Keep what a room tells. The memory goes last: where the process ends before, the same is asked once more."""
        read = read_rows(tenhou.room_log(secret, memory.since), secret.lobby)
        metrics.count("rooms", outcome="answered")
        after, games = memory.with_answer(read, self._jst())
        unknown = len(set(read.unknown) - set(memory.said))
        if unknown:
            words = _("{room}: rows of an unknown form passed over: {count}")
            news.said[league].notes.append(words.format(room=memory.room, count=unknown))
        OwnResults(self._state, league).put(games, memory.room)
        paifus = [game.paifu for game in games if game.paifu]
        self._state.records.put(league, paifus, self._now().timestamp())
        self._keep(league, after)

    def _memory(self, league: str, room: str) -> RoomMemory:
        return self._known(league, room) or RoomMemory.new(room, self._jst())

    def _known(self, league: str, room: str) -> RoomMemory | None:
        text = self._state.rooms.memory(league)
        known = RoomMemory.from_text(text) if text else None
        return known if known is not None and known.room == room else None

    def _keep(self, league: str, memory: RoomMemory) -> None:
        self._state.rooms.remember(league, memory.room, memory.to_text())

    def _jst(self) -> datetime:
        return self._now().astimezone(JST).replace(tzinfo=None)
