"""An evening in a league's own room: games at several tables, and what `flask sync` makes of
them.
"""

import random
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import select

from bot.league.season_log import LeagueFolder
from bot.sync.paifu_collector import PaifuCollector
from bot.sync.room_ids import RoomIds
from bot.sync.room_watch import RoomWatch
from bot.sync.run import SyncResult
from bot.tenhou.client import TenhouClient
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.throttle import Throttle
from rating.league_file import parse_league
from rating.paifu import recordlog
from rating.roomlog import parse
from rating.same_game import identity
from storage.schema import METADATA, RESULTS
from storage.state import State
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import FakeRoom, RoomPlay
from tests.sync.single import sync

SECRET = "82799490"
ROOM_ID = f"C10176825{SECRET}"
ROOM = ROOM_ID[:5]
NAMES = ("みどり", "白發中", "東風", "m9(-Д-)", "両面待ち", "さくら", "A&B", "100%", "宮永|咲")
DAY = date(2026, 8, 10)
NIGHT = datetime(2026, 8, 10, 20, 0)
A, B, C = NAMES[:3]
TOML = f'rooms = ["{ROOM}"]\n[[season]]\nlog = "logvol1.txt"\nstart = 2026-01-01\n'
HAND = f"# 夏の大会\n#8/9\n{ROOM} | 20:00 | 三般南喰赤－ | 東風(+1.0) さくら(0.0) みどり(-1.0)\n\n"


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def utc(jst: datetime) -> datetime:
    return (jst - timedelta(hours=9)).replace(tzinfo=UTC)


def evening(
    room: FakeRoom,
    rng: random.Random,
    games: int = 30,
    tables: int = 3,
) -> list[RoomPlay]:
    """Play an evening: nine players change tables after each game; some games begin after
    midnight.
    """
    nobody: tuple[str, ...] = ()
    seated = [(NIGHT + timedelta(seconds=table), nobody) for table in range(tables)]
    played = []
    idle = list(NAMES)
    while len(played) < games:
        seated.sort()
        at, before = seated.pop(0)
        idle += before
        rng.shuffle(idle)
        names = tuple(idle[:3])
        idle = idle[3:]
        start = at + timedelta(seconds=rng.randrange(30, 200))
        end = start + timedelta(
            minutes=rng.randrange(12, 45),
            seconds=rng.randrange(60),
        )
        a = rng.randrange(1, 900)
        b = rng.randrange(-400, 400)
        chips = rng.choice(
            [
                None,
                (
                    rng.randrange(-3, 4),
                    rng.randrange(-3, 4),
                ),
            ]
        )
        chips_by_seat = (*chips, -sum(chips)) if chips and any(chips) else None
        played.append(
            room.play(
                start,
                end,
                names,
                (a, b, -a - b),
                chips_by_seat,
            )
        )
        seated.append((end, names))
    return played


TWISTS = ("missing", "doubled", "reordered", "cut", "html", "empty", "more", "garbled")


def twisted(kind: str, rng: random.Random, body: bytes) -> bytes:
    rows = body.splitlines(keepends=True)
    if kind == "missing":
        rows = [row for row in rows if rng.random() > 0.3]
    elif kind == "doubled":
        rows = [row for row in rows for _ in range(rng.randrange(1, 3))]
    elif kind == "reordered":
        rng.shuffle(rows)
    elif kind == "cut":
        return body[: rng.randrange(len(body) + 1)]
    elif kind == "html":
        return b"<!DOCTYPE html><html>" + ROOM_ID.encode()
    elif kind == "empty":
        return b"\r\n"
    elif kind == "more":
        talk = '[2026/08/10 21:00:00] lobby=11017&cmd=<CHAT text="hello"/>\r\n'
        rows += [talk.encode(), b"odd " + ROOM_ID.encode() + b"\r\n"]
    elif kind == "garbled":
        for place, row in enumerate(rows):
            if rng.random() < 0.2:
                rows[place] = row.replace(b"un=", b"u%=")
    return b"".join(rows)


def game(
    room: FakeRoom,
    begin: float = 1,
    last: float = 30,
    tenth: int = 305,
) -> RoomPlay:
    start = NIGHT + minutes(begin)
    return room.play(
        start,
        start + minutes(last),
        (A, B, C),
        (-tenth, 0, tenth),
        (-2, 0, 2),
    )


