"""Rating by score, for leagues where points matter more than placing.

The change is a games correction times (a scale times the score plus a pull to the table's average).
Scale and pull are 5 f and g / 40. With f = g = 1 and r = +6 +2 -2 -6 as the score they are those of
Tenhou's ranked games (https://tenhou.net/man/#RATING). f and g describe how a league's scores
compare with such games, and `calibrate` measures them. The defaults are those measured for
four-player East games with chips. docs/ratings.md has the formula.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rating.games import LIMIT, Game, GameError
from rating.models.base import Elo, ModelError, Rated, Start, within
from rating.models.tenhou import games_correction

# from a standard deviation of score of 53.642 thousand and k = 11.737
F = 0.08158
G = 0.9575
EXPONENTIAL = "exponential"
LINEAR = "linear"


def exponential_correction(games: int) -> float:
    """c(n) = (1/5)^(n/400) after n games, never below 1/5."""
    return float((1 / 5) ** (games / 400)) if games < 400 else 1 / 5


CORRECTIONS = {EXPONENTIAL: exponential_correction, LINEAR: games_correction}


@dataclass(frozen=True)
class Jansou(Elo):
    """Rating by score. `f`, `g`: as calibrate reports them. `chip`: thousands of points a chip is
    worth, and `season_chip` the same by a season's log where it differs. `correction`: how c(n)
    falls over the first 400 games, "exponential" or "linear"."""

    name = "jansou"

    correction: str = EXPONENTIAL
    f: float = F
    g: float = G
    chip: float = 0.0
    season_chip: Mapping[str, float] = field(default_factory=dict)
    starts: Start = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.correction not in CORRECTIONS:
            names = ", ".join(CORRECTIONS)
            raise ModelError(f"{self.name}: correction is one of {names}, not {self.correction}")
        for option in ("f", "g"):
            within(self.name, option, getattr(self, option), 0, 1e6)
        for chip in (self.chip, *self.season_chip.values()):
            within(self.name, "chip", chip, -LIMIT, LIMIT)

    def play(self, game: Game, before: Sequence[Rated]) -> list[Rated]:
        average = sum(state.rating for state in before) / len(before)
        correct = CORRECTIONS[self.correction]
        chip = self.season_chip.get(game.source, self.chip)
        after = []
        for seat, (rating, games) in zip(game.seats, before, strict=True):
            score = seat.score + chip * (seat.chips or 0)
            pull = (average - rating) * (self.g / 40)
            change = correct(games) * (5 * self.f * score + pull)
            if not abs(rating + change) < 1e9:
                reason = f"the rating of {seat.player} runs away (f, g or a score is too large)"
                raise GameError(f"{game.where}: {reason}")
            after.append(Rated(rating + change, games + 1))
        return after
