"""The bot with a league whose members play in the made-up paifu, and a stand-in Tenhou that has
them.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.answers.paifu.world import LEAGUE, LOG, RecordWorld
from tests.backend import Backend
from tests.fakes.tenhou import FakeTenhou


@pytest.fixture
def world(tmp_path: Path, backend: Backend, tenhou: FakeTenhou) -> Iterator[RecordWorld]:
    with closing(RecordWorld(tmp_path, backend, {"TENHOU_URL": tenhou.url})) as made:
        made.tenhou = tenhou
        made.write("league.toml", LEAGUE)
        made.write("logvol1.txt", LOG)
        yield made
