"""The chances of being champion after each day of play, the day that turned the season, and a
finished season in review: the game that decided it, the chances at half-time, who had luck."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np

from rating.forecast.outlook import Forecast, chances_of_places, forecast
from rating.forecast.past import Past, Plan
from rating.forecast.seasons import LONG, Progress, simulate_seasons
from rating.forecast.skill import skill_and_luck
from rating.forecast.strengths import skills_of
from rating.games import Game
from rating.study.forecasts import UNDATED

MOST_DAYS = 75  # points of a curve
DAY_SEASONS = 500, 2_000  # simulated after each day, the fewer the more games are left
# About so many games are simulated after each day: the error of a chance is 1.1 % with 100 games
# left.
DAY_GAMES = 200_000


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The chances of being champion after a day of play, of the members who had played by then.
    day: None without dates. played, left: games. key: names the games and the games left."""

    day: date | None
    played: int
    left: int
    chances: dict[str, float]
    key: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The day on which a member's chance grew most, and the chance before and after it."""

    player: str
    day: date | None
    before: float
    after: float


def curve(
    past: Past,
    plan: Plan,
    known: Sequence[CurvePoint] = (),
    *,
    progress: Progress | None = None,
) -> tuple[CurvePoint, ...]:
    """The chances after each day of play; games without dates count as days of UNDATED games. Of
    more than MOST_DAYS days there is a point after every second, fourth, eighth … and after the
    last. Each point depends on its own games alone. Those of `known` that are still right are taken
    from there, so a new day costs one step. Raises GameError as `Plan.left_after`."""
    by_key = {point.key: point for point in known}
    ends = ends_of_days(past)
    apart = 1  # doubled as the season grows, so that the points it keeps are known
    while len(ends) > MOST_DAYS * apart:
        apart *= 2
    ends = [*ends[apart - 1 : -1 : apart], ends[-1]]
    points = []
    for number, games in enumerate(ends, 1):
        then = past.until(games)
        left = plan.left_after(then)
        key = (then.digest(), left)
        points.append(
            by_key.get(key)
            or CurvePoint(then.last_day, then.played, left, champion_chances(then, left), key)
        )
        if progress is not None:
            progress(number, len(ends))
    return tuple(points)


def champion_chances(past: Past, left: int) -> dict[str, float]:
    least, most = DAY_SEASONS
    seasons = min(max(least, DAY_GAMES // max(1, left)), most)
    first = chances_of_places(simulate_seasons(past, left, seasons=seasons).finals)[:, 0]
    members = past.names[: past.members]
    return dict(zip(members, first.tolist(), strict=True))


def ends_of_days(past: Past) -> list[int]:
    """How many games of the season had been played after each day of play."""
    days = past.days[past.season]
    if not days[-1]:
        return [*range(UNDATED, past.played, UNDATED), past.played]
    last_rows = np.flatnonzero(np.diff(days, append=days[-1] + 1))
    return [int(row) + 1 for row in last_rows]


def turning_point(points: Sequence[CurvePoint], player: str = "") -> TurningPoint | None:
    """The day on which the member's chance grew most; by default of who has the greatest chance at
    the end. None where no day follows another, and where the chance never grew."""
    if len(points) < 2:
        return None
    last = points[-1].chances
    winner = player or max(last, key=lambda name: last[name])
    chances = [point.chances.get(winner, 0.0) for point in points]
    grown = [after - before for before, after in pairwise(chances)]
    best = int(np.argmax(grown))
    if grown[best] <= 0:
        return None
    return TurningPoint(
        winner,
        points[best + 1].day,
        chances[best],
        chances[best + 1],
    )


DAYS_WALKED = (
    3  # points of the curve, those to which the chance grew most, up to which the game is sought
)
GAMES_WALKED = 8  # games of them that are looked at one by one in a season of more than LONG games


@dataclass(frozen=True, slots=True)
class DecidingGame:
    """The game with which the champion's chance grew most: its number (from 1), the chance before,
    after.
    """

    player: str
    number: int
    game: Game
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class SeasonLuck:
    """A member's points (thousands) without fines: what the strengths at the tables let expect, and
    the luck beyond. `surprise`: the luck in standard deviations of so many games. `half_expected`: the final
    points expected at half-time; `half_low` and `half_high` bound the 90 % interval. None before a
    first game."""

    player: str
    points: float
    games: int
    skill: float
    luck: float
    surprise: float
    half_expected: float | None
    half_low: float | None
    half_high: float | None


@dataclass(frozen=True, slots=True)
class SeasonReview:
    """What a season was: champions (who share it), deciding game, forecast at half-time, luck by
    points. `decided` is None where no game raised the champion's chance."""

    champions: tuple[str, ...]
    decided: DecidingGame | None
    half: Forecast
    luck: tuple[SeasonLuck, ...]

    @property
    def outplayed(self) -> SeasonLuck:
        """The member whose points exceed what could be expected the most, in standard
        deviations.
        """
        return max(self.luck, key=lambda member: member.surprise)


def season_review(past: Past, points: Sequence[CurvePoint]) -> SeasonReview:
    """The review of a season that is over; `points` is its curve, planned for the games that were
    played.
    """
    half = past.until(max(1, past.played // 2))
    outlook = forecast(half, past.played - half.played)
    winners = past.leaders
    skills = skills_of(past)
    half_finals = {
        member.player: (member.expected, member.low, member.high) for member in outlook.members
    }
    luck = tuple(
        SeasonLuck(
            member.player,
            member.points,
            member.games,
            member.skill,
            member.luck,
            member.luck / (skills.sigma.value * float(member.games) ** 0.5),
            *half_finals.get(member.player, (None, None, None)),
        )
        for member in skill_and_luck(past, skills)
    )
    return SeasonReview(winners, _deciding(past, points, winners[0]), outlook, luck)


def _deciding(past: Past, points: Sequence[CurvePoint], champion: str) -> DecidingGame | None:
    """The deciding game, sought within the days on which the champion's chance grew most; games
    before the first of `points` are left out where that is not the first day. In a season of more
    than LONG games it is sought where the half of those days grows more, and so on."""
    ends = [point.played for point in points]
    chances = [point.chances.get(champion, 0.0) for point in points]
    grown = np.diff([0.0, *chances])
    best: DecidingGame | None = None
    for day in np.argsort(-grown, kind="stable")[:DAYS_WALKED]:
        start = ends[day - 1] if day else 0
        stop = ends[day]
        if not day and stop != ends_of_days(past)[0]:
            continue
        before = _chance(past, start, champion)
        after = points[day].chances.get(champion, 0.0)
        while past.played > LONG and stop - start > GAMES_WALKED:
            middle = (start + stop) // 2
            half = _chance(past, middle, champion)
            if half - before >= after - half:
                stop = middle
                after = half
            else:
                start = middle
                before = half
        for number in range(start + 1, stop + 1):
            after = _chance(past, number, champion)
            if after > before and (best is None or after - before > best.after - best.before):
                best = DecidingGame(champion, number, past.season_games[number - 1], before, after)
            before = after
    return best


def _chance(past: Past, games: int, champion: str) -> float:
    """The champion's chance after the first `games` games of the season; before the first all are
    equal.
    """
    if not games:
        return 1 / past.members
    return champion_chances(past.until(games), past.played - games).get(champion, 0.0)
