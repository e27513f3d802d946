"""A stand-in for LINE on loopback, for a bot in another process: the console's platform, served."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, Response
from werkzeug.http import http_date
from werkzeug.serving import make_server

from bot.console.page import create_console, line_api_url
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from tests.fakes.http import serving
from tests.fakes.platform import Platform

SECRET = "0123456789abcdef0123456789abcdef"
TOKEN = "channel/token+of=the-tests"
PREFIX = "/played"


@contextmanager
def fake_line(callback_url: str) -> Iterator[tuple[Platform, dict[str, str]]]:
    """The platform, and the variables that point a bot to it."""
    platform = Platform(callback_url, channel_secret=SECRET, access_token=TOKEN)
    app = Flask("line")
    app.register_blueprint(create_console(platform, PREFIX))

    @app.after_request
    def _(response: Response) -> Response:
        response.headers["Date"] = http_date(platform.clock())
        return response

    logging.getLogger("werkzeug").setLevel(
        logging.WARNING
    )  # so that it writes no line for each request
    with serving(make_server("127.0.0.1", 0, app, threaded=True)) as url:
        env = {"LINE_API_URL": line_api_url(url, PREFIX), "LINE_CHANNEL_SECRET": SECRET}
        env |= {"LINE_CHANNEL_ACCESS_TOKEN": TOKEN, "LEAGUE_CHATS": DEMO_GROUP}
        yield platform, env | {"ADMIN_USER_IDS": DEMO_USERS[0].id}
