from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

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


def test_a_call_ends(server: servers.PostgresServer) -> None:
    """Of the state and of files, whether it was connected before or not, all at once."""
    ends: list[Callable[[], None]] = []
    calls: list[Callable[[], object]] = []
    for connected in (True, False):
        state = open_state(server.url)
        database = Database(server.url)
        ends += [state.close, database.close]
        state_call = partial(state.values.get, "k")
        file_call = partial(PostgresLogs(database).below, "f")
        calls += [state_call, file_call]
        if connected:
            state_call()
            file_call()
    with ThreadPoolExecutor(8 * len(calls)) as pool:
        with frozen(server.process):
            results = []
            for call in calls:
                results += [pool.submit(call) for _ in range(8)]
            for result in results:
                assert isinstance(result.exception(PATIENCE), StorageError)
        for call in calls:
            call()
    for end in ends:
        end()
