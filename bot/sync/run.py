"""Bring Tenhou's daily results into the season logs (`flask sync`): each game of leagues' rooms
just once.

Only this process reads Tenhou's files (https://tenhou.net/sc/raw/), each once for all leagues, and
none whose size in the index has not grown. What concerns one league (its folder, its logs, what
follows) is a job of its own, done by a thread here or by a worker (bot/sync/jobs.py).

The process may be killed at any point. A day's lines are kept before anything else. Then the log is
written, only if it still has the revision that was read; after somebody else's edit it is read and
merged again. Only then do the lines count as merged. Merging a line a second time changes nothing.

`DayLoop.tick` is a chore of every web process's background loop, so that no scheduler is needed.
One process of all, by a lease, does a sync each hour, and none at night, on a thread of its own.
When the last one began is in the database, so a restart begins none anew.

`find_rooms` looks in the same files for the rooms where given players met, and `proposal` makes of
them a league.toml (`flask league init`).
"""

import base64
import json
import logging
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime, timedelta
from gettext import gettext as _
from unicodedata import normalize

from bot.runtime.leased_work import LeasedWork
from bot.sync.jobs import Job, JobRunner, Outcome, Progress, outcomes
from bot.sync.room_loop import RoomNews, RoomWatch
from bot.tenhou.client import (
    Lines,
    ResultsFile,
    TenhouClient,
    TenhouError,
    by_room,
    lines_in,
    note_failure,
)
from bot.tenhou.throttle import Throttle, TooSoon
from rating.games import Game
from rating.logdates import JST
from rating.names import canonical_name
from rating.roomlog import is_guest, parse_utf8
from storage.ports import StorageError
from storage.state import State
from storage.tenhou import EMPTY, FileRead, ReadMark, Results

FAILURES = 3  # files in a row that can't be read, after which the round ends
SYNCED = "synced"
GROWS = timedelta(days=1)  # a day's file may grow on the next day: a game stands by its start
OLD_SYNC = timedelta(days=2)  # after which something seems to be in its way
EACH = timedelta(hours=1)
NIGHT = range(1, 7)  # hours in Japan without a sync
BEGIN = timedelta(minutes=5)  # from a process's start to its first look: taps come first
LOOK = timedelta(minutes=1)
LIFE = timedelta(minutes=3)  # of the lease, which is renewed while the sync goes on
BEGUN = "synced/begun"  # the state's key for when the last one began
log = logging.getLogger(__name__)


def last_sync(state: State) -> datetime | None:
    """When the last good sync ended: all files were read, a league had no problem.

    Raises StorageError.
    """
    told = state.values.get(SYNCED)
    return datetime.fromisoformat(told) if told else None


@dataclass
class SyncResult(Outcome):
    """What a sync did, of all leagues together. `seen` counts the files looked at."""

    seen: int = 0
    downloaded: int = 0

    @property
    def games(self) -> int:
        return sum(self.added.values())

    def add(self, league: str, outcome: Outcome) -> None:
        """Join a league's outcome.

        Problems and notes get the league's name in front; each is said once.
        """
        said = f"{league}: " if league else ""
        inside = f"{league}/" if league else ""
        self.added |= {inside + log: count for log, count in outcome.added.items()}
        self.days = sorted({*self.days, *outcome.days})
        self.kept += [replace(one, log=inside + one.log) for one in outcome.kept]
        notes = [said + note for note in outcome.notes]
        self.notes = list(dict.fromkeys(self.notes + notes))
        problems = [said + problem for problem in outcome.problems]
        self.problems = list(dict.fromkeys(self.problems + problems))
        self.refused |= outcome.refused

    def lines(self) -> list[str]:
        """The notes, the corrected games and the result in words; without the problems."""
        files = _("{seen} files in Tenhou's index, {downloaded} downloaded")
        read = files.format(seen=self.seen, downloaded=self.downloaded)
        one = _("{log}: 1 game added")
        many = _("{log}: {count} games added")
        logs = []
        for log, count in self.added.items():
            form = one if count == 1 else many
            logs.append(form.format(log=log, count=count))
        return [
            *self.notes,
            *map(str, self.kept),
            read,
            *(logs or [_("no new games")]),
        ]

    def as_dict(self) -> dict[str, object]:
        told = {
            name: getattr(self, name) for name in ("seen", "downloaded", "added", "games", "days")
        }
        corrected = [asdict(version) for version in self.kept]
        return told | {"corrected": corrected, "notes": self.notes, "problems": self.problems}


