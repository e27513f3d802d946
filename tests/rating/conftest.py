"""The games of the real seasons."""

from __future__ import annotations

from datetime import date

import pytest

from rating.games import Game
from rating.roomlog import parse
from tests.real import SEASONS


@pytest.fixture(scope="session")
def real_games() -> list[Game]:
    logs = [parse(path.name, path.read_bytes(), date(2020, 5, 1)) for path in SEASONS]
    return [game for log in logs for game in log.games]
