"""Gunicorn's settings: by default two processes of threads, with the app loaded once before they
fork.

The console lives in a process's memory and is open to anyone who reaches it: one process, on
loopback only.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import tempfile
import threading
from typing import Any

from bot import lifecycle
from bot.demo_chat import DEMO_GROUP
from bot.line.channel import install, rich_menus
from bot.line.client import LineDown
from bot.runtime import json_log, metrics
from bot.runtime.json_log import GunicornLog
from bot.runtime.version import release
from bot.settings import SettingsError, read_settings

lifecycle.save_memory()
try:
    _settings = read_settings()
    console = _settings.console
except SettingsError as error:
    raise SystemExit("\n".join(["Janroku can't start:", *error.lines])) from None

port = os.environ.get("PORT", "8000")
bind = f"127.0.0.1:{port}" if console else f"0.0.0.0:{port}"
workers = 1 if console else _settings.web_concurrency
# A page of the console waits for news on a thread of its own, for as long as it is open.
worker_class = "gthread" if console else "bot.runtime.http_worker.TimedThreadWorker"
# At most; a thread begins when all others are taken. Connections that send nothing or little
# take one for up to five seconds each: there have to be more threads than such connections.
threads = 32 if console else 128
preload_app = True  # LINE's SDK and matplotlib are loaded once and shared by the workers
# seconds; Heroku's router keeps a connection for 90
# (https://devcenter.heroku.com/articles/http-routing#keepalives)
keepalive = 95
timeout = 30
# Heroku kills a process 30 s after it asks it to end
# (https://devcenter.heroku.com/articles/dynos#graceful-shutdown-with-sigterm). A console's page
# never ends.
graceful_timeout = 1 if console else 25
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
json_log.configure(secrets=_settings.secrets, form=_settings.log_format)
logger_class = GunicornLog
accesslog = None if console else "-"  # each page of the console asks for news all the time
errorlog = "-"
control_socket_disable = True  # its place is the home folder, which may not be writable
loglevel = "warning" if console else "info"
forwarded_allow_ips = _settings.forwarded_allow_ips

_figures = ""  # the directory in whose files all workers count
if _settings.metrics_token and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    # prometheus_client reads the variable when it is first imported
    _figures = tempfile.mkdtemp(prefix="janroku-metrics-", dir=worker_tmp_dir)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = _figures

_first = False  # in the worker that takes taps while the rest is loaded


def on_starting(server: Any) -> None:
    if console:
        _preload()


def _preload() -> None:
    """Load what every worker needs while there is one process, so that the workers share its
    memory.
    """
    from app import app  # here, because gunicorn reads this file before it wants the app

    lifecycle.preload(app.extensions["janroku"])
    # What is loaded stays shared between the processes: a collection would write to all of it.
    # The peak of two processes (tests/tools/bench/memory.py) is 302 MiB with this and 372 MiB
    # without.
    gc.freeze()


def when_ready(server: Any) -> None:
    """Print the console's address, or have a first worker take taps while the rest is loaded."""
    global _first
    version = release(_settings.commit)
    if console:
        address = f"http://127.0.0.1:{port}/console/"
        print(f"\n  Janroku {version} is running. Open the console:  {address}\n", flush=True)
        return
    _first = True
    first = server.spawn_worker()
    _first = False
    try:
        _preload()  # what workers share takes seconds
    finally:
        server.kill_worker(first, signal.SIGTERM)
    server.log.info("Janroku %s answers on port %s", version, port)


def post_worker_init(worker: Any) -> None:
    from app import app  # see _preload

    service = app.extensions["janroku"]
    if _first:
        lifecycle.start_to_take(service)
        return
    work = (lambda: _open_console(app)) if console else (lambda: lifecycle.start(service))
    threading.Thread(target=work, name="warm", daemon=True).start()


def _open_console(app: Any) -> None:
    """Start the service, and give the console what a league finds in LINE: rich menu, bot in the
    group.
    """
    service = app.extensions["janroku"]
    lifecycle.start(service)
    settings = service.settings
    app.extensions["console"].join(DEMO_GROUP)
    line = rich_menus(settings.line_api_url, settings.channel_access_token)
    with contextlib.suppress(LineDown), line as channel:
        install(channel, service.catalogue, tell=lambda step: None)


def child_exit(server: Any, worker: Any) -> None:
    """Drop the gauges of a worker that has ended. Other processes take up its unanswered events."""
    metrics.forget(worker.pid)


def worker_exit(server: Any, worker: Any) -> None:
    from app import app  # see _preload

    lifecycle.stop(app.extensions["janroku"])


def on_exit(server: Any) -> None:
    if _figures:
        shutil.rmtree(_figures, ignore_errors=True)
