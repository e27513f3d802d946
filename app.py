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
    from bot.sync.paifu_collector import PaifuCollector
    from bot.sync.room_watch import RoomWatch

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
    from bot.console.evening import PATH, DemoEvening  # here, because commands have no console
    from bot.console.page import URL_PREFIX

    room = _DemoRoom(service, f"{host}{URL_PREFIX}{PATH}")
    return DemoEvening(platform.feed, room.sync, room.last_start, service.now)


class _DemoRoom:
    """The console's room at `url`, as the demo league's own room."""

    def __init__(self, service: Service, url: str) -> None:
        self._service = service
        self._url = url

    def sync(self, now: Callable[[], datetime]) -> list[str]:
        """Take the room's games into the league at the evening's time. Return the problems."""
        from bot.sync.jobs import Job, Stage

        service = self._service
        league = service.league_work(Job(Stage.PREPARE, ""))
        results = self._watch(now).look({"": frozenset(league.rooms)})
        merged = service.league_work(Job(Stage.DELIVER, ""))
        self._records(now).collect([""])
        if merged.added or results.requests:
            service.registry.league().expire()
        return [*league.problems, *results.by_league[""].problems, *merged.problems]

    def last_start(self) -> datetime | None:
        """The start of the league's last game."""
        games = self._service.registry.league().snapshot().all_games()
        starts = [
            datetime.combine(game.day, game.start) for game in games if game.day and game.start
        ]
        return max(starts, default=None)

    def _watch(self, now: Callable[[], datetime]) -> RoomWatch:
        from bot.console.evening import DEMO_ROOM
        from bot.sync.room_ids import RoomIds
        from bot.sync.room_watch import RoomWatch

        state = self._service.state
        return RoomWatch(RoomIds(state.rooms, own=DEMO_ROOM.text), state, self._url, now)

    def _records(self, now: Callable[[], datetime]) -> PaifuCollector:
        from bot.sync.paifu_collector import PaifuCollector
        from bot.tenhou.paifu_fetcher import PaifuFetcher
        from bot.tenhou.throttle import Throttle

        service = self._service
        throttle = Throttle(service.state, service.now)
        fetcher = PaifuFetcher(self._url, service.state, throttle.turn)
        return PaifuCollector(service.state, lambda: fetcher, service.stores.open_logs, now)


app = create_app()
