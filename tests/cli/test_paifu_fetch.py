"""flask paifu URL fetches the paifu of an address once, and only from Tenhou."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.answers.paifu.world import ID, serve
from tests.backend import Backend, app
from tests.fakes.tenhou import FakeTenhou
from tests.rating.paifu.records import read


@pytest.fixture
def run(tmp_path: Path, backend: Backend, tenhou: FakeTenhou) -> Iterator[Callable[..., Any]]:
    env = {
        "LOGS_URL": f"file:{tmp_path / 'logs'}",
        **backend.env(tmp_path),
        "IMAGES_URL": f"file:{tmp_path / 'images'}",
        "TENHOU_URL": tenhou.url,
    }
    with app(env) as made:
        runner = made.test_cli_runner()
        yield lambda *args: runner.invoke(args=["paifu", *args])


def test_a_record_by_its_address(run: Callable[..., Any], tenhou: FakeTenhou) -> None:
    address = serve(tenhou)
    for _ in range(2):
        result = run(address, "--json")
        assert result.exit_code == 0, result.output
        game = json.loads(result.stdout)["games"][0]
        assert game["file"] == address
        assert game["final"] == list(read(1).points())
    assert tenhou.judge.requests == [f"/0/log/?{ID}"]


@pytest.mark.parametrize(
    "address",
    [f"https://evil.example/0/?log={ID}", f"https://tenhou.net@evil.example/0/?log={ID}", "http://x"],
)
def test_no_other_host(run: Callable[..., Any], tenhou: FakeTenhou, address: str) -> None:
    result = run(address)
    assert result.exit_code == 2
    assert "not the address of a game record at Tenhou" in result.output
    assert "Traceback" not in result.output
    assert tenhou.judge.requests == []


def test_an_unknown_record(run: Callable[..., Any]) -> None:
    result = run(f"https://tenhou.net/0/?log={ID}")
    assert result.exit_code == 2
    assert "404" in result.output
