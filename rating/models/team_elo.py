"""Elo for team matches (2 vs 2), as the DOL league plays them.

The winners' change d comes from the two sides' sums of ratings (d = 16 between equals). A winner
also gets an average bonus, larger for the weaker player, and the same bonus again for every earlier
win in a row. Losers lose d, and no rating falls below 0. A session has three games, in each of
which the seats pair differently.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rating.models.base import ModelError, Sequential, Start
from rating.standings import Rating
from rating.teamlog import TeamGame, check

NATURAL = "natural"
SHEET = "sheet"
Results = tuple[bool | None, bool | None, bool | None]
UNPLAYED: Results = (None, None, None)


class TeamEloState(NamedTuple):
    """Rating, games and wins in a row of a player, and the session being played. `session`: its
    number; `base`: the wins in a row before it; `results`: the player's own results in it."""

    rating: float
    games: int
    streak: int = 0
    session: int = -1
    base: int = 0
    results: Results = UNPLAYED


def variation(winners: float, losers: float) -> float:
    """d, from the two sides' sums of ratings: (64 / (10^((R_win - R_lose) / 800) + 1)) / 2."""
    return 64 / (_power((winners - losers) / 800) + 1) / 2


def average_bonus(rating: float, average: float) -> float:
    """B, from a winner's rating R and the table's average A before the game. B = (32 / (10^((3 R -
    3 A) / 800) + 1)) / ((R + 2000) / 1000)."""
    power = _power((3 * rating - 3 * average) / 800)
    return 32 / (power + 1) / ((rating + 2000) / 1000)


def _power(exponent: float) -> float:
    return float(10 ** min(exponent, 300))  # beyond 300 the quotient is 0 in any case


def streak_bonus(streak: int, bonus: float) -> float:
    """S = (s - 1) B, where s counts the wins in a row with this one; 0 where s is 0."""
    return (streak - 1) * bonus if streak > 0 else 0.0


def natural_streak(base: int, results: Results) -> int:
    """Wins in a row after a session's games; `base` counts those before it.

    A loss sets them to 0.
    """
    streak = base
    for won in results:
        if won is not None:
            streak = streak + 1 if won else 0
    return streak


def sheet_streak(base: int, results: Results) -> int:
    """Wins in a row by the formula of the league's spreadsheet. A finished session counts its wins
    since the last loss, and three wins as none. An unfinished one adds its wins to those before it,
    even after a loss."""
    if None in results:
        return base + results.count(True)
    if all(results):
        return 0
    return natural_streak(0, results)


STREAKS = {NATURAL: natural_streak, SHEET: sheet_streak}


@dataclass(frozen=True)
class TeamElo(Sequential[TeamEloState]):
    """Elo of partners. `streaks`: "natural", or "sheet" for the count of the league's
    spreadsheet."""

    name = "team_elo"
    baseline = 1500
    plays = "teams"

    streaks: str = NATURAL
    starts: Start = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.streaks not in STREAKS:
            raise ModelError(
                f"{self.name}: streaks is one of {', '.join(STREAKS)}, not {self.streaks}"
            )

    def check(self, game: TeamGame) -> None:
        check(game)

    def initial(self, player: str) -> TeamEloState:
        """The state at the start; a rating below 0 counts as 0, the lowest one."""
        rating, games = self.starts.get(player, (1500.0, 0))
        return TeamEloState(max(float(rating), 0.0), games)

    def play(self, game: TeamGame, before: Sequence[TeamEloState]) -> list[TeamEloState]:
        first = sum(state.rating for state in before[:2])
        second = sum(state.rating for state in before[2:])
        if game.first_won:
            change = variation(first, second)
        else:
            change = variation(second, first)
        average = (first + second) / 4
        after = []
        for index, state in enumerate(before):
            won = (index < 2) == game.first_won
            new = self._in_session(state, game, won)
            gain = -change
            if won:
                bonus = average_bonus(state.rating, average)
                gain = change + bonus + streak_bonus(new.streak, bonus)
            rating = max(state.rating + gain, 0.0)
            after.append(new._replace(rating=rating, games=state.games + 1))
        return after

    def _in_session(self, state: TeamEloState, game: TeamGame, won: bool) -> TeamEloState:
        """The state with the game's result in the session and the streak after it."""
        if state.session != game.session:
            state = state._replace(session=game.session, base=state.streak, results=UNPLAYED)
        changed = list(state.results)
        changed[game.number] = won
        first, second, third = changed
        results = (first, second, third)
        streak = STREAKS[self.streaks](state.base, results)
        return state._replace(streak=streak, results=results)

    def rating(self, state: TeamEloState) -> Rating:
        return Rating(state.rating, state.games)
