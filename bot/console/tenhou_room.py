"""A stand-in for the demo league's own room at Tenhou: it tells its games as they go, and has their records.

Its rows have the form that bot/tenhou/room.py reads. The bot asks it with its own client, over HTTP on
loopback.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from html import escape
from urllib.parse import quote

from flask import Blueprint, Response, request

from bot.league.demo import ROOM
from bot.league.demo_records import BITS, PlayedGame
from rating.room_id import RoomId

DEMO_ROOM = RoomId(f"{ROOM}000087654321")  # of the console's room alone: no secret
PATH = "/tenhou"
STAMP = "%Y/%m/%d %H:%M:%S"
BODY = 200  # bytes of a question
_BODY = re.compile(r"L=(C[0-9]{16})&T=([0-9]{4}(?:/[0-9]{2}){2} [0-9]{2}(?::[0-9]{2}){2})")


@dataclass(frozen=True)
class RoomPlay:
    """A game of the room: start and end (JST without a zone), the players by seat, and what was played."""

    start: datetime
    end: datetime
    names: tuple[str, ...]
    played: PlayedGame
    mark: str = field(default_factory=lambda: secrets.token_hex(4))

    @property
    def id(self) -> str:
        return f"{self.start:%Y%m%d%H}gm-{BITS:04x}-{DEMO_ROOM.lobby}-{self.mark}"

    def rows(self) -> list[tuple[datetime, str]]:
        """Return the rows of start, end and result with their times."""
        lobby, scores = f"lobby={DEMO_ROOM.lobby}", self.played.scores
        order = sorted(range(len(self.names)), key=lambda seat: -scores[seat])
        said = " ".join(f"{self.names[seat]}({scores[seat]:+.1f})" for seat in order)
        start, end = escape(f"#START {' '.join(self.names)}"), escape(f"#END {said} ")
        un, sc = ",".join(map(quote, self.names)), ",".join(f"{score:.1f}" for score in scores)
        return [
            (self.start, f'{lobby}&type={BITS:04x}&log={self.id}&cmd=<CHAT text="{start}"/>'),
            (self.end - timedelta(seconds=3), f'{lobby}&cmd=<CHAT text="{end}" />'),
            (self.end, f"{lobby}&type={BITS:04x}&un={un}&sc={sc}&chip="),
        ]


class TenhouRoom:
    """The room. `now` tells the room's time (JST without a zone). Safe in threads."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._plays: list[RoomPlay] = []

    def open(self, plays: Sequence[RoomPlay]) -> None:
        """Have these games played, each at its time."""
        with self._lock:
            self._plays += plays

    def close(self, since: datetime) -> None:
        """Leave out the games that begin from `since` on."""
        with self._lock:
            self._plays = [play for play in self._plays if play.start < since]

    def rows(self, since: datetime) -> str:
        """Return the rows from a moment until now, oldest first."""
        now = self._now()
        with self._lock:
            told = sorted(row for play in self._plays for row in play.rows())
        return "".join(f"[{at:{STAMP}}] {row}\r\n" for at, row in told if since <= at <= now)

    def record(self, paifu_id: str) -> bytes | None:
        """Return a record, None before its game is over."""
        with self._lock:
            play = next((play for play in self._plays if play.id == paifu_id), None)
        return play.played.record(play.names) if play and play.end <= self._now() else None

    def register(self, blueprint: Blueprint) -> None:
        """Add the two addresses of Tenhou's that the bot asks."""
        log = f"{PATH}/cs/edit/cmd_get_log.cgi"
        blueprint.add_url_rule(log, "tenhou_rows", self._answer_rows, methods=["POST"])
        blueprint.add_url_rule(f"{PATH}/0/log/", "tenhou_record", self._answer_record)

    def _answer_rows(self) -> Response:
        request.max_content_length = BODY
        found = _BODY.fullmatch(request.get_data().decode("ascii", "replace"))
        if found is None or found[1] != DEMO_ROOM.text:
            return Response("no such room", 400)
        try:
            since = datetime.strptime(found[2], STAMP)  # noqa: DTZ007 (JST, as the room has it)
        except ValueError:
            return Response("no such time", 400)
        return Response(self.rows(since), content_type="text/plain; charset=utf-8")

    def _answer_record(self) -> Response:
        data = self.record(request.query_string.decode("ascii", "replace"))
        return Response("not found", 404) if data is None else Response(data, content_type="text/xml")
