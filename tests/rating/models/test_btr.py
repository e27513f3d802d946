"""BTR against dense least squares, and Bayesian BTR against scikit-learn's BayesianRidge."""

from typing import Any

import numpy as np
import pytest

from rating.columns import columns_of, without_uma
from rating.games import Game, GameError, game_of
from rating.models import make
from rating.models.base import ModelError
from rating.models.bayesian_btr import BayesianBtr, posterior
from rating.models.btr import Btr, by_days, solve, sums_of
from tests.rating.models.leagues import random_league
from tests.real import worked_figures

LEAGUES = [
    (1, 5, 12, 4),
    (2, 9, 300, 3),
    (3, 12, 200, 4),
    (4, 20, 30, 3),
    (5, 30, 12, 4),
]


def ridge(x: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.linear_model import (
        BayesianRidge,
    )  # here: every process of a run would load it for seconds

    return BayesianRidge(fit_intercept=False).fit(x, y)


def design(games: list[Game]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The dense regression: a matrix with a row a seat and a column a player, the scores, the
    players.
    """
    names = sorted({p for game in games for p in game.players})
    rows = []
    scores = []
    for game in games:
        seats = [names.index(p) for p in game.players]
        for seat, share in zip(seats, game.seats, strict=True):
            row = np.zeros(len(names))
            row[seats] -= 1
            row[seat] += len(seats)
            rows.append(row)
            scores.append(share.score)
    return np.array(rows), np.array(scores), names


def worked_games(case: dict[str, Any]) -> list[Game]:
    games = []
    for game in case["games"]:
        players = [str(player) for player in game["players"]]
        games.append(game_of(players, game["raw"]))
    return games


def test_worked_ridge_and_bayes() -> None:
    case = worked_figures("btr")["tiny_example"]
    table = Btr(case["alpha"]).fit(worked_games(case))
    values = [table[str(i)].value for i in range(5)]
    # The example's exact solution has 1e-9 of round-off along (1, ..., 1); its conjugate
    # gradients, like BTR, have none.
    assert values == pytest.approx(case["ridge_exact"], rel=1e-9)
    assert values == pytest.approx(case["ridge_cg_1e-3"], rel=1e-13)
    fitted = posterior(sums_of(columns_of(worked_games(case))))
    assert fitted.mean == pytest.approx(case["bayes"]["coef"], rel=1e-8)
    variances = np.diag(fitted.covariance)
    assert variances == pytest.approx(case["bayes"]["var"], rel=1e-8)
    assert fitted.alpha == pytest.approx(case["bayes"]["alpha"], rel=1e-8)
    assert fitted.lam == pytest.approx(case["bayes"]["lam"], rel=1e-8)


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("alpha", [1e-6, 0.3])
def test_equals_dense_least_squares(league: tuple[int, int, int, int], alpha: float) -> None:
    games = random_league(*league)
    x, y, names = design(games)
    ridge = np.sqrt(alpha * len(games)) * np.eye(len(names))
    dense = np.linalg.lstsq(
        np.vstack([x, ridge]),
        np.append(y, np.zeros(len(names))),
        rcond=None,
    )[0]
    dense -= dense.mean()  # exactly 0 but for the dense solver's round-off, up to 1e-9
    table = Btr(alpha).fit(games)
    assert [table[name].value for name in names] == pytest.approx(dense, abs=1e-9)


def test_mixed_sizes_equal_dense_least_squares() -> None:
    games = random_league(7, 8, 60, 3) + random_league(8, 8, 60, 4)
    x, y, names = design(games)
    table = Btr(1e-3).fit(games)
    dense = np.linalg.solve(
        x.T @ x + 1e-3 * len(games) * np.eye(len(names)),
        x.T @ y,
    )
    assert [table[name].value for name in names] == pytest.approx(dense, abs=1e-9)


def test_errors_are_those_of_games_with_a_fixed_sum() -> None:
    """In leagues without skill, strengths divided by their errors have a standard deviation of
    1.
    """
    scores = []
    for seed in range(60):
        table = Btr().fit(random_league(seed, 6, 80, 3, skill=0.0))
        scores += [rating.value / rating.error for rating in table.values() if rating.error]
    assert np.std(scores) == pytest.approx(1.0, abs=0.12)


@pytest.mark.parametrize("alpha", [1e-9, 1e-6, 1.0])
def test_errors_are_exact_whatever_alpha(alpha: float) -> None:
    games = random_league(1, 12, 300, 4)
    x, y, names = design(games)
    values, vectors = np.linalg.eigh(x.T @ x)
    values[0] = 0.0  # the direction (1, ..., 1): games show only differences
    table = Btr(alpha).fit(games)
    residuals = y - x @ [table[name].value for name in names]
    # scores are rounded
    means = [np.mean([seat.score for seat in game.seats]) for game in games]
    level = 4 * sum(mean**2 for mean in means)
    freedom = 3 * len(games) - (len(names) - 1)
    noise = (residuals @ residuals - level) / freedom
    shrunk = values / (values + alpha * len(games)) ** 2
    spread = np.diag(vectors * shrunk @ vectors.T) * noise
    errors = [table[name].error for name in names]
    assert errors == pytest.approx(np.sqrt(spread), rel=1e-9)


def test_rank_points_are_taken_out_and_shared() -> None:
    uma = (20.0, 0.0, -20.0)
    raw = [
        [30.0, 0.0, -30.0],
        [10.0, 10.0, -20.0],
        [0.0, 0.0, 0.0],
    ]
    with_uma = np.array(
        [
            [50.0, 0.0, -50.0],
            [20.0, 20.0, -40.0],
            [0.0, 0.0, 0.0],
        ]
    )
    assert without_uma(with_uma, uma).tolist() == raw
    games = [game_of("ABC", row) for row in with_uma.tolist()]
    plain = [game_of("ABC", row) for row in raw]
    value = Btr(uma=uma).fit(games)["A"].value
    assert value == pytest.approx(Btr().fit(plain)["A"].value)
    with pytest.raises(ModelError, match="uma has 4 numbers, but games have 3 seats"):
        Btr(uma=(45, 5, -15, -35)).fit(games)


def ridge_strengths(x: np.ndarray, y: np.ndarray, alpha: float) -> np.ndarray:
    """The strengths from the rows of games of three."""
    a = x.T @ x + alpha * len(x) / 3 * np.eye(x.shape[1])
    return np.linalg.solve(a, x.T @ y)


def test_cross_validation_takes_the_alpha_that_predicts() -> None:
    chance = random_league(11, 8, 300, 3, skill=0.0)
    skilled = random_league(12, 8, 300, 3, skill=30.0)
    assert by_days(columns_of(chance)) > 10 * by_days(columns_of(skilled))
    x, y, _ = design(skilled)
    days = np.repeat(
        [g.day.toordinal() for g in skilled if g.day],
        3,
    )
    every_day = np.unique(days)
    folds = [np.isin(days, every_day[i::10]) for i in range(10)]

    def loss(alpha: float) -> float:
        total = 0.0
        for out in folds:
            strengths = ridge_strengths(x[~out], y[~out], alpha)
            total += float(np.sum((y[out] - x[out] @ strengths) ** 2))
        return total

    best = by_days(columns_of(skilled))
    assert loss(best) <= min(loss(best * 3.2), loss(best / 3.2)) + 1e-6
    assert make("btr", alpha="cv").fit(skilled) != make("btr").fit(skilled)  # type: ignore[union-attr]
    with pytest.raises(GameError, match="two days"):
        Btr("cv").fit([game_of("ABC", [30.0, 0.0, -30.0])] * 3)


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("skill", [0.0, 3.0, 30.0])
def test_equals_bayesian_ridge(league: tuple[int, int, int, int], skill: float) -> None:
    games = random_league(*league, skill=skill)
    x, y, names = design(games)
    peer = ridge(x, y)
    table = BayesianBtr().fit(games)
    variances = np.diag(peer.sigma_)
    values = [table[name].value for name in names]
    assert values == pytest.approx(peer.coef_, abs=1e-8, rel=1e-8)
    errors = [table[name].error for name in names]
    assert errors == pytest.approx(np.sqrt(variances), rel=5e-9)
    covariance = posterior(sums_of(columns_of(games))).covariance
    assert np.abs(covariance - peer.sigma_).max() < 1e-8 * variances.max()


def test_strengths_of_each_group_have_mean_zero() -> None:
    games = [
        game_of("ABC", [50.0, 10.0, -30.0]),
        game_of("ABC", [5.0, 40.0, -10.0]),
    ] * 4
    x, y, _ = design(games)
    peer = ridge(x, y)
    table = BayesianBtr().fit(games)
    values = [table[name].value for name in "ABC"]
    assert values == pytest.approx(peer.coef_, rel=1e-8)
    games = [
        game_of("ABC", [30.0, 0.0, -30.0]),
        game_of("DEF", [60.0, 0.0, -60.0]),
    ] * 2
    s = solve(sums_of(columns_of(games)), 1e-6)
    assert s[:3].sum() == pytest.approx(0, abs=1e-12)
    assert s[3:] == pytest.approx(2 * s[:3], rel=1e-9)
