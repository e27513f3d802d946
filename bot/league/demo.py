"""Make the demo league with a seeded generator: nine friends, three seasons, about 1,400 games.

Its logs have the oddities of logs that people keep by hand: a header, dates in several forms, a date glued to a game,
games before any date, blank lines, a title, names with brackets and bars, and a player who changed his name.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import date, time, timedelta
from pathlib import Path
from tempfile import mkdtemp

from rating.games import Game, Seat
from rating.league_faults import LEAGUE_FILE
from rating.roomlog import format_game

SEED = 20260401
STRENGTH = {  # name on Tenhou -> mean advantage in thousands of points
    "みどり一色": 3.0,
    "白發中": 1.5,
    "東風(本人)": 1.2,
    "まん|がん": 0.6,
    "両面待ち": 0.0,
    "三色のさくら": -0.6,
    "m9(-Д-)": -1.2,
    "ぽん&ちー": -1.5,
    "海底丸": -2.6,
}
ATTENDANCE = (0.9, 0.8, 0.75, 0.7, 0.6, 0.55, 0.5, 0.3, 0.12)
FORMER_NAME, RENAMED = "さくら三色", "三色のさくら"  # renamed after the first season
ROOM = "C1934"
SEASONS = (  # first day, days, mean games a day of play, chips
    (date(2025, 10, 4), 98, 8, False),
    (date(2026, 2, 1), 88, 8, True),
    (date(2026, 7, 25), 110, 8, True),
)

LEAGUE = """\
name = "雀録杯"
rooms = ["C1934"]

[[season]]
name = "第1シーズン"
log = "logvol1.txt"
start = 2025-10-04

[[season]]
name = "第2シーズン"
log = "logvol2.txt"
start = 2026-02-01

[[season]]
name = "第3シーズン"
log = "logvol3.txt"
start = 2026-07-25

[player."みどり一色"]
name = "みどり"

[player."白發中"]

[player."東風(本人)"]
name = "東風"

[player."まん|がん"]
name = "まんがん太郎"

[player."両面待ち"]
name = "りゃんめん"

[player."三色のさくら"]
aliases = ["さくら三色"]          # the name in the first season

[player."m9(-Д-)"]
name = "つばめ返し"

[player."ぽん&ちー"]
name = "ぽん吉"

[player."海底丸"]

[team."東家"]
members = ["みどり一色", "東風(本人)", "両面待ち", "m9(-Д-)"]

[team."南家"]
members = ["白發中", "まん|がん", "三色のさくら", "ぽん&ちー"]

[rules]
chip = 2.0
uma = [30, 0, -30]
"""


def demo_files(seed: int = SEED) -> dict[str, bytes]:
    """Return the folder's files by name, the same for the same seed."""
    rng = random.Random(seed)  # noqa: S311
    files = {LEAGUE_FILE: LEAGUE.encode()}
    for number, (first, days, mean, chips) in enumerate(SEASONS, 1):
        lines = list(_season(rng, number, first, days, mean=mean, chips=chips))
        files[f"logvol{number}.txt"] = ("\n".join(lines) + "\n").encode()
    return files


def ensure_demo(directory: str | Path) -> None:
    """Write the demo league if its folder is missing. Several processes may do so at once."""
    target = Path(directory)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(dir=target.parent, prefix=".demo-"))
    for name, data in demo_files().items():
        (made / name).write_bytes(data)
    made.chmod(0o755)
    try:
        os.rename(made, target)
    except OSError:  # another process was faster
        for name in demo_files():
            (made / name).unlink()
        made.rmdir()


def _season(rng: random.Random, number: int, first: date, days: int, mean: int, chips: bool) -> Iterator[str]:
    if number == 1:
        yield "roomID | time | ルール | Player1  Player2 Player3"
    else:
        yield f"第{number}シーズン"
    dated = number > 1  # the first season begins without a date
    for offset in range(days):
        if rng.random() < 0.38:
            continue
        day = first + timedelta(days=offset)
        lines = [format_game(game) for game in _day(rng, number, day, mean, chips)]
        if not lines:
            continue
        if dated:
            yield from _head(rng, number, day)
        dated = True
        if number == 3 and offset > 40 and rng.random() < 0.03:
            lines[-1] += (day + timedelta(days=1)).strftime("%Y%m%d")
        yield from lines
        if rng.random() < 0.05:
            yield ""


def _head(rng: random.Random, number: int, day: date) -> Iterator[str]:
    """Yield the line with the day, as hand-kept logs have it."""
    if number > 1:
        yield day.strftime("%Y%m%d")
    else:
        yield rng.choice(["#{0.month}/{0.day}", "＃{0.month}/{0.day}", "# {0.month}/{0.day}"]).format(day)
    if day == date(2025, 12, 31):
        yield "# 大みそかスペシャル"


def _day(rng: random.Random, number: int, day: date, mean: int, chips: bool) -> Iterator[Game]:
    present = [p for p, often in zip(STRENGTH, ATTENDANCE, strict=True) if rng.random() < often]
    if len(present) < 3:
        return
    minute = rng.randrange(13 * 60, 20 * 60)
    for _ in range(max(1, round(rng.gauss(mean, 3)))):
        minute += rng.randrange(11, 24)
        if minute >= 24 * 60:
            return
        seats = _table(rng, rng.sample(present, 3), chips)
        if number == 1:
            seats = tuple(
                Seat(FORMER_NAME if s.player == RENAMED else s.player, s.score, s.chips) for s in seats
            )
        rule = "三般南喰赤祝" if chips else "三般南喰赤－"
        yield Game(seats, day, time(minute // 60, minute % 60), ROOM, rule)


def _table(rng: random.Random, players: list[str], chips: bool) -> tuple[Seat, ...]:
    """Return a game's result in thousands of points: the hands' points plus uma (+30, 0, -30), whole, with sum zero."""
    hands = [rng.gauss(STRENGTH[player], 17) for player in players]
    centre = sum(hands) / 3
    order = sorted(range(3), key=lambda i: -hands[i])
    scores = [round(hands[i] - centre) + uma for i, uma in zip(order, (30, 0, -30), strict=True)]
    scores[0] -= sum(scores)
    won = [rng.choice((-3, -2, -1, 0, 1, 2, 4)) for _ in range(2)] if chips else []
    counts = [-sum(won), *won] if chips else [None, None, None]
    return tuple(Seat(players[i], float(s), c) for i, s, c in zip(order, scores, counts, strict=True))
