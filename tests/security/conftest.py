"""A service in this process without LINE, to test what the routes accept and pass on."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from bot.dispatch.dispatcher import TAP
from bot.runtime.work_queue import NAME
from bot.service import Service
from bot.settings import read_settings
from bot.web import create_web
from tests.backend import Backend, close

SECRET = "channel-secret-0123456789"
TOKEN = "channel-access-token-0123456789"
METRICS = "metrics-token-0123456789"
CHAT = "C" + "a" * 32
USER = "U" + "b" * 32


class NoTasks:
    """A thread pool that keeps its tasks and runs none."""

    room = 100

    def __init__(self) -> None:
        self.given: list[tuple[Any, ...]] = []

    def submit(self, work: Any, *args: Any) -> bool:
        self.given.append(args)
        return True


@dataclass
class Site:
    """The routes, and the taps they passed on."""

    client: FlaskClient
    service: Service
    tasks: NoTasks

    @property
    def given(self) -> list[Any]:
        """The taps passed on, to threads or through Redis."""
        return self.tasks.given + waiting(self.service.settings.redis_url)

    def post(self, body: bytes, signature: str | None = None) -> int:
        header = sign(body) if signature is None else signature
        return self.client.post(
            "/callback", data=body, headers={"X-Line-Signature": header}
        ).status_code


def waiting(redis_url: str) -> list[bytes]:
    """The taps that wait in Redis."""
    if not redis_url:
        return []
    with redis.Redis.from_url(redis_url) as client:
        return list(client.lrange(f"{NAME}:{TAP}", 0, -1))


def sign(body: bytes, secret: str = SECRET) -> str:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def webhook(number: int = 0, **parts: Any) -> bytes:
    event = {
        "type": "postback",
        "webhookEventId": f"E{number}",
        "timestamp": 1_700_000_000_000,
        "replyToken": "r",
        "source": {"type": "group", "groupId": CHAT, "userId": USER},
        "postback": {"data": "request_help"},
        **parts,
    }
    return json.dumps({"destination": "U0", "events": [event]}).encode()


def environment(folder: Path) -> dict[str, str]:
    (folder / "logs").mkdir(exist_ok=True)
    return {
        "LINE_CHANNEL_SECRET": SECRET,
        "LINE_CHANNEL_ACCESS_TOKEN": TOKEN,
        "LOGS_URL": f"file:{folder / 'logs'}",
        "IMAGES_URL": f"file:{folder / 'images'}",
        "PUBLIC_URL": "https://bot.example",
        "LEAGUE_CHATS": CHAT,
        "METRICS_TOKEN": METRICS,
    }


@pytest.fixture
def site(tmp_path: Path, backend: Backend) -> Iterator[Site]:
    tasks = NoTasks()
    settings = read_settings(environment(tmp_path) | backend.env(tmp_path))
    service = Service(settings, pool=tasks)
    app = Flask("site", static_folder=None)
    app.register_blueprint(create_web(service))
    yield Site(app.test_client(), service, tasks)
    close(service)
