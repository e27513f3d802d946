"""What was counted on Tenhou's records, to compare a league's with.

With three seats 1,500 games of its top table of January 2026 (names A, B, C: the same player can't be told
in two games), with four 54 public ones, mostly of the highest room.
`python -m tests.tools.bench.reference PATH` prints these figures for the records of a zip or folder, and how
they fare on the half of them that they were not taken from.
"""

from __future__ import annotations

GRADE_BOUNDS = {3: (0.023, 0.040, 0.064, 0.094), 4: (0.032, 0.054, 0.082, 0.113)}
"""The mean loss a discard of one game up to which 10, 30, 60 and 85 % of seats stand, by number of seats."""
GRADE_SEATS = {3: 4500, 4: 216}
MEAN_LOSS = {3: 0.061, 4: 0.077}
REPEATS = {3: 0.09, 4: 0.17}
"""The share of a game's variance that is the player's own. Three seats: from the covariance of a seat's odd
and even rounds (error 0.03); four: the correlation of one player's games."""


def grade_bounds(seats: int, games: float) -> tuple[float, ...]:
    """GRADE_BOUNDS for the mean of many games: its variance is REPEATS + (1 - REPEATS) / games of one's."""
    own, middle = REPEATS[seats], MEAN_LOSS[seats]
    nearer = (own + (1 - own) / max(1.0, games)) ** 0.5
    return tuple(middle + (bound - middle) * nearer for bound in GRADE_BOUNDS[seats])
