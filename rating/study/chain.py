"""The skills of a table after a game by TrueSkill's messages, without an object for each message.

`Chain` sends the messages that the package `trueskill` sends through its graph, in the same order,
and stops by the same rule, so its ratings equal the package's up to rounding. It takes a tenth of
the time. A message or a belief is a normal density.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple


class Normal(NamedTuple):
    """A normal density: its precision, and its shift (precision times mean)."""

    precision: float
    shift: float

    def times(self, other: Normal) -> Normal:
        return Normal(self.precision + other.precision, self.shift + other.shift)

    def over(self, other: Normal) -> Normal:
        return Normal(self.precision - other.precision, self.shift - other.shift)

    def widened(self, variance: float) -> Normal:
        """The density of the variable plus noise of this variance."""
        share = 1 / (1 + variance * self.precision)
        return Normal(share * self.precision, share * self.shift)


class Skill(NamedTuple):
    mean: float
    deviation: float


FLAT = Normal(0.0, 0.0)
ROUNDS = 10  # the package's own limit
SMALL = 1e-4  # and its rule: stop after a round that moved no difference by more


class Chain:
    """The performances of a table, best placing first, and the differences of neighbours, all above
    0. Link i is the difference of the performances i (upper) and i + 1 (lower)."""

    def __init__(self, performances: Sequence[Normal], margin: float, env: Any) -> None:
        links = len(performances) - 1
        self.env = env
        self.margin = margin
        self.performances = list(performances)
        # messages: from a difference to its two players, and from the result to a difference
        self.to_upper = [FLAT] * links
        self.to_lower = [FLAT] * links
        self.from_result = [FLAT] * links

    def update_difference(self, link: int) -> float:
        """Update the message of a result, and return how far it moved the difference."""
        upper = self.performances[link].over(self.to_upper[link])
        lower = self.performances[link + 1].over(self.to_lower[link])
        precision = 1 / (1 / upper.precision + 1 / lower.precision)
        shift = precision * (upper.shift / upper.precision - lower.shift / lower.precision)
        difference = Normal(precision, shift)
        before = difference.times(self.from_result[link])
        root = sqrt(precision)
        v, w = _corrections(self.env, shift / root - self.margin * root)
        after = Normal(
            precision=precision / (1 - w),
            shift=(shift + root * v) / (1 - w),
        )
        self.from_result[link] = after.over(difference)
        moved = after.over(before)
        return max(abs(moved.shift), sqrt(abs(moved.precision)))

    def update_lower(self, link: int) -> None:
        upper = self.performances[link].over(self.to_upper[link])
        message = _difference_message(upper, self.from_result[link], sign=-1)
        self._update(link + 1, self.to_lower[link], message)
        self.to_lower[link] = message

    def update_upper(self, link: int) -> None:
        lower = self.performances[link + 1].over(self.to_lower[link])
        message = _difference_message(lower, self.from_result[link], sign=1)
        self._update(link, self.to_upper[link], message)
        self.to_upper[link] = message

    def _update(self, player: int, old: Normal, new: Normal) -> None:
        """Replace a message to a player's performance."""
        self.performances[player] = self.performances[player].over(old).times(new)

    def settle(self) -> None:
        """Send messages down and up the chain until they hardly move."""
        last = len(self.from_result) - 1
        for _ in range(ROUNDS):
            moved = 0.0
            for link in range(last):
                moved = max(moved, self.update_difference(link))
                self.update_lower(link)
            for link in range(last, 0, -1):
                moved = max(moved, self.update_difference(link))
                self.update_upper(link)
            if moved <= SMALL:
                break
        self.update_upper(0)
        self.update_lower(last)


def _difference_message(opponent: Normal, result: Normal, sign: int) -> Normal:
    """A difference's message to one player: the opponent's performance plus or minus the
    difference that the result supports."""
    precision = 1 / (1 / opponent.precision + 1 / result.precision)
    mean = opponent.shift / opponent.precision + sign * result.shift / result.precision
    return Normal(precision, precision * mean)


def rate(env: Any, margin: float, before: Sequence[Skill]) -> list[Skill]:
    """The skills of three players or more after a game, from those before it, both best placing
    first. `env`: a `trueskill.TrueSkill` whose draw_probability is 0; `margin`: its draw margin, 0
    but for rounding. Raises FloatingPointError where the winner was so much weaker that the numbers
    fail, as the package does."""
    noise = float(env.beta) ** 2
    priors = []
    for mean, deviation in before:
        precision = sqrt(deviation**2 + env.tau**2) ** -2
        priors.append(Normal(precision, precision * mean))
    performances = [prior.widened(noise) for prior in priors]
    chain = Chain(performances, margin, env)
    chain.settle()
    after = []
    for prior, start, end in zip(priors, performances, chain.performances, strict=True):
        precision, shift = prior.times(end.over(start).widened(noise))
        after.append(Skill(shift / precision, sqrt(1 / precision)))
    return after


class _Corrections(NamedTuple):
    """v and w of TrueSkill: by how much a result moves a difference, and reduces its variance."""

    v: float
    w: float


def _corrections(env: Any, x: float) -> _Corrections:
    """The corrections of a difference whose mean is x standard deviations above the margin."""
    probability = env.cdf(x)
    v = env.pdf(x) / probability if probability else -x
    w = v * (v + x)
    if not 0 < w < 1:
        raise FloatingPointError("trueskill: the winner was too weak for the numbers' precision")
    return _Corrections(v, w)
