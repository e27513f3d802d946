"""Do one league's part of a sync, in a thread of `flask sync`, in the background loop or in a
worker.

`prepare` comes before Tenhou is read: it lists the league's folder, reads league.toml and finds the
rooms. `deliver` comes when lines are kept for the league (storage/tenhou.py): it merges them into
the season logs and does what follows (charts, digest). `records` fetches the records that the
league's room has named. Each can be done again from the start: the kept lines, the logs and the
records waited for show what is left to do.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.league.season_log import LeagueFolder, NoLeague, SeasonLogs, UnreadableLog
from bot.runtime.json_log import log_fault
from bot.runtime.translation import translated as _
from bot.sync.jobs import Job, Outcome
from bot.sync.own_results import OwnResults
from rating.logdates import JST
from rating.merge import DayLine
from rating.own_games import OwnGame, offered_for
from storage.ports import LASTING, Denied, StorageError, Unavailable
from storage.state import State
from storage.tenhou import DayLines

log = logging.getLogger(__name__)
BATCH = 31  # days merged at once
OnDaysMerged = Callable[[str, Sequence[date]], bool]
"""What follows, for a league and the days that got games; False where some of it is to be tried
again.
"""

OWED = timedelta(days=7)  # how long what follows a day's games is tried again, from that day on


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
    on_days_merged: OnDaysMerged = lambda league, days: True
    wait: Callable[[float], None] = time.sleep
    own_room_of: Callable[[str], str] = lambda league: ""
    on_games_arrived: Callable[[str], None] = lambda league: None
    fetch_records: Callable[[str], Sequence[str]] = lambda league: ()

    def __call__(self, job: Job) -> Outcome:
        outcome = Outcome()
        try:
            if job.stage == "records":
                outcome.notes = list(self.fetch_records(job.league))
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
        return SeasonLogs(folder, self.now, self.wait, lambda: self.own_room_of(league))

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
                    self.on_games_arrived(league)
                except StorageError as error:
                    log.warning("what follows a room's games is done at the next tap: %s", error)
                except Exception as error:
                    log_fault("what follows a room's games failed", error)
        finally:
            due |= days
            try:
                done = not due or self.on_days_merged(league, sorted(due))
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
            if line is not None and line.raw in fresh.get(line.day, ()):
                brought.add(line.day)
                ours[line] = game
            elif not game.fresh:
                continue
            elif line is None:
                line = game.current
                todo[line.day].append(line.raw)
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
                if not logs.stuck(line.day, [line.raw])
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
