"""What 0.1.0 left opens in today's code: its folder, its history, its database (tests/cli/from_0_1_0/README.md)."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.chat.access import ChatAccess
from bot.chat.identity import Identities
from bot.league.versions import read_version, versions
from bot.sync.pending_results import PendingResults, read_marks, waiting
from storage.folder_logs import FolderLogs
from storage.schema import SCHEMA
from storage.state import SqlState
from tests.backend import Backend
from tests.cli.running import Runner, json_of

LEFT = Path(__file__).parent / "from_0_1_0"
GROUP = "C2c6e12f6492ddc0a2c1e7431262f2dd7"
MEMBER = "U5404616ee4d6c77fa98e13dab21591bc"
DAY = date(2026, 11, 22)
WHEN = 1795359800.0  # epoch seconds, soon after it was made

pytestmark = pytest.mark.embedded_only(
    "the database of 0.1.0 is SQLite's; tests/storage/test_schema.py has Postgres"
)


@pytest.fixture
def url(backend: Backend, tmp_path: Path) -> str:
    made = backend.database(tmp_path)
    with closing(sqlite3.connect(str(make_url(made).database))) as connection:
        connection.executescript((LEFT / "state.sql").read_text("utf-8"))
    return made


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(LEFT / "logs", tmp_path / "logs"))


def test_its_database_opens_with_everything_in_it(url: str) -> None:
    with closing(SqlState(url, clock=lambda: WHEN)) as state:
        access = ChatAccess(state, lambda chat, user: False, frozenset(), frozenset())
        assert access.groups() == {GROUP: ""}
        assert Identities(state).player_of("", MEMBER) == "白發中"
        assert read_marks(state)[""].through == DAY
        assert waiting(state) == set()
        (kept,) = PendingResults(state).offered().values()
        assert len(kept) == 2
    with closing(sqlite3.connect(str(make_url(url).database))) as connection:
        assert connection.execute("SELECT version FROM janroku_schema").fetchall() == [(SCHEMA,)]


def test_its_folder_gives_the_same_standings(runner: Runner, url: str, logs: Path, tmp_path: Path) -> None:
    before = json.loads((LEFT / "standings.json").read_text("utf-8"))
    now = json_of(runner(logs, tmp_path)("standings", "--json"))
    assert [(row["player"], row["rating"], row["games"]) for row in now["standings"]] == [
        (row["player"], row["rating"], row["games"]) for row in before["standings"]
    ]


def test_its_former_versions_can_be_read(logs: Path) -> None:
    folder = FolderLogs(logs)
    for name, words in (("logvol1.txt", "20260401"), ("league.toml", "春風会")):
        (version,) = versions(folder, name)
        assert words in read_version(folder, name, version.name).decode()
