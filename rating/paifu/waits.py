"""Finds the waits of a tenpai hand and their shapes.

The package `xiangting` tells what a hand waits for, but not which shape the last tile completes. Deal-in
tables need the shape, so this module splits hands into groups itself. It tries only kinds near the hand:
about 0.2 ms a hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rating.paifu.tiles import KINDS, TERMINALS_AND_HONOURS

TANKI, SHANPON, PENCHAN, KANCHAN, RYANMEN = "tanki", "shanpon", "penchan", "kanchan", "ryanmen"
SHAPES = (TANKI, SHANPON, KANCHAN, PENCHAN, RYANMEN)  # a wait of several shapes counts as the last of them

# A group of a complete hand: (its lowest kind, PAIR, TRIPLET or RUN).
PAIR, TRIPLET, RUN = 2, 3, 0
Group = tuple[int, int]


def waits(held: Sequence[int]) -> dict[int, str]:
    """{kind: shape} of the kinds that complete the concealed tiles (34 counts, 13 tiles less 3 a call); {} if
    none.

    The waits of seven pairs and thirteen orphans are tanki. A kind of which all four copies are held is no
    wait.
    """
    found: dict[int, str] = {}
    counts = list(held)
    nearly_orphans = sum(counts[kind] > 0 for kind in TERMINALS_AND_HONOURS) >= 12
    for kind in range(KINDS):
        low = kind - kind % 9
        beside = kind < 27 and any(counts[max(low, kind - 2) : min(low + 9, kind + 3)])
        near = counts[kind] or beside or (nearly_orphans and kind in TERMINALS_AND_HONOURS)
        if counts[kind] < 4 and near:
            counts[kind] += 1
            shapes = {shape for groups in _complete(counts) for shape in _shapes(groups, kind)}
            orphans = {place for place, count in enumerate(counts) if count} == TERMINALS_AND_HONOURS
            if sum(count == 2 for count in counts) == 7 or (orphans and sum(counts) == 14):
                shapes.add(TANKI)
            counts[kind] -= 1
            if shapes:
                found[kind] = max(shapes, key=SHAPES.index)
    return found


def main_shape(found: dict[int, str]) -> str:
    """The shape a hand is counted under: of its waits' shapes the last in SHAPES; "" without a wait."""
    return max(found.values(), key=SHAPES.index, default="")


def _complete(counts: list[int]) -> Iterator[list[Group]]:
    """Yield every split of the tiles into one pair and groups of three.

    The pair is in the suit (or the honours) whose number of tiles is a multiple of three plus two.
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
    """Yield the shape of the wait for each group that the winning kind can have completed."""
    for first, form in groups:
        if form == RUN and first <= kind <= first + 2:
            if kind == first + 1:
                yield KANCHAN
            else:
                edge = (kind == first and first % 9 == 6) or (kind == first + 2 and first % 9 == 0)
                yield PENCHAN if edge else RYANMEN
        elif first == kind and form != RUN:
            yield TANKI if form == PAIR else SHANPON
