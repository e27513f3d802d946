"""Ask leagues' own rooms for their results: one request a room, one connection for all of them.

The processes share the memory of each room and the one connection to Tenhou
(bot/tenhou/throttle.py), so it does not matter whether the loop asks (bot/sync/room_loop.py) or
`flask sync`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.runtime import metrics
from bot.runtime.translation import translated as _
from bot.sync.jobs import Outcome
from bot.sync.own_results import OwnResults
from bot.sync.room_ids import RoomIds
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError, TenhouUnreachable, note_failure
from bot.tenhou.room import RoomMemory, read_rows
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

PATIENCE = 20.0  # seconds for a room's whole answer
MOST = 60  # rooms asked in one look, those first that were asked the longest ago
BETWEEN = 1.0  # seconds between two rooms
FAILURES = 3  # rooms in a row that can't be reached, after which no other is asked
LONGEST = 250  # characters of a problem, without the name of its league


@dataclass
class RoomNews:
    """What a look has found: how many rooms were asked, what to say of each league's room, and what
    to mend. `busy`: another process was asking, so nobody was asked, or not all."""

    asked: int = 0
    busy: bool = False
    said: defaultdict[str, Outcome] = field(default_factory=lambda: defaultdict(Outcome))

    def problem(self, league: str, text: str) -> None:
        problem = " ".join(text.split())[:LONGEST]
        self.said[league].problems.append(problem)


class RoomWatch:
    """Looks at rooms. `now` returns an aware time, `wait` sleeps so many seconds. `connect` opens
    one connection; the default is one to `tenhou_url`."""

    def __init__(
        self,
        ids: RoomIds,
        state: State,
        tenhou_url: str,
        now: Callable[[], datetime],
        wait: Callable[[float], None] = time.sleep,
        connect: Callable[[], AbstractContextManager[TenhouClient]] | None = None,
    ) -> None:
        self._ids = ids
        self._state = state
        self._now = now
        self._wait = wait
        self._turn = Throttle(state, now, wait).turn
        self._connect = connect or (lambda: TenhouClient(tenhou_url, patience=PATIENCE))

    def memory(self, league: str, room: str = "") -> RoomMemory | None:
        """What is known of a league's `room`; None for none, or one never asked.

        Raises StorageError.
        """
        text = self._state.rooms.memory(league)
        if not text:
            return None
        known = RoomMemory.from_text(text)
        if known.room != (room or self._ids.room(league)):
            return None
        return known

    def look(self, rooms: Mapping[str, Collection[str]]) -> RoomNews:
        """Ask the rooms of these leagues that are due, and keep what they tell (OwnResults,
        Records). `rooms` has the rooms that count, by league. Never raises: what fails is told."""
        news = RoomNews()
        first = next(iter(rooms), "")
        try:
            if due := self._due(rooms, news):
                row = 0
                with self._turn() as renew, self._connect() as tenhou:
                    for number, (league, room) in enumerate(due.items()):
                        if number:
                            self._wait(BETWEEN)
                        if self._ask(league, room, tenhou, renew, news):
                            row = 0
                        else:
                            row += 1
                        if row == FAILURES:
                            break
        except TenhouError as error:  # another process asks just now, and keeps what it hears
            news.busy = True
            news.said[first].notes.append(
                _("the rooms' own results are read later: {error}", error=error)
            )
        except StorageError as error:
            news.problem(first, _("the rooms' own results can't be read: {error}", error=error))
        return news

    def _due(
        self,
        rooms: Mapping[str, Collection[str]],
        news: RoomNews,
    ) -> dict[str, str]:
        """Return the rooms that are due, by league, those first that were asked the longest ago."""
        found: list[tuple[datetime, str, str]] = []
        for league, room in self._ids.leagues().items():
            if not rooms.get(league):
                continue
            memory = self._memory(league, room)
            if room not in rooms[league]:
                words = _(
                    "{room} is not among the rooms of league.toml: its own results are not read"
                )
                news.problem(league, words.format(room=room))
            elif memory.due(japan_time(self._now())):
                found.append((memory.asked or memory.since, league, room))
        return {league: room for _, league, room in sorted(found)[:MOST]}

    def _ask(
        self,
        league: str,
        room: str,
        tenhou: TenhouClient,
        renew: Callable[[], None],
        news: RoomNews,
    ) -> bool:
        """Ask one room and keep what it tells; return False where Tenhou can't be reached. The
        memory goes last: where the process ends before, the same is asked once more."""
        secret = None
        try:
            memory = self._memory(league, room)
            secret = self._ids.get(league)
            if secret is None or not memory.due(japan_time(self._now())):
                return True  # another process was faster
            memory = replace(memory, asked=japan_time(self._now()))
            self._state.rooms.remember(league, room, memory.to_text())
            renew()
            news.asked += 1
            read = read_rows(tenhou.room_log(secret, memory.since), secret.lobby)
            metrics.count("rooms", outcome="answered")
            after, games = memory.with_answer(read, japan_time(self._now()))
            unknown = len(set(read.unknown) - set(memory.said))
            if unknown:
                words = _(
                    "{room}: rows of an unknown form passed over: {count}", room=room, count=unknown
                )
                news.said[league].notes.append(words)
            OwnResults(self._state, league).put(games, room)
            paifus = [game.paifu for game in games if game.paifu]
            self._state.records.put(league, paifus, self._now().timestamp())
            self._state.rooms.remember(league, room, after.to_text())
        except TenhouBusy:  # the connection is another's by now
            raise
        except (TenhouError, ValueError) as error:
            note_failure(error)
            metrics.count("rooms", outcome="failed")
            text = _("{room}: its own results can't be read: {error}", room=room, error=error)
            for digits in secret.secrets if secret else ():
                text = text.replace(digits, "***")
            news.problem(league, text)
            return not isinstance(error, TenhouUnreachable)
        return True

    def _memory(self, league: str, room: str) -> RoomMemory:
        return self.memory(league, room) or RoomMemory.new(room, japan_time(self._now()))


def japan_time(moment: datetime) -> datetime:
    return moment.astimezone(JST).replace(tzinfo=None)
