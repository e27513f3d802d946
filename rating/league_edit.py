"""Changes of league.toml's text that keep every comment, the order, and all bytes they do not
concern.

`apply(text, edit)` makes the new text. An edit has three methods: `check` raises LeagueError where
it cannot be done, `change` changes the parsed data, `texts` proposes new texts. A text is taken
only when it parses to exactly the changed data and has lost no comment.

Texts are proposed the neatest first: the first ones usually change only the table's own lines, the
last ones go through the whole document, for files written in an unusual way.
"""

import copy
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import Field, asdict, dataclass, fields, replace
from datetime import date, datetime
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import String, StringType

from rating.league import Season
from rating.league_file import LeagueError, canonical, parse_league
from rating.names import canonical_name

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
        yield from with_table(text, ("season",), asdict(self))


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
        yield from _table_texts(
            text, before, "player", self.player, key="name", value=self.name or None
        )


@dataclass(frozen=True, slots=True)
class NewAlias:
    """Another name of a player on Tenhou, from the day of play `since` on where it is given. A
    player who is not in the file yet becomes a member."""

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
            yield from with_item(text, ("player", self.player), "aliases", self._value())
        else:
            yield from _table_texts(
                text, before, "player", self.player, key="aliases", value=[self._value()]
            )

    def _value(self) -> Any:
        return {"name": self.alias, "since": self.since} if self.since else self.alias


