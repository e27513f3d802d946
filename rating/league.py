"""A league: its players and their names, its seasons, teams and rules.

`league.toml` is its file, and every part of the file is optional. Without the file the league is
inferred from its logs: each `logvolN.txt` is season N, and each name on Tenhou is a player.
`parse_logs` reads the logs of all seasons and resolves their dates together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from operator import attrgetter

from rating.dan import DanTable
from rating.games import Game
from rating.names import canonical_name, visible_name
from rating.roomlog import OTHER_ROOMS, SLIP, RoomLog, Span, is_guest, parse

STRANGER = "ほかの人"  # shown for everybody else than players, where names are hidden
LOG_NAME = re.compile(r"^logvol(?P<number>[0-9]+)\.txt$")


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a player on Tenhou, valid from `since` on and before `until`, where given."""

    name: str
    since: date | None = None
    until: date | None = None

    @property
    def is_dated(self) -> bool:
        return self.since is not None or self.until is not None

    def is_valid(self, day: date | None) -> bool:
        """Whether the name is valid on a day; on an unknown day that is a name without `since`."""
        if day is None:
            return self.since is None
        has_started = self.since is None or day >= self.since
        has_ended = self.until is not None and day >= self.until
        return has_started and not has_ended


@dataclass(frozen=True, slots=True)
class Player:
    """A member: name on Tenhou, name shown, other names, and rating and number of games at the
    start."""

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
    """A season: number, log, name, start (JST) and a chip's worth (thousands of points), where
    known. `games`: how many are planned. `end`: the planned last day."""

    number: int
    log: str
    name: str = ""
    start: datetime | None = None
    chip: float | None = None
    games: int | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its name, and the names of its members on Tenhou."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules about points.

    `chip`: thousands of points that a chip is worth in 収支. `uma`: rank points (thousands) inside
    the log's scores. `start`, `return_`: points at the start of a game and points returned; `oka`:
    what the first gets, in thousands, None where the file lacks it. `ties`: how equal points are
    ordered, by "seat" or "shared". `qualifying`: how many games a member needs to be ranked by a
    mean or a share (規定打数), None where the file lacks it. `named`: the name of the set of rules
    in league.toml. `table`: the rules of games at a table, None where they are the same."""

    chip: float = 0.0
    uma: tuple[float, ...] = ()
    start: int = 0
    return_: int = 0
    oka: float | None = None
    ties: str = "seat"
    qualifying: int | None = None
    named: str = ""
    table: Rules | None = None


@dataclass(frozen=True, slots=True)
class League:
    """The content of league.toml, with defaults for what the file lacks."""

    name: str = ""
    rooms: tuple[str, ...] = ()
    model: str = "tenhou"
    members_only: bool = False
    seasons: tuple[Season, ...] = ()
    players: Mapping[str, Player] = field(default_factory=dict)
    teams: tuple[Team, ...] = ()
    rules: Rules = Rules()
    digest: bool = False  # push the day's results to the group once a day
    career: bool = False  # レーティング shows all seasons; by default the last one
    quiz: bool = False  # 今日の何切る: a position of the league's records a day
    hides: bool = False  # names are hidden, those of other people than players too
    table: str = ""  # "apart": Tenhou's rating does not count games at a table
    sets: tuple[str, ...] = ()  # the names of the sets of rules that can be named
    dan: DanTable | None = None  # the grades on the card
    evening: bool = False  # push a line to the group at the first and the last game of an evening

    def player_of(self, name: str, day: date | None = None) -> str:
        """The name on Tenhou of the person who played as `name` on that day; `name` itself where it
        is no alias. An alias with dates comes before a player's own name, other aliases after it.
        The name may be in any Unicode form."""
        name = canonical_name(name)
        owner_on_day = ""
        if day is not None:
            owner_on_day = self._alias_owner(name, day, dated_only=True)
        if owner_on_day or name in self.players:
            return owner_on_day or name
        return self._alias_owner(name, day) or name

    def _alias_owner(self, name: str, day: date | None, dated_only: bool = False) -> str:
        """The player with this alias on that day, "" for none."""
        for player in self.players.values():
            for alias in player.aliases:
                if dated_only and not alias.is_dated:
                    continue
                if alias.name == name and alias.is_valid(day):
                    return player.tenhou
        return ""

    def shown(self, player: str) -> str:
        """The name to show for a player."""
        entry = self.players.get(player)
        if entry is None and self.hides:
            return STRANGER
        return visible_name(entry.shown if entry else player)

    def is_guest(self, player: str) -> bool:
        """Whether a player is a guest: by league.toml, or else by Tenhou's name for guests."""
        entry = self.players.get(player)
        return entry.guest if entry else is_guest(player)

    def is_member(self, player: str) -> bool:
        """Whether the player's games count. With `members_only` only those in league.toml do."""
        return not self.members_only or player in self.players

    def is_own_room(self, room: str) -> bool:
        """Whether games of the room count: those at a table (卓) or on Mahjong Soul (雀魂), those of
        league.toml's rooms, and all where league.toml lists no room."""
        return not self.rooms or room in (*self.rooms, *OTHER_ROOMS)

    def with_logs(self, names: Iterable[str]) -> League:
        """The league with a season for each log, by number: as described in league.toml, or with
        the log's number alone. Of two logs with one number (`logvol1.txt`, `logvol01.txt`) the one
        in league.toml counts, else the one with the shorter name."""
        described = {season.log: season for season in self.seasons}
        logs: dict[int, str] = {}
        by_length = sorted(sorted(names), key=len)
        for name in sorted(by_length, key=lambda name: name not in described):
            match = LOG_NAME.match(name)
            if match:
                logs.setdefault(int(match["number"]), name)
        seasons = []
        for number, name in logs.items():
            seasons.append(described.get(name, Season(number, name)))
        seasons += [season for season in self.seasons if season.log not in logs.values()]
        return replace(self, seasons=tuple(sorted(seasons, key=attrgetter("number"))))

    def canonical(self, games: Iterable[Game]) -> list[Game]:
        """The games that count, with every player under the name on Tenhou. A game counts when all
        its players are members (`is_member`) and its room is the league's (`is_own_room`)."""
        result = []
        alias_names = set[str]()
        for player in self.players.values():
            alias_names.update(alias.name for alias in player.aliases)
        for game in games:
            if alias_names.intersection(game.players):
                seats = [
                    replace(seat, player=self.player_of(seat.player, game.day))
                    for seat in game.seats
                ]
                game = replace(game, seats=tuple(seats))
            if all(map(self.is_member, game.players)) and self.is_own_room(game.room):
                result.append(game)
        return result

    def season(self, number: int) -> Season | None:
        return next((season for season in self.seasons if season.number == number), None)

    def season_at(self, moment: datetime) -> Season | None:
        """The season of a game that starts at `moment` (JST): of the seasons that had started by
        then the last. Where none had, it is the last season without a start; None without any."""
        started = [season for season in self.seasons if season.start and season.start <= moment]
        if started:
            return max(started, key=attrgetter("start", "number"))
        return next((s for s in reversed(self.seasons) if s.start is None), None)


