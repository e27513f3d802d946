"""Attacks on the public routes: forged and replayed webhooks, floods, and malformed requests."""

import io
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from sqlalchemy import select

from app import create_app
from bot.runtime import metrics
from bot.runtime.version import VERSION
from bot.settings import SettingsError, read_settings
from bot.web import DeepLook
from storage.events import QUEUE, KeptEvent
from storage.ports import NotFound
from storage.schema import EVENTS
from tests.clock import Clock
from tests.fakes.process import ROOT
from tests.security.conftest import CHAT, METRICS, SECRET, USER, Site, environment, sign, webhook

pytestmark = pytest.mark.any_backend(
    "attacks end before anything is kept; that is tested in tests/dispatch"
)


def events(site: Site) -> Sequence[Any]:
    return site.service.state.database.rows(select(EVENTS))


@pytest.mark.parametrize(
    "signature", ["", "x", "é", sign(webhook(), "another secret"), sign(b"other body")]
)
def test_a_forged_webhook_is_refused_and_nothing_is_kept(site: Site, signature: str) -> None:
    assert site.post(webhook(), signature.encode().decode("latin-1")) == 400
    assert site.client.post("/callback", data=webhook()).status_code == 400  # without any
    assert site.given == []
    assert events(site) == []


def test_that_webhooks_are_refused_is_said_once_a_minute(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    monkeypatch.setattr("bot.web.time", SimpleNamespace(monotonic=clock))
    for clock.now in (0, 1, 2, 3, 61, 62):
        assert site.post(webhook(), sign(webhook(), "another channel's")) == 400
    lines: list[Any] = [record for record in caplog.records if record.name == "bot.web"]
    assert [(line.levelname, line.fields) for line in lines] == [
        ("WARNING", {"refused": n}) for n in (1, 4)
    ]
    assert "LINE_CHANNEL_SECRET" in lines[0].getMessage()
    assert SECRET not in caplog.text


def test_signatures_are_compared_in_constant_time() -> None:
    for name in ("bot/line/webhook.py", "bot/web.py"):
        text = (ROOT / name).read_text("utf-8")
        assert "hmac.compare_digest" in text
        assert "== digest" not in text
        assert "digest ==" not in text


def test_a_replayed_webhook_is_answered_once(site: Site) -> None:
    assert [site.post(webhook()) for _ in range(5)] == [200] * 5
    assert len(site.given) == 1


def test_events_before_the_acknowledgement_are_in_the_store(site: Site) -> None:
    assert site.post(webhook(7)) == 200
    (stored,) = events(site)
    assert stored.id == json.loads(stored.raw)[0]["id"] == "E7"
    assert not stored.done


def test_a_large_body_that_hides_its_length_is_refused(site: Site) -> None:
    """Only the longest allowed webhook's bytes are read, so the whole body's signature does not
    match.
    """
    assert site.post(b"x" * (1 << 20) + b"x") == 413
    body = io.BytesIO(b"x" * (3 << 20))
    hidden = {"wsgi.input_terminated": True}
    headers = {"X-Line-Signature": sign(body.getvalue()), "Transfer-Encoding": "chunked"}
    answer = site.client.post(
        "/callback", input_stream=body, headers=headers, environ_overrides=hidden
    )
    assert answer.status_code == 400
    assert body.tell() <= 2 << 20


def test_of_very_many_events_the_first_hundred_count(site: Site) -> None:
    event = json.loads(webhook())["events"][0]
    events = []
    for number in range(300):
        changed = {"webhookEventId": f"M{number}", "source": {"userId": f"U{number}"}}
        events.append(event | changed)
    assert site.post(json.dumps({"events": events}).encode()) == 200
    assert len(site.given) == 100


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"[" * 5000,
        b'{"events": 1}',
        b'{"events": [null, 1, "x", []]}',
        b"\xff\xfe",
        webhook(timestamp=float("inf")),
        webhook(timestamp="x"),
        webhook(webhookEventId="a" * 5000),
        webhook(
            message={"mention": {"mentionees": [{"index": []}]}},
            type="message",
        ),
    ],
)
def test_odd_bodies_end_in_an_answer(site: Site, body: bytes) -> None:
    assert site.post(body) in (200, 400)


def test_members_own_talk_is_not_stored(site: Site) -> None:
    message = {"type": "text", "id": "1", "text": "明日の夜、行ける人いますか"}
    assert site.post(webhook(type="message", message=message)) == 200
    assert site.given == []
    assert events(site) == []


@pytest.mark.parametrize(
    "token", ["x", "a.b", "../../etc/passwd", "%2e%2e%2fstate.sqlite3", "é.é", "." * 500]
)
def test_no_picture_for_a_guessed_or_crooked_address(site: Site, token: str) -> None:
    answer = site.client.get(f"/images/{token}")
    assert answer.status_code in (400, 404)
    assert b"SQLite" not in answer.data


