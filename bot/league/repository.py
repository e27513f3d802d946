"""Follow a league's folder and hand out snapshots of it.

The log source's cursor says what changed, and only that is read. A look at a source in the cloud holds for
some seconds, and a folder on disk is looked at every time (`LogSource.fresh`). When the source cannot be
reached, the last snapshot still serves.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.league.files import LEAGUE_FILE, PAIFU_LOG, RATING_FILE, TEAM_LOG, is_read
from bot.league.in_force import league_in_force, logs_in_force
from bot.league.last_good import LastGood, UnusableFile
from bot.league.rating_cache import LeagueRatings, RatingCache
from bot.league.snapshot import LeagueSnapshot, league_problem, same_twice, unread_logs, unread_texts
from rating.encoding import as_text
from rating.folder import parse_logs
from rating.games import Game, GameError, check
from rating.league import League, Season
from rating.league_file import parse_ratings
from rating.logdates import JST
from rating.roomlog import Problem, RoomLog, Span, parse
from rating.teamlog import parse as parse_teamlog
from storage.ports import LogSource, NotFound, StorageError, TooLarge, too_large

LOOKING = 2.0  # seconds to wait for another thread's look, if there is a snapshot already
FIRST = 1500.0  # the rating before the first game, if league.toml gives only the number of games
HEAVIER = 12  # bytes of memory for each byte of the logs; measured at 11
log = logging.getLogger(__name__)


@dataclass
class _Folder:
    """The folder's files as last read: their revisions and bytes by name; the reason for those too large to
    read."""

    cursor: str | None = None
    revs: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)
    large: dict[str, str] = field(default_factory=dict)

    def without(self, names: Collection[str]) -> _Folder:
        """Return the folder without these files."""
        kept = [
            {name: value for name, value in values.items() if name not in names}
            for values in (self.revs, self.data, self.large)
        ]
        return _Folder(self.cursor, *kept)  # type: ignore[arg-type]


class LeagueRepository:
    """One league. Safe in threads: one thread looks at the source, the others wait for it."""

    def __init__(
        self,
        logs: LogSource,
        clock: Callable[[], float] = time.monotonic,
        built: Callable[[LeagueRepository], None] = lambda league: None,
    ) -> None:
        """`clock` gives seconds. `built` is called with this object after each new snapshot."""
        self.logs = logs
        self.cache = RatingCache()
        self.trouble = ""  # why the last look failed, for the admin
        self.failed: StorageError | None = None  # the same as an error
        self.used = float("-inf")  # when somebody asked for it last; the registry sets it
        self._clock = clock
        self._built = built
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._folder = _Folder()
        self._snapshot: LeagueSnapshot | None = None
        self._looked = float("-inf")  # when the last look began
        self._announced = 0  # changes announced so far
        self._unbuilt = False  # whether the last look read a change and then failed
        self._good = LastGood(logs)
        self._parsed: dict[str, tuple[bytes, Span, RoomLog]] = {}
        self._former = 0  # bytes of the last good logs in force instead of the folder's

    def expire(self) -> None:
        """Look at the source on the next question, because a change was announced."""
        with self._telling:
            self._announced += 1
            self._looked = float("-inf")

    def snapshot(self) -> LeagueSnapshot:
        """Return what is known now. Raises StorageError when the folder cannot be read and never was."""
        known, asked = self._snapshot, self._clock()
        if known is not None and self._looked > asked - self.logs.fresh:
            return known
        if not self._lock.acquire(timeout=-1 if known is None else LOOKING):
            return known or self.snapshot()  # the source is slow: only one thread waits for it
        try:
            # Another thread's look serves too, if it began after this question was asked.
            if self._snapshot is not None and self._looked > asked - self.logs.fresh:
                return self._snapshot
            return self._look()
        finally:
            self._lock.release()

    @property
    def last(self) -> LeagueSnapshot | None:
        """The last snapshot, None where there is none yet. The source is not looked at."""
        return self._snapshot

    def looked_before(self, seconds: float) -> bool:
        """Whether the last look began more than so many seconds ago."""
        return self._looked < self._clock() - seconds

    def refresh(self) -> bool:
        """Look at the source. Return whether that changed a snapshot that was known before.

        Raises StorageError when the folder cannot be read and never was.
        """
        with self._lock:
            known = self._snapshot
            return self._look() is not known is not None

    def ratings(self, snapshot: LeagueSnapshot) -> LeagueRatings:
        """Return the ratings of a snapshot of this league."""
        return LeagueRatings(snapshot, self.cache)

    @property
    def unusable(self) -> tuple[UnusableFile, ...]:
        """The files of the last snapshot that are not in force as they are."""
        return self._snapshot.unusable if self._snapshot else ()

    def keep_good(self) -> None:
        """Keep the files of the last snapshot that can be used, so that they stay in force after a restart
        too."""
        self._good.keep()

    @property
    def weight(self) -> int:
        """About how many bytes of memory this league takes."""
        return 50_000 + HEAVIER * (self._former + sum(map(len, self._folder.data.values())))

    def _look(self) -> LeagueSnapshot:
        began, announced = self._clock(), self._announced
        try:
            self._unbuilt = self._follow() or self._unbuilt
            if self._unbuilt or self._snapshot is None:
                self._snapshot = self._build()
                self._unbuilt = False
                self._built(self)
        except StorageError as error:
            told, self.trouble, self.failed = self.trouble == str(error), str(error), error
            if self._snapshot is None:
                raise
            if not told:
                log.warning("the logs can't be read now: %s", error)
            self._saw(began, announced)
            return self._snapshot
        self.trouble, self.failed = "", None
        self._saw(began, announced)
        return self._snapshot

    def _saw(self, began: float, announced: int) -> None:
        """Note when the look began, unless a change was announced meanwhile, which it may have missed."""
        with self._telling:
            if announced == self._announced:
                self._looked = began

    def _follow(self) -> bool:
        """Bring the folder's files up to date. Return whether anything changed. An error changes nothing."""
        folder = self._folder
        changes = self.logs.changes(folder.cursor)
        wanted = {name: rev for name, rev in changes.files.items() if is_read(name)}
        gone = [name for name in folder.revs if name not in wanted] if changes.reset else changes.removed
        new = folder.without({*gone, *(name for name, rev in wanted.items() if folder.revs.get(name) != rev)})
        new.cursor = changes.cursor
        for name, rev in wanted.items():
            if name in new.revs:
                continue
            try:
                file = self.logs.read(name)
            except NotFound:  # it was removed between the listing and the reading
                continue
            except TooLarge as error:
                new.large[name], new.revs[name] = too_large(error.size), rev
                continue
            new.data[name], new.revs[name] = file.data, file.rev
        self._folder = new
        return new.revs != folder.revs

    def _build(self) -> LeagueSnapshot:
        """Return the snapshot of the folder's files. The last good version of an unusable one is in force."""
        now, data, large = datetime.now(JST), self._folder.data, self._folder.large
        toml = league_in_force(data.get(LEAGUE_FILE), self._good, now, large.get(LEAGUE_FILE, ""))
        problems: list[Problem] = []
        if toml.error is not None:
            problems.append(league_problem(toml.error, as_text(data.get(LEAGUE_FILE, b""))))
        logs = logs_in_force(data, large, self._good, now)
        self._former = sum(len(logs.files[fault.file]) for fault in logs.unusable if fault.kept)
        unusable = tuple(fault for fault in (toml.unusable, *logs.unusable) if fault is not None)
        league = toml.league.with_logs([*data, *large])
        parsed = parse_logs(league, logs.files, now.date(), self._parse)
        games = {s.number: tuple(_games(league, parsed, s, problems)) for s in league.seasons}
        problems += [Problem(fault.file, 1, "", fault.reason) for fault in logs.unusable]
        starts = _starts(league, data.get(RATING_FILE, b""), problems)
        teamlog = as_text(data.get(TEAM_LOG, b""))
        sessions, odd_lines = parse_teamlog(teamlog)
        problems += [*odd_lines, *same_twice(league, sessions), *unread_logs(league, [*data, *large])]
        problems += unread_texts(data, large)
        return LeagueSnapshot(
            revision=hashlib.sha256(repr(sorted(self._folder.revs.items())).encode()).hexdigest()[:20],
            league=league,
            logs=parsed,
            games=games,
            problems=tuple(problems),
            starts=starts,
            teamlog=teamlog.encode(),
            paifu_log=data.get(PAIFU_LOG, b""),
            league_error=toml.error,
            unusable=unusable,
        )

    def _parse(self, name: str, data: bytes, span: Span) -> RoomLog:
        """Return a log as parsed before, if neither it nor what is known of its days has changed."""
        cached = self._parsed.get(name)
        if cached is None or cached[0] is not data or cached[1] != span:
            self._parsed[name] = cached = (data, span, parse(name, data, span))
        return cached[2]


