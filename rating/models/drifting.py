"""Plackett-Luce with skill that drifts: a filter that learns one game after another.

Each player's strength is normal with a mean and a variance. Between two games of a player the
variance grows by drift^2. A game multiplies the table's normal density by the Plackett-Luce
probability of its placings (R. Plackett, Applied Statistics 24, 1975, doi:10.2307/2346567). The
product is replaced by the normal around its maximum (Laplace's method), seat by seat. The same
filter runs beside it from other priors, and the 95 % interval is their mixture, weighed by how
probable each made the player's games: how much players differ is not known beforehand. Unit:
natural log-odds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from rating.columns import Floats
from rating.games import Game
from rating.models.base import Sequential, within
from rating.models.intervals import TAU_SCALE, Mixture, half_cauchy, weights_of
from rating.standings import Rating

# What intervals weigh: standard deviations between players in log-odds, and shares of the
# system's drift.
PRIORS = np.repeat(np.geomspace(0.03, 2.0, 8), 2)
DRIFTS = np.tile([1.0, 0.0], 8)
_SHARES = np.append(1.0, DRIFTS)  # and before them the system's own
# at most, of Newton's method
STEPS = 100
HALVINGS = 20


@dataclass(frozen=True, slots=True, eq=False)
class DriftingState:
    """A player's strength as G + 1 filters see it: the system's own, then those of PRIORS and
    DRIFTS. means, variances: (G + 1,). evidence: (G + 1,) the player's share, one part in K, of the
    logarithms of how probable each filter made his games."""

    means: Floats
    variances: Floats
    evidence: Floats
    games: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DriftingState) and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]


def learn(means: Floats, variances: Floats) -> tuple[Floats, Floats, Floats]:
    """A game as G filters see it, best placing first: means, variances (G, K) and evidence (G,).
    The means are the top of each filter's posterior, found by Newton's method with halved steps.
    The evidence is the logarithm of the game's probability, by Laplace's method."""
    precisions = 1 / variances
    x = means
    loss, gradient, hessian = slope(x, means, precisions)
    for _ in range(STEPS):
        inverse = np.linalg.inv(hessian)
        step = np.matvec(inverse, gradient)
        gain = np.vecdot(gradient, step)
        scale = 1 + np.abs(loss)
        if (gain / scale).max() <= 1e-18:
            x = x - step
            break
        new = slope(x - step, means, precisions)
        size: Floats | None = None  # of each filter's step, once one of them is halved
        for _ in range(HALVINGS):
            least = gain if size is None else size[..., 0] * gain
            far = (new[0] > loss - 1e-4 * least) & (gain > 1e-12 * scale)
            if not far.any():
                break
            size = np.ones((*gain.shape, 1)) if size is None else size
            size[far] /= 2
            new = slope(x - size * step, means, precisions)
        x = x - (step if size is None else size * step)
        loss, gradient, hessian = new
    ratio = precisions.prod(axis=1) / np.linalg.det(hessian)
    return (
        x,
        np.diagonal(
            inverse,
            axis1=1,
            axis2=2,
        ),
        0.5 * np.log(ratio) - loss,
    )


def slope(x: Floats, means: Floats, precisions: Floats) -> tuple[Floats, Floats, Floats]:
    """Negative log posteriors (…, G) of x (…, G, K), with gradients (…, G, K) and Hessians (…, G,
    K, K).
    """
    open_, chosen, one = _stages(x.shape[-1])
    # of who is not placed yet, (…, G, K - 1)
    totals = np.logaddexp.accumulate(x[..., ::-1], -1)[..., :0:-1]
    shares = np.exp(x[..., None, :] + open_ - totals[..., None])
    expected = np.add.reduce(shares, -2)
    away = x - means
    pull = precisions * away
    misfit = np.add.reduce(totals, -1) - x @ chosen
    loss = misfit + 0.5 * np.vecdot(pull, away)
    hessian = (expected + precisions)[..., None] * one - shares.swapaxes(-1, -2) @ shares
    return loss, expected - chosen + pull, hessian


@cache
def _stages(seats: int) -> tuple[Floats, Floats, Floats]:
    """At each stage (K - 1, K) 0 for who is not placed yet, else -inf; who takes a place, (K,); I
    (K, K).
    """
    gone = np.tril(np.ones((seats - 1, seats)), -1).astype(bool)
    return (
        np.where(gone, -np.inf, 0.0),
        (np.arange(seats) < seats - 1).astype(np.float64),
        np.eye(seats),
    )


@dataclass(frozen=True)
class Drifting(Sequential[DriftingState]):
    """A filter for strengths that drift. `prior`: standard deviation of a new player's strength;
    `drift`: of its change between games; in log-odds."""

    name = "plackett_luce_drift"
    decimals = 2

    prior: float = 0.3
    drift: float = 0.01

    def __post_init__(self) -> None:
        within(self.name, "prior", self.prior, 1e-6, 1e3)
        within(self.name, "drift", self.drift, 0, 10)

    def initial(self, player: str) -> DriftingState:
        priors = np.append(self.prior, PRIORS)
        return DriftingState(
            np.zeros(len(priors)),
            priors**2,
            np.zeros(len(priors)),
            0,
        )

    def play(self, game: Game, before: Sequence[DriftingState]) -> list[DriftingState]:
        grown = self.drift**2 * _SHARES
        widened = [s.variances + grown if s.games else s.variances for s in before]
        means, variances, evidence = learn(
            np.array([s.means for s in before]).T, np.array(widened).T
        )
        evidence /= len(before)
        return [
            DriftingState(
                means[:, seat],
                variances[:, seat],
                state.evidence + evidence,
                state.games + 1,
            )
            for seat, state in enumerate(before)
        ]

    def value(self, state: DriftingState) -> float:
        return float(state.means[0])

    def rating(self, state: DriftingState) -> Rating:
        return self.ratings({"": state})[""]

    def ratings(self, states: Mapping[str, DriftingState]) -> dict[str, Rating]:
        """Ratings of all players. All games weigh the priors, and intervals are of strengths about
        their mean. Games tell differences. In a league of n in which all meet alike, a strength
        about the mean has (1 - 1/n)^2 of the variance that the filter gives it."""
        if not states:
            return {}
        every = list(states.values())
        evidence = np.sum([state.evidence[1:] for state in every], axis=0)
        weights = weights_of(evidence + half_cauchy(PRIORS, TAU_SCALE))
        means = np.array([state.means[1:] for state in every]).T
        variances = np.array([state.variances[1:] for state in every]).T
        share = 1 / len(every) if len(every) > 1 else 0.0
        mixture = Mixture(
            weights,
            means - share * means.sum(axis=1, keepdims=True),
            np.sqrt(variances) * (1 - share),
        )
        ends = mixture.interval()
        return {
            player: Rating(
                self.value(state),
                state.games,
                float(state.variances[0]) ** 0.5,
                low=float(ends.low[i]),
                high=float(ends.high[i]),
                likely=float(ends.likely[i]),
            )
            for i, (player, state) in enumerate(states.items())
        }