def sync_leagues(
    leagues: Sequence[str],
    runner: JobRunner,
    state: State,
    tenhou: TenhouClient,
    now: Callable[[], datetime],
    since: date | None = None,
    progress: Progress = lambda done, total, name: None,
    wait: Callable[[float], None] = time.sleep,
    rooms: RoomWatch | None = None,
) -> SyncResult:
    """Bring every league's logs up to date with Tenhou's results. A failure of Tenhou or a store
    becomes a problem.

    Without `since`, the files of the last week are read, and older ones back to the last complete
    sync. With `since`, files from that day on are read, and lines merged before are merged once
    more. `leagues` are folder names; `now` returns an aware time; `wait` sleeps so many seconds.
    `rooms` reads the leagues' rooms' own results, whenever these are due, and whatever becomes of
    the day's files."""
    result = SyncResult()
    download = Downloader(state.results, tenhou, progress)
    prepared = outcomes(
        runner, [Job("prepare", league, since) for league in leagues], progress, wait
    )
    if len(prepared) > 1 and "" in prepared and prepared[""].nothing:
        del prepared[""]  # where there are several leagues, the root folder may hold none
    counted = {league: outcome.rooms for league, outcome in prepared.items()}
    news = rooms.look(counted) if rooms else RoomNews()
    read = False
    try:
        # a league whose folder can't be read takes part with the rooms of its last round
        download.add(counted)
        if download.members:
            with Throttle(state, now, wait).round() as ask:
                download.read(since, ask)
        read = not download.problems
    except TooSoon as early:
        words = _("Tenhou was asked less than 20 minutes ago; it is asked again from {until:%H:%M}")
        result.notes.append(words.format(until=early.until.astimezone(JST)))
    except (TenhouError, StorageError) as error:
        note_failure(error)
        download.problems.append(str(error))
    waits = {league for league, member in download.members.items() if member.waits}
    with suppress(StorageError):  # what reads Tenhou's files tells that the store can't be reached
        waits |= state.own_games.leagues_waiting()
    ready = [league for league, found in counted.items() if found and league in waits]
    delivered = outcomes(runner, [Job("deliver", league) for league in ready], progress, wait)
    for league, outcome in prepared.items():
        result.add(league, news.said[league])
        result.add(league, outcome)
    result.add("", Outcome(notes=download.notes, problems=download.problems))
    for league, outcome in delivered.items():
        result.add(league, outcome)
    result.seen = download.seen
    result.downloaded = download.downloaded
    ill = {
        league for found in (prepared, delivered) for league, one in found.items() if one.problems
    }
    if read and prepared.keys() - ill:
        with suppress(StorageError):
            state.values.put(SYNCED, now().isoformat())
    return result


class DayLoop(LeasedWork):
    """The loop of one process. `sync` does one, `now` returns an aware time."""

    later = "the sync is done later"
    failed = "the sync failed"

    def __init__(
        self, state: State, sync: Callable[[], SyncResult], now: Callable[[], datetime]
    ) -> None:
        super().__init__("sync", state.lease("sync", LIFE.total_seconds()), EACH, BEGIN)
        self._state = state
        self._sync = sync
        self._now = now

    def tick(self) -> None:
        """Begin a sync if one is due. Raises StorageError."""
        now = self._now()
        if not self.rests(now):
            self.next = now + LOOK
            if self.since or self._due(now):
                self.begin(now)

    def _due(self, now: datetime) -> bool:
        if now.astimezone(JST).hour in NIGHT:
            return False
        begun = self._state.values.get(BEGUN)
        return begun is None or abs(now - datetime.fromisoformat(begun)) >= EACH

    def do(self) -> None:
        now = self._now()
        if not self._due(now):
            return  # another process began one before this one had the lease
        self._state.values.put(BEGUN, now.isoformat())
        result = self._sync()
        for problem in result.problems:
            log.warning("sync: %s", problem)
        if result.games:
            log.info("sync: %d games added", result.games)

    def close(self) -> None:
        """Begin no other sync. One under way is done again by another process."""
        self.ended = True


@dataclass(slots=True)
class LeagueDownload:
    """A league in the round: its rooms, what it has read before, and whether something waits for
    it.
    """

    rooms: frozenset[str]
    read: ReadMark | None
    waits: bool


def _begin(league: LeagueDownload, first: date) -> date:
    """The day from which a league has read every file, where the index begins with `first`."""
    before = league.read
    if before is None or not before.rooms >= league.rooms:
        return first
    if first > before.through + timedelta(days=1):
        return first
    return min(before.begin, first)


