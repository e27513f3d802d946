"""A league: who plays, under which names, in which seasons and teams, by which rules.

`league.toml` is its file form; every part of it is optional, and a league without the file is inferred from its
logs: each `logvolN.txt` is season N, each name on Tenhou a player.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Any

from rating.games import Game, Seat
from rating.roomlog import is_guest

_LOG = re.compile(r"^logvol([0-9]+)\.txt$")
_ROOM = re.compile(r"^[LC][0-9]{4}$")


class LeagueError(ValueError):
    """league.toml can't be used; the message says where (line or key) and why."""


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
        if name in self.players:
            return name
        for player in self.players.values():
            if any(alias.name == name and alias.holds(day) for alias in player.aliases):
                return player.tenhou
        return name

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
        """The league with a season for each log of the folder, in order of number, the file's own first said."""
        said = {season.log: season for season in self.seasons}
        found = {name: int(m[1]) for name in names if (m := _LOG.match(name))}
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
        return not (self.members_only and self.rooms) or room in self.rooms

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


def parse_league(text: str, models: Sequence[str] = ("tenhou",)) -> League:
    """League from league.toml's text; LeagueError says where and why. `models`: the rating systems there are."""
    try:
        data = tomllib.loads(text.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise LeagueError(f"league.toml: {error}") from None
    return _Reader(data, models).league()


class _Reader:
    """Reads the parts of league.toml, each with its own check."""

    def __init__(self, data: dict[str, Any], models: Sequence[str]) -> None:
        self.data = data
        self.models = models

    def league(self) -> League:
        known = {"name", "rooms", "model", "members_only", "season", "player", "team", "rules", "digest"}
        for key in self.data:
            if key not in known:
                raise LeagueError(f"league.toml: unknown key {key!r} (known: {', '.join(sorted(known))})")
        model = self.get(self.data, "model", str, "tenhou", "model")
        if model not in self.models:
            raise LeagueError(f"league.toml: model {model!r} is none of {', '.join(self.models)}")
        players = self.players()
        return League(
            name=self.get(self.data, "name", str, "", "name"),
            rooms=self.rooms(),
            model=model,
            members_only=self.get(self.data, "members_only", bool, False, "members_only"),
            seasons=self.seasons(),
            players=players,
            teams=self.teams(),
            rules=self.rules(),
            digest=self.get(self.data, "digest", bool, False, "digest"),
        )

    @staticmethod
    def get(table: dict[str, Any], key: str, kind: Any, default: Any, where: str) -> Any:
        value = table.get(key, default)
        number_as_bool = isinstance(value, bool) and kind is not bool
        if value is not default and (not isinstance(value, kind) or number_as_bool):
            wanted = {str: "a text", bool: "true or false", list: "a list", dict: "a table"}.get(
                kind, "a number"
            )
            raise LeagueError(f"league.toml: {where} must be {wanted}, not {value!r}")
        return value

    def texts(self, table: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
        values = self.get(table, key, list, [], where)
        if not all(isinstance(value, str) for value in values):
            raise LeagueError(f"league.toml: {where} must be a list of texts, not {values!r}")
        return tuple(values)

    def rooms(self) -> tuple[str, ...]:
        rooms = self.texts(self.data, "rooms", "rooms")
        for room in rooms:
            if not _ROOM.match(room):
                raise LeagueError(f"league.toml: rooms: {room!r} is no Tenhou room (L or C and four digits)")
        return rooms

    def seasons(self) -> tuple[Season, ...]:
        tables = self.get(self.data, "season", list, [], "season")
        result: list[Season] = []
        for index, table in enumerate(tables, 1):
            where = f"[[season]] {index}"
            if not isinstance(table, dict):
                raise LeagueError(f"league.toml: {where} must be a table")
            log = self.get(table, "log", str, f"logvol{index}.txt", f"{where} log")
            found = _LOG.match(log)
            if not found:
                raise LeagueError(f"league.toml: {where} log: {log!r} is not of the form logvolN.txt")
            if any(season.log == log for season in result):
                raise LeagueError(f"league.toml: {where} log: {log} is another season's already")
            result.append(
                Season(
                    int(found[1]),
                    log,
                    self.get(table, "name", str, "", f"{where} name"),
                    self.moment(table.get("start"), f"{where} start"),
                    self.get(table, "chip", (int, float), None, f"{where} chip"),
                )
            )
        return tuple(sorted(result, key=lambda season: season.number))

    @staticmethod
    def moment(value: Any, where: str) -> datetime | None:
        """A date (its midnight) or a date and time, JST, without a zone."""
        if value is None:
            return None
        if isinstance(value, datetime):
            return value.replace(tzinfo=None)
        if isinstance(value, date):
            return datetime.combine(value, time())
        raise LeagueError(f"league.toml: {where} must be a date such as 2020-07-01, not {value!r}")

    def players(self) -> dict[str, Player]:
        tables = self.get(self.data, "player", dict, {}, "player")
        players = {}
        owner: dict[str, str] = {}
        for tenhou, table in tables.items():
            where = f'[player."{tenhou}"]'
            if not isinstance(table, dict):
                raise LeagueError(f"league.toml: {where} must be a table")
            player = self.player(tenhou, table, where)
            for name in {tenhou, *(a.name for a in player.aliases if a.since is a.until is None)}:
                if owner.setdefault(name, tenhou) != tenhou:
                    raise LeagueError(f"league.toml: {where}: {name} is {owner[name]} already")
            players[tenhou] = player
        return players

    def player(self, tenhou: str, table: dict[str, Any], where: str) -> Player:
        rating = self.get(table, "rating", (int, float), None, f"{where} rating")
        return Player(
            tenhou,
            self.get(table, "name", str, "", f"{where} name"),
            tuple(self.alias(value, where) for value in self.get(table, "aliases", list, [], where)),
            float(rating) if rating is not None else None,
            self.get(table, "games", int, 0, f"{where} games"),
            self.get(table, "guest", bool, False, f"{where} guest"),
        )

    def alias(self, value: Any, where: str) -> Alias:
        if isinstance(value, str):
            return Alias(value)
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            moments = [self.moment(value.get(k), f"{where} aliases {k}") for k in ("since", "until")]
            return Alias(value["name"], *(m.date() if m else None for m in moments))
        raise LeagueError(f"league.toml: {where} aliases: {value!r} is neither a name nor a table with one")

    def teams(self) -> tuple[Team, ...]:
        tables = self.get(self.data, "team", dict, {}, "team")
        teams = []
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise LeagueError(f'league.toml: [team."{name}"] must be a table')
            teams.append(Team(name, self.texts(table, "members", f'[team."{name}"] members')))
        return tuple(teams)

    def rules(self) -> Rules:
        table = self.get(self.data, "rules", dict, {}, "rules")
        uma = self.get(table, "uma", list, [], "[rules] uma")
        if not all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in uma) or len(uma) not in (
            0,
            3,
            4,
        ):
            raise LeagueError(f"league.toml: [rules] uma must be 3 or 4 numbers, not {uma!r}")
        number = (int, float)
        return Rules(
            float(self.get(table, "chip", number, 0.0, "[rules] chip")),
            tuple(float(x) for x in uma),
            self.get(table, "start", int, 0, "[rules] start"),
            self.get(table, "return", int, 0, "[rules] return"),
        )


def parse_ratings(text: str) -> tuple[dict[str, tuple[float, int]], list[tuple[int, str]]]:
    """`rating.txt`: a line `player R games` each -> starts by player, and the lines that can't be read (number, text)."""
    starts: dict[str, tuple[float, int]] = {}
    odd: list[tuple[int, str]] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        words = line.replace(",", " ").split()
        if not words or words[0].startswith("#"):
            continue
        try:
            player, rating, games = words[0], float(words[1]), int(words[2]) if len(words) > 2 else 0
        except (ValueError, IndexError):
            odd.append((number, line))
            continue
        if not abs(rating) < 1e6 or games < 0:
            odd.append((number, line))
            continue
        starts[player] = (rating, games)
    return starts, odd
