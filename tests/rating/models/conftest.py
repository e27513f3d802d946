"""Worked examples and real logs, if they lie beside the repository; without them the tests that need them are skipped."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rating.games import Game
from rating.roomlog import parse

DATA = Path(__file__).parents[3].parent / "shared" / "data"


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    path = DATA / "vectors.json"
    if not path.exists():
        pytest.skip("vectors.json is not here")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def real_games() -> list[Game]:
    paths = [DATA / f"logvol{n}.txt" for n in (1, 2)]
    if not all(path.exists() for path in paths):
        pytest.skip("the real season logs are not here")
    logs = [parse(path.name, path.read_bytes(), date(2020, 5, 1)) for path in paths]
    return [game for log in logs for game in log.games]
