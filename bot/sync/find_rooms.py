"""Find the rooms where given players met in the last days' results, and propose a league.toml (`flask league
init`)."""

import base64
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from bot.sync.jobs import Progress
from bot.tenhou.client import TenhouClient
from bot.tenhou.throttle import Throttle, TooSoon
from rating.games import Game
from rating.roomlog import is_guest, parse_utf8
from storage.state import State

_KEY = "tenhou/week/"


@dataclass
class Room:
    """A room in which at least two of the names met (or the only name played). `games` counts the games there
    on the days when one of the names played; in `met` of these they met, the last time on `last`. `players`
    and `others` count games by player: `players` in games with at least two (or the only one) of the circle
    (see `_circle`), `others` in all other games."""

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
    """Search the last days' files for rooms where two of the names (or the only name) sat at one table. The
    files are kept for a day, so a second search for other names downloads nothing. The lines of the rooms
    found are kept for the league's first sync. Raises TooSoon when Tenhou may not be asked yet and no file is
    kept, TenhouError when Tenhou cannot be read, StorageError when the store cannot be reached."""
    week: dict[date, tuple[int, dict[str, list[bytes]]]] = {}  # the files' packed sizes, and the names' rooms
    for key, words in state.values.items(_KEY).items():
        known, packed = words.split(" ")
        text = zlib.decompress(base64.b64decode(packed))
        week[date.fromisoformat(key.removeprefix(_KEY))] = int(known), _named(text, names)
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
                    week[file.day] = file.size, _named(text, names)
            progress(len(files), len(files), "")
    except TooSoon:
        if not week:
            raise
    days = sorted(week)
    rooms = _rooms([(day, week[day][1]) for day in days], names)
    chosen = [room.name for room in rooms]
    for day in days if chosen else ():
        size, lines = week[day]
        state.results.put("", day, size, chosen, [raw for room in chosen for raw in lines.get(room, ())])
    return RoomSearch(tuple(rooms), tuple(days))


def with_held(found: RoomSearch, games: Iterable[Game]) -> RoomSearch:
    """The search with every room of the season logs' games too, those with the most games first."""
    held: defaultdict[str, Room] = defaultdict(lambda: Room(""))
    for game in games:
        room = held[game.room]
        room.name, room.held = game.room, room.held + 1
        room.players.update(player for player in game.players if not is_guest(player))
    rooms = []
    for room in found.rooms:
        ours = held.pop(room.name, Room(room.name))
        rooms.append(replace(room, held=ours.held, players=room.players | ours.players))
    return replace(found, rooms=(*rooms, *sorted(held.values(), key=lambda room: (-room.held, room.name))))


def _named(text: bytes, names: Collection[str]) -> dict[str, list[bytes]]:
    """The lines, by room, of each room in which one of the names appears that day."""
    rooms: defaultdict[str, list[bytes]] = defaultdict(list)
    for raw in text.split(b"\n"):
        rooms[raw[:5].decode("utf-8", "replace")].append(raw.rstrip(b"\r"))
    wanted = [name.encode() for name in names]
    return {room: raws for room, raws in rooms.items() if any(name in raw for raw in raws for name in wanted)}


def _rooms(days: Sequence[tuple[date, dict[str, list[bytes]]]], names: Collection[str]) -> list[Room]:
    """Return the rooms where at least two of the names (or the only name) sat at one table."""
    games: defaultdict[str, list[Game]] = defaultdict(list)
    for day, lines in days:
        for name, raws in lines.items():
            games[name] += [replace(game, day=day) for raw in raws for game in parse_utf8("", raw).games]
    wanted = set(names)
    enough = min(2, len(wanted))
    met = {name: found for name in games if (found := [g for g in games[name] if _of(wanted, g) >= enough])}
    circle = _circle(wanted, [game for name in met for game in games[name]], enough)
    rooms = []
    for name, found in met.items():
        room = Room(name, len(games[name]), len(found), max(game.day for game in found if game.day))
        for game in games[name]:
            players = [player for player in game.players if not is_guest(player)]
            (room.players if _of(circle, game) >= enough else room.others).update(players)
        rooms.append(room)
    return sorted(rooms, key=lambda room: (-room.met, room.name))


def _of(circle: set[str], game: Game) -> int:
    return len(circle.intersection(game.players))


def _circle(circle: set[str], games: Sequence[Game], enough: int) -> set[str]:
    """Return the circle with everybody who plays with at least `enough` of its members, and so on."""
    while True:
        tables = [game.players for game in games if _of(circle, game) >= enough]
        joined = circle.union(*([p for p in table if not is_guest(p)] for table in tables))
        if joined == circle:
            return circle
        circle = joined


def proposal(found: RoomSearch, title: str = "") -> str:
    """Return the text of a league.toml for the rooms found; everybody in their `players` becomes a player."""
    rooms = found.rooms
    players = sum((room.players for room in rooms), Counter[str]())
    strangers = [name for room in rooms for name in room.others if name not in players]
    lines = [
        f"# proposed from Tenhou's results of {found.days[0]} to {found.days[-1]}",
        f"name = {_text(title or '麻雀リーグ')}",
        f"rooms = [{', '.join(_text(room.name) for room in rooms)}]",
    ]
    if strangers:
        lines.append(
            f"# {len(set(strangers))} others play in these rooms too; only games among the players below "
            "count"
        )
    lines.append(f"members_only = {'true' if strangers else 'false'}")
    for player, games in players.most_common():
        lines += ["", f"[player.{_text(player)}]  # {games} games", f"name = {_text(player)}"]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return the text as a TOML string: JSON's escapes are valid there (https://toml.io/en/v1.0.0#string)."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
