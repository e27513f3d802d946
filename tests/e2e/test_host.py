"""A service for many leagues: one with its own Dropbox account, and all web processes' metrics
together.
"""

import urllib.request
from collections.abc import Iterator

import pytest

from bot.demo_chat import DEMO_USERS
from bot.league.demo import demo_files
from bot.runtime.encryption import Encryption
from storage.accounts import Account
from tests.backend import Backend
from tests.e2e.fleet import Fleet, fleet, until
from tests.e2e.taps import image_of
from tests.fakes.dropbox import FakeDropbox

pytestmark = pytest.mark.xdist_group("host")
KEY = "k" * 43 + "="
METRICS = "metrics-token-0123456789"


def figures(url: str) -> dict[str, float]:
    request = urllib.request.Request(
        f"{url}/metrics", headers={"Authorization": f"Bearer {METRICS}"}
    )
    with urllib.request.urlopen(request, timeout=5) as answer:
        lines = answer.read().decode().splitlines()
    found = {}
    for line in lines:
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            found[name] = float(value)
    return found


@pytest.fixture(scope="module")
def dropbox() -> Iterator[FakeDropbox]:
    with FakeDropbox() as made:
        for name, data in demo_files().items():
            made.account.put(f"/records/{name}", data)
        yield made


@pytest.fixture(scope="module")
def host(
    tmp_path_factory: pytest.TempPathFactory, backend: Backend, dropbox: FakeDropbox
) -> Iterator[tuple[Fleet, str]]:
    """The service, and the group of the league that has its own Dropbox account."""
    token = dropbox.credentials()["DROPBOX_REFRESH_TOKEN"]
    env = {key: value for key, value in dropbox.env().items() if key != "DROPBOX_REFRESH_TOKEN"}
    env |= {"JANROKU_SECRET_KEY": KEY, "METRICS_TOKEN": METRICS}
    with fleet(tmp_path_factory.mktemp("host"), backend.kind, **env) as ships:
        ships.state.accounts.set("own", Account("/records", Encryption(KEY).encrypt(token)))
        group = ships.line.add_group("own", [user.id for user in DEMO_USERS])
        ships.state.chats.enrol(group, "own")
        yield ships, group
        assert token not in ships.lines()


def tap(ships: Fleet, group: str) -> None:
    for _ in range(6):
        assert image_of(
            ships.line.answers(ships.line.tap(group, DEMO_USERS[0].id, "request_rating"))
        )


def test_a_league_in_its_own_account(host: tuple[Fleet, str], dropbox: FakeDropbox) -> None:
    tap(*host)
    assert dropbox.calls["files/download"]


def test_what_all_web_processes_took_is_counted(host: tuple[Fleet, str]) -> None:
    url = host[0].web.url
    before = figures(url).get('janroku_step_seconds_count{step="remember"}', 0)
    tap(*host)
    assert figures(url)['janroku_step_seconds_count{step="remember"}'] == before + 6


@pytest.mark.embedded_only("a worker's figures are on no page")
def test_what_all_web_processes_answered_is_counted(host: tuple[Fleet, str]) -> None:
    url = host[0].web.url
    before = figures(url).get('janroku_taps_total{outcome="answered"}', 0)
    tap(*host)
    # The last taps are counted a moment after LINE has their answers.
    until(lambda: figures(url)['janroku_taps_total{outcome="answered"}'] >= before + 6)
    assert figures(url)['janroku_step_seconds_count{step="send"}'] >= 6
