"""Find lines in league.toml's text: where a fault is, and which keys mean nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rating.league_faults import LeagueError, Place

KEYS = {
    "season": ("name", "log", "start", "chip", "games", "end"),
    "player": ("name", "aliases", "rating", "games", "guest"),
    "team": ("members",),
    "rules": ("chip", "uma", "start", "return", "qualifying"),
}


@dataclass(frozen=True, slots=True)
class StrangeKey:
    """A key inside a table that league.toml does not know.

    `line` counts from 1, 0: not found. `where` is the table. `meant` is the key that may be meant, or "".
    """

    line: int
    where: str
    key: str
    meant: str


def line_of(error: LeagueError, text: str) -> int:
    """The line of a LeagueError (from 1), 0 where it cannot be found."""
    return error.line or line_at(error.place, text)


def line_at(place: Place, text: str) -> int:
    """The line of a place in the file (from 1), 0 where it cannot be found."""
    lines = text.split("\n")
    key = place.key.partition(" ")[0]
    if place.kind == "season":
        heads = [i for i, line in enumerate(lines) if re.match(r"\s*\[\[\s*season", line)]
        number = int(place.name)
        return _key_line(lines, heads[number - 1] if number <= len(heads) else -1, key)
    if place.kind:
        wanted = _header(place.table)
        return _key_line(lines, next((i for i, line in enumerate(lines) if _header(line) == wanted), -1), key)
    if not key:
        return 0
    pattern = rf"\s*(?:\[+\s*)?\"?{re.escape(key)}\b"
    return next((i for i, line in enumerate(lines, 1) if re.match(pattern, line)), 0)


def strange_keys(text: str) -> list[StrangeKey]:
    """The keys inside tables that mean nothing; none where the text is no TOML."""
    try:
        data = tomllib.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return []
    found = []
    for place, table in _tables(data):
        for key in table:
            if key not in KEYS[place.kind]:
                meant = next(iter(get_close_matches(key, KEYS[place.kind], 1, 0.6)), "")
                found.append(StrangeKey(line_at(place.at(key), text), place.table, key, meant))
    return found


def _tables(data: Mapping[str, Any]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """The place and the content of every table."""
    seasons = data.get("season")
    for number, table in enumerate(seasons if isinstance(seasons, list) else [], 1):
        if isinstance(table, dict):
            yield Place("season", number), table
    for kind in ("player", "team"):
        named = data.get(kind)
        for name, table in (named if isinstance(named, dict) else {}).items():
            if isinstance(table, dict):
                yield Place(kind, name), table
    if isinstance(rules := data.get("rules"), dict):
        yield Place("rules"), rules


def _header(line: str) -> str:
    """A table's header without what may vary: spaces, quotes, a comment."""
    found = re.match(r"\s*\[([^\[\]#]+)\]", line)
    return re.sub(r"[\s\"']", "", found[1]) if found else ""


def _key_line(lines: list[str], head: int, key: str) -> int:
    """The line (from 1) of a key below the header with index `head`, else the header's line."""
    for i in range(head + 1, len(lines) if head >= 0 and key else 0):
        if lines[i].lstrip().startswith("["):
            break
        if re.match(rf"\s*[\"']?{re.escape(key)}\b", lines[i]):
            return i + 1
    return head + 1
