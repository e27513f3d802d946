"""All checks side by side: a slow service keeps nobody waiting, and what hangs on another store's answer is
left out."""

from __future__ import annotations

import gettext
import time

import pytest

from app import create_app
from bot.checks.run import LOOKS, checks
from bot.runtime.finding import CHECKS, DOMAIN, LOCALE
from bot.settings import read_settings
from tests.backend import close
from tests.checks.conftest import Installation

pytestmark = pytest.mark.xdist_group("installation")


def test_a_service_that_hangs_is_a_finding(installation: Installation) -> None:
    service = create_app(read_settings(installation.env)).extensions["janroku"]
    slow = installation.line.slow_next("/v2/bot/info", 30.0)
    begun = time.monotonic()
    found = {finding.what: finding for finding in checks(service, limit=2.0)}
    assert time.monotonic() - begun < 10
    assert found["LINE_CHANNEL_ACCESS_TOKEN"].text == "no answer within 2 seconds"
    assert not found["LINE_CHANNEL_ACCESS_TOKEN"].stops_release
    assert found["DATABASE_URL"].ok
    slow.release()
    close(service)


def test_findings_are_said_in_another_language_than_the_process_has(installation: Installation) -> None:
    service = create_app(read_settings(installation.env)).extensions["janroku"]
    japanese = gettext.translation(DOMAIN, LOCALE, ["ja"]).gettext
    said = {finding.what: finding.said(japanese) for finding in checks(service)}
    assert said["richmenu"] == "全員に表示されます"
    assert said["version"].startswith("雀録 ")
    close(service)


def test_without_a_database_the_checks_that_need_it_are_left_out(installation: Installation) -> None:
    env = installation.env | {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/d"}
    service = create_app(read_settings(env)).extensions["janroku"]
    found = [finding.what for finding in checks(service)]
    assert "DATABASE_URL" in found
    assert not {"LEAGUE_CHATS", "webhook", "sync", "league"} & set(found)
    assert found[-2:] == ["memory", "version"]
    close(service)


def test_the_list_and_what_is_done_name_the_same_checks() -> None:
    assert [check.name for check in CHECKS if check.turn] == list(LOOKS)
