"""The members' strengths and the size of chance, with the uncertainty about both.

Strengths are BTR's on the points of 収支, normal around 0 with a standard deviation that is itself
unknown. A fixed best value of it collapses to nothing in short seasons; so a grid is weighed
(rating.models.skill), and every simulated season draws its own. Games of earlier seasons count
half.

Units: sigma and tau are thousands of points a game. sigma is the standard deviation of one seat's
points about its expectation, tau that between members of expected points against average opponents.
docs/claims.md has what was measured.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rating.columns import Block, Floats
from rating.forecast.past import Past
from rating.models.btr import Sums, scores_of, sums_of_block
from rating.models.mixtures import TAIL, cumulative
from rating.models.skill import MOST_TAU, Z90, Bounds, SkillPosterior, ratio_bounds, skill_posterior

HARDLY = 0.05  # a share of skill that is negligible
EARLIER = 0.5  # the weight of a game of an earlier season
STEPS = 240  # of the grid: fine enough for the ends of intervals of tau
ANY_TAU = 1e4  # the greatest tau weighed, in sigmas, where the games determine sigma
HALVINGS = 60  # of the range in which a quantile is sought


class Credible(NamedTuple):
    """A value and its 95 % interval. A standard deviation's value is the root of the variance's
    mean."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Skills:
    """The posterior of strengths (n,) after games of K seats; thousands of points a game per
    opponent."""

    posterior: SkillPosterior
    seats: int

    @property
    def means(self) -> Floats:
        """The mean strengths (n,): those of each ratio as in `draw`, weighed."""
        posterior = self.posterior
        precision = posterior.values + 1 / posterior.ratios[:, None]
        along_vectors = posterior.weights @ (posterior.projected / precision)
        return np.asarray(along_vectors @ posterior.vectors.T)

    def draw(self, random: np.random.Generator, size: int) -> Floats:
        """Draw strengths (size, n) from the posterior.

        Each row first draws its ratio r of the variances by weight, then the scores' variance v,
        then the strengths. These are independent along the eigenvectors of X'X: with the
        eigenvalue l and b = V'X'y, normal with mean b / (l + 1 / r) and variance v / (l + 1 / r).
        """
        posterior = self.posterior
        ends = np.cumsum(posterior.weights)[:-1]
        part = np.searchsorted(ends, random.random(size))
        variance = posterior.residuals[part] / random.chisquare(posterior.freedom, size)
        precision = posterior.values + 1 / posterior.ratios[part][:, None]
        errors = random.standard_normal(precision.shape) * np.sqrt(variance[:, None] / precision)
        along_vectors = posterior.projected / precision + errors
        return np.asarray(along_vectors @ posterior.vectors.T)

    @property
    def sigma(self) -> Credible:
        """The standard deviation of one seat's points about its expectation."""
        share = (self.seats - 1) / self.seats
        return self._deviation(np.full(len(self.posterior.ratios), share))

    @property
    def tau(self) -> Credible:
        """The standard deviation between members of expected points a game."""
        return self._deviation((self.seats - 1) ** 2 * self.posterior.ratios)

    def share(self, games: Floats) -> Floats:
        """The part of a mean of n games that is skill, n tau^2 / (n tau^2 + sigma^2), for each
        number n of games."""
        ratios = self.seats * (self.seats - 1) * self.posterior.ratios  # tau^2 / sigma^2
        signal = np.asarray(games, float)[:, None] * ratios
        return np.asarray((signal / (1 + signal)) @ self.posterior.weights)

    def _deviation(self, factors: Floats) -> Credible:
        """The square root of `factors` (G,) times the variance of scores, which is `residuals` over
        a chi-squared variable in each part of the mixture."""
        posterior = self.posterior
        scales = posterior.residuals * factors
        low = self._deviation_quantile(scales, TAIL)
        high = self._deviation_quantile(scales, 1 - TAIL)
        # 1 / chi-squared has the mean 1 / (freedom - 2), if that is above 0; else the value is
        # limited to the interval
        degrees = max(posterior.freedom - 2, 1)
        value = float(posterior.weights @ scales / degrees) ** 0.5
        return Credible(min(max(value, low), high), low, high)

    def _deviation_quantile(self, scales: Floats, probability: float) -> float:
        """A quantile of the square root of `scales` (G,) over chi-squared, by halving the range of
        the variance's logarithm."""
        weights = self.posterior.weights
        freedom = self.posterior.freedom
        reach = 2 * freedom * (1 + 20 / np.sqrt(freedom))
        low = np.log(scales.min() / reach)
        high = np.log(scales.max() * 1e9)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            below = weights @ (1 - _chi_squared(scales / np.exp(middle), freedom))
            if below < probability:
                low = middle
            else:
                high = middle
        return float(np.exp((low + high) / 4))


