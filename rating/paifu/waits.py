"""The waits of a tenpai hand, and the shapes they come from.

`mahjong` tells whether a hand is complete, not by which shape a tile completes it; deal-in tables need the shape, for every
riichi of every record. So this takes hands apart itself: only kinds near the hand are tried, about 0.2 ms a hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rating.paifu.tiles import KINDS, TERMINALS_AND_HONOURS

TANKI, SHANPON, PENCHAN, KANCHAN, RYANMEN = "tanki", "shanpon", "penchan", "kanchan", "ryanmen"
SHAPES = (TANKI, SHANPON, KANCHAN, PENCHAN, RYANMEN)  # a wait of several shapes counts as the last of them

# A group of a complete hand: (first kind, size or shape): a pair 2, a triplet 3, a run 0.
PAIR, TRIPLET, RUN = 2, 3, 0
Group = tuple[int, int]


def waits(held: Sequence[int]) -> dict[int, str]:
    """Kind -> shape of each tile that completes the concealed tiles (34 counts, 13 tiles less 3 a call); {} if none.

    Seven pairs and thirteen orphans wait as tanki. A kind all four of which are held is no wait.
    """
    found: dict[int, str] = {}
    counts = list(held)
    for kind in range(KINDS):
        if counts[kind] < 4 and _near(counts, kind):
            counts[kind] += 1
            shapes = {shape for groups in _complete(counts) for shape in _shapes(groups, kind)}
            if _seven_pairs(counts) or _orphans(counts):
                shapes.add(TANKI)
            counts[kind] -= 1
            if shapes:
                found[kind] = max(shapes, key=SHAPES.index)
    return found


def main_shape(found: dict[int, str]) -> str:
    """The shape a hand's wait is known by: the best among its tiles; "" where there is none."""
    return max(found.values(), key=SHAPES.index, default="")


def is_complete(held: Sequence[int]) -> bool:
    """Whether the concealed tiles (34 counts, 14 less 3 a call) are four groups and a pair, seven pairs or the orphans."""
    counts = list(held)
    return next(_complete(counts), None) is not None or _seven_pairs(counts) or _orphans(counts)


def _near(counts: Sequence[int], kind: int) -> bool:
    """Whether the kind touches the hand at all (or is an orphan that is wanted)."""
    if counts[kind] or (kind in TERMINALS_AND_HONOURS and _many_orphans(counts)):
        return True
    low = kind - kind % 9
    return kind < 27 and any(counts[max(low, kind - 2) : min(low + 9, kind + 3)])


def _many_orphans(counts: Sequence[int]) -> bool:
    return len([kind for kind in TERMINALS_AND_HONOURS if counts[kind]]) >= 12


def _complete(counts: list[int]) -> Iterator[list[Group]]:
    """Every way to take the tiles apart into one pair and groups of three.

    The pair lies where the tiles of one suit (or the honours) are two more than a multiple of three.
    """
    left = [sum(counts[start : start + 9]) % 3 for start in (0, 9, 18, 27)]
    if sorted(left) != [0, 0, 0, 2]:
        return
    start = left.index(2) * 9
    for pair in range(start, min(start + 9, KINDS)):
        if counts[pair] >= 2:
            counts[pair] -= 2
            for groups in _threes(counts, 0):
                yield [(pair, PAIR), *groups]
            counts[pair] += 2


def _threes(counts: list[int], start: int) -> Iterator[list[Group]]:
    kind = next((kind for kind in range(start, KINDS) if counts[kind]), -1)
    if kind < 0:
        yield []
        return
    if counts[kind] >= 3:
        counts[kind] -= 3
        for groups in _threes(counts, kind):
            yield [(kind, TRIPLET), *groups]
        counts[kind] += 3
    if kind < 27 and kind % 9 <= 6 and counts[kind + 1] and counts[kind + 2]:
        for step in range(3):
            counts[kind + step] -= 1
        for groups in _threes(counts, kind):
            yield [(kind, RUN), *groups]
        for step in range(3):
            counts[kind + step] += 1


def _shapes(groups: Sequence[Group], kind: int) -> Iterator[str]:
    """The shape of the wait in each group the winning kind may have completed."""
    for first, form in groups:
        if form == RUN and first <= kind <= first + 2:
            if kind == first + 1:
                yield KANCHAN
            else:
                edge = (kind == first and first % 9 == 6) or (kind == first + 2 and first % 9 == 0)
                yield PENCHAN if edge else RYANMEN
        elif first == kind and form != RUN:
            yield TANKI if form == PAIR else SHANPON


def _seven_pairs(counts: Sequence[int]) -> bool:
    return sum(count == 2 for count in counts) == 7


def _orphans(counts: Sequence[int]) -> bool:
    return sum(counts) == 14 and all(
        (count > 0) == (kind in TERMINALS_AND_HONOURS) for kind, count in enumerate(counts)
    )
