"""The league's games as known now.

Follows the log source by its cursor, reads only what changed, and hands out games and ratings. A look at the source is
repeated when the last one is older than `FRESH` seconds; when the source can't be reached, what is known still serves.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from bot.league.snapshot import Snapshot, league_problem, same_twice, team_games, unread_logs
from bot.texts import JST
from rating.folder import parse_logs
from rating.games import Game, GameError, check, same_seats
from rating.league import League, LeagueError, Season
from rating.league_file import NO_TEXT, parse_league, parse_ratings
from rating.models import MODELS
from rating.models.base import Batch, Replay, Sequential, replay, standings
from rating.roomlog import Problem, RoomLog, Span, parse
from rating.standings import History, Standings
from rating.teamlog import parse as parse_teamlog
from storage.ports import LogSource, NotFound, StorageError

FRESH = 5.0  # seconds for which a look at the source holds
LOOKING = 2.0  # seconds to wait for another thread's look, where something is known already
KEPT = 64  # ratings kept per league
FIRST = 1500.0  # the rating before the first game, where only the number of games is said
HEAVIER = 12  # bytes of memory for each byte of the logs: measured at 11
log = logging.getLogger(__name__)


@dataclass
class _Known:
    """A cached replay and the games it has played."""

    games: list[Any]  # Games, or TeamGames
    replay: Replay[Any]
    result: Standings


@dataclass
class _Folder:
    """The folder's files as last read."""

    cursor: str | None = None
    revs: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)


