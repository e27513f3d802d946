from datetime import UTC, datetime, timedelta

import pytest

from bot.runtime.leased_work import LeasedWork
from storage.database import IN_MEMORY
from storage.ports import StorageError
from storage.state import open_state
from tests.sync.nights import Inline


@pytest.mark.parametrize("error", [StorageError("away"), KeyError("x"), None])
def test_leased_work_goes_on_after_a_round_that_failed(error: Exception | None) -> None:
    state = open_state(IN_MEMORY)
    starts: list[datetime | None] = []

    class Rounds(LeasedWork):
        def do(self) -> None:
            starts.append(self.since)
            if error is not None:
                raise error

    work = Rounds("test", state.lease("test", 60), timedelta(hours=1))
    work.pool = Inline()
    midnight = datetime(2026, 5, 4, tzinfo=UTC)
    times = [midnight + timedelta(hours=hours) for hours in range(3)]
    for now in times:
        assert work.begin(now)
        assert work.since is None
    assert starts == times
