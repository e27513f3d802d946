"""95 % intervals with true coverage for strengths fitted to games.

How much the members of a league differ is itself unknown. An interval from one prior is too narrow
where the games do not fit that prior: MacKay's iteration covers about 80 of 100 strengths where
skill is weak. So the posterior is a mixture: one part for each of many standard deviations tau
between members, weighed by how probable the games are under it and by a half-Cauchy prior for tau
(A. Gelman, Bayesian Analysis 1, 2006, doi:10.1214/06-BA117A).
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from rating.columns import Columns, Floats, Ints
from rating.models.fitting import IntervalEnds, Slope, centred, minimise, strengths
from rating.models.mixtures import Mixture, half_cauchy, weights_of
from rating.standings import Standings

MOST_PLAYERS = 300  # players with intervals in models of placings; the work grows with the cube
NO_INTERVALS = f"There are more than {MOST_PLAYERS} players: strengths are given without intervals."
TAU_SCALE = 0.5  # log-odds: the half-Cauchy scale of the standard deviation between members
TAUS = np.geomspace(0.01, 5.0, 25)  # log-odds: the standard deviations weighed


def with_ends(
    columns: Columns, values: Floats, errors: Floats, ends: Callable[[], IntervalEnds]
) -> Standings:
    """Standings from strengths (n,), errors (n,) and, for at most MOST_PLAYERS players, the ends of
    intervals."""
    if len(values) > MOST_PLAYERS:
        return strengths(columns, values, errors, notes=(NO_INTERVALS,))
    return strengths(columns, values, errors, ends())


def laplace_mixture(slope_at: Callable[[float, Floats], Slope], groups: Ints) -> Mixture:
    """The mixture of a model of placings: for each tau the normal around its most probable
    strengths. `slope_at(alpha, s)` gives the negative log posterior of strengths s (n,) under a
    normal prior of precision alpha. groups: (n,), as `groups_of`; strengths are centred on the mean
    of their group.

    The log evidence is -value + (n log alpha - log det Hessian) / 2, by Laplace's method.
    """
    n = len(groups)
    s = np.zeros(n)
    evidence = []
    means = []
    scales = []
    for tau in TAUS:
        alpha = float(tau**-2)
        s = minimise(partial(slope_at, alpha), s)
        at_top = slope_at(alpha, s)
        _, log_determinant = np.linalg.slogdet(at_top.hessian)
        evidence.append(-at_top.value + n / 2 * np.log(alpha) - log_determinant / 2)
        means.append(centred(s, groups))
        scales.append(centred_errors(at_top.hessian, groups))
    weights = weights_of(np.array(evidence) + half_cauchy(TAUS, TAU_SCALE))
    return Mixture(weights, np.array(means), np.array(scales))


def centred_errors(information: Floats, groups: Ints) -> Floats:
    """Standard errors (n,) of strengths relative to the mean of their group, from their information
    (n, n). Games show differences only; the error of the common level comes from the prior alone
    and is left out."""
    same = groups[:, None] == groups
    mean = same / same.sum(axis=1, keepdims=True)
    centre = np.eye(len(groups)) - mean
    covariance = centre @ np.linalg.inv(information) @ centre.T
    variances = np.maximum(np.diag(covariance), 0)
    return np.asarray(np.sqrt(variances))
