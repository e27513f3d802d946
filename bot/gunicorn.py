"""Gunicorn's settings, for Heroku's smallest dyno and anywhere else: two processes of eight threads, loaded once."""

from __future__ import annotations

import os
import threading
from typing import Any

bind = f"0.0.0.0:{os.environ.get('PORT', '8000')}"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = 8
preload_app = True  # LINE's SDK and matplotlib are loaded once and shared by the workers
keepalive = 95  # seconds; longer than Heroku's router keeps a connection (90)
timeout = 30
graceful_timeout = 25  # Heroku kills 30 s after asking
max_requests = 0
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
accesslog = None
errorlog = "-"
forwarded_allow_ips = "*" if "DYNO" in os.environ else "127.0.0.1"


def post_worker_init(worker: Any) -> None:
    """Warm each worker beside its first requests."""
    from app import app

    threading.Thread(target=app.extensions["janroku"].warm, name="warm", daemon=True).start()
