"""Bring Tenhou's daily results into the season logs (`flask sync`): each game of leagues' rooms
just once.

The steps of a sync, in order; `SyncRound.run` is the same list as code:

1. prepare: a job for each league lists its folder and reads which rooms are the league's
   (bot/sync/league_job.py).
2. own rooms: the results of the leagues' own rooms that are due are requested
   (bot/sync/room_watch.py).
3. day files: Tenhou's files that are new or have grown are downloaded once for all leagues, and
   each league's lines are stored (bot/sync/download.py).
4. deliver: a job for each league with stored lines merges them into its season logs and does what
   follows (bot/sync/league_job.py).
5. report: what came of every league is joined, and a good sync is recorded.

Jobs are done by threads here or by workers (bot/sync/jobs.py).

What this guarantees when the process is killed at any point: no game is lost and none is in a log
twice. A day's lines are stored before anything else. Then the log is written, only if it still has
the revision that was read; after somebody else's edit it is read and merged again. Only then do the
lines count as merged. Merging a line a second time changes nothing. Shown by
tests/sync/test_crash.py and tests/world.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta
from gettext import gettext as _

from bot.sync.download import Downloader
from bot.sync.jobs import Job, JobRunner, Outcome, Progress, Stage, no_progress, outcomes
from bot.sync.room_watch import RoomNews, RoomWatch
from bot.tenhou.client import TenhouClient, TenhouError, note_failure
from bot.tenhou.throttle import Throttle, TooSoon
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

SYNCED = "synced"
OLD_SYNC = timedelta(days=2)  # after which something seems to be in its way


def last_sync(state: State) -> datetime | None:
    """When the last good sync ended: all files were read, a league had no problem.

    Raises StorageError.
    """
    stored = state.values.get(SYNCED)
    return datetime.fromisoformat(stored) if stored else None


@dataclass
class SyncResult(Outcome):
    """What a sync did, of all leagues together. `seen` counts the files looked at."""

    seen: int = 0
    downloaded: int = 0

    @property
    def games(self) -> int:
        return sum(self.added.values())

    def add(self, league: str, outcome: Outcome) -> None:
        """Join a league's outcome.

        Problems and notes get the league's name in front; each is listed once.
        """
        label = f"{league}: " if league else ""
        folder = f"{league}/" if league else ""
        self.added |= {folder + log: count for log, count in outcome.added.items()}
        self.days = sorted({*self.days, *outcome.days})
        self.corrected += [
            replace(version, log=folder + version.log) for version in outcome.corrected
        ]
        notes = [label + note for note in outcome.notes]
        self.notes = list(dict.fromkeys(self.notes + notes))
        problems = [label + problem for problem in outcome.problems]
        self.problems = list(dict.fromkeys(self.problems + problems))
        self.refused |= outcome.refused

    def lines(self) -> list[str]:
        """The notes, the corrected games and the result in words; without the problems."""
        files = _("{seen} files in Tenhou's index, {downloaded} downloaded")
        lines = [*self.notes, *map(str, self.corrected)]
        lines.append(files.format(seen=self.seen, downloaded=self.downloaded))
        one_game = _("{log}: 1 game added")
        several_games = _("{log}: {count} games added")
        for log, count in self.added.items():
            form = one_game if count == 1 else several_games
            lines.append(form.format(log=log, count=count))
        if not self.added:
            lines.append(_("no new games"))
        return lines

    def as_dict(self) -> dict[str, object]:
        return {
            "seen": self.seen,
            "downloaded": self.downloaded,
            "added": self.added,
            "games": self.games,
            "days": self.days,
            "corrected": [asdict(version) for version in self.corrected],
            "notes": self.notes,
            "problems": self.problems,
        }


def sync_leagues(
    leagues: Sequence[str],
    runner: JobRunner,
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    since: date | None = None,
    progress: Progress = no_progress,
    wait: Callable[[float], None] = time.sleep,
    rooms: RoomWatch | None = None,
) -> SyncResult:
    """Bring every league's logs up to date with Tenhou's results. A failure of Tenhou or a store
    becomes a problem.

    Without `since`, the files of the last week are read, and older ones back to the last complete
    sync. With `since`, files from that day on are read, and lines merged before are merged once
    more. `leagues` are folder names; `now` returns an aware time; `wait` sleeps so many seconds.
    `rooms` reads the leagues' rooms' own results, whenever these are due, and whatever becomes of
    the day's files."""
    sync = SyncRound(
        runner=runner,
        state=state,
        tenhou=tenhou,
        now=now,
        since=since,
        progress=progress,
        wait=wait,
        rooms=rooms,
    )
    return sync.run(leagues)


