"""All checks side by side: a slow service keeps nobody waiting, and what hangs on another store's
answer is left out."""

import gettext
import time
from datetime import timedelta

import pytest

from app import create_app
from bot.checks.run import CHECK_OF, checks
from bot.runtime.finding import CHECKS
from bot.runtime.translation import DOMAIN, LOCALE
from bot.settings import read_settings
from tests.backend import close
from tests.checks.conftest import Installation
from tests.checks.planted import synced

pytestmark = pytest.mark.xdist_group("installation")


def test_a_service_that_hangs_is_a_finding(installation: Installation) -> None:
    service = create_app(read_settings(installation.env)).extensions["janroku"]
    slow = installation.line.slow_next("/v2/bot/info", 30.0)
    start = time.monotonic()
    findings = {finding.subject: finding for finding in checks(service, limit=2.0)}
    assert time.monotonic() - start < 10
    assert findings["LINE_CHANNEL_ACCESS_TOKEN"].text == "no answer within 2 seconds"
    assert not findings["LINE_CHANNEL_ACCESS_TOKEN"].stops_release
    assert findings["DATABASE_URL"].ok
    slow.release()
    close(service)


def test_findings_have_another_language_than_the_process(
    installation: Installation,
) -> None:
    service = create_app(read_settings(installation.env)).extensions["janroku"]
    japanese = gettext.translation(DOMAIN, LOCALE, ["ja"]).gettext
    texts = {finding.subject: finding.said(japanese) for finding in checks(service)}
    assert texts["richmenu"] == "全員に表示されます"
    assert texts["version"].startswith("雀録 ")
    close(service)


def test_without_a_database_the_checks_that_need_it_are_left_out(
    installation: Installation,
) -> None:
    env = installation.env | {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/d"}
    service = create_app(read_settings(env)).extensions["janroku"]
    names = [finding.subject for finding in checks(service)]
    assert "DATABASE_URL" in names
    assert not {"LEAGUE_CHATS", "webhook", "sync", "league"} & set(names)
    assert names[-2:] == ["memory", "version"]
    close(service)


def test_the_list_and_what_is_done_name_the_same_checks() -> None:
    assert [check.name for check in CHECKS if check.turn] == list(CHECK_OF)


def test_a_watcher_outside_is_told_what_fails(installation: Installation) -> None:
    """503 only for what the deep look is for; it looks once a minute, whoever asks how often."""

    def deep_look(**env: str) -> tuple[int, str]:
        made = create_app(read_settings(installation.env | env))
        answers = [made.test_client().get("/healthz?deep=1") for _ in range(3)]
        close(made.extensions["janroku"])
        assert len({answer.get_data() for answer in answers}) == 1
        return answers[0].status_code, answers[0].get_json()["status"]

    calls = len(installation.line.calls("/v2/bot/info"))
    assert deep_look() == (200, "ok")
    assert len(installation.line.calls("/v2/bot/info")) == calls + 1
    assert deep_look(LINE_CHANNEL_ACCESS_TOKEN="wrong") == (
        503,
        "not well: LINE_CHANNEL_ACCESS_TOKEN",
    )
    away = {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/d", "LOGS_URL": "file:/dev/null/logs"}
    assert deep_look(**away) == (503, "not well: DATABASE_URL, LOGS_URL, sync")
    with synced(timedelta(days=3))(installation):
        assert deep_look() == (503, "not well: sync")
    installation.line.fail_next("/v2/bot/info", status=500, times=9)
    assert deep_look() == (200, "ok"), "an outage of LINE is no fault of the bot"
    installation.line.heal()
