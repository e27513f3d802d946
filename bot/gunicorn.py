"""Gunicorn's settings, for Heroku's smallest dyno and anywhere else: two processes of eight threads, loaded once.

Where the console plays LINE there is one process, on loopback only: the console lives in that process's memory and is
open to anyone who reaches it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import tempfile
import threading
from typing import Any

from bot import lifecycle
from bot.demo_chat import DEMO_GROUP
from bot.line.client import LineDown
from bot.line.rich_menu_api import rich_menus
from bot.line.rich_menu_sync import install
from bot.runtime import metrics
from bot.runtime.malloc import few_arenas
from bot.settings import SettingsError, read_settings

few_arenas()
try:
    _settings = read_settings()
    console = _settings.console
except SettingsError as error:
    raise SystemExit("\n".join(["Janroku can't start:", *error.faults])) from None

port = os.environ.get("PORT", "8000")
bind = f"127.0.0.1:{port}" if console else f"0.0.0.0:{port}"
workers = 1 if console else _settings.web_concurrency
worker_class = "gthread"
threads = 32 if console else 8  # the console's pages wait for news, each on a thread
preload_app = True  # LINE's SDK and matplotlib are loaded once and shared by the workers
keepalive = 95  # seconds; longer than Heroku's router keeps a connection (90)
timeout = 30
graceful_timeout = 1 if console else 25  # Heroku kills 30 s after asking; the console's pages wait for news
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
accesslog = None
errorlog = "-"
loglevel = "warning" if console else "info"
forwarded_allow_ips = "*" if "DYNO" in os.environ else "127.0.0.1"

if _settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    # All workers count into files here; set before prometheus_client is first imported, which reads it then.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="janroku-metrics-", dir=worker_tmp_dir)
    _figures: str | None = os.environ["PROMETHEUS_MULTIPROC_DIR"]
else:
    _figures = None


def on_starting(server: Any) -> None:
    """Load what every worker needs while there is one process, so that they share its memory."""
    from app import app  # the app is made when gunicorn asks, not when it reads this file

    lifecycle.preload(app.extensions["janroku"])
    gc.collect()
    gc.freeze()


def when_ready(server: Any) -> None:
    if console:
        print(f"\n  Janroku is running. Open the console:  http://127.0.0.1:{port}/console/\n", flush=True)


def post_worker_init(worker: Any) -> None:
    """Warm each worker beside its first requests."""
    from app import app  # see on_starting

    service = app.extensions["janroku"]
    work = (lambda: _open_console(app)) if console else (lambda: lifecycle.start(service))
    threading.Thread(target=work, name="warm", daemon=True).start()


def _open_console(app: Any) -> None:
    """The console as a league finds LINE: the rich menu in the 1:1 chat, the bot just come into the group."""
    service = app.extensions["janroku"]
    lifecycle.start(service)
    settings = service.settings
    app.blueprints["console"].platform.join(DEMO_GROUP)
    with (
        contextlib.suppress(LineDown),
        rich_menus(settings.line_api_url, settings.channel_access_token) as channel,
    ):
        install(channel, service.catalogue, tell=lambda step: None)


def child_exit(server: Any, worker: Any) -> None:
    """A worker has ended, however: its gauges no longer count. The others take up what it left undone."""
    metrics.forget(worker.pid)


def worker_exit(server: Any, worker: Any) -> None:
    """A worker ends in good order: it finishes its taps."""
    from app import app  # see on_starting

    lifecycle.stop(app.extensions["janroku"])


def on_exit(server: Any) -> None:
    if _figures:
        shutil.rmtree(_figures, ignore_errors=True)
