import json
import logging
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from hypothesis import given, strategies as st

from bot.runtime import json_log
from bot.runtime.json_log import GunicornLog, JsonLines, TextLines, about, hashed, timed

log = logging.getLogger("bot.anything")
LinesSoFar = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> LinesSoFar:
    """The lines so far."""
    caplog.handler.setFormatter(JsonLines(("secret-of-all",)))
    caplog.set_level(logging.DEBUG)
    return lambda: [json.loads(line) for line in caplog.text.splitlines()]


def test_the_lines_of_a_tap_have_its_fields(written: LinesSoFar) -> None:
    with about("E1", "Cgroup", "key", "Umember", "rating"):
        log.info("before")
        json_log.note(league="spring")
        log.info("after", extra={"fields": {"result": "answered", "ms": 1.5}})
    log.info("outside")
    before, after, outside = written()
    tap_fields = {
        "event": "E1",
        "command": "rating",
        "chat": hashed("Cgroup", "key"),
        "who": hashed("Umember", "key"),
    }
    assert before.items() >= tap_fields.items()
    assert (
        after.items() >= {**tap_fields, "league": "spring", "result": "answered", "ms": 1.5}.items()
    )
    assert set(outside) == {"time", "level", "logger", "message"}


def test_steps_are_timed_separately_also_with_an_error() -> None:
    with about("E1", "C", "key") as work:
        with timed("read"), timed("rate"):
            pass
        with timed("draw"):
            pass
        with timed("draw"):
            pass
    assert list(work.summary()["steps"]) == ["read", "draw"]  # type: ignore[call-overload]
    with timed("read"):
        pass
    assert work.steps.keys() == {"read", "draw"}
    with about("E1", "C", "key") as work:
        with pytest.raises(ValueError, match="no"), timed("read"):
            raise ValueError("no")
        with timed("rate"):
            pass
    assert list(work.steps) == ["read", "rate"]


def test_the_first_error_stays_and_its_text_is_clean(
    written: LinesSoFar,
) -> None:
    with about("E1", "C", "key") as work:
        json_log.blame(OSError("x"), "no way with secret-of-all", "dropbox", lost=True)
        try:
            raise KeyError("somebody's words")
        except KeyError as error:
            json_log.log_fault("a tap could not be answered", error)
        log.error("ended", extra={"fields": work.summary()})
    assert work.lost
    *_, line = written()
    assert {name: line[name] for name in ("error", "cause", "store")} == {
        "error": "OSError",
        "cause": "no way with ***",
        "store": "dropbox",
    }
    assert "words" not in str(written())


def text(message: str, colour: bool = False, **fields: object) -> str:
    record = logging.makeLogRecord(
        {"name": "bot.dispatch.dispatcher", "levelname": "ERROR", "msg": message, "fields": fields}
    )
    return TextLines(("secret-of-all",), colour).format(record)


def test_a_line_for_people_is_aligned() -> None:
    steps = {"read": 1.0, "draw": 80.2}
    line = text(
        "postback answered",
        ms=12.5,
        event="E1",
        command="rating",
        league="",
        steps=steps,
    )
    columns = line[8:].split()
    assert columns[:5] == ["error", "dispatcher", "postback", "answered", "12.5"]
    assert columns[5:] == ["ms", "command=rating", "league=-", "read=1.0", "draw=80.2", "event=E1"]
    assert text("one").index("dispatcher") == text("two words").index("dispatcher")
    assert text("red", colour=True).startswith("\x1b[31m")
    assert "\x1b" not in text("plain")


SIGNS = st.text("ab あ\n\r\t\x1b\x00\x85\u2028\u202e")


@given(SIGNS, SIGNS)
def test_a_text_from_outside_adds_no_line_and_no_colour(message: str, value: str) -> None:
    line = text(message, cause=value)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line


def test_the_address_of_a_picture_is_hidden(written: LinesSoFar) -> None:
    log.error("Error handling request %s", "/images/abc.def-123?x=1")
    (line,) = written()
    assert line["message"] == "Error handling request /images/***?x=1"
    assert "/images/***" in text("GET /images/abc.def")


def test_lines_of_gunicorn_have_the_same_form(written: LinesSoFar) -> None:
    config = Config()
    config.set("accesslog", "-")
    lines = GunicornLog(config)
    lines.info("Listening at: %s", "http://127.0.0.1:8000")

    def request(path: str, status: str, seconds: float) -> None:
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "a=secret"}
        lines.access(SimpleNamespace(status=status), None, environ, timedelta(seconds=seconds))

    request("/images/the-key-of-a-picture", "200 OK", 2.0)
    request("/healthz", "503 SERVICE UNAVAILABLE", 0.01)
    request("/callback", "200 OK", 0.01)
    first, *requests = written()
    assert (first["logger"], first["message"]) == (
        "gunicorn.error",
        "Listening at: http://127.0.0.1:8000",
    )
    assert [(line["level"], line["message"], line["status"], line["ms"]) for line in requests] == [
        ("info", "GET /images", 200, 2000.0),
        ("warning", "GET /healthz", 503, 10.0),
    ]
