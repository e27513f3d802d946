"""How strong the members are and how large chance is, with all that is unknown about both.

Strengths are BTR's on points as 収支 counts them, normal around 0 with a standard deviation that is
itself unknown. A fixed best value of it collapses to nothing in short seasons; so a grid is weighed
(rating.models.skill), and every simulated season draws its own. Games of earlier seasons count
half.

Units: sigma and tau are thousands of points a game. sigma is the standard deviation of one seat's
points about its expectation, tau that between members of expected points against average opponents.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rating.columns import Block, Floats
from rating.forecast.past import Past
from rating.models.btr import Sums, scores_of, sums_of_block
from rating.models.intervals import TAIL, cumulative
from rating.models.skill import MOST_TAU, Z90, Bounds, SkillPosterior, ratio_bounds, skill_posterior

HARDLY = 0.05  # a share of skill that is hardly any
EARLIER = 0.5  # the weight of a game of an earlier season
STEPS = 240  # of the grid: fine enough for the ends of intervals of tau
ANY_TAU = 1e4  # the greatest tau weighed, in sigmas, where the games tell sigma
HALVINGS = 60  # of the range in which a quantile is sought


class Credible(NamedTuple):
    """A value and its 95 % interval.

    A standard deviation's value is the root of the variance's mean.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Skills:
    """The posterior of strengths (n,) after games of K seats; thousands of points a game per
    opponent.
    """

    posterior: SkillPosterior
    seats: int

    @property
    def means(self) -> Floats:
        """The mean strengths (n,)."""
        posterior = self.posterior
        precise = posterior.values + 1 / posterior.ratios[:, None]
        return np.asarray(posterior.weights @ (posterior.projected / precise) @ posterior.vectors.T)

    def draw(self, random: np.random.Generator, size: int) -> Floats:
        """Strengths (size, n), each row with a standard deviation of skill of its own."""
        posterior = self.posterior
        part = np.searchsorted(
            np.cumsum(posterior.weights)[:-1],
            random.random(size),
        )
        noise = posterior.left[part] / random.chisquare(posterior.freedom, size)
        precise = posterior.values + 1 / posterior.ratios[part][:, None]
        errors = random.standard_normal(precise.shape) * np.sqrt(noise[:, None] / precise)
        return np.asarray((posterior.projected / precise + errors) @ posterior.vectors.T)

    @property
    def sigma(self) -> Credible:
        """The standard deviation of one seat's points about its expectation."""
        return self._spread(
            np.full(
                len(self.posterior.ratios),
                (self.seats - 1) / self.seats,
            )
        )

    @property
    def tau(self) -> Credible:
        """The standard deviation between members of expected points a game."""
        return self._spread((self.seats - 1) ** 2 * self.posterior.ratios)

    def share(self, games: Floats) -> Floats:
        """The mean of n tau^2 / (n tau^2 + sigma^2) for each number n of games: the part that is
        skill.
        """
        ratios = self.seats * (self.seats - 1) * self.posterior.ratios  # tau^2 / sigma^2
        signal = np.asarray(games, float)[:, None] * ratios
        return np.asarray((signal / (1 + signal)) @ self.posterior.weights)

    def _spread(self, factors: Floats) -> Credible:
        """The square root of `factors` (G,) times the variance of scores, whose distribution is a
        mixture.
        """
        posterior = self.posterior
        scales = posterior.left * factors
        reach = 2 * posterior.freedom * (1 + 20 / np.sqrt(posterior.freedom))
        lowest = np.log(scales.min() / reach)
        highest = np.log(scales.max() * 1e9)

        def quantile(probability: float) -> float:
            low = lowest
            high = highest
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                above = 1 - _chi_squared(scales / np.exp(middle), posterior.freedom)
                if posterior.weights @ above < probability:
                    low = middle
                else:
                    high = middle
            return float(np.exp((low + high) / 4))

        low = quantile(TAIL)
        high = quantile(1 - TAIL)
        degrees = max(
            posterior.freedom - 2, 1
        )  # the mean of 1 / chi-squared; without one, clipped below
        value = float(posterior.weights @ scales / degrees) ** 0.5
        return Credible(min(max(value, low), high), low, high)


def skills_of(past: Past) -> Skills:
    n = len(past.names)
    sums = _sums(past, EARLIER)
    # Few games are fitted without a rest, as if there were no chance: then tau is bounded as for
    # btr.
    tells_sigma = sums.freedom >= 2 * (n - 1)
    return Skills(
        skill_posterior(scores_of(sums), ANY_TAU if tells_sigma else MOST_TAU, STEPS), past.seats
    )


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
        be.
        """
        return Bounds(*(1 / end if end else np.inf for end in reversed(self)))


def tells(share: Bounds) -> bool:
    """Whether an interval of a share says anything: not that it may be hardly any or more than
    half.
    """
    return share.low >= HARDLY or share.high <= 0.5


def skill_ratio(past: Past, z: float = Z90) -> SkillRatio:
    """A confidence interval, by default of 90 %, of tau^2 / sigma^2; earlier seasons count too."""
    ratio = ratio_bounds(scores_of(_sums(past, 1.0)), z)
    factor = past.seats * (past.seats - 1)
    return SkillRatio(*(factor * end for end in ratio))


def strengths_at(past: Past, ratio: float) -> tuple[Floats, Floats, float]:
    """The mean strengths (m,), covariance (m, m) and degrees of freedom of the members if tau^2 /
    sigma^2 is `ratio`, above 0."""
    ratios = np.array([ratio / (past.seats * (past.seats - 1))])
    found = skill_posterior(scores_of(_sums(past, EARLIER)), ratios=ratios)
    vectors = found.vectors[: past.members]
    precise = found.values + 1 / ratios
    means = vectors @ (found.projected / precise)
    spread = (vectors / precise) @ vectors.T
    return means, found.noise[0] * spread, found.freedom


def _sums(past: Past, earlier: float) -> Sums:
    """The sums of the season's games and, with this weight, of those before it."""

    def sums(rows: slice) -> Sums:
        return sums_of_block(
            Block(
                past.players[rows],
                past.points[rows],
                past.days[rows],
            ),
            len(past.names),
        )

    if not past.earlier:
        return sums(past.season)
    return sums(past.season).plus(sums(slice(past.earlier)), earlier)


def expected(strengths: Floats) -> Floats:
    """The expected points (…, K) of seats with these strengths (…, K); they sum to 0 over a
    game.
    """
    seats = strengths.shape[-1]
    sums = strengths.sum(axis=-1, keepdims=True)
    return np.asarray(seats * strengths - sums)


def residuals_of(past: Past, means: Floats, most: int) -> Floats:
    """Points less their expectations at the mean strengths, of the last `most` games, (R, K)."""
    expectations = expected(means[past.players[-most:]])
    return np.asarray(past.points[-most:] - expectations)


def _chi_squared(x: Floats, freedom: float) -> Floats:
    """P(X < x) of a chi-squared variable. E. Wilson and M. Hilferty, Proceedings of the National
    Academy of Sciences 17, 1931, doi:10.1073/pnas.17.12.684."""
    width = 2 / (9 * freedom)
    deviations = np.cbrt(x / freedom) - (1 - width)
    return cumulative(deviations / np.sqrt(width))
