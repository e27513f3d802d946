"""Do one league's part of a sync, in a thread of `flask sync`, in the background loop or in a
worker.

`prepare` comes before Tenhou is read: it lists the league's folder, reads league.toml and finds the
rooms. `deliver` comes when lines are stored for the league (storage/results.py): it merges them into
the season logs and does what follows (charts, digest). `records` fetches the records that the
league's room has named. Each can be done again from the start: the stored lines, the logs and the
records waited for show what is still to do.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain
from typing import NamedTuple

from bot.league.season_log import LeagueFolder, NoLeague, SeasonLogs, UnreadableLog
from bot.runtime.json_log import log_fault
from bot.runtime.translation import translated as _
from bot.sync.jobs import Job, Outcome, Stage
from bot.sync.own_results import OwnResults
from rating.logdates import JST
from rating.merge import DayLine
from rating.own_games import OwnGame, offered_for
from rating.roomlog import OTHER_ROOMS
from storage.ports import LASTING, Denied, StorageError, Unavailable
from storage.results import DayLines
from storage.state import State

log = logging.getLogger(__name__)
BATCH = 31  # days merged at once
OnDaysMerged = Callable[[str, Sequence[date]], bool]
"""What follows, for a league and the days that got games; False where some of it is to be tried
again.
"""

OWED = timedelta(days=7)  # how long what follows a day's games is tried again, from that day on


def nothing_follows(league: str, days: Sequence[date]) -> bool:
    """Where nothing follows a sync."""
    return True


def no_own_room(league: str) -> str:
    """Where no league has a room of its own."""
    return ""


def ignore_arrival(league: str) -> None:
    """Where nothing follows the games of a room."""


def fetch_no_records(league: str) -> Sequence[str]:
    """Where no records are fetched."""
    return ()


@dataclass(frozen=True)
class LeagueWork:
    """Does jobs. Never raises: every error becomes a problem of the outcome. Safe in threads.

    `open_league` returns a league's folder with its league.toml, `now` an aware time; `wait` sleeps
    so many seconds. `own_room_of` returns the name of the room whose own results a league reads, ""
    for none. `on_days_merged` is called with the days that got games from Tenhou's day files,
    `on_games_arrived` when games of the league's own room are in the log. `fetch_records` fetches a
    league's records, and returns the notes on them."""

    open_league: Callable[[str], LeagueFolder]
    state: State
    now: Callable[[], datetime]
    on_days_merged: OnDaysMerged = nothing_follows
    wait: Callable[[float], None] = time.sleep
    own_room_of: Callable[[str], str] = no_own_room
    on_games_arrived: Callable[[str], None] = ignore_arrival
    fetch_records: Callable[[str], Sequence[str]] = fetch_no_records

    def __call__(self, job: Job) -> Outcome:
        outcome = Outcome()
        try:
            if job.stage == Stage.RECORDS:
                outcome.notes = list(self.fetch_records(job.league))
            elif job.stage == Stage.PREPARE:
                self._prepare(job, outcome)
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

    def _prepare(self, job: Job, outcome: Outcome) -> None:
        """Read which rooms are the league's, and what is odd about its files."""
        logs = self._opened(job.league, outcome)
        if job.since is not None:
            self.state.results.offer_again(job.league, job.since)
            OwnResults(self.state, job.league).offer_again(job.since)
        outcome.rooms = sorted(logs.rooms - {*OTHER_ROOMS})
        _report(logs, outcome)

    def _opened(self, league: str, outcome: Outcome) -> SeasonLogs:
        """Open a league's logs.

        An unusable league.toml is a problem, though its last good version serves.
        """
        folder = self.open_league(league)
        if folder.fault is not None:
            outcome.problems.append(str(folder.fault))
        return SeasonLogs(folder, self.now, self.wait, partial(self.own_room_of, league))

    def _deliver(self, league: str, outcome: Outcome) -> None:
        """Merge what waits, and do what follows.

        What follows (charts, digest) is recorded as owed before its days are merged: a process that
        dies in between leaves it to the next job, for `OWED`. An error in what follows is only
        logged. Shown by tests/sync/test_fanout.py::test_what_follows_is_owed_until_it_is_done."""
        owed_before = frozenset(self.state.results.open_days(league))
        days = _DeliveredDays(owed=set(owed_before))
        try:
            self._merge_all(league, days, outcome)
            if outcome.added and not days.merged:  # else what follows a sync does it
                self._report_arrival(league)
        finally:
            self._follow_up(league, due=owed_before | days.merged, recorded=days.owed)

    def _report_arrival(self, league: str) -> None:
        try:
            self.on_games_arrived(league)
        except StorageError as error:
            log.warning("what follows a room's games is done at the next tap: %s", error)
        except Exception as error:
            log_fault("what follows a room's games failed", error)

    def _follow_up(
        self,
        league: str,
        due: frozenset[date],
        recorded: set[date],
    ) -> None:
        """Do what follows the games of the days that are due, and record of which it is still owed;
        `recorded` are the days of which it was.
        """
        still_owed: set[date] = set()
        if due and not self._is_followed_up(league, due):
            oldest = self.now().astimezone(JST).date() - OWED
            still_owed = {day for day in due if day >= oldest}
        self.state.results.change_open_days(
            league, opened=still_owed, done=(recorded | due) - still_owed
        )

    def _is_followed_up(self, league: str, days: frozenset[date]) -> bool:
        """Do what follows; return False where some of it is to be tried again."""
        try:
            return self.on_days_merged(league, sorted(days))
        except Exception as error:
            log_fault("what follows a sync failed", error)
            return not isinstance(error, StorageError) or isinstance(error, Denied)

    def _merge_all(self, league: str, days: "_DeliveredDays", outcome: Outcome) -> None:
        """Merge what waits, some days at a time."""
        results = self.state.results
        own = OwnResults(self.state, league)
        ends = own.waiting()
        days_waiting = set(results.days_waiting(league))
        waiting = sorted(ends | days_waiting)
        if not waiting:
            return
        logs = self._opened(league, outcome)
        for begin in range(0, len(waiting), BATCH):
            batch = waiting[begin : begin + BATCH]
            day_lines = self._lines_of(league, [day for day in batch if day in days_waiting])
            results.change_open_days(league, [lines.day for lines in day_lines])
            days.merged |= self._merge(logs, day_lines, ends.intersection(batch), own, outcome)
            days.owed.update(lines.day for lines in day_lines)  # where it fails they stay owed
        _report(logs, outcome)

    def _lines_of(self, league: str, days: Iterable[date]) -> list[DayLines]:
        """Return the stored lines of these days; a day that has none any more is left out."""
        stored = (self.state.results.get(league, day) for day in days)
        return [lines for lines in stored if lines]

    def _merge(
        self,
        logs: SeasonLogs,
        day_lines: Sequence[DayLines],
        ends: set[date],
        own: OwnResults,
        outcome: Outcome,
    ) -> set[date]:
        """Merge new lines of Tenhou's, and the room's games that ended on the days `ends`; return
        the days that got games. Where a day file has brought a game, its line is merged, not ours.
        What follows waits for it, to cover the whole day."""
        new_lines = {lines.day: lines.fresh for lines in day_lines}
        room_games = own.around({*new_lines, *ends})
        plan = _merge_plan(new_lines, room_games, self._offered_for(own.league, room_games))

        def all_lines(day: date) -> Sequence[bytes]:
            return (*self._offered(own.league, day), *own.lines_on(day))

        added = logs.add(dict(plan.lines), all_lines, plan.room_games)
        outcome.corrected = list(logs.corrected)
        self._mark_merged(logs, day_lines, plan, own)
        days_with_games = set(chain.from_iterable(added.values()))
        outcome.add_games(added)
        return plan.days_brought | days_with_games.intersection(new_lines)

    def _offered(self, league: str, day: date) -> Sequence[bytes]:
        """Return all lines of a day that Tenhou offers."""
        stored = self.state.results.get(league, day)
        if stored is None:
            return ()
        return stored.lines

    def _offered_for(self, league: str, room_games: Sequence[OwnGame]) -> dict[str, DayLine]:
        """Return Tenhou's line of each of these games that it offers, by the game's key."""
        days = {game.end.date() for game in room_games}
        days |= {day - timedelta(days=1) for day in days}
        return offered_for(room_games, {day: self._offered(league, day) for day in sorted(days)})

    def _mark_merged(
        self,
        logs: SeasonLogs,
        day_lines: Sequence[DayLines],
        plan: "_MergePlan",
        own: OwnResults,
    ) -> None:
        """Mark the lines and games of a merge as merged, but not those of a refused log."""
        for lines in day_lines:
            if not logs.stuck(lines.day, lines.fresh):
                self.state.results.mark_merged(own.league, lines)
        in_log: dict[OwnGame, bool] = {}
        for line, game in plan.checked:
            if not logs.stuck(line.day, [line.raw]):
                in_log[game] = logs.counts(line.day, line.raw)
        own.done(in_log)


