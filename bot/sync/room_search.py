"""Search Tenhou's last days for the rooms where some players played together, and propose a
league.toml.

`find_rooms` reads the same daily files as a sync; `proposal` makes a league.toml of the rooms
(`flask league init`).
"""

import base64
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import chain
from operator import attrgetter
from typing import NamedTuple
from unicodedata import normalize

from bot.sync.jobs import Progress, no_progress
from bot.tenhou.client import (
    Lines,
    TenhouClient,
    by_room,
    lines_in,
)
from bot.tenhou.throttle import Throttle, TooSoon
from rating.games import Game
from rating.names import canonical_name
from rating.roomlog import is_guest, parse_utf8
from storage.state import State

_KEY = "tenhou/week/"


@dataclass
class Room:
    """A room in which at least two of the names played together (or the only name played). `games`
    counts the games there on the days when one of the names played; `meetings` are those of them in
    which they played together, the last on `last`. `players` and `others` count games by player:
    `players` in games with at least two (or the only one) of the circle (see `_circle`), `others`
    in all other games."""

    name: str
    games: int = 0
    meetings: int = 0
    last: date | None = None
    logged: int = 0  # the season logs' games of the room, whose players are in `players` too
    players: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class RoomSearch:
    """The rooms, those with the most meetings first, and the days looked at."""

    rooms: tuple[Room, ...]
    days: tuple[date, ...]


def find_rooms(
    names: Collection[str],
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    progress: Progress = no_progress,
) -> RoomSearch:
    """Search the last days' files for rooms where two of the names (or the only name) sat at one
    table. The files are stored for a day, so a second search for other names downloads nothing. The
    lines of the rooms are stored for the league's first sync. Raises TooSoon when no request may be
    sent yet and no file is stored, TenhouError when Tenhou cannot be read, StorageError when the
    store cannot be reached."""
    files = _stored_files(state)
    try:
        _download_week(files, state, tenhou, now, progress)
    except TooSoon:
        if not files:
            raise
    days = {day: by_room(str(day), file.text) for day, file in sorted(files.items())}
    rooms = _rooms(days, names)
    if rooms:
        room_names = [room.name for room in rooms]
        for day, lines_by_room in days.items():
            lines = lines_in(lines_by_room, room_names)
            state.results.put("", day, files[day].size, room_names, lines)
    return RoomSearch(tuple(rooms), tuple(days))


class _DayFile(NamedTuple):
    """A day's file: its packed size at Tenhou, and its text."""

    size: int
    text: bytes


def _stored_files(state: State) -> dict[date, _DayFile]:
    files: dict[date, _DayFile] = {}
    for key, value in state.values.items(_KEY).items():
        size, packed = value.split(" ")
        text = zlib.decompress(base64.b64decode(packed))
        files[date.fromisoformat(key.removeprefix(_KEY))] = _DayFile(int(size), text)
    return files


def _download_week(
    files: dict[date, _DayFile],
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    progress: Progress,
) -> None:
    """Add the files that are new or have grown, and store them for a day."""
    with Throttle(state, now).round() as ask, closing(tenhou):
        ask()
        listed = tenhou.index()
        for number, file in enumerate(listed):
            progress(number, len(listed), file.name)
            if file.day not in files or files[file.day].size < file.size:
                ask()
                text = tenhou.results(file)
                packed = base64.b64encode(zlib.compress(text)).decode()
                state.values.put(f"{_KEY}{file.day}", f"{file.size} {packed}", 24 * 3600.0)
                files[file.day] = _DayFile(file.size, text)
        progress(len(listed), len(listed), "")


def with_logged_games(search: RoomSearch, games: Iterable[Game]) -> RoomSearch:
    """The search with every room of the season logs' games too, those with the most games first."""
    logged: dict[str, Room] = {}
    for game in games:
        room = logged.setdefault(game.room, Room(game.room))
        room.logged += 1
        room.players.update(_members(game))
    rooms = []
    for room in search.rooms:
        in_logs = logged.pop(room.name, Room(room.name))
        rooms.append(replace(room, logged=in_logs.logged, players=room.players | in_logs.players))
    others = sorted(logged.values(), key=attrgetter("name"))
    others.sort(key=attrgetter("logged"), reverse=True)
    return replace(search, rooms=(*rooms, *others))


