from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bot.league.files import read_version, versions
from bot.league.season_log import LeagueFolder, folder_opener
from bot.service import Service
from bot.settings import read_settings
from bot.sync.jobs import Job, JobRunner, Outcome
from bot.sync.league_job import LeagueWork
from bot.sync.run import sync_leagues
from bot.tenhou.client import TenhouClient
from rating.league import League
from storage.dropbox_logs import DropboxLogs
from storage.state import State
from tests.backend import Backend, close
from tests.fakes.dropbox import FakeDropbox
from tests.fakes.tenhou import FakeTenhou
from tests.sync.evenings import no_wait
from tests.sync.single import sync
from tests.sync.test_sync import HAND, held_of
from tests.sync.worlds import ROOM, held, month, ours, show


class Edited(DropboxLogs):
    """A folder in which somebody's edit comes between the sync's read and its write, twice."""

    account: FakeDropbox
    edits = 2

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        if name == "logvol1.txt" and self.edits:
            self.edits -= 1
            there = self.account.account.get("/logs/logvol1.txt")
            self.account.account.put("/logs/logvol1.txt", there + f"# hand {self.edits}\n".encode())
        return super().write(name, data, rev)


@pytest.fixture
def dropbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDropbox]:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    with FakeDropbox() as fake, fake.patched():
        fake.account.put("/logs/logvol1.txt", HAND.encode())
        yield fake


def test_a_hand_edit_before_the_write_survives(
    dropbox: FakeDropbox, tenhou: FakeTenhou, state: State
) -> None:
    games = month(30, date(2020, 5, 15), 3)
    show(tenhou, games)
    logs = Edited("/logs", access_token=dropbox.access_token)
    logs.account = dropbox
    with TenhouClient(tenhou.url) as client:
        result = sync(
            [LeagueFolder(logs, League(rooms=(ROOM,)))], state, client, tenhou.clock, wait=lambda _: None
        )
    assert result.problems == []
    data = dropbox.account.get("/logs/logvol1.txt")
    assert data.count(b"# hand 1\n") == data.count(b"# hand 0\n") == 1
    assert held(logs, "logvol1.txt") == ours(games) + held_of(HAND)
    kept = versions(logs, "logvol1.txt")
    assert read_version(logs, "logvol1.txt", kept[0].name) == HAND.encode()


def test_dropbox_out_of_reach_loses_nothing(dropbox: FakeDropbox, tenhou: FakeTenhou, state: State) -> None:
    games = month(31, date(2020, 5, 15), 3)
    show(tenhou, games)
    logs = DropboxLogs("/logs", access_token=dropbox.access_token)
    target = LeagueFolder(logs, League(rooms=(ROOM,)))
    dropbox.fail("files/upload", status=400, times=99)
    with TenhouClient(tenhou.url) as client:
        result = sync([target], state, client, tenhou.clock, wait=lambda _: None)
        assert (result.downloaded, result.games, len(result.problems)) == (3, 0, 1)
        dropbox.heal()
        assert sync([target], state, client, tenhou.clock).games == sum(ours(games).values())


def test_dropbox_gone_for_a_moment_costs_no_league_its_day(
    dropbox: FakeDropbox, tenhou: FakeTenhou, backend: Backend, tmp_path: Path
) -> None:
    """The circuit breaker opens and most leagues are refused; once it closes, the same sync serves them."""
    leagues = [f"l{number}" for number in range(20)]
    lines = []
    for number, league in enumerate(leagues):
        season = '[[season]]\nlog = "logvol1.txt"\nstart = 2020-01-01\n'
        dropbox.account.put(f"/host/{league}/league.toml", f'rooms = ["C{number:04}"]\n{season}'.encode())
        lines.append(f"C{number:04} | 20:00 | 三般南喰赤－ | 東(+1.0) 南(0.0) 西(-1.0)")
    tenhou.put(date(2020, 5, 17), lines)
    env = {"LOGS_URL": "dropbox:/host", "DATABASE_URL": backend.database(tmp_path), **dropbox.credentials()}
    service = Service(read_settings(env), now=tenhou.clock)
    dropbox.fail("files/", status=500, times=999)
    work, refused = (
        LeagueWork(folder_opener(service.stores.open_logs), service.state, tenhou.clock),
        list[Outcome](),
    )

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
