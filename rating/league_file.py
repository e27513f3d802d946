"""Read league.toml and rating.txt: each fault has its place, and its line in the text.

FIELDS lists the keys of each table with the kinds of their values; the functions that build a
league from the values check the rest. A fault has a code, the place and the values of its sentence;
the sentences are here in English, in bot/locale in Japanese for the admin at a terminal, and for
LINE in `bot.answers.admin.faults`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from difflib import get_close_matches
from gettext import gettext
from operator import attrgetter
from typing import Any, NamedTuple

from rating.dan import grades_of
from rating.encoding import EncodingError, as_utf8
from rating.games import LIMIT
from rating.league import LOG_NAME, Alias, League, Player, Rules, Season, Team
from rating.logdates import JST
from rating.names import LONGEST_NAME, canonical_name, visible_text
from rating.roomlog import OTHER_ROOMS

LEAGUE_FILE = "league.toml"
LONG = 300  # characters of a value in a sentence
BEGIN = 20  # characters of a name that is too long
WORDS = {
    "syntax": "{words}",
    "brackets": "too many brackets within each other",
    "digits": "a number has too many digits",
    "value": "a value can't be read: {words}",
    "not_text": "some bytes are no text: save the file as UTF-8",
    "too_large": "{words}",
    "long_name": "the name {begin}… has {count} characters, more than {most}",
    "unknown_key": "unknown key {key!r} (known: {known})",
    "unknown_model": "model {model!r} is none of {models}",
    "kind": "{place} must be {wanted}, not {value!r}",
    "not_a_table": "{place} must be a table",
    "rule_set": "{place}: there is no set of rules {name!r} ({known})",
    "room": "rooms: {room!r} is neither a Tenhou room (L or C and four digits) nor {others}",
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
    "ties": '"seat" or "shared"',
    "apart": '"apart"',
    "dan": '"tenhou" or a table: points (3 or 4 numbers) and levels ([name, begin, goal])',
}
"""What a value must be, for the code `kind`: by its name in the code, in English."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the file: a table (`kind`, with its number or name) and a key in it; either may be
    missing. `kind` is "" for the top-level keys, else season, player, team, ruleset, rules or table
    (the rules of games at a table). Seasons are numbered from 1."""

    kind: str = ""
    name: str | int = ""
    key: str = ""

    @property
    def table(self) -> str:
        """The table as the file's header writes it:

        `[[season]] 2`, `[player."みどり一色"]`, `[rules]`.
        """
        if self.kind == "season":
            return f"[[season]] {self.name}"
        if self.kind in ("player", "team", "ruleset"):
            return f'[{self.kind}."{self.name}"]'
        if self.kind == "table":
            return "[rules.table]"
        return f"[{self.kind}]" if self.kind else ""

    def at(self, key: str) -> Place:
        return Place(self.kind, self.name, key)

    def __str__(self) -> str:
        return f"{self.table} {self.key}".strip()


class LeagueError(ValueError):
    """league.toml, or an edit of it, cannot be used. `code`: a key of WORDS; `values`: those of its
    sentence. `line`: the line of a TOML error (from 1), or 0 where only the place is known."""

    def __init__(
        self, code: str, place: Place | None = None, line: int = 0, **values: object
    ) -> None:
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
    """A value for a sentence: the beginning of a long one, three dots for one that cannot be
    printed."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):
        return "…"
    return value if len(text) <= LONG else text[:LONG] + "…"