def test_an_altered_picture_address_is_refused(site: Site) -> None:
    site.service.images.put("chart/x.png", b"\x89PNG\r\n\x1a\n")
    path = site.service.images.url("chart/x.png").removeprefix("https://bot.example")
    assert site.client.get(path).status_code == 200
    for place in (10, len(path) // 2, -1):
        other = "A" if path[place] != "A" else "B"
        altered = list(path)
        altered[place] = other
        assert site.client.get("".join(altered)).status_code == 404


@pytest.mark.parametrize("name", ["../x", "a/b", ".", "x" * 41, "a b", "league\n"])
def test_a_leagues_folder_has_a_plain_name(site: Site, name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        site.service.access.enrol("C1", name)


def test_a_key_that_leads_out_of_the_store_is_refused(site: Site) -> None:
    with pytest.raises((ValueError, NotFound)):
        site.service.images.put("../x.png", b"x")


def test_metrics_are_for_who_shows_the_token(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert site.client.get("/metrics").status_code == 401
    for wrong in ("Bearer x", METRICS, f"bearer {METRICS}", "Bearer é"):
        assert site.client.get("/metrics", headers={"Authorization": wrong}).status_code == 401
    good = site.client.get("/metrics", headers={"Authorization": f"Bearer {METRICS}"})
    assert good.status_code == 200
    monkeypatch.setattr(site.service, "settings", replace(site.service.settings, metrics_token=""))
    for headers in ({}, {"Authorization": "Bearer "}):
        assert site.client.get("/metrics", headers=headers).status_code == 404, (
            "without the variable"
        )


def test_the_page_counts_taps_no_worker_has_taken(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    gauges: list[tuple[str, int]] = []
    events = site.service.state.events
    now = site.service.state.database.clock()
    for number in range(3):
        events.take(KeptEvent(f"E{number}", now, QUEUE, "{}", ""))
    events.take(KeptEvent("E3", now, "a process", "{}", ""))
    events.done(["E0"])
    monkeypatch.setattr(site.service, "sender", object())
    monkeypatch.setattr(metrics, "waiting", lambda place, number: gauges.append((place, number)))
    site.client.get("/metrics", headers={"Authorization": f"Bearer {METRICS}"})
    assert gauges == [("queue", 2), ("queue", 0)]


def test_healthz_names_the_version_and_the_commit(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        site.service, "settings", replace(site.service.settings, commit="0123456789abcdef")
    )
    health = site.client.get("/healthz").get_json()
    assert (health["version"], health["commit"]) == (VERSION, "0123456")


def test_the_start_page_shows_no_secret_and_no_chat(site: Site) -> None:
    """No secret, no chat's id; its words change once LINE has called, and not by a forged call."""
    before = site.client.get("/")
    assert (before.status_code, before.content_type) == (200, "text/html; charset=utf-8")
    assert "https://bot.example/callback" in before.text
    assert site.post(webhook(), "forged") == 400
    assert site.client.get("/").text == before.text
    assert site.post(b'{"destination": "U0", "events": []}') == 200
    after = site.client.get("/")
    assert "部屋 C1234" in after.text != before.text
    for text in (before.text, after.text):
        assert not any(hidden in text for hidden in (*site.service.settings.secrets, CHAT, USER))
    english = site.client.get("/", headers={"Accept-Language": "en-GB,en;q=0.9,ja;q=0.5"})
    assert (english.headers["Content-Language"], 'lang="en"' in english.text) == ("en", True)
    assert english.headers["Vary"] == "Accept-Language"


def test_every_answer_has_the_security_headers(site: Site) -> None:
    for path in (
        "/",
        "/healthz",
        "/images/x",
        "/metrics",
        "/callback",
        "/dropbox?challenge=x",
        "/nothing",
    ):
        answer = site.client.get(path)
        headers = answer.headers
        assert SECRET not in answer.text + str(headers)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "Strict-Transport-Security" not in headers
    assert (
        "Strict-Transport-Security"
        in site.client.get("/healthz", base_url="https://bot.example").headers
    )


def test_the_console_can_not_be_mounted_in_production(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsError, match="console"):
        read_settings({"DYNO": "web.1"})
    for host in ("https://api.line.me", "https://console.example", "http://10.0.0.1"):
        api = {"LINE_API_URL": host if host.endswith("line.me") else f"{host}/console/line"}
        assert not read_settings(environment(tmp_path) | api).console
    monkeypatch.setenv("DYNO", "web.1")
    monkeypatch.setenv("FLASK_RUN_FROM_CLI", "true")
    app = create_app(read_settings({"LOGS_URL": f"file:{tmp_path}"}))
    paths = [rule.rule for rule in app.url_map.iter_rules()]
    assert not [path for path in paths if path.startswith("/console")]


# Five seconds: so many requests.
@pytest.mark.embedded_only("the web process alone, which is the same on both")
def test_ten_thousand_junk_requests_leave_memory_as_it_was(site: Site) -> None:
    def junk(numbers: range) -> None:
        for number in numbers:
            kind = number % 5 if number % 20 == 4 else number % 4
            if kind == 0:
                site.post(webhook(number), "forged")
            elif kind == 1:
                site.post(b"{" * (number % 500))
            elif kind == 2:
                site.client.get(f"/images/{number}.{number}")
            elif kind == 3:
                site.client.get(f"/{number}")
            else:
                site.post(webhook(number, source={"type": "user", "userId": f"U{number}"}))
        site.tasks.given.clear()

    process = psutil.Process()
    junk(range(3_000))
    before = process.memory_info().rss
    junk(range(3_000, 10_000))
    assert process.memory_info().rss - before < 12 << 20


def test_nobody_waits_for_a_deep_look_of_another() -> None:
    deep = DeepLook()
    started = threading.Event()
    go_on = threading.Event()

    def look() -> list[str]:
        started.set()
        assert go_on.wait(20)
        return ["LOGS_URL"]

    reader = threading.Thread(target=deep.failing, args=(look,))
    reader.start()
    assert started.wait(20)
    assert deep.failing(look) == []
    go_on.set()
    reader.join(20)
    assert deep.failing(look) == ["LOGS_URL"]


def test_a_deep_look_is_made_once_a_minute() -> None:
    clock = Clock()
    looks: list[float] = []

    def look() -> list[str]:
        looks.append(clock())
        return []

    deep = DeepLook(clock)
    for seconds in (0, 30, 31, 30, 31):
        clock.now += seconds
        deep.failing(look)
    assert len(looks) == 3
