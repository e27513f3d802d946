"""Search Tenhou's last days for the rooms where given players met, and propose a league.toml.

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
from unicodedata import normalize

from bot.sync.jobs import Progress
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
    """A room in which at least two of the names met (or the only name played). `games` counts the
    games there on the days when one of the names played; in `met` of these they met, the last time
    on `last`. `players` and `others` count games by player: `players` in games with at least two
    (or the only one) of the circle (see `_circle`), `others` in all other games."""

    name: str
    games: int = 0
    met: int = 0
    last: date | None = None
    held: int = 0  # the season logs' games of the room, whose players are in `players` too
    players: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class RoomSearch:
    """The rooms, those where they met most often first, and the days looked at."""

    rooms: tuple[Room, ...]
    days: tuple[date, ...]


def find_rooms(
    names: Collection[str],
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    progress: Progress = lambda done, total, name: None,
) -> RoomSearch:
    """Search the last days' files for rooms where two of the names (or the only name) sat at one
    table. The files are kept for a day, so a second search for other names downloads nothing. The
    lines of the rooms found are kept for the league's first sync. Raises TooSoon when Tenhou may
    not be asked yet and no file is kept, TenhouError when Tenhou cannot be read, StorageError when
    the store cannot be reached."""
    week: dict[date, tuple[int, bytes]] = {}  # the files' packed sizes and texts
    for key, words in state.values.items(_KEY).items():
        size, packed = words.split(" ")
        text = zlib.decompress(base64.b64decode(packed))
        week[date.fromisoformat(key.removeprefix(_KEY))] = int(size), text
    try:
        with Throttle(state, now).round() as ask:
            ask()
            files = tenhou.index()
            for number, file in enumerate(files):
                progress(number, len(files), file.name)
                if file.day not in week or week[file.day][0] < file.size:
                    ask()
                    text = tenhou.results(file)
                    packed = base64.b64encode(zlib.compress(text)).decode()
                    state.values.put(f"{_KEY}{file.day}", f"{file.size} {packed}", 24 * 3600.0)
                    week[file.day] = file.size, text
            progress(len(files), len(files), "")
    except TooSoon:
        if not week:
            raise
    lines = {}
    for day, (_size, text) in sorted(week.items()):
        lines[day] = by_room(str(day), text)
    rooms = _rooms(lines, names)
    chosen = [room.name for room in rooms]
    if chosen:
        for day in lines:
            state.results.put(
                "",
                day,
                week[day][0],
                chosen,
                lines_in(lines[day], chosen),
            )
    return RoomSearch(tuple(rooms), tuple(lines))


def with_held(found: RoomSearch, games: Iterable[Game]) -> RoomSearch:
    """The search with every room of the season logs' games too, those with the most games first."""
    held: defaultdict[str, Room] = defaultdict(lambda: Room(""))
    for game in games:
        room = held[game.room]
        room.name = game.room
        room.held = room.held + 1
        room.players.update(player for player in game.players if not is_guest(player))
    rooms = []
    for room in found.rooms:
        ours = held.pop(room.name, Room(room.name))
        rooms.append(replace(room, held=ours.held, players=room.players | ours.players))
    others = sorted(held.values(), key=lambda room: (-room.held, room.name))
    return replace(found, rooms=(*rooms, *others))


def _rooms(
    days: Mapping[date, Mapping[str, Lines]],
    names: Collection[str],
) -> list[Room]:
    """Return the rooms where at least two of the names (or the only name) sat at one table."""
    games: defaultdict[str, list[Game]] = defaultdict(list)
    wanted = {canonical_name(name) for name in names}
    raw_names = {normalize(form, name).encode() for name in names for form in ("NFC", "NFD")}
    for day, rooms_lines in days.items():
        for room_name, lines in rooms_lines.items():
            if any(name in raw for _number, raw in lines for name in raw_names):
                read = (game for _number, raw in lines for game in parse_utf8("", raw).games)
                games[room_name] += [replace(game, day=day) for game in read]
    enough = min(2, len(wanted))
    met: dict[str, list[Game]] = {}
    for name, every in games.items():
        found = [game for game in every if _of(wanted, game) >= enough]
        if found:
            met[name] = found
    circle = _circle(wanted, [game for name in met for game in games[name]], enough)
    rooms = []
    for name, found in met.items():
        room = Room(
            name,
            len(games[name]),
            len(found),
            max(game.day for game in found if game.day),
        )
        for game in games[name]:
            players = [player for player in game.players if not is_guest(player)]
            if _of(circle, game) >= enough:
                room.players.update(players)
            else:
                room.others.update(players)
        rooms.append(room)
    return sorted(rooms, key=lambda room: (-room.met, room.name))


def _of(circle: set[str], game: Game) -> int:
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
        tables = [game.players for game in games if _of(circle, game) >= enough]
        joined = circle.copy()
        for table in tables:
            joined.update(player for player in table if not is_guest(player))
        if joined == circle:
            return circle
        circle = joined


def proposal(found: RoomSearch, title: str = "") -> str:
    """Return the text of a league.toml for the rooms found; everybody in their `players` becomes a
    player.
    """
    rooms = found.rooms
    players = sum((room.players for room in rooms), Counter[str]())
    strangers = {name for room in rooms for name in room.others if name not in players}
    lines = [
        f"# proposed from Tenhou's results of {found.days[0]} to {found.days[-1]}",
        f"name = {_text(title or '麻雀リーグ')}",
        f"rooms = [{', '.join(_text(room.name) for room in rooms)}]",
    ]
    if strangers:
        words = "others play in these rooms too; only games among the players below count"
        lines.append(f"# {len(strangers)} {words}")
    lines.append(f"members_only = {'true' if strangers else 'false'}")
    for player, games in players.most_common():
        lines += ["", f"[player.{_text(player)}]  # {games} games", f"name = {_text(player)}"]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return the text as a TOML string:

    JSON's escapes are valid there (https://toml.io/en/v1.0.0#string).
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
