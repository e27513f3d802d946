"""How strong the members are and how large chance is, with all that is unknown about both.

Strengths are BTR's on points as 収支 counts them, normal around 0 with a standard deviation that is itself
unknown. A fixed best value of it collapses to nothing in short seasons; so a grid is weighed
(rating.models.skill), and every simulated season draws its own. Games of earlier seasons count half.

Units: sigma and tau are thousands of points a game. sigma is the standard deviation of one seat's points
about its expectation, tau that between members of expected points against average opponents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rating.columns import Block, Floats
from rating.forecast.past import Past
from rating.models.btr import scores_of, sums_of_block
from rating.models.intervals import TAIL, cumulative
from rating.models.skill import MOST_TAU, SkillPosterior, skill_posterior

EARLIER = 0.5  # the weight of a game of an earlier season
STEPS = 240  # of the grid: fine enough for the ends of intervals of tau
ANY_TAU = 1e4  # the greatest tau weighed, in sigmas, where the games tell sigma
HALVINGS = 60  # of the range in which a quantile is sought


class Credible(NamedTuple):
    """A value and its 95 % interval. A standard deviation's value is the root of the variance's mean."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Skills:
    """The posterior of strengths (n,) after games of K seats; thousands of points a game per opponent."""

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
        ends = np.cumsum(posterior.weights)
        part = np.searchsorted(ends[:-1], random.random(size))
        noise = posterior.left[part] / random.chisquare(posterior.freedom, size)
        precise = posterior.values + 1 / posterior.ratios[part][:, None]
        errors = random.standard_normal(precise.shape) * np.sqrt(noise[:, None] / precise)
        return np.asarray((posterior.projected / precise + errors) @ posterior.vectors.T)

    @property
    def sigma(self) -> Credible:
        """The standard deviation of one seat's points about its expectation."""
        return self._spread(np.full(len(self.posterior.ratios), (self.seats - 1) / self.seats))

    @property
    def tau(self) -> Credible:
        """The standard deviation between members of expected points a game."""
        return self._spread((self.seats - 1) ** 2 * self.posterior.ratios)

    @property
    def half_after(self) -> Credible:
        """The games sigma^2 / tau^2 after which half of a member's mean is skill."""
        ends = np.cumsum(self.posterior.weights[::-1])
        games = 1 / self._per_game[::-1]
        low, high = (float(games[np.searchsorted(ends[:-1], p)]) for p in (TAIL, 1 - TAIL))
        return Credible(min(max((self.sigma.value / self.tau.value) ** 2, low), high), low, high)

    def share(self, games: Floats) -> Floats:
        """The mean of n tau^2 / (n tau^2 + sigma^2) for each number n of games: the part that is skill."""
        signal = np.asarray(games, float)[:, None] * self._per_game
        return np.asarray((signal / (1 + signal)) @ self.posterior.weights)

    @property
    def _per_game(self) -> Floats:
        """tau^2 / sigma^2 (G,)."""
        return self.seats * (self.seats - 1) * self.posterior.ratios

    def _spread(self, factors: Floats) -> Credible:
        """The square root of `factors` (G,) times the variance of scores, whose distribution is a mixture."""
        posterior = self.posterior
        scales = posterior.left * factors
        reach = 2 * posterior.freedom * (1 + 20 / np.sqrt(posterior.freedom))
        ends = np.log(scales.min() / reach), np.log(scales.max() * 1e9)

        def quantile(probability: float) -> float:
            low, high = ends
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                above = 1 - _chi_squared(scales / np.exp(middle), posterior.freedom)
                low, high = (middle, high) if posterior.weights @ above < probability else (low, middle)
            return float(np.exp((low + high) / 4))

        low, high = quantile(TAIL), quantile(1 - TAIL)
        degrees = max(posterior.freedom - 2, 1)  # the mean of 1 / chi-squared; without one, clipped below
        value = float(posterior.weights @ scales / degrees) ** 0.5
        return Credible(min(max(value, low), high), low, high)


def skills_of(past: Past) -> Skills:
    """The strengths after these games."""
    n, season = len(past.names), past.season
    sums = sums_of_block(Block(past.players[season], past.points[season], past.days[season]), n)
    if past.earlier:
        before = slice(past.earlier)
        sums = sums.plus(
            sums_of_block(Block(past.players[before], past.points[before], past.days[before]), n), EARLIER
        )
    # Few games are fitted without a rest, as if there were no chance: then tau is bounded as for btr.
    tells_sigma = sums.freedom >= 2 * (n - 1)
    return Skills(skill_posterior(scores_of(sums), ANY_TAU if tells_sigma else MOST_TAU, STEPS), past.seats)


def expected(strengths: Floats) -> Floats:
    """The expected points (…, K) of seats with these strengths (…, K); they sum to 0 over a game."""
    return np.asarray(strengths.shape[-1] * strengths - strengths.sum(axis=-1, keepdims=True))


def residuals_of(past: Past, means: Floats, most: int) -> Floats:
    """Points less their expectations at the mean strengths, of the last `most` games, (R, K)."""
    return np.asarray(past.points[-most:] - expected(means[past.players[-most:]]))


def _chi_squared(x: Floats, freedom: float) -> Floats:
    """P(X < x) of a chi-squared variable.

    E. Wilson and M. Hilferty, Proceedings of the National Academy of Sciences 17, 1931,
    doi:10.1073/pnas.17.12.684.
    """
    width = 2 / (9 * freedom)
    return cumulative((np.cbrt(x / freedom) - (1 - width)) / np.sqrt(width))
