"""The demo league's page, once over HTTP for a browser."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import pytest
from flask import Flask
from werkzeug.serving import make_server

from bot.answers.common.members import member_id, members
from bot.demo_chat import DEMO_GROUP
from bot.league.demo import ensure_demo
from bot.service import Service
from bot.settings import read_settings
from bot.web import create_web
from rating.logdates import JST
from tests.fakes.http import serving

NOW = datetime(2026, 11, 23, 15, 0, tzinfo=JST)
ASKER = 0  # the first of the demo's members, who requested the page


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service of the demo league; its page has an address while the service lives."""
    home = tmp_path_factory.mktemp("replay")
    ensure_demo(home / "logs")
    app = Flask(__name__)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    base = f"http://127.0.0.1:{server.server_port}"
    where = {"LOGS_URL": f"file:{home / 'logs'}", "DATABASE_URL": f"sqlite:///{home / 's.sqlite3'}"}
    made = Service(
        read_settings({**where, "LEAGUE_CHATS": DEMO_GROUP, "PUBLIC_URL": base}), lambda: NOW
    )
    app.register_blueprint(create_web(made))
    with serving(server), closing(made.state):
        yield made


@pytest.fixture(scope="session")
def url(service: Service) -> str:
    """The address of the page, as the asker got it."""
    asker = members(service.registry.league().snapshot())[ASKER]
    return service.links.url("", member_id(asker))
