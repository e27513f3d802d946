"""An evening of a league in its own room: games at several tables at once, and what `flask sync` makes of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from click.testing import Result

from bot.service import Service
from rating.merge import identity
from rating.roomlog import parse
from tests.backend import Backend
from tests.fakes.tenhou import Clock, FakeTenhou
from tests.fakes.tenhou_room import FakeRoom, RoomPlay

SECRET = "82799490"
ROOM_ID = f"C10176825{SECRET}"
ROOM = ROOM_ID[:5]
NAMES = ("みどり", "白發中", "東風", "m9(-Д-)", "両面待ち", "さくら", "A&B", "100%", "宮永|咲")
DAY = date(2026, 8, 10)
TOML = f'rooms = ["{ROOM}"]\n[[season]]\nlog = "logvol1.txt"\nstart = 2026-01-01\n'
HAND = f"# 夏の大会\n#8/9\n{ROOM} | 20:00 | 三般南喰赤－ | 東風(+1.0) さくら(0.0) みどり(-1.0)\n\n"


def utc(jst: datetime) -> datetime:
    return (jst - timedelta(hours=9)).replace(tzinfo=UTC)


def evening(room: FakeRoom, rng: random.Random, games: int = 30, tables: int = 3) -> list[RoomPlay]:
    """Play an evening: nine players change tables after each game; some games begin after midnight."""
    free = {
        datetime.combine(DAY, datetime.min.time()) + timedelta(hours=20, seconds=table): ()
        for table in range(tables)
    }
    seated: list[tuple[datetime, tuple[str, ...]]] = [(at, ()) for at in free]
    played = []
    idle = list(NAMES)
    while len(played) < games:
        seated.sort()
        at, before = seated.pop(0)
        idle += before
        rng.shuffle(idle)
        names, idle = tuple(idle[:3]), idle[3:]
        start = at + timedelta(seconds=rng.randrange(30, 200))
        end = start + timedelta(minutes=rng.randrange(12, 45), seconds=rng.randrange(60))
        a, b = rng.randrange(1, 900), rng.randrange(-400, 400)
        chips = rng.choice([None, (rng.randrange(-3, 4), rng.randrange(-3, 4))])
        shown = (*chips, -sum(chips)) if chips and any(chips) else None
        played.append(room.play(start, end, names, (a, b, -a - b), shown))
        seated.append((end, names))
    return played


def files(tenhou: FakeTenhou, played: list[RoomPlay]) -> None:
    """Put the day's files on Tenhou, as they are in the morning."""
    days: dict[date, list[RoomPlay]] = {}
    for game in sorted(played, key=lambda game: game.start):
        days.setdefault(game.start.date(), []).append(game)
    for day, games in days.items():
        others = ["C9999 | 00:10 | 四般南喰赤－ | a(+50.0) b(+10.0) c(-20.0) d(-40.0)"]
        tenhou.put(day, sorted([*(game.line for game in games), *others], key=lambda line: line[8:13]))


def expected(played: list[RoomPlay]) -> Counter[object]:
    """Every game once, under the day of its start."""
    return Counter((game.start.date(), identity(parse("", game.line.encode()).lines[0])) for game in played)


def held(data: bytes) -> Counter[object]:
    """The room's games in a log, without the line of HAND."""
    lines = [line for line in parse("", data, date(2026, 8, 1)).lines if line.game]
    return Counter((line.day, identity(line)) for line in lines if line.raw.rstrip() not in HAND.encode())


@dataclass
class League:
    """A league's folder and its `flask` commands, at the stand-in's time."""

    folder: Path
    tenhou: FakeTenhou
    run: Callable[..., Result]
    service: Service

    @property
    def log(self) -> bytes:
        return (self.folder / "logvol1.txt").read_bytes()

    @property
    def records(self) -> list[str]:
        found = (self.folder / "records").glob("*.mjlog")
        return sorted(path.stem for path in found)

    def at(self, jst: datetime) -> None:
        self.tenhou.clock.time = utc(jst)


@contextmanager
def league(
    home: Path, tenhou: FakeTenhou, backend: Backend, room_id: str = ROOM_ID, **env: str
) -> Iterator[League]:
    """A league with the room's id in its environment, in `home`."""
    from app import create_app
    from bot.settings import read_settings
    from tests.backend import close

    folder = home / "league"
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "league.toml").write_text(TOML)
        (folder / "logvol1.txt").write_text(HAND)
    settings = read_settings(
        {
            **backend.env(home),
            "LOGS_URL": f"file:{folder}",
            "IMAGES_URL": f"file:{home / 'images'}",
            "TENHOU_URL": tenhou.url,
            "TENHOU_ROOM_ID": room_id,
            **env,
        }
    )
    app = create_app(settings, lambda: tenhou.clock())
    service: Service = app.extensions["janroku"]
    runner = app.test_cli_runner()
    yield League(folder, tenhou, lambda *words: runner.invoke(args=list(words)), service)
    close(service)


def clock(jst: datetime) -> Clock:
    return Clock(utc(jst))
