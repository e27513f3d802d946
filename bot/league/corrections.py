"""Keep what Tenhou says of the games that hands corrected in the season logs: a room log under `history/`.

The sync writes it when it lets a hand's version stand, so that `flask league check` can name Tenhou's version
also where the database is lost.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from gettext import gettext as _

from bot.league.edit import change
from rating.merge import merge
from rating.roomlog import parse_utf8
from rating.same_game import CorrectedGame, players_part
from storage.ports import LogSource, NotFound

CORRECTED = "history/corrected/tenhou.txt"


@dataclass(frozen=True, slots=True)
class HandsVersion:
    """A game that Tenhou offers and a hand corrected: the players part of both lines, and where the hand's
    one stands.

    `day` is an ISO date, `start` is HH:MM.
    """

    log: str
    day: str
    room: str
    start: str
    hand: str
    tenhou: str

    def __str__(self) -> str:
        said = _("{log}: kept the hand's version of {day} {room} {start}: {hand} (Tenhou has {tenhou})")
        return said.format(**self.as_dict())

    def as_dict(self) -> dict[str, str]:
        """Return the fields, for JSON."""
        return asdict(self)


def hands_version(game: CorrectedGame, log: str) -> HandsVersion:
    """Return what is said of a game; `log` is the log of the hand's line where the line does not say it."""
    played = game.hand.game
    assert played is not None
    assert played.start is not None
    return HandsVersion(
        log=played.source or log,
        day=game.day.isoformat(),
        room=played.room,
        start=f"{played.start:%H:%M}",
        hand=players_part(game.hand),
        tenhou=players_part(game.tenhou),
    )


def remember(
    logs: LogSource,
    games: Sequence[CorrectedGame],
    now: datetime,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Add Tenhou's lines of these games.

    Raises StorageError when the folder cannot be reached, and ValueError when the file is no text.
    """
    days: dict[date, list[bytes]] = defaultdict(list)
    for game in games:
        days[game.day].append(game.tenhou.raw)
    if not days:
        return
    try:
        change(logs, CORRECTED, lambda data: merge(data, days).data, now, wait, keeping=False)
    except ValueError as error:  # somebody saved the file so that it is no text
        raise ValueError(f"{CORRECTED}: {error}") from error


def remembered(logs: LogSource) -> dict[date, list[bytes]]:
    """Return Tenhou's lines of the games that hands corrected, by day.

    Raises StorageError when the folder cannot be reached.
    """
    try:
        data = logs.read(CORRECTED).data
    except NotFound:
        return {}
    days: dict[date, list[bytes]] = defaultdict(list)
    for line in parse_utf8(CORRECTED, data).lines:
        if line.game is not None and line.day is not None:
            days[line.day].append(line.raw.rstrip(b"\r\n"))
    return dict(days)


def with_remembered(
    logs: LogSource, offered: Mapping[date, Sequence[bytes]]
) -> dict[date, tuple[bytes, ...]]:
    """Return the lines of `offered` with those remembered in the folder, each once, by day.

    Raises StorageError when the folder cannot be reached.
    """
    known = remembered(logs)
    return {
        day: tuple(dict.fromkeys([*offered.get(day, ()), *known.get(day, ())]))
        for day in sorted({*offered, *known})
    }
