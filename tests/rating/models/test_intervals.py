from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from rating.columns import columns_of
from rating.games import Game, game_of
from rating.models import make
from rating.models.base import Batch, ModelError
from rating.models.bayesian_btr import posterior
from rating.models.bradley_terry import ends_of as placing_ends, wins_of
from rating.models.btr import Btr, sums_of
from rating.models.mixtures import Mixture, cumulative
from rating.models.skill import Scores, skill_mixture
from tests.rating.models.leagues import random_league, rate
from tests.tools.bench.coverage import CASES, ODDS, POINTS, Case, league, one_league

SHOWN = [
    "btr",
    "bayesian_btr",
    "bradley_terry",
    "plackett_luce",
    "plackett_luce_drift",
    "blade_chest",
]


@pytest.mark.parametrize("freedom", [4, 30, 1000, np.inf])
def test_quantiles_of_one_part(freedom: float) -> None:
    x = np.linspace(-5, 5, 41)
    peer = stats.norm if freedom == np.inf else stats.t(freedom)
    close = 3e-3 if freedom < 10 else 3e-4
    assert cumulative(x, freedom) == pytest.approx(peer.cdf(x), abs=close)
    mixture = Mixture(
        np.ones(1),
        np.array([[3.0, -1.0]]),
        np.array([[2.0, 0.5]]),
        freedom,
    )
    deviations = np.array([2.0, 0.5]) * peer.ppf(0.975)
    expected = np.array([3.0, -1.0]) + deviations
    assert mixture.quantile(0.975) == pytest.approx(expected, rel=0.02)


def test_intervals_include_median_and_truth_after_few_games() -> None:
    lean = Mixture(
        np.array([0.8, 0.2]),
        np.array([[0.0], [10.0]]),
        np.array([[1.0], [2.0]]),
    )
    ends = [float(part[0]) for part in lean.interval()]
    parts = 0.8 * stats.norm.cdf(ends) + 0.2 * stats.norm.cdf(ends, 10, 2)
    assert parts == pytest.approx([0.025, 0.5, 0.975], abs=1e-4)
    held = sum(one_league(CASES[0], 1.0, 15, seed).held for seed in range(60))
    players = 0
    for seed in range(60):
        games, *_ = league(seed, 1.0, placings=False, games=15)
        players += len(columns_of(games).names)
    assert held >= 0.92 * players


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: case.model + "".join(case.options.values())
)
def test_intervals_cover_and_are_no_wider_than_without_prior(case: Case) -> None:
    for skill in ODDS if case.placings else POINTS:
        coverages = [one_league(case, skill, 300, seed) for seed in range(100, 103)]
        assert sum(coverage.held for coverage in coverages) >= 0.86 * 30
        assert sum(coverage.width for coverage in coverages) <= sum(
            coverage.free for coverage in coverages
        )


@pytest.mark.parametrize("name", SHOWN)
def test_no_value_is_the_end_of_its_interval(name: str) -> None:
    """The value is the formula's own, wherever the interval of the other method lies."""
    outside = 0
    for seed in range(3):
        for row in rate(
            name,
            random_league(
                seed,
                8,
                30,
                3,
                skill=5.0,
            ),
        ).values():
            assert row.low < row.likely < row.high  # type: ignore[operator]
            assert row.value not in (row.low, row.high)
            if not row.low < row.value < row.high:  # type: ignore[operator]
                outside += 1
    assert outside or name != "btr"


def test_variance_is_that_of_the_posterior() -> None:
    """The diagonal of BayesianRidge's covariance, which the M-League notebook prints below 分散."""
    games = random_league(4, 8, 60, 4, skill=5.0)
    fitted = posterior(sums_of(columns_of(games)))
    table = rate("bayesian_btr", games)
    variances = [table[name].variance for name in columns_of(games).names]
    assert variances == pytest.approx(np.diag(fitted.covariance).tolist(), rel=1e-12)
    assert all(row.variance is None for row in rate("btr", games).values())


class Grid(NamedTuple):
    """The ends and means of the centred strengths, and the roots of the mean squares of tau and
    sigma.
    """

    low: np.ndarray
    high: np.ndarray
    means: np.ndarray
    tau: float
    sigma: float


def brute_force(
    games: list[Game],
    grid: int = 40,
    noises: int = 15,
    reach: float = 2.0,
) -> Grid:
    """By a grid of tau and of the noise's variance, and dense normal distributions."""
    columns = columns_of(games)
    sums = sums_of(columns)
    n = len(columns.names)
    k = columns.blocks[0].seats
    basis, *_ = np.linalg.svd(np.eye(n) - 1 / n)
    basis = basis[:, : n - 1]  # centred strengths
    xx = basis.T @ sums.xx @ basis
    xy = basis.T @ sums.xy
    parts = []
    sigma = np.sqrt(sums.yy / sums.rows)
    likely = sigma**2 * k / (k - 1)
    for tau in np.geomspace(0.05, 3 * sigma, grid):
        spread = tau / (k - 1)
        for noise in np.geomspace(1 / reach, reach, noises) * likely:
            precision = xx / noise + np.eye(n - 1) / spread**2
            mean = np.linalg.solve(precision, xy / noise)
            score = -0.5 * (sums.yy / noise - mean @ (xy / noise))
            score -= sums.freedom / 2 * np.log(noise)
            score -= (n - 1) * np.log(spread)
            score -= 0.5 * np.linalg.slogdet(precision)[1]
            score += np.log(tau) - np.log1p((tau / 5) ** 2)
            covariance = basis @ np.linalg.inv(precision) @ basis.T
            squares = tau**2, noise * (k - 1) / k
            parts.append(
                (
                    score,
                    basis @ mean,
                    np.sqrt(np.diag(covariance)),
                    squares,
                )
            )
    scores = np.array([part[0] for part in parts])
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    means = np.array([part[1] for part in parts])
    scales = np.array([part[2] for part in parts])
    x = np.linspace(
        (means - 6 * scales).min(),
        (means + 6 * scales).max(),
        801,
    )
    ends = []
    for i in range(n):
        standard = (x[None, :] - means[:, [i]]) / scales[:, [i]]
        below = weights @ stats.norm.cdf(standard)
        ends.append(
            (
                np.interp(0.025, below, x),
                np.interp(0.975, below, x),
            )
        )
    tau, sigma = np.sqrt(weights @ np.array([part[3] for part in parts]))
    low, high = np.array(ends).T
    return Grid(low, high, weights @ means, tau, sigma)


