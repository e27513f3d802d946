"""Reviews the discards of a three-player record: what share of the top table would have discarded
what.

A share is the network's probability. It measures how usual a discard is among strong players, not
how good it is; docs/claims.md has what may be said of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rating.paifu.record import Record
from rating.paifu.tiles import KINDS
from rating.paifu.top_table import network
from rating.paifu.top_table.features import KINDS_OF_THREE, features
from rating.paifu.top_table.sights import SEATS, Decision, decisions, stacked

UNUSUAL = 0.05
"""A discard of a smaller share is unusual."""
SAME_AT_TOP_TABLE = 0.75
"""The share of discards of the top table itself that are its favourite, on games that the network
was not trained on: docs/paifu.md."""
DIVIDED = 0.5
"""Where no discard has this share, the top table is divided."""
LEAST_OPTION = 0.005
"""Options of a smaller share are left out of JSON."""


class TopTableChoice(NamedTuple):
    """A discard before the own riichi, or the one that declares it, and what the top table does.

    `round` is an index into the rounds of the record, `turn` the number of the own discard from 1,
    `at` that of the round's events before it. `hand` are the concealed tiles (0-135), ascending,
    `tile` the one discarded. `away`: the player was away, so that it was no choice. `shares` (34)
    sum up to 1."""

    round: int
    seat: int
    turn: int
    at: int
    hand: tuple[int, ...]
    tile: int
    away: bool
    shares: tuple[float, ...]

    @property
    def kind(self) -> int:
        """The kind discarded."""
        return self.tile // 4

    @property
    def share(self) -> float:
        """The share of the top table that would have discarded the same kind."""
        return self.shares[self.kind]

    @property
    def favourite(self) -> int:
        """The kind that most of the top table would have discarded."""
        return self.shares.index(max(self.shares))

    @property
    def is_unusual(self) -> bool:
        return self.share < UNUSUAL

    @property
    def is_divided(self) -> bool:
        """Whether no discard is that of half of the top table."""
        return max(self.shares) < DIVIDED

    @property
    def expected_unusual(self) -> float:
        """The probability that a player of the top table would have made an unusual discard."""
        return sum(share for share in self.shares if share < UNUSUAL)

    def options(self) -> list[tuple[int, float]]:
        """The kinds of LEAST_OPTION and more with their shares, the largest first."""
        shares = [(kind, share) for kind, share in enumerate(self.shares) if share >= LEAST_OPTION]
        return sorted(shares, key=_largest_first)


def _largest_first(option: tuple[int, float]) -> tuple[float, int]:
    kind, share = option
    return -share, kind


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often a player discarded what the top table would have, in one game or, with `+`, many.

    Of `decisions` `same` were the top table's favourite and `unusual` had less than UNUSUAL of it;
    of the top table itself `expected_unusual` would be expected in the same places."""

    decisions: int = 0
    same: int = 0
    unusual: int = 0
    expected_unusual: float = 0.0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.decisions + other.decisions,
            self.same + other.same,
            self.unusual + other.unusual,
            self.expected_unusual + other.expected_unusual,
        )


def choices_of(record: Record) -> tuple[TopTableChoice, ...]:
    """The choices of a record in order of play; none with four seats."""
    if record.seats != SEATS:
        return ()
    made = list(decisions(record))
    if not made:
        return ()
    shares = np.zeros((len(made), KINDS))
    inputs = features(stacked(decision.sight for decision in made))
    shares[:, KINDS_OF_THREE] = network.probabilities(network.load(), inputs)
    return tuple(
        _choice(decision, row) for decision, row in zip(made, shares.tolist(), strict=True)
    )


def _choice(decision: Decision, shares: Sequence[float]) -> TopTableChoice:
    return TopTableChoice(
        round=decision.round,
        seat=decision.seat,
        turn=decision.turn,
        at=decision.at,
        hand=decision.hand,
        tile=decision.tile,
        away=decision.away,
        shares=tuple(shares),
    )


def agreements(choices: Iterable[TopTableChoice], seats: int = SEATS) -> tuple[Agreement, ...]:
    """The agreement of each seat, in seat order, without discards of absent players."""
    result = [Agreement()] * seats
    for choice in choices:
        if not choice.away:
            result[choice.seat] += Agreement(
                decisions=1,
                same=int(choice.kind == choice.favourite),
                unusual=int(choice.is_unusual),
                expected_unusual=choice.expected_unusual,
            )
    return tuple(result)


def rarest(choices: Iterable[TopTableChoice], count: int = 3) -> tuple[TopTableChoice, ...]:
    """The unusual choices with the smallest shares, the smallest first."""
    unusual = [choice for choice in choices if choice.is_unusual and not choice.away]
    return tuple(sorted(unusual, key=_share)[:count])


def _share(choice: TopTableChoice) -> float:
    return choice.share


def report(record: Record) -> list[dict[str, Any]] | None:
    """The choices of a record for JSON, in order of play; None (null) with four seats."""
    if record.seats != SEATS:
        return None
    return [_choice_row(choice, record.players[choice.seat]) for choice in choices_of(record)]


def _choice_row(choice: TopTableChoice, player: str) -> dict[str, Any]:
    return {
        "round": choice.round,
        "seat": choice.seat,
        "player": player,
        "turn": choice.turn,
        "hand": [tile // 4 for tile in choice.hand],
        "taken": choice.kind,
        "p": choice.share,
        "options": [list(option) for option in choice.options()],
    }