def files(tenhou: FakeTenhou, played: list[RoomPlay]) -> None:
    """Put the day's files on Tenhou, as they are in the morning."""
    days: dict[date, list[RoomPlay]] = {}
    for game in sorted(played, key=lambda game: game.start):
        days.setdefault(game.start.date(), []).append(game)
    for day, games in days.items():
        others = ["C9999 | 00:10 | 四般南喰赤－ | a(+50.0) b(+10.0) c(-20.0) d(-40.0)"]
        tenhou.put(
            day,
            sorted(
                [*(game.line for game in games), *others],
                key=lambda line: line[8:13],
            ),
        )


def expected(played: list[RoomPlay]) -> Counter[object]:
    """Every game once, under the day of its start."""
    games: Counter[object] = Counter()
    for game in played:
        line = parse("", game.line.encode()).lines[0]
        games[game.start.date(), identity(line)] += 1
    return games


def held(data: bytes) -> Counter[object]:
    """The room's games in a log, without the line of HAND."""
    lines = [
        line
        for line in parse(
            "",
            data,
            date(2026, 8, 1),
        ).lines
        if line.game
    ]
    by_hand = HAND.encode()
    synced = [line for line in lines if line.raw.rstrip() not in by_hand]
    return Counter((line.day, identity(line)) for line in synced)


def set_clock(state: State, now: Callable[[], datetime]) -> None:
    """Have a database count the time of `now`."""
    state.database._clock = lambda: now().timestamp()


def everything(state: State) -> str:
    """All that a database keeps, in words; the lines that it packs, unpacked."""
    values: list[object] = []
    for table in METADATA.sorted_tables:
        for row in state.database.rows(select(table)):
            packed = [
                table is RESULTS and isinstance(value, bytes) and value != b"" for value in row
            ]
            values += [
                zlib.decompress(value) if is_ else value
                for value, is_ in zip(row, packed, strict=True)
            ]
    return " ".join(
        value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        for value in values
    )


def records(logs: Any) -> list[str]:
    """The ids of the records that are stored and counted."""
    entries = recordlog.read(logs.read("recordlog.txt").data)
    assert all(logs.read(f"records/{entry.id}.mjlog").data for entry in entries)
    return sorted(entry.id for entry in entries)


@dataclass
class Sync:
    """Syncs of a league's folder and state at the fake Tenhou's time; `logs` and `state` may be
    wrapped.
    """

    tenhou: FakeTenhou
    logs: Any
    state: Any

    def __post_init__(self) -> None:
        set_clock(self.state, self.tenhou.clock)

    def __call__(self, since: date | None = None, records: bool = True) -> SyncResult:
        now = self.tenhou.clock
        url = self.tenhou.url
        folder = LeagueFolder(self.logs, parse_league(TOML))
        with TenhouClient(url) as tenhou:
            result = sync(
                [folder],
                self.state,
                tenhou,
                now,
                since,
                wait=no_wait,
                rooms=self.watch(),
            )
        if records:
            result.notes += self.collector().collect([""])
        return result

    def watch(self) -> RoomWatch:
        ids = RoomIds(self.state.rooms, own=ROOM_ID)
        return RoomWatch(ids, self.state, self.tenhou.url, self.tenhou.clock, no_wait)

    def collector(self) -> PaifuCollector:
        now = self.tenhou.clock
        url = self.tenhou.url

        def fetcher() -> PaifuFetcher:
            return PaifuFetcher(url, self.state, Throttle(self.state, now).turn)

        return PaifuCollector(self.state, fetcher, lambda folder: self.logs, now, no_wait)

    @property
    def log(self) -> bytes:
        return self.logs.read("logvol1.txt").data

    def set_time(self, jst: datetime) -> None:
        self.tenhou.clock.time = utc(jst)

    def at(self, minute: float) -> SyncResult:
        """Sync so many minutes into the night."""
        self.set_time(NIGHT + minutes(minute))
        return self()

    def later(self, time: float = 21) -> SyncResult:
        """Sync so many minutes later; after 21 Tenhou's list is requested again."""
        self.tenhou.clock.forward(minutes=time)
        return self()


def no_wait(seconds: float) -> None:
    pass
