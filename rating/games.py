"""Games as plain values: who sat, in what order they finished, with how many points.

Points are in thousands, signed, as a Tenhou room log writes them (`+52.0`): they hold uma and oka.
Chips (`枚`) are None where the line has none. Placings count from 0 (first) in code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time


class GameError(ValueError):
    """A game that can't be rated; the message names the game and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's share of a game: name, points in thousands, chips or None."""

    player: str
    score: float
    chips: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One finished game. `seats` stand in order of placing, ties as the source broke them.

    `source` and `line` (from 1) say where the game was read, for error messages.
    """

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
        return tuple(seat.player for seat in self.seats)

    @property
    def where(self) -> str:
        """Where the game was read: `file:line`, or its players when it came from no file."""
        return f"{self.source}:{self.line}" if self.source else " ".join(self.players)

    def placing(self, player: str) -> int:
        """The player's placing, 0 for first; ValueError if he did not sit here."""
        return self.players.index(player)


def game_of(players: Sequence[str], scores: Sequence[float], **origin: object) -> Game:
    """A game from players and scores in any order: sorted by score, ties in the order given."""
    seats = [Seat(player, score) for player, score in zip(players, scores, strict=True)]
    seats.sort(key=lambda seat: -seat.score)
    return Game(tuple(seats), **origin)  # type: ignore[arg-type]


def check(game: Game) -> Game:
    """The game itself, or GameError where no rating system could take it."""
    if len(game.seats) not in (3, 4):
        raise GameError(f"{game.where}: a game has 3 or 4 players, not {len(game.seats)}")
    twice = [name for name, count in Counter(game.players).items() if count > 1]
    if twice:
        raise GameError(f"{game.where}: {twice[0]} sits twice in one game")
    if not all(abs(seat.score) < 1e9 for seat in game.seats):  # also NaN
        raise GameError(f"{game.where}: a score is not a number")
    return game


def same_seats(games: Sequence[Game], seats: int | None = None) -> list[Game]:
    """The games with `seats` players; by default the number most of them have (3 on a draw)."""
    if seats is None:
        counts = Counter(len(game.seats) for game in games)
        seats = max(sorted(counts), key=lambda k: counts[k], default=3)
    return [game for game in games if len(game.seats) == seats]
