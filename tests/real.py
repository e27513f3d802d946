"""Worked figures, real seasons and real records; tests/data/README.md says where they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
SEASONS = tuple(sorted((DATA / "seasons").glob("logvol*.txt")))
RECORDS = tuple(sorted((DATA / "records").glob("*.mjlog")))


def worked_figures(system: str) -> Any:
    """The worked figures of a system: tenhou, jansou, team_elo, btr or danger."""
    return json.loads((DATA / "vectors.json").read_text("utf-8"))[system]
