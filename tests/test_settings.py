"""Settings from the environment: defaults, checks, and all faults reported together by name."""

import re
from pathlib import Path

import pytest

from bot.demo_chat import DEMO_GROUP
from bot.settings import SettingsError, read_settings, table
from bot.settings.stores import BACKUP_KINDS, IMAGE_KINDS, LOG_KINDS
from tests.real import DATA
from tests.tools.variables import PAGES

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
    named = {fault.partition(":")[0] for fault in error.value.lines}
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
def test_a_fault_is_reported_with_the_others(row: str) -> None:
    name, value, says = row.split("\t")
    with pytest.raises(SettingsError) as error:
        read_settings({**LINE, "METRICS_TOKEN": "short", "ADMIN_NOTICES": "yes", name: value})
    named = {fault.partition(":")[0]: fault for fault in error.value.lines}
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
    variables = {"DATABASE_URL": "postgres://u:hunter2@h/d", "DROPBOX_APP_SECRET": "dropsecret"}
    text = repr(read_settings(LINE | variables))
    for secret in ("s" * 32, "t" * 40, "hunter2", "dropsecret"):
        assert secret not in text


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


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_those_of_the_table(page: str) -> None:
    """`make variables` writes them."""
    text = (ROOT / page).read_text("utf-8")
    assert PAGES[page](text) == text


@pytest.mark.parametrize("page", PAGES)
def test_a_stale_page_is_rewritten(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    stale = text.replace("TENHOU_ROOM_ID", "TENHOU_ROOM")
    assert stale != text
    assert PAGES[page](stale).count("TENHOU_ROOM_ID") == text.count("TENHOU_ROOM_ID")


def test_every_variable_is_in_the_table_once() -> None:
    names = [variable.name for variable in table()]
    assert sorted(set(names)) == sorted(names)


def test_a_variable_is_read_only_if_the_table_has_it() -> None:
    """Every variable that the product names in capitals is in the table, or somebody else's."""
    others = {"DYNO", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}
    others |= {"PROMETHEUS_MULTIPROC_DIR", "MALLOC_ARENA_MAX", "FLASK_RUN_FROM_CLI", "LANGUAGE"}
    others |= {"REQUEST_METHOD", "PATH_INFO"}  # of a request, not of a process
    reading = re.compile(r'(?:environ(?:\.get)?[\[(]|text_of\(|env\.get\()"([A-Z_]+)"')
    named: set[str] = set()
    for folder in ("bot", "storage"):
        for path in (ROOT / folder).rglob("*.py"):
            named.update(reading.findall(path.read_text("utf-8")))
    assert len(named) > 8
    assert named - others <= {variable.name for variable in table()}


def test_every_kind_of_store_is_named_where_it_can_be_chosen() -> None:
    meanings = {variable.name: variable.meaning for variable in table()}
    places = {"LOGS_URL": LOG_KINDS, "IMAGES_URL": IMAGE_KINDS, "BACKUP_URL": BACKUP_KINDS}
    for name, kinds in places.items():
        for kind in kinds:
            assert kind.form.en in meanings[name].en
            assert kind.form.ja in meanings[name].ja


def test_stores_are_named_in_their_modules_alone() -> None:
    name = re.compile(r"dropbox|\bs3\b|s3:|S3Images|DROPBOX_|AWS_", re.IGNORECASE)
    modules = ["bot/checks/stores.py", "bot/stores.py", "bot/cli/backup.py"]
    modules += ["bot/cli/doctor.py", "bot/cli/richmenu.py", "bot/cli/sweep.py"]
    modules += ["bot/cli/setup_steps.py", "bot/cli/setup_stores.py", "bot/cli/setup_look.py"]
    modules += ["bot/cli/setup_league.py"]
    modules += ["bot/settings/table.py", "bot/settings/kinds.py", "bot/settings/variable.py"]
    modules += ["bot/settings/store_kind.py", "bot/league/backup.py", "bot/service.py"]
    for module in modules:
        assert name.findall((ROOT / module).read_text("utf-8")) == [], module


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
def test_a_faulty_address_is_reported_without_its_password(
    name: str, value: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=words) as error:
        read_settings({**LINE, "DATABASE_URL": "postgres://u:hunter2@h/d", name: value})
    assert error.value.lines == [error.value.lines[0]]
    assert error.value.lines[0].startswith(f"{name}: ")
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("name", ["LOGS_URL", "IMAGES_URL"])
@pytest.mark.parametrize("database", ["", "sqlite:///state.sqlite3"])
def test_files_in_a_database_need_postgres(name: str, database: str) -> None:
    with pytest.raises(
        SettingsError, match=f"{name}: is postgres:, so DATABASE_URL must be postgres://"
    ):
        read_settings({**LINE, name: "postgres:", "DATABASE_URL": database})
