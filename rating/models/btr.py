"""BTR: strengths in points, fitted to scores.

A seat's expected score is the sum of s_j - s_k over the K seats of its table. One game's design is
K I - J, whose square is K (K I - J). So least squares needs only L, the sum of K I - J over the
games (how often players sat together), and T, each player's total. Ridge regression without
intercept over N games:

    (K L + alpha N I) s = K T

Unit: thousands of points a game per opponent. Scores count as in the log; `uma` takes rank points
out.

The 95 % intervals are those of rating.models.skill whatever alpha is: a ridge that is right for
predicting shrinks strengths, and least squares with that ridge gives errors that are too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rating.columns import Block, Columns, Floats, without_uma
from rating.games import LIMIT, GameError
from rating.models.base import Batch, ModelError, within
from rating.models.fitting import IntervalEnds, centred, groups_of, solved, strengths
from rating.models.skill import Scores, skill_mixture
from rating.models.sparse import DENSE, NO_ERRORS, sparse_ridge
from rating.standings import Standings

CV = "cv"
ALPHAS = tuple(10.0 ** (p / 2) for p in range(-12, 7))
BOUNDS = (1e-9, 1e9)  # of alpha
FOLDS = 10
EDGES = {
    ALPHAS[0]: (
        "days left out would have even less prior; these are the strengths of least squares."
    ),
    ALPHAS[-1]: "the games show no difference between players that helps to predict days left out.",
}
"""What it means that cross-validation chose an end of ALPHAS."""


class Sums(NamedTuple):
    """What a fit needs of the games, for the design X and the scores y (N K,).

    xx: X'X (n, n). xy: X'y (n,). y: the sum of y. yy: y'y. level: the part of y'y that comes from
    the games' mean scores, 0 where games are zero-sum; no strengths can explain it. games: N. rows:
    N K. freedom: degrees of freedom, K - 1 a game, because a game's scores have a fixed sum.
    """

    xx: Floats
    xy: Floats
    y: float
    yy: float
    level: float
    games: float
    rows: float
    freedom: float

    def plus(self, other: Sums, weight: float = 1) -> Sums:
        """These sums with `weight` times the other's added."""
        pairs: Any = zip(self, other, strict=True)
        return Sums(*(mine + weight * theirs for mine, theirs in pairs))


def sums_of_block(block: Block, n: int, uma: Sequence[float] = ()) -> Sums:
    """The sums of games of one size: X'X = K L and X'y = K T."""
    k = block.seats
    players = block.players
    y = without_uma(block.scores, uma) if uma else block.scores
    pair_counts = np.zeros(n * n)
    for first, second in combinations(players.T, 2):
        pair_counts += np.bincount(first * n + second, minlength=n * n)
    together = pair_counts.reshape(n, n) + pair_counts.reshape(n, n).T
    laplacian = np.diag(together.sum(axis=1)) - together
    means = y.mean(axis=1, keepdims=True)  # 0 in zero-sum games
    shares = (y - means).ravel()
    totals: Floats = np.bincount(players.ravel(), shares, n).astype(np.float64)
    games = len(block)
    return Sums(
        k * laplacian,
        k * totals,
        y=float(y.sum()),
        yy=float((y * y).sum()),
        level=k * float((means * means).sum()),
        games=games,
        rows=games * k,
        freedom=games * (k - 1),
    )


def check_uma(columns: Columns, uma: Sequence[float]) -> None:
    """Raise ModelError where uma, if any, does not fit the number of seats."""
    wrong = [block.seats for block in columns.blocks if uma and block.seats != len(uma)]
    if wrong:
        raise ModelError(f"uma has {len(uma)} numbers, but games have {wrong[0]} seats")


def sums_of(columns: Columns, uma: Sequence[float] = ()) -> Sums:
    """The sums of all games. Raises ModelError when uma does not fit the number of seats."""
    n = len(columns.names)
    check_uma(columns, uma)
    total = Sums(
        np.zeros((n, n)),
        np.zeros(n),
        y=0.0,
        yy=0.0,
        level=0.0,
        games=0,
        rows=0,
        freedom=0,
    )
    for block in columns.blocks:
        total = total.plus(sums_of_block(block, n, uma))
    return total


def solve(sums: Sums, alpha: float) -> Floats:
    """Ridge strengths (n,), exact; each group of players has mean 0."""
    groups = groups_of(sums.xx)
    matrix: Floats = sums.xx + alpha * sums.games * np.eye(len(sums.xx))
    return centred(solved(matrix, centred(sums.xy, groups)), groups)


def squares(sums: Sums, s: Floats) -> float:
    """|y - X s|^2: the sum of squared differences between scores and their expectations."""
    squared = sums.yy - 2 * s @ sums.xy + s @ sums.xx @ s
    return max(float(squared), 0.0)


