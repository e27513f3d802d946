"""A database that is stopped keeps nobody waiting, and is used again once it goes on."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from storage.database import Database
from storage.ports import StorageError
from storage.postgres import PostgresLogs
from storage.state import open_state
from tests.fakes import servers
from tests.fakes.process import frozen

PATIENCE = 40.0  # seconds; the calls end within 4 and 11


@pytest.fixture(scope="module")
def server() -> Iterator[servers.PostgresServer]:
    try:
        with servers.postgres() as made:
            yield made
    except servers.Missing as missing:
        pytest.skip(f"{missing} is not installed")


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("kind", ["state", "files"])
def test_a_call_ends(server: servers.PostgresServer, kind: str, connected: bool) -> None:
    state = open_state(server.url)
    database = Database(server.url)
    logs = PostgresLogs(database)
    call: Callable[[], object] = {"state": lambda: state.values.get("k"), "files": lambda: logs.below("f")}[
        kind
    ]
    if connected:
        call()
    with ThreadPoolExecutor(8) as pool:
        with frozen(server.process):
            calls = [pool.submit(call) for _ in range(8)]
            for each in calls:
                assert isinstance(each.exception(PATIENCE), StorageError)
        call()
    state.close()
    database.close()
