"""Blade and chest: strengths with matchups, for leagues where one number per player is too little.

P(i above j) = sigma(blade_i . chest_j - blade_j . chest_i + s_i - s_j) (S. Chen and T. Joachims,
WSDM 2016, doi:10.1145/2835776.2835787). The matchups are an antisymmetric matrix A of low rank. A
ridge on blades and chests equals a price on A's singular values, which come in pairs, one pair a
dimension. So A is fitted as a whole, by accelerated proximal gradient (A. Beck and M. Teboulle,
SIAM Journal on Imaging Sciences 2, 2009, doi:10.1137/080716542): a step along the gradient, then
every singular value is lowered by the price. The price is a multiple of what chance alone would
show, so most leagues have no matchups, and their strengths are those of bradley_terry. Unit:
log-odds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import NamedTuple

import numpy as np

from rating.columns import Columns, Floats, Ints, columns_of, enough
from rating.games import Game
from rating.models.base import Batch, ModelError
from rating.models.bradley_terry import ends_of, errors_of, most_probable, positive, slope, wins_of
from rating.models.fitting import sigmoid
from rating.models.intervals import with_ends
from rating.models.sparse import few_enough
from rating.standings import Standings

FOLDS = 5


class Matchups(NamedTuple):
    """Strengths s (n,) and matchups A (n, n) with A = -A', in log-odds; `names` by number."""

    names: tuple[str, ...]
    strengths: Floats
    matchups: Floats

    @property
    def log_odds(self) -> Floats:
        """Log-odds of i above j, (n, n)."""
        s = self.strengths
        return np.asarray(s[:, None] - s[None, :] + self.matchups)

    @property
    def probabilities(self) -> Floats:
        """P(i above j), (n, n), which the heat map shows."""
        return sigmoid(self.log_odds)


def shrink(a: Floats, price: float, dimensions: int) -> Floats:
    """The antisymmetric matrix A (n, n) with singular values lowered by `price`, in at most
    `dimensions` pairs: the proximal step of the price."""
    # i A is Hermitian; its eigenvalues are +-A's singular values.
    eigenvalues, vectors = np.linalg.eigh(1j * a)
    singular = np.abs(eigenvalues)
    limit = 0.0
    if 2 * dimensions < len(singular):
        limit = np.sort(singular)[::-1][2 * dimensions]
    lowered = np.where(singular > limit, np.maximum(singular - price, 0), 0.0)
    result = (vectors * (lowered * np.sign(eigenvalues))) @ vectors.conj().T
    imaginary = np.asarray(np.imag(result))
    return np.asarray((imaginary - imaginary.T) / 2)


class Smooth(NamedTuple):
    """The negative log posterior without the price, and its gradients by s (n,) and by A (n, n).
    A's gradient counts each pair once: a[i, j] + e with a[j, i] - e adds by_matchups[i, j] e."""

    value: float
    by_strengths: Floats
    by_matchups: Floats


def smooth(wins: Floats, alpha: float, s: Floats, a: Floats) -> Smooth:
    value, gradient, _ = slope(wins, alpha, s, a)
    chances = sigmoid(s[:, None] - s[None, :] + a)
    return Smooth(value, gradient, (wins + wins.T) * chances - wins)


def chance(wins: Floats) -> float:
    """The largest singular value that A's gradient is likely to have where chance alone decides. It
    is that of an antisymmetric matrix of coin tosses, one for each game of two players."""
    meetings = (wins + wins.T).sum(axis=1)
    return float(np.sqrt(meetings.max()))


