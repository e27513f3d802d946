"""Rating systems of other packages, for comparison only: openskill and trueskill, where they are
installed.

openskill: R. Weng and C.-J. Lin, JMLR 12 (2011), https://jmlr.org/papers/v12/weng11a.html.
trueskill: R. Herbrich, T. Minka and T. Graepel, TrueSkill, NIPS 2006. `chain` computes its ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, NamedTuple

from rating.games import Game
from rating.models.base import Sequential
from rating.standings import Rating
from rating.study.chain import Skill, rate


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
