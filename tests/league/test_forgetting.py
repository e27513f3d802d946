"""A member who is renamed is in no file of the league any more, however the name is written."""

from datetime import UTC, datetime
from unicodedata import normalize

import pytest

from bot.league.files import LEAGUE_FILE, RATING_FILE, TEAM_LOG
from bot.league.forgetting import rename
from bot.league.snapshot import read_league
from storage.folder import FolderLogs

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NAME = "がくと"
LOG = f"""20261103
C1234 | 19:00 | 三般南喰赤祝 | {NAME}(+10.0,+1枚) 南家さん(0.0,0枚) 西家さん(-10.0,-1枚)
C1234 | 20:00 | 三般南喰赤祝 | 南家さん（＋10.0） {NAME}（0.0） 西家さん（▲10.0）
罰符 | 22:10 | {NAME}(-10.0) チョンボ
"""
FILES = {
    "logvol1.txt": LOG,
    RATING_FILE: f"{NAME} 1500 3\n",
    TEAM_LOG: f"2026-11-03 | {NAME} 南家さん 西家さん 北家さん | o x o\n",
    LEAGUE_FILE: f'[player."{NAME}"]\nname = "ガク"\n[team."東"]\nmembers = ["{NAME}"]\n',
}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_no_file_has_the_name_afterwards(logs: FolderLogs, form: str) -> None:
    for file, text in FILES.items():
        logs.overwrite(file, normalize(form, text).encode())
    changed = rename(logs, read_league(logs, NOW), NAME, "退会者1", NOW)
    assert sorted(changed) == sorted(FILES)
    for file, text in FILES.items():
        renamed = text.replace(NAME, "退会者1").replace('name = "ガク"\n', "")
        assert logs.read(file).data.decode() == normalize(form, renamed), file
