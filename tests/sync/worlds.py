"""A made-up month at Tenhou: a league's games among others, and the files as they were at any
moment.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from rating.roomlog import parse
from rating.same_game import identity
from storage.ports import LogSource
from tests.fakes.tenhou import FakeTenhou

ROOM = "C6529"
NAMES = (
    "ヒロト・カゼタ",
    "塔子待ち",
    "烏龍茶(黒)",
    "宮永|咲",
    "m9(-Д-)",
    "夏海里伽子（本人",
    "NoName",
)
OTHERS = ("C6529さん", "L1000", "みどり", "C6529|", "白發中", "&<b>")


@dataclass(frozen=True)
class Played:
    """A game: its room log line, the day of the file it belongs to, and when it ended (JST)."""

    day: date
    line: str
    end: datetime


def play(
    rng: random.Random,
    day: date,
    room: str,
    names: Sequence[str],
    earliest: int = 0,
) -> Played:
    """A three-player game that starts at a random minute from `earliest` on and takes 10 to 69
    minutes.
    """
    start = rng.randrange(earliest, 24 * 60)
    a = rng.randrange(1, 900) / 10
    b = rng.randrange(-400, 400) / 10
    scores = sorted((a, b, -round(a + b, 1)), reverse=True)
    seats = zip(rng.sample(names, 3), scores, strict=True)
    words = [f"{name}({score:+.1f})" if score else f"{name}(0.0)" for name, score in seats]
    line = f"{room} | {start // 60:02d}:{start % 60:02d} | 三般南喰赤－ | {' '.join(words)}"
    end = timedelta(minutes=start + rng.randrange(10, 70))
    return Played(day, line, datetime.combine(day, time()) + end)


def month(
    seed: int,
    first: date,
    days: int = 30,
    others: int = 400,
) -> list[Played]:
    """Every game of `days` days: the league's room's, and `others` games a day of other rooms."""
    rng = random.Random(seed)
    games = []
    for number in range(days):
        day = first + timedelta(days=number)
        games += [
            play(rng, day, ROOM, NAMES, 1080 * rng.randrange(2)) for _ in range(rng.randrange(8))
        ]
        for _ in range(others):
            drawn = f"C{rng.randrange(10000):04d}".replace("6529", "6530")
            games.append(
                play(
                    rng,
                    day,
                    rng.choice(("C6528", "C0652", "L6529", drawn)),
                    OTHERS,
                )
            )
    return games


def show(tenhou: FakeTenhou, games: Sequence[Played], until: datetime | None = None) -> None:
    days: dict[date, list[Played]] = {}
    for game in games:
        days.setdefault(game.day, []).append(game)
    for day, played in days.items():
        settled = until is not None and day in tenhou.complete
        if settled or (until is not None and day > until.date()):
            continue
        there = [game.line for game in played if until is None or game.end <= until]
        if until is not None and len(there) == len(played):
            tenhou.complete.add(day)
        if there:
            tenhou.put(day, sorted(there, key=lambda line: line[8:13]))


def ours(games: Sequence[Played]) -> Counter[object]:
    """The league's games, counted by day and identity."""
    counted: Counter[object] = Counter()
    for game in games:
        if game.line.startswith(f"{ROOM} |"):
            line = parse("", game.line.encode()).lines[0]
            counted[game.day, identity(line)] += 1
    return counted


class Around:
    """A log folder that passes every call on to another one; a test's own class changes some."""

    def __init__(self, logs: LogSource) -> None:
        self.logs = logs

    def __getattr__(self, name: str) -> Any:
        return getattr(self.logs, name)


def held(logs: LogSource, *names: str) -> Counter[object]:
    """The games in these season logs, counted by day and identity."""
    result: Counter[object] = Counter()
    for name in names:
        lines = parse(
            name,
            logs.read(name).data,
            date(2020, 3, 1),
        ).lines
        result.update((line.day, identity(line)) for line in lines if line.game)
    return result


class Edited(Around):
    """A folder in which somebody edits the log just before it is written, `edits` times."""

    edits = 2

    def write(self, name: str, data: bytes, rev: str | None) -> str:
        if name == "logvol1.txt" and self.edits and rev is not None:
            self.edits -= 1
            file = self.read(name)
            self.logs.write(name, file.data + f"# hand {self.edits}\n".encode(), file.rev)
        return self.logs.write(name, data, rev)
