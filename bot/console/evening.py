"""An evening of the demo league, played before the member's eyes: an hour and a half in a minute.
Its room at Tenhou reports starts and results at their time over HTTP on loopback; `look` has the bot
request it as it requests Tenhou."""

import logging
import random
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from flask import Blueprint, Response, request

from bot.console.platform import EntryKind, Feed, Json
from bot.league.demo import ATTENDANCE, BITS, GAMES, ROOM, STRENGTH, PlayedGame, played
from bot.runtime.json_log import log_fault
from rating.logdates import JST
from rating.room_id import RoomId

DEMO_ROOM = RoomId(f"{ROOM}000087654321")  # of the console's room alone: no secret
PATH = "/tenhou"
STAMP = "%Y/%m/%d %H:%M:%S"
QUESTION_BYTES = 200
SPEED = 90.0  # seconds of the evening in a second
STEP = 1.0  # seconds between two looks; each requests the room only if it is due
PLAYED = 8  # games of an evening, at two tables
BACK = timedelta(hours=3)  # an evening begins so long before now, or after the log's last game
BREAK = timedelta(minutes=40)  # between the log's last game and the evening
AFTER = timedelta(minutes=6)  # looked on after the last result
_QUESTION = re.compile(
    r"L=(?P<room>C[0-9]{16})"
    r"&T=(?P<since>[0-9]{4}(?:/[0-9]{2}){2} [0-9]{2}(?::[0-9]{2}){2})"
)
log = logging.getLogger(__name__)
Look = Callable[[Callable[[], datetime]], list[str]]
"""Has the bot look at its room at the evening's time (`now`, aware); returns problems in words."""


class LogRow(NamedTuple):
    """A row of the room's log without its time, and the time."""

    at: datetime
    text: str


@dataclass(frozen=True)
class RoomPlay:
    """A game of the room: start and end (JST without a zone), the players by seat, and the game of
    the demo that they play. `mark` is a part of the id of its record.
    """

    start: datetime
    end: datetime
    names: tuple[str, ...]
    played: PlayedGame
    mark: str = field(default_factory=partial(secrets.token_hex, 4))

    @property
    def id(self) -> str:
        return f"{self.start:%Y%m%d%H}gm-{BITS:04x}-{DEMO_ROOM.lobby}-{self.mark}"

    def rows(self) -> list[LogRow]:
        """Return the rows of start, end and result in Tenhou's form."""
        lobby = f"lobby={DEMO_ROOM.lobby}"
        scores = self.played.scores
        ranking = sorted(range(len(self.names)), key=scores.__getitem__, reverse=True)
        result = " ".join(f"{self.names[seat]}({scores[seat]:+.1f})" for seat in ranking)
        start = escape(f"#START {' '.join(self.names)}")
        end = escape(f"#END {result} ")
        un = ",".join(map(quote, self.names))
        sc = ",".join(f"{score:.1f}" for score in scores)
        game = f"{lobby}&type={BITS:04x}"
        return [
            LogRow(self.start, f'{game}&log={self.id}&cmd=<CHAT text="{start}"/>'),
            LogRow(self.end - timedelta(seconds=3), f'{lobby}&cmd=<CHAT text="{end}" />'),
            LogRow(self.end, f"{game}&un={un}&sc={sc}&chip="),
        ]


