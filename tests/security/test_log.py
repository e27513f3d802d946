"""The log never has a secret, a forged line or a chat's id."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.runtime import json_log
from bot.runtime.json_log import log_fault
from bot.settings import read_settings
from tests.security.conftest import CHAT, SECRET, environment

SECRETS = {
    "LINE_CHANNEL_SECRET": SECRET,
    "LINE_CHANNEL_ACCESS_TOKEN": "line-token-11111111",
    "DROPBOX_APP_SECRET": "dropbox-secret-2222",
    "DROPBOX_REFRESH_TOKEN": "dropbox-refresh-3333",
    "DROPBOX_ACCESS_TOKEN": "dropbox-access-4444",
    "JANROKU_SECRET_KEY": "k" * 43 + "=",
    "METRICS_TOKEN": "metrics-token-555555",
    "DATABASE_URL": "postgres://u:pass%2Fword-666@h/d",
    "REDIS_URL": "redis://:redis-word-777@h:6379/0",
}
HIDDEN = [v for k, v in SECRETS.items() if not k.endswith("_URL")]
HIDDEN += ["pass%2Fword-666", "pass/word-666", "redis-word-777"]


@pytest.fixture
def lines(tmp_path: Path) -> Iterator[io.StringIO]:
    settings = read_settings({**environment(tmp_path), **SECRETS})
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(json_log.JsonLines(settings.secrets))
    root = logging.getLogger()
    root.addHandler(handler)
    yield written
    root.removeHandler(handler)


@pytest.mark.parametrize("secret", HIDDEN)
def test_no_secret_reaches_the_log(lines: io.StringIO, secret: str) -> None:
    log = logging.getLogger("bot.anything")
    log.error("it said %s, and again %s", secret, f"<{secret}>")
    log.warning("a whole address: %s", f"postgres://u:{secret}@h/d")
    assert secret not in lines.getvalue()
    assert lines.getvalue().count("***") == 3


def test_an_unexpected_error_is_logged_without_its_words(lines: io.StringIO) -> None:
    try:
        raise RuntimeError("Authorization: Bearer something-nobody-thought-of")
    except RuntimeError as error:
        log_fault("a tap could not be answered", error)
    (line,) = map(json.loads, lines.getvalue().splitlines())
    assert line["message"].startswith("a tap could not be answered: RuntimeError at test_log.py:")
    assert "Bearer" not in lines.getvalue()


def test_text_from_outside_makes_no_line_of_its_own(lines: io.StringIO) -> None:
    forged = 'x\n{"level": "info", "message": "all is well"}\r\x1b[2J'
    logging.getLogger("bot.line.client").error("LINE refused: %s", forged)
    (line,) = lines.getvalue().splitlines()
    assert json.loads(line)["level"] == "error"
    assert "\x1b" not in line


def test_a_line_says_which_event_and_hides_the_chat(lines: io.StringIO) -> None:
    with json_log.about("E1", CHAT, SECRET):
        logging.getLogger("bot.service").error("answered", extra={"fields": {"ms": 12.5}})
    logging.getLogger("bot.service").error("outside")
    inside, outside = map(json.loads, lines.getvalue().splitlines())
    assert inside["event"] == "E1"
    assert inside["ms"] == 12.5
    assert inside["chat"] == json_log.hashed(CHAT, SECRET)
    assert CHAT not in lines.getvalue()
    assert "event" not in outside
    assert json_log.hashed(CHAT, "another secret") != inside["chat"]
