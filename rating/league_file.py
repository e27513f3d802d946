"""Read league.toml and rating.txt: each part has its own check, and each fault names its place."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

from rating.encoding import EncodingError, as_utf8
from rating.games import MOST
from rating.league import LOG_NAME, Alias, League, Player, Rules, Season, Team
from rating.league_faults import LeagueError, Place, syntax_error
from rating.logdates import JST

NAME = 100  # characters of a log's name
YEARS = range(1900, 2200)  # what a date's year may be
_ROOM = re.compile(r"^[LC][0-9]{4}$")
_KEYS = (
    "career", "digest", "evening", "members_only", "model", "name", "player", "rooms", "rules", "season", "team",
)  # fmt: skip
_KINDS = {str: "text", bool: "truth", list: "list", dict: "table", int: "whole"}


def parse_league(text: str, models: Sequence[str] = ("tenhou",)) -> League:
    """The league that league.toml's text describes. `models`: the names of the rating systems.

    Raises LeagueError, with the place and the reason, when the file cannot be used.
    """
    try:
        return _Reader(tomllib.loads(text.lstrip("\ufeff")), models).league()
    except LeagueError:
        raise
    except tomllib.TOMLDecodeError as error:
        raise syntax_error(error, text) from None
    except RecursionError:
        raise LeagueError("brackets") from None
    except Exception as error:
        # Whatever a value does, it is a fault of the file: the last good one stays in force.
        lines, most = enumerate(text.split("\n"), 1), sys.get_int_max_str_digits()
        if line := next((number for number, line in lines if sum(map(str.isdigit, line)) > most), 0):
            raise LeagueError("digits", line=line) from None
        raise LeagueError("value", words=f"{type(error).__name__}: {error}") from None


def decoded(data: bytes) -> str:
    """league.toml's bytes as text; TOML is UTF-8, but editors also save it as Shift-JIS or UTF-16.

    Raises LeagueError when the bytes are none of these, or UTF-8 with broken bytes.
    """
    try:
        text = as_utf8(data)
    except EncodingError:
        raise LeagueError("not_text") from None
    if text.broken:
        raise LeagueError("not_text")
    return text.data.decode("utf-8")


class _Reader:
    """Reads the parts of league.toml, each with its own check."""

    def __init__(self, data: dict[str, Any], models: Sequence[str]) -> None:
        self.data = data
        self.models = models

    def league(self) -> League:
        for key in self.data:
            if key not in _KEYS:
                raise LeagueError("unknown_key", Place(key=key), key=key, known=", ".join(_KEYS))
        model = self.get(self.data, "model", str, "tenhou", Place())
        if model not in self.models:
            raise LeagueError("unknown_model", Place(key="model"), model=model, models=", ".join(self.models))
        players = self.players()
        return League(
            name=self.get(self.data, "name", str, "", Place()),
            rooms=self.rooms(),
            model=model,
            members_only=self.get(self.data, "members_only", bool, False, Place()),
            seasons=self.seasons(),
            players=players,
            teams=self.teams(),
            rules=self.rules(),
            digest=self.get(self.data, "digest", bool, False, Place()),
            evening=self.get(self.data, "evening", bool, False, Place()),
            career=self.get(self.data, "career", bool, False, Place()),
        )

    @staticmethod
    def get(table: dict[str, Any], key: str, kind: Any, default: Any, place: Place) -> Any:
        """A key's value, checked to be of `kind`, or `default` where it is missing; `place`: the table's."""
        value = table.get(key, default)
        number_as_bool = isinstance(value, bool) and kind is not bool
        if value is not default and (not isinstance(value, kind) or number_as_bool):
            raise LeagueError("kind", place.at(key), wanted=_KINDS.get(kind, "number"), value=value)
        if isinstance(value, (int, float)) and not abs(value) <= MOST:
            raise LeagueError("kind", place.at(key), wanted="size", value=value)
        return value

    def texts(self, table: dict[str, Any], key: str, place: Place) -> tuple[str, ...]:
        values = self.get(table, key, list, [], place)
        if not all(isinstance(value, str) for value in values):
            raise LeagueError("kind", place.at(key), wanted="texts", value=values)
        return tuple(values)

    def rooms(self) -> tuple[str, ...]:
        rooms = self.texts(self.data, "rooms", Place())
        for room in rooms:
            if not _ROOM.match(room):
                raise LeagueError("room", Place(key="rooms"), room=room)
        return rooms

    def seasons(self) -> tuple[Season, ...]:
        tables = self.get(self.data, "season", list, [], Place())
        result: list[Season] = []
        for index, table in enumerate(tables, 1):
            place = Place("season", index)
            if not isinstance(table, dict):
                raise LeagueError("not_a_table", place)
            log = self.get(table, "log", str, f"logvol{index}.txt", place)
            found = LOG_NAME.match(log) if len(log) <= NAME else None
            if not found:
                raise LeagueError("log_name", place.at("log"), log=log)
            if any(season.log == log for season in result):
                raise LeagueError("log_taken", place.at("log"), log=log)
            result.append(
                Season(
                    int(found[1]),
                    log,
                    name=self.get(table, "name", str, "", place),
                    start=self.moment(table.get("start"), place.at("start")),
                    chip=self.get(table, "chip", (int, float), None, place),
                    games=self.planned(table, place),
                    end=self.last_day(table, place),
                )
            )
        return tuple(sorted(result, key=lambda season: season.number))

    def planned(self, table: dict[str, Any], place: Place) -> int | None:
        """How many games are planned for a season."""
        return self.counted(table, "games", place)

    def last_day(self, table: dict[str, Any], place: Place) -> date | None:
        """A season's planned last day, which is not before its first."""
        end = self.moment(table.get("end"), place.at("end"))
        start = self.moment(table.get("start"), place.at("start"))
        if end is not None and start is not None and end.date() < start.date():
            raise LeagueError("season_end", place.at("end"), end=end.date(), start=start.date())
        return end.date() if end else None

    @staticmethod
    def moment(value: Any, place: Place) -> datetime | None:
        """A date (its midnight) or a date and time, in JST without a zone; without a zone it is JST."""
        if value is None:
            return None
        if not isinstance(value, date) or value.year not in YEARS:
            raise LeagueError("kind", place, wanted="date", value=str(value))
        if isinstance(value, datetime):
            return (value.astimezone(JST) if value.tzinfo else value).replace(tzinfo=None)
        return datetime.combine(value, time())

    def players(self) -> dict[str, Player]:
        tables = self.get(self.data, "player", dict, {}, Place())
        players = {}
        owner: dict[str, str] = {}
        for tenhou, table in tables.items():
            place = Place("player", tenhou)
            if not isinstance(table, dict):
                raise LeagueError("not_a_table", place)
            player = self.player(tenhou, table, place)
            for name in {tenhou, *(a.name for a in player.aliases if a.since is a.until is None)}:
                if owner.setdefault(name, tenhou) != tenhou:
                    raise LeagueError("name_taken", place, name=name, owner=owner[name])
            players[tenhou] = player
        return players

    def player(self, tenhou: str, table: dict[str, Any], place: Place) -> Player:
        rating = self.get(table, "rating", (int, float), None, place)
        games = self.get(table, "games", int, 0, place)
        if games < 0:
            raise LeagueError("kind", place.at("games"), wanted="positive", value=games)
        return Player(
            tenhou,
            name=self.get(table, "name", str, "", place),
            aliases=tuple(self.alias(value, place) for value in self.get(table, "aliases", list, [], place)),
            rating=float(rating) if rating is not None else None,
            games=games,
            guest=self.get(table, "guest", bool, False, place),
        )

    def alias(self, value: Any, place: Place) -> Alias:
        if isinstance(value, str):
            return Alias(value)
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            since, until = (
                self.moment(value.get(key), place.at(f"aliases {key}")) for key in ("since", "until")
            )
            return Alias(value["name"], since.date() if since else None, until.date() if until else None)
        raise LeagueError("alias_form", place.at("aliases"), value=value)

    def teams(self) -> tuple[Team, ...]:
        tables = self.get(self.data, "team", dict, {}, Place())
        teams = []
        for name, table in tables.items():
            place = Place("team", name)
            if not isinstance(table, dict):
                raise LeagueError("not_a_table", place)
            teams.append(Team(name, self.texts(table, "members", place)))
        return tuple(teams)

    def rules(self) -> Rules:
        table, place = self.get(self.data, "rules", dict, {}, Place()), Place("rules")
        uma = self.get(table, "uma", list, [], place)
        numbers = all(type(x) in (int, float) and abs(x) <= MOST for x in uma)
        if not numbers or len(uma) not in (0, 3, 4):
            raise LeagueError("kind", place.at("uma"), wanted="uma", value=uma)
        return Rules(
            chip=float(self.get(table, "chip", (int, float), 0.0, place)),
            uma=tuple(float(x) for x in uma),
            start=self.get(table, "start", int, 0, place),
            return_=self.get(table, "return", int, 0, place),
            qualifying=self.counted(table, "qualifying", place),
        )

    def counted(self, table: dict[str, Any], key: str, place: Place) -> int | None:
        """A number of games, 0 or more; None where the key is missing."""
        games: int | None = self.get(table, key, int, None, place)
        if games is not None and games < 0:
            raise LeagueError("kind", place.at(key), wanted="positive", value=games)
        return games


def parse_ratings(text: str) -> tuple[dict[str, tuple[float, int]], list[tuple[int, str]]]:
    """rating.txt, a `player R games` a line: (rating, games) by player, and the lines that can't be read.

    Such a line is (number from 1, text).
    """
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
