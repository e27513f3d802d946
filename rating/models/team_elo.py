"""Elo for two against two, as the DOL league plays it.

The winners' change d comes from the two sides' sums of ratings (d = 16 between equals); a winner also gets an
average bonus, larger for the weaker player, and the same again for every win in a row before this one. Losers lose d, and no
rating falls below 0. Sessions have three games, in each of which the seats pair differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from rating.models.base import ModelError, Sequential, Start
from rating.standings import Rating
from rating.teamlog import TeamGame, check

NATURAL, SHEET = "natural", "sheet"
Results = tuple[bool | None, bool | None, bool | None]
UNPLAYED: Results = (None, None, None)


class TeamEloState(NamedTuple):
    """Rating, games, wins in a row; and of the session being played its number, the streak before it, its results."""

    rating: float
    games: int
    streak: int = 0
    session: int = -1
    base: int = 0
    results: Results = UNPLAYED


def variation(winners: float, losers: float) -> float:
    """d, from the sides' sums of ratings: (64 / (10^((R_win - R_lose)/800) + 1)) / 2."""
    return 64 / (_power((winners - losers) / 800) + 1) / 2


def average_bonus(rating: float, average: float) -> float:
    """B, from a winner's rating and the table's average before the game."""
    return 32 / (_power((3 * rating - 3 * average) / 800) + 1) / ((rating + 2000) / 1000)


def _power(exponent: float) -> float:
    return float(10 ** min(exponent, 300))  # beyond 300 the quotient is 0 in any case


def streak_bonus(streak: int, bonus: float) -> float:
    """S = (s - 1) B, from the wins in a row with this one."""
    return (streak - 1) * bonus if streak > 0 else 0.0


def natural_streak(base: int, results: Results) -> int:
    """Wins in a row after a session's games, from those before the session; a loss sets them to 0."""
    streak = base
    for won in results:
        if won is not None:
            streak = streak + 1 if won else 0
    return streak


def sheet_streak(base: int, results: Results) -> int:
    """The source spreadsheet's formula, to the letter.

    A finished session counts its wins from the last loss on, and three wins as none; an unfinished one adds
    its wins to the streak before it, whatever was lost in between.
    """
    if None in results:
        return base + results.count(True)
    if all(results):
        return 0
    return natural_streak(0, results)


STREAKS = {NATURAL: natural_streak, SHEET: sheet_streak}


@dataclass(frozen=True)
class TeamElo(Sequential[TeamEloState]):
    """Elo of partners. `streaks`: "natural", or "sheet" for the source spreadsheet's own count."""

    name: ClassVar[str] = "team_elo"
    title: ClassVar[str] = "2対2レート"
    meaning: ClassVar[str] = "2対2の対局だけで計算しています。"
    baseline: ClassVar[float] = 1500
    plays: ClassVar[str] = "teams"

    streaks: str = NATURAL
    starts: Start = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.streaks not in STREAKS:
            raise ModelError(f"{self.name}: streaks is one of {', '.join(STREAKS)}, not {self.streaks}")

    def check(self, game: TeamGame) -> None:
        check(game)

    def initial(self, player: str) -> TeamEloState:
        """No rating is below 0 here, so one that a league begins with below it counts as 0."""
        rating, games = self.starts.get(player, (1500.0, 0))
        return TeamEloState(max(float(rating), 0.0), games)

    def play(self, game: TeamGame, before: Sequence[TeamEloState]) -> list[TeamEloState]:
        sides = sum(s.rating for s in before[:2]), sum(s.rating for s in before[2:])
        change = variation(*sides) if game.first_won else variation(sides[1], sides[0])
        average = sum(sides) / 4
        return [
            self._after(state, game, (index < 2) == game.first_won, change, average)
            for index, state in enumerate(before)
        ]

    def _after(
        self, state: TeamEloState, game: TeamGame, won: bool, change: float, average: float
    ) -> TeamEloState:
        same = state.session == game.session
        base, results = (state.base, state.results) if same else (state.streak, UNPLAYED)
        known = list(results)
        known[game.number] = won
        results = (known[0], known[1], known[2])
        streak = STREAKS[self.streaks](base, results)
        bonus = average_bonus(state.rating, average)
        gain = change + bonus + streak_bonus(streak, bonus) if won else -change
        return TeamEloState(
            max(state.rating + gain, 0.0),
            state.games + 1,
            streak=streak,
            session=game.session,
            base=base,
            results=results,
        )

    def rating(self, state: TeamEloState) -> Rating:
        return Rating(state.rating, state.games)
