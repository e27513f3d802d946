"""Read leagues' own rooms in the background, so that a game is in the ratings minutes after its
end.

`RoomLoop.tick` is a chore of the background loop of every process. The steps of a round, in order;
`RoomLoop.do` is the same list as code:

1. request the results of the rooms that are due (bot/sync/room_watch.py),
2. merge the games that wait into the season logs (bot/sync/league_job.py),
3. report whether a game is being played in these rooms,
4. fetch the records that are due (bot/sync/paifu_collector.py).

The lease guarantees that one process of all does a round, on a thread of its own; jobs are done by
workers where there are any. Everything can be done again from the start, so the process may end
anywhere: the tables show what is due. Shown by tests/sync/test_room_loop.py and
tests/sync/test_killed_evening.py.

A league's room is requested while it has had a game, or a member has used the bot, lately.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.runtime.leased_work import LeasedWork
from bot.sync.jobs import Job, JobRunner, Stage, Work, Workers, outcomes
from bot.sync.room_ids import RoomIds
from bot.sync.room_watch import RoomNews, RoomWatch, japan_time
from bot.tenhou.room import IDLE
from rating.logdates import JST
from storage.state import State

AT_ONCE = 8  # rooms requested in a round, or leagues with records
LOOK = timedelta(seconds=10)  # between looks at what is due
WAIT = timedelta(seconds=30)  # until a process without the lease tries to take it
LIFE = timedelta(seconds=60)  # of the lease, which is renewed while the work goes on
HANGS = timedelta(minutes=20)  # a round that takes longer hangs; its lease is renewed no more
USED = timedelta(minutes=10)  # a process notes at most so often that a league is in use
LATELY = timedelta(days=14)  # such a note, or a room's last game, counts for so long
SLEEP = timedelta(hours=6)  # between looks whether a league has become active
REST = timedelta(minutes=5)  # for a league whose games could not be merged; where there is no room
AGAIN = timedelta(minutes=1)  # where another process had the connection to Tenhou
LIMITS = {Stage.PREPARE: 30.0, Stage.DELIVER: 120.0, Stage.RECORDS: 300.0}  # seconds
log = logging.getLogger(__name__)


class Trouble(StrEnum):
    """What is out of order with a league, as the log has it."""

    FOLDER = "folder"
    ROOM = "room"
    GAMES = "games"


def ignore_activity(league: str, playing: bool) -> None:
    """Where nobody follows what happens in rooms."""


@dataclass
class RoomLoop(LeasedWork):
    """The loop of one process. `work` does one league's job; `workers` is the way to the workers,
    if there are any. `leagues_in_use` returns the leagues whose members have used this process
    lately. `on_room_activity` is called for each league whose room was requested, with whether a
    game is being played there. `now` returns an aware time."""

    later = "leagues' rooms are looked after later"
    failed = "leagues' rooms could not be looked after"
    ids: RoomIds
    watch: RoomWatch
    state: State
    work: Work
    now: Callable[[], datetime]
    workers: Workers | None = None
    leagues_in_use: Callable[[], Iterable[str]] = tuple
    on_room_activity: Callable[[str, bool], None] = ignore_activity

    def __post_init__(self) -> None:
        super().__init__("rooms", self.state.lease("rooms", LIFE.total_seconds()), HANGS)
        self.runner = JobRunner(self.work, self.workers, LIMITS)
        self._noted_use: dict[str, datetime] = {}  # when a league's use was last written down
        self._rests_until: dict[str, datetime] = {}  # leagues whose games could not be merged
        self._troubles: dict[tuple[str, Trouble], str] = {}

    def tick(self) -> None:
        """Begin what is due; most calls send no request. Raises StorageError."""
        now = self.now()
        if self.rests(now):
            return
        self.next = now + (LIFE / 3 if self.since else LOOK)
        if not self.ids.leagues():
            self.next = now + REST
            return
        self._note_use(now)
        if not self.begin(now):
            self.next = now + WAIT

    def _note_use(self, now: datetime) -> None:
        """Write down which leagues are in use, so that their rooms' turn comes."""
        never = datetime(2000, 1, 1, tzinfo=JST)
        leagues = [
            league
            for league in self.leagues_in_use()
            if abs(now - self._noted_use.get(league, never)) >= USED
        ]
        self.state.rooms.mark_used(leagues, now.timestamp())
        self._noted_use |= dict.fromkeys(leagues, now)

    def do(self) -> None:
        leagues = self._ask_rooms()
        if not self.ended:
            self._merge()
        if not self.ended:
            self._report_activity(leagues)
        self._fetch_records()

    def _report_activity(self, leagues: Collection[str]) -> None:
        """Report whether these leagues are playing, where their rooms were active lately."""
        for league in leagues:
            memory = self.watch.memory(league)
            if memory is None or memory.active is None:
                continue
            now = japan_time(self.now())
            if now - memory.active < timedelta(days=1):
                self.on_room_activity(league, memory.playing(now))

    def _ask_rooms(self) -> list[str]:
        """Request the rooms of a few active leagues whose turn it is, set their next turns, and
        return the leagues.
        """
        now = self.now()
        jobs = [Job(Stage.PREPARE, league) for league in self._active_leagues(now)]
        prepared = outcomes(self.runner, jobs)
        rooms_of: dict[str, list[str]] = {}
        for league, outcome in prepared.items():
            if outcome.rooms:
                rooms_of[league] = outcome.rooms
                self._log_trouble(league, Trouble.FOLDER, [])
            else:
                self._log_trouble(league, Trouble.FOLDER, outcome.problems)
        if not rooms_of or self.ended:
            return []
        news = self.watch.look(rooms_of)
        for league in rooms_of:
            self._take_news(league, news, since=now)
        return list(rooms_of)

    def _active_leagues(self, now: datetime) -> list[str]:
        """The active leagues of those whose turn it is; the next turn of all of these is set."""
        rooms = self.state.rooms
        own_room = self.ids.room("")
        if own_room and rooms.key("") is None:  # TENHOU_ROOM_ID is in no table
            rooms.remember("", own_room, "")
        active: list[str] = []
        for league in rooms.due(now.timestamp(), AT_ONCE):
            wait = SLEEP
            if self._is_active(league, now):
                wait = IDLE
                active.append(league)
            rooms.postpone(league, (now + wait).timestamp())
        return active

    def _take_news(self, league: str, news: RoomNews, since: datetime) -> None:
        """Log what a look that began at `since` reports of a league's room, and set its next
        turn.
        """
        memory = self.watch.memory(league)
        outcome = news.by_league[league]
        now = japan_time(self.now())
        was_looked_at = bool(memory and memory.answered and memory.answered >= japan_time(since))
        if outcome.problems or was_looked_at:
            self._log_trouble(league, Trouble.ROOM, outcome.problems)
        wait = AGAIN
        if not news.busy:
            for note in outcome.notes:
                log.info("%s%s", _label(league), note)
            wait = IDLE
        if memory is not None and not memory.due(now):
            wait = max(memory.due_from(now) - now, AGAIN)
        self.state.rooms.postpone(league, (self.now() + wait).timestamp())

    def _is_active(self, league: str, now: datetime) -> bool:
        memory = self.watch.memory(league)
        if memory is None or memory.answered is None:
            # It is new: whoever set its id is interested.
            self.state.rooms.mark_used([league], now.timestamp())
            return True
        if memory.active is not None and japan_time(now) - memory.active < LATELY:
            return True
        used = self.state.rooms.last_used(league)
        return used is not None and now.timestamp() - used < LATELY.total_seconds()

    def _merge(self) -> None:
        now = self.now()
        waiting = sorted(filter(self.ids.room, self.state.own_games.leagues_waiting()))
        ready = [league for league in waiting if self._rests_until.get(league, now) <= now]
        merged = outcomes(self.runner, [Job(Stage.DELIVER, league) for league in ready])
        for league, outcome in merged.items():
            self._rests_until[league] = now + REST if outcome.problems else now
            self._log_trouble(league, Trouble.GAMES, outcome.problems)
            if outcome.added:
                count = sum(outcome.added.values())
                log.info("league %s: %d games added", league or "(root)", count)

    def _fetch_records(self) -> None:
        now = self.now()
        due_records = self.state.records.due(None, now.timestamp(), 100 * AT_ONCE)
        for league in dict.fromkeys(due.league for due in due_records):
            if self.ended:
                return
            outcome = outcomes(self.runner, [Job(Stage.RECORDS, league)])[league]
            for message in (*outcome.notes, *outcome.problems):
                log.info("%s%s", _label(league), message)

    def _log_trouble(self, league: str, subject: Trouble, problems: Sequence[str]) -> None:
        """Log a league's trouble when it begins or changes, and its end."""
        trouble = "; ".join(problems)
        before = self._troubles.get((league, subject))
        self._troubles[league, subject] = trouble
        if trouble and trouble != before:
            log.warning("%s%s", _label(league), trouble)
        elif before and not trouble:
            log.info("%sits %s: works again", _label(league), subject)


def _label(league: str) -> str:
    return f"{league}: " if league else ""
