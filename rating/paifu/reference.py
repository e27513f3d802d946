"""What was counted on Tenhou's records, to compare a league's with.

With three seats 1,500 games of its top table of January 2026 (names A, B, C: the same player can't
be told in two games), with four 54 public ones, mostly of the highest room. `python -m
tests.tools.bench.reference PATH` prints these figures for the records of a zip or folder, and how
they fare on records that they were not taken from.
"""

from bisect import bisect_right

GRADE_BOUNDS = {
    3: (
        0.023,
        0.040,
        0.064,
        0.094,
    ),
    4: (0.032, 0.054, 0.082, 0.113),
}
"""The mean loss a discard of one game that 10, 30, 60 and 85 % of seats do not exceed, by number of
seats.
"""
GRADE_SEATS = {3: 4500, 4: 216}
MEAN_LOSS = {3: 0.061, 4: 0.077}
REPEATS = {3: 0.09, 4: 0.17}
"""The share of a game's variance that is the player's own. Three seats: from the covariance of a
seat's odd and even rounds (error 0.03); four: the correlation of one player's games."""

GAMES_OF_THREE = 1500
DEAL_IN_PERCENT = {
    "z fresh": (8.35, 5.96, 8.69, 10.71, 13.94, 17.99),
    "z 1 seen": (3.03, 2.02, 2.95, 3.63, 4.73, 6.1),
    "z 2 seen": (0.46, 0.27, 0.39, 0.48, 0.63, 0.81),
    "z 3 seen": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "19": (12.37, 7.61, 11.09, 13.67, 17.79, 22.96),
    "19 suji": (4.84, 4.07, 4.8, 4.13, 6.05, 5.42),
    "28": (14.17, 8.3, 12.1, 14.93, 19.42, 25.06),
    "28 suji": (4.57, 3.8, 4.48, 3.85, 5.64, 5.06),
    "37": (16.76, 9.52, 13.88, 17.12, 22.28, 28.74),
    "37 suji": (7.01, 5.77, 6.8, 5.86, 8.58, 7.69),
    "456": (20.35, 12.13, 17.68, 21.81, 28.37, 36.61),
    "456 one suji": (13.62, 7.27, 10.6, 13.07, 17.01, 21.95),
    "456 both": (3.38, 2.73, 3.21, 2.77, 4.05, 3.63),
}
"""Three seats: deal-ins for each discard into a riichi that is not safe, in per cent, at any turn,
before the 7th own discard, the 10th, 13th and 16th, and from then on: 2,335 on 29,717 discards,
each class 1,154 to 4,482. By turn a rate a class times a factor a turn, those of tiles that suji
covers apart."""
TURNS = (7, 10, 13, 16)
FACTORS_OF_FOUR = (0.83, 0.85, 1.04, 1.16, 1.69)
"""Four seats: deal-ins seen for each that the classes expect, at the same turns, on 472 games. The
54 games of GRADE_SEATS have too few (turns 7 to 12: 41 deal-ins) to take factors from; on them
these fit better than factors of nine tenths of them do on the last tenth."""
TOP_TABLE = {
    "win": 0.282,
    "mean_win": 8061,
    "tsumo": 0.503,
    "dama": 0.191,
    "win_turn": 10.6,
    "yakuman": 0.0038,
    "deal_in": 0.139,
    "mean_deal_in": 8406,
    "mean_deal_in_to_riichi": 9487,
    "mean_deal_in_to_open": 7038,
    "mean_deal_in_to_dama": 8684,
    "deal_in_in_riichi": 0.288,
    "deal_in_with_calls": 0.236,
    "dealer_tsumo_loss": 0.195,
    "mean_dealer_tsumo_loss": 5802,
    "bust": 0.073,
    "riichi": 0.255,
    "riichi_win": 0.527,
    "riichi_deal_in": 0.157,
    "riichi_draw": 0.125,
    "riichi_turn": 8.0,
    "first_riichi": 0.806,
    "chasing_riichi": 0.194,
    "chased_riichi": 0.194,
    "ippatsu": 0.202,
    "ura": 0.398,
    "good_wait": 0.515,
    "many_kinds": 0.767,
    "riichi_tiles": 5.6,
    "furiten_riichi": 0.0075,
    "riichi_balance": 2719,
    "call": 0.232,
    "call_win": 0.407,
    "call_deal_in": 0.141,
    "call_draw": 0.112,
    "draw": 0.125,
    "tenpai_at_draw": 0.461,
    "deal_shanten": 3.4,
}
"""Three seats: the means of the figures of play (`PaifuTally.all_figures`) of these games; win,
mean_win and deal_in of 3,838, those of January 2022 with them."""


def turn_factor(seats: int, name: str, turn: int) -> float:
    """What a class's chance to deal in is multiplied by at the own discard `turn` (from 1); 0:
    unknown.
    """
    if not turn:
        return 1.0
    place = bisect_right(TURNS, turn)
    if seats == 4:
        return FACTORS_OF_FOUR[place]
    usual, *by_turn = DEAL_IN_PERCENT[name]
    return by_turn[place] / usual if usual else 1.0


def grade_bounds(seats: int, games: float) -> tuple[float, ...]:
    """GRADE_BOUNDS for the mean of many games: its variance is REPEATS + (1 - REPEATS) / games of
    one's.
    """
    own = REPEATS[seats]
    middle = MEAN_LOSS[seats]
    nearer = (own + (1 - own) / max(1.0, games)) ** 0.5
    return tuple(middle + (bound - middle) * nearer for bound in GRADE_BOUNDS[seats])
