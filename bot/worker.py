"""The worker process (`worker:` in the Procfile): Celery's tasks, which are the web process's own work."""

from __future__ import annotations

import logging
import os
from typing import Any

from celery import signals

from bot import journal, metrics
from bot.queue import TASK, Queue, celery_app, worker_errors
from bot.service import Service, preload
from bot.settings import SettingsError, read_settings

try:
    settings = read_settings()
    if not settings.redis_url:
        raise SettingsError(["REDIS_URL: is missing (the address of Redis; without it no worker is needed)"])
except SettingsError as error:
    raise SystemExit("\n".join(["Janroku's worker can't start:", *error.faults])) from None

app = celery_app(settings.redis_url)
app.conf.worker_concurrency = int(os.environ.get("WORKER_CONCURRENCY", "2"))
log = logging.getLogger(__name__)
_kept: dict[str, Any] = {}  # this process's own service and queue


def _logging(**_: Any) -> None:
    journal.configure(secrets=settings.secrets)
    logging.getLogger("celery").setLevel(logging.WARNING)
    logging.getLogger("kombu").setLevel(logging.WARNING)


def _before_forking(**_: Any) -> None:
    preload(Service(settings, queue=None))


def _begin(**_: Any) -> None:
    if settings.metrics_token:
        metrics.configure()
    _kept["service"] = Service(settings, queue=None)
    _kept["queue"] = Queue(settings.redis_url, app)
    _kept["service"].keeper.also(_kept["queue"].hold).start()


def _end(**_: Any) -> None:
    if "service" in _kept:
        _kept["service"].close()


def answer(chat: str) -> None:
    """Answer what waits in a chat."""
    try:
        _kept["queue"].work_through(chat, _kept["service"].handle)
    except worker_errors() as error:
        log.warning("Redis went away: %s", type(error).__name__)


signals.setup_logging.connect(_logging)
signals.worker_init.connect(_before_forking)
signals.worker_process_init.connect(_begin)
signals.worker_process_shutdown.connect(_end)
app.task(answer, name=TASK)
