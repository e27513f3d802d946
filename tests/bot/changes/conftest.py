"""A league in a folder and the bot that serves it, fresh for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend import Backend
from tests.bot.changes.world import LEAGUE, LOG, World, opened


@pytest.fixture
def world(tmp_path: Path, backend: Backend) -> Iterator[World]:
    with opened(tmp_path, backend) as made:
        made.write("league.toml", LEAGUE)
        made.write("logvol1.txt", LOG)
        yield made
