"""段位: a grade by points of placing, as a league wants it (league.toml: `dan`).

Tenhou's own table is that of its lowest room (一般卓, https://tenhou.net/man/#DAN; four seats also
at https://mahjong-dora2.com/game/02-07.html and 02-11.html): a game of East alone counts two
thirds; from 2級 on the last loses 15 points more with each grade, at three seats as at four; nobody
falls from a 級. At three the first has what first and second have at four: 30 + 15 here, 105 and
135 in the rooms of 特上 and 鳳凰, which is what is told of 三麻 (with 90, 105, 120, 135 … for the
last from 四段 on).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rating.games import Game


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade: its name, the points it begins with, those that lead to the next, and what the last
    gets.
    """

    name: str
    begin: float
    goal: float
    last: float | None = None


@dataclass(frozen=True, slots=True)
class DanTable:
    """The grades, lowest first, and the points by placing of 3 and 4 seats; a grade's own `last`
    takes the last one's place. `floor`: the lowest grade that one falls to. `east`: what a game of
    East alone counts."""

    grades: tuple[Grade, ...]
    points: dict[int, tuple[float, ...]]
    floor: int = 0
    east: float = 1.0


@dataclass(frozen=True, slots=True)
class Dan:
    """Where somebody stands: the grade's name, its points, those that lead to the next (0: the
    highest).
    """

    name: str
    points: float
    goal: float


_KYU_GOALS = (20, 20, 20, 40, 60, 80, 100)
_KYU = [Grade(f"{9 - n}級", 0, goal) for n, goal in enumerate(_KYU_GOALS)]
_DAN = [
    Grade(f"{name}段", 200 * n, 400 * n, -30 - 15 * n)
    for n, name in enumerate("初二三四五六七八九十", 1)
]
TENHOU = DanTable(
    (
        Grade("新人", 0, 20),
        *_KYU,
        Grade("2級", 0, 100, -15),
        Grade("1級", 0, 100, -30),
        *_DAN,
        Grade("天鳳位", 0, 0),
    ),
    {3: (45, 0, 0), 4: (30, 15, 0, 0)},
    floor=9,
    east=2 / 3,
)


def grades_of(value: Any) -> DanTable | None:
    """The grades that league.toml's `dan` names ("tenhou") or tells; None where it is neither."""
    if value == "tenhou":
        return TENHOU
    try:
        points = tuple(map(float, value["points"]))
        grades = tuple(map(_grade, value["levels"]))
    except (TypeError, ValueError, KeyError):
        return None
    if len(points) not in (3, 4) or not grades:
        return None
    return DanTable(grades, {len(points): points})


def _grade(level: Any) -> Grade:
    name, begin, goal = level
    return Grade(str(name), float(begin), float(goal))


def dan_of(games: Iterable[Game], player: str, table: DanTable) -> Dan:
    """A player's grade after these games, in order of play; those of the player alone count."""
    at = 0
    points = table.grades[0].begin
    for game in games:
        seats = len(game.seats)
        grade = table.grades[at]
        if player not in game.players or seats not in table.points or not grade.goal:
            continue
        place = game.placing(player)
        gain = table.points[seats][place]
        if place == seats - 1 and grade.last is not None:
            gain = grade.last
        factor = 1.0
        if game.rule[2:3] == "東":
            factor = table.east
        points += gain * factor
        if points >= grade.goal and at + 1 < len(table.grades):
            at += 1
            points = table.grades[at].begin
        elif points < 0:
            if at > table.floor:
                at -= 1
            points = table.grades[at].begin
    return Dan(table.grades[at].name, points, table.grades[at].goal)
