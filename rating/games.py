"""Games as plain values: who played, in what order they finished, with how many points.

Points are signed thousands, as Tenhou writes them in a room log (`+52.0`); they include uma and
oka. Chips (`枚`) are None where the log has none. `Game.placing` counts from 0 (first).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from math import isnan
from operator import attrgetter

from rating.numerals import number_of

# Scores (thousands of points) are between -LIMIT and LIMIT, and equal neither. Settings may.
LIMIT = 1e9


class GameError(ValueError):
    """A game, or a set of games, that cannot be rated.

    The message names the game and what is wrong.
    """


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part in a game: name, points in thousands, chips or None."""

    player: str
    score: float
    chips: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One finished game; `seats` are in order of placing, ties as the source ordered them. `day`
    and `start` are in JST. `source` and `line` (from 1) are where the game was read."""

    seats: tuple[Seat, ...]
    day: date | None = None
    start: time | None = None
    room: str = ""
    rule: str = ""
    source: str = ""
    line: int = 0

    @property
    def players(self) -> tuple[str, ...]:
        """Names in order of placing."""
        return tuple([seat.player for seat in self.seats])

    @property
    def where(self) -> str:
        """Where the game was read: `file:line`, or its players when it came from no file."""
        return f"{self.source}:{self.line}" if self.source else " ".join(self.players)

    def placing(self, player: str) -> int:
        """The player's placing, 0 for first.

        Raises ValueError when the player is not in the game.
        """
        return self.players.index(player)


def game_of(players: Sequence[str], scores: Sequence[float], **origin: object) -> Game:
    """A game from players and scores (thousands) in any order; `origin` sets other fields of Game.
    Seats are sorted by score, ties in the order given."""
    seats = [Seat(player, score) for player, score in zip(players, scores, strict=True)]
    by_score = sorted(seats, key=attrgetter("score"), reverse=True)
    return Game(tuple(by_score), **origin)  # type: ignore[arg-type]


def check(game: Game) -> Game:
    """The game itself. Raises GameError when it cannot be rated."""
    players = game.players
    if len(players) not in (3, 4):
        raise GameError(f"{game.where}: a game has 3 or 4 players, not {len(players)}")
    if len(set(players)) < len(players):
        [(twice, _)] = Counter(players).most_common(1)
        raise GameError(f"{game.where}: {twice} sits twice in one game")
    for seat in game.seats:
        fault = score_fault(seat.score)
        if fault:
            raise GameError(f"{game.where}: {fault}")
    return game


def score_of(text: str) -> float | None:
    """A score (thousands of points) or number of chips as people write it. None where the text is
    no number, or is in single points (点). ± is allowed before 0 only."""
    text = text.strip()
    if text.endswith("点"):
        return None
    number = number_of(text.removeprefix("±"))
    if text.startswith("±") and number != 0:
        return None
    return number


def score_fault(score: float) -> str:
    """What is wrong with a score in thousands of points, "" for nothing."""
    if isnan(score):
        return "a score is not a number"
    if abs(score) < LIMIT:
        return ""
    return f"a score of {score:g} is out of range: it must be between {-LIMIT:g} and {LIMIT:g}"


def same_seats(games: Sequence[Game], seats: int | None = None) -> list[Game]:
    """The games with `seats` players; by default the commonest number, of equally common ones the
    smaller."""
    if seats is None:
        counts = Counter(len(game.seats) for game in games)
        seats = max(sorted(counts), key=counts.__getitem__, default=3)
    return [game for game in games if len(game.seats) == seats]
