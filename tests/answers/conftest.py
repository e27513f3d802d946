"""A league in a folder and the bot that serves it, fresh for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.answers.world import LEAGUE, LOG, BotWorld, opened
from tests.backend import Backend


@pytest.fixture
def world(tmp_path: Path, backend: Backend) -> Iterator[BotWorld]:
    with opened(tmp_path, backend) as made:
        made.write("league.toml", LEAGUE)
        made.write("logvol1.txt", LOG)
        yield made
