"""Read leagues' own rooms in the background, so that a game is in the ratings minutes after its
end.

`RoomLoop.tick` is a chore of the background loop of every process. One process of all, by a lease,
does the work, on a thread of its own: it asks the tables what is due (rooms, games to merge,
records), has it done (by workers where there are any), and tells what is to be told. Everything can
be done again from the start, so the process may end anywhere. A league is asked while its room has
told a game, or a member has asked, lately.

`RoomWatch` asks: one request a room, one connection for all of them. The processes share the memory
of each room and the one connection to Tenhou (bot/tenhou/throttle.py), so it does not matter
whether the loop asks or `flask sync`. Which league has which room's id: TENHOU_ROOM_ID is the root
folder's league's, others are encrypted in the database.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.runtime import metrics
from bot.runtime.encryption import Encryption
from bot.runtime.leased_work import LeasedWork
from bot.runtime.translation import translated as _
from bot.sync.jobs import Job, JobRunner, Outcome, Work, Workers, outcomes
from bot.sync.league_job import OwnResults
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError, TenhouUnreachable, note_failure
from bot.tenhou.room import IDLE, RoomMemory, read_rows
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
    """The rooms' ids by league ("" for the root folder's). Methods raise StorageError when the
    store cannot be reached. `secret_key` is JANROKU_SECRET_KEY, `own` is TENHOU_ROOM_ID; each may
    be "". What was put for the root folder's league counts only where `own` is ""."""

    def __init__(self, rooms: Rooms, secret_key: str = "", own: str = "") -> None:
        self._rooms = rooms
        self._secret_key = secret_key
        self._own = RoomId(own) if own else None

    def leagues(self) -> dict[str, str]:
        """The name of the room (`C1017`) by league."""
        rooms = {}
        for league, key in self._rooms.all().items():
            if key.id:
                rooms[league] = key.room
        if self._own:
            rooms[""] = self._own.room
        return rooms

    def room(self, league: str) -> str:
        """The name of a league's room, "" for none."""
        return self.leagues().get(league, "")

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
        self._rooms.set(
            league,
            RoomKey(room.room, Encryption(self._secret_key).encrypt(room.text)),
        )


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
            elif memory.due(_jst(self._now())):
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
            if secret is None or not memory.due(_jst(self._now())):  # another process was faster
                return True
            memory = replace(memory, asked=_jst(self._now()))
            self._state.rooms.remember(league, room, memory.to_text())
            renew()
            news.asked += 1
            read = read_rows(tenhou.room_log(secret, memory.since), secret.lobby)
            metrics.count("rooms", outcome="answered")
            after, games = memory.with_answer(read, _jst(self._now()))
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
        return self.memory(league, room) or RoomMemory.new(room, _jst(self._now()))


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
    if there are any. `used` returns the leagues that members of this process have asked about
    lately. `tell` says what is to be said of a league, whose room rests where `playing` is False.
    `now` returns an aware time."""

    later = "leagues' rooms are looked after later"
    failed = "leagues' rooms could not be looked after"
    ids: RoomIds
    watch: RoomWatch
    state: State
    work: Work
    now: Callable[[], datetime]
    workers: Workers | None = None
    used: Callable[[], Iterable[str]] = tuple
    tell: Callable[[str, bool], None] = lambda league, playing: None

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
            league for league in self.used() if abs(now - self._used.get(league, last)) >= USED
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
            now = _jst(self.now())
            if (
                memory is not None
                and memory.active is not None
                and now - memory.active < timedelta(days=1)
            ):
                self.tell(league, memory.playing(now))

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
            at = _jst(self.now())
            if said.problems or (memory and memory.looked and memory.looked >= _jst(now)):
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
        if memory.active is not None and _jst(now) - memory.active < LATELY:
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


def _jst(moment: datetime) -> datetime:
    return moment.astimezone(JST).replace(tzinfo=None)
