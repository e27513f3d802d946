"""Request the results of leagues' own rooms: one request a room, one connection for all of them.

The processes share the memory of each room and the one connection to Tenhou
(bot/tenhou/throttle.py), so it does not matter whether the loop sends the requests
(bot/sync/room_loop.py) or `flask sync`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from bot.runtime import metrics
from bot.runtime.translation import translated as _
from bot.sync.jobs import Outcome
from bot.sync.own_results import OwnResults
from bot.sync.room_ids import RoomIds
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError, TenhouUnreachable, note_failure
from bot.tenhou.room import RoomMemory, RoomRows, read_rows
from bot.tenhou.throttle import Throttle
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

PATIENCE = 20.0  # seconds for a room's whole answer
MOST = 60  # rooms requested in one look, those first that were requested the longest ago
BETWEEN = 1.0  # seconds between two rooms
FAILURES = 3  # rooms in a row that can't be reached, after which no other is requested
LONGEST = 250  # characters of a problem, without the name of its league


@dataclass
class RoomNews:
    """The result of a look: how many rooms were requested, and the notes and problems of each
    league's room. `busy`: another process had the connection, so not all rooms were requested."""

    requests: int = 0
    busy: bool = False
    by_league: defaultdict[str, Outcome] = field(default_factory=lambda: defaultdict(Outcome))

    def problem(self, league: str, text: str) -> None:
        problem = " ".join(text.split())[:LONGEST]
        self.by_league[league].problems.append(problem)


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
        self._connect = connect or partial(TenhouClient, tenhou_url, patience=PATIENCE)

    def memory(self, league: str, room: str = "") -> RoomMemory | None:
        """What is stored of a league's `room`; None for no room, or one never requested.

        Raises StorageError.
        """
        text = self._state.rooms.memory(league)
        if not text:
            return None
        memory = RoomMemory.from_text(text)
        if memory.room != (room or self._ids.room(league)):
            return None
        return memory

    def look(self, rooms: Mapping[str, Collection[str]]) -> RoomNews:
        """Request the rooms of these leagues that are due, and store their games (OwnResults) and
        records (Records). `rooms` has the rooms that count, by league. Never raises: failures are
        in the result.

        The turn guarantees that one process of ours has a connection to Tenhou; it is renewed
        before each request, so that a process that was paused past it sends none. Shown by
        tests/sync/test_room_loop.py::test_process_paused_in_its_round_sends_no_request."""
        news = RoomNews()
        first = next(iter(rooms), "")
        try:
            due = self._due(rooms, news)
            if due:
                with self._turn() as renew, self._connect() as tenhou:
                    self._ask_all(due, tenhou, renew, news)
        except TenhouError as error:  # another process has the connection, and stores its answers
            news.busy = True
            news.by_league[first].notes.append(
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
        """Return the rooms that are due, by league, those first that were requested the longest ago."""
        due: list[tuple[datetime, str, str]] = []
        for league, room in self._ids.leagues().items():
            if not rooms.get(league):
                continue
            memory = self._memory(league, room)
            if room not in rooms[league]:
                text = _(
                    "{room} is not among the rooms of league.toml: its own results are not read"
                )
                news.problem(league, text.format(room=room))
            elif memory.due(japan_time(self._now())):
                due.append((memory.requested or memory.since, league, room))
        return {league: room for _, league, room in sorted(due)[:MOST]}

    def _ask_all(
        self,
        due: Mapping[str, str],
        tenhou: TenhouClient,
        renew: Callable[[], None],
        news: RoomNews,
    ) -> None:
        """Request these rooms, by league, until several in a row can't be reached."""
        failures_in_row = 0
        for number, (league, room) in enumerate(due.items()):
            if number:
                self._wait(BETWEEN)
            if self._ask(league, room, tenhou, renew, news):
                failures_in_row = 0
            else:
                failures_in_row += 1
            if failures_in_row == FAILURES:
                return

    def _ask(
        self,
        league: str,
        room: str,
        tenhou: TenhouClient,
        renew: Callable[[], None],
        news: RoomNews,
    ) -> bool:
        """Request one room and store its answer; return False where Tenhou can't be reached."""
        secret = None
        try:
            memory = self._memory(league, room)
            secret = self._ids.get(league)
            if secret is None or not memory.due(japan_time(self._now())):
                return True  # another process was faster
            memory = replace(memory, requested=japan_time(self._now()))
            self._state.rooms.remember(league, room, memory.to_text())
            renew()
            news.requests += 1
            read = read_rows(tenhou.room_log(secret, memory.since), secret.lobby)
            metrics.count("rooms", outcome="answered")
            self._store(league, memory, read, news)
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

    def _store(self, league: str, memory: RoomMemory, read: RoomRows, news: RoomNews) -> None:
        """Store a room's games and records, and last its memory: where the process ends before, the
        same rows are requested once more, and nothing is lost. Shown by
        tests/sync/test_killed_evening.py."""
        update = memory.with_answer(read, japan_time(self._now()))
        unknown = len(set(read.unknown) - set(memory.reported))
        if unknown:
            text = _("{room}: rows of an unknown form passed over: {count}")
            note = text.format(room=memory.room, count=unknown)
            news.by_league[league].notes.append(note)
        OwnResults(self._state, league).put(update.games, memory.room)
        paifus = [game.paifu for game in update.games if game.paifu]
        self._state.records.put(league, paifus, self._now().timestamp())
        self._state.rooms.remember(league, memory.room, update.memory.to_text())

    def _memory(self, league: str, room: str) -> RoomMemory:
        return self.memory(league, room) or RoomMemory.new(room, japan_time(self._now()))


def japan_time(moment: datetime) -> datetime:
    return moment.astimezone(JST).replace(tzinfo=None)
