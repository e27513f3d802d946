"""When and where the game of a record began, and how far from it a game of the log is."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from rating.games import Game

_ID = re.compile(r"(?P<hour>[0-9]{10})gm-[0-9a-f]{4}-(?P<room>[0-9]{4,5})-[0-9a-f]{8}")
# The id has the hour of the start; a start in the log may be that far outside it.
HOUR = timedelta(hours=1)
SLIP = timedelta(minutes=10)
# A log written by hand may have the games after midnight under the evening's date.
NEAR = timedelta(days=1, hours=1)
_NO_TIME = timedelta(0)
_MINUTE = timedelta(minutes=1)
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class GameStart:
    """When and where the game of a record began: the hour (JST), the last four digits of the
    room.
    """

    hour: datetime
    room: str

    @property
    def day(self) -> date:
        return self.hour.date()


def start_in_id(paifu_id: str) -> GameStart | None:
    """The start in an id such as `2026081004gm-0009-11017-9b9f92d7`; None where the text has no
    id.
    """
    id_parts = _ID.search(paifu_id)
    if id_parts is None:
        return None
    try:
        hour = datetime.strptime(id_parts["hour"], "%Y%m%d%H")  # noqa: DTZ007 (JST)
    except ValueError:
        return None
    return GameStart(hour, id_parts["room"][-4:])


def could_be(start: GameStart, game: Game) -> bool:
    """Whether a record of that start may be this game's by room, day and start."""
    return start_gap(game, start, start.day) is not None


def start_gap(game: Game, start: GameStart | None, day: date | None) -> timedelta | None:
    """How far a game's start is from a record's; None where it can't be the record's game."""
    if start is not None and game.room and game.room[1:] != start.room:
        return None
    if game.day is None or (start is None and day is None):
        return NEAR
    if start is None or game.start is None:
        record_day = day or game.day
        if start is not None:
            record_day = start.day
        return _absolute_if_near(game.day - record_day)
    after = datetime.combine(game.day, game.start) - start.hour
    outside_hour = max(-after, after - HOUR + _MINUTE, _NO_TIME)
    if outside_hour <= SLIP:
        return outside_hour
    is_same_hour = (after + SLIP) % ONE_DAY <= HOUR + 2 * SLIP  # if under another day
    if is_same_hour:
        return _absolute_if_near(after)
    return None


def _absolute_if_near(gap: timedelta) -> timedelta | None:
    if abs(gap) <= NEAR:
        return abs(gap)
    return None
