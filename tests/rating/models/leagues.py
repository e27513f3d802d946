"""Made-up leagues: Hypothesis strategies, and seeded random ones of any size."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
from hypothesis import strategies as st

from rating.games import Game, game_of
from rating.models import make
from rating.models.base import Batch, replay, standings
from rating.standings import Standings
from rating.teamlog import PAIRINGS, TeamGame

NAMES = ("あ", "い", "う", "え", "お", "か")
FIRST_DAY = date(2020, 4, 7)


def rate(name: str, games: Sequence[Any], **options: Any) -> Standings:
    model = make(name, **options)
    return (
        model.fit(games)
        if isinstance(model, Batch)
        else standings(
            model,
            replay(model, games),
        )
    )


@st.composite
def leagues(
    draw: st.DrawFn,
    fewest: int = 2,
    seats: tuple[int, ...] = (3, 4),
) -> list[Game]:
    """Games of one size, with ties and dates in order; the first game's scores are never all
    equal.
    """
    k = draw(st.sampled_from(seats))
    count = draw(st.integers(fewest, 12))
    games = []
    for number in range(count):
        players = draw(st.permutations(NAMES))[:k]
        scores = draw(
            st.lists(
                st.integers(-9, 9),
                min_size=k - 1,
                max_size=k - 1,
            )
        )
        points = [10.0 * score for score in scores]
        if number == 0:
            points = [30.0, 0.0, -50.0][: k - 1]
        day = FIRST_DAY + timedelta(days=number // 3)
        games.append(
            game_of(
                players,
                [*points, -sum(points)],
                day=day,
                line=number + 1,
                source="log",
            )
        )
    return games


@st.composite
def team_leagues(draw: st.DrawFn) -> list[TeamGame]:
    """Team matches: sessions of three games in the fixed pairings, of which some are not played."""
    games = []
    for session in range(draw(st.integers(1, 5))):
        seats = draw(st.permutations(NAMES))[:4]
        for number, (first, second) in enumerate(PAIRINGS):
            won = draw(st.sampled_from([True, False, None]))
            if won is not None:
                sides = [(seats[a], seats[b]) for a, b in (first, second)]
                games.append(TeamGame(sides[0], sides[1], won, session, number))
    return games


def played(
    *rows: tuple[str, tuple[float, ...]],
    day: date | None = None,
) -> list[Game]:
    """Games of players with a letter each: ("abc", (30, 0, -30))."""
    return [game_of(list(names), scores, day=day) for names, scores in rows]


def random_league(
    seed: int,
    players: int,
    count: int,
    seats: int = 3,
    skill: float = 3.0,
    days: int = 20,
) -> list[Game]:
    """Games of strength (sd `skill`) plus chance (sd 40), in thousands and zero-sum but for
    rounding.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, skill, players)
    games = []
    for number in range(count):
        table = rng.choice(players, seats, replace=False)
        raw = strength[table] + rng.normal(0, 40, seats)
        scores = np.round(raw - raw.mean(), 1)
        day = FIRST_DAY + timedelta(days=number * days // count)
        games.append(
            game_of(
                [f"p{i}" for i in table],
                list(map(float, scores)),
                day=day,
            )
        )
    return games