def skills_of(past: Past) -> Skills:
    sums = _sums(past, EARLIER)
    # Few games can be fitted without residuals, as if there were no chance: then tau is bounded as
    # for btr.
    determines_sigma = sums.freedom >= 2 * (len(past.names) - 1)
    most_tau = ANY_TAU if determines_sigma else MOST_TAU
    return Skills(skill_posterior(scores_of(sums), most_tau, STEPS), past.seats)


class SkillRatio(NamedTuple):
    """tau^2 / sigma^2, the ends of a confidence interval: skill in a mean of one game to chance."""

    low: float
    high: float

    def share(self, games: float) -> Bounds:
        """The part of a mean of so many games (at least one) that is skill."""
        return Bounds(*(1 - 1 / (1 + games * end) for end in self))

    @property
    def half_after(self) -> Bounds:
        """The games after which half of a member's mean is skill; infinity where that may never
        be."""
        return Bounds(*(1 / end if end else np.inf for end in reversed(self)))


def is_informative(share: Bounds) -> bool:
    """Whether an interval of a share excludes that it is negligible, or that it is more than
    half."""
    return share.low >= HARDLY or share.high <= 0.5


def skill_ratio(past: Past, z: float = Z90) -> SkillRatio:
    """A confidence interval, by default of 90 %, of tau^2 / sigma^2; earlier seasons count too."""
    ratio = ratio_bounds(scores_of(_sums(past, 1.0)), z)
    factor = past.seats * (past.seats - 1)
    return SkillRatio(*(factor * end for end in ratio))


class MemberStrengths(NamedTuple):
    """The t distribution of the members' strengths: means (m,), covariance (m, m), freedom."""

    means: Floats
    covariance: Floats
    freedom: float


def strengths_at(past: Past, ratio: float) -> MemberStrengths:
    """The members' strengths if tau^2 / sigma^2 is `ratio`, above 0."""
    ratios = np.array([ratio / (past.seats * (past.seats - 1))])
    posterior = skill_posterior(scores_of(_sums(past, EARLIER)), ratios=ratios)
    vectors = posterior.vectors[: past.members]
    precise = posterior.values + 1 / ratios
    means = vectors @ (posterior.projected / precise)
    covariance = posterior.noise[0] * ((vectors / precise) @ vectors.T)
    return MemberStrengths(means, covariance, posterior.freedom)


def _sums(past: Past, earlier_weight: float) -> Sums:
    """The sums of the season's games and, weighed, of those before it."""
    sums = _sums_of_rows(past, past.season)
    if not past.earlier:
        return sums
    return sums.plus(_sums_of_rows(past, slice(past.earlier)), earlier_weight)


def _sums_of_rows(past: Past, rows: slice) -> Sums:
    block = Block(past.players[rows], past.points[rows], past.days[rows])
    return sums_of_block(block, len(past.names))


def expected(strengths: Floats) -> Floats:
    """The expected points (…, K) of seats with these strengths (…, K); they sum to 0 over a
    game."""
    seats = strengths.shape[-1]
    sums = strengths.sum(axis=-1, keepdims=True)
    return np.asarray(seats * strengths - sums)


def residuals_of(past: Past, means: Floats, games: int) -> Floats:
    """Points less their expectations at the mean strengths, of the last `games` games, (R, K)."""
    expectations = expected(means[past.players[-games:]])
    return np.asarray(past.points[-games:] - expectations)


def _chi_squared(x: Floats, freedom: float) -> Floats:
    """P(X < x) of a chi-squared variable. E. Wilson and M. Hilferty, Proceedings of the National
    Academy of Sciences 17, 1931, doi:10.1073/pnas.17.12.684."""
    width = 2 / (9 * freedom)
    deviations = np.cbrt(x / freedom) - (1 - width)
    return cumulative(deviations / np.sqrt(width))
