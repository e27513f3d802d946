"""An episode: rounds of taps, games, edits, syncs and faults, then quiet, then a look at all that
is left.
"""

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlalchemy import select

from bot import texts
from bot.settings import Settings
from bot.sync.day_loop import EACH, LOOK, NIGHT
from bot.sync.league_job import OWED
from bot.texts import STRANGER
from rating.logdates import JST
from storage.events import living as living_processes
from storage.ports import FRESH
from storage.schema import LEASES
from tests.world import faults
from tests.world.clockwork import Process
from tests.world.hands import LogBook, the_day
from tests.world.line import Line, Tap
from tests.world.processes import AGAIN, ServiceProcess, Sync, Web, Worker
from tests.world.queues import Queue
from tests.world.tenhou import GAP, Tenhou
from tests.world.world import GROUPS, PLAYERS, USERS, World

LATE = 62.0  # seconds after which some members tap at once
MOST = 60_000  # turns of an episode, after which something goes round for ever
LEAPS = (
    *[GAP + 5] * 3,
    *[2 * GAP] * 2,
    *[6 * 3600.0] * 2,
    *[26 * 3600.0] * 2,
    8 * 86400.0,
)
"""Seconds of which nothing is played between two rounds, each at most once in an episode."""
NOT_NOW = ("使えない", "読めない", "読みに行け", STRANGER)
"""Words of answers that do not show the log as it is."""
COUNTED = re.compile(r'"[^"]*[^"\d](\d+)戦"')  # how many games an answer is about, below its title


