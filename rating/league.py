"""A league: who plays, under which names, in which seasons and teams, by which rules.

`league.toml` is its file form; every part of it is optional, and a league without the file is inferred from its
logs: each `logvolN.txt` is season N, each name on Tenhou a player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from rating.games import Game, Seat
from rating.roomlog import is_guest

LOG_NAME = re.compile(r"^logvol([0-9]+)\.txt$")


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a player on Tenhou, where given only from `since` on or before `until` (days of play)."""

    name: str
    since: date | None = None
    until: date | None = None

    def holds(self, day: date | None) -> bool:
        if day is None:
            return self.since is None
        return (self.since is None or day >= self.since) and (self.until is None or day < self.until)


@dataclass(frozen=True, slots=True)
class Player:
    """A member: the name on Tenhou, the name shown, other names, and the rating before the first game."""

    tenhou: str
    name: str = ""
    aliases: tuple[Alias, ...] = ()
    rating: float | None = None
    games: int = 0
    guest: bool = False

    @property
    def shown(self) -> str:
        return self.name or self.tenhou


@dataclass(frozen=True, slots=True)
class Season:
    """A season: its number, its log, and when it starts (JST) where known."""

    number: int
    log: str
    name: str = ""
    start: datetime | None = None
    chip: float | None = None

    @property
    def title(self) -> str:
        return self.name or f"第{self.number}シーズン"


@dataclass(frozen=True, slots=True)
class Team:
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """`chip`: points (thousands) a chip is worth in 収支; `uma`: rank points inside the log's scores; points at the start
    of a game and those returned (oka), in points."""

    chip: float = 0.0
    uma: tuple[float, ...] = ()
    start: int = 0
    return_: int = 0


@dataclass(frozen=True, slots=True)
class League:
    """What league.toml says; the defaults are what holds without it."""

    name: str = ""
    rooms: tuple[str, ...] = ()
    model: str = "tenhou"
    members_only: bool = False
    seasons: tuple[Season, ...] = ()
    players: Mapping[str, Player] = field(default_factory=dict)
    teams: tuple[Team, ...] = ()
    rules: Rules = Rules()
    digest: bool = False  # push the day's results to the group once a day

    def player_of(self, name: str, day: date | None = None) -> str:
        """The name on Tenhou that stands for whoever played as `name` on that day."""
        dated = day is not None and self._alias(name, day, dated=True)
        if dated or name in self.players:
            return dated or name
        return self._alias(name, day, dated=False) or name

    def _alias(self, name: str, day: date | None, dated: bool) -> str:
        """The player with this other name on that day, "" for none. `dated`: only a name given for some time."""
        for player in self.players.values():
            for alias in player.aliases:
                some_time = alias.since is not None or alias.until is not None
                if alias.name == name and alias.holds(day) and (some_time or not dated):
                    return player.tenhou
        return ""

    def shown(self, player: str) -> str:
        """The name to show for a player."""
        known = self.players.get(player)
        return known.shown if known else player

    def is_guest(self, player: str) -> bool:
        known = self.players.get(player)
        return known.guest if known else is_guest(player)

    def is_member(self, player: str) -> bool:
        """Whether the player's games count: everybody's, unless `members_only`."""
        return not self.members_only or player in self.players

    def with_logs(self, names: Iterable[str]) -> League:
        """The league with a season for each log of the folder, in order of number, the file's own first said.

        Of two logs of one number (`logvol1.txt`, `logvol01.txt`) the one in league.toml counts, else the shorter name.
        """
        said = {season.log: season for season in self.seasons}
        numbers = {name: int(m[1]) for name in sorted(names) if (m := LOG_NAME.match(name))}
        first = {
            number: name for name, number in sorted(numbers.items(), key=lambda n: (n[0] in said, -len(n[0])))
        }
        found = {name: number for name, number in numbers.items() if first[number] == name}
        seasons = [said.get(name) or Season(number, name) for name, number in found.items()]
        seasons += [season for season in self.seasons if season.log not in found]
        return replace(self, seasons=tuple(sorted(seasons, key=lambda s: s.number)))

    def canonical(self, games: Iterable[Game]) -> list[Game]:
        """Games with every player under the name on Tenhou, without those that don't count."""
        result = []
        alias_names = {alias.name for p in self.players.values() for alias in p.aliases}
        for game in games:
            if alias_names.intersection(game.players):
                game = replace(game, seats=tuple(self._seat(seat, game.day) for seat in game.seats))
            if all(map(self.is_member, game.players)) and self._plays_in(game.room):
                result.append(game)
        return result

    def _plays_in(self, room: str) -> bool:
        """Whether a room's games count: of any room where none is named."""
        return not self.rooms or room in self.rooms

    def _seat(self, seat: Seat, day: date | None) -> Seat:
        return replace(seat, player=self.player_of(seat.player, day))

    def season(self, number: int) -> Season | None:
        return next((season for season in self.seasons if season.number == number), None)

    def season_at(self, moment: datetime) -> Season | None:
        """The season a game that starts at `moment` (JST) belongs to: the last one begun by then."""
        begun = [s for s in self.seasons if s.start is not None and s.start <= moment]
        if begun:
            return max(begun, key=lambda s: (s.start or moment, s.number))
        undated = [s for s in self.seasons if s.start is None]
        return undated[-1] if undated else None