LONGEST_LOG = 100  # characters of a log's name
YEARS = range(1900, 2200)  # what a date's year may be
FIELDS: dict[str, dict[str, tuple[str, Any]]] = {
    "": {
        **dict.fromkeys(("career", "digest", "evening", "members_only", "quiz"), ("truth", False)),
        "dan": ("dan", None),
        "model": ("text", "tenhou"),
        "name": ("name", ""),
        "player": ("table", {}),
        "rooms": ("texts", ()),
        "rules": ("table", {}),
        "ruleset": ("table", {}),
        "season": ("list", []),
        "table": ("apart", ""),
        "team": ("table", {}),
    },
    "season": {
        "name": ("name", ""),
        "log": ("text", None),
        "start": ("date", None),
        "chip": ("number", None),
        "games": ("positive", None),
        "end": ("date", None),
    },
    "player": {
        "name": ("name", ""),
        "aliases": ("list", []),
        "rating": ("number", None),
        "games": ("positive", 0),
        "guest": ("truth", False),
    },
    "team": {"members": ("names", ())},
    "rules": {
        "chip": ("number", 0.0),
        "uma": ("list", []),
        "start": ("whole", 0),
        "return": ("whole", 0),
        "oka": ("number", None),
        "ties": ("ties", None),
        "qualifying": ("positive", None),
        "set": ("text", ""),
        "table": ("table", {}),
    },
}
"""The keys of each kind of table ("" is the file itself), each with its value's kind and default.
"""
_SCORING_KEYS = ("uma", "start", "return", "oka", "ties")
FIELDS["ruleset"] = {key: FIELDS["rules"][key] for key in _SCORING_KEYS}
FIELDS["table"] = FIELDS["ruleset"] | {"set": FIELDS["rules"]["set"]}
_TYPES: dict[str, Any] = {
    "text": str,
    "name": str,
    "truth": bool,
    "list": list,
    "texts": list,
    "names": list,
    "ties": str,
    "apart": str,
    "table": dict,
    "whole": int,
    "positive": int,
}
_SIMPLER = {"name": "text", "texts": "list", "names": "list", "positive": "whole"}
"""The kinds that a fault names where not even the type of a value fits."""
TIES = ("seat", "shared")
_CHOICES = {"ties": TIES, "apart": ("apart",)}
SETS = {
    "天鳳": Rules(),
    "Mリーグ": Rules(
        uma=(30.0, 10.0, -10.0, -30.0),
        start=25_000,
        return_=30_000,
        oka=20.0,
        ties="shared",
    ),
    "三麻": Rules(
        uma=(20.0, 0.0, -20.0),
        start=35_000,
        return_=40_000,
        oka=15.0,
    ),
}
"""Sets of rules by name; 天鳳 has the defaults (rating.scoring)."""
_ROOM = re.compile(rf"^(?:[LC][0-9]{{4}}|{'|'.join(OTHER_ROOMS)})$")


class TableRow(NamedTuple):
    """A table of the file: its place, and its values by key, checked and with defaults."""

    place: Place
    values: dict[str, Any]


class StartRating(NamedTuple):
    """A player's rating and number of games before the first game."""

    rating: float
    games: int


class OddLine(NamedTuple):
    """The number (from 1) and the text of a line that cannot be read."""

    number: int
    text: str


def parse_league(text: str, models: Sequence[str] = ("tenhou",)) -> League:
    """The league that league.toml's text describes. `models`: the names of the rating systems.
    Raises LeagueError, with the place and the reason, when the file cannot be used."""
    try:
        return _league(normalised(tomllib.loads(text.lstrip("\ufeff"))), models)
    except LeagueError:
        raise
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (?P<line>\d+)", str(error))
        line = int(place["line"]) if place else text.count("\n") + 1
        raise LeagueError("syntax", line=line, words=str(error)) from None
    except RecursionError:
        raise LeagueError("brackets") from None
    except Exception as error:
        # Any failure over a value is a fault of the file: the last good file stays in use.
        line = _line_of_long_number(text)
        if line:
            raise LeagueError("digits", line=line) from None
        raise LeagueError("value", words=f"{type(error).__name__}: {error}") from None


def _line_of_long_number(text: str) -> int:
    """The first line (from 1) with more digits than Python reads as a number, 0 for none."""
    for number, line in enumerate(text.split("\n"), 1):
        if sum(map(str.isdigit, line)) > sys.get_int_max_str_digits():
            return number
    return 0


def normalised(value: Any) -> Any:
    """Parsed TOML with all keys and texts normalised. Tables whose names become equal are merged:
    lists are joined, of other values the first counts."""
    if isinstance(value, str):
        return canonical_name(value)
    if isinstance(value, list):
        return [normalised(item) for item in value]
    if not isinstance(value, dict):
        return value
    result: dict[str, Any] = {}
    for key, item in value.items():
        name = canonical_name(key)
        normalised_item = normalised(item)
        if name in result:
            normalised_item = _joined(result[name], normalised_item)
        result[name] = normalised_item
    return result


def _joined(first: Any, second: Any) -> Any:
    if isinstance(first, dict) and isinstance(second, dict):
        shared_keys = first.keys() & second.keys()
        joined = {key: _joined(first[key], second[key]) for key in shared_keys}
        return {**second, **first, **joined}
    if isinstance(first, list) and isinstance(second, list):
        return first + [item for item in second if item not in first]
    return first


