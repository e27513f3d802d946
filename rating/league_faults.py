"""What can be wrong with league.toml or an edit of it: a code, the place, the values of its sentence.

The sentences for the admin at a terminal are here in English, in bot/locale in Japanese; those for LINE are
in `bot.answers.admin.faults`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from gettext import gettext

LEAGUE_FILE = "league.toml"
LONG = 300  # characters of a value in a sentence
WORDS = {
    "syntax": "{words}",
    "brackets": "too many brackets within each other",
    "digits": "a number has too many digits",
    "value": "a value can't be read: {words}",
    "not_text": "some bytes are no text: save the file as UTF-8",
    "too_large": "{words}",
    "unknown_key": "unknown key {key!r} (known: {known})",
    "unknown_model": "model {model!r} is none of {models}",
    "kind": "{place} must be {wanted}, not {value!r}",
    "not_a_table": "{place} must be a table",
    "room": "rooms: {room!r} is no Tenhou room (L or C and four digits)",
    "log_name": "{place}: {log!r} is not of the form logvolN.txt",
    "log_taken": "{place}: {log} is another season's already",
    "alias_form": "{place}: {value!r} is neither a name nor a table with one",
    "name_taken": "{place}: {name} is {owner} already",
    "season_end": "{place}: {end} is before the season's start {start}",
    "season_order": "the season before starts on {day}, not before {start}",
    "member_already": "{player} is a member already",
    "own_name": "{name} is a player's own name",
    "alias_taken": "{name} is an alias of {player} already",
    "team_same": "the team {team} is so already",
    "team_taken": "{player} is in the team {team} already",
    "setting_same": "{key} is {value} already",
    "not_editable": "the file is written in a way that can't be edited here; please edit it by hand",
}
KINDS = {
    "text": "a text",
    "truth": "true or false",
    "list": "a list",
    "table": "a table",
    "whole": "a whole number",
    "number": "a number",
    "size": "a number of a usual size",
    "positive": "0 or more",
    "texts": "a list of texts",
    "uma": "3 or 4 numbers",
    "date": "a date such as 2020-07-01",
}
"""What a value must be, for the code `kind`: the word for programs, and in English."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the file: a table (`kind`, with its number or name) and a key in it; either may be missing.

    `kind` is "" for the top-level keys, else season, player, team or rules. Seasons are numbered from 1.
    """

    kind: str = ""
    name: str | int = ""
    key: str = ""

    @property
    def table(self) -> str:
        """The table as the file's header writes it: `[[season]] 2`, `[player."みどり一色"]`, `[rules]`."""
        if self.kind == "season":
            return f"[[season]] {self.name}"
        if self.kind in ("player", "team"):
            return f'[{self.kind}."{self.name}"]'
        return f"[{self.kind}]" if self.kind else ""

    def at(self, key: str) -> Place:
        """The place of a key of this table."""
        return Place(self.kind, self.name, key)

    def __str__(self) -> str:
        return f"{self.table} {self.key}".strip()


class LeagueError(ValueError):
    """league.toml, or an edit of it, cannot be used. `code`: a key of WORDS; `values` fill its sentence.

    `line` is the line of a TOML error (from 1), or 0 where only the place is known.
    """

    def __init__(self, code: str, place: Place | None = None, line: int = 0, **values: object) -> None:
        self.code = code
        self.place = place or Place()
        self.line = line
        self.values = {name: _short(value) for name, value in values.items()}
        super().__init__(f"{LEAGUE_FILE}: {self.reason}")

    @property
    def reason(self) -> str:
        """The sentence without the file's name."""
        values = self.values
        if self.code == "kind":
            values = {**values, "wanted": gettext(KINDS[str(values["wanted"])])}
        return gettext(WORDS[self.code]).format(place=self.place, **values)


def _short(value: object) -> object:
    """A value as a sentence can hold it: the beginning of a long one, three dots without decimal form."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):
        return "…"
    return value if len(text) <= LONG else text[:LONG] + "…"


def syntax_error(error: tomllib.TOMLDecodeError, text: str) -> LeagueError:
    """A TOML error as a LeagueError, with its line."""
    words = str(error)
    _, at, place = words.partition("(at line ")
    line = int(place.partition(",")[0]) if at else text.count("\n") + 1
    return LeagueError("syntax", line=line, words=words)
