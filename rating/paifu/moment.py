"""A moment (名場面) of a game, and the rule that finds one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rating.paifu.story import Story


class Found(NamedTuple):
    """What a rule found in a round: whose it is, in a player's words, and the kinds (0-33) it speaks of.

    `words` have {} where the name of the seat `other` stands.
    """

    seat: int
    words: str
    kinds: tuple[int, ...] = ()
    other: int | None = None


class MomentRule(NamedTuple):
    """A rule. `grade` tells how rare its moments are: 1 in more than one of three games, 2 in more than one
    of six, 3 of twelve, 4 of thirty, 5 rarer still.

    `find` yields what it finds in a round; every one is confirmed by facts of the record alone.
    """

    name: str
    grade: int
    find: Callable[[Story], Iterator[Found]]


class Moment(NamedTuple):
    """A moment of a game. `rule` is the rule's name, `round` an index into the rounds; `words` are Japanese,
    without a name before.

    `said` are the words with {} where the name of the seat `other` stands, so that it can be told by another
    name.
    """

    rule: str
    grade: int
    round: int
    seat: int
    words: str
    kinds: tuple[int, ...]
    said: str = ""
    other: int | None = None