Parse = Callable[[str, bytes, Span], RoomLog]


def parse_logs(
    league: League, files: Mapping[str, bytes], today: date, read: Parse = parse
) -> dict[str, RoomLog]:
    """The log of each season that is among `files` (bytes by name), by name in order of season.
    Later seasons are read first, because they bound the dates of earlier ones."""
    logs: dict[str, RoomLog] = {}
    for season in reversed(league.seasons):
        if season.log in files:
            span = span_of(league, season.log, logs, today)
            logs[season.log] = read(season.log, files[season.log], span)
    return {season.log: logs[season.log] for season in league.seasons if season.log in logs}


def span_of(
    league: League,
    name: str,
    later: Mapping[str, RoomLog],
    today: date,
) -> Span:
    """The first and last possible day of the log `name`, whose dates may lack a year. The log does
    not begin before its season's start, where league.toml has one. It ends at most SLIP after a
    later season begins (`later`: the logs of later seasons, already read), and not after `today`.
    A name without a season is bounded as the last season's log."""
    names = [season.log for season in league.seasons]
    index = names.index(name) if name in names else len(names) - 1
    until = today
    for season in league.seasons[index + 1 :]:
        log = later.get(season.log)
        if log is None:
            continue
        first_day = season.start.date() if season.start else next(iter(log.days), None)
        if first_day is not None:
            until = min(until, first_day + SLIP)
    start = league.seasons[index].start if index >= 0 else None
    return Span(start.date() if start else None, until)