def _games(
    league: League, logs: Mapping[str, RoomLog], season: Season, problems: list[Problem]
) -> list[Game]:
    """Return a season's games under the members' names. Add the lines that cannot be read to the problems."""
    roomlog = logs.get(season.log)
    if roomlog is None:
        return []
    problems += roomlog.problems
    result = []
    for game in league.canonical(roomlog.games):
        if game.day is None and season.start is not None:
            game = replace(game, day=season.start.date())
        try:
            result.append(check(game))
        except GameError as error:  # two names of one player at one table
            text = roomlog.lines[game.line - 1].text
            reason = str(error).removeprefix(f"{game.where}: ")
            problems.append(Problem(game.source, game.line, text, reason))
    return result


def _starts(league: League, data: bytes, problems: list[Problem]) -> dict[str, tuple[float, int]]:
    """Return rating and number of games before the first game, by player. league.toml overrides
    rating.txt."""
    found, odd = parse_ratings(as_text(data))
    problems += [Problem(RATING_FILE, number, text, "not `player R games`") for number, text in odd]
    starts = {league.player_of(name): start for name, start in found.items()}
    for player in league.players.values():
        if player.rating is not None or player.games:
            starts[player.tenhou] = (FIRST if player.rating is None else player.rating, player.games)
    return starts
