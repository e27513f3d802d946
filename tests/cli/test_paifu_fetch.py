"""flask paifu URL fetches the paifu of an address once, and only from Tenhou."""

from pathlib import Path

import pytest

from tests.answers.paifu.world import ID, serve
from tests.cli.running import Run, Runner, json_of, refused
from tests.fakes.tenhou import FakeTenhou
from tests.rating.paifu.records import read


@pytest.fixture
def run(runner: Runner, tmp_path: Path, tenhou: FakeTenhou) -> Run:
    asked = runner(tmp_path / "logs", tmp_path, TENHOU_URL=tenhou.url)
    return lambda *args: asked("paifu", *args)


def test_a_record_by_its_address(run: Run, tenhou: FakeTenhou) -> None:
    address = serve(tenhou)
    for _ in range(2):
        result = run(address, "--json")
        game = json_of(result)["games"][0]
        assert game["file"] == address
        assert game["final"] == list(read(1).points())
    assert tenhou.judge.requests == [f"/0/log/?{ID}"]


@pytest.mark.parametrize(
    "address",
    [f"https://evil.example/0/?log={ID}", f"https://tenhou.net@evil.example/0/?log={ID}", "http://x"],
)
def test_no_other_host(run: Run, tenhou: FakeTenhou, address: str) -> None:
    assert "not the address of a game record at Tenhou" in refused(run(address))
    assert tenhou.judge.requests == []


def test_an_unknown_record(run: Run) -> None:
    assert "404" in refused(run(f"https://tenhou.net/0/?log={ID}"))
