"""Bring Tenhou's daily results into the season logs (`flask sync`): each game of leagues' rooms
just once.

Only this process reads Tenhou's files (https://tenhou.net/sc/raw/), each once for all leagues, and
none whose size in the index has not grown. What concerns one league (its folder, its logs, what
follows) is a job of its own, done by a thread here or by a worker (bot/sync/jobs.py).

The process may be killed at any point. A day's lines are kept before anything else. Then the log is
written, only if it still has the revision that was read; after somebody else's edit it is read and
merged again. Only then do the lines count as merged. Merging a line a second time changes nothing.
"""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta
from gettext import gettext as _

from bot.sync.download import Downloader
from bot.sync.jobs import Job, JobRunner, Outcome, Progress, outcomes
from bot.sync.room_watch import RoomNews, RoomWatch
from bot.tenhou.client import (
    TenhouClient,
    TenhouError,
    note_failure,
)
from bot.tenhou.throttle import Throttle, TooSoon
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

SYNCED = "synced"
OLD_SYNC = timedelta(days=2)  # after which something seems to be in its way
log = logging.getLogger(__name__)


def last_sync(state: State) -> datetime | None:
    """When the last good sync ended: all files were read, a league had no problem.

    Raises StorageError.
    """
    told = state.values.get(SYNCED)
    return datetime.fromisoformat(told) if told else None


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

        Problems and notes get the league's name in front; each is said once.
        """
        said = f"{league}: " if league else ""
        inside = f"{league}/" if league else ""
        self.added |= {inside + log: count for log, count in outcome.added.items()}
        self.days = sorted({*self.days, *outcome.days})
        self.kept += [replace(one, log=inside + one.log) for one in outcome.kept]
        notes = [said + note for note in outcome.notes]
        self.notes = list(dict.fromkeys(self.notes + notes))
        problems = [said + problem for problem in outcome.problems]
        self.problems = list(dict.fromkeys(self.problems + problems))
        self.refused |= outcome.refused

    def lines(self) -> list[str]:
        """The notes, the corrected games and the result in words; without the problems."""
        files = _("{seen} files in Tenhou's index, {downloaded} downloaded")
        read = files.format(seen=self.seen, downloaded=self.downloaded)
        one = _("{log}: 1 game added")
        many = _("{log}: {count} games added")
        logs = []
        for log, count in self.added.items():
            form = one if count == 1 else many
            logs.append(form.format(log=log, count=count))
        return [
            *self.notes,
            *map(str, self.kept),
            read,
            *(logs or [_("no new games")]),
        ]

    def as_dict(self) -> dict[str, object]:
        told = {
            name: getattr(self, name) for name in ("seen", "downloaded", "added", "games", "days")
        }
        corrected = [asdict(version) for version in self.kept]
        return told | {"corrected": corrected, "notes": self.notes, "problems": self.problems}


def sync_leagues(
    leagues: Sequence[str],
    runner: JobRunner,
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    since: date | None = None,
    progress: Progress = lambda done, total, name: None,
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
    result = SyncResult()
    download = Downloader(state.results, tenhou, progress)
    prepared = outcomes(
        runner, [Job("prepare", league, since) for league in leagues], progress, wait
    )
    if len(prepared) > 1 and "" in prepared and prepared[""].nothing:
        del prepared[""]  # where there are several leagues, the root folder may hold none
    counted = {league: outcome.rooms for league, outcome in prepared.items()}
    news = rooms.look(counted) if rooms else RoomNews()
    read = False
    try:
        # a league whose folder can't be read takes part with the rooms of its last round
        download.add(counted)
        if download.members:
            with Throttle(state, now, wait).round() as ask:
                download.read(since, ask)
        read = not download.problems
    except TooSoon as early:
        words = _("Tenhou was asked less than 20 minutes ago; it is asked again from {until:%H:%M}")
        result.notes.append(words.format(until=early.until.astimezone(JST)))
    except (TenhouError, StorageError) as error:
        note_failure(error)
        download.problems.append(str(error))
    waits = {league for league, member in download.members.items() if member.waits}
    with suppress(StorageError):  # what reads Tenhou's files tells that the store can't be reached
        waits |= state.own_games.leagues_waiting()
    ready = [league for league, found in counted.items() if found and league in waits]
    delivered = outcomes(runner, [Job("deliver", league) for league in ready], progress, wait)
    for league, outcome in prepared.items():
        result.add(league, news.said[league])
        result.add(league, outcome)
    result.add("", Outcome(notes=download.notes, problems=download.problems))
    for league, outcome in delivered.items():
        result.add(league, outcome)
    result.seen = download.seen
    result.downloaded = download.downloaded
    ill = {
        league for found in (prepared, delivered) for league, one in found.items() if one.problems
    }
    if read and prepared.keys() - ill:
        with suppress(StorageError):
            state.values.put(SYNCED, now().isoformat())
    return result
