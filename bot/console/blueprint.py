"""The console as a Flask blueprint: the page, and the LINE API that the bot's SDK calls."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, abort, request

from bot.console import evening_page
from bot.console.evening import DemoEvening
from bot.console.line_routes import LineRoutes
from bot.console.page_routes import PageRoutes
from bot.console.platform import Platform
from bot.console.shapes import LOOPBACK

URL_PREFIX = "/console"
LINE_PATH = "/line"


def create_console(
    platform: Platform | None = None,
    url_prefix: str = URL_PREFIX,
    *,
    local_only: bool = True,
    evening: DemoEvening | None = None,
) -> Console:
    """Return the blueprint that serves `platform` (a new one unless given), which it holds as
    `blueprint.platform`.

    With `evening` the page can play one, and the stand-in for the demo league's room is served beside LINE's
    API. The console's secrets are public, so it answers only to this machine unless `local_only` is False.
    """
    played = platform or Platform()
    blueprint = Console(played, url_prefix)
    if local_only:
        blueprint.before_request(admit_local)
    PageRoutes(played).register(blueprint)
    LineRoutes(played, LINE_PATH).register(blueprint)
    evening_page.register(blueprint, evening)
    return blueprint


class Console(Blueprint):
    """The blueprint of the console, with the platform it serves."""

    def __init__(self, platform: Platform, url_prefix: str) -> None:
        super().__init__(
            "console", __name__, url_prefix=url_prefix, static_folder="static", static_url_path="/static"
        )
        self.platform = platform


def admit_local() -> None:
    """Refuse (403) a request from another machine, or for a host name that is not loopback.

    Such a name means a proxy before this server, or another name that leads to this machine.
    """
    if request.remote_addr not in LOOPBACK or urlsplit(request.host_url).hostname not in LOOPBACK:
        abort(403)


def line_api_url(base: str, url_prefix: str = URL_PREFIX) -> str:
    """Return the LINE_API_URL for a service at `base`, such as http://127.0.0.1:5000."""
    return base.rstrip("/") + url_prefix + LINE_PATH
