"""Rating systems of other packages, for comparison only: openskill and trueskill, where they are
installed.

openskill: R. Weng and C.-J. Lin, JMLR 12 (2011), https://jmlr.org/papers/v12/weng11a.html.
trueskill: R. Herbrich, T. Minka and T. Graepel, TrueSkill, NIPS 2006.

`Chain` sends the messages that the package `trueskill` sends through its graph, in the same order,
and stops by the same rule, so its ratings are the package's own but for rounding. Without an object
for each message it takes a tenth of the time. A message or a belief is a normal density as
(precision, precision times mean).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from typing import Any, ClassVar

from rating.games import Game
from rating.models.base import Sequential
from rating.standings import Rating

Normal = tuple[float, float]  # precision, precision times mean
Skill = tuple[float, float]  # mean, standard deviation
FLAT: Normal = (0.0, 0.0)
ROUNDS = 10  # the package's own limit
SMALL = 1e-4  # and its rule: stop where a round moved no difference by more


@dataclass(frozen=True)
class OpenSkill(Sequential[Any]):
    """openskill's PlackettLuce with its defaults.

    Every seat is a team of one. A state: (rating, games).
    """

    name: ClassVar[str] = "openskill"
    peer: Any = field(default_factory=lambda: import_module("openskill.models").PlackettLuce())

    def initial(self, player: str) -> Any:
        return self.peer.rating(), 0

    def play(self, game: Game, before: Sequence[Any]) -> list[Any]:
        after = self.peer.rate([[rating] for rating, _ in before])
        teams = zip(after, before, strict=True)
        return [(rating, games + 1) for (rating,), (_, games) in teams]

    def rating(self, state: Any) -> Rating:
        rating, games = state
        return Rating(float(rating.mu), games, float(rating.sigma))


@dataclass(frozen=True)
class TrueSkill(Sequential[Any]):
    """trueskill with its defaults but no draws. Every seat is a team of one. A state is (mean,
    standard deviation, games). The messages between the seats are sent by rating.study.peers."""

    name: ClassVar[str] = "trueskill"
    peer: Any = field(
        default_factory=lambda: import_module("trueskill").TrueSkill(draw_probability=0.0)
    )

    @cached_property
    def margin(self) -> float:
        return float(import_module("trueskill").calc_draw_margin(0.0, 2, self.peer))

    def initial(self, player: str) -> Any:
        return float(self.peer.mu), float(self.peer.sigma), 0

    def play(self, game: Game, before: Sequence[Any]) -> list[Any]:
        after = rate(
            self.peer,
            self.margin,
            [(mean, deviation) for mean, deviation, _ in before],
        )
        skills = zip(after, before, strict=True)
        return [(*skill, games + 1) for skill, (_, _, games) in skills]

    def rating(self, state: Any) -> Rating:
        mean, deviation, games = state
        return Rating(mean, games, deviation)


def installed() -> dict[str, Sequential[Any]]:
    """The peers whose packages are installed, by name."""
    peers: tuple[type[OpenSkill] | type[TrueSkill], ...] = (OpenSkill, TrueSkill)
    return {peer.name: peer() for peer in peers if find_spec(peer.name)}


class Chain:
    """The performances of a table, best placing first, and the neighbours' differences, all above
    0.
    """

    def __init__(
        self,
        performances: Sequence[Normal],
        win: Callable[[float, float], tuple[float, float]],
    ) -> None:
        """`win`: the corrections v, w of a difference, by its mean in deviations and its
        precision's root.
        """
        links = len(performances) - 1
        self.win = win
        self.teams = list(performances)
        # from a difference to its two players
        self.to_left = [FLAT] * links
        self.to_right = [FLAT] * links
        self.cut = [FLAT] * links  # to a difference from the result

    def look(self, link: int) -> float:
        left, left_shift = self.teams[link]
        right, right_shift = self.teams[link + 1]
        known, known_shift = self.to_left[link]
        left = left - known
        left_shift = left_shift - known_shift
        known, known_shift = self.to_right[link]
        right = right - known
        right_shift = right_shift - known_shift
        precision = 1 / (1 / left + 1 / right)
        shift = precision * (left_shift / left - right_shift / right)
        before = precision + self.cut[link][0], shift + self.cut[link][1]
        root = sqrt(precision)
        v, w = self.win(shift / root, root)
        after = precision / (1 - w), (shift + root * v) / (1 - w)
        self.cut[link] = after[0] - precision, after[1] - shift
        return max(
            abs(after[1] - before[1]),
            sqrt(abs(after[0] - before[0])),
        )

    def tell(self, link: int, right: bool) -> None:
        """Tell one of the two players, the lower if `right`, what the difference says."""
        if right:
            heard = self.to_left
            said = self.to_right
            sign = -1
            opponent = link
            player = link + 1
        else:
            heard = self.to_right
            said = self.to_left
            sign = 1
            opponent = link + 1
            player = link
        other = _less(self.teams[opponent], heard[link])
        cut = self.cut[link]
        precision = 1 / (1 / other[0] + 1 / cut[0])
        mean = other[1] / other[0] + sign * cut[1] / cut[0]
        message = (precision, precision * mean)
        self.teams[player] = _swap(self.teams[player], said[link], message)
        said[link] = message

    def settle(self) -> None:
        """Send messages down and up the chain until little moves."""
        last = len(self.cut) - 1
        for _ in range(ROUNDS):
            moved = 0.0
            for link in range(last):
                moved = max(moved, self.look(link))
                self.tell(link, right=True)
            for link in range(last, 0, -1):
                moved = max(moved, self.look(link))
                self.tell(link, right=False)
            if moved <= SMALL:
                break
        self.tell(0, right=False)
        self.tell(last, right=True)


def rate(env: Any, margin: float, before: Sequence[Skill]) -> list[Skill]:
    """The skills of three players or more after a game, from those before it, both best placing
    first. `env`: a `trueskill.TrueSkill` whose draw_probability is 0; `margin`: its draw margin, 0
    but for rounding. Raises FloatingPointError where the winner was so much weaker that the numbers
    fail, as the package does."""
    noise = float(env.beta) ** 2
    precisions = [sqrt(deviation**2 + env.tau**2) ** -2 for _, deviation in before]
    priors = [
        (precision, precision * mean)
        for precision, (mean, _) in zip(precisions, before, strict=True)
    ]
    performances = [_spread(prior, noise) for prior in priors]
    chain = Chain(performances, lambda mean, root: _corrections(env, mean - margin * root))
    chain.settle()
    after = []
    for prior, own, now in zip(priors, performances, chain.teams, strict=True):
        message = _spread(_less(now, own), noise)
        precision = prior[0] + message[0]
        shift = prior[1] + message[1]
        after.append((shift / precision, sqrt(1 / precision)))
    return after


def _corrections(env: Any, x: float) -> tuple[float, float]:
    below = env.cdf(x)
    v = env.pdf(x) / below if below else -x
    w = v * (v + x)
    if not 0 < w < 1:
        raise FloatingPointError("trueskill: the winner was too weak for the numbers' precision")
    return v, w


def _spread(x: Normal, variance: float) -> Normal:
    """The density of x plus noise of the given variance."""
    share = 1 / (1 + variance * x[0])
    return share * x[0], share * x[1]


def _less(x: Normal, message: Normal) -> Normal:
    return x[0] - message[0], x[1] - message[1]


def _swap(x: Normal, old: Normal, new: Normal) -> Normal:
    return x[0] - old[0] + new[0], x[1] - old[1] + new[1]