def fit_matchups(
    columns: Columns, alpha: float, penalty: float, dimensions: int, steps: int = 2000
) -> Matchups:
    """Strengths and matchups by accelerated proximal gradient (Beck and Teboulle's FISTA); each
    step solves for the strengths again. `a` is their x_k, `extrapolated` y_k, `momentum` t_k."""
    wins = wins_of(columns)
    n = len(wins)
    price = penalty * chance(wins)
    rate = 4 / max(float((wins + wins.T).max()), 1.0)
    a = np.zeros((n, n))
    extrapolated = a
    s = np.zeros(n)
    momentum = 1.0
    for _ in range(steps):
        s = most_probable(wins, alpha, s, extrapolated)
        gradient = smooth(wins, alpha, s, extrapolated).by_matchups
        new = shrink(extrapolated - rate * gradient, rate * price, dimensions)
        change = new - a
        went_too_far = float(np.sum((extrapolated - new) * change)) > 0
        if went_too_far:  # restart the acceleration
            momentum = 1.0
        next_momentum = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        extrapolated = new + (momentum - 1) / next_momentum * change
        a = new
        momentum = next_momentum
        if float(np.abs(change).max(initial=0.0)) < 1e-10:
            break
    return Matchups(columns.names, most_probable(wins, alpha, s, a), a)


def loss(fitted: Matchups, columns: Columns) -> float:
    """Log loss in nats of who finished above whom, over all pairs of the games."""
    return float(np.sum(wins_of(columns) * np.logaddexp(0, -fitted.log_odds)))


@dataclass(frozen=True)
class BladeChest(Batch):
    """Strengths and matchups. `alpha`: precision of the strengths' prior; `penalty`: price by
    `chance`. `dimensions`: the largest number of pairs of singular values."""

    name = "blade_chest"
    has_matchups = True
    decimals = 2
    zero_sum = True

    alpha: float = 10.0
    penalty: float = 1.0
    dimensions: int = 2

    def __post_init__(self) -> None:
        positive(self.name, "alpha", self.alpha)
        positive(self.name, "penalty", self.penalty)
        if not 1 <= self.dimensions <= 10:
            raise ModelError(f"{self.name}: dimensions must be 1 to 10, not {self.dimensions}")

    def matchups_of(self, columns: Columns) -> Matchups:
        """Strengths and matchups of the games in columns. Raises ModelError for too many
        players."""
        few_enough(self.name, len(columns.names))
        return fit_matchups(columns, self.alpha, self.penalty, self.dimensions)

    def matchups(self, games: Sequence[Game]) -> Matchups:
        """Who is strong against whom: names, strengths, matchups and probabilities."""
        return self.matchups_of(columns_of(enough(games)))

    def values(self, columns: Columns) -> Floats:
        return self.matchups_of(columns).strengths

    def fit_columns(self, columns: Columns) -> Standings:
        """Strengths; their errors and intervals take the matchups as known."""
        fitted = self.matchups_of(columns)
        wins = wins_of(columns, weigh=True)
        errors = errors_of(wins, self.alpha, fitted.log_odds)
        ends = partial(ends_of, wins, fitted.matchups)
        return with_ends(columns, fitted.strengths, errors, ends)

    def forecast(self, columns: Columns, tables: Ints) -> Floats:
        """A seat's mean log-odds against the others of its own table, (M, K)."""
        log_odds = self.matchups_of(columns).log_odds
        of_tables = log_odds[tables[:, :, None], tables[:, None, :]]  # (M, K, K)
        _, seats = tables.shape
        return np.asarray(of_tables.sum(axis=2) / (seats - 1))

    def worth_showing(self, games: Sequence[Game]) -> bool:
        """Whether matchups predict days left out better than strengths alone, over at most FOLDS
        folds. Without any date each game counts as a day."""
        if not any(game.day for game in games):
            numbered = enumerate(games, 1)
            games = [replace(game, day=date.fromordinal(n)) for n, game in numbered]
        columns = columns_of(enough(games))
        days = columns.days()
        if len(days) < 2:
            return False
        gain = 0.0
        for fold in range(min(FOLDS, len(days))):
            training = columns.where_days(days[fold::FOLDS], inside=False)
            left_out = columns.where_days(days[fold::FOLDS])
            fitted = self.matchups_of(training)
            strengths_only = fitted._replace(
                strengths=most_probable(wins_of(training), self.alpha, fitted.strengths),
                matchups=np.zeros_like(fitted.matchups),
            )
            gain += loss(strengths_only, left_out) - loss(fitted, left_out)
        return gain > 1e-9
