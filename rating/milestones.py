"""Milestones of a day: a round number of games, the season's highest rating, its best score."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from rating.games import Game
from rating.standings import PROVISIONAL_GAMES, Line

ROUND = 100  # games after which there is a milestone
BEST_SCORE_GAMES = 30  # games of a season before its best score is a milestone


@dataclass(frozen=True, slots=True)
class Milestone:
    """`kind`: games (a round number of them), peak (the player's highest rating of the season) or
    best (the season's best score)."""

    player: str
    kind: str
    value: float


def games_milestones(
    before: Mapping[str, int],
    after: Mapping[str, int],
) -> list[Milestone]:
    """The players who reached a round number of games between two counts of games by player; the
    most games first."""
    milestones = []
    for player, count in sorted(after.items()):
        hundreds = count // ROUND
        if hundreds > before.get(player, 0) // ROUND:
            milestones.append(Milestone(player, "games", hundreds * ROUND))
    return sorted(milestones, key=attrgetter("value"), reverse=True)


def peak_milestone(player: str, line: Line, numbers: Collection[int]) -> Milestone | None:
    """The season's highest rating, where it came after one of the games with these numbers and is
    no longer provisional."""
    if not numbers:
        return None
    first = min(numbers)
    values = list(zip(line.games, line.values, strict=True))
    new_values = [value for number, value in values if number in numbers]
    earlier_values = [value for number, value in values if number < first]
    if not new_values or len(earlier_values) + len(new_values) < PROVISIONAL_GAMES:
        return None
    best = max(new_values)
    if best <= max([line.start, *earlier_values]):
        return None
    return Milestone(player, "peak", best)


def best_milestone(earlier: Sequence[Game], player: str, score: float) -> Milestone | None:
    """The season's best score so far, where `earlier`, the games before the day's, are at least
    BEST_SCORE_GAMES."""
    if len(earlier) < BEST_SCORE_GAMES:
        return None
    best = max(game.seats[0].score for game in earlier)
    if score <= best:
        return None
    return Milestone(player, "best", score)
