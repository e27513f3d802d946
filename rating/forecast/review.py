"""The chances of being champion after each day of play, the day that turned the season, and a
finished season in review: the game that decided it, the chances at half-time, and luck."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from operator import attrgetter

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
    day: None without dates. played, left: games so far and to come. key: identifies both."""

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
    computed: Sequence[CurvePoint] = (),
    *,
    progress: Progress | None = None,
) -> tuple[CurvePoint, ...]:
    """The chances after each day of play; games without dates count as days of UNDATED games. Of
    more than MOST_DAYS days there is a point after every second, fourth, eighth … and after the
    last. Each point depends on its own games alone. Points of `computed` that are still right are
    reused, so a new day costs one step. Raises GameError as `Plan.left_after`."""
    by_key = {point.key: point for point in computed}
    ends = games_by_day_end(past)
    step = 1  # doubled as the season grows, so that the points it needs are computed already
    while len(ends) > MOST_DAYS * step:
        step *= 2
    ends = [*ends[step - 1 : -1 : step], ends[-1]]
    points = []
    for number, games in enumerate(ends, 1):
        so_far = past.until(games)
        left = plan.left_after(so_far)
        key = (so_far.digest(), left)
        point = by_key.get(key)
        if point is None:
            chances = champion_chances(so_far, left)
            point = CurvePoint(so_far.last_day, so_far.played, left, chances, key)
        points.append(point)
        if progress is not None:
            progress(number, len(ends))
    return tuple(points)


def champion_chances(past: Past, left: int) -> dict[str, float]:
    """Each member's chance of being champion with `left` games to come."""
    fewest, most_seasons = DAY_SEASONS
    seasons = min(max(fewest, DAY_GAMES // max(1, left)), most_seasons)
    first = chances_of_places(simulate_seasons(past, left, seasons=seasons).finals)[:, 0]
    members = past.names[: past.members]
    return dict(zip(members, first.tolist(), strict=True))


def games_by_day_end(past: Past) -> list[int]:
    """How many games of the season were played by the end of each day of play; games without dates
    count as days of UNDATED games.
    """
    days = past.days[past.season]
    if past.last_day is None:
        return [*range(UNDATED, past.played, UNDATED), past.played]
    is_last_of_day = np.append(days[1:] != days[:-1], True)
    last_games: list[int] = np.flatnonzero(is_last_of_day).tolist()
    return [index + 1 for index in last_games]


def turning_point(points: Sequence[CurvePoint], player: str = "") -> TurningPoint | None:
    """The day on which the member's chance grew most; by default that of the member with the
    greatest chance at the end. None with fewer than two days, and where the chance never grew."""
    if len(points) < 2:
        return None
    final = points[-1].chances
    winner = player or max(final, key=final.__getitem__)
    chances = [point.chances.get(winner, 0.0) for point in points]
    growth = [after - before for before, after in pairwise(chances)]
    best = int(np.argmax(growth))
    if growth[best] <= 0:
        return None
    return TurningPoint(
        winner,
        points[best + 1].day,
        before=chances[best],
        after=chances[best + 1],
    )


DAYS_WALKED = 3  # points of the curve in which the deciding game is sought: of the greatest growth
GAMES_WALKED = 8  # games of them that are tried one by one in a season of more than LONG games


@dataclass(frozen=True, slots=True)
class DecidingGame:
    """The game with which the champion's chance grew most: its number (from 1), and the chance
    before and after it."""

    player: str
    number: int
    game: Game
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class SeasonLuck:
    """A member's points (thousands) without fines: those expected from the strengths at the tables
    (`skill`), and the `luck` beyond them.

    `surprise`: the luck in standard deviations of so many games. `half_expected`: the final points
    expected at half-time; `half_low` and `half_high` bound the 90 % interval. None before a first
    game.
    """

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
    """A finished season: champions (several with equal points), deciding game, forecast at
    half-time, luck in order of points. `decided` is None where no game raised the champion's
    chance."""

    champions: tuple[str, ...]
    decided: DecidingGame | None
    half: Forecast
    luck: tuple[SeasonLuck, ...]

    @property
    def outplayed(self) -> SeasonLuck:
        """The member whose points exceed the expected ones the most, in standard deviations."""
        return max(self.luck, key=attrgetter("surprise"))


def season_review(past: Past, points: Sequence[CurvePoint]) -> SeasonReview:
    """The review of a finished season; `points` is its curve, planned for the number of games
    played."""
    half = past.until(max(1, past.played // 2))
    outlook = forecast(half, past.played - half.played)
    winners = past.leaders
    skills = skills_of(past)
    half_outlooks = {member.player: member for member in outlook.members}
    luck = []
    for member in skill_and_luck(past, skills):
        at_half = half_outlooks.get(member.player)
        luck.append(
            SeasonLuck(
                member.player,
                member.points,
                member.games,
                member.skill,
                member.luck,
                surprise=member.luck / (skills.sigma.value * float(member.games) ** 0.5),
                half_expected=at_half.expected if at_half else None,
                half_low=at_half.low if at_half else None,
                half_high=at_half.high if at_half else None,
            )
        )
    return SeasonReview(winners, _deciding(past, points, winners[0]), outlook, tuple(luck))


def _deciding(past: Past, points: Sequence[CurvePoint], champion: str) -> DecidingGame | None:
    """The deciding game of the days on which the champion's chance grew most. Games up to the first
    of `points` are not tried where that is not the first day."""
    ends = [0, *(point.played for point in points)]
    chances = [0.0, *(point.chances.get(champion, 0.0) for point in points)]
    growth = np.diff(chances)
    best: DecidingGame | None = None
    for day in np.argsort(-growth, kind="stable")[:DAYS_WALKED]:
        if not day and points[0].played != games_by_day_end(past)[0]:
            continue
        games = range(ends[day], ends[day + 1])
        if past.played > LONG:
            games = _narrowed(past, games, chances[day + 1], champion)
        before = _chance(past, games.start, champion)
        for index in games:
            after = _chance(past, index + 1, champion)
            if after > before and (best is None or after - before > best.after - best.before):
                game = past.season_games[index]
                best = DecidingGame(champion, index + 1, game, before, after)
            before = after
    return best


def _narrowed(past: Past, games: range, after: float, champion: str) -> range:
    """At most GAMES_WALKED of the games: again and again the half with which the chance grows more.
    `after`: the chance after the last game."""
    before = _chance(past, games.start, champion)
    while len(games) > GAMES_WALKED:
        middle = (games.start + games.stop) // 2
        half = _chance(past, middle, champion)
        if half - before >= after - half:
            games = range(games.start, middle)
            after = half
        else:
            games = range(middle, games.stop)
            before = half
    return games


def _chance(past: Past, games: int, champion: str) -> float:
    """The champion's chance after the first `games` games of the season; before the first game all
    members have the same."""
    if not games:
        return 1 / past.members
    return champion_chances(past.until(games), past.played - games).get(champion, 0.0)
