"""league.toml and rating.txt read: each part with its own check, each fault named with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta, timezone
from math import isfinite
from typing import Any

from rating.league import LOG_NAME, Alias, League, LeagueError, Player, Rules, Season, Team

_ROOM = re.compile(r"^[LC][0-9]{4}$")
_JST = timezone(timedelta(hours=9))
NO_TEXT = "league.toml: some bytes are no text: save the file as UTF-8"
_MOST = 1e9  # no number of a league is greater


def parse_league(text: str, models: Sequence[str] = ("tenhou",)) -> League:
    """League from league.toml's text; LeagueError says where and why. `models`: the rating systems there are."""
    try:
        data = tomllib.loads(text.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise LeagueError(f"league.toml: {error}") from None
    except RecursionError:
        raise LeagueError("league.toml: too many brackets within each other") from None
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
            wanted = {
                str: "a text",
                bool: "true or false",
                list: "a list",
                dict: "a table",
                int: "a whole number",
            }
            raise LeagueError(f"league.toml: {where} must be {wanted.get(kind, 'a number')}, not {value!r}")
        if isinstance(value, (int, float)) and not (isfinite(value) and abs(value) <= _MOST):
            raise LeagueError(f"league.toml: {where} must be a number of a usual size, not {value!r}")
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
            found = LOG_NAME.match(log)
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
        """A date (its midnight) or a date and time, JST where no zone is written; the result is JST, without a zone."""
        if value is None:
            return None
        if isinstance(value, datetime):
            return (value.astimezone(_JST) if value.tzinfo else value).replace(tzinfo=None)
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
        games = self.get(table, "games", int, 0, f"{where} games")
        if games < 0:
            raise LeagueError(f"league.toml: {where} games must be 0 or more, not {games}")
        return Player(
            tenhou,
            self.get(table, "name", str, "", f"{where} name"),
            tuple(
                self.alias(value, where) for value in self.get(table, "aliases", list, [], f"{where} aliases")
            ),
            float(rating) if rating is not None else None,
            games,
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
        numbers = all(type(x) in (int, float) and isfinite(x) and abs(x) <= _MOST for x in uma)
        if not numbers or len(uma) not in (0, 3, 4):
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
