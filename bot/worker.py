"""The worker process (`worker:` in the Procfile): Celery's tasks, which are the web process's own work and the sync's."""

from __future__ import annotations

import logging
from typing import Any

from celery import signals

from bot.dispatch.queue import TASK, Queue, celery_app, worker_errors
from bot.runtime import json_log, metrics
from bot.runtime.malloc import few_arenas
from bot.service import Service, preload
from bot.settings import SettingsError, read_settings
from bot.sync import job_queue
from bot.sync.job_queue import SyncWorker
from bot.sync.job_runner import LIMITS
from bot.sync.league_job import Job, work_of
from storage.ports import StorageError

few_arenas()
try:
    settings = read_settings()
    if not settings.redis_url:
        raise SettingsError(["REDIS_URL: is missing (the address of Redis; without it no worker is needed)"])
except SettingsError as error:
    raise SystemExit("\n".join(["Janroku's worker can't start:", *error.faults])) from None

app = celery_app(settings.redis_url)
app.conf.worker_concurrency = settings.worker_concurrency
log = logging.getLogger(__name__)
_kept: dict[str, Any] = {}  # this process's own service, queue and part of the sync


def _logging(**_: Any) -> None:
    json_log.configure(secrets=settings.secrets)
    logging.getLogger("celery").setLevel(logging.WARNING)
    logging.getLogger("kombu").setLevel(logging.WARNING)


def _before_forking(**_: Any) -> None:
    preload(Service(settings, queue=None))


def _begin(**_: Any) -> None:
    if settings.metrics_token:
        metrics.configure()
    service = _kept["service"] = Service(settings, queue=None)
    queue = _kept["queue"] = Queue(settings.redis_url, app)
    sync = _kept["sync"] = SyncWorker(settings.redis_url, lambda: service.state, work_of(service))
    service.keeper.also(sync.here).also(sync.renew).also(queue.hold).start()


def _end(**_: Any) -> None:
    if "service" in _kept:
        _kept["sync"].leave()
        _kept["service"].close()


def answer(chat: str) -> None:
    """Answer what waits in a chat."""
    try:
        _kept["queue"].work_through(chat, _kept["service"].handle)
    except worker_errors() as error:
        log.warning("Redis went away: %s", type(error).__name__)


def sync_league(run: str, words: list[Any]) -> None:
    """Do a league's part of a sync."""
    job = Job.of(words)
    try:
        outcome = _kept["sync"].do(run, job)
    except StorageError as error:
        log.warning("a league's part of the sync is left to others: %s", error)
        return
    if outcome is not None and outcome.added:
        log.info("league %s: %d games added", job.league or "(root)", sum(outcome.added.values()))


signals.setup_logging.connect(_logging)
signals.worker_init.connect(_before_forking)
signals.worker_process_init.connect(_begin)
signals.worker_process_shutdown.connect(_end)
app.task(answer, name=TASK)
_longest = max(LIMITS.values())
app.task(sync_league, name=job_queue.TASK, soft_time_limit=_longest, time_limit=_longest + 30)
