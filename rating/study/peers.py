"""Rating systems of other packages, for comparison only: openskill and trueskill, where they are
installed.

openskill: R. Weng and C.-J. Lin, JMLR 12 (2011), https://jmlr.org/papers/v12/weng11a.html.
trueskill: R. Herbrich, T. Minka and T. Graepel, TrueSkill, NIPS 2006.

`Chain` sends the messages that the package `trueskill` sends through its graph, in the same order,
and stops by the same rule, so its ratings equal the package's up to rounding. Without an object for
each message it takes a tenth of the time. A message or a belief is a normal density.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from typing import Any, ClassVar, NamedTuple

from rating.games import Game
from rating.models.base import Sequential
from rating.standings import Rating


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


class OpenSkillState(NamedTuple):
    """openskill's own rating, and the number of games."""

    rating: Any
    games: int


def _open_skill() -> Any:
    return import_module("openskill.models").PlackettLuce()


@dataclass(frozen=True)
class OpenSkill(Sequential[OpenSkillState]):
    """openskill's PlackettLuce with its defaults. Every seat is a team of one."""

    name: ClassVar[str] = "openskill"
    peer: Any = field(default_factory=_open_skill)

    def initial(self, player: str) -> OpenSkillState:
        return OpenSkillState(self.peer.rating(), 0)

    def play(self, game: Game, before: Sequence[OpenSkillState]) -> list[OpenSkillState]:
        after = self.peer.rate([[state.rating] for state in before])
        return [
            OpenSkillState(rating, state.games + 1)
            for [rating], state in zip(after, before, strict=True)
        ]

    def rating(self, state: OpenSkillState) -> Rating:
        return Rating(float(state.rating.mu), state.games, float(state.rating.sigma))


class TrueSkillState(NamedTuple):
    skill: Skill
    games: int


def _true_skill() -> Any:
    return import_module("trueskill").TrueSkill(draw_probability=0.0)


@dataclass(frozen=True)
class TrueSkill(Sequential[TrueSkillState]):
    """trueskill with its defaults but no draws. Every seat is a team of one. The messages between
    the seats are sent by `Chain`."""

    name: ClassVar[str] = "trueskill"
    peer: Any = field(default_factory=_true_skill)

    @cached_property
    def margin(self) -> float:
        return float(import_module("trueskill").calc_draw_margin(0.0, 2, self.peer))

    def initial(self, player: str) -> TrueSkillState:
        skill = Skill(float(self.peer.mu), float(self.peer.sigma))
        return TrueSkillState(skill, 0)

    def play(self, game: Game, before: Sequence[TrueSkillState]) -> list[TrueSkillState]:
        after = rate(self.peer, self.margin, [state.skill for state in before])
        return [
            TrueSkillState(skill, state.games + 1)
            for skill, state in zip(after, before, strict=True)
        ]

    def rating(self, state: TrueSkillState) -> Rating:
        return Rating(state.skill.mean, state.games, state.skill.deviation)


def installed() -> dict[str, Sequential[Any]]:
    """The peers whose packages are installed, by name."""
    peers: tuple[type[OpenSkill] | type[TrueSkill], ...] = (OpenSkill, TrueSkill)
    return {peer.name: peer() for peer in peers if find_spec(peer.name)}


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
