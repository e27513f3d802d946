"""Faults planted one by one into a healthy installation: what `flask doctor` says, and whether a release
stops."""

import json
import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import timedelta
from typing import Any, get_args
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from bot.checks.stores import check_state
from bot.runtime.finding import Code
from bot.service import Service
from bot.settings import SettingsError, read_settings
from bot.sync.run import SYNCED
from bot.texts import now
from storage.state import open_state
from tests.backend import close
from tests.checks.conftest import Installation
from tests.checks.faults import LINE, MORE
from tests.checks.planted import Env, Planted, changed, dropbox, line, locked, nothing, run_sql, synced
from tests.cli.running import commands
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.redis import redis_server
from tests.fakes.servers import Missing, S3Server, free_port, rclone_s3

pytestmark = pytest.mark.xdist_group("installation")  # whose servers are started once


def webhook_at(path: str) -> Callable[[Installation], AbstractContextManager[Env]]:
    """LINE calls another path of the same service, and PUBLIC_URL is not set, so only LINE's test can
    tell."""
    return lambda healthy: changed(healthy.line, callback_url=f"{healthy.url}{path}")


@contextmanager
def no_service(healthy: Installation) -> Iterator[Env]:
    url = f"http://127.0.0.1:{free_port()}"
    with changed(healthy.line, callback_url=f"{url}/callback"):
        yield {"PUBLIC_URL": url}


@contextmanager
def no_menu(healthy: Installation) -> Iterator[Env]:
    menus, kept = healthy.line.menus, healthy.line.menus.default
    menus.default = None
    yield {}
    menus.default = kept


@contextmanager
def other_database(healthy: Installation) -> Iterator[Env]:
    """This database is not the running service's."""
    path = healthy.home / "other.sqlite3"
    state = open_state(f"sqlite:///{path}")
    state.values.put(SYNCED, now().isoformat())
    state.close()
    yield {"DATABASE_URL": f"sqlite:///{path}"}


@contextmanager
def newer_database(healthy: Installation) -> Iterator[Env]:
    path = healthy.home / "newer.sqlite3"
    open_state(f"sqlite:///{path}").values.put("a", "b")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE janroku_schema SET version = 99")
    connection.close()
    yield {"DATABASE_URL": f"sqlite:///{path}"}


def broken_file(name: str, text: str) -> Callable[[Installation], AbstractContextManager[Env]]:
    @contextmanager
    def plant(healthy: Installation) -> Iterator[Env]:
        folder = healthy.home / f"broken {name}"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
        yield {"LOGS_URL": f"file:{folder}"}

    return plant


@contextmanager
def no_worker(healthy: Installation) -> Iterator[Env]:
    with redis_server() as server:
        yield {"REDIS_URL": server.url}


@contextmanager
def in_the_way(healthy: Installation) -> Iterator[Env]:
    (healthy.home / "file").write_text("")
    yield {}


