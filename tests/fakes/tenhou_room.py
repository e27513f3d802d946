"""A stand-in for a room's own results at Tenhou, beside the stand-in for its files: rows since a
moment, faults, a judge.

    room = tenhou.open_room("C10176825" "12345678")
    game = room.play(start, end, names, scores, chips)
    ...
    # leaving the `with` of FakeTenhou fails if a client broke one of the rules

The rules: POST with text/plain and a body that is not percent-encoded; three minutes between two
requests while somebody plays, twenty otherwise, none at night where nobody has played for a day;
records only while no connection is open that a room was asked on, one at a time, once each, none of
a game that runs. What happens now (`cmd_get_players.cgi`, `cmd_get_wg.cgi`) is asked once in ten
seconds each.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import parse_qs, quote

from tests.rating.paifu.records import made

STAMP = "%Y/%m/%d %H:%M:%S"
PATH = "/cs/edit/cmd_get_log.cgi"
PLAYERS, GAMES, START = (f"/cs/edit/cmd_{name}.cgi" for name in ("get_players", "get_wg", "start"))
_BODY = re.compile(
    r"L=(C[0-9]{12}|C[0-9]{16})&T=([0-9]{4}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})"
)


@dataclass(frozen=True)
class RoomPlay:
    """A game of the room: times in JST, names, points (tenths) and chips by seat, the record's
    id.
    """

    start: datetime
    end: datetime
    names: tuple[str, ...]
    tenths: tuple[int, ...]
    chips: tuple[int, ...] | None
    id: str
    bits: int
    room: str

    @property
    def order(self) -> list[int]:
        """The seats in order of placing."""
        return sorted(range(len(self.names)), key=lambda seat: -self.tenths[seat])

    @property
    def rows(self) -> list[tuple[datetime, str]]:
        """The rows of start, end and result, as the room has them."""
        lobby = f"lobby=1{self.room[1:]}"
        players = " ".join(self.names)
        points = [f"{tenth / 10:g}" if tenth % 10 else f"{tenth // 10}.0" for tenth in self.tenths]
        results = []
        for seat in self.order:
            sign = "+" if self.tenths[seat] > 0 else ""
            results.append(f"{self.names[seat]}({sign}{points[seat]})")
        said = " ".join(results)
        un = ",".join(map(quote, self.names))
        chip = ",".join(map(str, self.chips or ()))
        told = f"{lobby}&type={self.bits:04x}&dan=1,2,3&rate=1500.00,1500.00,1500.00&wg=167fafe2&log={self.id}"
        return [
            (self.start, f'{told}&cmd=<CHAT text="#START {players}"/>'),
            (self.end - timedelta(seconds=3), f'{lobby}&cmd=<CHAT text="#END {said} " />'),
            (self.end, f"{lobby}&type={self.bits:04x}&un={un}&sc={','.join(points)}&chip={chip}"),
        ]

    @property
    def line(self) -> str:
        """The line of the day's file.

        The rule's word is that of the two kinds of games played here.
        """
        rule = "三般南喰赤祝" if self.chips else "三般南喰赤－"
        words = []
        for seat in self.order:
            points = f"{self.tenths[seat] / 10:+.1f}" if self.tenths[seat] else "0.0"
            if self.chips:
                points += f",{self.chips[seat]:+d}枚" if self.chips[seat] else ",0枚"
            words.append(f"{self.names[seat]}({points})")
        return f"{self.room} | {self.start:%H:%M} | {rule} | {' '.join(words)}"


@dataclass
class FakeRoom:
    """The room.

    `twist` may change the answer's bytes; `status` and `location` are the next answer's.
    """

    id: str
    now: Callable[[], datetime]
    rudeness: list[str]
    plays: list[RoomPlay] = field(default_factory=list)
    extra: list[tuple[datetime, str]] = field(default_factory=list)
    asked: list[datetime] = field(default_factory=list)
    since: list[datetime] = field(default_factory=list)
    twist: Callable[[bytes], bytes] = lambda body: body
    status: list[int] = field(default_factory=list)
    records: dict[str, datetime] = field(
        default_factory=dict
    )  # when a record is there at the earliest
    fetched: list[str] = field(default_factory=list)
    tried: dict[str, datetime] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)  # who is in the room now
    tables: list[str] = field(default_factory=list)  # the rows of games that can be watched now
    playing: list[str] = field(default_factory=list)  # who sits at them
    looks: list[tuple[str, datetime]] = field(default_factory=list)
    refuses: list[int] = field(
        default_factory=list
    )  # the statuses of the next questions about this moment
    started: list[list[str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.id[:5]

    @property
    def jst(self) -> datetime:
        return (self.now() + timedelta(hours=9)).replace(tzinfo=None)

    def play(
        self,
        start: datetime,
        end: datetime,
        names: Sequence[str],
        tenths: Sequence[int],
        chips: Sequence[int] | None = None,
    ) -> RoomPlay:
        number = len(self.plays)
        bits = 0x0219 if chips else 0x0019
        paifu = f"{start:%Y%m%d%H}gm-{bits:04x}-1{self.name[1:]}-{number:08x}"
        game = RoomPlay(
            start,
            end,
            tuple(names),
            tuple(tenths),
            tuple(chips) if chips else None,
            paifu,
            bits,
            self.name,
        )
        self.plays.append(game)
        self.records[paifu] = end + timedelta(minutes=2)
        return game

    def answer(self, body: bytes, content_type: str) -> tuple[int, bytes]:
        """Judge a request, and return the answer's status and body."""
        found = _BODY.fullmatch(body.decode("ascii", "replace"))
        if content_type != "text/plain":
            self.rudeness.append(f"asks a room with {content_type!r}")
        if found is None or found[1] != self.id:
            self.rudeness.append("asks a room with another body")
            return 400, b""
        self._judge_pace()
        self.asked.append(self.jst)
        self.since.append(datetime.strptime(found[2], STAMP))
        if self.status:
            return self.status.pop(0), b"<html>no</html>"
        return 200, self.twist(self.rows(self.since[-1]))

    def sit(self, since: str, *names: str, watch: str = "4332F684") -> None:
        self.playing += names
        self.tables.append(watch_row(names, since, watch))

    def command(self, path: str, body: str, content_type: str) -> tuple[int, bytes]:
        """Judge a question about this moment, and answer it; or start a game."""
        head, _, fields = body.partition("&")
        if (
            content_type != "text/plain"
            or head != f"L={self.id}"
            or bool(fields) != (path == START)
        ):
            self.rudeness.append(f"asks {path} with {content_type!r} or another body")
        recent = [known for known, at in self.looks if self.jst - at < timedelta(seconds=10)]
        if path in recent:
            self.rudeness.append(f"{path} was asked twice within ten seconds")
        self.looks.append((path, self.jst))
        if self.refuses:
            return self.refuses.pop(0), b"<html>no</html>"
        if path == START:
            return 200, self._start(parse_qs(fields))
        if path == PLAYERS:
            waiting = ",".join(map(in_percents, self.waiting))
            playing = ",".join(map(in_percents, self.playing))
            return 200, self.twist(f"IDLE={waiting}&PLAY={playing}".encode())
        rows = ",".join(f'\r\n"{row}"' for row in self.tables)
        return 200, self.twist(f"sw([{rows}\r\n]);".encode())

    def _start(self, fields: dict[str, list[str]]) -> bytes:
        names = fields["M"][0].split()
        missing = [name for name in names if name not in self.waiting]
        if missing:
            return ("MEMBER NOT FOUND\r\n" + "\r\n".join(missing)).encode()
        self.started.append([fields["R2"][0], *names])
        self.waiting = [name for name in self.waiting if name not in names]
        return b"OK"

    def rows(self, since: datetime) -> bytes:
        """The rows since a moment, oldest first."""
        told = [row for game in self.plays for row in game.rows] + self.extra
        seen = sorted(row for row in told if since <= row[0] <= self.jst)
        return "".join(f"[{at:{STAMP}}] {row}\r\n" for at, row in seen).encode()

    def _judge_pace(self) -> None:
        if not self.asked:
            return
        now = self.jst
        last = self.asked[-1]
        known = [
            one
            for one in self.plays
            if one.start <= last and one.end > last - timedelta(minutes=10)
        ]
        gap = timedelta(minutes=3 if known else 20)
        if now - last < gap and not any(
            game.start <= last <= game.end + timedelta(hours=3) for game in self.plays
        ):
            self.rudeness.append(f"the room was asked again after {now - last}")
        if now - last < timedelta(minutes=3):
            self.rudeness.append(f"the room was asked twice within {now - last}")
        played = any(last - timedelta(days=1) < game.end for game in self.plays)
        if 1 <= now.hour < 7 and not played and now - last < timedelta(hours=12):
            self.rudeness.append(f"the room was asked at night, at {now}, though nobody plays")

    def record(self, paifu: str, room_open: bool) -> bytes | None:
        """Judge a request for a record of this room; the record, None where it is not there
        (yet).
        """
        game = next((game for game in self.plays if game.id == paifu), None)
        if game is None:
            return None
        if room_open:
            self.rudeness.append(f"{paifu} was asked for while the room's connection is open")
        if self.jst < game.end:
            self.rudeness.append(f"{paifu} was asked for though its game runs")
        if paifu in self.fetched:
            self.rudeness.append(f"{paifu} was fetched twice")
        last = self.tried.get(paifu)
        if last is not None and self.jst - last < timedelta(minutes=5):
            self.rudeness.append(f"{paifu} was asked for again after {self.jst - last}")
        self.tried[paifu] = self.jst
        if self.jst < self.records[paifu]:
            return None
        self.fetched.append(paifu)
        return record_of(game, self.plays.index(game))


def in_percents(name: str) -> str:
    return "".join(f"%{byte:02X}" for byte in name.encode())


def watch_row(
    names: Sequence[str], since: str = "21:03", watch: str = "4332F684", kind: int = 9
) -> str:
    """A row of `cmd_get_wg.cgi`: its id, hour and bits, then name (base64), dan and rating of each
    seat.
    """
    seats = [
        f"{b64encode(name.encode()).decode()},{seat},15{seat}0.25"
        for seat, name in enumerate(names)
    ]
    return ",".join([watch, "8", since, str(kind), *seats])


@cache
def _record() -> bytes:
    return made(1, 3, rounds=1).xml()


def record_of(game: RoomPlay, number: int) -> bytes:
    """A made-up record of a three-player game: always the same rounds, but for the first one's
    honba.
    """
    xml = _record()
    for seat, name in enumerate(game.names):
        xml = re.sub(rf'n{seat}="[^"]*"'.encode(), f'n{seat}="{quote(name)}"'.encode(), xml)
    return xml.replace(b'<INIT seed="0,0,', f'<INIT seed="0,{number},'.encode(), 1)