class Library:
    """One league. Safe in threads: one looks at the source, the others wait for it."""

    def __init__(self, logs: LogSource, clock: Callable[[], float] = time.monotonic) -> None:
        self.logs = logs
        self._clock = clock
        self._lock = threading.Lock()
        self._folder = _Folder()
        self._snapshot: Snapshot | None = None
        self._looked = float("-inf")
        self._league = League()
        self._parsed: dict[str, tuple[tuple[str, Span], RoomLog]] = {}
        self._ratings: OrderedDict[tuple[Any, ...], _Known] = OrderedDict()
        self._ratings_lock = threading.Lock()
        self.trouble: str = ""  # why the last look failed, for the admin

    def stale(self) -> None:
        """Look at the source on the next question (a change was announced)."""
        self._looked = float("-inf")

    def snapshot(self) -> Snapshot:
        """What is known now; StorageError where nothing ever was."""
        known = self._snapshot
        if known is not None and self._clock() - self._looked < FRESH:
            return known
        if not self._lock.acquire(timeout=-1 if known is None else LOOKING):
            return known or self.snapshot()  # the source is slow: one thread waits for it, not all
        try:
            if self._snapshot is not None and self._clock() - self._looked < FRESH:
                return self._snapshot
            return self._look()
        finally:
            self._lock.release()

    @property
    def weight(self) -> int:
        """About how many bytes of memory this league takes."""
        return 50_000 + HEAVIER * sum(map(len, self._folder.data.values()))

    def _look(self) -> Snapshot:
        try:
            changed = self._follow()
        except StorageError as error:
            self.trouble = str(error)
            if self._snapshot is None:
                raise
            log.warning("the logs can't be read now: %s", error)
            self._looked = self._clock()
            return self._snapshot
        self.trouble = ""
        if changed or self._snapshot is None:
            self._snapshot = self._build()
        self._looked = self._clock()
        return self._snapshot

    def _follow(self) -> bool:
        """Bring the folder's files up to date; whether anything changed. On an error nothing is forgotten."""
        folder = self._folder
        changes = self.logs.changes(folder.cursor)
        wanted = {n: rev for n, rev in changes.files.items() if _matters(n)}
        data = {} if changes.reset else dict(folder.data)
        revs = {} if changes.reset else dict(folder.revs)
        for name in changes.removed:
            data.pop(name, None)
            revs.pop(name, None)
        for name, rev in wanted.items():
            if folder.revs.get(name) == rev:
                data[name], revs[name] = folder.data[name], rev
                continue
            try:
                file = self.logs.read(name)
            except NotFound:  # went between the listing and the reading
                data.pop(name, None)
                revs.pop(name, None)
                continue
            data[name], revs[name] = file.data, file.rev
        changed = revs != folder.revs
        self._folder = _Folder(changes.cursor, revs, data)
        return changed

    def _build(self) -> Snapshot:
        """Snapshot of the folder's files; a broken league.toml leaves the last good one in force."""
        folder, problems = self._folder, list[Problem]()
        league, trouble = self._read_league(folder.data.get("league.toml"))
        problems += trouble
        league = league.with_logs(folder.data)
        logs = self._parse_logs(league)
        games = {s.number: tuple(self._games(league, logs, s, problems)) for s in league.seasons}
        starts, odd = parse_ratings(folder.data.get("rating.txt", b"").decode("utf-8", "replace"))
        problems += [Problem("rating.txt", n, t, "not `player R games`") for n, t in odd]
        starts = {league.player_of(name): start for name, start in starts.items()}
        for player in league.players.values():
            if player.rating is not None or player.games:
                starts[player.tenhou] = (FIRST if player.rating is None else player.rating, player.games)
        revision = hashlib.sha256(repr(sorted(folder.revs.items())).encode()).hexdigest()[:20]
        teamlog = folder.data.get("teamlog.txt", b"")
        sessions, odd_lines = parse_teamlog(teamlog.decode("utf-8", "replace"))
        problems += odd_lines + same_twice(league, sessions)
        problems += unread_logs(league, folder.data)
        recordlog = folder.data.get("recordlog.txt", b"")
        return Snapshot(revision, league, logs, games, tuple(problems), starts, teamlog, recordlog)

    def _read_league(self, data: bytes | None) -> tuple[League, list[Problem]]:
        if data is None:
            self._league = League()
            return self._league, []
        try:
            self._league = parse_league(data.decode("utf-8"), list(MODELS))
        except (LeagueError, UnicodeDecodeError) as error:
            reason = NO_TEXT if isinstance(error, UnicodeDecodeError) else str(error)
            return self._league, [league_problem(reason, data.decode("utf-8", "replace"))]
        return self._league, []

    def _parse_logs(self, league: League) -> dict[str, RoomLog]:
        return parse_logs(league, self._folder.data, datetime.now(JST).date(), self._parse)

    def _parse(self, name: str, data: bytes, span: Span) -> RoomLog:
        """A log as read before, where neither it nor what is known of its days has changed."""
        known = (self._folder.revs[name], span)
        cached = self._parsed.get(name)
        if cached is None or cached[0] != known:
            self._parsed[name] = cached = (known, parse(name, data, span))
        return cached[1]

    @staticmethod
    def _games(
        league: League, logs: Mapping[str, RoomLog], season: Season, problems: list[Problem]
    ) -> list[Game]:
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

    def replayed(
        self, model: str, season: int | None = None, seats: int | None = None, **options: Any
    ) -> tuple[Standings, History, list[Any]]:
        """Standings, history lines (of a sequential model) and games in order; goes on from what was rated before.

        A system of two against two rates the team log, whatever the season. GameError where a fit needs more games.
        """
        snapshot = self.snapshot()
        kind = MODELS[model]
        games: list[Any] = same_seats(snapshot.all_games(season), seats)
        if kind.plays == "teams":
            season, seats, games = None, None, team_games(snapshot)
        made = snapshot.system(model, **options)
        key = (repr(made), season, seats)
        with self._ratings_lock:
            known = self._ratings.get(key)
        if known is not None and known.games == games:
            return known.result, known.replay.history, known.games
        if isinstance(made, Batch):
            fresh = _Known(games, Replay(), made.fit(games))
        else:
            fresh = self._play(made, games, known)
        with self._ratings_lock:
            self._ratings[key] = fresh
            self._ratings.move_to_end(key)
            while len(self._ratings) > KEPT:
                self._ratings.popitem(last=False)
        return fresh.result, fresh.replay.history, games

    @staticmethod
    def _play(model: Sequential[Any], games: list[Any], known: _Known | None) -> _Known:
        done = len(known.games) if known is not None and games[: len(known.games)] == known.games else 0
        played = replay(model, games[done:], known.replay if known is not None and done else None)
        return _Known(games, played, standings(model, played))


def _matters(name: str) -> bool:
    """Whether a file of the folder says something of the league."""
    return (name.startswith("logvol") and name.endswith(".txt")) or name in (
        "league.toml",
        "rating.txt",
        "teamlog.txt",
        "recordlog.txt",
    )