class Episode:
    webs = (1, 4)  # web processes: at least so many, and fewer than so many
    taps = (4, 25)  # in a round: at least so many, and fewer than so many
    syncs = (0, 1, 1, 1, 2)  # one of these many in a round
    leaving = 0.3  # the chance that somebody leaves in a round
    hiding = 0.4  # the chance that names are hidden in a league's group
    own_syncs = 0.4  # the chance that web processes sync by themselves
    named = True  # whether members have given their names
    leaps: tuple[float, ...] = LEAPS

    def __init__(self, world: World, line: Line, settings: Settings) -> None:
        self.world = world
        self.line = line
        self.settings = settings
        self.clock = world.clock
        self.chance = world.chance
        self.tenhou = Tenhou(world)
        self.books = [LogBook(world, league, self.tenhou) for league in GROUPS]
        self.queue = (
            Queue(world, lambda: self._living(Worker)) if self.chance.random() < 0.6 else None
        )
        self.processes: list[ServiceProcess] = []
        self._made = 0
        self._syncs_itself = self.chance.random() < self.own_syncs
        line.web = lambda: self._living(Web)
        self.clock.on_crash = self._died
        self.clock.on_freeze = self._hangs
        self._leaps = self.chance.sample(self.leaps, len(self.leaps))
        for league, group in GROUPS.items():
            world.state.chats.enrol(group, league)
            if self.chance.random() < self.hiding:
                world.hidden.add(group)
                world.state.chats.hide_names(group, True)
            for user, player in zip(USERS[league], PLAYERS[league], strict=True):
                if self.named:
                    world.state.chats.set_player(league, user, player)
        for _ in range(self.chance.randrange(*self.webs)):
            self._start(Web)
        for _ in range(self.chance.randrange(1, 3) if self.queue else 0):
            self._start(Worker)

    def _living(self, kind: type[ServiceProcess]) -> list[ServiceProcess]:
        return [
            process for process in self.processes if isinstance(process, kind) and not process.dead
        ]

    def _start(self, kind: type[Web | Worker]) -> None:
        self._made += 1
        name = f"{kind.__name__.lower()}{self._made}"
        process: Web | Worker
        if kind is Web:
            tenhou = self.tenhou if self._syncs_itself else None
            process = Web(name, self.world, self.settings, self.queue, tenhou)
        else:
            process = Worker(name, self.world, self.settings, self.queue)
        self.processes.append(process)
        process.start()
        if self.queue is not None:
            self.queue.serve()

    def _died(self, process: Process) -> None:
        """Start another process in place of a crashed one, after some seconds."""
        if isinstance(process, Sync):
            return
        assert isinstance(process, ServiceProcess)
        self.processes.remove(process)
        if self.queue is not None:
            self.queue.lost(process)
        pause = self.chance.uniform(0.5, 6)
        self.world.trouble("restart", self.clock.now + pause)
        kind = Web if isinstance(process, Web) else Worker
        self.clock.begin(self.clock.outside, "supervisor", self._start, kind, after=pause)
        pause += 0.1 * self.chance.random()
        self.clock.begin(self.clock.outside, "member", self.line.tap, after=pause)

    def _hangs(self, process: Process) -> None:
        """Have the next sync begin while one stands still for longer than its lease lasts."""
        left = process.frozen - self.clock.now
        if isinstance(process, Sync) and left > 180:
            pause = left - self.chance.uniform(2, 12)
            self.clock.begin(self.clock.outside, "cron", self._sync, after=pause)

    def play(self, rounds: int) -> None:
        """Play the rounds, then let it be quiet, and look at what is left."""
        for number in range(rounds):
            self._round(number)
            if self._stopped:
                return
        self._quiet()
        judges = (book.judge for book in self.books)
        for check in (
            self._judge_state,
            *judges,
            self._judge_answers,
            self._judge_pushes,
            self._next_day,
        ):
            if not self._stopped:
                check()

    @property
    def _stopped(self) -> bool:
        return bool(self.world.violations)

    def _run(self, until: float) -> None:
        while self.clock.now < until or self.clock.at_work:
            if not self.clock.step() or self._stopped:
                return
            if self.clock.faults:
                error = self.clock.faults[0]
                self.world.broken("raised", f"{type(error).__name__}: {error}")
            if self.clock.turns > MOST:
                self.world.broken(
                    "held", f"it goes round for ever: {[t.name for t in self.clock.tasks]}"
                )

    def _round(self, number: int) -> None:
        """A round: games are played; for some seconds members tap, owners edit, syncs run, things
        fail.
        """
        world = self.world
        chance = self.chance
        clock = self.clock
        world.round_faults.clear()
        world.faults = self._faults()
        clock.say("round", number, world.faults)
        begin = clock.now
        outside = clock.outside
        self._games()
        rush = chance.choice((0, 3))  # when many tap
        span = chance.choice((0.02, 1))  # within how long
        for _ in range(chance.randrange(*self.taps)):
            alone = chance.uniform(0, 12)
            in_rush = rush + span * chance.random()
            after = chance.choice((alone, in_rush))
            clock.begin(outside, "member", self.line.tap, after=after)
        for _ in range(chance.choice((0, 0, 6, 12))):  # when the faults are over for long
            clock.begin(
                outside,
                "member",
                self.line.tap,
                after=LATE + 0.01 * chance.random(),
            )
        for _ in range(chance.choice((0, 1, 2, 4))):
            clock.begin(outside, "reader", self.line.open_page, after=chance.uniform(1, 13))
        if chance.random() < self.leaving:
            clock.begin(outside, "member", self.line.leave, after=chance.uniform(0, 12))
        syncs = [chance.uniform(0, 8) for _ in range(chance.choice(self.syncs))]
        for after in syncs:
            clock.begin(outside, "cron", self._sync, after=after)
        # Somebody may type the command just after the scheduled one.
        if syncs and chance.random() < 0.3:
            after = syncs[0] + chance.uniform(0.3, 1.3)
            clock.begin(outside, "admin", self._sync, 0.8, after=after)
        for book in self.books:
            clock.begin(outside, "owner", book.mend, chance.uniform(0, 15))
        edits = 0 if "hands" in world.without else chance.randrange(5)
        for _ in range(edits):
            if syncs and chance.random() < 0.6:  # while a sync is at work
                after = chance.choice(syncs) + chance.uniform(0.2, 2)
            else:
                after = chance.uniform(0, 12)
            clock.begin(outside, "owner", self._edit, after=after)
        self._run(begin + 15)
        world.faults = faults.NONE
        if self._stopped:
            return
        self._judge_freshness()
        if chance.random() < 0.5:
            for book in self.books:
                if "hands" not in world.without and chance.random() < 0.5:
                    book.edit(quiet=True)
        if chance.random() < 0.7:
            if world.events(done=False):  # not accepted, but remembered: its token passes first
                self._run(clock.now + 62)
            # A first sync reads one week.
            begun = len(world.state.results.read_marks()) == len(GROUPS)
            clock.leap(self._leaps.pop() if begun else GAP + 5)
            for web in self._living(Web):
                assert isinstance(web, Web)
                web.look_for_sync(3 + chance.uniform(0, 12))  # in the midst of the next round
            self._run(clock.now + 3)  # signs of life were overslept

    def _faults(self) -> faults.Faults:
        return faults.drawn(self.chance, self.clock.now, self.world.without)

    def _games(self) -> None:
        """Have games played since the last round: today's, and late ones of yesterday's file."""
        today = the_day(self.world)
        for _ in range(self.chance.randrange(5)):
            day = today
            if self.chance.random() < 0.3:
                day -= timedelta(days=1)
            league = self.chance.choice(tuple(GROUPS))
            self.tenhou.play(league, day, self.chance.randrange(600, 1440))
        if self.chance.random() < 0.4:
            self.tenhou.play_others(today)

    def _sync(self, again: float = AGAIN) -> None:
        self._made += 1
        sync = Sync(f"sync{self._made}", self.world, self.settings, self.queue, self.tenhou)
        sync.again = self.chance.random() < again
        self.clock.begin(sync, "sync", sync.run)

    def _edit(self) -> None:
        book = self.chance.choice(self.books)
        book.edit(quiet=False)
        web = self._living(Web)
        if web and self.chance.random() < 0.5:
            process = self.chance.choice(web)
            clock = self.clock
            assert isinstance(process, Web)
            clock.begin(
                process, "notification", process.hear_of_change, after=self.chance.uniform(0.05, 2)
            )

    def _judge_freshness(self) -> None:
        """An answer shows the games that the log had when it was made, or at most FRESH seconds
        before.
        """
        taps = self.line.round_taps
        self.line.round_taps = []
        hidden = ("logs", "slow", "outage", "freeze", "state")
        if any(self.world.round_faults[kind] for kind in hidden):
            return
        for tap in taps:
            book = self.world.books[tap.league]
            text = json.dumps(tap.sent, ensure_ascii=False)
            if tap.kind != "point" or not tap.sent or any(words in text for words in NOT_NOW):
                continue
            shown = int((COUNTED.findall(text) or [0])[0])
            if shown not in book.shown(tap.at - FRESH - 1, tap.answered):
                self.world.broken("stale answer", f"{tap.id} shows {shown} games")

    def _quiet(self) -> None:
        """Let a minute pass without faults, sync once more, and let another minute pass."""
        self.world.round_faults.clear()
        for book in self.books:
            self.clock.begin(self.clock.outside, "owner", book.mend, 1.0)
        self._run(self.clock.now + 61)
        if self._syncs_itself:
            self._quiet_by_itself()
            return
        self.clock.leap(GAP + 60)
        for _ in range(2):
            self._made += 1
            sync = Sync(f"sync{self._made}", self.world, self.settings, None, self.tenhou)
            self.clock.begin(sync, "sync", sync.run)
            self._run(self.clock.now + 15)
            if self._stopped:
                return
            if sync.result is None or sync.result.problems:
                problems = sync.result.problems if sync.result else "no result"
                self.world.broken("held", f"a sync without a fault has problems: {problems}")
            self.clock.leap(GAP + 60)
        self._run(self.clock.now + 8)

    def _quiet_by_itself(self) -> None:
        """Let the web processes sync by themselves twice by day, without faults."""
        for _ in range(2):
            after = datetime.fromtimestamp(self.clock.now, JST) + EACH + 2 * LOOK
            while after.hour in NIGHT or (after + LOOK).hour in NIGHT:
                after += EACH
            self.clock.leap(after.timestamp() - self.clock.now)
            self.world.own_results.clear()
            self._run(self.clock.now + 15)
            if self._stopped:
                return
            results = self.world.own_results
            if not results:
                self.world.broken("held", "no web process syncs by itself")
            if problems := [problem for result in results for problem in result.problems]:
                self.world.broken("held", f"a sync without a fault has problems: {problems}")
        self._run(self.clock.now + 8)

    def _judge_state(self) -> None:
        """Nothing is held: no tap, lease, mark of a drawing, sign of life of the dead, lines that
        wait.
        """
        state = self.world.state
        clock = self.clock
        owners = {process.owner for process in self.processes}
        held = [f"event {event.id} of {event.owner}" for event in self.world.events(done=False)]
        held += [key for key, drawn in state.values.items("drawing:").items() if not drawn]
        living = state.database.rows(living_processes(state.database))
        held += [f"sign of life of {row.name}" for row in living if row.name not in owners]
        held += [f"lines of {league}" for league in sorted(state.results.leagues_waiting())]
        held += [f"games of {league}" for league in sorted(state.own_games.leagues_waiting())]
        leases = select(LEASES).where(
            LEASES.c.name == "tenhou/connection", LEASES.c.until > clock.now
        )
        held += [f"lease {row.name} of {row.holder}" for row in state.database.rows(leases)]
        if not self.world.counts["fault crash"] + self.world.counts["fault restart"]:
            held += [
                f"{user[:3]}, who has left" for user in self.line.gone if state.chats.group_of(user)
            ]
            named = {user for league in GROUPS for user in self.line.known_as(league)}
            held += [
                f"the name of {user[:3]}, who has left" for user in self.line.gone.keys() & named
            ]
        if self.queue is not None and not self.queue.idle:
            held.append("a message in the queue")
        if held:
            self.world.broken("held", "; ".join(held))

    def _judge_answers(self) -> None:
        """Every process answers as one that has just begun: nothing old is left in its memory."""
        asked: dict[tuple[str, str, str], list[Tap]] = {}
        self._start(Web)
        for league in GROUPS:  # a recap is offered once after a week without a tap
            self.line.ask(self._living(Web)[0], league, "point")
        self._run(self.clock.now + 10)
        for process in [p for p in self.processes if isinstance(p, Web)]:
            for league in GROUPS:
                for kind in ("point", "today", "period"):
                    tap = self.line.ask(process, league, kind)
                    asked.setdefault((league, GROUPS[league], kind), []).append(tap)
        self._run(self.clock.now + 10)
        for (league, _, kind), taps in asked.items():
            sent = [tap.sent for tap in taps]
            if kind == "today":
                tables = [[one for one in messages if one["type"] != "image"] for messages in sent]
                pairs = zip(tables, sent, strict=True)
                posters = sum(1 for table, messages in pairs if len(table) < len(messages))
                if posters > 1:
                    self.world.broken("shown twice", f"the poster of {league}: {posters} times")
                # quick replies hang on the last message, so another one has them when the poster
                # has been seen
                sent = [[{**one, "quickReply": None} for one in messages] for messages in tables]
            if len(set(map(json.dumps, sent))) != 1:
                by = [tap.by and tap.by.name for tap in taps]
                self.world.broken(
                    "stale answer", f"{kind} of {league} is answered in several ways by {by}"
                )
        for league, book in self.world.books.items():
            text = json.dumps(
                asked[league, GROUPS[league], "point"][-1].sent,
                ensure_ascii=False,
            )
            shown = int((COUNTED.findall(text) or [0])[0])
            there = len(book.games(book.data))
            if there and shown != there:
                self.world.broken(
                    "stale answer", f"{league}: {shown} games shown, {there} are in the log"
                )

    def _next_day(self) -> None:
        """The same on the next day, with logs that have not changed."""
        self.clock.leap(26 * 3600.0)
        self._run(self.clock.now + 3)  # signs of life were overslept
        self._judge_answers()

    def _judge_pushes(self) -> None:
        said = [(chat, str(sent[0].get("text", ""))) for chat, sent in self.line.pushes]
        titles = Counter((chat, text.partition("の結果")[0]) for chat, text in said)
        for (chat, title), count in titles.items():
            if count > 1:
                self.world.broken("pushed twice", f"{title} to {chat[:2]}: {count} times")
        for book in self.books:
            day = max(book.came, default=date.min)
            offered = self.tenhou.of(book.league)
            late = the_day(self.world) - day >= OWED
            if (
                late
                or book.harmed > book.came[day]
                or any(offered.get(line) == day for line in book.gone)
            ):
                continue
            title = f"{texts.day(day)}の結果"
            if not any(
                chat == GROUPS[book.league] and text.startswith(title) for chat, text in said
            ):
                self.world.broken("not pushed", f"{title} to the group of {book.league}")


