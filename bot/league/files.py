"""The names of the files in a league's folder."""

from __future__ import annotations

from rating.league import LOG_NAME
from rating.league_faults import LEAGUE_FILE

__all__ = ["LEAGUE_FILE", "PAIFU_LOG", "RATING_FILE", "TEAM_LOG", "is_read", "paifu_file"]

RATING_FILE = "rating.txt"  # ratings before the first game
TEAM_LOG = "teamlog.txt"  # sessions of team matches (2 vs 2)
PAIFU_LOG = "recordlog.txt"  # a line for each game record


def is_read(name: str) -> bool:
    """Return whether a file of the folder says something of the league."""
    return LOG_NAME.match(name) is not None or name in (LEAGUE_FILE, RATING_FILE, TEAM_LOG, PAIFU_LOG)


def paifu_file(name: str) -> str:
    """Return the path of a game record's gzipped bytes. `name` is a `PaifuEntry.file`, or Tenhou's id."""
    return f"records/{name}.mjlog"
