"""Search Tenhou's last days for the rooms where given players played together, and propose a league.toml.

`find_rooms` reads the same daily files as a sync; `proposal` makes a league.toml of the rooms
(`flask league init`).
"""

import base64
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
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
    lines of the rooms are stored for the league's first sync. Raises TooSoon when Tenhou may not be
    asked yet and no file is stored, TenhouError when Tenhou cannot be read, StorageError when the
    store cannot be reached."""
    files = _stored_files(state)
    try:
        _download_week(files, state, tenhou, now, progress)
    except TooSoon:
        if not files:
            raise
    lines = {day: by_room(str(day), file.text) for day, file in sorted(files.items())}
    rooms = _rooms(lines, names)
    room_names = [room.name for room in rooms]
    if room_names:
        for day, rooms_lines in lines.items():
            wanted_lines = lines_in(rooms_lines, room_names)
            state.results.put("", day, files[day].size, room_names, wanted_lines)
    return RoomSearch(tuple(rooms), tuple(lines))


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
    with Throttle(state, now).round() as ask:
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
    logged: defaultdict[str, Room] = defaultdict(lambda: Room(""))
    for game in games:
        room = logged[game.room]
        room.name = game.room
        room.logged += 1
        room.players.update(_members(game))
    rooms = []
    for room in search.rooms:
        in_logs = logged.pop(room.name, Room(room.name))
        rooms.append(replace(room, logged=in_logs.logged, players=room.players | in_logs.players))
    others = sorted(
        logged.values(),
        key=lambda room: (-room.logged, room.name),
    )
    return replace(search, rooms=(*rooms, *others))


def _members(game: Game) -> list[str]:
    return [player for player in game.players if not is_guest(player)]


def _rooms(
    days: Mapping[date, Mapping[str, Lines]],
    names: Collection[str],
) -> list[Room]:
    """Return the rooms where at least two of the names (or the only name) sat at one table."""
    wanted = {canonical_name(name) for name in names}
    games = _games_by_room(days, names)
    enough = min(2, len(wanted))
    meetings: dict[str, list[Game]] = {}
    for name, room_games in games.items():
        together = [game for game in room_games if _number_of(wanted, game) >= enough]
        if together:
            meetings[name] = together
    circle = _circle(wanted, [game for name in meetings for game in games[name]], enough)
    rooms = []
    for name, together in meetings.items():
        room = Room(
            name=name,
            games=len(games[name]),
            meetings=len(together),
            last=max(game.day for game in together if game.day),
        )
        for game in games[name]:
            if _number_of(circle, game) >= enough:
                room.players.update(_members(game))
            else:
                room.others.update(_members(game))
        rooms.append(room)
    return sorted(rooms, key=lambda room: (-room.meetings, room.name))


def _games_by_room(
    days: Mapping[date, Mapping[str, Lines]], names: Collection[str]
) -> dict[str, list[Game]]:
    """The games of every room and day whose lines hold one of the names."""
    raw_names = {normalize(form, name).encode() for name in names for form in ("NFC", "NFD")}
    games: defaultdict[str, list[Game]] = defaultdict(list)
    for day, rooms_lines in days.items():
        for room_name, lines in rooms_lines.items():
            raws = [raw for _number, raw in lines]
            if any(name in raw for raw in raws for name in raw_names):
                for raw in raws:
                    parsed = parse_utf8("", raw).games
                    games[room_name] += [replace(game, day=day) for game in parsed]
    return games


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
    """Return the text of a league.toml for the rooms found; everybody in their `players` becomes a
    player.
    """
    rooms = search.rooms
    players = sum((room.players for room in rooms), Counter[str]())
    strangers = {name for room in rooms for name in room.others if name not in players}
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
    """Return the text as a TOML string:

    JSON's escapes are valid there (https://toml.io/en/v1.0.0#string).
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