STOPPING = (  # what is found, what is said of it, variables, and what is planted
    (LINE, "issue a new long-lived token", {"LINE_CHANNEL_ACCESS_TOKEN": "wrong"}, nothing),
    ("LINE_CHANNEL_SECRET", "is missing", {"LINE_CHANNEL_SECRET": ""}, nothing),
    ("LINE_CHANNEL_SECRET", "is not this channel's", {"LINE_CHANNEL_SECRET": "f" * 32}, nothing),
    (LINE, "can't be reached at", {"LINE_API_URL": "http://127.0.0.1:9"}, nothing),
    ("ADMIN_USER_IDS", "nobody may use the bot", {"ADMIN_USER_IDS": "", "LEAGUE_CHATS": ""}, nothing),
    ("ADMIN_USER_IDS", "is no LINE id", {"ADMIN_USER_IDS": "U12345"}, nothing),
    ("LOGS_URL", "the demo league", {"LOGS_URL": ""}, nothing),
    (
        "LOGS_URL",
        "a dyno loses",
        {"DYNO": "web.1", "DATABASE_URL": "postgres", "IMAGES_URL": "postgres:"},
        nothing,
    ),
    ("DATABASE_URL", "a dyno loses", {"DYNO": "web.1", "LOGS_URL": "dropbox:/"}, dropbox()),
    (
        "IMAGES_URL",
        "a dyno loses",
        {"DYNO": "web.1", "DATABASE_URL": "postgres", "LOGS_URL": "postgres:"},
        nothing,
    ),
    ("DROPBOX_REFRESH_TOKEN", "no longer accepts it", {}, dropbox(FakeDropbox.revoke)),
    ("DROPBOX_APP_SECRET", "does not belong to DROPBOX_APP_KEY", {}, dropbox(DROPBOX_APP_SECRET="wrong")),
    (
        "DROPBOX_REFRESH_TOKEN",
        "lacks a permission",
        {},
        dropbox(lambda fake: fake.forbid("files.content.write")),
    ),
    ("DROPBOX_APP_KEY", "is missing", {"LOGS_URL": "dropbox:/", "DROPBOX_REFRESH_TOKEN": "x"}, nothing),
    ("DATABASE_URL", "refuses its user or password", {"DATABASE_URL": "wrong password"}, nothing),
    ("DATABASE_URL", "a newer Janroku", {}, newer_database),
    ("IMAGES_URL", "can't be written", {"IMAGES_URL": "file:{home}/file/images"}, in_the_way),
    ("IMAGES_URL", "no such bucket", {"IMAGES_URL": "s3://another-bucket"}, nothing),
    (
        "AWS_ACCESS_KEY_ID",
        "knows no such key",
        {"IMAGES_URL": "s3://janroku-test", "AWS_ACCESS_KEY_ID": "AKIAWRONG"},
        nothing,
    ),
    (
        "AWS_SECRET_ACCESS_KEY",
        "does not belong",
        {"IMAGES_URL": "s3://janroku-test", "AWS_SECRET_ACCESS_KEY": "wrong"},
        nothing,
    ),
    ("TENHOU_URL", "does not answer", {"TENHOU_URL": "http://127.0.0.1:9"}, nothing),
    ("TENHOU_ROOM_ID", "digits", {"TENHOU_ROOM_ID": "C12"}, nothing),
    ("JANROKU_SECRET_KEY", "is no key", {"JANROKU_SECRET_KEY": "short"}, nothing),
)
LET_THROUGH = (
    ("webhook", "refuses LINE's signature", {"LINE_CHANNEL_SECRET": "f" * 32}, line(channel_secret="f" * 32)),
    ("webhook", "LINE knows no webhook address", {}, line(callback_url="")),
    ("webhook", "turn on Use webhook", {}, line(webhook_active=False)),
    ("webhook", "`flask setup` sets the webhook anew", {}, line(callback_url="http://127.0.0.1:9/callback")),
    ("webhook", "answered with status 404", {"PUBLIC_URL": ""}, webhook_at("/call")),
    ("webhook", "does not reach", {}, no_service),
    ("webhook", "not by this installation", {}, other_database),
    ("richmenu", "nobody is shown it", {}, no_menu),
    ("LOGS_URL", "does not answer at the moment", {}, dropbox(lambda fake: fake.fail(status=503, times=99))),
    ("DATABASE_URL", "can't be reached", {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/d"}, nothing),
    ("REDIS_URL", "Redis can't be reached", {"REDIS_URL": "redis://127.0.0.1:9/0"}, nothing),
    ("REDIS_URL", "no worker lives", {}, no_worker),
    ("sync", "none has been good yet", {}, synced(None)),
    ("sync", "says what is in its way", {}, synced(timedelta(days=3))),
    (
        "memory",
        "set WEB_CONCURRENCY or CACHE_MB lower",
        {"WEB_CONCURRENCY": "200", "CACHE_MB": "4096"},
        nothing,
    ),
    ("league", "league.toml", {}, broken_file("league.toml", "rooms = 3\n")),
    ("league", "logvol1.txt", {}, broken_file("LogVol1.txt", "20200518\n")),
)
"""Faults that a release does not stop at, as they pass or are the league's."""
FAULTS = tuple(
    Planted(f"{what}: {says}", what, says, env, plant, stops)
    for stops, rows in ((True, STOPPING), (False, LET_THROUGH))
    for what, says, env, plant in rows
)


CODES = {
    "is missing": "missing", "is no ": "malformed", "must ": "malformed", "SSL_CERT_FILE": "untrusted",
    "password": "refused", "new long-lived": "refused", "only be read": "read_only", "clock": "clock", "a dyno": "lost",
    "restore": "lost", "used up": "limit", "WEB_CONCURRENCY": "limit", "can't be reached": "away", "try again": "away",
    "Use webhook": "off", "lacks a permission": "permission",
}  # fmt: skip
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
        env["DATABASE_URL"] = url.replace("pass%3A", "other%3A") if wrong else url + env["DATABASE_URL"][8:]
        if before:
            ends.enter_context(run_sql(url, before, after))
            env["DATABASE_URL"] = re.sub("//.*@", f"//{user}:x@", url) if user else url
    if env["IMAGES_URL"].startswith("s3:"):
        given = {name: value for name, value in env.items() if name.startswith("AWS_")}
        for name, value in (request.getfixturevalue("s3").env() | given).items():
            monkeypatch.setenv(name, value)


def told(env: Env, *words: str) -> tuple[int, list[dict[str, Any]]]:
    """Doctor's exit status and findings."""
    with ExitStack() as ends:
        try:
            service = Service(read_settings(env), now)
            ends.callback(close, service, begun=False)
            group = commands(service)
        except SettingsError as error:
            group = commands(None, error.found)
        result = CliRunner().invoke(group, ["doctor", "--json", *words], catch_exceptions=False)
        return result.exit_code, json.loads(result.stdout)["findings"]


def test_the_healthy_installation_is_healthy(installation: Installation) -> None:
    status, findings = told(installation.env)
    assert [one for one in findings if not one["ok"]] == []
    assert status == 0
    said = {one["what"]: one["text"] for one in findings}
    assert said["quota"] == "200 of 200 are left this month"
    assert "arrived, rightly signed" in said["webhook"]


def test_the_program_that_locks_sqlite_is_named_and_ending_it_helps(installation: Installation) -> None:
    with locked(installation) as env:
        service = Service(read_settings(installation.env | env), now)
        number = re.search(r"open in ([0-9]+) \(.*python", check_state(service).text)
        assert number
        os.kill(int(number[1]), signal.SIGTERM)
        os.waitpid(int(number[1]), 0)
        assert check_state(service).ok
        close(service, begun=False)


@pytest.mark.parametrize("fault", FAULTS + MORE, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(
    installation: Installation,
    fault: Planted,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ExitStack() as ends:
        env = installation.env | ends.enter_context(fault.plant(installation))
        env |= {name: value.format(home=installation.home) for name, value in (fault.env or {}).items()}
        prepare(env, request, monkeypatch, ends)
        own = {name: value for name, value in env.items() if name.startswith(("AWS_", "REQUESTS_"))}
        ends.enter_context(patch.dict("os.environ", own))  # undone before what the plants set
        status, findings = told(env, "--release")
    ill = [one for one in findings if not one["ok"]]
    found = next((one for one in ill if one["what"] == fault.what and fault.says in one["text"]), None)
    assert found, ill
    assert found["code"] == next(
        (code for words, code in CODES.items() if words in fault.says), found["code"]
    )
    assert found["code"] in get_args(Code)
    assert fault.stops in (None, found["stops_release"])
    assert status == int(any(one["stops_release"] for one in ill))
    shown = json.dumps(findings)
    assert not [name for name, value in env.items() if "SECRET" in name and value and value in shown]
