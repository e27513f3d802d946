"""Plackett-Luce with skill that drifts: a filter that learns one game after another.

Each player's strength is normal with a mean and a variance. Between two games of a player the
variance grows by drift^2. A game multiplies the table's normal density by the Plackett-Luce
probability of its placings (R. Plackett, Applied Statistics 24, 1975, doi:10.2307/2346567). The
product is replaced by the normal around its maximum (Laplace's method), seat by seat. How much
players differ is not known beforehand, so the same filter also runs from other priors, and the 95 %
interval is their mixture, weighed by how probable each made the player's games. Unit: natural
log-odds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import NamedTuple

import numpy as np

from rating.columns import Floats
from rating.games import Game
from rating.models.base import Sequential, within
from rating.models.intervals import TAU_SCALE
from rating.models.mixtures import Mixture, half_cauchy, weights_of
from rating.standings import Rating

# The priors of the mixture: standard deviations between players in log-odds, and shares of the
# system's drift.
PRIORS = np.repeat(np.geomspace(0.03, 2.0, 8), 2)
DRIFTS = np.tile([1.0, 0.0], 8)
DRIFTS_OF_FILTERS = np.append(1.0, DRIFTS)  # with the system's own drift first
# at most, of Newton's method
STEPS = 100
HALVINGS = 20


@dataclass(frozen=True, slots=True, eq=False)
class DriftingState:
    """A player's strength by G + 1 filters: the system's own, then those of PRIORS and DRIFTS.

    means, variances: (G + 1,). evidence: (G + 1,) for each filter the sum over the player's games
    of log P(game) / K.
    """

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


class Learned(NamedTuple):
    """A game by G filters, best placing first: means and variances (G, K), log evidence (G,)."""

    means: Floats
    variances: Floats
    evidence: Floats


def learn(means: Floats, variances: Floats) -> Learned:
    """Update the strengths of a table (G, K) by a game. The means are the top of each filter's
    posterior, by Newton's method with halved steps. The evidence is the logarithm of the game's
    probability, by Laplace's method: with the Hessian H and the prior's precisions p it is
    log(prod p / det H) / 2 - loss."""
    precisions = 1 / variances
    x = means
    current = slope(x, means, precisions)
    for _ in range(STEPS):
        inverse = np.linalg.inv(current.hessian)
        step = np.matvec(inverse, current.gradient)
        gain = np.vecdot(current.gradient, step)
        scale = 1 + np.abs(current.loss)
        if (gain / scale).max() <= 1e-18:
            x = x - step
            break
        sizes = np.ones((*gain.shape, 1))  # of each filter's step
        new_x = x - step
        new = slope(new_x, means, precisions)
        for _ in range(HALVINGS):
            too_far = new.loss > current.loss - 1e-4 * (sizes[..., 0] * gain)
            too_far &= gain > 1e-12 * scale
            if not too_far.any():
                break
            sizes[too_far] /= 2
            new_x = x - sizes * step
            new = slope(new_x, means, precisions)
        x = new_x
        current = new
    ratio = precisions.prod(axis=1) / np.linalg.det(current.hessian)
    evidence = 0.5 * np.log(ratio) - current.loss
    return Learned(x, np.diagonal(inverse, axis1=1, axis2=2), evidence)


class Slopes(NamedTuple):
    """Negative log posteriors (…, G), their gradients (…, G, K) and Hessians (…, G, K, K)."""

    loss: Floats
    gradient: Floats
    hessian: Floats


def slope(x: Floats, means: Floats, precisions: Floats) -> Slopes:
    """The negative log posteriors of strengths x (…, G, K), best placing first.

    At stage j the shares are exp(x_i) / sum exp(x) over the seats i >= j that are not placed yet;
    the Hessian of the game is diag(sum of shares) - sum of shares shares'.
    """
    stages = _stages(x.shape[-1])
    # log of the sum of exp(x) at each stage, (…, G, K - 1)
    totals = np.logaddexp.accumulate(x[..., ::-1], -1)[..., :0:-1]
    shares = np.exp(x[..., None, :] + stages.placed - totals[..., None])
    expected = np.add.reduce(shares, -2)
    distance = x - means
    pull = precisions * distance
    misfit = np.add.reduce(totals, -1) - x @ stages.takes_place
    loss = misfit + 0.5 * np.vecdot(pull, distance)
    diagonal = (expected + precisions)[..., None] * stages.identity
    hessian = diagonal - shares.swapaxes(-1, -2) @ shares
    return Slopes(loss, expected - stages.takes_place + pull, hessian)


class StageModel(NamedTuple):
    """The stages of a game, one for each place but the last. placed: (K - 1, K) -inf for seats that
    are placed already, else 0. takes_place: (K,) 1 for seats that take a place, 0 for the last.
    identity: (K, K)."""

    placed: Floats
    takes_place: Floats
    identity: Floats


@cache
def _stages(seats: int) -> StageModel:
    below_diagonal = np.tril(np.ones((seats - 1, seats)), -1)
    is_placed = below_diagonal.astype(bool)
    return StageModel(
        placed=np.where(is_placed, -np.inf, 0.0),
        takes_place=(np.arange(seats) < seats - 1).astype(np.float64),
        identity=np.eye(seats),
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
        zeros = np.zeros(len(priors))
        return DriftingState(zeros, priors**2, zeros, games=0)

    def play(self, game: Game, before: Sequence[DriftingState]) -> list[DriftingState]:
        """All filters learn the game. Before it the variances (G + 1,) of players who have played
        grow by the squared drift; the game's evidence is shared equally by its players."""
        growth = (self.drift * DRIFTS_OF_FILTERS) ** 2
        means = []
        variances = []
        for state in before:
            means.append(state.means)
            variances.append(state.variances + growth if state.games else state.variances)
        learned = learn(np.array(means).T, np.array(variances).T)
        evidence = learned.evidence / len(before)
        after = []
        for seat, state in enumerate(before):
            after.append(
                DriftingState(
                    learned.means[:, seat],
                    learned.variances[:, seat],
                    state.evidence + evidence,
                    state.games + 1,
                )
            )
        return after

    def value(self, state: DriftingState) -> float:
        return float(state.means[0])

    def rating(self, state: DriftingState) -> Rating:
        return self.ratings({"": state})[""]

    def ratings(self, states: Mapping[str, DriftingState]) -> dict[str, Rating]:
        """Ratings of all players, with intervals of strengths relative to their mean, because games
        show differences only. The priors are weighed by all games. In a league of n in which all
        play each other equally often, a strength relative to the mean has (1 - 1/n)^2 of the
        variance that the filter gives it."""
        if not states:
            return {}
        ends = _mixture(list(states.values())).interval()
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


def _mixture(states: Sequence[DriftingState]) -> Mixture:
    """The strengths of n players relative to their mean, by the filters of PRIORS and DRIFTS: G
    parts, weighed by the evidence of all games.

    A filter's variance is about its prior's fixed centre. Relative to the mean of n players it is
    (1 - 1/n)^2 of that where all play each other equally often; a single player is not centred.
    """
    evidence = np.sum([state.evidence[1:] for state in states], axis=0)
    means = np.array([state.means[1:] for state in states]).T
    variances = np.array([state.variances[1:] for state in states]).T
    weights = weights_of(evidence + half_cauchy(PRIORS, TAU_SCALE))
    if len(states) == 1:
        return Mixture(weights, means, np.sqrt(variances))
    share = 1 / len(states)
    return Mixture(
        weights,
        means - share * means.sum(axis=1, keepdims=True),
        np.sqrt(variances) * (1 - share),
    )
