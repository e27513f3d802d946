"""What was counted on Tenhou's records, to compare a league's with.

With three seats 1,500 games of its top table of January 2026 (names A, B, C: the same player can't be told
in two games), with four 54 public ones, mostly of the highest room.
`python -m tests.tools.bench.reference PATH` prints these figures for the records of a zip or folder, and how
they fare on the half of them that they were not taken from.
"""

from __future__ import annotations

from bisect import bisect_right

GRADE_BOUNDS = {3: (0.023, 0.040, 0.064, 0.094), 4: (0.032, 0.054, 0.082, 0.113)}
"""The mean loss a discard of one game up to which 10, 30, 60 and 85 % of seats stand, by number of seats."""
GRADE_SEATS = {3: 4500, 4: 216}
MEAN_LOSS = {3: 0.061, 4: 0.077}
REPEATS = {3: 0.09, 4: 0.17}
"""The share of a game's variance that is the player's own. Three seats: from the covariance of a seat's odd
and even rounds (error 0.03); four: the correlation of one player's games."""

GAMES_OF_THREE = 1500
DEAL_IN_PERCENT = {
    "z fresh": 9.97, "z 1 seen": 3.4, "z 2 seen": 0.45, "z 3 seen": 0.0, "19": 12.85, "19 suji": 4.93,
    "28": 14.05, "28 suji": 4.17, "37": 16.14, "37 suji": 6.12, "456": 20.49, "456 one suji": 12.39,
    "456 both": 2.8,
}  # fmt: skip
"""Three seats: deal-ins for each discard into a riichi that is not safe, in per cent, at a mean turn: 2,335
on 28,070 discards, each class 1,150 to 4,482."""
TURNS = (7, 10, 13, 16)
TURN_FACTORS = {3: (0.61, 0.88, 1.05, 1.39, 1.65), 4: (0.82, 0.73, 0.73, 1.27, 1.92)}
"""How many times as many deal in before the 7th own discard, the 10th, 13th and 16th, and from then on.
Three seats: those 28,070 discards. Four: seen for each that the classes expect, on 15,102 discards (turns 7
to 12: 41 deal-ins of 54 games)."""


def turn_factor(seats: int, turn: int) -> float:
    """What a class's chance to deal in is multiplied by at the own discard `turn` (from 1); 0: unknown."""
    return TURN_FACTORS[seats][bisect_right(TURNS, turn)] if turn else 1.0


def grade_bounds(seats: int, games: float) -> tuple[float, ...]:
    """GRADE_BOUNDS for the mean of many games: its variance is REPEATS + (1 - REPEATS) / games of one's."""
    own, middle = REPEATS[seats], MEAN_LOSS[seats]
    nearer = (own + (1 - own) / max(1.0, games)) ** 0.5
    return tuple(middle + (bound - middle) * nearer for bound in GRADE_BOUNDS[seats])