def decoded(data: bytes) -> str:
    """league.toml's bytes as text; TOML is UTF-8, but editors also save it as Shift-JIS or UTF-16.
    Raises LeagueError when the bytes are none of these, or UTF-8 with broken bytes."""
    try:
        text = as_utf8(data)
    except EncodingError:
        raise LeagueError("not_text") from None
    if text.broken:
        raise LeagueError("not_text")
    return text.data.decode("utf-8")


def _league(data: dict[str, Any], models: Sequence[str]) -> League:
    settings = _settings(data, models)
    rows: dict[str, list[TableRow]] = {kind: [] for kind in FIELDS}
    for place, table in _tables(data):
        _check_length(str(place.name), place)
        rows[place.kind].append(TableRow(place, _values(table, place)))
    sets = dict(SETS)
    for place, values in rows["ruleset"]:
        sets[str(place.name)] = _scored(Rules(), place, values, {})
    return League(
        **settings,
        seasons=_seasons(rows["season"]),
        players=_players(rows["player"]),
        teams=_teams(rows["team"]),
        rules=_rules(rows["rules"], rows["table"], sets),
        sets=tuple(sets),
    )


def _settings(
    data: dict[str, Any],
    models: Sequence[str],
) -> dict[str, Any]:
    """The values of the top-level keys that are fields of League, without its tables."""
    fields = FIELDS[""]
    for key in data:
        if key not in fields:
            raise LeagueError("unknown_key", Place(key=key), key=key, known=", ".join(fields))
    values = _values(data, Place())
    model = values["model"]
    if model not in models:
        raise LeagueError(
            "unknown_model", Place(key="model"), model=model, models=", ".join(models)
        )
    for room in values["rooms"]:
        if not _ROOM.match(room):
            raise LeagueError("room", Place(key="rooms"), room=room, others=", ".join(OTHER_ROOMS))
    nested = ("table", "list")
    keys = [key for key, (kind, _) in fields.items() if kind not in nested]
    return {key: values[key] for key in keys}


def _values(table: Any, place: Place) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise LeagueError("not_a_table", place)
    return {
        key: _checked(table[key], kind, place.at(key)) if key in table else default
        for key, (kind, default) in FIELDS[place.kind].items()
    }


def _check_size(value: float, kind: str, place: Place) -> None:
    if not abs(value) <= LIMIT:
        raise LeagueError("kind", place, wanted="size", value=value)
    if kind == "positive" and value < 0:
        raise LeagueError("kind", place, wanted="positive", value=value)


def _checked(value: Any, kind: str, place: Place) -> Any:
    """A value of a kind: dates as by `_moment`, grades as by `grades_of`, lists of texts as a
    tuple, others unchanged. Raises LeagueError for a value of another kind."""
    if kind == "date":
        return _moment(value, place)
    if kind == "dan":
        grades = grades_of(value)
        if grades is None:
            raise LeagueError("kind", place, wanted=kind, value=value)
        return grades
    fits = isinstance(value, _TYPES.get(kind, (int, float)))
    if not fits or isinstance(value, bool) != (kind == "truth"):
        raise LeagueError("kind", place, wanted=_SIMPLER.get(kind, kind), value=value)
    if isinstance(value, (int, float)):
        _check_size(value, kind, place)
    if kind in _CHOICES and value not in _CHOICES[kind]:
        raise LeagueError("kind", place, wanted=kind, value=value)
    if kind == "name":
        _check_length(value, place)
        return visible_text(value)
    if kind in ("texts", "names"):
        return _texts(value, kind, place)
    return value


def _texts(
    value: list[Any],
    kind: str,
    place: Place,
) -> tuple[str, ...]:
    """A list of texts as a tuple. "names" are those of players on Tenhou, who are known by every
    character of it: invisible ones stay, unlike in a "name", which is only shown. Raises
    LeagueError for another value in the list, and for a name that is too long."""
    if not all(isinstance(text, str) for text in value):
        raise LeagueError("kind", place, wanted="texts", value=value)
    if kind == "names":
        for name in value:
            _check_length(name, place)
    return tuple(value)


def _check_length(name: str, place: Place) -> None:
    if len(name) > LONGEST_NAME:
        raise LeagueError(
            "long_name", place, begin=name[:BEGIN], count=len(name), most=LONGEST_NAME
        )


