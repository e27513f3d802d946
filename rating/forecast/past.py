"""The games of a season so far, and of the seasons before it, as numbers.

Members are the players with a game in the season, without guests. Only games with the season's
commonest number of seats count. Games of earlier seasons inform strengths only: they give no points
and make nobody a member.

A season's games to come follow from league.toml (`games` or `end`), or from a number given by the
user.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from rating.columns import Floats, Ints
from rating.games import Game, GameError, Seat, check, same_seats
from rating.league import Season
from rating.standings import NOISE

HABIT_DAYS = 60  # members come to the games left as often as in so many days
HABIT_HALVES = 20  # days after which a game tells half as much of who will come
MOST_PLAYERS = 300  # the strengths' equations grow with the cube of the players
SeatPoints = Callable[[Seat, Game], float]
IsGuest = Callable[[str], bool]


def nobody(player: str) -> bool:
    """No player is a guest."""
    return False


def no_points(seat: Seat, game: Game) -> float:
    """A seat has no points of a kind."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Past:
    """The games so far in order of time, those of earlier seasons first: K seats, N games, n
    players.

    names: the n players; the first `members` of them are the members, by name. players: (N, K)
    numbers of players. points: (N, K) thousands, as for 収支 without fines. fines: (N, K) thousands
    of fines and bonuses, which count for the totals but not for strengths. days: (N,) ordinals; 0
    where no game of the season has a date. earlier: how many games are of earlier seasons.
    season_games: the others, as read.
    """

    names: tuple[str, ...]
    members: int
    players: Ints
    points: Floats
    days: Ints
    earlier: int
    season_games: tuple[Game, ...]
    fines: Floats

    @property
    def seats(self) -> int:
        _, seats = self.players.shape
        return int(seats)

    @property
    def season(self) -> slice:
        return slice(self.earlier, len(self.players))

    @property
    def played(self) -> int:
        return len(self.players) - self.earlier

    @property
    def games(self) -> Ints:
        """The games (n,) of each player in the season."""
        players = self.players[self.season].ravel()
        return np.bincount(players, minlength=len(self.names))

    @property
    def totals(self) -> Floats:
        """The 収支 (n,) of each player in the season, fines included."""
        return np.round(self._season_sums(self.points + self.fines), 6)

    @property
    def fined(self) -> Floats:
        """The fines and bonuses (n,) of each player in the season."""
        return np.round(self._season_sums(self.fines), 6)

    def _season_sums(self, values: Floats) -> Floats:
        """The sums (n,) of each player's values (N, K) over the season's games."""
        players = self.players[self.season].ravel()
        weights = values[self.season].ravel()
        return np.asarray(np.bincount(players, weights, len(self.names)))

    @property
    def leaders(self) -> tuple[str, ...]:
        """The members with the best 収支; several where they are equal."""
        totals = self.totals[: self.members]
        best = totals.max()
        return tuple(self.names[i] for i in np.flatnonzero(best - totals < NOISE))

    def members_by(self, points: Floats) -> list[int]:
        """The numbers of the members, the most points (n,) first and equal ones by name."""
        return sorted(range(self.members), key=lambda i: (-points[i], self.names[i]))

    @property
    def last_day(self) -> date | None:
        """The season's last day of play, None without dates."""
        ordinal = int(self.days[-1])
        return date.fromordinal(ordinal) if ordinal else None

    @property
    def recent(self) -> Ints:
        """The rows of the season's games in its last HABIT_DAYS days; all without dates."""
        rows = np.arange(self.earlier, len(self.players))
        return np.asarray(rows[self.days[rows] > self.days[-1] - HABIT_DAYS])

    @property
    def habits(self) -> Floats:
        """How many recent games each player has (n,); one of HABIT_HALVES days ago counts half."""
        rows = self.recent
        ages = self.days[-1] - self.days[rows]
        weights = np.repeat(0.5 ** (ages / HABIT_HALVES), self.seats)
        players = self.players[rows].ravel()
        return np.asarray(np.bincount(players, weights, len(self.names)))

    def until(self, games: int) -> Past:
        """The past after the season's first `games` games; members are those who had played by
        then."""
        stop = self.earlier + games
        players = self.players[self.earlier : stop].ravel()
        has_played = np.bincount(players, minlength=len(self.names)) > 0
        has_played[self.members :] = False
        members = np.flatnonzero(has_played)
        order = np.concatenate([members, np.flatnonzero(~has_played)])
        new_number = np.argsort(order)
        return Past(
            tuple(self.names[i] for i in order),
            len(members),
            new_number[self.players[:stop]],
            self.points[:stop],
            days=self.days[:stop],
            earlier=self.earlier,
            season_games=self.season_games[:games],
            fines=self.fines[:stop],
        )

    def digest(self) -> int:
        """A number of 64 bits that identifies these games: the seed where none is given."""
        digest = hashlib.sha256("\n".join(self.names).encode("utf-8", "replace"))
        parts = [
            self.players,
            self.points,
            self.days,
            np.array([self.earlier, self.members]),
        ]
        if self.fines.any():
            parts.append(self.fines)
        for part in parts:
            digest.update(str(part.shape).encode())
            digest.update(np.ascontiguousarray(part).astype(f"<{part.dtype.kind}8").tobytes())
        return int.from_bytes(digest.digest()[:8], "big")


