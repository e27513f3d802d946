"""How many games of a season are left: by league.toml (`games` or `end`), or by what somebody says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from rating.forecast.past import HABIT_DAYS, Past
from rating.games import GameError
from rating.league import Season

USUAL = 50  # games taken to be left where nothing says how many


@dataclass(frozen=True, slots=True)
class Plan:
    """A season's planned number of games, its last day, or the games that are left whatever was played.

    Of several that are given the first of `left`, `games`, `end` counts.
    """

    games: int | None = None
    end: date | None = None
    left: int | None = None

    @property
    def known(self) -> bool:
        """Whether anything says how many games are left."""
        return (self.games, self.end, self.left) != (None, None, None)

    def left_after(self, past: Past) -> int:
        """The games left. Raises GameError for a plan that says nothing, and for an end without dates."""
        if self.left is not None:
            return self.left
        if self.games is not None:
            return max(0, self.games - past.played)
        if self.end is None:
            raise GameError("the season has no planned end")
        last = past.last_day
        if last is None:
            raise GameError("the season's games have no dates, so its end does not tell how many are left")
        return round(max(0, (self.end - last).days) * games_a_day(past))


def plan_of(season: Season | None) -> Plan:
    """What league.toml plans for a season."""
    return Plan(season.games, season.end) if season is not None else Plan()


def games_a_day(past: Past) -> float:
    """The season's games a day in the HABIT_DAYS up to its last day of play, or since its first day."""
    days = past.days[past.season]
    return len(past.recent) / min(HABIT_DAYS, int(days[-1] - days[0]) + 1)
