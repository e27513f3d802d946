"""What is remembered of a room whose own results are read, and when it may be asked again. No I/O; times are
JST.

The room is asked at most every 3 minutes while somebody plays, every 20 otherwise, and not at night where
nobody has played for a day. A request reaches back to the start of every game that has not ended.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any

from bot.tenhou.room_games import RoomGame, RunningGame, put_together
from bot.tenhou.room_rows import EndRow, ResultRow, RoomRows, Row, StartRow

PLAYING, IDLE = timedelta(minutes=3), timedelta(minutes=20)
NIGHT = time(1), time(7)
DAY = timedelta(days=1)
KNOWN = timedelta(hours=12)  # after so long without a look it is not known whether somebody plays
FIRST = DAY + timedelta(hours=1)  # how far the first request reaches back
OVERLAP = timedelta(hours=3)  # how far a later one reaches back at least: rows may come late
GAME = timedelta(hours=3)  # a game without a result counts as running for so long
SETTLED = timedelta(minutes=10)  # and after its end was announced, for so long
SAID = 200  # hashes of unknown rows that are remembered


@dataclass(frozen=True, slots=True)
class RoomMemory:
    """What is known of a room.

    `since` is how far back the next request reaches. `asked` is the last request's time, `looked` that of the
    last one that was answered, `active` the latest row's. `rows` are kept as long as a game may begin in
    them. `said` are hashes of the unknown rows that were told of.
    """

    room: str
    since: datetime
    asked: datetime | None = None
    looked: datetime | None = None
    active: datetime | None = None
    running: tuple[RunningGame, ...] = ()
    rows: tuple[Row, ...] = ()
    said: tuple[str, ...] = ()

    @classmethod
    def new(cls, room: str, now: datetime) -> RoomMemory:
        """Return the memory of a room that was never asked."""
        return cls(room, now - FIRST)

    def due(self, now: datetime) -> bool:
        """Return whether the room may be asked."""
        if self.asked is not None and abs(now - self.asked) < (PLAYING if self.playing(now) else IDLE):
            return False
        night = NIGHT[0] <= now.time() < NIGHT[1]
        quiet = self.active is None or now - self.active > DAY
        return not (night and quiet and self.looked is not None and now - self.looked < KNOWN)

    def due_from(self, now: datetime) -> datetime:
        """Return when the room may be asked next, as far as is known now; not before now."""
        asked = self.asked or now
        morning = datetime.combine(now.date(), NIGHT[1])
        for at in sorted({now, asked + PLAYING, asked + IDLE, morning}):
            if at >= now and self.due(at):
                return at
        return now + IDLE

    def playing(self, now: datetime) -> bool:
        """Return whether a game has begun whose result is still to come."""
        return any(
            now - game.at < GAME if game.over is None else now - game.over < SETTLED for game in self.running
        )

    def with_answer(self, read: RoomRows, now: datetime) -> tuple[RoomMemory, list[RoomGame]]:
        """Return the memory after an answer, and the games to keep; those of earlier answers come again."""
        kept = [
            row
            for row in dict.fromkeys((*self.rows, *read.rows))
            if self.since - 2 * DAY <= row.at <= now + DAY
        ]
        games, running = put_together(kept)
        reach = min(
            [now - OVERLAP, *(game.at - timedelta(minutes=1) for game in running if now - game.at < DAY)]
        )
        since = min(max(reach, self.since), now - OVERLAP)
        after = replace(
            self,
            since=since,
            looked=now,
            active=max((row.at for row in kept), default=self.active),
            running=tuple(running),
            rows=tuple(row for row in kept if row.at >= since - 2 * DAY),
            said=tuple(dict.fromkeys((*self.said, *read.unknown)))[-SAID:],
        )
        return after, [game for game in games if game.result.at >= self.since - DAY]

    def to_text(self) -> str:
        """Return the memory as JSON. It holds no secret, because rows have none."""
        known = {
            "room": self.room,
            "since": self.since,
            "times": [self.asked, self.looked, self.active],
            "running": [astuple(game) for game in self.running],
            "rows": [(_NAMES[type(row)], *astuple(row)) for row in self.rows],
            "said": self.said,
        }
        return json.dumps(known, default=datetime.isoformat, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> RoomMemory:
        """Return the memory that `to_text` was called on."""
        known = json.loads(text)
        since, asked, looked, active = map(_time, (known["since"], *known["times"]))
        running = tuple(RunningGame(*map(_time, times)) for times in known["running"])
        rows = tuple(
            _ROWS[name](_time(at), *(tuple(one) if isinstance(one, list) else one for one in rest))
            for name, at, *rest in known["rows"]
        )
        return cls(known["room"], since, asked, looked, active, running, rows, tuple(known["said"]))


_ROWS: Mapping[str, Any] = {"start": StartRow, "end": EndRow, "result": ResultRow}
_NAMES = {kind: name for name, kind in _ROWS.items()}


def _time(text: str | None) -> Any:
    return datetime.fromisoformat(text) if text else None
