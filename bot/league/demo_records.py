"""The records of the demo league's last games and of the console's evening: whole games, with the names of
who plays put in.

They were played on walls of Tenhou's shuffle, and are made again by `python -m tests.tools.evening_games
bot/league/demo_games`.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from rating.paifu.mjlog import parse

GAMES = 12
SEATS = ("東の席", "南の席", "西の席")  # the names in the files
BITS = 0x19  # the rule: three players, south rounds, no chips (三般南喰赤－)
WITH_CHIPS = 0x219  # the same with chips (祝)
_FOLDER = Path(__file__).parent / "demo_games"


@dataclass(frozen=True)
class PlayedGame:
    """A game without its players: its XML, and the points (thousands) by seat."""

    xml: bytes
    scores: tuple[float, ...]

    def record(self, names: Sequence[str], bits: int = BITS) -> bytes:
        """Return the record as if these players had sat there under the rule of these bits, gzipped."""
        xml = self.xml.replace(f'<GO type="{BITS}"'.encode(), f'<GO type="{bits}"'.encode())
        for seat, (old, new) in enumerate(zip(SEATS, names, strict=True)):
            xml = xml.replace(f'n{seat}="{quote(old)}"'.encode(), f'n{seat}="{quote(new)}"'.encode())
        return gzip.compress(xml, mtime=0)


@cache
def played(number: int) -> PlayedGame:
    """Return the game of a number from 0."""
    xml = gzip.decompress((_FOLDER / f"{number % GAMES + 1:02}.mjlog").read_bytes())
    scores = parse(xml).scores
    assert scores is not None
    return PlayedGame(xml, scores)