@dataclass(frozen=True)
class SyncRound:
    """One sync of some leagues; the fields are the arguments of `sync_leagues`."""

    runner: JobRunner
    state: State
    tenhou: TenhouClient
    now: Callable[[], datetime]
    since: date | None
    progress: Progress
    wait: Callable[[float], None]
    rooms: RoomWatch | None

    def run(self, leagues: Sequence[str]) -> SyncResult:
        """The steps of a sync, in order."""
        prepared = self._prepare(leagues)
        rooms_of = {league: outcome.rooms for league, outcome in prepared.items()}
        news = self.rooms.look(rooms_of) if self.rooms else RoomNews()
        download = self._download(rooms_of)
        delivered = self._deliver(rooms_of, download)
        if not download.problems and not download.early_note:
            self._record_good_sync(prepared, delivered)
        return _result(prepared, news, download, delivered)

    def _outcomes(self, jobs: Sequence[Job]) -> dict[str, Outcome]:
        return outcomes(self.runner, jobs, self.progress, self.wait)

    def _prepare(self, leagues: Sequence[str]) -> dict[str, Outcome]:
        prepared = self._outcomes([Job(Stage.PREPARE, league, self.since) for league in leagues])
        if len(prepared) > 1 and "" in prepared and prepared[""].nothing:
            del prepared[""]  # where there are several leagues, the root folder may hold none
        return prepared

    def _download(self, rooms_of: Mapping[str, Sequence[str]]) -> Downloader:
        """Read Tenhou's files for the leagues. A league whose folder can't be read takes part with
        the rooms of its last round.

        The connection is closed before the round ends: while leagues are delivered, another process
        may have its own. Shown by
        tests/sync/test_fanout.py::test_the_connection_is_closed_before_leagues_are_delivered."""
        download = Downloader(self.state.results, self.tenhou, self.progress)
        try:
            download.add(rooms_of)
            if download.members:
                throttle = Throttle(self.state, self.now, self.wait)
                with throttle.round() as ask, closing(self.tenhou):
                    download.read(self.since, ask)
        except TooSoon as early:
            text = _(
                "Tenhou was asked less than 20 minutes ago; it is asked again from {until:%H:%M}"
            )
            download.early_note = text.format(until=early.until.astimezone(JST))
        except (TenhouError, StorageError) as error:
            note_failure(error)
            download.problems.append(str(error))
        return download

    def _deliver(
        self, rooms_of: Mapping[str, Sequence[str]], download: Downloader
    ) -> dict[str, Outcome]:
        """Have the lines that wait merged, of the leagues whose folders could be read."""
        waiting = {league for league, member in download.members.items() if member.waits}
        with suppress(StorageError):  # reading Tenhou's files reports that it can't be reached
            waiting |= self.state.own_games.leagues_waiting()
        ready = [league for league, rooms in rooms_of.items() if rooms and league in waiting]
        return self._outcomes([Job(Stage.DELIVER, league) for league in ready])

    def _record_good_sync(
        self, prepared: Mapping[str, Outcome], delivered: Mapping[str, Outcome]
    ) -> None:
        """Record the time, where at least one league had no problem."""
        for league, outcome in prepared.items():
            later = delivered.get(league, Outcome())
            if not outcome.problems and not later.problems:
                with suppress(StorageError):
                    self.state.values.put(SYNCED, self.now().isoformat())
                return


def _result(
    prepared: Mapping[str, Outcome],
    news: RoomNews,
    download: Downloader,
    delivered: Mapping[str, Outcome],
) -> SyncResult:
    """Join what came of each step, in the order in which it is reported."""
    result = SyncResult(seen=download.seen, downloaded=download.downloaded)
    if download.early_note:
        result.notes.append(download.early_note)
    for league, outcome in prepared.items():
        result.add(league, news.by_league[league])
        result.add(league, outcome)
    result.add("", Outcome(notes=download.notes, problems=download.problems))
    for league, outcome in delivered.items():
        result.add(league, outcome)
    return result
