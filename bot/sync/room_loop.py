"""Read leagues' own rooms in the background, so that a game is in the ratings minutes after its end.

`RoomLoop.tick` is a chore of the background loop of every process. One process of all, by a lease, does the work, on a
thread of its own: it asks a few rooms whose turn it is, has the games merged and the records fetched (by workers where
there are any), and has told what is to be told. Everything can be done again from the start, so the process may end
anywhere. A league is asked while it is active: its room has told a game lately, or a member has asked something lately.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.runtime.json_log import log_fault
from bot.runtime.lease import Lease
from bot.runtime.thread_pool import ThreadPool, WorkPool
from bot.sync.job_runner import JobRunner, Workers
from bot.sync.league_job import Job, Outcome
from bot.sync.own_results import leagues_waiting
from bot.sync.paifu_queue import PaifuQueue
from bot.sync.room_askings import LATELY, Askings
from bot.sync.room_ids import RoomIds
from bot.sync.room_memory import IDLE, PLAYING, RoomMemory
from bot.sync.room_schedule import RoomSchedule
from bot.sync.room_watch import RoomWatch
from rating.logdates import JST
from storage.ports import StateStore, StorageError

MOST = 8  # rooms asked, or leagues with records, at once
LOOKED = 64  # leagues of which it is looked up at once whether they are active
LOOK = timedelta(seconds=10)  # between looks at what is due
WAIT = timedelta(seconds=30)  # until a process without the lease tries to take it
LIFE = timedelta(seconds=60)  # of the lease, which is renewed while the work goes on
LONGEST = timedelta(minutes=20)  # for which it is: whoever takes longer hangs
IDS = timedelta(minutes=5)  # between looks at which leagues have a room
SLEEP = timedelta(hours=6)  # between looks whether a league has become active
MERGE = timedelta(minutes=1)  # between looks at which leagues have games that wait
REST = timedelta(minutes=5)  # for a league whose games could not be merged
AGAIN = timedelta(minutes=1)  # where another process was asking Tenhou
LIMITS = {"prepare": 30.0, "deliver": 120.0, "records": 300.0}  # seconds
HEAD_START = 20.0  # seconds in which only workers begin
_LEASE = "rooms/lease"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RoomTools:
    """What the loop works with.

    `work` does one league's job; `workers` opens the way to the workers, None where there are none. `used` returns the
    leagues that members of this process have asked about lately. `tell` says what is to be said of a league, whose room
    rests where `playing` is False. `now` returns an aware time.
    """

    ids: RoomIds
    watch: RoomWatch
    state: StateStore
    work: Callable[[Job], Outcome]
    now: Callable[[], datetime]
    workers: Callable[[], Workers | None] = lambda: None
    used: Callable[[], Iterable[str]] = tuple
    tell: Callable[[str, bool], None] = lambda league, playing: None


class RoomLoop:
    """The loop of one process. `pool` runs the work; the default is a thread of its own."""

    def __init__(self, tools: RoomTools, pool: WorkPool | None = None) -> None:
        self._tools = tools
        self.pool: WorkPool = pool or ThreadPool(workers=1, waiting=1, name="rooms")
        self._lease = Lease(tools.state, _LEASE, LIFE, tools.now)
        self._schedule = RoomSchedule()
        self._here = JobRunner(tools.work, limits=LIMITS)
        self._askings = Askings(tools.state)
        self._troubles: dict[tuple[str, str], str] = {}
        self._ids_at = self._look_at = self._merged_at = datetime(2000, 1, 1, tzinfo=JST)
        self._begun: datetime | None = None
        self._ended = False

    def tick(self) -> None:
        """Begin what is due. A chore of the background loop: mostly it asks nobody anything.

        Raises StorageError when the state store cannot be reached.
        """
        now = self._tools.now()
        if abs(now - self._ids_at) >= IDS:
            self._schedule.follow(self._tools.ids.leagues(), now, IDLE)
            self._ids_at = now
        if self._ended or not self._schedule:
            return
        self._askings.note([league for league in self._tools.used() if league in self._schedule], now)
        if abs(now - self._look_at) < (LIFE / 3 if self._begun else LOOK):
            return
        self._look_at = now
        if self._begun is not None:
            if now - self._begun < LONGEST:
                self._lease.renew()
        elif not self._lease.take():
            self._look_at = now + WAIT - LOOK
        else:
            self._begin(now)

    def _begin(self, now: datetime) -> None:
        self._schedule.wake(self._askings.news(), now)
        due = self._schedule.due(now, LOOKED)
        if due or self._schedule.records_due(now, 1) or abs(now - self._merged_at) >= MERGE:
            self._begun = now
            if not self.pool.submit(self._run, due):
                self._begun = None

    def _run(self, due: Sequence[str]) -> None:
        """Do one round, on the pool's thread. Never raises."""
        asked: list[str] = []
        steps: list[Callable[[], object]] = [
            lambda: asked.extend(self._ask(due)),
            self._merge,
            lambda: self._tell(asked),
            self._fetch,
        ]
        try:
            for step in steps:
                if not self._ended:
                    step()
        except StorageError as error:
            log.warning("leagues' rooms are looked after later: %s", error)
        except Exception as error:
            log_fault("leagues' rooms could not be looked after", error)
        finally:
            self._begun = None

    def _ask(self, due: Sequence[str]) -> list[str]:
        """Ask the rooms of a few active leagues whose turn it is, set the next turns, and return these leagues."""
        now = self._tools.now()
        active: list[str] = []
        for league in due:
            if len(active) == MOST:
                break
            if not self._is_active(league, now):
                self._schedule.put(league, now + SLEEP, SLEEP)
            else:
                active.append(league)
                self._schedule.put(league, now + IDLE, IDLE)  # where a fault below prevents another turn
        rooms = {}
        for job, outcome in self._here.do([Job("prepare", league) for league in active]):
            rooms[job.league] = frozenset(outcome.rooms)
            self._say(job.league, "folder", "" if outcome.rooms else "; ".join(outcome.problems))
        active = [league for league in active if rooms[league]]
        if not active or self._ended:
            return []
        news = self._tools.watch.look({league: rooms[league] for league in active})
        for league in active:
            memory = self._tools.watch.memory(league)
            problems = news.problems.get(league, ())
            if problems or (memory and memory.looked and memory.looked >= _jst(now)):
                self._say(league, "room", "; ".join(problems))
            for note in () if news.busy else news.notes.get(league, ()):
                log.info("%s%s", _said(league), note)
            self._schedule_next(league, memory, news.busy, bool(problems))
        return active

    def _is_active(self, league: str, now: datetime) -> bool:
        memory = self._tools.watch.memory(league)
        if memory is None or memory.looked is None:
            self._askings.note([league], now)  # it is new: whoever has set its id is interested
            return True
        if memory.active is not None and _jst(now) - memory.active < LATELY:
            return True
        return self._askings.lately(league, now)

    def _schedule_next(self, league: str, memory: RoomMemory | None, busy: bool, failed: bool) -> None:
        now = self._tools.now()
        pace = self._pace(memory, now)
        if busy:
            wait = AGAIN
        elif memory is None or failed:
            wait = pace
        else:
            wait = max(memory.due_from(_jst(now)) - _jst(now), AGAIN)
        self._schedule.put(league, now + wait, pace)
        self._schedule.put_records(league, PaifuQueue(self._tools.state, league).next())

    @staticmethod
    def _pace(memory: RoomMemory | None, now: datetime) -> timedelta:
        return PLAYING if memory is not None and memory.playing(_jst(now)) else IDLE

    def _merge(self) -> None:
        """Have the games that wait merged into the season logs, by workers where there are any."""
        now, state = self._tools.now(), self._tools.state
        self._merged_at = now
        ready = [
            league
            for league in sorted(leagues_waiting(state))
            if league in self._schedule and not self._schedule.rests(league, now)
        ]
        for job, outcome in self._by_workers([Job("deliver", league) for league in ready]):
            if outcome.problems:
                self._schedule.rest(job.league, now + REST)
            self._say(job.league, "games", "; ".join(outcome.problems))
            if outcome.added:
                log.info("league %s: %d games added", job.league or "(root)", sum(outcome.added.values()))

    def _fetch(self) -> None:
        """Have the records fetched that are due, one league after the other."""
        for league in self._schedule.records_due(self._tools.now(), MOST):
            if self._ended:
                return
            self._schedule.put_records(league, None)
            for _, outcome in self._by_workers([Job("records", league)]):
                for words in (*outcome.notes, *outcome.problems):
                    log.info("%s%s", _said(league), words)
            at = PaifuQueue(self._tools.state, league).next()
            self._schedule.put_records(league, at and max(at, self._tools.now() + LOOK))

    def _tell(self, leagues: Collection[str]) -> None:
        for league in leagues:
            memory = self._tools.watch.memory(league)
            now = _jst(self._tools.now())
            if memory is not None and memory.active is not None and now - memory.active < timedelta(days=1):
                self._tools.tell(league, memory.playing(now))

    def _by_workers(self, jobs: Sequence[Job]) -> list[tuple[Job, Outcome]]:
        workers = self._tools.workers() if jobs else None
        if workers is None:
            return list(self._here.do(jobs))
        with closing(workers):
            runner = JobRunner(self._tools.work, workers, limits=LIMITS, head_start=HEAD_START)
            return list(runner.do(jobs))

    def _say(self, league: str, what: str, trouble: str) -> None:
        """Log a league's trouble when it begins or changes, and its end."""
        before = self._troubles.pop((league, what), "")
        if trouble:
            self._troubles[league, what] = trouble
        if trouble and trouble != before:
            log.warning("%s%s", _said(league), trouble)
        elif before and not trouble:
            log.info("%sits %s: works again", _said(league), what)

    def close(self) -> None:
        """Finish the step under way, begin no other, and leave the work to other processes."""
        self._ended = True
        if isinstance(self.pool, ThreadPool):
            self.pool.close()
        try:
            self._lease.release()
        except StorageError as error:
            log.warning("the state store can't be written: %s", error)


def _said(league: str) -> str:
    return f"{league}: " if league else ""


def _jst(moment: datetime) -> datetime:
    return moment.astimezone(JST).replace(tzinfo=None)