class BusyDays(Episode):
    """Many syncs near each other, and few taps: what the episodes of seeds that begin with `sync`
    play.
    """

    taps = (1, 4)
    syncs = (2, 3, 4)


class Outages(Episode):
    """A store or LINE is away in each round, and most processes live through it: what the episodes
    of seeds that begin with `outage` play."""

    syncs = (0, 1, 1, 2, 3)
    leaving = 0.8

    def _faults(self) -> faults.Faults:
        found = super()._faults()
        begin = self.clock.now + self.chance.uniform(0, 8)
        service = self.chance.choice(("state", "state", "logs", "images", "line"))
        lasts = self.chance.choice((self.chance.uniform(1, 4), 9, 14))
        away = (service, begin, begin + lasts)
        return replace(found, crash=found.crash / 4, outages=(*found.outages, away))


class OwnSyncs(Outages):
    """Only web processes sync, each hour, while a store or Tenhou is away or fails: what the
    episodes of seeds that begin with `own` play."""

    webs = (1, 2)  # another process would take over from one that stops
    taps = (1, 4)
    syncs = (0,)
    leaving = 0.3
    own_syncs = 1.0
    leaps = (*[EACH.total_seconds() + 60] * 8, 26 * 3600.0, 8 * 86400.0)

    def _faults(self) -> faults.Faults:
        drawn = super()._faults()
        fails = drawn.fails | {"state": 0.15} if "state" not in self.world.without else drawn.fails
        return replace(drawn, fails=fails)
