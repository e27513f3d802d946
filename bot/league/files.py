"""The files of a league's folder, by name."""

from __future__ import annotations

from rating.league import LOG_NAME
from rating.league_faults import LEAGUE_FILE

__all__ = ["LEAGUE_FILE", "PAIFU_LOG", "RATING_FILE", "TEAM_LOG", "is_read", "paifu_file"]

RATING_FILE = "rating.txt"  # ratings before the first game
TEAM_LOG = "teamlog.txt"  # sessions of two against two
PAIFU_LOG = "recordlog.txt"  # a line a game record


def is_read(name: str) -> bool:
    """Whether a file of the folder says something of the league."""
    return LOG_NAME.match(name) is not None or name in (LEAGUE_FILE, RATING_FILE, TEAM_LOG, PAIFU_LOG)


def paifu_file(name: str) -> str:
    """Where a game record's bytes lie, gzipped; `name` is Tenhou's id or the file's own mark."""
    return f"records/{name}.mjlog"
