"""Edits of league.toml: each has its conditions, and changes the file's data.

`apply(text, edit)` returns the text after an edit. The text keeps its layout
(`rating.toml_text.changed`) and parses to exactly the changed data; otherwise the edit is refused.
"""

import copy
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime
from typing import Any

from rating.league import Season
from rating.league_file import LeagueError, normalised, parse_league
from rating.names import canonical_name
from rating.toml_text import Data, changed

BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Edit(ABC):
    @abstractmethod
    def check(self, before: Data) -> None:
        """Raises LeagueError when the data before the edit does not allow it."""

    @abstractmethod
    def change(self, data: Data) -> None:
        """Change the data of the file."""

    def renamed(self, text: str, before: Data) -> str:
        """Return the text with the names that the edit replaces wherever they are."""
        return text


@dataclass(frozen=True, slots=True)
class NewSeason(Edit):
    """A new season that starts on the day `start` (JST); `log` is its file, `logvolN.txt`."""

    name: str
    log: str
    start: date

    def check(self, before: Data) -> None:
        for season in before.get("season", []):
            start = season.get("start")
            day = start.date() if isinstance(start, datetime) else start
            if day is not None and day >= self.start:
                raise LeagueError("season_order", day=day, start=self.start)

    def change(self, data: Data) -> None:
        data.setdefault("season", []).append(asdict(self))


@dataclass(frozen=True, slots=True)
class ShownName(Edit):
    """The name shown for a player. A player who is not in the file yet becomes a member."""

    player: str
    name: str

    def check(self, before: Data) -> None:
        players = before.get("player", {})
        if self.player not in players:
            _refuse_alias(before, self.player)
        elif not self.name or players[self.player].get("name", "") == self.name:
            raise LeagueError("member_already", player=self.player)

    def change(self, data: Data) -> None:
        table = data.setdefault("player", {}).setdefault(self.player, {})
        if self.name:
            table["name"] = self.name


@dataclass(frozen=True, slots=True)
class NewAlias(Edit):
    """Another name of a player on Tenhou, from the day of play `since` on where it is given.

    A player who is not in the file yet becomes a member.
    """

    player: str
    alias: str
    since: date | None = None

    def check(self, before: Data) -> None:
        players = before.get("player", {})
        if self.alias in players or self.alias == self.player:
            raise LeagueError("own_name", name=self.alias)
        if self.player not in players:
            _refuse_alias(before, self.player)
        _refuse_alias(before, self.alias)

    def change(self, data: Data) -> None:
        table = data.setdefault("player", {}).setdefault(self.player, {})
        alias: str | Data = self.alias
        if self.since is not None:
            alias = {"name": self.alias, "since": self.since}
        table["aliases"] = [*table.get("aliases", []), alias]


@dataclass(frozen=True, slots=True)
class TeamMembers(Edit):
    """The members of a team. A team that is not in the file yet is added."""

    team: str
    members: tuple[str, ...]

    def check(self, before: Data) -> None:
        teams = before.get("team", {})
        if self.team in teams:
            members = teams[self.team].get("members", [])
            if members == list(self.members):
                raise LeagueError("team_same", team=self.team)
        for name, table in teams.items():
            for member in self.members:
                if name != self.team and member in table.get("members", []):
                    raise LeagueError("team_taken", player=member, team=name)

    def change(self, data: Data) -> None:
        table = data.setdefault("team", {}).setdefault(self.team, {})
        table["members"] = list(self.members)


@dataclass(frozen=True, slots=True)
class Forgotten(Edit):
    """A player who is forgotten: another name replaces all names of the player."""

    player: str
    new: str

    def check(self, before: Data) -> None:
        """Any player can be forgotten."""

    def change(self, data: Data) -> None:
        table = data["player"].pop(self.player)
        table.pop("name", None)
        table.pop("aliases", None)
        data["player"][self.new] = table
        for team in data.get("team", {}).values():
            if any(map(self._is_player, team.get("members", []))):
                team["members"] = [
                    self.new if self._is_player(name) else name for name in team["members"]
                ]

    def renamed(self, text: str, before: Data) -> str:
        spellings = {self.player}
        for team in before.get("team", {}).values():
            spellings.update(filter(self._is_player, team.get("members", [])))
        for name in spellings:
            text = text.replace(f'"{name}"', f'"{self.new}"')
            text = text.replace(f"'{name}'", f'"{self.new}"')
            text = text.replace(f"player.{name}]", f'player."{self.new}"]')
        return text

    def _is_player(self, name: str) -> bool:
        return canonical_name(name) == canonical_name(self.player)


