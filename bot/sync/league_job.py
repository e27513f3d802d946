"""Do one league's part of a sync, in a thread of `flask sync`, in the background loop or in a
worker.

`prepare` comes before Tenhou is read: it lists the league's folder, reads league.toml and finds the
rooms. `deliver` comes when lines are kept for the league (storage/tenhou.py): it merges them into
the season logs and does what follows (charts, digest). `records` fetches the records that the
league's room has named. Each can be done again from the start: the kept lines, the logs and the
records waited for show what is left to do.

The games that a league's room has told by itself are kept by the day of their end, until they are
in the log and longer. Tenhou's day file brings the same games later (rating/merge.py). What was
made of a game stays known, so that the day's line takes our line's place, and a game that a hand
took out stays out.

The records (牌譜) that leagues' rooms have named are fetched one at a time, each once, after the
rooms' connection is closed. One goes into the league's folder and counts in recordlog.txt. Above a
limit the oldest go; their counts stay.
"""

import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property

from bot.league.files import paifu_file
from bot.league.paifu_log import PaifuFolder, drop_oldest, keep_paifu
from bot.league.season_log import LeagueFolder, NoLeague, SeasonLogs, UnreadableLog
from bot.runtime import metrics
from bot.runtime.json_log import log_fault
from bot.runtime.translation import translated as _
from bot.sync.jobs import Job, Outcome
from bot.tenhou.client import TenhouBusy, TenhouError, TenhouNotFound, note_failure
from bot.tenhou.room import RoomGame
from bot.tenhou.throttle import PaifuFetcher
from rating.logdates import JST
from rating.merge import DayLine, OwnGame, offered_for
from rating.paifu.recordlog import entry_of
from rating.paifu.tiles import PaifuError
from storage.ports import LASTING, Denied, LogSource, NotFound, StorageError, Unavailable
from storage.state import State
from storage.tenhou import DayLines, DueRecord, KeptGame

log = logging.getLogger(__name__)
BATCH = 31  # days merged at once
After = Callable[[str, Sequence[date]], bool]
"""What follows, for a league and the days that got games; False where some of it is to be tried
again.
"""

OWED = timedelta(days=7)  # how long what follows a day's games is tried again, from that day on


def all_offered(state: State, league: str = "") -> dict[date, list[bytes]]:
    """Every line that Tenhou offers, by day: in its files, or as the room's own.

    Raises StorageError.
    """
    found: defaultdict[date, list[bytes]] = defaultdict(list)
    for day, lines in state.results.offered(league).items():
        found[day] = list(lines)
    for kept in state.own_games.all(league):
        for day, raw in _game(kept).versions:
            found[day].append(raw)
    return {day: list(dict.fromkeys(lines)) for day, lines in found.items()}


class OwnResults:
    """One league's games, read once: make one for each piece of work. Raises StorageError."""

    def __init__(self, state: State, league: str = "") -> None:
        self._games = state.own_games
        self.league = league

    @cached_property
    def _all(self) -> list[OwnGame]:
        return [_game(kept) for kept in self._games.all(self.league)]

    def put(self, games: Iterable[RoomGame], room: str) -> None:
        """Keep games of the room `C####`.

        A known one changes when its start is told now, or another.
        """
        told = {game.key: game for game in games}
        days = {game.result.at.date() for game in told.values()}

        def new(kept: list[KeptGame]) -> Iterator[KeptGame]:
            known = {game.key: _game(game) for game in kept}
            for key, game in told.items():
                line = (game.day, game.line(room))
                started = game.start is not None
                before = known.get(key)
                if before is None:
                    yield _kept(OwnGame(key, game.result.at, (line,), started))
                elif before.current != line and (started or not before.started):
                    versions = [version for version in before.versions if version != line]
                    versions.append(line)
                    changed = replace(before, versions=tuple(versions), started=started, fresh=True)
                    yield _kept(changed)

        if days:
            self._games.change(self.league, days, new)

    def read(self, days: Collection[date]) -> list[OwnGame]:
        """The games that ended on these days; nothing else is read."""
        return [_game(game) for game in self._games.all(self.league, days)]

    def around(self, days: Collection[date]) -> list[OwnGame]:
        """The games that may be those of day files of these days."""
        near = set()
        for day in days:
            near |= {day - timedelta(days=1), day, day + timedelta(days=1)}
        return [game for game in self._all if game.end.date() in near]

    def lines_on(self, day: date) -> list[bytes]:
        return [raw for game in self._all for started, raw in game.versions if started == day]

    def offer_again(self, since: date) -> None:
        """Mark the games that ended from `since` on as not in the log, so that they are merged once
        more.
        """

        def again(kept: list[KeptGame]) -> list[KeptGame]:
            return [_kept(replace(_game(game), fresh=True, stood=False)) for game in kept]

        ends = {game.end.date() for game in self._all}
        days = {day for day in ends if day >= since}
        self._games.change(self.league, days, again)

    def waiting(self) -> set[date]:
        """The days (of the games' ends) with games to merge."""
        return {game.end.date() for game in self._all if game.fresh}

    def done(self, games: Mapping[OwnGame, bool]) -> None:
        """Note that the log was looked at for these games; with True a line stands, or has stood,
        in it. A game of which another line was put meanwhile keeps waiting."""
        there = {game.key: (game.versions, stood) for game, stood in games.items()}

        def new(kept: list[KeptGame]) -> Iterator[KeptGame]:
            for game in map(_game, kept):
                versions, stood = there.get(game.key, ((), False))
                if game.versions == versions:
                    yield _kept(replace(game, fresh=False, stood=game.stood or stood))

        if games:
            self._games.change(
                self.league,
                {game.end.date() for game in games},
                new,
            )


