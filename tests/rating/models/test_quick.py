from dataclasses import dataclass

import numpy as np
import pytest

from rating.columns import Block, Columns, Floats, columns_of
from rating.games import Game, GameError
from rating.models import make
from rating.models.base import Batch
from rating.models.tenhou import Tenhou
from rating.study.compare import compare
from rating.study.forecasts import Stages, batch_numbers, day_starts, order_loss
from rating.study.peers import TrueSkill
from tests.rating.models.leagues import random_league


def from_nothing(system: Batch, games: list[Game]) -> Floats:
    """Each seat's number before its game from a fit of its own for each day."""
    columns = columns_of(games)
    starts = day_starts(games)
    block = columns.blocks[0]
    numbers = np.zeros(block.players.shape)
    stops = [*starts[1:], len(games)]
    for start, stop in zip(starts, stops, strict=True):
        if start > 1:
            past = Block(
                block.players[:start],
                block.scores[:start],
                block.days[:start],
            )
            numbers[start:stop] = system.forecast(
                Columns(columns.names, (past,)), block.players[start:stop]
            )
    return numbers


@pytest.mark.parametrize(
    ("seats", "skill"),
    [(3, 0.0), (3, 20.0), (4, 5.0)],
)
@pytest.mark.parametrize("options", [{}, {"alpha": 3.0}])
def test_fit_continues_from_the_last_day(
    options: dict[str, object], seats: int, skill: float
) -> None:
    games = random_league(seats, 7, 180, seats, skill, days=15)
    system = make("plackett_luce", **options)
    assert isinstance(system, Batch)
    actual = batch_numbers(system, columns_of(games), day_starts(games))
    assert actual == pytest.approx(from_nothing(system, games), abs=1e-8)


def test_system_may_refuse_games() -> None:
    with pytest.raises(GameError, match="p1 plays"):
        compare(random_league(3, 6, 120), {"choosy": Choosy()})


@pytest.mark.parametrize("seats", [3, 4])
def test_trueskill_equals_the_package(seats: int) -> None:
    pytest.importorskip("trueskill")
    games = random_league(5, 7, 150, seats, 40.0)
    system = TrueSkill()
    # type: ignore[var-annotated]
    theirs = {}
    ours = {}
    for game in games:
        rated = system.peer.rate(
            [[theirs.get(p) or system.peer.create_rating()] for p in game.players]
        )
        theirs.update(
            zip(
                game.players,
                [team[0] for team in rated],
                strict=True,
            )
        )
        before = [ours.get(p) or system.initial(p) for p in game.players]
        ours.update(zip(game.players, system.play(game, before), strict=True))
    for player, rating in theirs.items():
        mean, deviation = ours[player].skill
        assert mean == pytest.approx(rating.mu, abs=1e-9)
        assert deviation == pytest.approx(rating.sigma, abs=1e-9)
    assert sum(state.games for state in ours.values()) == 150 * seats


def test_running_scales_equal_separate_fits() -> None:
    rng = np.random.default_rng(4)
    numbers = np.cumsum(rng.normal(0, 3, (300, 4)), axis=0)
    noisy = numbers * 0.02 + rng.gumbel(size=numbers.shape)
    ordered = np.take_along_axis(numbers, np.argsort(-noisy, axis=1), axis=1)
    stages = Stages(ordered)
    scale = 0.0
    for stop in (0, 5, 6, 40, 41, 200, 300):
        scale = stages.scale(stop, scale)
        assert scale == pytest.approx(Stages(ordered[:stop]).scale(stop), rel=1e-9)
        if scale > 0 and stop > 6:
            earlier = ordered[:stop]
            lowest = order_loss(earlier * scale).sum()
            assert order_loss(earlier * scale * 0.9999).sum() >= lowest
            assert order_loss(earlier * scale * 1.0001).sum() >= lowest


@dataclass(frozen=True)
class Choosy(Tenhou):
    def check(self, game: Game) -> None:
        if "p1" in game.players:
            raise GameError("p1 plays")
