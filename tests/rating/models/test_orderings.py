from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import choix
import numpy as np
import pytest

from rating.columns import Columns, columns_of
from rating.games import Game, game_of
from rating.models import bradley_terry, drifting, plackett_luce
from rating.models.base import ModelError, replay, standings
from rating.models.blade_chest import BladeChest, shrink, smooth
from rating.models.bradley_terry import BradleyTerry, wins_of
from rating.models.drifting import Drifting
from rating.models.fitting import Slope
from rating.models.plackett_luce import PlackettLuce, by_evidence, orders_of
from tests.rating.models.leagues import random_league

LEAGUES = [
    random_league(
        21,
        6,
        60,
        3,
        20.0,
    ),
    random_league(22, 9, 80, 4, 40.0),
]


def numbered(games: list[Game]) -> tuple[list[list[int]], list[str]]:
    names = sorted({p for game in games for p in game.players})
    return [[names.index(p) for p in game.players] for game in games], names


@pytest.mark.parametrize("games", LEAGUES)
@pytest.mark.parametrize("alpha", [0.1, 2.0, 50.0])
def test_strengths_equal_those_of_choix(games: list[Game], alpha: float) -> None:
    """choix's penalty is alpha |s|^2, ours is half of that."""
    orders, names = numbered(games)
    pairs = [pair for order in orders for pair in combinations(order, 2)]
    for model, peer in (
        (
            BradleyTerry(alpha),
            choix.opt_pairwise(
                len(names),
                pairs,
                alpha / 2,
                tol=1e-12,
            ),
        ),
        (
            PlackettLuce(alpha),
            choix.opt_rankings(
                len(names),
                orders,
                alpha / 2,
                tol=1e-12,
            ),
        ),
    ):
        table = model.fit(games)
        values = [table[name].value for name in names]
        assert values == pytest.approx(peer, abs=1e-6), model


def agree(slope: Callable[[np.ndarray], Slope], at: np.ndarray) -> None:
    step = 1e-5
    _, gradient, hessian = slope(at)
    for i, unit in enumerate(np.eye(len(at))):
        value_up, gradient_up, _ = slope(at + step * unit)
        value_down, gradient_down, _ = slope(at - step * unit)
        rise = (value_up - value_down) / (2 * step)
        bend = (gradient_up - gradient_down) / (2 * step)
        assert gradient[i] == pytest.approx(rise, rel=1e-5, abs=1e-5)
        assert hessian[i] == pytest.approx(bend, rel=1e-5, abs=1e-5)


def columns() -> Columns:
    return columns_of(LEAGUES[0] + LEAGUES[1])


def test_gradients() -> None:
    at = np.random.default_rng(3).normal(
        0,
        0.7,
        len(columns().names),
    )
    wins = wins_of(columns())
    orders = orders_of(columns())
    agree(lambda s: bradley_terry.slope(wins, 1.3, s), at)
    agree(lambda s: plackett_luce.slope(orders, 1.3, s), at)

    def one_table(x: np.ndarray) -> Slope:
        means = np.array([[0.1, -0.2, 0.3]])
        variances = np.array([[9.0, 4.0, 20.0]])
        loss, gradient, hessian = drifting.slope(x[None, :], means, variances)
        return float(loss[0]), gradient[0], hessian[0]

    agree(one_table, at[:3])
    rng = np.random.default_rng(4)
    n = len(wins)
    s = rng.normal(0, 0.5, n)
    raw = rng.normal(0, 0.5, (n, n))
    a = raw - raw.T
    step = 1e-5
    gradient = smooth(wins, 1.3, s, a)[2]
    for i in range(n):
        for j in range(i):
            unit = np.zeros((n, n))
            unit[i, j] = step
            unit[j, i] = -step
            up, _, _ = smooth(wins, 1.3, s, a + unit)
            down, _, _ = smooth(wins, 1.3, s, a - unit)
            rise = (up - down) / (2 * step)
            assert gradient[i, j] == pytest.approx(rise, rel=1e-5, abs=1e-5)


