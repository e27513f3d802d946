"""The two kinds of rating system, and the loop that runs the sequential ones.

A `Sequential` system turns the states of one game's players before it into their states after it. A
`Batch` system looks at all games at once. Each model is a frozen dataclass whose fields are its
options.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from rating.columns import Columns, Floats, Ints, columns_of, enough
from rating.games import Game, check
from rating.standings import History, Line, Rating, Standings


class ModelError(ValueError):
    """An unknown rating system, or an option that it cannot take; the message lists the valid
    ones."""


def within(
    name: str,
    option: str,
    value: float,
    low: float,
    high: float,
) -> None:
    """Raise ModelError, which names the option and its bounds, unless the value is between them."""
    if not low <= value <= high:
        raise ModelError(f"{name}: {option} must be a number from {low:g} to {high:g}, not {value}")


class Played(Protocol):
    """What the loop needs of a game: its players, each once."""

    @property
    def players(self) -> tuple[str, ...]: ...


State = TypeVar("State")
Start = Mapping[str, tuple[float, int]]  # player -> rating and games before the first game


class Model:
    """The properties of every rating system."""

    name: ClassVar[str]
    baseline: ClassVar[float] = 0  # the rating that everybody starts from, or the mean of all
    plays: ClassVar[str] = "games"  # or "teams": it rates TeamGames (rating.teamlog), not Games
    decimals: ClassVar[int] = 0  # digits worth showing
    zero_sum: ClassVar[bool] = False  # the sum of all ratings is constant
    has_matchups: ClassVar[bool] = False  # it also has strengths of a player against another
    on_card: ClassVar[bool] = False  # a player's card shows its strength with its interval


class Sequential(Model, ABC, Generic[State]):
    """A system that learns one game after another; only the players of a game change."""

    @abstractmethod
    def initial(self, player: str) -> State:
        """The state of a player who has not played yet."""

    @abstractmethod
    def play(self, game: Any, before: Sequence[State]) -> Sequence[State]:
        """States after the game from the states before it, both in the order of `game.players`."""

    @abstractmethod
    def rating(self, state: State) -> Rating:
        """The rating a state shows."""

    def value(self, state: State) -> float:
        return self.rating(state).value

    def ratings(self, states: Mapping[str, State]) -> dict[str, Rating]:
        """The ratings of all players; a system may need all of them for one's interval."""
        return {player: self.rating(state) for player, state in states.items()}

    def check(self, game: Any) -> None:
        """Raise GameError when this system cannot take the game."""
        check(game)


class Rated(NamedTuple):
    """The state of a player in a system that needs only the rating and the number of games."""

    rating: float
    games: int


class Elo(Sequential[Rated]):
    """A system whose state is a rating; `starts`: ratings and games before the first game, by
    default 1500 and 0."""

    baseline = 1500
    starts: Start

    def initial(self, player: str) -> Rated:
        rating, games = self.starts.get(player, (1500.0, 0))
        return Rated(float(rating), games)

    def rating(self, state: Rated) -> Rating:
        return Rating(state.rating, state.games)


class Batch(Model, ABC):
    """A system fitted to all games at once, whatever their order."""

    def fit(self, games: Sequence[Game]) -> Standings:
        """Ratings of everybody who played. Raises GameError where a game cannot be rated, or where
        nothing can be learned from the games."""
        return self.fit_columns(columns_of(enough(games)))

    @abstractmethod
    def fit_columns(self, columns: Columns) -> Standings:
        """The same from games in columns."""

    @abstractmethod
    def values(self, columns: Columns) -> Floats:
        """The strengths (n,) alone, by columns.names, without errors and intervals."""

    def forecast(self, columns: Columns, tables: Ints) -> Floats:
        """A number for each seat of some tables, from the games in columns: the higher the better.
        tables: (M, K) numbers of players by columns.names; the result is (M, K). It is 0 for
        players without games."""
        numbers = np.where(columns.played > 0, self.values(columns), 0.0)
        return np.asarray(numbers[tables])


@dataclass(slots=True)
class Replay(Generic[State]):
    """A sequential model after some games: states and rating lines by player, and the number of
    games."""

    states: dict[str, State] = field(default_factory=dict)
    history: History = field(default_factory=dict)
    games: int = 0

    def copy(self) -> Replay[State]:
        lines = {}
        for player, line in self.history.items():
            lines[player] = Line(line.start, list(line.games), list(line.values))
        return Replay(dict(self.states), lines, self.games)


def replay(
    model: Sequential[State], games: Iterable[Played], earlier: Replay[State] | None = None
) -> Replay[State]:
    """Play the games in order, after those of `earlier` (which does not change) or from the
    start."""
    result = earlier.copy() if earlier is not None else Replay[State]()
    states = result.states
    history = result.history
    for number, game in enumerate(games, result.games):
        model.check(game)
        players = game.players
        for player in players:
            if player not in states:
                states[player] = model.initial(player)
                history[player] = Line(model.value(states[player]))
        after = model.play(game, [states[player] for player in players])
        for player, new in zip(players, after, strict=True):
            states[player] = new
            history[player].games.append(number)
            history[player].values.append(model.value(new))
        result.games = number + 1
    return result


def standings(model: Sequential[State], replayed: Replay[State]) -> Standings:
    """The ratings after the last game of a replay."""
    return Standings(model.ratings(replayed.states))
