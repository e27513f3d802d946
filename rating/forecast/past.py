"""The games of a season so far, and of the seasons before it, as numbers.

Members are who has a game in the season, guests left out. Games count that have the season's
commonest number of seats. Games of earlier seasons inform strengths only: they give no points and
make nobody a member.

How many games of a season are left: by league.toml (`games` or `end`), or by what somebody says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

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


@dataclass(frozen=True, slots=True)
class Past:
    """The games so far in order of time, those of earlier seasons first: K seats, N games, n
    players. names: the n players; the first `members` of them are the members, by name. players:
    (N, K) numbers of players. points: (N, K) thousands, as 収支 counts them without fines. fines:
    (N, K) thousands of fines and bonuses, which count for the totals and say nothing of strengths.
    days: (N,) ordinals; 0 where no game of the season has a date. earlier: how many games are of
    earlier seasons. season_games: the others, as read."""

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
        return int(self.players.shape[1])

    @property
    def season(self) -> slice:
        return slice(self.earlier, len(self.players))

    @property
    def played(self) -> int:
        return len(self.players) - self.earlier

    @property
    def games(self) -> Ints:
        """The games (n,) of each player in the season."""
        return np.bincount(
            self.players[self.season].ravel(),
            minlength=len(self.names),
        )

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
        seats = self.players[self.season].ravel()
        sums = np.bincount(
            seats,
            values[self.season].ravel(),
            len(self.names),
        )
        return np.asarray(sums, float)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The members with the best 収支; several where they are equal."""
        totals = self.totals[: self.members]
        best = totals.max()
        return tuple(self.names[i] for i in np.flatnonzero(best - totals < NOISE))

    def members_by(self, points: Floats) -> list[int]:
        """The numbers of the members, the most points (n,) first and equal ones by name."""
        return sorted(
            range(self.members),
            key=lambda member: (-points[member], self.names[member]),
        )

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
        """How often each player (n,) came lately, in games: one of HABIT_HALVES days ago counts
        half.
        """
        rows = self.recent
        counts = np.repeat(
            0.5 ** ((self.days[-1] - self.days[rows]) / HABIT_HALVES),
            self.seats,
        )
        return np.asarray(
            np.bincount(self.players[rows].ravel(), counts, len(self.names)),
            float,
        )

    def until(self, games: int) -> Past:
        """What was known after the season's first `games` games; members are those who had played
        by then.
        """
        stop = self.earlier + games
        seats = self.players[self.earlier : stop].ravel()
        games_of = np.bincount(seats, minlength=len(self.names))
        members = [i for i in range(self.members) if games_of[i] > 0]
        others = sorted(set(range(len(self.names))) - set(members))
        order = [*members, *others]
        number = np.empty(len(order), np.int64)
        number[order] = np.arange(len(order))
        return Past(
            tuple(self.names[i] for i in order),
            len(members),
            number[self.players[:stop]],
            self.points[:stop],
            days=self.days[:stop],
            earlier=self.earlier,
            season_games=self.season_games[:games],
            fines=self.fines[:stop],
        )

    def digest(self) -> int:
        """A number of 64 bits that names these games: the seed where none is given."""
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
    is_guest: IsGuest = lambda player: False,
    chips: SeatPoints = lambda seat, game: 0.0,
    fines: SeatPoints = lambda seat, game: 0.0,
) -> Past:
    """The past of a season from its games and earlier seasons'; `chips` gives what a seat's chips
    are worth, `fines` the fines and bonuses that belong to the seat's game. Raises GameError
    without a game or a member, with too many players, and for a game that can't be rated."""
    season = _dated(same_seats(list(map(check, games))))
    if not season:
        raise GameError("no games: there is nothing to forecast from")
    seats = len(season[0][0].seats)
    former = _dated([check(game) for game in earlier if len(game.seats) == seats])
    own = {player for game, _ in season for player in game.players}
    members = sorted(player for player in own if not is_guest(player))
    if not members:
        raise GameError("no member has a game: all players are guests")
    others = sorted(
        (own | {player for game, _ in former for player in game.players}) - set(members)
    )
    names = (*members, *others)
    if len(names) > MOST_PLAYERS:
        raise GameError(f"a forecast takes at most {MOST_PLAYERS} players; there are {len(names)}")
    number = {name: i for i, name in enumerate(names)}
    rows = [*former, *season]
    return Past(
        names,
        len(members),
        np.array(
            [[number[seat.player] for seat in game.seats] for game, _ in rows],
            np.int64,
        ),
        np.array([_points_with_chips(game, chips) for game, _ in rows], float),
        days=np.array([day for _, day in rows], np.int64),
        earlier=len(former),
        season_games=tuple(game for game, _ in season),
        fines=np.array(
            [[fines(seat, game) for seat in game.seats] for game, _ in rows],
            float,
        ),
    )


def _points_with_chips(game: Game, chips: SeatPoints) -> list[float]:
    return [seat.score + chips(seat, game) for seat in game.seats]


def _dated(games: Sequence[Game]) -> list[tuple[Game, int]]:
    """The games with the ordinals of their days, in order of time. A log's games without a date
    stand before its first date, so they take the day of the next game that has one, or else the
    last; all are 0 where none has."""
    days = [game.day.toordinal() if game.day else 0 for game in games]
    following = max(days, default=0)
    for i in reversed(range(len(days))):
        if days[i]:
            following = days[i]
        days[i] = following
    return sorted(zip(games, days, strict=True), key=lambda pair: pair[1])


USUAL = 50  # games taken to be left where nothing says how many


@dataclass(frozen=True, slots=True)
class Plan:
    """A season's planned number of games, its last day, or the games that are left whatever was
    played. Of several that are given the first of `left`, `games`, `end` counts."""

    games: int | None = None
    end: date | None = None
    left: int | None = None

    @property
    def known(self) -> bool:
        return (self.games, self.end, self.left) != (None, None, None)

    def left_after(self, past: Past) -> int:
        """The games left.

        Raises GameError for a plan that says nothing, and for an end without dates.
        """
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
    day.
    """
    days = past.days[past.season]
    length = int(days[-1] - days[0]) + 1
    return len(past.recent) / min(HABIT_DAYS, length)
