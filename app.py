"""The entry point: `create_app` puts the service together. Gunicorn and the flask command find `app` here."""

from __future__ import annotations

import os
import sys

from flask import Flask

from bot.settings import Settings, SettingsError, read_settings


def create_app(settings: Settings | None = None) -> Flask:
    """The Flask app: routes, commands, and the console where LINE's part is its.

    With faulty settings nothing is served: SystemExit with a line for each fault. The flask command still gets an app,
    whose commands report the faults.
    """
    from bot.cli.commands import add_commands
    from bot.runtime import json_log, metrics
    from bot.service import Service
    from bot.web import create_web

    app = Flask("janroku", static_folder=None)
    try:
        service = Service(settings or read_settings())
    except SettingsError as error:
        if os.environ.get("FLASK_RUN_FROM_CLI") != "true" or "run" in sys.argv[:3]:
            raise SystemExit("\n".join(["Janroku can't start:", *error.faults])) from None
        add_commands(app, None, error.faults)
        return app
    app.extensions["janroku"] = service
    if os.environ.get("FLASK_RUN_FROM_CLI") != "true":
        json_log.configure(secrets=service.settings.secrets)
        if service.settings.metrics_token:
            metrics.configure()
        if service.settings.redis_url:
            from bot.dispatch.queue import Queue

            service.queue = Queue(service.settings.redis_url)
    app.register_blueprint(create_web(service))
    if service.settings.console and "DYNO" not in os.environ:
        from bot.console import Platform, create_console

        host = service.settings.line_api_url.partition("/console")[0]
        app.register_blueprint(create_console(Platform(f"{host}/callback")))
    add_commands(app, service, [])
    return app


app = create_app()