def _kept(game: OwnGame) -> KeptGame:
    versions = [
        [day.isoformat(), raw.decode("utf-8", "surrogateescape")] for day, raw in game.versions
    ]
    words = json.dumps(
        [
            game.end.isoformat(),
            versions,
            game.started,
            game.stood,
        ]
    )
    return KeptGame(game.key, game.end.date(), words, game.fresh)


def _game(kept: KeptGame) -> OwnGame:
    end, versions, started, stood = json.loads(kept.game)
    lines = tuple(
        (date.fromisoformat(day), raw.encode("utf-8", "surrogateescape")) for day, raw in versions
    )
    return OwnGame(kept.key, datetime.fromisoformat(end), lines, started, stood, kept.fresh)


@dataclass(frozen=True)
class LeagueWork:
    """Does jobs. Never raises: every error becomes a problem of the outcome. Safe in threads.

    `open_league` returns a league's folder with its league.toml, `now` an aware time; `wait` sleeps
    so many seconds. `own_room` returns the name of the room whose own results a league reads, ""
    for none. `came` does what follows when games of such a room are in the log. `collect` fetches a
    league's records, and returns what to say of it."""

    open_league: Callable[[str], LeagueFolder]
    state: State
    now: Callable[[], datetime]
    after: After = lambda league, days: True
    wait: Callable[[float], None] = time.sleep
    own_room: Callable[[str], str] = lambda league: ""
    came: Callable[[str], None] = lambda league: None
    collect: Callable[[str], Sequence[str]] = lambda league: ()

    def __call__(self, job: Job) -> Outcome:
        outcome = Outcome()
        try:
            if job.stage == "records":
                outcome.notes = list(self.collect(job.league))
            elif job.stage == "prepare":
                logs = self._opened(job.league, outcome)
                if job.since is not None:
                    self.state.results.offer_again(job.league, job.since)
                    OwnResults(self.state, job.league).offer_again(job.since)
                outcome.rooms = sorted(logs.rooms)
                _say(logs, outcome)
            else:
                self._deliver(job.league, outcome)
        except (StorageError, ValueError) as error:  # their messages are written for the admin
            outcome.nothing = isinstance(error, NoLeague)
            outcome.refused = isinstance(error, UnreadableLog)
            outcome.again = isinstance(error, Unavailable)
            outcome.failed = isinstance(error, StorageError) and not isinstance(error, LASTING)
            outcome.problems.append(str(error))
        except Exception as error:  # one league's files must not stop the sync of the others
            outcome.problems.append(log_fault("a league could not be synced", error))
        return outcome

    def _opened(self, league: str, outcome: Outcome) -> SeasonLogs:
        """Open a league's logs.

        An unusable league.toml is a problem, though its last good version serves.
        """
        folder = self.open_league(league)
        if folder.fault is not None:
            outcome.problems.append(str(folder.fault))
        return SeasonLogs(folder, self.now, self.wait, lambda: self.own_room(league))

    def _deliver(self, league: str, outcome: Outcome) -> None:
        """Merge what waits, and do what follows. An error in what follows is only logged."""
        results = self.state.results
        noted = {*results.owed(league)}  # the days for which what follows may be due
        due = {*noted}  # those for which it is
        days: set[date] = set()  # those that got games
        try:
            self._merge_all(league, noted, days, outcome)
            if outcome.added and not days:  # else what follows a sync does it
                try:
                    self.came(league)
                except StorageError as error:
                    log.warning("what follows a room's games is done at the next tap: %s", error)
                except Exception as error:
                    log_fault("what follows a room's games failed", error)
        finally:
            due |= days
            try:
                done = not due or self.after(league, sorted(due))
            except Exception as error:
                log_fault("what follows a sync failed", error)
                done = not isinstance(error, StorageError) or isinstance(error, Denied)
            oldest = self.now().astimezone(JST).date() - OWED
            left = set()
            if not done:
                left = {day for day in due if day >= oldest}
            results.owe(league, left, (noted | due) - left)

    def _merge_all(
        self,
        league: str,
        noted: set[date],
        days: set[date],
        outcome: Outcome,
    ) -> None:
        """Merge what waits, some days at a time.

        What follows is noted as owed before it is written.
        """
        results = self.state.results
        own = OwnResults(self.state, league)
        ends = own.waiting()
        offered = results.waiting(league)
        waiting = sorted(ends.union(offered))
        if not waiting:
            return
        logs = self._opened(league, outcome)
        for begin in range(0, len(waiting), BATCH):
            part = waiting[begin : begin + BATCH]
            kept = []
            for day in part:
                lines = results.get(league, day) if day in offered else None
                if lines:
                    kept.append(lines)
            results.owe(league, [lines.day for lines in kept])
            days |= self._merge(logs, kept, ends.intersection(part), own, outcome)
            noted.update(lines.day for lines in kept)  # where it fails they stay owed
        _say(logs, outcome)

    def _merge(
        self,
        logs: SeasonLogs,
        kept: Sequence[DayLines],
        ends: set[date],
        own: OwnResults,
        outcome: Outcome,
    ) -> set[date]:
        """Merge new lines of Tenhou's, and the room's games that ended on the days `ends`; return
        the days that got games. Where a day file has brought a game, its line is merged, not ours.
        What follows waits for it, to tell the whole day."""
        fresh = {lines.day: lines.fresh for lines in kept}
        games = own.around({*fresh, *ends})
        results = self.state.results

        def offered(day: date) -> Sequence[bytes]:
            found = results.get(own.league, day)
            return found.lines if found else ()

        near = {game.end.date() for game in games}
        near |= {day - timedelta(days=1) for day in near}
        found = offered_for(games, {day: offered(day) for day in sorted(near)})
        todo = defaultdict(list, {day: list(lines) for day, lines in fresh.items()})
        ours: dict[DayLine, OwnGame] = {}  # the lines to merge that are games of the room
        looked: list[tuple[DayLine, OwnGame]] = []  # the games the log is looked at for
        brought: set[date] = set()  # the days of which Tenhou's own lines of the room's games come
        for game in games:
            line = found.get(game.key)
            if line is not None and line[1] in fresh.get(line[0], ()):
                brought.add(line[0])
                ours[line] = game
            elif not game.fresh:
                continue
            elif line is None:
                line = game.current
                todo[line[0]].append(line[1])
                ours[line] = game
            looked.append((line, game))
        added = logs.add(
            dict(todo),
            lambda day: (*offered(day), *own.lines_on(day)),
            ours,
        )
        outcome.kept = list(logs.kept)
        for lines in kept:
            if not logs.stuck(lines.day, lines.fresh):
                results.done(own.league, lines)
        own.done(
            {
                game: logs.counts(*line)
                for line, game in looked
                if not logs.stuck(line[0], [line[1]])
            }
        )
        got = {day for played in added.values() for day in played}
        days = {day.isoformat() for day in got}
        outcome.days = sorted(days.union(outcome.days))
        for name, played in added.items():
            outcome.added[name] = outcome.added.get(name, 0) + len(played)
        return brought | (got & {*fresh})


