"""The entry point: `create_app` builds the Flask app. Gunicorn and the flask command find it here as `app`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime

from flask import Flask

from bot import texts
from bot.cli.commands import add_commands
from bot.console.blueprint import create_console
from bot.console.platform import Platform
from bot.dispatch.dispatcher import EventQueue
from bot.runtime import json_log, metrics
from bot.service import Service
from bot.settings import Settings, SettingsError, read_settings
from bot.web import create_web


def create_app(settings: Settings | None = None, now: Callable[[], datetime] = texts.now) -> Flask:
    """Return the Flask app: its routes, its commands, and the console when that plays LINE's part.

    `now` gives an aware time (JST). With faulty settings it raises SystemExit, with a line for each fault. The flask
    command (except `flask run`) still gets an app, and its commands report the faults.
    """
    app = Flask("janroku", static_folder=None)
    command = os.environ.get("FLASK_RUN_FROM_CLI") == "true"
    try:
        settings = settings or read_settings()
        service = Service(settings, now, queue=None if command else _queue(settings))
    except SettingsError as error:
        if not command or "run" in sys.argv[:3]:
            raise SystemExit("\n".join(["Janroku can't start:", *error.faults])) from None
        add_commands(app, None, error.faults)
        return app
    app.extensions["janroku"] = service
    if not command:
        json_log.configure(secrets=settings.secrets)
        if settings.metrics_token:
            metrics.configure()
    app.register_blueprint(create_web(service))
    if settings.console and "DYNO" not in os.environ:
        host = settings.line_api_url.partition("/console")[0]
        app.register_blueprint(create_console(Platform(f"{host}/callback")))
    add_commands(app, service, [])
    return app


def _queue(settings: Settings) -> EventQueue | None:
    """Return the queue to the workers, or None without REDIS_URL."""
    if not settings.redis_url:
        return None
    from bot.dispatch.queue import RedisQueue  # here, so that Redis is loaded only where it is used

    return RedisQueue(settings.redis_url)


app = create_app()