@dataclass(frozen=True, slots=True)
class TeamMembers:
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

    def texts(self, text: str, before: Data) -> Iterator[str]:
        yield from _table_texts(
            text, before, "team", self.team, key="members", value=list(self.members)
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A player who is forgotten: another name stands for all names of the player."""

    player: str
    new: str

    def check(self, before: Data) -> None:
        """Any player can be forgotten."""

    def change(self, data: Data) -> None:
        table = data["player"].pop(self.player)
        for key in ("name", "aliases"):
            table.pop(key, None)
        data["player"][self.new] = table
        for team in data.get("team", {}).values():
            if any(map(self._is_player, team.get("members", []))):
                team["members"] = [
                    self.new if self._is_player(name) else name for name in team["members"]
                ]

    def texts(self, text: str, before: Data) -> Iterator[str]:
        def drop(table: Any) -> None:
            for key in ("name", "aliases"):
                table.pop(key, None)

        teams = before.get("team", {}).values()
        members = {name for team in teams for name in team.get("members", [])}
        spellings = {self.player, *filter(self._is_player, members)}
        for new in _changed(text, ("player", self.player), drop):
            for name in spellings:
                new = new.replace(f'"{name}"', f'"{self.new}"')
                new = new.replace(f"'{name}'", f'"{self.new}"')
                new = new.replace(f"player.{name}]", f'player."{self.new}"]')
            yield new

    def _is_player(self, name: str) -> bool:
        return canonical_name(name) == canonical_name(self.player)


@dataclass(frozen=True, slots=True)
class Setting:
    """One of the file's top-level keys: `model`, `members_only` or `rooms`."""

    key: str
    value: str | bool | list[str]

    def check(self, before: Data) -> None:
        if before.get(self.key) == self.value:
            raise LeagueError("setting_same", key=self.key, value=self.value)

    def change(self, data: Data) -> None:
        data[self.key] = self.value

    def texts(self, text: str, before: Data) -> Iterator[str]:
        yield from with_key(text, (), self.key, self.value)


@dataclass(frozen=True, slots=True)
class TableRules:
    name: str

    def check(self, before: Data) -> None:
        table = before.get("rules", {}).get("table", {})
        if table == {"set": self.name}:
            raise LeagueError("setting_same", key="set", value=self.name)

    def change(self, data: Data) -> None:
        data.setdefault("rules", {})["table"] = {"set": self.name}

    def texts(self, text: str, before: Data) -> Iterator[str]:
        if "table" in before.get("rules", {}):
            yield from with_key(text, ("rules",), "table", {"set": self.name})
        else:
            yield from with_table(text, ("rules", "table"), {"set": self.name})


Edit = NewSeason | ShownName | NewAlias | TeamMembers | Setting | Forgotten | TableRules


def apply(
    text: str,
    edit: Edit,
    models: Sequence[str] = ("tenhou",),
) -> str:
    """The text after the edit.

    Raises LeagueError when it cannot be done, or the text not be used.
    """
    parse_league(text, models)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    windows = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    body = body.replace("\r\n", "\n") if windows else body
    before = tomllib.loads(body)
    edit = _canonical_edit(edit)
    edit.check(canonical(before))
    edit = _as_written(edit, before)
    wanted = copy.deepcopy(before)
    edit.change(wanted)
    remarks = comments(body)
    for new in edit.texts(body, before):
        with suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(new) == wanted and not remarks - comments(new):
                new = mark + (new.replace("\n", "\r\n") if windows else new)
                parse_league(new, models)
                return new
    raise LeagueError("not_editable")


def _canonical_edit(edit: Edit) -> Edit:
    names = {field.name: canonical(value) for field, value in _texts_of(edit)}
    return replace(edit, **names)


def _as_written(edit: Edit, before: Data) -> Edit:
    """The edit with the player and the team as the file's headers write them."""
    written: dict[str, Any] = {}
    for field, value in _texts_of(edit):
        if field.name not in ("player", "team"):
            continue
        for name in before.get(field.name, {}):
            if canonical_name(name) == value:
                written[field.name] = name
    return replace(edit, **written)


def _texts_of(edit: Edit) -> list[tuple[Field[Any], Any]]:
    """The fields of an edit that are texts, with their values."""
    values = [(field, getattr(edit, field.name)) for field in fields(edit)]
    return [(field, value) for field, value in values if isinstance(value, str)]


def next_season(seasons: Sequence[Season]) -> tuple[int, str]:
    number = max((season.number for season in seasons), default=0) + 1
    return number, f"logvol{number}.txt"


def _table_texts(
    text: str, before: Data, kind: str, name: str, key: str, value: Any
) -> Iterator[str]:
    if name in before.get(kind, {}):
        if value is not None:
            yield from with_key(text, (kind, name), key, value)
    else:
        yield from with_table(text, (kind, name), {} if value is None else {key: value})


def _refuse_alias(before: Data, name: str) -> None:
    for player, table in before.get("player", {}).items():
        for alias in table.get("aliases", []):
            if name == (alias.get("name") if isinstance(alias, dict) else alias):
                raise LeagueError("alias_taken", name=name, player=player)


KINDS: dict[str, Callable[..., Edit]] = {
    kind.__name__: kind
    for kind in (NewSeason, ShownName, NewAlias, TeamMembers, Setting, TableRules)
}
"""The edits by name, for whoever keeps one between the question and the answer."""


Path = tuple[str, ...]
_HEADER = re.compile(r"^\s*\[")
_TOKEN = re.compile(
    # what is not closed goes on to its end, so that it is read once
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*+"?|'
    r"'[^'\n]*'|"
    r"(?P<comment>#[^\n]*)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\"\\\x00-\x1f\x7f]*")


def written(value: Any) -> str:
    """A value as TOML text."""
    if isinstance(value, str):
        if _PLAIN.fullmatch(value):
            return f'"{value}"'
        return String.from_raw(value, StringType.SLB).as_string()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(tomlkit.item(value).as_string())


def comments(text: str) -> Counter[str]:
    """Every comment of the text, from its `#` to the line's end; a `#` inside a string begins
    none.
    """
    remarks = (token["comment"] for token in _TOKEN.finditer(text))
    return Counter(remark.rstrip() for remark in remarks if remark)


def with_table(
    text: str,
    path: Path,
    values: dict[str, Any],
) -> Iterator[str]:
    """Texts with a new table `[kind."name"]` (or `[[kind]]`). It goes after the last table of its
    kind, at the end, or inside an inline table."""
    kind, *name = path
    lines = _lines(text)
    header = f"[{kind}.{written(name[0])}]" if name else f"[[{kind}]]"
    new = f"{header}\n"
    for key, value in values.items():
        new += f"{key} = {written(value)}\n"
    headers = [i for i, line in enumerate(lines) if _kind(line) == kind]
    if headers:
        last = headers[-1]
        end = _next_header(lines, last + 1)
        while end > last + 1 and _is_idle(lines[end - 1]):
            end -= 1
        before = _ended("".join(lines[:end]))
        after = "".join(lines[end:])
        yield f"{before}\n{new}{after}"
    gap = ""
    if text.strip() and not text.endswith("\n\n"):
        gap = "\n"
    yield _ended(text) + gap + new
    if name:
        yield from with_key(text, (kind,), name[0], values)
    else:
        yield from with_item(text, (), kind, values)


def with_key(text: str, path: Path, key: str, value: Any) -> Iterator[str]:
    """Texts with a key set in the table at `path`; the empty path stands for the top-level keys."""

    def change(table: Any) -> None:
        table[key] = tomlkit.parse(f"x = {written(value)}")["x"]

    start, end = _block(text, path)
    lines = _lines(text)
    pattern = re.compile(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=")
    if start is not None and not any(map(pattern.match, lines[start:end])):
        at = end
        while at > start and _is_idle(lines[at - 1]):
            at -= 1
        if at == start and not path:  # only comments: insert below them
            at = end
        before = _ended("".join(lines[:at]))
        after = "".join(lines[at:])
        gap = "\n" if not path and after.lstrip(" \t").startswith("[") else ""
        yield f"{before}{key} = {written(value)}\n{gap}{after}"
    yield from _changed(text, path, change)


def with_item(text: str, path: Path, key: str, value: Any) -> Iterator[str]:
    """Texts with an item added to the list `key` of the table at `path`."""

    def change(table: Any) -> None:
        table[key].append(tomlkit.parse(f"x = {written(value)}")["x"])

    def rewrite(table: Any) -> None:
        table[key] = tomlkit.parse(f"x = {written([*table[key].unwrap(), value])}")["x"]

    yield from _changed(text, path, change)
    yield from _changed(text, path, rewrite)


def _changed(
    text: str,
    path: Path,
    change: Callable[[Any], None],
) -> Iterator[str]:
    """Texts with the table's own lines changed, then with the whole document changed."""
    lines = _lines(text)
    start, end = _block(text, path)
    if start is not None:
        first = start - 1 if path else 0
        own = "".join(lines[first:end])
        if (inner := _edited(own, path, change)) is not None:
            before = "".join(lines[:first])
            after = "".join(lines[end:])
            yield before + inner + after
            yield before + _remarked(inner, comments(own) - comments(inner), bool(path)) + after
    if (whole := _edited(text, path, change)) is not None:
        yield whole
        yield _remarked(whole, comments(text) - comments(whole), False)


def _remarked(text: str, remarks: Counter[str], below_header: bool) -> str:
    """The text with comments that stood inside a value put on their own lines above the keys."""
    header: list[str] = []
    lines = _lines(text)
    if below_header:
        header = lines[:1]
        lines = lines[1:]
    return "".join([*header, *(f"{remark}\n" for remark in remarks.elements()), *lines])


def _edited(
    text: str,
    path: Path,
    change: Callable[[Any], None],
) -> str | None:
    try:
        document = tomlkit.parse(text)
        table: Any = document
        for name in path:
            table = table[name]
        change(table)
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _block(text: str, path: Path) -> tuple[int | None, int]:
    """The lines of the table at `path` below its header, as indexes; (None, 0) without an own
    header.
    """
    lines = _lines(text)
    if not path:
        return 0, _next_header(lines, 0)
    for start, line in enumerate(lines, 1):
        if _path(line) == path:
            return start, _next_header(lines, start)
    return None, 0


def _next_header(lines: list[str], start: int) -> int:
    """The index of the first header line from `start` on; the number of lines where there is
    none.
    """
    for index in range(start, len(lines)):
        if _HEADER.match(lines[index]):
            return index
    return len(lines)


def _kind(line: str) -> str:
    """The first part of the path that a header line names, "" for other lines."""
    path = _path(line)
    return path[0] if path else ""


def _path(line: str) -> Path | None:
    """The path that a header line names, None for other lines."""
    if not _HEADER.match(line):
        return None
    try:
        data: Any = tomlkit.parse(line).unwrap()
    except (TOMLKitError, ValueError):
        return None
    path = []
    while isinstance(data, dict) and len(data) == 1:
        name, data = next(iter(data.items()))
        path.append(name)
    return tuple(path)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _is_idle(line: str) -> bool:
    """Whether the line is blank, or begins with a comment, which belongs to what follows."""
    return not line.strip() or line.startswith("#")


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
