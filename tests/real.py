"""Worked figures, cases, real seasons and real records; tests/data/README.md says where they come
from.
"""

import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from rating.games import Game
from rating.roomlog import parse

DATA = Path(__file__).parent / "data"
SEASONS = tuple(sorted((DATA / "seasons").glob("logvol*.txt")))
RECORDS = tuple(sorted((DATA / "records").glob("*.mjlog")))


def cases(name: str) -> list[list[str]]:
    """The lines of a table of cases, cut at tabs, without its notes."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def worked_figures(system: str) -> Any:
    """The worked figures of a system: tenhou, jansou, team_elo, btr or danger."""
    return json.loads((DATA / "vectors.json").read_text("utf-8"))[system]


@cache
def real_games() -> tuple[Game, ...]:
    """The games of both seasons, in order."""
    hint = date(2020, 5, 1)
    logs = [parse(path.name, path.read_bytes(), hint) for path in SEASONS]
    return tuple(game for log in logs for game in log.games)


def named_cases(name: str) -> dict[str, dict[str, str]]:
    """The cases of a file: each begins with `== its name`, each of its parts with `-- the part's
    name`.
    """
    found = {}
    for case in f"\n{(DATA / name).read_text('utf-8')}".split("\n== ")[1:]:
        title, *parts = case.removesuffix("\n").split("\n-- ")
        split = (part.partition("\n") for part in parts)
        found[title] = {head: f"{body}\n" if body else "" for head, _, body in split}
    return found
