"""Open a league's folder for the sync and the admin's commands: its log source, and the league.toml in
force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.league.in_force import LeagueInForce, league_in_force, read_files
from bot.league.last_good import LastGood, UnusableFile
from rating.league import League
from rating.league_faults import LEAGUE_FILE
from rating.logdates import JST
from storage.ports import LogSource


@dataclass(frozen=True)
class LeagueFolder:
    """A league to bring up to date: its log source, what its league.toml says, its folder's name ("" for the
    root).

    `fault` says what is wrong with league.toml where its last good version is in force.
    """

    logs: LogSource
    league: League
    key: str = ""
    fault: UnusableFile | None = None


def read_in_force(logs: LogSource, now: datetime | None = None) -> LeagueInForce:
    """Return what league.toml says, or its last good version where it is unusable.

    With `now`, a good league.toml is kept as the last good version.

    Raises LeagueError when neither can be used, because writing by a guess would misplace games, and
    StorageError when the folder cannot be reached.
    """
    found = look_in_force(logs, now)
    if found.error is not None and not (found.unusable and found.unusable.kept):
        raise found.error
    return found


def look_in_force(logs: LogSource, now: datetime | None = None) -> LeagueInForce:
    """Return the same, with an empty league where neither can be used."""
    files, large = read_files(logs, [LEAGUE_FILE])
    good = LastGood(logs)
    found = league_in_force(files.get(LEAGUE_FILE), good, now, large.get(LEAGUE_FILE, ""))
    good.keep()
    return found


def folder_opener(
    open_logs: Callable[[str], LogSource], now: Callable[[], datetime] = lambda: datetime.now(JST)
) -> Callable[[str], LeagueFolder]:
    """Return what opens a league by its folder's name: its logs and its league.toml. `now` returns an aware
    time.

    The root's good league.toml is kept as its last good version; a host's others are kept by what reads them
    to answer.

    The opener raises LeagueError when league.toml cannot be used and no good version is known, and
    StorageError when the folder cannot be reached.
    """

    def opened(key: str) -> LeagueFolder:
        logs = open_logs(key)
        found = read_in_force(logs, None if key else now())
        return LeagueFolder(logs, found.league, key, found.unusable)

    return opened
