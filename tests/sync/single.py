"""A sync of leagues whose folder and league.toml are given as objects, for tests and benches."""

import time
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from bot.league.season_log import LeagueFolder
from bot.sync.jobs import JobRunner
from bot.sync.league_job import LeagueWork
from bot.sync.run import SyncResult, sync_leagues
from bot.tenhou.client import TenhouClient
from storage.state import State


def sync(
    folders: Sequence[LeagueFolder],
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    since: date | None = None,
    wait: Callable[[float], None] = time.sleep,
    **more: Any,
) -> SyncResult:
    """Sync these leagues; see `bot.sync.run.sync_leagues` for the arguments."""
    leagues = {folder.key: folder for folder in folders}
    runner = JobRunner(LeagueWork(leagues.__getitem__, state, now, lambda league, days: True, wait))
    return sync_leagues(list(leagues), runner, state, tenhou, now, since, wait=wait, **more)
