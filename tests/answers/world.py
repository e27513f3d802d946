"""Serve the real bot and the console over HTTP: tests tap as members and read the answers LINE
received.
"""

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.serving import make_server

from bot.console.checks import problems
from bot.console.evening import DemoEvening
from bot.console.page import create_console, line_api_url
from bot.console.platform import Delivery
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.settings import read_settings
from bot.web import create_web
from rating.logdates import JST
from storage.ports import StorageError
from tests.backend import Backend
from tests.fakes.platform import Platform
from tests.schema import objects

Json = dict[str, Any]
ADMIN, MEMBER, OTHER = (user.id for user in DEMO_USERS[:3])
NAMES = ("みどり一色", "白發中", "東風(本人)", "まん|がん", "両面待ち")
LEAGUE = """\
name = "雀録杯"   # わたしたちのリーグ

[[season]]
name = "第1シーズン"
log = "logvol1.txt"
start = 2026-04-01

[player."みどり一色"]
name = "みどり"
[player."白發中"]
[player."東風(本人)"]
name = "東風"
[player."まん|がん"]
"""
LOG = """\
20260401
C1934 | 20:00 | 三般南喰赤－ | みどり一色(+50.0) 白發中(+2.0) 東風(本人)(-52.0)
C1934 | 20:30 | 三般南喰赤－ | まん|がん(+40.0) 白發中(+1.0) 両面待ち(-41.0)
"""


class BotWorld:
    """One league in a folder, with its group enrolled and one admin. `now` is the bot's clock,
    `service` the web process's service, and `answering` the one that answers taps: the same one, or
    a worker's."""

    def __init__(
        self, folder: Path, backend: Backend, env: Mapping[str, str] | None = None
    ) -> None:
        self.now = datetime(2026, 5, 4, 21, 0, tzinfo=JST)
        self.app = Flask(__name__)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.platform = Platform(self.base + "/callback", webhook_timeout=20)
        defaults = {
            "LINE_API_URL": line_api_url(self.base),
            **backend.files(folder),
            **backend.env(folder),
            "LEAGUE_CHATS": DEMO_GROUP,
            "ADMIN_USER_IDS": ADMIN,
        }
        self._ends = ExitStack()
        settings = read_settings(defaults | dict(env or {}))
        on_disk = not settings.logs_url.startswith("postgres:")
        self.logs = folder / "logs" if on_disk else backend.logs(folder)
        self.bot = self._ends.enter_context(backend.bot(settings, lambda: self.now))
        self.service = self.bot.web
        self.answering = self.bot.answering
        self.app.register_blueprint(create_web(self.service))
        self.app.register_blueprint(create_console(self.platform, evening=self.evening()))
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}
        )
        self.thread.start()

    def evening(self) -> DemoEvening | None:
        """The console's evening, for a world that plays one."""
        return None

    def close(self) -> None:
        self.platform.close()
        self._ends.close()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def write(self, name: str, text: str) -> None:
        path = self.logs / name
        if isinstance(path, Path):
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        self.look()

    def read(self, name: str) -> str:
        return (self.logs / name).read_bytes().decode()

    def look(self) -> None:
        """Make the bot read the folder again at the next question."""
        for service in self.bot.services:
            for repository in service.registry._known.values():
                repository.expire()

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)

    def tap(
        self,
        data: str,
        user: str = MEMBER,
        chat: str = DEMO_GROUP,
    ) -> list[Json]:
        return self.answers(self.platform.tap(chat, user, data))

    def tap_all(
        self, every: Iterable[str], user: str = MEMBER, chat: str = DEMO_GROUP
    ) -> list[Json]:
        """Tap buttons one after the other, of which only one gets an answer: its messages."""
        sent = [self.platform.tap(chat, user, data) for data in every]
        answered = self.platform.wait_for(
            lambda: [each for each in sent if self.platform.replied(each)]
        )
        assert len(answered) == 1
        return self.answers(answered[0])

    def say(
        self,
        words: str,
        user: str = MEMBER,
        chat: str = DEMO_GROUP,
    ) -> list[Json]:
        return self.answers(self.platform.say(chat, user, words))

    def answers(self, delivery: Delivery) -> list[Json]:
        """The messages of the answer, after a check that LINE accepts them."""
        answers = self.platform.answers(delivery)
        assert [
            str(problem) for message in answers for problem in problems(message, "Message")
        ] == []
        assert self.platform.refused() == []
        return answers


def words_of(part: Any) -> str:
    """All text of messages, without quick replies."""
    return "\n".join(_words(part))


def _words(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for inner in part:
            yield from _words(inner)
    elif isinstance(part, dict):
        if part.get("type") == "text" and "text" in part:
            yield part["text"]
        for name in ("contents", "body"):
            yield from _words(part.get(name, []))


def taps(part: Any) -> dict[str, str]:
    """Every postback button, quick replies included: label -> data."""
    values = [found.get("action") for found in objects(part)]
    actions = [value for value in values if isinstance(value, dict)]
    found = {
        action["label"]: action["data"] for action in actions if action.get("type") == "postback"
    }
    assert all(len(data) <= 300 for data in found.values())
    return found


def links(part: Any) -> list[tuple[str, str]]:
    """The label and the address of every button that opens one."""
    actions = [found for found in objects(part) if found.get("type") == "uri"]
    return [(action["label"], action["uri"]) for action in actions]


def nonce(data: str) -> str:
    found = re.search(r"[?&](?:n|undo|k)=([0-9a-f]{12,16})(?:&|$)", data)
    assert found
    return found[1]


def away(*_: object, **__: object) -> Any:
    """In the place of a store's method: the store is out of reach."""
    raise StorageError("away")


@contextmanager
def opened(
    folder: Path,
    backend: Backend,
    env: Mapping[str, str] | None = None,
) -> Iterator[BotWorld]:
    world = BotWorld(folder, backend, env)
    try:
        yield world
    finally:
        world.close()
