"""Moments (名場面) of a game: what friends talk about afterwards, each confirmed by the record's facts.

The grades say how rare a rule's moments are (`python -m tests.tools.bench.wall` counts them).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rating.paifu.moment import Moment
from rating.paifu.moment_play import PLAY_RULES
from rating.paifu.moment_wall import WALL_RULES
from rating.paifu.moment_wins import WIN_RULES
from rating.paifu.record import Record
from rating.paifu.review import Review
from rating.paifu.story import stories
from rating.paifu.wall import RoundWall

RULES = (*WALL_RULES, *WIN_RULES, *PLAY_RULES)
MOST = 5


def moments(
    record: Record, walls: Sequence[RoundWall] | None = None, reviewed: Review | None = None, most: int = MOST
) -> tuple[Moment, ...]:
    """The rarest moments of a record, at most `most`, in order of play.

    `walls` are those of `open_walls`; without them nothing is said of the wall. `reviewed` is the record's
    review where it is there already. No rule is told twice while another has something to tell.
    """
    found = list(all_moments(record, walls, reviewed))
    seen: dict[str, int] = {}
    again = []
    for moment in found:
        again.append(seen.get(moment.rule, 0))
        seen[moment.rule] = again[-1] + 1
    order = sorted(range(len(found)), key=lambda place: (again[place] > 0, -found[place].grade, place))
    return tuple(found[place] for place in sorted(order[:most]))


def all_moments(
    record: Record, walls: Sequence[RoundWall] | None = None, reviewed: Review | None = None
) -> Iterator[Moment]:
    """Yield every moment that a rule finds, in order of play."""
    for story in stories(record, walls, reviewed):
        for rule in RULES:
            for one in rule.find(story):
                words = one.words if one.other is None else one.words.replace("{}", record.players[one.other])
                yield Moment(
                    rule.name,
                    rule.grade,
                    story.round,
                    seat=one.seat,
                    words=words,
                    kinds=one.kinds,
                    said=one.words,
                    other=one.other,
                )