def _moment(value: Any, place: Place) -> datetime | None:
    """A date (its midnight) or a date and time as JST, without a zone; one without a zone is in
    JST."""
    if value is None:
        return None
    if not isinstance(value, date) or value.year not in YEARS:
        raise LeagueError("kind", place, wanted="date", value=str(value))
    if not isinstance(value, datetime):
        return datetime.combine(value, time())
    moment: datetime = value
    if moment.tzinfo:
        moment = moment.astimezone(JST)
    return moment.replace(tzinfo=None)


def _seasons(rows: Sequence[TableRow]) -> tuple[Season, ...]:
    seasons: dict[str, Season] = {}
    for place, values in rows:
        log = f"logvol{place.name}.txt" if values["log"] is None else values["log"]
        match = LOG_NAME.match(log) if len(log) <= LONGEST_LOG else None
        if not match:
            raise LeagueError("log_name", place.at("log"), log=log)
        if log in seasons:
            raise LeagueError("log_taken", place.at("log"), log=log)
        start = values["start"]
        end = None
        if values["end"]:
            end = values["end"].date()
        if end and start and end < start.date():
            raise LeagueError("season_end", place.at("end"), end=end, start=start.date())
        number = int(match["number"])
        seasons[log] = Season(number, **values | {"log": log, "end": end})
    return tuple(sorted(seasons.values(), key=attrgetter("number")))


def _players(rows: Sequence[TableRow]) -> dict[str, Player]:
    """The players by name. Raises LeagueError where two of them share a name or an alias. Aliases
    with dates may be shared, because a name on Tenhou may pass from one player to another."""
    players = {}
    owner: dict[str, str] = {}
    for place, values in rows:
        tenhou = str(place.name)
        aliases = tuple(_alias(value, place) for value in values["aliases"])
        undated_aliases = [alias.name for alias in aliases if not alias.is_dated]
        for name in [tenhou, *undated_aliases]:
            if owner.setdefault(name, tenhou) != tenhou:
                raise LeagueError("name_taken", place, name=name, owner=owner[name])
        rating = None
        if values["rating"] is not None:
            rating = float(values["rating"])
        players[tenhou] = Player(tenhou, **values | {"aliases": aliases, "rating": rating})
    return players


def _teams(rows: Sequence[TableRow]) -> tuple[Team, ...]:
    return tuple(Team(str(place.name), values["members"]) for place, values in rows)


def _alias(value: Any, place: Place) -> Alias:
    name = value.get("name") if isinstance(value, dict) else value
    if isinstance(name, str):
        _check_length(name, place.at("aliases"))
    if isinstance(value, str):
        return Alias(value)
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise LeagueError("alias_form", place.at("aliases"), value=value)
    since, until = (
        _moment(value.get(key), place.at(f"aliases {key}")) for key in ("since", "until")
    )
    return Alias(
        value["name"],
        since.date() if since else None,
        until.date() if until else None,
    )


def _rules(
    rows: Sequence[TableRow],
    tables: Sequence[TableRow],
    sets: Mapping[str, Rules],
) -> Rules:
    """The rules, with those of games at a table, which are the same in what the file lacks for
    them; at most one row each."""
    rules = Rules()
    for place, values in rows:
        scored = _scored(rules, place, values, sets)
        rules = replace(scored, qualifying=values["qualifying"], chip=float(values["chip"]))
    for place, values in tables:
        rules = replace(rules, table=_scored(rules, place, values, sets))
    return rules


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= LIMIT


def _rules_of_set(name: str, rules: Rules, place: Place, sets: Mapping[str, Rules]) -> Rules:
    """The rules of a named set, with what sets do not have from `rules`."""
    if name not in sets:
        raise LeagueError("rule_set", place.at("set"), name=name, known=", ".join(sets))
    return replace(
        sets[name],
        named=name,
        chip=rules.chip,
        qualifying=rules.qualifying,
        table=rules.table,
    )


def _scored(
    rules: Rules,
    place: Place,
    values: dict[str, Any],
    sets: Mapping[str, Rules],
) -> Rules:
    """The rules with the points, uma and oka of a table of the file, and for what it lacks those
    of its set of rules, if any."""
    name = values.get("set")
    if name:
        rules = _rules_of_set(name, rules, place, sets)
    uma = values["uma"]
    oka = values["oka"]
    if not all(map(_is_number, uma)) or len(uma) not in (0, 3, 4):
        raise LeagueError("kind", place.at("uma"), wanted="uma", value=uma)
    return replace(
        rules,
        uma=tuple(map(float, uma)) or rules.uma,
        start=values["start"] or rules.start,
        return_=values["return"] or rules.return_,
        oka=rules.oka if oka is None else float(oka),
        ties=values["ties"] or rules.ties,
    )


