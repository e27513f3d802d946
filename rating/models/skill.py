"""How much the members of a league differ in points, and what that leaves to say of each one's
strength.

Strengths s are normal around 0 with an unknown standard deviation; scores are normal around the
expectations of BTR with an unknown variance. For each ratio of the two variances the posterior of s
is a t distribution in closed form. A grid of ratios is weighed by the probability of the games
under each and by a half-Cauchy prior of 5 points a game for tau, that between members of expected
points against average opponents.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats
from rating.models.intervals import HALVINGS, Mixture, half_cauchy, weights_of

TAU_SCALE = 5.0  # thousands of points a game: the half-Cauchy scale of tau
MOST_TAU = 3.0  # the greatest tau weighed, in standard deviations of one seat's points
STEPS = 60  # of the grid
NO_SPREAD = (
    1e-24  # a sum of squared scores (thousands) below this is only rounding: all scores are equal
)
ROUND_OFF = 1e-11  # an eigenvalue below this share of the largest counts as 0
Z90 = 1.75  # normal deviations of a 90 % interval, a little more than 1.645: scores are not normal
Z99 = 2.576  # of one of 99 %
LEAST_FREEDOM = 4  # degrees of freedom of the noise below which nothing is said of a ratio


class Scores(NamedTuple):
    """What the posterior needs of some games. xx: X'X (n, n). xy: X'y (n,). squares: the sum of
    squared scores about their games' means. games: their number. freedom: K - 1 for each game.
    Where games have weights, all sums are weighted."""

    xx: Floats
    xy: Floats
    squares: float
    games: float
    freedom: float


class SkillPosterior(NamedTuple):
    """What games tell of all strengths: G ratios of the variances, each with a t distribution of
    them.

    ratios: (G,) of the strengths' variance to the scores'; weights: (G,), of sum 1. left: (G,) sums
    of squares; the scores' variance is `left` divided by a chi-squared variable of `freedom`.
    values (n,), vectors (n, n): of X'X. projected: (n,) X'y on the vectors. joined: (n,) which of
    them games speak of; the others are the common levels of players joined by games. opponents: K -
    1, or its mean."""

    ratios: Floats
    weights: Floats
    left: Floats
    freedom: float
    values: Floats
    vectors: Floats
    projected: Floats
    joined: NDArray[np.bool_]
    opponents: float

    @property
    def noise(self) -> Floats:
        """The variance (G,) of scores, each degree of freedom, that is about the most probable."""
        return self.left / self.freedom

    def mixture(self) -> Mixture:
        """Each strength relative to the mean of the players that games join to him."""
        vectors = self.vectors[:, self.joined]
        precise = self.values[self.joined] + 1 / self.ratios[:, None]  # (G, rank)
        means = self.projected[self.joined] / precise @ vectors.T
        variances = 1 / precise @ (vectors**2).T
        scales = np.sqrt(self.noise[:, None] * variances)
        return Mixture(self.weights, means, scales, self.freedom)


class Bounds(NamedTuple):
    low: float
    high: float


def skill_mixture(scores: Scores) -> Mixture:
    """The posterior of each player's strength relative to the mean of the players that games join
    to him. Unit: thousands of points a game per opponent, as of BTR."""
    return skill_posterior(scores).mixture()


def skill_posterior(
    scores: Scores, most: float = MOST_TAU, steps: int = STEPS, ratios: Floats | None = None
) -> SkillPosterior:
    """The posterior of all strengths. `most`: the greatest tau weighed, in deviations of a seat's
    points. `ratios`: those to weigh; by default as many as `steps`, from next to nothing to `most`.
    """
    values, vectors = np.linalg.eigh(scores.xx)
    joined = values > ROUND_OFF * values.max()
    projected = np.where(joined, vectors.T @ scores.xy, 0.0)
    values = np.where(joined, values, 0.0)
    explained = projected[joined] ** 2 / values[joined]
    squares = max(scores.squares, NO_SPREAD)
    rest = max(squares - float(explained.sum()), 1e-12 * squares)
    opponents = scores.freedom / scores.games
    # From a ratio that leaves nothing to skill to the greatest tau: one seat's variance is (K -
    # 1) / K of the scores' about their expectations, and tau is `opponents` times the strengths'
    # standard deviation.
    greatest = most**2 / (opponents * (opponents + 1))
    least = min(1e-3 / float(values.max()), greatest / 10)
    ratios = np.geomspace(least, greatest, steps) if ratios is None else ratios
    growth = ratios[:, None] * values[joined]
    left = rest + (explained / (1 + growth)).sum(axis=1)  # (G,)
    probable = -np.log1p(growth).sum(axis=1) / 2 - scores.freedom / 2 * np.log(left)
    taus = opponents * np.sqrt(ratios * left / scores.freedom)
    weights = weights_of(probable + half_cauchy(taus, TAU_SCALE))
    return SkillPosterior(
        ratios, weights, left, scores.freedom, values, vectors, projected, joined, opponents
    )


def ratio_bounds(scores: Scores, z: float = Z90) -> Bounds:
    """A confidence interval, by default of 90 %, of the strengths' variance to the scores'.

    With the eigenvalues l and vectors v of X'X and the true ratio r, each (v'X'y)^2 / (l (1 + l r))
    over the scores' variance is chi-squared; so their mean over that of what the fit leaves has an
    F distribution (D. Harville and A. Fenech, Biometrics 41, 1985). No prior's credible interval
    holds at every ratio. From 0 to infinity where the games tell nothing."""
    values, vectors = np.linalg.eigh(scores.xx)
    joined = values > ROUND_OFF * max(float(values.max()), NO_SPREAD)
    values = values[joined]
    projected = vectors[:, joined].T @ scores.xy
    explained = projected**2 / values
    freedom = scores.freedom - len(values)
    if freedom < LEAST_FREEDOM or scores.squares <= NO_SPREAD:
        return Bounds(0.0, np.inf)
    noise = max(scores.squares - float(explained.sum()), 1e-12 * scores.squares) / freedom

    def ratio_at(quantile: float) -> float:
        def above(ratio: float) -> bool:
            return float((explained / (1 + values * ratio)).mean()) > quantile * noise

        if not above(0.0):
            return 0.0
        low = float(np.log(1e-9 / values.max()))
        high = float(np.log(1e15 / values.max()))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if above(float(np.exp(middle))):
                low = middle
            else:
                high = middle
        return float(np.exp(low))

    upper = f_quantile(z, len(values), freedom)
    lower = f_quantile(-z, len(values), freedom)
    return Bounds(ratio_at(upper), ratio_at(lower))


def f_quantile(z: float, upper: float, lower: float) -> float:
    """The quantile of an F distribution with these degrees of freedom that a normal variable's z
    stands at. E. Paulson, Annals of Mathematical Statistics 13, 1942: a ratio of cube roots of
    chi-squared variables."""
    a = 2 / (9 * upper)
    b = 2 / (9 * lower)
    square = (1 - b) ** 2 - z * z * b
    middle = (1 - a) * (1 - b)
    rest = (1 - a) ** 2 - z * z * a
    discriminant = max(middle * middle - square * rest, 0.0)
    root = (middle + np.sign(z) * discriminant**0.5) / square
    return float(max(root, 0.0) ** 3)
