"""How much the members of a league differ in points, and what that leaves to say of each one's strength.

Strengths s are normal around 0 with an unknown standard deviation; scores are normal around the expectations of BTR with
an unknown variance. For each ratio of the two variances the posterior of s is a t distribution in closed form. A grid of
ratios is weighed by the probability of the games under each and by a half-Cauchy prior of 5 points a game for tau, the
standard deviation between members of expected points against average opponents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.models.intervals import Mixture, half_cauchy, weights_of

TAU_SCALE = 5.0  # thousands of points a game: the half-Cauchy scale of tau
MOST_TAU = 3.0  # the greatest tau weighed, in standard deviations of one seat's points
STEPS = 60  # of the grid
NO_SPREAD = 1e-24  # a sum of squared scores (thousands) below this is only rounding: all scores are equal
ROUND_OFF = 1e-11  # an eigenvalue below this share of the largest counts as 0


class Scores(NamedTuple):
    """What the posterior needs of some games.

    xx: X'X (n, n). xy: X'y (n,). squares: the sum of squared scores about their games' means. games: their number.
    freedom: K - 1 for each game.
    """

    xx: Floats
    xy: Floats
    squares: float
    games: int
    freedom: int


def skill_mixture(scores: Scores) -> Mixture:
    """The posterior of each player's strength relative to the mean of the players that games join to him.

    Unit: thousands of points a game per opponent, as of BTR.
    """
    values, vectors = np.linalg.eigh(scores.xx)
    joined = values > ROUND_OFF * values.max()
    values, vectors = values[joined], vectors[:, joined]
    projected = vectors.T @ scores.xy
    explained = projected**2 / values
    squares = max(scores.squares, NO_SPREAD)
    rest = max(squares - float(explained.sum()), 1e-12 * squares)
    opponents = scores.freedom / scores.games  # K - 1, or its mean where games of 3 and of 4 are mixed
    ratios = _ratios(values, opponents)[:, None]
    left = rest + (explained / (1 + ratios * values)).sum(axis=1)  # (G,)
    probable = -np.log1p(ratios * values).sum(axis=1) / 2 - scores.freedom / 2 * np.log(left)
    noise = left / scores.freedom
    taus = opponents * np.sqrt(ratios[:, 0] * noise)
    precise = values + 1 / ratios  # (G, rank)
    means = projected / precise @ vectors.T
    scales = np.sqrt(noise[:, None] * (1 / precise @ (vectors**2).T))
    weights = weights_of(probable + half_cauchy(taus, TAU_SCALE))
    return Mixture(weights, means, scales, scores.freedom)


def _ratios(values: Floats, opponents: float) -> Floats:
    """The ratios (G,) of variances: from one that leaves nothing to skill to the greatest tau, in equal factors.

    One seat's variance is (K - 1) / K of the scores' about their expectations; tau is `opponents` = K - 1 times the
    strengths' standard deviation.
    """
    most = MOST_TAU**2 / (opponents * (opponents + 1))
    return np.geomspace(min(1e-3 / float(values.max()), most / 10), most, STEPS)