def test_evidence_is_stationary() -> None:
    orders = orders_of(columns_of(LEAGUES[1]))
    n = 9
    alpha, s = by_evidence(orders, n)
    eigenvalues = np.linalg.eigvalsh(plackett_luce.slope(orders, 0.0, s)[2])
    gamma = float(np.sum(eigenvalues / (eigenvalues + alpha)))
    assert alpha == pytest.approx((gamma + 1) / (s @ s + 0.01), rel=1e-6)
    assert (
        by_evidence(
            orders_of(
                columns_of(
                    random_league(
                        5,
                        9,
                        400,
                        3,
                        0.0,
                    )
                )
            ),
            9,
        )[0]
        > 3 * alpha
    )


@pytest.mark.parametrize(
    "model",
    [BradleyTerry(0.01), PlackettLuce(0.01), BladeChest(0.01)],
)
@pytest.mark.parametrize("seats", [3, 4])
def test_errors_cover_only_chance(
    model: BradleyTerry | PlackettLuce | BladeChest, seats: int
) -> None:
    scores = []
    for seed in range(40):
        table = model.fit(random_league(seed, 6, 120, seats, skill=0.0))
        scores += [rating.value / rating.error for rating in table.values() if rating.error]
    assert np.std(scores) == pytest.approx(1.0, abs=0.15)


def test_filter_without_drift_approaches_the_fit() -> None:
    games = random_league(31, 6, 400, 3, 20.0)
    model = Drifting(prior=1.0, drift=0.0)
    table = standings(model, replay(model, games))
    fitted = PlackettLuce(1.0).fit(games)
    mean = sum(r.value for r in table.values()) / len(table)
    for player, rating in fitted.items():
        assert table[player].value - mean == pytest.approx(rating.value, abs=0.1)
    games = random_league(32, 6, 400, 3, 20.0)
    still = Drifting(drift=0.0)
    moving = Drifting(drift=0.1)

    def error_of(model: Drifting) -> float:
        return standings(model, replay(model, games))["p0"].error or 0

    assert error_of(still) < error_of(moving) < 0.6
    with pytest.raises(ModelError, match="drift"):
        Drifting(drift=-1.0)


def circle(rounds: int) -> list[Game]:
    """Games where A always beats B, B beats C, and C beats A; D is equal to all."""
    games = []
    for number in range(rounds):
        pairs = (["A", "B"], ["B", "C"], ["C", "A"])
        place = number // 3 % 3
        order = list(pairs[number % 3])
        order.insert(place, "D")
        games.append(game_of(order, [30.0, 0.0, -30.0]))
    return games


def test_matchups_are_fitted() -> None:
    matchups = BladeChest().matchups(circle(300))
    chances = matchups.probabilities
    a, b, c, d = (matchups.names.index(p) for p in "ABCD")
    assert chances[a, b] > 0.7
    assert chances[b, c] > 0.7
    assert chances[c, a] > 0.7
    assert chances[d, a] == pytest.approx(0.5, abs=0.05)
    assert np.abs(matchups.strengths).max() < 0.1
    assert chances + chances.T == pytest.approx(np.ones((4, 4)))
    games = random_league(41, 7, 200, 3, 10.0)
    plain = BradleyTerry().fit(games)
    standings = BladeChest(penalty=50.0).fit(games)
    for player, rating in plain.items():
        assert standings[player].value == pytest.approx(rating.value, abs=1e-9)


def test_matchups_shown_only_where_they_predict() -> None:
    days = random_league(42, 6, 200, 3, 10.0)
    pairs = zip(circle(200), days, strict=True)
    dated = [replace(game, day=other.day) for game, other in pairs]
    undated = [replace(game, day=None) for game in days]
    assert BladeChest().worth_showing(dated)
    assert not BladeChest().worth_showing(days)
    assert BladeChest().worth_showing(circle(200))
    assert not BladeChest().worth_showing(undated)


def test_shrinking_keeps_pairs() -> None:
    raw = np.random.default_rng(6).normal(size=(5, 5))
    a = raw - raw.T
    sizes = np.linalg.svd(a, compute_uv=False)
    small = shrink(a, 0.5, 1)
    assert np.abs(small + small.T).max() < 1e-12
    lowered = [sizes[0] - 0.5, sizes[1] - 0.5, 0, 0, 0]
    assert np.linalg.svd(small, compute_uv=False) == pytest.approx(lowered, abs=1e-9)