def _members(game: Game) -> list[str]:
    return [player for player in game.players if not is_guest(player)]


def _rooms(
    days: Mapping[date, Mapping[str, Lines]],
    names: Collection[str],
) -> list[Room]:
    """Return the rooms where at least two of the names (or the only name) sat at one table."""
    players = {canonical_name(name) for name in names}
    enough = min(2, len(players))
    games_by_room: dict[str, list[Game]] = {}
    meetings: dict[str, list[Game]] = {}
    for name, games in _games_by_room(days, names).items():
        together = [game for game in games if _number_of(players, game) >= enough]
        if together:
            games_by_room[name] = games
            meetings[name] = together
    circle = _circle(players, list(chain.from_iterable(games_by_room.values())), enough)
    rooms = []
    for name, games in games_by_room.items():
        room = Room(
            name=name,
            games=len(games),
            meetings=len(meetings[name]),
            last=max(game.day for game in meetings[name] if game.day),
        )
        _count_players(room, games, circle, enough)
        rooms.append(room)
    rooms.sort(key=attrgetter("name"))
    rooms.sort(key=attrgetter("meetings"), reverse=True)
    return rooms


def _count_players(room: Room, games: Iterable[Game], circle: set[str], enough: int) -> None:
    """Count the players of a room's games: those of the circle's games, and the others."""
    for game in games:
        if _number_of(circle, game) >= enough:
            room.players.update(_members(game))
        else:
            room.others.update(_members(game))


def _games_by_room(
    days: Mapping[date, Mapping[str, Lines]], names: Collection[str]
) -> dict[str, list[Game]]:
    """The games of every room on the days whose lines contain one of the names."""
    pattern = _any_name(names)
    games_by_room: defaultdict[str, list[Game]] = defaultdict(list)
    for day, lines_by_room in days.items():
        for room_name, lines in lines_by_room.items():
            if any(pattern.search(line.text) for line in lines):
                games_by_room[room_name] += _games_on(day, lines)
    return games_by_room


def _any_name(names: Collection[str]) -> re.Pattern[bytes]:
    """Return a pattern for any of the names in bytes, in both forms of their accents."""
    raw_names: set[bytes] = set()
    for name in names:
        raw_names.add(normalize("NFC", name).encode())
        raw_names.add(normalize("NFD", name).encode())
    return re.compile(b"|".join(map(re.escape, sorted(raw_names))) or b"(?!)")


def _games_on(day: date, lines: Lines) -> Iterator[Game]:
    for line in lines:
        for game in parse_utf8("", line.text).games:
            yield replace(game, day=day)


def _number_of(circle: set[str], game: Game) -> int:
    return len(circle.intersection(game.players))


def _circle(
    circle: set[str],
    games: Sequence[Game],
    enough: int,
) -> set[str]:
    """Return the circle with everybody who plays with at least `enough` of its members, and so
    on.
    """
    while True:
        tables = [game.players for game in games if _number_of(circle, game) >= enough]
        joined = circle.copy()
        for table in tables:
            joined.update(player for player in table if not is_guest(player))
        if joined == circle:
            return circle
        circle = joined


def proposal(search: RoomSearch, title: str = "") -> str:
    """Return the text of a league.toml for the rooms of a search; everybody in their `players`
    becomes a player.
    """
    rooms = search.rooms
    players = sum((room.players for room in rooms), Counter[str]())
    strangers: set[str] = set()
    for room in rooms:
        strangers.update(room.others)
    strangers.difference_update(players)
    lines = [
        f"# proposed from Tenhou's results of {search.days[0]} to {search.days[-1]}",
        f"name = {_text(title or '麻雀リーグ')}",
        f"rooms = [{', '.join(_text(room.name) for room in rooms)}]",
    ]
    if strangers:
        note = "others play in these rooms too; only games among the players below count"
        lines.append(f"# {len(strangers)} {note}")
    lines.append(f"members_only = {'true' if strangers else 'false'}")
    for player, games in players.most_common():
        lines += ["", f"[player.{_text(player)}]  # {games} games", f"name = {_text(player)}"]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return a text as a TOML string, in which JSON's escapes are valid
    (https://toml.io/en/v1.0.0#string).
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
