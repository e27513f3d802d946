"""The worker process (`worker:` in the Procfile): Celery tasks that answer taps and do the sync's jobs."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from celery import signals

from bot import lifecycle
from bot.dispatch.queue import TASK, RedisQueue
from bot.runtime import json_log, metrics
from bot.runtime.malloc import few_arenas
from bot.runtime.version import release
from bot.runtime.work_queue import OUTAGE, celery_app
from bot.service import Service
from bot.settings import SettingsError, read_settings
from bot.sync import job_queue
from bot.sync.job_queue import JobWorker
from bot.sync.job_runner import LIMITS
from bot.sync.league_job import Job
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


@dataclass(frozen=True)
class _Process:
    """This process's service, its queue, and its side of the sync."""

    service: Service
    queue: RedisQueue
    sync: JobWorker


_process: _Process | None = None


def _here() -> _Process:
    assert _process is not None, "a task runs only after worker_process_init"
    return _process


def _logging(**_: Any) -> None:
    json_log.configure(secrets=settings.secrets)
    logging.getLogger("celery").setLevel(logging.WARNING)
    logging.getLogger("kombu").setLevel(logging.WARNING)


def _before_forking(**_: Any) -> None:
    log.info("Janroku %s works through the queue", release(settings.commit))
    lifecycle.preload(Service(settings))


def _begin(**_: Any) -> None:
    global _process
    if settings.metrics_token:
        metrics.configure()
    service = Service(settings)
    queue = RedisQueue(settings.redis_url, app)
    sync = JobWorker(settings.redis_url, service.state, service.league_work)
    _process = _Process(service, queue, sync)
    service.background.add(jobs_held=sync.renew, worker_here=sync.here, chats_held=queue.hold).start()


def _end(**_: Any) -> None:
    if _process is not None:
        lifecycle.stop(_process.service)
        _process.sync.leave()


def answer(chat: str) -> None:
    """Answer the events that wait in a chat's list."""
    try:
        _here().queue.work_through(chat, _handle)
    except OUTAGE as error:
        log.warning("Redis went away: %s", type(error).__name__)


def _handle(key: str, value: str) -> None:
    dispatcher = _here().service.dispatcher
    try:
        pending = dispatcher.pending.read(key, value)
    except ValueError as error:
        log.warning("the queue held something else than an event: %s", error)
        return
    dispatcher.handle(pending)


def sync_league(run: str, words: list[Any]) -> None:
    """Do one league's job of a sync. `run` is the sync's id, `words` are the job as `Job.to_words` wrote it."""
    job = Job.from_words(words)
    try:
        outcome = _here().sync.do(run, job)
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
