"""What tests of the deployed service share: tap, fetch pictures, announce changes."""

import hashlib
import hmac
import urllib.request
from typing import Any

import psycopg

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from tests.e2e.conftest import Cloud
from tests.e2e.fleet import until
from tests.fakes.dropbox import FakeDropbox
from tests.schema import assert_messages_pass

Json = dict[str, Any]
MIDORI = DEMO_USERS[0].id


def tap(cloud: Cloud, data: str = "request_rating", seconds: float = 50) -> list[Json]:
    """Tap in the group and wait at most `seconds` for the answer, which must pass LINE's schema."""
    tapped = cloud.line.tap(DEMO_GROUP, MIDORI, data)
    assert tapped.status == 200
    messages: list[Json] = cloud.line.answers(tapped, seconds)
    assert_messages_pass(messages)
    return messages


def fetch(url: str) -> bytes:
    """The PNG bytes at an address, fetched as a phone does."""
    with urllib.request.urlopen(url, timeout=5) as answer:
        assert answer.headers["Content-Type"] == "image/png"
        return bytes(answer.read())


def image_of(messages: list[Json]) -> str:
    """The address of the picture among the messages; the test fails where there is none, or more
    than one.
    """
    (picture,) = [message for message in messages if message["type"] == "image"]
    return str(picture["originalContentUrl"])


def say_changed(web: str, dropbox: FakeDropbox) -> None:
    """Send Dropbox's notification: the web process reads again at its next tap, a worker once it
    knows.
    """
    body = b'{"list_folder": {"accounts": ["dbid:AAA"]}}'
    digest = hmac.new(dropbox.app_secret.encode(), body, hashlib.sha256).hexdigest()
    request = urllib.request.Request(f"{web}/dropbox", body, {"X-Dropbox-Signature": digest})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200


def announce(cloud: Cloud) -> None:
    """Send the notification and wait until every process has heard of it, so the next tap asks
    Dropbox.
    """
    say_changed(cloud.web.url, cloud.dropbox)
    if cloud.worker:
        for _ in range(
            2
        ):  # a process listens after each sign of life: at the second it has listened once
            before = _beats(cloud)
            until(lambda before=before: not before & _beats(cloud))


def _beats(cloud: Cloud) -> set[tuple[str, float]]:
    """Each process's last sign of life: (name, when it was seen)."""
    with psycopg.connect(cloud.database) as connection:
        return set(connection.execute("SELECT name, seen FROM janroku_processes"))
