import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection

from storage import upgrades
from storage.ports import Denied, StorageError
from storage.state import State, open_state
from tests.backend import Backend
from tests.fakes.servers import PostgresServer, free_port

of_sqlite = pytest.mark.embedded_only("SQLite's own files and locks")
of_postgres = pytest.mark.cloud_only("a Postgres that refuses, hangs or restarts")


WRONG = [
    "",
    "x",
    "sqlite:///:memory:",
    "mysql://u:secret@h/d",
    "postgres://u:secret@h:port/d",
    "file:x",
]


@pytest.mark.parametrize("url", WRONG)
def test_refused_address_is_shown_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"sqlite:///FILE|SQLite needs") as caught:
        open_state(url)
    assert "secret" not in str(caught.value)


def test_opening_makes_no_file(tmp_path: Path) -> None:
    open_state(f"sqlite:///{tmp_path}/state.db")
    assert not list(tmp_path.iterdir())


def test_unreachable_postgres_is_named_without_its_password() -> None:
    state = open_state(f"postgres://u:sec%2Fret@127.0.0.1:{free_port()}/d")
    values = state.values
    calls: list[Callable[[], object]] = [
        partial(values.get, "k"),
        partial(values.put, "k", "v"),
        partial(values.items, ""),
    ]
    for call in calls:
        with pytest.raises(StorageError) as caught:
            call()
        assert "postgresql" in str(caught.value)
        assert "sec/ret" not in str(caught.value)
        assert "sec%2Fret" not in str(caught.value)
        assert not isinstance(caught.value, Denied)


@of_postgres
def test_wrong_password_is_denied_and_not_shown(postgres_server: PostgresServer) -> None:
    state = open_state(f"postgres://janroku:wrong-secret@127.0.0.1:{postgres_server.port}/postgres")
    with pytest.raises(Denied) as caught:
        state.values.get("k")
    assert "wrong-secret" not in str(caught.value)


@of_postgres
def test_options_of_the_address_are_used(postgres_server: PostgresServer) -> None:
    state = open_state(postgres_server.url + "?sslmode=require")
    with pytest.raises(StorageError, match="SSL"):
        state.values.get("k")


@of_postgres
def test_restarted_postgres_is_connected_again(postgres_server: PostgresServer) -> None:
    state = open_state(postgres_server.url)
    state.values.put("k", "1")
    postgres_server.stop()
    try:
        with pytest.raises(StorageError):
            state.values.get("k")
    finally:
        postgres_server.start()
    assert state.values.get("k") == "1"
    postgres_server.stop()
    postgres_server.start()
    assert state.values.get("k") == "1"
    state.close()


@of_postgres
def test_table_without_permission_is_denied(postgres_server: PostgresServer) -> None:
    owner = open_state(postgres_server.url)
    owner.values.put("k", "1")
    owner.close()
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    state = open_state(f"postgresql://guest:guest@127.0.0.1:{postgres_server.port}/postgres")
    with pytest.raises(Denied):
        state.values.put("k", "2")
    state.close()


@of_postgres
def test_hanging_statement_ends(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.engine._STATEMENT_TIMEOUT", 0.2)
    state = open_state(postgres_server.url)
    state.values.put("k", "1")
    with psycopg.connect(postgres_server.url) as connection:
        connection.execute("LOCK TABLE janroku_state")
        with pytest.raises(StorageError, match="statement timeout"):
            state.values.put("k", "2")
    assert state.values.get("k") == "1"
    state.close()


@of_sqlite
def test_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"not a database, whatever its name says" * 100)
    with pytest.raises(StorageError, match=r"state\.db"):
        open_state(f"sqlite:///{tmp_path}/state.db").values.get("k")


@of_sqlite
def test_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError):
        open_state(f"sqlite:///{tmp_path}/file/state.db").values.get("k")


@of_sqlite
def test_sqlite_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    state = open_state(f"sqlite:///{tmp_path}/state.db")
    state.values.put("k", "1")
    other = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert state.values.get("k") == "1"
    other.execute("ROLLBACK")
    other.close()
    state.close()


def test_connection_in_use_is_closed_when_it_is_free(backend: Backend, tmp_path: Path) -> None:
    state = open_state(backend.database(tmp_path))
    state.values.put("k", "v")
    with state.database.begin("look") as used:
        driver = used.connection.driver_connection
        state.close()
    with pytest.raises(Exception, match="closed"):
        driver.execute("SELECT 1")


def test_looking_for_the_database_does_not_make_it(backend: Backend, tmp_path: Path) -> None:
    state = open_state(backend.database(tmp_path))
    assert not state.database.is_made()
    assert not state.database.is_made()
    state.values.put("a", "b")
    assert state.database.is_made()
    state.close()


def test_closed_state_opens_again(backend: Backend, tmp_path: Path) -> None:
    state = open_state(backend.database(tmp_path))
    state.values.put("k", "1")
    state.close()
    state.close()
    assert state.values.get("k") == "1"
    state.close()


def values_of(league: str) -> dict[str, str]:
    """A value under each key of a league but that of its page."""
    return {
        f"evening/{league}": f"evening of {league}",
        f"quiz/{league}/2026-05-04": f"quiz of {league}",
        f"quiz-vote/{league}/2026-05-04/U1": f"vote of {league}",
        f"forgetting:{league}:東風": f"name of {league}",
    }


LEAGUES = ("", "east", "East", "east-2")


def put_values_of_leagues(state: State) -> None:
    for league in LEAGUES:
        values = values_of(league) | {f"page:{league}": "1"}
        for key, value in values.items():
            state.values.put(key, value)


def test_values_of_a_league_are_renamed_with_it(state: State) -> None:
    put_values_of_leagues(state)
    state.values.put("quiz/west/2026-05-04", "of a league that was removed")
    state.values.put("quiz/west/2026-05-03", "another")
    state.rename_league("east", "west")
    state.rename_league("east", "west")
    expected = {"quiz/west/2026-05-03": "another"}
    for key, value in values_of("east").items():
        expected[key.replace("east", "west", 1)] = value
    for league in ("", "East", "east-2"):
        expected |= values_of(league) | {f"page:{league}": "1"}
    assert state.values.items("") == expected


def test_values_of_a_league_are_removed_with_it(state: State) -> None:
    put_values_of_leagues(state)
    state.remove_league("east")
    expected: dict[str, str] = {}
    for league in ("", "East", "east-2"):
        expected |= values_of(league) | {f"page:{league}": "1"}
    assert state.values.items("") == expected


def test_calls_do_not_wait_for_a_long_upgrade(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.engine._TABLES_WAIT", 0.01)
    state = open_state(backend.database(tmp_path))
    bring_up = upgrades.bring_up

    def upgrade_during_a_call(connection: Connection) -> None:
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(state.values.get, "k")
            with pytest.raises(StorageError, match="upgrading the tables"):
                call.result()
        bring_up(connection)

    monkeypatch.setattr(upgrades, "bring_up", upgrade_during_a_call)
    assert state.values.get("k") is None
    state.close()
