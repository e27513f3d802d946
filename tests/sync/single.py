"""A sync of leagues whose folder and league.toml are given as objects, for tests and benches."""

import time
from collections.abc import Callable, Sequence
from datetime import date, datetime

from bot.league.season_log import LeagueFolder
from bot.sync.jobs import JobRunner, Progress
from bot.sync.league_job import After, LeagueWork
from bot.sync.room_loop import RoomWatch
from bot.sync.run import SyncResult, sync_leagues
from bot.tenhou.client import TenhouClient
from storage.state import State


def sync(
    folders: Sequence[LeagueFolder],
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    since: date | None = None,
    progress: Progress = lambda done, total, name: None,
    after: After = lambda league, days: True,
    wait: Callable[[float], None] = time.sleep,
    rooms: RoomWatch | None = None,
) -> SyncResult:
    """Sync these leagues; see `bot.sync.run.sync_leagues` for the arguments."""
    leagues = {folder.key: folder for folder in folders}
    work = LeagueWork(leagues.__getitem__, state, now, after, wait)
    return sync_leagues(
        list(leagues),
        JobRunner(work),
        state,
        tenhou,
        now=now,
        since=since,
        progress=progress,
        wait=wait,
        rooms=rooms,
    )
