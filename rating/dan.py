"""段位: a grade by points of placing, by the table of a league (league.toml: `dan`).

Tenhou's own table is that of its lowest room (一般卓, https://tenhou.net/man/#DAN; four seats also
at https://mahjong-dora2.com/game/02-07.html and 02-11.html): a game of East alone counts two
thirds; from 2級 on the last loses 15 points more with each grade, with three seats as with four;
nobody falls from a 級. With three seats the first gets what first and second get with four: 30 + 15
here, 105 and 135 in the rooms of 特上 and 鳳凰, the published numbers of 三麻 (with 90, 105, 120,
135 … for the last from 四段 on).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rating.games import Game


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade: its name, the points it begins with, the `goal` at which the next grade begins (0:
    there is none), and what the last of a game gets (None: the table's number)."""

    name: str
    begin: float
    goal: float
    last: float | None = None


@dataclass(frozen=True, slots=True)
class DanTable:
    """The grades, lowest first, and the points by placing, by number of seats.

    A grade's own `last` replaces the last placing's points. `floor`: index of the lowest grade that
    a player falls to. `east`: the factor of a game of East alone.
    """

    grades: tuple[Grade, ...]
    points: dict[int, tuple[float, ...]]
    floor: int = 0
    east: float = 1.0


@dataclass(frozen=True, slots=True)
class Dan:
    """A player's grade: its name, the player's points, and the goal (0: it is the highest)."""

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
    """The grades of league.toml's `dan`: Tenhou's for "tenhou", or those of a table with `points`
    and `levels`; None for any other value."""
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
    """A player's grade after these games, which are in order of play; games without the player, or
    with a number of seats that the table lacks, do not count."""
    index = 0
    points = table.grades[0].begin
    for game in games:
        grade = table.grades[index]
        if player not in game.players or len(game.seats) not in table.points or not grade.goal:
            continue
        points += _gain(game, player, grade, table)
        if points >= grade.goal and index + 1 < len(table.grades):
            index += 1
            points = table.grades[index].begin
        elif points < 0:
            if index > table.floor:
                index -= 1
            points = table.grades[index].begin
    return Dan(table.grades[index].name, points, table.grades[index].goal)


def _gain(game: Game, player: str, grade: Grade, table: DanTable) -> float:
    """The points of a game for a player of this grade."""
    seats = len(game.seats)
    placing = game.placing(player)
    gain = table.points[seats][placing]
    if placing == seats - 1 and grade.last is not None:
        gain = grade.last
    if _is_east_only(game):
        return gain * table.east
    return gain


def _is_east_only(game: Game) -> bool:
    """Whether the rule's third character is 東, as in 三般東喰赤."""
    return game.rule[2:3] == "東"
