"""Rating systems of other packages, for comparison only: openskill and trueskill, where they are installed.

openskill: R. Weng and C.-J. Lin, JMLR 12 (2011), https://jmlr.org/papers/v12/weng11a.html. trueskill: R.
Herbrich, T. Minka and T. Graepel, TrueSkill, NIPS 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from rating.games import Game
from rating.models.base import Sequential
from rating.standings import Rating
from rating.trueskill_chain import rate


@dataclass(frozen=True)
class OpenSkill(Sequential[Any]):
    """openskill's PlackettLuce with its defaults.

    Every seat is a team of one. A state is (openskill's rating, games).
    """

    name: ClassVar[str] = "openskill"
    peer: Any = field(default_factory=lambda: import_module("openskill.models").PlackettLuce())

    def initial(self, player: str) -> Any:
        return self.peer.rating(), 0

    def play(self, game: Game, before: Sequence[Any]) -> list[Any]:
        after = self.peer.rate([[rating] for rating, _ in before])
        return [(team[0], games + 1) for team, (_, games) in zip(after, before, strict=True)]

    def rating(self, state: Any) -> Rating:
        rating, games = state
        return Rating(float(rating.mu), games, float(rating.sigma))


@dataclass(frozen=True)
class TrueSkill(Sequential[Any]):
    """trueskill with its defaults but no draws.

    Every seat is a team of one. A state is (mean, standard deviation, games). The messages between the seats
    are sent by rating.trueskill_chain.
    """

    name: ClassVar[str] = "trueskill"
    peer: Any = field(default_factory=lambda: import_module("trueskill").TrueSkill(draw_probability=0.0))
    margin: float = field(init=False)

    def __post_init__(self) -> None:
        margin = import_module("trueskill").calc_draw_margin(0.0, 2, self.peer)
        object.__setattr__(self, "margin", float(margin))

    def initial(self, player: str) -> Any:
        return float(self.peer.mu), float(self.peer.sigma), 0

    def play(self, game: Game, before: Sequence[Any]) -> list[Any]:
        after = rate(self.peer, self.margin, [(mean, deviation) for mean, deviation, _ in before])
        return [(*skill, games + 1) for skill, (_, _, games) in zip(after, before, strict=True)]

    def rating(self, state: Any) -> Rating:
        mean, deviation, games = state
        return Rating(mean, games, deviation)


def installed() -> dict[str, Sequential[Any]]:
    """The peers whose packages are installed, by name."""
    peers: tuple[type[OpenSkill] | type[TrueSkill], ...] = (OpenSkill, TrueSkill)
    return {peer.name: peer() for peer in peers if find_spec(peer.name)}
