"""Read leagues' own rooms in the background, so that a game is in the ratings minutes after its
end.

`RoomLoop.tick` is a chore of the background loop of every process. One process of all, by a lease,
does the work, on a thread of its own: it asks the tables what is due (rooms, games to merge,
records), has it done (by workers where there are any), and tells what is to be told. Everything can
be done again from the start, so the process may end anywhere. A league is asked while its room has
told a game, or a member has asked, lately.
"""

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.runtime.leased_work import LeasedWork
from bot.sync.jobs import Job, JobRunner, Work, Workers, outcomes
from bot.sync.room_ids import RoomIds
from bot.sync.room_watch import RoomWatch, japan_time
from bot.tenhou.room import IDLE
from rating.logdates import JST
from storage.state import State

AT_ONCE = 8  # rooms asked, or leagues with records
LOOK = timedelta(seconds=10)  # between looks at what is due
WAIT = timedelta(seconds=30)  # until a process without the lease tries to take it
LIFE = timedelta(seconds=60)  # of the lease, which is renewed while the work goes on
HANGS = timedelta(minutes=20)  # for which it is: whoever takes longer hangs
USED = timedelta(minutes=10)  # a process notes at most so often that a league was asked about
LATELY = timedelta(days=14)  # such a note, or a room's last game, counts for so long
SLEEP = timedelta(hours=6)  # between looks whether a league has become active
REST = timedelta(
    minutes=5
)  # for a league whose games could not be merged, and where no league has a room
AGAIN = timedelta(minutes=1)  # where another process was asking Tenhou
LIMITS = {"prepare": 30.0, "deliver": 120.0, "records": 300.0}  # seconds
log = logging.getLogger(__name__)


@dataclass
class RoomLoop(LeasedWork):
    """The loop of one process. `work` does one league's job; `workers` is the way to the workers,
    if there are any. `leagues_in_use` returns the leagues that members of this process have asked
    about lately. `on_room_activity` is called for each league whose room was asked, with whether a
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
    on_room_activity: Callable[[str, bool], None] = lambda league, playing: None

    def __post_init__(self) -> None:
        super().__init__("rooms", self.state.lease("rooms", LIFE.total_seconds()), HANGS)
        self.runner = JobRunner(self.work, self.workers, LIMITS)
        self._used: dict[str, datetime] = {}
        self._rests: dict[
            str, datetime
        ] = {}  # leagues whose games could not be merged, and until when
        self._troubles: dict[tuple[str, str], str] = {}

    def tick(self) -> None:
        """Begin what is due; mostly it asks nobody anything. Raises StorageError."""
        now = self.now()
        if self.rests(now):
            return
        self.next = now + (LIFE / 3 if self.since else LOOK)
        if not self.ids.leagues():
            self.next = now + REST
            return
        last = datetime(2000, 1, 1, tzinfo=JST)
        asked = [
            league
            for league in self.leagues_in_use()
            if abs(now - self._used.get(league, last)) >= USED
        ]
        self.state.rooms.used(asked, now.timestamp())  # so that their rooms' turn comes
        self._used |= dict.fromkeys(asked, now)
        if not self.begin(now):
            self.next = now + WAIT

    def do(self) -> None:
        asked = self._ask()
        if not self.ended:
            self._merge()
        if not self.ended:
            self._tell_playing(asked)
        self._fetch()

    def _tell_playing(self, leagues: Collection[str]) -> None:
        """Report which of these leagues are playing, as far as their rooms were active lately."""
        for league in leagues:
            memory = self.watch.memory(league)
            now = japan_time(self.now())
            if (
                memory is not None
                and memory.active is not None
                and now - memory.active < timedelta(days=1)
            ):
                self.on_room_activity(league, memory.playing(now))

    def _ask(self) -> list[str]:
        """Ask the rooms of a few active leagues whose turn it is, set the next turns, and return
        these.
        """
        now = self.now()
        rooms = self.state.rooms
        own = self.ids.room("")
        if own and rooms.key("") is None:  # TENHOU_ROOM_ID is in no table
            rooms.remember("", own, "")
        active: list[str] = []
        for league in rooms.due(now.timestamp(), AT_ONCE):
            awake = self._is_active(league, now)
            wait = IDLE if awake else SLEEP
            rooms.wait(league, (now + wait).timestamp())
            if awake:
                active.append(league)
        prepared = outcomes(self.runner, [Job("prepare", league) for league in active])
        for league, outcome in prepared.items():
            self._say(league, "folder", "" if outcome.rooms else "; ".join(outcome.problems))
        counted = {league: outcome.rooms for league, outcome in prepared.items() if outcome.rooms}
        if not counted or self.ended:
            return []
        news = self.watch.look(counted)
        for league in counted:
            memory = self.watch.memory(league)
            said = news.said[league]
            at = japan_time(self.now())
            if said.problems or (memory and memory.looked and memory.looked >= japan_time(now)):
                self._say(league, "room", "; ".join(said.problems))
            wait = AGAIN
            if not news.busy:
                for note in said.notes:
                    log.info("%s%s", _said(league), note)
                wait = IDLE
            if memory is not None and not memory.due(at):
                wait = max(memory.due_from(at) - at, AGAIN)
            rooms.wait(league, (self.now() + wait).timestamp())
        return list(counted)

    def _is_active(self, league: str, now: datetime) -> bool:
        memory = self.watch.memory(league)
        if memory is None or memory.looked is None:
            # It is new: who set its id is interested.
            self.state.rooms.used([league], now.timestamp())
            return True
        if memory.active is not None and japan_time(now) - memory.active < LATELY:
            return True
        used = self.state.rooms.last_used(league)
        return used is not None and now.timestamp() - used < LATELY.total_seconds()

    def _merge(self) -> None:
        now = self.now()
        state = self.state
        waiting = sorted(filter(self.ids.room, state.own_games.leagues_waiting()))
        ready = [league for league in waiting if self._rests.get(league, now) <= now]
        for league, outcome in outcomes(
            self.runner, [Job("deliver", league) for league in ready]
        ).items():
            self._rests[league] = now + REST if outcome.problems else now
            self._say(league, "games", "; ".join(outcome.problems))
            if outcome.added:
                log.info(
                    "league %s: %d games added", league or "(root)", sum(outcome.added.values())
                )

    def _fetch(self) -> None:
        now = self.now()
        records = self.state.records
        for league in dict.fromkeys(
            due.league for due in records.due(None, now.timestamp(), 100 * AT_ONCE)
        ):
            if self.ended:
                return
            outcome = outcomes(self.runner, [Job("records", league)])[league]
            for words in (*outcome.notes, *outcome.problems):
                log.info("%s%s", _said(league), words)

    def _say(self, league: str, what: str, trouble: str) -> None:
        """Log a league's trouble when it begins or changes, and its end."""
        before = self._troubles.get((league, what))
        self._troubles[league, what] = trouble
        if trouble and trouble != before:
            log.warning("%s%s", _said(league), trouble)
        elif before and not trouble:
            log.info("%sits %s: works again", _said(league), what)


def _said(league: str) -> str:
    return f"{league}: " if league else ""
