"""Read leagues' own rooms in the background, so that a game is in the ratings minutes after its end.

`RoomLoop.tick` is a chore of the background loop of every process. One process of all, by a lease, does the
work, on a thread of its own: it asks the tables what is due (rooms, games to merge, records), has it done (by
workers where there are any), and tells what is to be told. Everything can be done again from the start, so
the process may end anywhere. A league is asked while it is active: its room has told a game lately, or a
member has asked something lately.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.runtime.threads import Duty
from bot.sync.jobs import Job, JobRunner, Outcome, Workers, outcomes
from bot.sync.room_watch import RoomIds, RoomWatch
from bot.tenhou.room import IDLE, PLAYING
from rating.logdates import JST
from storage.state import State

MOST = 8  # rooms asked, or leagues with records, at once
LOOK = timedelta(seconds=10)  # between looks at what is due
WAIT = timedelta(seconds=30)  # until a process without the lease tries to take it
LIFE = timedelta(seconds=60)  # of the lease, which is renewed while the work goes on
LONGEST = timedelta(minutes=20)  # for which it is: whoever takes longer hangs
USED = timedelta(minutes=10)  # a process notes at most so often that a league was asked about
LATELY = timedelta(days=14)  # such a note, or a room's last game, counts for so long
SLEEP = timedelta(hours=6)  # between looks whether a league has become active
REST = timedelta(minutes=5)  # for a league whose games could not be merged, and where no league has a room
AGAIN = timedelta(minutes=1)  # where another process was asking Tenhou
LIMITS = {"prepare": 30.0, "deliver": 120.0, "records": 300.0}  # seconds
HEAD_START = 20.0  # seconds in which only workers begin
log = logging.getLogger(__name__)


@dataclass
class RoomLoop(Duty):
    """The loop of one process. `work` does one league's job; `workers` is the way to the workers, None where
    there are none. `used` returns the leagues that members of this process have asked about lately. `tell`
    says what is to be said of a league, whose room rests where `playing` is False. `now` returns an aware
    time."""

    later = "leagues' rooms are looked after later"
    failed = "leagues' rooms could not be looked after"
    ids: RoomIds
    watch: RoomWatch
    state: State
    work: Callable[[Job], Outcome]
    now: Callable[[], datetime]
    workers: Workers | None = None
    used: Callable[[], Iterable[str]] = tuple
    tell: Callable[[str, bool], None] = lambda league, playing: None

    def __post_init__(self) -> None:
        super().__init__("rooms", self.state.lease("rooms", LIFE.total_seconds()), LONGEST)
        self._here = JobRunner(self.work, limits=LIMITS)
        self._there = JobRunner(self.work, self.workers, limits=LIMITS, head_start=HEAD_START)
        self._used: dict[str, datetime] = {}
        self._rests: dict[str, datetime] = {}  # leagues whose games could not be merged, and until when
        self._troubles: dict[tuple[str, str], str] = {}

    def tick(self) -> None:
        """Begin what is due; mostly it asks nobody anything. Raises StorageError."""
        now = self.now()
        if self.rests(now):
            return
        self.next = now + (LIFE / 3 if self.since else LOOK)
        if not self.ids.any():
            self.next = now + REST
            return
        last = datetime(2000, 1, 1, tzinfo=JST)
        asked = [league for league in self.used() if abs(now - self._used.get(league, last)) >= USED]
        self.state.rooms.used(asked, now.timestamp())  # so that their rooms' turn comes
        self._used |= dict.fromkeys(asked, now)
        if not self.begin(now):
            self.next = now + WAIT

    def do(self) -> None:
        asked = self._ask() if not self.ended else []
        for step in (self._merge, lambda: self._tell(asked), self._fetch):
            if not self.ended:
                step()

    def _ask(self) -> list[str]:
        """Ask the rooms of a few active leagues whose turn it is, set the next turns, and return these."""
        now, rooms = self.now(), self.state.rooms
        own = self.ids.room("")
        if own and rooms.key("") is None:  # TENHOU_ROOM_ID stands in no table
            rooms.remember("", own, "")
        active: list[str] = []
        for league in rooms.due(now.timestamp(), MOST):
            awake = self._is_active(league, now)
            rooms.wait(league, (now + (IDLE if awake else SLEEP)).timestamp())
            active += [league] if awake else []
        prepared = outcomes(self._here, [Job("prepare", league) for league in active])
        for league, outcome in prepared.items():
            self._say(league, "folder", "" if outcome.rooms else "; ".join(outcome.problems))
        counted = {league: outcome.rooms for league, outcome in prepared.items() if outcome.rooms}
        if not counted or self.ended:
            return []
        news = self.watch.look(counted)
        for league in counted:
            memory = self.watch.memory(league)
            problems = news.said[league].problems
            if problems or (memory and memory.looked and memory.looked >= _jst(now)):
                self._say(league, "room", "; ".join(problems))
            for note in () if news.busy else news.said[league].notes:
                log.info("%s%s", _said(league), note)
            at = _jst(self.now())
            if news.busy:
                wait = AGAIN
            elif memory is None or problems:
                wait = PLAYING if memory is not None and memory.playing(at) else IDLE
            else:
                wait = max(memory.due_from(at) - at, AGAIN)
            rooms.wait(league, (self.now() + wait).timestamp())
        return list(counted)

    def _is_active(self, league: str, now: datetime) -> bool:
        memory = self.watch.memory(league)
        if memory is None or memory.looked is None:
            self.state.rooms.used([league], now.timestamp())  # it is new: who set its id is interested
            return True
        if memory.active is not None and _jst(now) - memory.active < LATELY:
            return True
        used = self.state.rooms.last_used(league)
        return used is not None and now.timestamp() - used < LATELY.total_seconds()

    def _merge(self) -> None:
        now, state = self.now(), self.state
        waiting = sorted(filter(self.ids.room, state.own_games.leagues_waiting()))
        ready = [league for league in waiting if self._rests.get(league, now) <= now]
        for league, outcome in outcomes(self._there, [Job("deliver", league) for league in ready]).items():
            self._rests.pop(league, None)
            if outcome.problems:
                self._rests[league] = now + REST
            self._say(league, "games", "; ".join(outcome.problems))
            if outcome.added:
                log.info("league %s: %d games added", league or "(root)", sum(outcome.added.values()))

    def _fetch(self) -> None:
        now, records = self.now(), self.state.records
        for league in dict.fromkeys(due.league for due in records.due(None, now.timestamp(), 100 * MOST)):
            if self.ended:
                return
            outcome = outcomes(self._there, [Job("records", league)])[league]
            for words in (*outcome.notes, *outcome.problems):
                log.info("%s%s", _said(league), words)

    def _tell(self, leagues: Iterable[str]) -> None:
        for league in leagues:
            memory = self.watch.memory(league)
            now = _jst(self.now())
            if memory is not None and memory.active is not None and now - memory.active < timedelta(days=1):
                self.tell(league, memory.playing(now))

    def _say(self, league: str, what: str, trouble: str) -> None:
        """Log a league's trouble when it begins or changes, and its end."""
        before = self._troubles.pop((league, what), "")
        if trouble:
            self._troubles[league, what] = trouble
        if trouble and trouble != before:
            log.warning("%s%s", _said(league), trouble)
        elif before and not trouble:
            log.info("%sits %s: works again", _said(league), what)


def _said(league: str) -> str:
    return f"{league}: " if league else ""


def _jst(moment: datetime) -> datetime:
    return moment.astimezone(JST).replace(tzinfo=None)