@pytest.mark.parametrize(
    ("players", "games", "skill"),
    [(5, 40, 1.0), (4, 120, 8.0)],
)
def test_skill_in_points_against_a_grid(players: int, games: int, skill: float) -> None:
    played = random_league(5, players, games, 3, skill=3 * skill)
    sums = sums_of(columns_of(played))
    sums = sums._replace(yy=sums.yy - sums.level, level=0.0)
    mixture = skill_mixture(
        Scores(
            sums.xx,
            sums.xy,
            sums.yy,
            sums.games,
            sums.freedom,
        )
    )
    wanted = brute_force(played)
    width = (wanted.high - wanted.low).mean()
    assert mixture.quantile(0.025) == pytest.approx(wanted.low, abs=0.02 * width)
    assert mixture.quantile(0.975) == pytest.approx(wanted.high, abs=0.02 * width)


def test_placings_against_draws_from_the_prior() -> None:
    """Strengths drawn from the prior and weighed by the likelihood, pairs counted 3 / (K + 1)."""
    games, _ = league(3, 1.0, placings=True, games=60)
    names = sorted({p for game in games for p in game.players})[:4]
    games = [game for game in games if set(game.players) <= set(names)] + [
        game_of([names[i] for i in order], [30.0, 0.0, -30.0])
        for order in (
            (0, 1, 2),
            (0, 2, 3),
            (1, 0, 3),
            (0, 3, 1),
            (2, 0, 1),
            (1, 3, 2),
        )
    ]
    columns = columns_of(games)
    wins = wins_of(columns, weigh=True)
    rng = np.random.default_rng(1)
    tau = np.abs(0.5 * rng.standard_cauchy(400_000))
    tau = tau[(tau > 0.01) & (tau < 5.0)]
    n = len(columns.names)
    s = rng.normal(size=(len(tau), n)) * tau[:, None]
    loss = np.zeros(len(tau))
    for i, j in combinations(range(n), 2):
        differences = s[:, i] - s[:, j]
        loss += wins[i, j] * np.logaddexp(0, -differences)
        loss += wins[j, i] * np.logaddexp(0, differences)
    weights = np.exp(-(loss - loss.min()))
    weights /= weights.sum()
    s -= s.mean(axis=1, keepdims=True)
    low, _, high = placing_ends(wins)
    for i in range(len(columns.names)):
        order = np.argsort(s[:, i])
        ends = np.interp(
            [0.025, 0.975],
            np.cumsum(weights[order]),
            s[order, i],
        )
        close = 0.12 * (ends[1] - ends[0])
        assert [low[i], high[i]] == pytest.approx(list(ends), abs=close)


def test_each_separate_group_is_centred() -> None:
    """Each group's strengths and intervals are those it has alone, but for how much all differ."""
    games = random_league(1, 5, 80, 3, skill=20.0)
    other = []
    for game in random_league(2, 6, 90, 3, skill=20.0):
        players = [f"x{player}" for player in game.players]
        scores = [seat.score for seat in game.seats]
        other.append(game_of(players, scores, day=game.day))
    for name in ("btr", "bradley_terry", "plackett_luce", "blade_chest"):
        table = rate(name, games + other)
        alone = rate(name, games)
        for player, row in alone.items():
            rating = table[player]
            assert rating.error == pytest.approx(row.error, rel=0.4)
            assert rating.high - rating.low == pytest.approx(row.high - row.low, rel=0.4)  # type: ignore[operator]
        assert sum(table[p].value for p in alone) == pytest.approx(0, abs=1e-6)


def test_note_reports_what_cannot_be_fitted() -> None:
    games = random_league(0, 8, 120, 3, skill=0.0)
    (note,) = Btr("cv").fit(games).notes
    assert "end of its grid" in note
    assert "no difference" in note
    assert (
        Btr("cv")
        .fit(
            random_league(
                12,
                8,
                300,
                3,
                skill=30.0,
            )
        )
        .notes
        == ()
    )
    assert Btr(1e-6).fit(games).notes == ()
    games = [
        game_of("abc", [30.0, 0.0, -30.0]),
        game_of("abcd", [30.0, 10.0, -10.0, -30.0]),
    ]
    with pytest.raises(ModelError, match="uma has 3 numbers, but games have 4 seats"):
        Btr(uma=(15, 0, -15)).fit(games)


@pytest.mark.parametrize("name", ["btr", "bayesian_btr"])
@pytest.mark.parametrize("level", [0.0, 25.3])
def test_scores_that_are_all_rank_points_leave_no_interval(name: str, level: float) -> None:
    """Nothing differs once the rank points are taken out, so there is nothing to be unsure of."""
    games = [
        game_of(
            players,
            [level + 30.0, level, level - 30.0],
        )
        for players in ("abc", "bca", "abd")
    ]
    model = make(name, uma=(30.0, 0.0, -30.0))
    assert isinstance(model, Batch)
    for row in model.fit(games).values():
        assert [row.value, row.low, row.high] == pytest.approx(
            [0, 0, 0],
            abs=1e-5,
        )
