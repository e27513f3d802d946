"""Settings from the environment: defaults, checks, and all faults reported together by name."""

import re
from pathlib import Path

import pytest

from bot.demo_chat import DEMO_GROUP
from bot.settings import SettingsError, read_settings
from tests.real import DATA

ROOT = Path(__file__).parents[1]
REAL = "https://api.line.me"
LINE = {"LINE_CHANNEL_SECRET": "s" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "t" * 40}


def test_with_nothing_set_the_console_plays_line() -> None:
    settings = read_settings({})
    assert settings.console
    assert settings.demo
    assert settings.league_chats == {DEMO_GROUP}
    assert settings.admin_user_ids


def test_with_a_channel_nobody_is_let_in_and_line_is_lines_own() -> None:
    settings = read_settings(LINE)
    assert not settings.console
    assert settings.line_api_url == REAL
    assert settings.league_chats == set()


def test_every_fault_is_reported_at_once() -> None:
    with pytest.raises(SettingsError) as error:
        read_settings(
            {
                "LINE_CHANNEL_SECRET": "s",
                "LOGS_URL": "dropbox:/x",
                "IMAGES_URL": "ftp://x",
                "DATABASE_URL": "mysql://x",
                "PUBLIC_URL": "http://example.com",
                "REDIS_URL": "x",
                "TENHOU_URL": "tenhou",
                "LEAGUE_CHATS": "C1,nope",
                "PORT": "eighty",
            }
        )
    named = {fault.partition(":")[0] for fault in error.value.faults}
    assert named == {
        "LINE_CHANNEL_ACCESS_TOKEN",
        "DROPBOX_APP_KEY",
        "DROPBOX_REFRESH_TOKEN",
        "IMAGES_URL",
        "DATABASE_URL",
        "PUBLIC_URL",
        "REDIS_URL",
        "TENHOU_URL",
        "LEAGUE_CHATS",
        "PORT",
    }


@pytest.mark.parametrize("row", (DATA / "wrong_settings.tsv").read_text("utf-8").splitlines())
def test_a_fault_is_named_beside_the_others(row: str) -> None:
    name, value, says = row.split("\t")
    with pytest.raises(SettingsError) as error:
        read_settings({**LINE, "METRICS_TOKEN": "short", "ADMIN_NOTICES": "yes", name: value})
    named = {fault.partition(":")[0]: fault for fault in error.value.faults}
    assert named.keys() == {name, "METRICS_TOKEN", "ADMIN_NOTICES"}
    assert says in named[name]


@pytest.mark.parametrize(
    ("api", "dyno"),
    [
        ("", "x"),
        (REAL, ""),
        (REAL, "x"),
        ("http://127.0.0.1:8000/console/line", "x"),
    ],
)
def test_the_consoles_public_secret_serves_this_machine_only(api: str, dyno: str) -> None:
    with pytest.raises(SettingsError, match="LINE_CHANNEL_SECRET"):
        read_settings({"LINE_API_URL": api, "DYNO": dyno})


def test_secrets_are_not_shown() -> None:
    given = {"DATABASE_URL": "postgres://u:hunter2@h/d", "DROPBOX_APP_SECRET": "dropsecret"}
    shown = repr(read_settings(LINE | given))
    for secret in ("s" * 32, "t" * 40, "hunter2", "dropsecret"):
        assert secret not in shown


def test_what_stores_read_from_the_environment_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "VAULT_PASSWORD",
        "AWS_ACCESS_KEY_ID",
    ):
        monkeypatch.setenv(name, f"value of {name}")
    secrets = read_settings(LINE).secrets
    assert "value of AWS_SECRET_ACCESS_KEY" in secrets
    assert "value of AWS_SESSION_TOKEN" in secrets
    assert "value of VAULT_PASSWORD" in secrets
    assert "value of AWS_ACCESS_KEY_ID" not in secrets


@pytest.mark.parametrize(
    "url", ["https://x.example", "http://127.0.0.1:8000", "http://localhost:1"]
)
def test_pictures_come_from_https_or_loopback(url: str) -> None:
    assert read_settings({"PUBLIC_URL": url + "/"}).public_url == url


@pytest.mark.parametrize("name", [".env.example", "docs/reference.md"])
def test_every_variable_is_documented(name: str) -> None:
    source = (ROOT / "bot" / "settings.py").read_text("utf-8")
    variables = set(re.findall(r'"([A-Z][A-Z_]+[A-Z])"', source)) - {"DYNO", "UCR"}
    text = (ROOT / name).read_text("utf-8")
    assert {variable for variable in variables if variable not in text} == set()


@pytest.mark.parametrize(
    "logs", ["postgres:", "postgres:/", "postgres:/FOLDER", "postgres:/リーグ/Logs"]
)
def test_logs_and_pictures_in_the_database(logs: str) -> None:
    url = "postgres://u:hunter2@h/d"
    settings = read_settings(
        {**LINE, "LOGS_URL": logs, "IMAGES_URL": "postgres:", "DATABASE_URL": url}
    )
    assert (settings.logs_url, settings.images_url, settings.demo) == (logs, "postgres:", False)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("LOGS_URL", "postgres://u:hunter2@h/d", "must be postgres: alone"),
        ("IMAGES_URL", "postgres://u:hunter2@h/d", "must be postgres: alone"),
        ("IMAGES_URL", "postgres:/pictures", "must be postgres: alone"),
        ("LOGS_URL", "postgres:/a/../b", "is no folder's name"),
    ],
)
def test_an_address_in_the_database_is_checked_and_no_password_shown(
    name: str, value: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=words) as error:
        read_settings({**LINE, "DATABASE_URL": "postgres://u:hunter2@h/d", name: value})
    assert error.value.faults == [error.value.faults[0]]
    assert error.value.faults[0].startswith(f"{name}: ")
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("name", ["LOGS_URL", "IMAGES_URL"])
@pytest.mark.parametrize("database", ["", "sqlite:///state.sqlite3"])
def test_files_in_a_database_need_postgres(name: str, database: str) -> None:
    with pytest.raises(
        SettingsError, match=f"{name}: is postgres:, so DATABASE_URL must be postgres://"
    ):
        read_settings({**LINE, name: "postgres:", "DATABASE_URL": database})
