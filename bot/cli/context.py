"""What flask sync and flask league work on: a league's folder, the state store, Tenhou, and the other leagues of a host."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.league.season_log import folder_opener, read_league
from bot.runtime import metrics
from bot.service import Service
from bot.settings import TENHOU
from bot.sync.job_runner import JobWorkers
from bot.sync.league_job import LeagueWork
from rating.league import League
from storage.ports import LogSource, StateStore


@dataclass(frozen=True)
class AdminContext:
    """What the commands work on. `now` gives an aware time.

    `tenhou_url` is empty for the demo league, which has no room there. `others` are the folders of the service's other
    leagues; `work` is a league's part of a sync, by default for this league alone; `helpers` are processes that do such
    work, if there are any.
    """

    logs: LogSource
    state: StateStore
    tenhou_url: str
    now: Callable[[], datetime]
    key: str = ""
    others: Callable[[], Sequence[str]] = tuple
    work: LeagueWork | None = None
    helpers: Callable[[], JobWorkers | None] = lambda: None

    @property
    def league(self) -> League:
        """What league.toml says. Raises LeagueError.

        It is read when needed: a broken one must not keep `restore` from mending it.
        """
        return read_league(self.logs)


GetContext = Callable[[], AdminContext]


def context_of(service: Service) -> AdminContext:
    """The context of a service's root league and of all its leagues."""

    def after(league: str, days: Sequence[date]) -> bool:
        try:
            return service.after_sync(league, days)
        finally:
            service.registry.forget(league)  # nobody asks this process for it again

    def helpers() -> JobWorkers | None:
        if not service.settings.redis_url:
            return None
        from bot.sync.job_queue import JobQueue  # Celery and Redis are loaded only where they are used

        return JobQueue(service.settings.redis_url, service.state)

    def others() -> list[str]:
        return sorted(set(service.access.groups().values()) - {""})

    if service.settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        metrics.configure()
    demo = service.settings.demo and service.settings.tenhou_url == TENHOU
    return AdminContext(
        logs=service.stores.open_logs(),
        state=service.state,
        tenhou_url="" if demo else service.settings.tenhou_url,
        now=service.now,
        others=others,
        work=LeagueWork(folder_opener(service.stores.open_logs), service.state, service.now, after=after),
        helpers=helpers,
    )
