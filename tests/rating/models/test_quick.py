from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from rating.columns import Block, Columns, Floats, columns_of
from rating.games import Game, GameError
from rating.models import make
from rating.models.base import Batch
from rating.models.drifting import Drifting
from rating.models.tenhou import Tenhou
from rating.study.compare import compare
from rating.study.forecasts import Stages, batch_numbers, daily_strengths, day_starts, order_loss, quick
from rating.study.peers import TrueSkill
from tests.rating.models.leagues import random_league


def from_nothing(system: Batch, games: list[Game]) -> Floats:
    """Each seat's number before its game from a fit of its own for each day."""
    columns, starts = columns_of(games), day_starts(games)
    block = columns.blocks[0]
    numbers = np.zeros(block.players.shape)
    for start, stop in zip(starts, [*starts[1:], len(games)], strict=True):
        if start > 1:
            past = Block(block.players[:start], block.scores[:start], block.days[:start])
            numbers[start:stop] = system.forecast(Columns(columns.names, (past,)), block.players[start:stop])
    return numbers


@pytest.mark.parametrize(("seats", "skill"), [(3, 0.0), (3, 20.0), (4, 5.0)])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bradley_terry", {}), ("plackett_luce", {}), ("plackett_luce", {"alpha": 3.0}), ("btr", {}),
        ("btr", {"alpha": 0.1, "uma": "uma"}), ("bayesian_btr", {}),
    ],
)  # fmt: skip
def test_fits_go_on_from_before(name: str, options: dict[str, object], seats: int, skill: float) -> None:
    if "uma" in options:
        options = options | {"uma": (20.0, 0.0, -20.0) if seats == 3 else (20.0, 10.0, -10.0, -20.0)}
    games, system = random_league(seats, 7, 180, seats, skill, days=15), make(name, **options)
    assert isinstance(system, Batch)
    assert daily_strengths(system, columns_of(games), [60]) is not None
    found = batch_numbers(system, columns_of(games), day_starts(games))
    assert found == pytest.approx(from_nothing(system, games), abs=1e-8)


def test_systems_without_a_quick_way_stay_as_they_are() -> None:
    games = random_league(3, 6, 60, days=10)
    for system in (make("btr", alpha="cv"), make("blade_chest")):
        assert isinstance(system, Batch)
        assert daily_strengths(system, columns_of(games), [30]) is None
    crowd = replace(columns_of(games), names=tuple(map(str, range(1001))))
    assert daily_strengths(make("btr"), crowd, [30]) is None  # type: ignore[arg-type]
    for system in (Drifting(1e3, 10), make("tenhou")):
        assert quick(system) is system
    with pytest.raises(GameError, match="p1 plays"):
        compare(random_league(3, 6, 120), {"choosy": Choosy()})


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(("prior", "drift"), [(0.3, 0.01), (3.0, 0.5), (1e-6, 0.0)])
def test_the_drift_in_plain_numbers(seats: int, prior: float, drift: float) -> None:
    games, system = random_league(5, 7, 120, seats, 20.0), Drifting(prior, drift)
    assert quick(system) is not system
    whole: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    for game in games:
        before = [whole.get(player) or system.initial(player) for player in game.players]
        whole.update(zip(game.players, system.play(game, before), strict=True))
        before = [plain.get(player) or quick(system).initial(player) for player in game.players]
        plain.update(zip(game.players, quick(system).play(game, before), strict=True))
        for player in game.players:
            assert plain[player].mean == pytest.approx(system.value(whole[player]), abs=1e-8)
            assert plain[player].variance == pytest.approx(whole[player].variances[0], rel=1e-6)


@pytest.mark.parametrize("seats", [3, 4])
def test_trueskill_is_the_package_s_own(seats: int) -> None:
    pytest.importorskip("trueskill")
    games, system = random_league(5, 7, 150, seats, 40.0), TrueSkill()
    theirs, ours = {}, {}  # type: ignore[var-annotated]
    for game in games:
        rated = system.peer.rate([[theirs.get(p) or system.peer.create_rating()] for p in game.players])
        theirs.update(zip(game.players, [team[0] for team in rated], strict=True))
        before = [ours.get(p) or system.initial(p) for p in game.players]
        ours.update(zip(game.players, system.play(game, before), strict=True))
    for player, rating in theirs.items():
        assert ours[player][:2] == pytest.approx((rating.mu, rating.sigma), abs=1e-9)
    assert sum(games for _, _, games in ours.values()) == 150 * seats


def test_scales_of_more_and_more_games_are_those_fitted_alone() -> None:
    rng = np.random.default_rng(4)
    numbers = np.cumsum(rng.normal(0, 3, (300, 4)), axis=0)
    noisy = numbers * 0.02 + rng.gumbel(size=numbers.shape)
    ordered = np.take_along_axis(numbers, np.argsort(-noisy, axis=1), axis=1)
    stages, scale = Stages(ordered), 0.0
    for stop in (0, 5, 6, 40, 41, 200, 300):
        scale = stages.scale(stop, scale)
        assert scale == pytest.approx(Stages(ordered[:stop]).scale(stop), rel=1e-9)
        if scale > 0 and stop > 6:
            known = ordered[:stop]
            losses = [order_loss(known * scale * near).sum() for near in (0.9999, 1, 1.0001)]
            assert min(losses) == losses[1]


@dataclass(frozen=True)
class Choosy(Tenhou):
    def check(self, game: Game) -> None:
        if "p1" in game.players:
            raise GameError("p1 plays")
