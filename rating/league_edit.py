"""Changes of league.toml's text that keep every comment, the order, and all bytes they do not concern.

`apply(text, edit)` makes the new text. An edit has three methods: `check` raises LeagueError where it cannot
be done, `change` changes the parsed data, `texts` proposes new texts. A text is taken only when it parses to
exactly the changed data and has lost no comment.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from rating import league_text
from rating.league import Season
from rating.league_faults import LeagueError
from rating.league_file import parse_league

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewSeason:
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

    def texts(self, text: str, before: Data) -> Iterator[str]:
        yield from league_text.with_table(text, ("season",), asdict(self))


@dataclass(frozen=True, slots=True)
class ShownName:
    """The name shown for a player. A player who is not in the file yet becomes a member."""

    player: str
    name: str

    def check(self, before: Data) -> None:
        known = before.get("player", {})
        if self.player not in known:
            _refuse_alias(before, self.player)
        elif not self.name or known[self.player].get("name", "") == self.name:
            raise LeagueError("member_already", player=self.player)

    def change(self, data: Data) -> None:
        table = data.setdefault("player", {}).setdefault(self.player, {})
        if self.name:
            table["name"] = self.name

    def texts(self, text: str, before: Data) -> Iterator[str]:
        yield from _table_texts(text, before, "player", self.player, key="name", value=self.name or None)


@dataclass(frozen=True, slots=True)
class NewAlias:
    """Another name of a player on Tenhou, from the day of play `since` on where it is given.

    A player who is not in the file yet becomes a member.
    """

    player: str
    alias: str
    since: date | None = None

    def check(self, before: Data) -> None:
        if self.alias in before.get("player", {}) or self.alias == self.player:
            raise LeagueError("own_name", name=self.alias)
        if self.player not in before.get("player", {}):
            _refuse_alias(before, self.player)
        _refuse_alias(before, self.alias)

    def change(self, data: Data) -> None:
        table = data.setdefault("player", {}).setdefault(self.player, {})
        table["aliases"] = [*table.get("aliases", []), self._value()]

    def texts(self, text: str, before: Data) -> Iterator[str]:
        known = before.get("player", {}).get(self.player, {})
        if "aliases" in known:
            path = ("player", self.player)
            yield from league_text.with_item(text, path, "aliases", self._value())
        else:
            yield from _table_texts(text, before, "player", self.player, key="aliases", value=[self._value()])

    def _value(self) -> Any:
        return {"name": self.alias, "since": self.since} if self.since else self.alias


@dataclass(frozen=True, slots=True)
class TeamMembers:
    """The members of a team. A team that is not in the file yet is added."""

    team: str
    members: tuple[str, ...]

    def check(self, before: Data) -> None:
        teams = before.get("team", {})
        if self.team in teams and teams[self.team].get("members", []) == list(self.members):
            raise LeagueError("team_same", team=self.team)
        for name, table in teams.items():
            for member in self.members:
                if name != self.team and member in table.get("members", []):
                    raise LeagueError("team_taken", player=member, team=name)

    def change(self, data: Data) -> None:
        data.setdefault("team", {}).setdefault(self.team, {})["members"] = list(self.members)

    def texts(self, text: str, before: Data) -> Iterator[str]:
        yield from _table_texts(text, before, "team", self.team, key="members", value=list(self.members))


@dataclass(frozen=True, slots=True)
class Setting:
    """One of the file's top-level keys: `model` or `members_only`."""

    key: str
    value: str | bool

    def check(self, before: Data) -> None:
        if before.get(self.key) == self.value:
            raise LeagueError("setting_same", key=self.key, value=self.value)

    def change(self, data: Data) -> None:
        data[self.key] = self.value

    def texts(self, text: str, before: Data) -> Iterator[str]:
        yield from league_text.with_key(text, (), self.key, self.value)


Edit = NewSeason | ShownName | NewAlias | TeamMembers | Setting


def apply(text: str, edit: Edit, models: Sequence[str] = ("tenhou",)) -> str:
    """The text after the edit.

    Raises LeagueError when the edit cannot be done, or when the text cannot be used before or after it.
    """
    parse_league(text, models)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    windows = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    body = body.replace("\r\n", "\n") if windows else body
    before = tomllib.loads(body)
    edit.check(before)
    wanted = copy.deepcopy(before)
    edit.change(wanted)
    remarks = league_text.comments(body)
    for new in edit.texts(body, before):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(new) == wanted and not remarks - league_text.comments(new):
                new = mark + (new.replace("\n", "\r\n") if windows else new)
                parse_league(new, models)
                return new
    raise LeagueError("not_editable")


def next_season(seasons: Sequence[Season]) -> tuple[int, str]:
    """The number and the log of the season after the known ones."""
    number = max((season.number for season in seasons), default=0) + 1
    return number, f"logvol{number}.txt"


def _table_texts(text: str, before: Data, kind: str, name: str, key: str, value: Any) -> Iterator[str]:
    """Texts with a key set in the table `[kind."name"]`, which is added where it is missing."""
    if name in before.get(kind, {}):
        if value is not None:
            yield from league_text.with_key(text, (kind, name), key, value)
    else:
        yield from league_text.with_table(text, (kind, name), {} if value is None else {key: value})


def _refuse_alias(before: Data, name: str) -> None:
    """Raise LeagueError when the name is some player's alias, on whatever days."""
    for player, table in before.get("player", {}).items():
        for alias in table.get("aliases", []):
            if name == (alias.get("name") if isinstance(alias, dict) else alias):
                raise LeagueError("alias_taken", name=name, player=player)


KINDS: dict[str, Callable[..., Edit]] = {
    kind.__name__: kind for kind in (NewSeason, ShownName, NewAlias, TeamMembers, Setting)
}
"""The edits by name, for whoever keeps one between the question and the answer."""
