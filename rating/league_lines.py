"""Where in league.toml's text something stands: a fault's line, and keys that mean nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

_AT_LINE = re.compile(r" ?\(at (?:line ([0-9]+), column [0-9]+|end of document)\)$")
KEYS = {
    "season": ("name", "log", "start", "chip"),
    "player": ("name", "aliases", "rating", "games", "guest"),
    "team": ("members",),
    "rules": ("chip", "uma", "start", "return"),
}


@dataclass(frozen=True, slots=True)
class StrangeKey:
    """A key inside a table that is none of league.toml's: its line (0 where it can't be told), where it stands, and the key it
    may be meant for ("" for none)."""

    line: int
    where: str
    key: str
    meant: str


def line_of(reason: str, text: str) -> int:
    """The line a LeagueError's reason speaks of (from 1), 0 where it can't be told."""
    if found := _AT_LINE.search(reason):
        return int(found[1]) if found[1] else text.count("\n") + 1
    words = reason.removeprefix("league.toml: ")
    lines = text.split("\n")
    if season := re.match(r"\[\[season\]\] ([0-9]+)(?: (\w+))?", words):
        heads = [i for i, line in enumerate(lines) if re.match(r"\s*\[\[\s*season", line)]
        at = heads[int(season[1]) - 1] if int(season[1]) <= len(heads) else -1
        return _key_line(lines, at, season[2])
    if table := re.match(r"(\[(?:player|team|rules)(?:\.\".+?\")?\])(?: (\w+))?", words):
        at = next((i for i, line in enumerate(lines) if _header(line) == _header(table[1])), -1)
        return _key_line(lines, at, table[2])
    key = re.match(r"(?:unknown key ')?(\w+)", words)
    pattern = rf"\s*(?:\[+\s*)?\"?{key[1]}\b" if key else r"$^"
    return next((i for i, line in enumerate(lines, 1) if re.match(pattern, line)), 0)


def strange_keys(text: str) -> list[StrangeKey]:
    """Keys that are read by nobody, in the tables of a league.toml that can be read otherwise."""
    try:
        data = tomllib.loads(text.lstrip("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    found = []
    for kind, where, table in _tables(data):
        for key in table:
            if key not in KEYS[kind]:
                meant = next(iter(get_close_matches(key, KEYS[kind], 1, 0.6)), "")
                found.append(StrangeKey(line_of(f"{where} {key}", text), where, key, meant))
    return found


def _tables(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Kind, place and content of every table."""
    seasons = data.get("season")
    for number, table in enumerate(seasons if isinstance(seasons, list) else [], 1):
        if isinstance(table, dict):
            yield "season", f"[[season]] {number}", table
    for kind in ("player", "team"):
        named = data.get(kind)
        for name, table in (named if isinstance(named, dict) else {}).items():
            if isinstance(table, dict):
                yield kind, f'[{kind}."{name}"]', table
    if isinstance(rules := data.get("rules"), dict):
        yield "rules", "[rules]", rules


def _header(line: str) -> str:
    """A table's header without what may vary: spaces, quotes, a remark."""
    found = re.match(r"\s*\[\s*([^\[\]#]+?)\s*\]", line)
    return re.sub(r"[\s\"']", "", found[1]) if found else ""


def _key_line(lines: list[str], head: int, key: str | None) -> int:
    """The line of a key below a header, else the header's."""
    for i in range(head + 1, len(lines) if head >= 0 and key else 0):
        if lines[i].lstrip().startswith("["):
            break
        if re.match(rf"\s*[\"']?{key}\b", lines[i]):
            return i + 1
    return head + 1
