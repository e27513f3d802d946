"""The entry point: gunicorn and the flask command find the Flask app here as `app`."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from flask import Flask

from bot import texts
from bot.cli.base import CommandContext, follow_environment
from bot.cli.commands import add_commands
from bot.runtime import json_log
from bot.settings import Settings, SettingsError, read_settings

if TYPE_CHECKING:
    from bot.console.evening import DemoEvening
    from bot.console.platform import Platform
    from bot.service import Service

COMMANDS_WITH_ROUTES = frozenset({"run", "routes", "shell"})  # Flask's own


def create_app(
    settings: Settings | None = None,
    now: Callable[[], datetime] = texts.now,
) -> Flask:
    """Return the Flask app: its routes, its commands, and the console when that plays LINE's part.
    `now` gives an aware time. Raises SystemExit, with a line for each faulty setting; the flask
    command (except `flask run`) gets an app whose commands report them, and which has no routes."""
    app = Flask("janroku", static_folder=None)
    command = os.environ.get("FLASK_RUN_FROM_CLI") == "true"
    if command:
        follow_environment()
    try:
        settings = settings or read_settings()
    except SettingsError as error:
        if not command or "run" in sys.argv[:3]:
            raise SystemExit("\n".join(["Janroku can't start:", *error.lines])) from None
        add_commands(app, CommandContext(faults=error.faults))
        return app
    needs_routes = not command or not COMMANDS_WITH_ROUTES.isdisjoint(sys.argv[:3])
    if needs_routes:
        service = _service(app, settings, now)
        _add_routes(app, service, command)
        add_commands(app, CommandContext(lambda: service))
    else:
        json_log.configure(logging.WARNING, settings.secrets, settings.log_format)
        add_commands(app, CommandContext(cache(lambda: _service(app, settings, now))))
    return app


def _service(app: Flask, settings: Settings, now: Callable[[], datetime]) -> Service:
    from bot.service import Service  # here, because most of what `flask --help` would load is in it

    service = app.extensions["janroku"] = Service(settings, now)
    return service


def _add_routes(app: Flask, service: Service, command: bool) -> None:
    from bot.runtime import metrics  # here, because commands have no routes
    from bot.web import create_web

    settings = service.settings
    if not command:
        json_log.configure(secrets=settings.secrets, form=settings.log_format)
        if settings.metrics_token:
            metrics.configure()
    app.register_blueprint(create_web(service))
    if settings.console and "DYNO" not in os.environ:
        from bot.console.page import create_console
        from bot.console.platform import Platform

        host = settings.line_api_url.partition("/console")[0]
        platform = app.extensions["console"] = Platform(f"{host}/callback")
        evening = evening_of(service, platform, host) if settings.demo else None
        app.register_blueprint(create_console(platform, evening=evening))


def evening_of(service: Service, platform: Platform, host: str) -> DemoEvening:
    """Return the evening that the console plays in the demo league: the bot asks the console's room
    at `host`."""
    from bot.console.evening import DEMO_ROOM, PATH, DemoEvening
    from bot.console.page import URL_PREFIX
    from bot.sync.jobs import Job, Stage
    from bot.sync.paifu_collector import PaifuCollector
    from bot.sync.room_ids import RoomIds
    from bot.sync.room_watch import RoomWatch
    from bot.tenhou.paifu_fetcher import PaifuFetcher
    from bot.tenhou.throttle import Throttle

    url = f"{host}{URL_PREFIX}{PATH}"
    state = service.state

    def look(at: Callable[[], datetime]) -> list[str]:
        rooms = RoomWatch(RoomIds(state.rooms, own=DEMO_ROOM.text), state, url, at)
        fetcher = PaifuFetcher(url, state, Throttle(state, service.now).turn)
        records = PaifuCollector(state, lambda: fetcher, service.stores.open_logs, at)
        counted = service.league_work(Job(Stage.PREPARE, ""))
        results = rooms.look({"": frozenset(counted.rooms)})
        merged = service.league_work(Job(Stage.DELIVER, ""))
        records.collect([""])
        if merged.added or results.asked:
            service.registry.league().expire()
        return [*counted.problems, *results.by_league[""].problems, *merged.problems]

    def last() -> datetime | None:
        games = service.registry.league().snapshot().all_games()
        return max(
            (datetime.combine(g.day, g.start) for g in games if g.day and g.start), default=None
        )

    return DemoEvening(platform.feed, look, last, service.now)


app = create_app()