def _say(logs: SeasonLogs, outcome: Outcome) -> None:
    outcome.notes = logs.take_notes()
    outcome.refused = bool(logs.refused)
    outcome.problems += [
        _(
            "{name}: {reason}; nothing is added to it, its games keep waiting",
            name=name,
            reason=reason,
        )
        for name, reason in sorted(logs.refused.items())
    ]


BETWEEN = 0.5  # seconds between two records
MOST = 100  # records asked for in one run, of all leagues together
AGAIN = tuple(timedelta(minutes=5 * 2**tries) for tries in range(8))
"""The waits until a record that is not there is asked for again; after the last one it is given up.
"""
REST = timedelta(minutes=20)  # the wait where Tenhou or the folder can't be reached
SOON = timedelta(minutes=2)  # the wait where another request of ours was under way
FAILURES = 2  # failures of Tenhou in a row, after which the others wait


@dataclass(frozen=True)
class PaifuCollector:
    """Fetches what leagues wait for. `fetcher` makes what asks Tenhou, `open_logs` opens a league's
    folder, `now` returns an aware time, `wait` sleeps so many seconds."""

    state: State
    fetcher: Callable[[], PaifuFetcher]
    open_logs: Callable[[str], LogSource]
    now: Callable[[], datetime]
    wait: Callable[[float], None] = time.sleep

    def collect(
        self,
        leagues: Collection[str],
        progress: Callable[[int, int], None] = lambda done, total: None,
        most: int = MOST,
    ) -> list[str]:
        """Fetch what is due for these leagues, `most` at once, and return what to say of it, a line
        each. What can't be had now is asked for again later. Raises StorageError."""
        notes: list[str] = []
        fetched = failures = 0
        down: set[str] = set()  # leagues whose folder fails
        fetcher = self.fetcher()
        all_due = self.state.records.due(leagues, self.now().timestamp(), most)
        for number, due in enumerate(all_due):
            progress(number, len(all_due))
            said = f"{due.league}: " if due.league else ""
            if failures == FAILURES or due.league in down:
                self._wait(due, REST)
                continue
            try:
                self._fetch(fetcher, due)
            except (TenhouNotFound, PaifuError):
                failures = 0
                again = self._lacks(due)
                metrics.count("records", outcome="not there" if again else "given up")
                if not again:
                    notes.append(said + _("Tenhou has no record {paifu}: given up", paifu=due.id))
            except TenhouError as error:
                if isinstance(error, TenhouBusy):
                    self._wait(due, SOON)
                else:
                    note_failure(error)
                    metrics.count("records", outcome="failed")
                    failures += 1
                    self._lacks(due)
                notes.append(said + _("a record is fetched later: {error}", error=error))
            except StorageError as error:
                down.add(due.league)
                self._wait(due, REST)
                notes.append(said + _("records are kept later: {error}", error=error))
            else:
                failures = 0
                fetched += 1
                self.state.records.done(due.league, due.id)
                metrics.count("records", outcome="fetched")
                self.wait(BETWEEN)
        if all_due:
            progress(len(all_due), len(all_due))
        if fetched:
            notes.append(_("records fetched: {count}", count=fetched))
        return notes

    def _wait(self, due: DueRecord, wait: timedelta, tries: int | None = None) -> None:
        self.state.records.wait(
            due.league,
            due.id,
            (self.now() + wait).timestamp(),
            tries,
        )

    def _lacks(self, due: DueRecord) -> bool:
        """Note that a record is not there, and return whether it is asked for again."""
        if due.tries >= len(AGAIN):
            self.state.records.give_up(due.league, due.id)
            return False
        self._wait(due, AGAIN[due.tries], due.tries + 1)
        return True

    def _fetch(self, fetcher: PaifuFetcher, due: DueRecord) -> None:
        """Keep one record and have it counted. Doing it twice changes nothing."""
        logs = self.open_logs(due.league)
        day = None
        with suppress(
            NotFound
        ):  # another error tells, before Tenhou is asked, that nothing could be kept
            logs.read(paifu_file(due.id))
        kept = PaifuFolder(logs)
        data = fetcher.get(due.id, kept, anew=True)
        record = kept.parsed(data)
        if not kept.has(due.id):
            raise StorageError(_("record {paifu} could not be written", paifu=due.id))
        with suppress(ValueError):  # the id begins with the day: `2026081004gm-0009-11017-9b9f92d7`
            day = date(
                int(due.id[:4]),
                int(due.id[4:6]),
                int(due.id[6:8]),
            )
        keep_paifu(logs, data, entry_of(record, due.id, day), self.now())
        drop_oldest(logs, due.id)