@dataclass(frozen=True, slots=True)
class StrangeKey:
    """An unknown key inside a table of league.toml. `line` counts from 1 (0: unknown). `where`: the
    table. `meant`: a similar key that exists, or ""."""

    line: int
    where: str
    key: str
    meant: str


def line_of(error: LeagueError, text: str) -> int:
    """The line of a LeagueError (from 1), 0 where it cannot be found."""
    return error.line or _line_at(error.place, text)


def _line_at(place: Place, text: str) -> int:
    """The line of a place in the file (from 1), 0 where it cannot be found."""
    lines = canonical_name(text).split("\n")
    key = place.key.partition(" ")[0]
    if place.kind == "season":
        heads = [i for i, line in enumerate(lines) if re.match(r"\s*\[\[\s*season", line)]
        number = int(place.name)
        return _key_line(lines, heads[number - 1] if number <= len(heads) else -1, key)
    if place.kind:
        header = _header(canonical_name(place.table))
        headers = map(_header, lines)
        head = next((i for i, other in enumerate(headers) if other == header), -1)
        return _key_line(lines, head, key)
    if not key:
        return 0
    pattern = rf"\s*(?:\[+\s*)?\"?{re.escape(key)}\b"
    matches = (i for i, line in enumerate(lines, 1) if re.match(pattern, line))
    return next(matches, 0)


def strange_keys(text: str) -> list[StrangeKey]:
    """The unknown keys inside tables; none where the text is no TOML."""
    try:
        data = tomllib.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return []
    strange = []
    for place, table in _tables(data):
        fields = FIELDS[place.kind]
        for key in table if isinstance(table, dict) else ():
            if key not in fields:
                meant = next(iter(get_close_matches(key, fields, 1, 0.6)), "")
                line = _line_at(place.at(key), text)
                strange.append(StrangeKey(line, place.table, key, meant))
    return strange


def _tables(data: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
    """The place and the content of every table, and of other values in the place of a table."""
    seasons = data.get("season")
    if isinstance(seasons, list):
        for number, table in enumerate(seasons, 1):
            yield Place("season", number), table
    for kind in ("player", "team", "ruleset"):
        tables = data.get(kind)
        if isinstance(tables, dict):
            for name, table in tables.items():
                yield Place(kind, name), table
    if "rules" in data:
        yield Place("rules"), data["rules"]
        if isinstance(data["rules"], dict) and "table" in data["rules"]:
            yield Place("table"), data["rules"]["table"]


def _header(line: str) -> str:
    """A table's header without spaces, quotes and comments, which may vary."""
    header = re.match(r"\s*\[(?P<name>[^\[\]#]+)\]", line)
    return re.sub(r"[\s\"']", "", header["name"]) if header else ""


def _key_line(lines: list[str], head: int, key: str) -> int:
    """The line (from 1) of a key below the header with index `head`, else the header's line."""
    for i in range(head + 1, len(lines) if head >= 0 and key else 0):
        if lines[i].lstrip().startswith("["):
            break
        if re.match(rf"\s*[\"']?{re.escape(key)}\b", lines[i]):
            return i + 1
    return head + 1


class ParsedRatings(NamedTuple):
    """The starting ratings of rating.txt by player, and the lines that cannot be read."""

    starts: dict[str, StartRating]
    odd: list[OddLine]


def parse_ratings(text: str) -> ParsedRatings:
    """Read rating.txt, whose lines are `player rating games` (without `games`: 0)."""
    parsed = ParsedRatings({}, [])
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        player, *numbers = line.replace(",", " ").split() or [""]
        if not player or player.startswith("#"):
            continue
        start = _start_rating(numbers)
        if start is not None:
            parsed.starts[canonical_name(player)] = start
        else:
            parsed.odd.append(OddLine(number, line))
    return parsed


def _start_rating(numbers: Sequence[str]) -> StartRating | None:
    """The rating and the number of games of a line; None for other than numbers in their range."""
    try:
        fields = [*numbers, "0"]
        rating, games = fields[:2]
        start = StartRating(float(rating), int(games))
    except ValueError:
        return None
    if abs(start.rating) < 1e6 and start.games >= 0:
        return start
    return None
