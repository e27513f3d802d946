from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, text

from bot import lifecycle
from storage.database import parsed
from storage.former_values import END
from storage.ports import NewerSchema, StorageError
from storage.schema import SCHEMA
from storage.state import open_state
from storage.upgrades import UPGRADES
from tests.backend import Backend, app


@pytest.fixture
def url(backend: Backend, tmp_path: Path) -> str:
    return backend.database(tmp_path)


@contextmanager
def database(url: str) -> Iterator[Connection]:
    engine = create_engine(parsed(url))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def execute(url: str, statement: str) -> list[Any]:
    with database(url) as connection:
        result = connection.execute(text(statement))
        return [tuple(row) for row in result] if result.returns_rows else []


def test_first_use_writes_the_version(url: str) -> None:
    state = open_state(url)
    assert state.values.get("k") is None
    state.close()
    assert execute(url, "SELECT version FROM janroku_schema") == [(SCHEMA,)]


def test_each_earlier_version_has_an_upgrade() -> None:
    assert sorted(UPGRADES) == list(range(1, SCHEMA))


@pytest.mark.any_backend("reads documents")
@pytest.mark.parametrize("page", ["docs/runbook.md", "docs/runbook.ja.md"])
def test_runbook_names_the_last_day_of_former_formats(page: str) -> None:
    assert END.isoformat() in Path(page).read_text("utf-8")


def test_newer_database_is_refused_and_left_as_it_is(url: str) -> None:
    state = open_state(url)
    state.values.put("k", "1")
    state.close()
    execute(url, f"UPDATE janroku_schema SET version = {SCHEMA + 1}")
    values = state.values
    calls: list[Callable[[], object]] = [
        partial(values.get, "k"),
        partial(values.put, "k", "2"),
        partial(values.items, ""),
    ]
    for call in calls:
        with pytest.raises(
            NewerSchema, match=f"schema {SCHEMA + 1}, this version reads up to {SCHEMA}"
        ):
            call()
    state.close()
    assert execute(url, "SELECT key, value FROM janroku_state") == [("k", "1")]
    assert execute(url, "SELECT version FROM janroku_schema") == [(SCHEMA + 1,)]


def test_failed_upgrade_leaves_the_older_version(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_state(url)) as state:
        state.values.put("chat:C1", '{"league": ""}')  # as 0.1.0 stored it
    execute(url, "DROP TABLE janroku_schema")

    def fail(connection: Connection) -> None:
        connection.execute(text("DELETE FROM janroku_state"))
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setitem(UPGRADES, 1, fail)  # type: ignore[misc]
        with closing(open_state(url)) as state, pytest.raises(StorageError, match="no space left"):
            state.values.get("k")
    with closing(open_state(url)) as state:
        assert state.chats.all() == {"C1": ""}


def test_bot_and_commands_report_a_newer_database(
    url: str, backend: Backend, tmp_path: Path
) -> None:
    with closing(open_state(url)) as state:
        state.values.get("k")
    execute(url, f"UPDATE janroku_schema SET version = {SCHEMA + 1}")
    folders = {"LOGS_URL": f"file:{tmp_path}", "IMAGES_URL": f"file:{tmp_path / 'images'}"}
    with app(folders | backend.env(tmp_path)) as made:
        with pytest.raises(SystemExit, match="DATABASE_URL: a newer Janroku") as ended:
            lifecycle.preload(made.extensions["janroku"])
        assert str(ended.value).count("\n") == 1
        result = made.test_cli_runner().invoke(args=["league", "room", "--remove"])
    assert result.exit_code == 2
    message = "Error: DATABASE_URL: a newer Janroku has written this database"
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1
