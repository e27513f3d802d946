from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bot.league.season_log import folder_opener
from bot.service import Service
from bot.settings import read_settings
from bot.sync.jobs import Job, JobRunner, Outcome
from bot.sync.league_job import LeagueWork
from bot.sync.run import sync_leagues
from bot.tenhou.client import TenhouClient
from tests.backend import Backend, close
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import no_wait
from tests.sync.test_sync import HAND


@pytest.fixture
def dropbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDropbox]:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    with FakeDropbox() as fake, fake.patched():
        fake.account.put("/logs/logvol1.txt", HAND.encode())
        yield fake


def test_dropbox_gone_for_a_moment_costs_no_league_its_day(
    dropbox: FakeDropbox, tenhou: FakeTenhou, backend: Backend, tmp_path: Path
) -> None:
    """The circuit breaker opens and most leagues are refused; once it closes, the same sync serves
    them.
    """
    leagues = [f"l{number}" for number in range(20)]
    lines = []
    for number, league in enumerate(leagues):
        season = '[[season]]\nlog = "logvol1.txt"\nstart = 2020-01-01\n'
        dropbox.account.put(
            f"/host/{league}/league.toml", f'rooms = ["C{number:04}"]\n{season}'.encode()
        )
        lines.append(f"C{number:04} | 20:00 | 三般南喰赤－ | 東(+1.0) 南(0.0) 西(-1.0)")
    tenhou.put(date(2020, 5, 17), lines)
    env = {
        "LOGS_URL": "dropbox:/host",
        "DATABASE_URL": backend.database(tmp_path),
        **dropbox.credentials(),
    }
    service = Service(read_settings(env), now=tenhou.clock)
    dropbox.fail("files/", status=500, times=999)
    work = LeagueWork(folder_opener(service.stores.open_logs), service.state, tenhou.clock)
    refused: list[Outcome] = []

    def until_it_is_back(job: Job) -> Outcome:
        outcome = work(job)
        if outcome.again:
            refused.append(outcome)
            dropbox.heal()
            service.stores._logs._until = 0.0
        return outcome

    with TenhouClient(tenhou.url) as client:
        runner = JobRunner(until_it_is_back)
        result = sync_leagues(leagues, runner, service.state, client, tenhou.clock, wait=no_wait)
    close(service)
    assert (result.games, result.problems) == (20, [])
    assert refused
