"""The leagues a process holds in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.league.repository import LeagueRegistry
from storage.folder import FolderLogs


def make_leagues(folder: Path, megabytes: int) -> tuple[LeagueRegistry, Callable[[str, int], None]]:
    def write(league: str, size: int) -> None:
        (folder / league).mkdir(exist_ok=True)
        (folder / league / "logvol1.txt").write_bytes(b"x" * 99 + b"\n" + (b" " * 99 + b"\n") * (size // 100))

    return LeagueRegistry(lambda name: FolderLogs(folder / name), megabytes), write


def test_leagues_in_memory_stay_within_their_room(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    for number in range(40):
        write(f"l{number}", 40_000)
        leagues.league(f"l{number}").snapshot()
    assert sum(repository.weight for repository in leagues._known.values()) <= (8 << 20) + 700_000
    assert 5 <= len(leagues._known) < 20


def test_a_giant_goes_first(tmp_path: Path) -> None:
    leagues, write = make_leagues(tmp_path, 8)
    write("small", 1000)
    small = leagues.league("small")
    small.snapshot()
    write("giant", 800_000)
    giant = leagues.league("giant")
    giant.snapshot()
    write("other", 1000)
    leagues.league("other").snapshot()
    assert leagues.league("small") is small
    assert leagues.league("giant") is not giant