def past_of(
    games: Sequence[Game],
    earlier: Sequence[Game] = (),
    is_guest: IsGuest = nobody,
    chips: SeatPoints = no_points,
    fines: SeatPoints = no_points,
) -> Past:
    """The past of a season from its games and those of earlier seasons; `chips` returns what a
    seat's chips are worth, `fines` the fines and bonuses that belong to the seat's game. Raises
    GameError without a game or a member, with too many players, and for a game that cannot be
    rated."""
    season = _dated(same_seats(list(map(check, games))))
    if not season:
        raise GameError("no games: there is nothing to forecast from")
    seats = len(season[0].game.seats)
    former = _dated([check(game) for game in earlier if len(game.seats) == seats])
    members = sorted(player for player in _players(season) if not is_guest(player))
    if not members:
        raise GameError("no member has a game: all players are guests")
    others = sorted(_players(season + former) - set(members))
    names = (*members, *others)
    if len(names) > MOST_PLAYERS:
        raise GameError(f"a forecast takes at most {MOST_PLAYERS} players; there are {len(names)}")
    all_games = [dated.game for dated in former + season]

    def score_with_chips(seat: Seat, game: Game) -> float:
        return seat.score + chips(seat, game)

    return Past(
        names,
        len(members),
        _player_numbers(all_games, names),
        points=_seat_points(all_games, score_with_chips),
        days=np.array([dated.day for dated in former + season], np.int64),
        earlier=len(former),
        season_games=tuple(dated.game for dated in season),
        fines=_seat_points(all_games, fines),
    )


def _player_numbers(games: Sequence[Game], names: Sequence[str]) -> Ints:
    """The players' numbers in `names` (N, K), a row for each game."""
    number_of = {name: number for number, name in enumerate(names)}
    seats = len(games[0].seats)
    numbers = np.zeros((len(games), seats), np.int64)
    for row, game in enumerate(games):
        numbers[row] = [number_of[player] for player in game.players]
    return numbers


def _seat_points(games: Sequence[Game], points_of: SeatPoints) -> Floats:
    """Points of each seat (N, K), a row for each game."""
    points = np.zeros((len(games), len(games[0].seats)))
    for row, game in enumerate(games):
        points[row] = [points_of(seat, game) for seat in game.seats]
    return points


class _DatedGame(NamedTuple):
    """A game and the ordinal of its day."""

    game: Game
    day: int


def _players(games: Sequence[_DatedGame]) -> set[str]:
    return set(chain.from_iterable(game.players for game, _ in games))


def _dated(games: Sequence[Game]) -> list[_DatedGame]:
    """The games with their days, in order of time. A log's games without a date are before its
    first date, so they take the day of the next game that has one, or else the last; all are 0
    where none has."""
    days = [game.day.toordinal() if game.day else 0 for game in games]
    following = max(days, default=0)
    for i in reversed(range(len(days))):
        if days[i]:
            following = days[i]
        days[i] = following
    return sorted(map(_DatedGame, games, days), key=attrgetter("day"))


USUAL = 50  # games to come where nothing is planned


@dataclass(frozen=True, slots=True)
class Plan:
    """A season's planned number of games, its last day, or the games to come (`left`). Of several
    that are given the first of `left`, `games`, `end` counts."""

    games: int | None = None
    end: date | None = None
    left: int | None = None

    @property
    def known(self) -> bool:
        return (self.games, self.end, self.left) != (None, None, None)

    def left_after(self, past: Past) -> int:
        """The games to come. Raises GameError for an empty plan, and for an end without dates."""
        if self.left is not None:
            return self.left
        if self.games is not None:
            return max(0, self.games - past.played)
        if self.end is None:
            raise GameError("the season has no planned end")
        if past.last_day is None:
            raise GameError(
                "the season's games have no dates, so its end does not tell how many are left"
            )
        return round(max(0, (self.end - past.last_day).days) * games_a_day(past))


def plan_of(season: Season | None) -> Plan:
    return Plan(season.games, season.end) if season is not None else Plan()


def games_a_day(past: Past) -> float:
    """The season's games a day in the HABIT_DAYS up to its last day of play, or since its first
    day."""
    days = past.days[past.season]
    length = int(days[-1] - days[0]) + 1
    return len(past.recent) / min(HABIT_DAYS, length)
