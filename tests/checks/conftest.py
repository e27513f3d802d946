"""A healthy installation on loopback: LINE, a running bot, Tenhou, and stores, all of which can be
made ill."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from app import create_app
from bot.line.channel import install, rich_menus
from bot.service import Service
from bot.settings import read_settings
from bot.sync.run import SYNCED
from tests.backend import Embedded, close
from tests.fakes import http
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.servers import free_port
from tests.fakes.tenhou import FakeTenhou, TenhouClock

LOG = "2026-11-03\nL5678 | 20:11 | 三般南喰赤－ | みどり一色(+50.0) 白發中(-5.0) 両面待ち(-45.0)\n"


@dataclass
class Installation:
    """A bot that runs at `url` with the variables `env`; `line` and `tenhou` are what it talks
    to.
    """

    env: dict[str, str]
    url: str
    line: Platform
    tenhou: FakeTenhou
    home: Path


@contextmanager
def serving(env: Mapping[str, str], port: int) -> Iterator[Service]:
    """Answer at a port of loopback with these variables."""
    made = create_app(read_settings(env))
    service: Service = made.extensions["janroku"]
    try:
        with http.serving(make_server("127.0.0.1", port, made, threaded=True)):
            yield service
    finally:
        close(service)


@pytest.fixture(scope="module")
def installation(
    tmp_path_factory: pytest.TempPathFactory, menus_drawn_once: None
) -> Iterator[Installation]:
    """It is whole: doctor finds nothing to fix in it."""
    home = tmp_path_factory.mktemp("installation")
    port = free_port()
    (home / "logs").mkdir()
    (home / "logs/league.toml").write_text('rooms = ["L5678"]\n', "utf-8")
    (home / "logs/logvol1.txt").write_text(LOG, "utf-8")
    url = f"http://127.0.0.1:{port}"
    with (
        fake_line(f"{url}/callback") as (line, channel),
        FakeTenhou(TenhouClock(datetime.now(UTC))) as tenhou,
    ):
        env = {
            **channel,
            **Embedded().env(home),
            "LOGS_URL": f"file:{home / 'logs'}",
            "IMAGES_URL": f"file:{home / 'images'}",
            "PUBLIC_URL": url,
            "TENHOU_URL": tenhou.url,
        }
        with serving(env, port) as service:
            service.state.values.put(SYNCED, service.now().isoformat())
            with rich_menus(channel["LINE_API_URL"], channel["LINE_CHANNEL_ACCESS_TOKEN"]) as menus:
                install(menus, service.catalogue, tell=lambda step: None)
            yield Installation(env, url, line, tenhou, home)