def errors_of(sums: Sums, s: Floats, alpha: float) -> Floats:
    """Standard errors (n,) of ridge strengths: the roots of the diagonal of noise * M^-1 X'X M^-1,
    where M = X'X + alpha N I + a constant for each pair of one group.

    The constant changes nothing (X'X is zero along a group's common level) but lets M be inverted
    when alpha is tiny. The noise variance is the squared error for each residual degree of freedom;
    a game's K scores count as K - 1 because their sum is fixed.
    """
    n = len(s)
    groups = groups_of(sums.xx)
    estimated = n - len(np.unique(groups))
    residual_freedom = max(sums.freedom - estimated, 1)
    group_constants = float(sums.xx.max()) * (groups[:, None] == groups)
    ridge = alpha * sums.games * np.eye(n)
    inverse = np.linalg.inv(sums.xx + group_constants + ridge)
    covariance = inverse @ sums.xx @ inverse
    noise = max(squares(sums, s) - sums.level, 0.0) / residual_freedom
    variances = np.maximum(np.diag(covariance), 0) * noise
    return np.asarray(np.sqrt(variances))


def by_days(
    columns: Columns,
    uma: Sequence[float] = (),
    alphas: Sequence[float] = ALPHAS,
) -> float:
    """The alpha that best predicts days left out, by squared error over at most FOLDS folds of
    days. Raises GameError when the games are of fewer than two days."""
    days = columns.days()
    if len(days) < 2:
        raise GameError('btr: alpha="cv" needs games of two days or more')
    folds = range(min(FOLDS, len(days)))
    parts = [sums_of(columns.where_days(days[fold::FOLDS]), uma) for fold in folds]
    total = sums_of(columns, uma)

    def loss(alpha: float) -> float:
        """The squared errors in each part of a fit to the other parts."""
        return sum(squares(part, solve(total.plus(part, -1), alpha)) for part in parts)

    losses = [loss(alpha) for alpha in alphas]
    return alphas[int(np.argmin(losses))]


@dataclass(frozen=True)
class Btr(Batch):
    """Strengths in points. `alpha`: ridge, or "cv" for cross-validation over days. `uma`: rank
    points (thousands) by placing to take out of the scores."""

    name = "btr"
    decimals = 2
    zero_sum = True

    alpha: float | str = 1e-6
    uma: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_options(self.name, self.alpha, self.uma)

    def values(self, columns: Columns) -> Floats:
        if len(columns.names) > DENSE:
            return self._of_many(columns)
        alpha = by_days(columns, self.uma) if isinstance(self.alpha, str) else self.alpha
        return solve(sums_of(columns, self.uma), alpha)

    def fit_columns(self, columns: Columns) -> Standings:
        if len(columns.names) > DENSE:
            return strengths(columns, self._of_many(columns), notes=(NO_ERRORS,))
        alpha = by_days(columns, self.uma) if isinstance(self.alpha, str) else self.alpha
        sums = sums_of(columns, self.uma)
        s = solve(sums, alpha)
        notes: tuple[str, ...] = ()
        if self.alpha == CV and alpha in EDGES:
            notes = (f"alpha=cv chose {alpha:g}, the end of its grid: {EDGES[alpha]}",)
        return strengths(columns, s, errors_of(sums, s, alpha), ends_of(sums), notes)

    def _of_many(self, columns: Columns) -> Floats:
        """Strengths (n,) without (n, n) matrices. Raises ModelError for alpha="cv"."""
        if isinstance(self.alpha, str):
            raise ModelError(
                f"btr: alpha=cv takes at most {DENSE} players; there are {len(columns.names)}"
            )
        check_uma(columns, self.uma)
        totals = np.zeros(len(columns.names))
        games = 0
        for block in columns.blocks:
            y = without_uma(block.scores, self.uma) if self.uma else block.scores
            shares = y - y.mean(axis=1, keepdims=True)
            sums = np.bincount(block.players.ravel(), shares.ravel(), len(totals))
            totals += block.seats * sums
            games += len(block)
        return sparse_ridge(columns, totals, self.alpha * games)


def scores_of(sums: Sums) -> Scores:
    """What the posterior of strengths needs of the games."""
    return Scores(sums.xx, sums.xy, sums.yy - sums.level, sums.games, sums.freedom)


def ends_of(sums: Sums) -> IntervalEnds:
    """The strengths' 95 % intervals."""
    return skill_mixture(scores_of(sums)).interval()


def check_options(name: str, alpha: float | str, uma: Sequence[float]) -> None:
    """Raise ModelError unless alpha is in BOUNDS or "cv", and uma is empty or 3 or 4 finite
    numbers."""
    if not isinstance(alpha, str):
        within(name, "alpha", alpha, *BOUNDS)
    elif alpha != CV:
        raise ModelError(f'{name}: alpha is a positive number or "{CV}", not {alpha}')
    if len(uma) not in (0, 3, 4) or not all(abs(points) < LIMIT for points in uma):
        raise ModelError(f"{name}: uma is 3 or 4 numbers, not {list(uma)}")