class Downloader:
    """One round at Tenhou.

    `members` are its leagues by folder name; the rest is for the SyncResult.
    """

    def __init__(self, results: Results, tenhou: TenhouClient, progress: Progress) -> None:
        self.tenhou = tenhou
        self.progress = progress
        self._results = results
        self.members: dict[str, LeagueDownload] = {}
        self.seen = self.downloaded = 0
        self.notes = list[str]()
        self.problems = list[str]()
        self._read: dict[tuple[str, date], FileRead] = {}
        self._newest = date.min  # the day of the newest file

    def add(self, leagues: Mapping[str, Sequence[str]]) -> None:
        """Add leagues with their rooms; without any, those of its last round.

        Raises StorageError.
        """
        known = self._results.read_marks()
        waits = self._results.leagues_waiting()
        for league, rooms in leagues.items():
            read = known.get(league)
            wanted = frozenset(rooms)
            if not wanted and read:
                wanted = read.rooms
            if wanted:
                self.members[league] = LeagueDownload(wanted, read, league in waits)

    def read(self, since: date | None, ask: Callable[[], None]) -> None:
        """Download the files that are new or have grown. `ask` is called before each request.
        Raises TenhouError when the index cannot be read or another process took over the
        connection, and StorageError when the store cannot be reached. An unreadable file is noted
        in `problems`."""
        files = self._listed(since, ask)
        self.seen = len(files)
        self._newest = files[-1].day
        first = files[0].day
        self._read = self._results.files_read(first)
        wanted = [
            file for file in files if any(self._lacks(league, file) for league in self.members)
        ]
        failed = self._take_all(wanted, ask)
        self.progress(len(wanted), len(wanted), "")
        through = self._newest
        if failed:
            through = min(failed) - timedelta(days=1)
        marks: dict[str, ReadMark] = {}
        for league, member in self.members.items():
            mark = ReadMark(_begin(member, first), through, member.rooms)
            if mark != member.read:
                marks[league] = mark
        self._results.has_read(marks)

    def _listed(
        self,
        since: date | None,
        ask: Callable[[], None],
    ) -> list[ResultsFile]:
        """The files to look at, oldest first: the last week's, older ones where a league has a
        gap.
        """
        ask()
        files = {file.day: file for file in self.tenhou.index()}
        oldest = min(files)
        through = [member.read.through for member in self.members.values() if member.read]
        gap = min([since or oldest, *through])
        begin = min([gap, *(day - GROWS for day in through)])
        if begin < oldest:
            ask()
            files = {file.day: file for file in self.tenhou.index(old=True)} | files
            first = min(files)
            if gap < first:
                words = _(
                    "Tenhou lists nothing before {first}: games from {begin} on until then are only in its "
                    "yearly archives, which Janroku does not read"
                )
                self.notes.append(words.format(first=first, begin=gap))
        elif not through and since is None:
            words = _("first sync: games before {oldest} are fetched by `flask sync --since DATE`")
            self.notes.append(words.format(oldest=oldest))
        return [files[day] for day in sorted(files) if day >= min(begin, oldest)]

    def _take_all(
        self,
        wanted: Sequence[ResultsFile],
        ask: Callable[[], None],
    ) -> list[date]:
        """Download these files, and keep each league's lines.

        Return the days that could not be read.
        """
        failed: list[date] = []
        row = 0
        for number, file in enumerate(wanted):
            self.progress(number, len(wanted), file.name)
            ask()
            try:
                rooms = by_room(file.name, self.tenhou.results(file))
            except TenhouError as error:
                note_failure(error)
                self.problems.append(str(error))
                failed.append(file.day)
                row += 1
                if row == FAILURES:
                    return failed + [other.day for other in wanted[number + 1 :]]
                continue
            row = 0
            for league, member in self.members.items():
                if self._lacks(league, file):
                    lines = lines_in(rooms, member.rooms)
                    member.waits |= self._results.put(
                        league, file.day, file.size, member.rooms, lines
                    )
            self.downloaded += 1
        return failed

    def _lacks(self, league: str, file: ResultsFile) -> bool:
        """Whether a league has not read the file at its size; of what it read long ago no size is
        kept. Of late days each file that was read is known, so one that is not has come into the
        index since."""
        member = self.members[league]
        found = self._read.get((league, file.day))
        if found is not None:
            return found.size < file.size or not found.rooms >= member.rooms
        before = member.read
        if before is None or file.day >= self._newest - EMPTY:
            return True
        return not (before.rooms >= member.rooms and before.begin <= file.day <= before.through)


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
