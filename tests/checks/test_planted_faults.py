"""Faults planted one by one into a healthy installation: what `flask doctor` reports, and whether
a release stops."""

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, get_args
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from bot.checks.stores import check_state
from bot.runtime.finding import Code
from bot.service import Service
from bot.settings import SettingsError, read_settings
from bot.texts import now
from tests.backend import close
from tests.checks.conftest import Installation
from tests.checks.planted import FAULTS, Env, Planted, locked, run_sql
from tests.cli.running import commands
from tests.fakes.servers import Missing, S3Server, rclone_s3

pytestmark = pytest.mark.xdist_group("installation")  # whose servers are started once


CODES = {
    "is missing": "missing",
    "is no ": "malformed",
    "must ": "malformed",
    "SSL_CERT_FILE": "untrusted",
    "password": "refused",
    "new long-lived": "refused",
    "only be read": "read_only",
    "clock": "clock",
    "a dyno": "lost",
    "restore": "lost",
    "used up": "limit",
    "WEB_CONCURRENCY": "limit",
    "can't be reached": "away",
    "try again": "away",
    "Use webhook": "off",
    "lacks a permission": "permission",
}
"""Which code a fault has whose words hold these."""


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    try:
        with rclone_s3() as server:
            yield server
    except Missing as missing:
        pytest.skip(f"{missing} is not installed")


def prepare(
    env: Env, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, ends: ExitStack
) -> None:
    """Put in the addresses of the servers that a fault's variables ask for by a word."""
    before, after, user = (env.pop(name, "") for name in ("SQL", "SQL_AFTER", "SQL_USER"))
    if re.match("postgres(?!:)|wrong password", env["DATABASE_URL"]):
        url = request.getfixturevalue("database_url")
        wrong = env["DATABASE_URL"] == "wrong password"
        env["DATABASE_URL"] = (
            url.replace("pass%3A", "other%3A") if wrong else url + env["DATABASE_URL"][8:]
        )
        if before:
            ends.enter_context(run_sql(url, before, after))
            env["DATABASE_URL"] = re.sub("//.*@", f"//{user}:x@", url) if user else url
    if env["IMAGES_URL"].startswith("s3:"):
        aws = {name: value for name, value in env.items() if name.startswith("AWS_")}
        for name, value in (request.getfixturevalue("s3").env() | aws).items():
            monkeypatch.setenv(name, value)


def doctor_result(
    env: Env,
    *words: str,
) -> tuple[int, list[dict[str, Any]]]:
    """Doctor's exit status and findings."""
    with ExitStack() as ends:
        try:
            service = Service(read_settings(env), now)
            ends.callback(close, service, begun=False)
            group = commands(service)
        except SettingsError as error:
            group = commands(None, error.faults)
        result = CliRunner().invoke(group, ["doctor", "--json", *words], catch_exceptions=False)
        return result.exit_code, json.loads(result.stdout)["findings"]


def test_the_healthy_installation_is_healthy(installation: Installation) -> None:
    status, findings = doctor_result(installation.env)
    assert [finding for finding in findings if not finding["ok"]] == []
    assert status == 0
    texts = {finding["what"]: finding["text"] for finding in findings}
    assert texts["quota"] == "200 of 200 are left this month"
    assert "arrived, rightly signed" in texts["webhook"]


def test_without_public_url_links_use_the_called_address(
    installation: Installation,
) -> None:
    _status, findings = doctor_result({**installation.env, "PUBLIC_URL": ""})
    (finding,) = [finding for finding in findings if finding["what"] == "PUBLIC_URL"]
    assert finding["ok"]
    assert finding["text"] == f"is not needed: a picture was fetched at {installation.url}"


def test_the_program_that_locks_sqlite_is_named(
    installation: Installation,
) -> None:
    with locked(installation) as env:
        service = Service(read_settings(installation.env | env), now)
        number = re.search(r"open in ([0-9]+) \(.*python", check_state(service).text)
        assert number
        os.kill(int(number[1]), signal.SIGTERM)
        os.waitpid(int(number[1]), 0)
        assert check_state(service).ok
        close(service, begun=False)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(
    installation: Installation,
    fault: Planted,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ExitStack() as ends:
        env = installation.env | ends.enter_context(fault.plant(installation))
        env |= {
            name: value.format(home=installation.home) for name, value in (fault.env or {}).items()
        }
        prepare(env, request, monkeypatch, ends)
        sdk_variables = {
            name: value for name, value in env.items() if name.startswith(("AWS_", "REQUESTS_"))
        }
        ends.enter_context(
            patch.dict("os.environ", sdk_variables)
        )  # undone before what the plants set
        status, findings = doctor_result(env, "--release")
    ill = [finding for finding in findings if not finding["ok"]]
    planted = next(
        (
            finding
            for finding in ill
            if finding["what"] == fault.what and fault.says in finding["text"]
        ),
        None,
    )
    assert planted, ill
    assert planted["code"] == next(
        (code for words, code in CODES.items() if words in fault.says), planted["code"]
    )
    assert planted["code"] in get_args(Code)
    assert fault.stops in (None, planted["stops_release"])
    assert status == int(any(finding["stops_release"] for finding in ill))
    output = json.dumps(findings)
    assert not [
        name for name, value in env.items() if "SECRET" in name and value and value in output
    ]