@dataclass
class _DeliveredDays:
    """The days of one delivery: those of which what follows is recorded as owed, and those that got
    games.
    """

    owed: set[date]
    merged: set[date] = field(default_factory=set)


class _MergePlan(NamedTuple):
    """What to merge. `lines` are by day; `room_games` are those of them that are games of the
    league's own room; `checked` are the games that the log is looked at for afterwards, and
    `days_brought` the days of which Tenhou's own lines of the room's games come."""

    lines: Mapping[date, list[bytes]]
    room_games: Mapping[DayLine, OwnGame]
    checked: Sequence["_RoomGameLine"]
    days_brought: set[date]


class _RoomGameLine(NamedTuple):
    line: DayLine
    game: OwnGame


def _merge_plan(
    new_lines: Mapping[date, Sequence[bytes]],
    room_games: Iterable[OwnGame],
    offered_lines: Mapping[str, DayLine],
) -> _MergePlan:
    """Plan a merge of new lines of Tenhou's and of the room's games. `offered_lines` has Tenhou's
    line of a room's game by the game's key."""
    lines = defaultdict(list, {day: list(raws) for day, raws in new_lines.items()})
    games_by_line: dict[DayLine, OwnGame] = {}
    checked: list[_RoomGameLine] = []
    days_brought: set[date] = set()
    for game in room_games:
        line = offered_lines.get(game.key)
        if line is not None and line.raw in new_lines.get(line.day, ()):
            # Tenhou's line is new, and takes the place of ours.
            days_brought.add(line.day)
            games_by_line[line] = game
        elif not game.fresh:
            continue  # it was merged before
        elif line is None:
            # Tenhou does not offer the game yet: our line is merged.
            line = game.current
            lines[line.day].append(line.raw)
            games_by_line[line] = game
        checked.append(_RoomGameLine(line, game))
    return _MergePlan(lines, games_by_line, checked, days_brought)


def _report(logs: SeasonLogs, outcome: Outcome) -> None:
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
