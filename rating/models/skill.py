"""The posterior of strengths in points where neither skill's nor chance's variance is known.

Strengths s are normal around 0 with an unknown standard deviation; scores are normal around the
expectations of BTR with an unknown variance. For each ratio of the two variances the posterior of s
is a t distribution in closed form. A grid of ratios is weighed by the probability of the games
under each, and by a half-Cauchy prior of 5 points a game for tau, the standard deviation between
members of expected points against average opponents. See docs/claims.md.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rating.columns import Floats
from rating.models.mixtures import HALVINGS, Mixture, half_cauchy, weights_of

TAU_SCALE = 5.0  # thousands of points a game: the half-Cauchy scale of tau
MOST_TAU = 3.0  # the greatest tau weighed, in standard deviations of one seat's points
STEPS = 60  # of the grid
NO_SPREAD = 1e-24  # a sum of squared scores (thousands) below this is rounding: all are equal
ROUND_OFF = 1e-11  # an eigenvalue below this share of the largest counts as 0
Z90 = 1.75  # normal deviations of a 90 % interval, a little more than 1.645: scores are not normal
Z99 = 2.576  # of one of 99 %
LEAST_FREEDOM = 4  # degrees of freedom of the noise, without which a ratio is not bounded


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
    """The posterior of all strengths: G ratios of the variances, each with a t distribution of the
    strengths.

    ratios: (G,) of the strengths' variance to the scores'; weights: (G,), of sum 1. residuals: (G,)
    sums of squares that the strengths do not explain; the scores' variance is `residuals` divided
    by a chi-squared variable of `freedom`. values (n,), vectors (n, n): the eigenvalues and
    eigenvectors of X'X. projected: (n,) X'y on the vectors. joined: (n,) the vectors that games
    determine; the others are the common levels of players joined by games. opponents: K - 1, or its
    mean.
    """

    ratios: Floats
    weights: Floats
    residuals: Floats
    freedom: float
    values: Floats
    vectors: Floats
    projected: Floats
    joined: NDArray[np.bool_]
    opponents: float

    @property
    def noise(self) -> Floats:
        """The variance (G,) of scores for each degree of freedom, about the most probable one."""
        return self.residuals / self.freedom

    def mixture(self) -> Mixture:
        """Each strength relative to the mean of the players joined to him by games."""
        vectors = self.vectors[:, self.joined]
        precise = self.values[self.joined] + 1 / self.ratios[:, None]  # (G, rank)
        means = self.projected[self.joined] / precise @ vectors.T
        variances = 1 / precise @ (vectors**2).T
        scales = np.sqrt(self.noise[:, None] * variances)
        return Mixture(self.weights, means, scales, self.freedom)


class Bounds(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


def skill_mixture(scores: Scores) -> Mixture:
    """The posterior of each player's strength relative to the mean of the players joined to him by
    games. Unit: thousands of points a game per opponent, as for BTR."""
    return skill_posterior(scores).mixture()


def skill_posterior(
    scores: Scores, most_tau: float = MOST_TAU, steps: int = STEPS, ratios: Floats | None = None
) -> SkillPosterior:
    """The posterior of all strengths. `ratios`: (G,) those to weigh; by default `steps` ratios from
    next to nothing to `most_tau`, the greatest tau in standard deviations of a seat's points.

    With the eigenvalues l of X'X, b = V'X'y, the ratio r and y'y = `squares`:

        residuals    = y'y - sum b^2 / l + sum (b^2 / l) / (1 + r l)
        log evidence = -(sum log(1 + r l)) / 2 - freedom / 2 log(residuals)
    """
    values, vectors = np.linalg.eigh(scores.xx)
    joined = values > ROUND_OFF * values.max()
    projected = np.where(joined, vectors.T @ scores.xy, 0.0)
    values = np.where(joined, values, 0.0)
    explained = projected[joined] ** 2 / values[joined]
    opponents = scores.freedom / scores.games
    if ratios is None:
        ratios = _ratio_grid(float(values.max()), opponents, most_tau, steps)
    growth = ratios[:, None] * values[joined]
    residuals = _unexplained(scores, explained) + (explained / (1 + growth)).sum(axis=1)
    evidence = -np.log1p(growth).sum(axis=1) / 2
    evidence = evidence - scores.freedom / 2 * np.log(residuals)
    taus = opponents * np.sqrt(ratios * residuals / scores.freedom)
    return SkillPosterior(
        ratios=ratios,
        weights=weights_of(evidence + half_cauchy(taus, TAU_SCALE)),
        residuals=residuals,
        freedom=scores.freedom,
        values=values,
        vectors=vectors,
        projected=projected,
        joined=joined,
        opponents=opponents,
    )


def _unexplained(scores: Scores, explained: Floats) -> float:
    """The sum of squared scores that least squares does not explain, above 0."""
    squares = max(scores.squares, NO_SPREAD)
    return max(squares - float(explained.sum()), 1e-12 * squares)


def _ratio_grid(greatest_value: float, opponents: float, most_tau: float, steps: int) -> Floats:
    """Ratios (G,) from one that leaves nothing to skill to that of the greatest tau.

    One seat's variance is (K - 1) / K of the scores' variance about their expectations, and tau is
    `opponents` = K - 1 times the strengths' standard deviation.
    """
    greatest = most_tau**2 / (opponents * (opponents + 1))
    smallest = min(1e-3 / greatest_value, greatest / 10)
    return np.geomspace(smallest, greatest, steps)


def ratio_bounds(scores: Scores, z: float = Z90) -> Bounds:
    """A confidence interval, by default of 90 %, of the ratio of the strengths' variance to the
    scores'; from 0 to infinity where the games show nothing.

    With the eigenvalues l and vectors v of X'X and the true ratio r, each (v'X'y)^2 / (l (1 + l r))
    over the scores' variance is chi-squared; so their mean over the residuals' variance has an F
    distribution (D. Harville and A. Fenech, Biometrics 41, 1985). No prior's credible interval has
    the right coverage at every ratio.
    """
    values, vectors = np.linalg.eigh(scores.xx)
    joined = values > ROUND_OFF * max(float(values.max()), NO_SPREAD)
    values = values[joined]
    projected = vectors[:, joined].T @ scores.xy
    explained = projected**2 / values
    freedom = scores.freedom - len(values)
    if freedom < LEAST_FREEDOM or scores.squares <= NO_SPREAD:
        return Bounds(0.0, np.inf)
    noise = _unexplained(scores, explained) / freedom
    upper = noise * f_quantile(z, len(values), freedom)
    lower = noise * f_quantile(-z, len(values), freedom)
    return Bounds(_ratio_at(upper, values, explained), _ratio_at(lower, values, explained))


def _ratio_at(limit: float, values: Floats, explained: Floats) -> float:
    """The ratio r at which the mean of explained / (1 + values r), which falls with r, is `limit`;
    0 where it is less from the start."""

    def exceeds(ratio: float) -> bool:
        return float((explained / (1 + values * ratio)).mean()) > limit

    if not exceeds(0.0):
        return 0.0
    low = float(np.log(1e-9 / values.max()))
    high = float(np.log(1e15 / values.max()))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if exceeds(float(np.exp(middle))):
            low = middle
        else:
            high = middle
    return float(np.exp(low))


def f_quantile(z: float, upper: float, lower: float) -> float:
    """The quantile of an F distribution with `upper` and `lower` degrees of freedom that is as
    probable as the normal quantile z.

    E. Paulson, Annals of Mathematical Statistics 13, 1942: cube roots of chi-squared variables are
    about normal, with the variances a and b. The quantile's cube root x solves
    ((1 - b) x - (1 - a))^2 = z^2 (b x^2 + a).
    """
    a = 2 / (9 * upper)
    b = 2 / (9 * lower)
    quadratic = (1 - b) ** 2 - z * z * b
    half_linear = (1 - a) * (1 - b)
    constant = (1 - a) ** 2 - z * z * a
    discriminant = max(half_linear * half_linear - quadratic * constant, 0.0)
    root = (half_linear + np.sign(z) * discriminant**0.5) / quadratic
    return float(max(root, 0.0) ** 3)
