"""A host: a league whose logs lie in a Dropbox account of its own, and the figures of all web processes together."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest

from bot.console import DEMO_USERS
from bot.demo import demo_files
from bot.vault import Vault
from tests.e2e.fleet import fleet
from tests.fakes.dropbox import FakeDropbox

pytestmark = pytest.mark.xdist_group("host")
KEY, METRICS = "k" * 43 + "=", "metrics-token-0123456789"


def figures(url: str) -> dict[str, float]:
    request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {METRICS}"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        lines = [line for line in answer.read().decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_a_league_in_its_own_account_and_the_figures_of_all_processes(tmp_path: Path) -> None:
    with FakeDropbox() as dropbox:
        for name, data in demo_files().items():
            dropbox.account.put(f"/records/{name}", data)
        token = dropbox.credentials()["DROPBOX_REFRESH_TOKEN"]
        env = {key: value for key, value in dropbox.env().items() if key != "DROPBOX_REFRESH_TOKEN"}
        with fleet(tmp_path, "threads", JANROKU_SECRET_KEY=KEY, METRICS_TOKEN=METRICS, **env) as ships:
            kept = {"folder": "/records", "token": Vault(KEY).close(token)}
            ships.state.put("dropbox:own", json.dumps(kept))
            group = ships.line.add_group("own", [user.id for user in DEMO_USERS])
            ships.state.put(f"chat:{group}", json.dumps({"league": "own"}))
            before = figures(ships.web.url).get('janroku_taps_total{outcome="answered"}', 0)
            for _ in range(6):
                (image, *_) = ships.line.answers(ships.line.tap(group, DEMO_USERS[0].id, "request_rating"))
                assert image["type"] == "image"
            assert dropbox.calls["files/download"]
            after = figures(ships.web.url)
            assert after['janroku_taps_total{outcome="answered"}'] >= before + 5
            assert after['janroku_step_seconds_count{step="send"}'] >= 5
            assert token not in ships.lines()