class TenhouRoom:
    """The demo league's own room at Tenhou. `now` returns its time (JST without a zone). Safe in
    threads.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._plays: list[RoomPlay] = []

    def open(self, plays: Sequence[RoomPlay]) -> None:
        with self._lock:
            self._plays += plays

    def close(self, since: datetime) -> None:
        """Leave out the games that begin from `since` on."""
        with self._lock:
            self._plays = [play for play in self._plays if play.start < since]

    def rows(self, since: datetime) -> str:
        now = self._now()
        rows: list[LogRow] = []
        with self._lock:
            for play in self._plays:
                rows += play.rows()
        lines = [
            f"[{row.at:{STAMP}}] {row.text}\r\n" for row in sorted(rows) if since <= row.at <= now
        ]
        return "".join(lines)

    def record(self, paifu_id: str) -> bytes | None:
        """Return a record, None before its game is over."""
        with self._lock:
            play = next((play for play in self._plays if play.id == paifu_id), None)
        if play is None or play.end > self._now():
            return None
        return play.played.record(play.names)

    def register(self, blueprint: Blueprint) -> None:
        log = f"{PATH}/cs/edit/cmd_get_log.cgi"
        blueprint.add_url_rule(log, "tenhou_rows", self._answer_rows, methods=["POST"])
        blueprint.add_url_rule(f"{PATH}/0/log/", "tenhou_record", self._answer_record)

    def _answer_rows(self) -> Response:
        request.max_content_length = QUESTION_BYTES
        question = _QUESTION.fullmatch(request.get_data().decode("ascii", "replace"))
        if question is None or question["room"] != DEMO_ROOM.text:
            return Response("no such room", 400)
        try:
            since = datetime.strptime(question["since"], STAMP)  # noqa: DTZ007 (JST, as the room has it)
        except ValueError:
            return Response("no such time", 400)
        return Response(self.rows(since), content_type="text/plain; charset=utf-8")

    def _answer_record(self) -> Response:
        data = self.record(request.query_string.decode("ascii", "replace"))
        if data is None:
            return Response("not found", 404)
        return Response(data, content_type="text/xml")


class DemoEvening:
    """The console's evening. One is played at a time, whoever begins it (`_lock`;
    tests/console/test_evening.py). `last` returns the start of the log's last game (JST without a zone),
    `present` the bot's own time (aware). A change of `speed` or `step` counts from the next evening
    on."""

    def __init__(
        self,
        feed: Feed,
        look: Look,
        last: Callable[[], datetime | None],
        present: Callable[[], datetime],
    ) -> None:
        self.room = TenhouRoom(self._naive)
        self.speed = SPEED
        self.step = STEP
        self._feed = feed
        self._look = look
        self._last = last
        self._present = present
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._end = threading.Event()
        self._beginning: _Beginning | None = None
        self._plays: list[RoomPlay] = []
        self._problem = ""

    def now(self) -> datetime:
        """Return the evening's time (aware); the present before the first evening."""
        if self._beginning is None:
            return self._present()
        seconds = (time.monotonic() - self._beginning.clock) * self.speed
        return (self._beginning.start + timedelta(seconds=seconds)).replace(tzinfo=JST)

    def start(self) -> bool:
        """Begin an evening. Return False while one is played."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return False
            self._end.clear()
            self._thread = threading.Thread(target=self._run, name="evening", daemon=True)
            self._thread.start()
            return True

    def stop(self) -> None:
        self._end.set()
        if self._thread is not None:
            self._thread.join(30)

    def state(self) -> Json:
        now = self._naive()
        is_alive = self._thread is not None and self._thread.is_alive()
        return {
            "running": is_alive and not self._end.is_set(),
            "done": sum(play.end <= now for play in self._plays),
            "games": len(self._plays),
            "tables": sum(play.start <= now < play.end for play in self._plays),
            "time": f"{now:%H:%M}",
            "problem": self._problem,
        }

    def _naive(self) -> datetime:
        return self.now().astimezone(JST).replace(tzinfo=None)

    def _run(self) -> None:
        try:
            self._play()
        except Exception as error:
            log_fault("the console's evening failed", error)
            self._problem = type(error).__name__
        finally:
            self._end.set()
            self.room.close(self._naive())
            self._report()

    def _play(self) -> None:
        self._problem = ""
        start = self._present().astimezone(JST).replace(tzinfo=None, microsecond=0) - BACK
        last = self._last()
        if last is not None:
            start = max(start, last + BREAK)
        self._plays = plan(start, random.Random())  # noqa: S311
        self._beginning = _Beginning(start - timedelta(minutes=1), time.monotonic())
        self.room.open(self._plays)
        over = max(play.end for play in self._plays) + AFTER
        while not self._end.is_set() and self._naive() < over:
            self._report()
            if self._naive() > start:  # before, the room would be taken for one where nobody plays
                self._request_room()
            self._end.wait(self.step)
        self._request_room()

    def _request_room(self) -> None:
        problems = self._look(self.now)
        self._problem = "".join(problems[:1])
        for problem in problems:
            log.warning("%s", problem)

    def _report(self) -> None:
        self._feed.add(EntryKind.EVENING, None, **self.state())


class _Beginning(NamedTuple):
    """When an evening began: its own time (JST without a zone), and that of the monotonic clock."""

    start: datetime
    clock: float


def plan(start: datetime, rng: random.Random) -> list[RoomPlay]:
    """Return the games of an evening from `start` on at two tables; nobody sits at both at once."""
    present = _players_present(rng)
    numbers = rng.sample(range(GAMES), PLAYED)
    free_at = dict.fromkeys(present, start)
    tables = [start, start + _minutes(rng, 5, 9)]  # when the next game of each begins
    plays = []
    for number in numbers:
        begin = min(tables)
        free = [player for player in present if free_at[player] <= begin]
        names = rng.sample(free, 3)
        game = played(number)
        seated = _seated(names, game, rng)
        end = begin + _minutes(rng, 24, 34)
        plays.append(RoomPlay(begin, end, seated, game))
        free_at |= dict.fromkeys(names, end)
        tables[tables.index(begin)] = end + _minutes(rng, 2, 4)
    return plays


def _players_present(rng: random.Random) -> list[str]:
    """Return at least seven players, the more likely the more often they play."""
    present = []
    for player, chance in zip(STRENGTH, ATTENDANCE, strict=True):
        if rng.random() < chance:
            present.append(player)
    absent = [player for player in STRENGTH if player not in present]
    return present + absent[: max(0, 7 - len(present))]


def _minutes(rng: random.Random, shortest: int, longest: int) -> timedelta:
    return timedelta(minutes=rng.randint(shortest, longest), seconds=rng.randrange(60))


def _seated(names: Sequence[str], game: PlayedGame, rng: random.Random) -> tuple[str, ...]:
    """Return the players by seat, so that the stronger tend to have the better results."""
    strengths = {name: rng.gauss(STRENGTH[name], 17) for name in names}
    best_first = sorted(names, key=strengths.__getitem__, reverse=True)
    seats = sorted(range(3), key=game.scores.__getitem__, reverse=True)
    return tuple(best_first[seats.index(seat)] for seat in range(3))