@dataclass(frozen=True, slots=True)
class Setting(Edit):
    """One of the file's top-level keys: `model`, `members_only` or `rooms`."""

    key: str
    value: str | bool | list[str]

    def check(self, before: Data) -> None:
        if before.get(self.key) == self.value:
            raise LeagueError("setting_same", key=self.key, value=self.value)

    def change(self, data: Data) -> None:
        data[self.key] = self.value


@dataclass(frozen=True, slots=True)
class TableRules(Edit):
    """The set of rules for games at a table."""

    name: str

    def check(self, before: Data) -> None:
        table = before.get("rules", {}).get("table", {})
        if table == {"set": self.name}:
            raise LeagueError("setting_same", key="set", value=self.name)

    def change(self, data: Data) -> None:
        data.setdefault("rules", {})["table"] = {"set": self.name}


KINDS: dict[str, type[Edit]] = {
    kind.__name__: kind
    for kind in (NewSeason, ShownName, NewAlias, TeamMembers, Setting, TableRules)
}
"""The edits by name: they are stored by it until they are confirmed."""


def apply(text: str, edit: Edit, models: Sequence[str] = ("tenhou",)) -> str:
    """Return the text after the edit.

    Raises LeagueError when the edit is not allowed, or the text before or after it not usable.
    """
    parse_league(text, models)
    body = text.removeprefix(BYTE_ORDER_MARK)
    has_windows_ends = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    if has_windows_ends:
        body = body.replace("\r\n", "\n")
    before = tomllib.loads(body)
    edit = _canonical(edit)
    edit.check(normalised(before))
    edit = _as_written(edit, before)
    wanted = copy.deepcopy(before)
    edit.change(wanted)
    new = _changed(edit.renamed(body, before), wanted)
    if has_windows_ends:
        new = new.replace("\n", "\r\n")
    if text.startswith(BYTE_ORDER_MARK):
        new = BYTE_ORDER_MARK + new
    parse_league(new, models)
    return new


def next_season(seasons: Sequence[Season]) -> tuple[int, str]:
    number = max((season.number for season in seasons), default=0) + 1
    return number, f"logvol{number}.txt"


def _changed(text: str, wanted: Data) -> str:
    try:
        new = changed(text, wanted)
    except tomllib.TOMLDecodeError:  # a name that was replaced is there twice
        new = None
    if new is None:
        raise LeagueError("not_editable")
    return new


def _canonical(edit: Edit) -> Edit:
    """Return the edit with all its texts in the form in which names are compared."""
    texts = {key: normalised(value) for key, value in _texts_of(edit).items()}
    return replace(edit, **texts)


def _as_written(edit: Edit, before: Data) -> Edit:
    """Return the edit with the player and the team as the file's headers write them."""
    headers: dict[str, Any] = {}
    for key, value in _texts_of(edit).items():
        if key not in ("player", "team"):
            continue
        for name in before.get(key, {}):
            if canonical_name(name) == value:
                headers[key] = name
    return replace(edit, **headers)


def _texts_of(edit: Edit) -> dict[str, str]:
    values = {field.name: getattr(edit, field.name) for field in fields(edit)}
    return {key: value for key, value in values.items() if isinstance(value, str)}


def _refuse_alias(before: Data, name: str) -> None:
    for player, table in before.get("player", {}).items():
        for alias in table.get("aliases", []):
            if name == (alias.get("name") if isinstance(alias, dict) else alias):
                raise LeagueError("alias_taken", name=name, player=player)
