"""Rating systems of other packages, for comparison only: openskill and trueskill, where they are installed.

openskill: R. Weng and C.-J. Lin, JMLR 12 (2011), https://jmlr.org/papers/v12/weng11a.html. trueskill: R. Herbrich,
T. Minka and T. Graepel, TrueSkill, NIPS 2006.
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

    Every seat is a team of one. A state is (trueskill's rating, games).
    """

    name: ClassVar[str] = "trueskill"
    peer: Any = field(default_factory=lambda: import_module("trueskill").TrueSkill(draw_probability=0.0))

    def initial(self, player: str) -> Any:
        return self.peer.create_rating(), 0

    def play(self, game: Game, before: Sequence[Any]) -> list[Any]:
        after = self.peer.rate([(rating,) for rating, _ in before])
        return [(team[0], games + 1) for team, (_, games) in zip(after, before, strict=True)]

    def rating(self, state: Any) -> Rating:
        rating, games = state
        return Rating(float(rating.mu), games, float(rating.sigma))


def installed() -> dict[str, Sequential[Any]]:
    """The peers whose packages are installed, by name."""
    peers: tuple[type[OpenSkill] | type[TrueSkill], ...] = (OpenSkill, TrueSkill)
    return {peer.name: peer() for peer in peers if find_spec(peer.name)}
