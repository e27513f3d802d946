"""Write a league's season logs for the sync: which rooms count, which log a game belongs to, safe writing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import cached_property
from time import sleep

from bot.league.corrections import HandsVersion, hands_version, remember
from bot.league.edit import change, current
from rating.corrected import CorrectedGame, Offers
from rating.folder import parse_logs, span_of
from rating.league import League, Season
from rating.league_faults import LEAGUE_FILE
from rating.league_file import decoded, parse_league
from rating.logdates import JST
from rating.merge import games_of, merge, stands_for
from rating.merge import identity as identity_of
from rating.models import MODELS
from rating.roomlog import NOT_UTF8, UTF16, LogLine, RoomLog, parse
from storage.ports import LogSource, NotFound

_Days = dict[date, list[bytes]]


@dataclass(frozen=True)
class LeagueFolder:
    """A league to bring up to date: its log source, what its league.toml says, its folder's name ("" for the root)."""

    logs: LogSource
    league: League
    key: str = ""


def read_league(logs: LogSource) -> League:
    """Return what league.toml says. Without the file that is an empty League.

    Raises LeagueError when it cannot be used, because writing by a guess would misplace games, and StorageError when
    the folder cannot be reached.
    """
    try:
        return parse_league(decoded(logs.read(LEAGUE_FILE).data), tuple(MODELS))
    except NotFound:
        return League()


def folder_opener(open_logs: Callable[[str], LogSource]) -> Callable[[str], LeagueFolder]:
    """Return what opens a league by its folder's name: its logs and its league.toml.

    The opener raises LeagueError when league.toml cannot be used, and StorageError when the folder cannot be reached.
    """

    def opened(key: str) -> LeagueFolder:
        logs = open_logs(key)
        return LeagueFolder(logs, read_league(logs), key)

    return opened


class SeasonLogError(ValueError):
    """The league's logs cannot be written. The message says why, and names the file or what to do."""


class NoLeague(SeasonLogError):
    """The folder has no season log, and no league.toml that says anything."""


class SeasonLogs:
    """The season logs of a league's folder.

    Raises SeasonLogError when no room is known (NoLeague when the folder holds nothing), and StorageError when the
    folder cannot be reached.
    """

    def __init__(
        self, folder: LeagueFolder, now: Callable[[], datetime], wait: Callable[[float], None] = sleep
    ) -> None:
        self.folder = folder
        self._now = now
        self._wait = wait
        self._names = [name for name in folder.logs.changes().files if League().with_logs([name]).seasons]
        self.league = folder.league.with_logs(self._names)
        self._held: dict[str, dict[Hashable, list[date | None]]] = {}
        self.notes: list[str] = []
        self.kept: list[HandsVersion] = []  # the games of which a hand's version was let stand
        self._odd: dict[str, list[str]] = defaultdict(list)
        self.rooms = self._rooms()

    def take_notes(self) -> list[str]:
        """Return the notes since the last call. Odd lines are counted by reason, with one of them as an example."""
        notes = self.notes + [
            f"{len(lines)} {'lines' if len(lines) > 1 else 'line'} {reason}: {lines[0]}"
            for reason, lines in self._odd.items()
        ]
        self.notes, self._odd = [], defaultdict(list)
        return notes

    def add(
        self, days: Mapping[date, Sequence[bytes]], offers: Offers | None = None
    ) -> dict[str, list[date]]:
        """Merge lines into the logs they belong to. Return the day of each game added, by log.

        `days` has Tenhou's lines (bytes) by day of play; `offers` returns all lines known of a day (by default those).
        A game that a hand corrected is not added; it is appended to `kept`, and Tenhou's line is remembered.
        """
        offers = offers or (lambda day: days.get(day, ()))
        wanted: dict[str, _Days] = defaultdict(dict)
        for day, lines in days.items():
            for raw in lines:
                log = self._log_of(day, raw)
                if log and not self._stands_elsewhere(log, day, raw):
                    wanted[log].setdefault(day, []).append(raw)
        added = {log: self._write(log, wanted[log], offers) for log in sorted(wanted)}
        return {log: found for log, found in added.items() if found}

    def _rooms(self) -> frozenset[str]:
        """Return league.toml's rooms, or else those of the newest log that has a game."""
        if self.league.rooms:
            return frozenset(self.league.rooms)
        for season in reversed(self.league.seasons):
            if season.log in self._names:
                games = parse(season.log, self.folder.logs.read(season.log).data).games
                if rooms := frozenset(game.room for game in games):
                    names = ", ".join(sorted(rooms))
                    self.notes.append(f"no rooms in league.toml: taken from {season.log}: {names}")
                    return rooms
        kind = SeasonLogError if self._names or self.folder.league != League() else NoLeague
        raise kind("no room is known: `flask league init NAME…` finds it, or name it in league.toml (rooms)")

    def _log_of(self, day: date, raw: bytes) -> str | None:
        """Return the log a line belongs to, by its game's start. None for a game that does not count."""
        line = _line(raw)
        # A line may have been downloaded when other rooms counted.
        if raw[:5].decode("utf-8", "replace") not in self.rooms:
            return None
        moment = datetime.combine(day, (line.game and line.game.start) or time())
        season = self.league.season_at(moment) if self.league.seasons else Season(1, "logvol1.txt")
        reason, kept = self._oddity(line, day, season)
        if reason:
            self._odd[reason].append(f"{day} {line.text}")
        return season.log if kept and season else None

    def _oddity(self, line: LogLine, day: date, season: Season | None) -> tuple[str, bool]:
        """Return what is odd about a line, and whether it goes to the log all the same."""
        if line.glued is not None:
            return "left out, for a date stands at the end", False
        if season is None:
            return "left out, before the first season's start", False
        if line.game is None:
            return "kept, though it can't be read", True
        if self.league.members_only and not self.league.canonical([replace(line.game, day=day)]):
            return "left out, for not all are members", False
        return "", True

    def _stands_elsewhere(self, log: str, day: date, raw: bytes) -> bool:
        """Return whether another season's log holds this game already."""
        key = identity_of(_line(raw))
        for name in self._logs:
            if name != log and any(stands_for(other, day) for other in self._held_in(name).get(key, ())):
                return True
        return False

    def _held_in(self, name: str) -> dict[Hashable, list[date | None]]:
        """Return the days of a log's games by identity, as the log was when first asked for."""
        if name not in self._held:
            self._held[name] = defaultdict(list)
            for day, key in games_of(self._logs[name]):
                self._held[name][key].append(day)
        return self._held[name]

    @cached_property
    def _logs(self) -> dict[str, RoomLog]:
        """Every season's log, as it was when first asked for."""
        files = {name: current(self.folder.logs, name)[0] for name in self._names}
        return parse_logs(self.league, files, self._today)

    @property
    def _today(self) -> date:
        return self._now().astimezone(JST).date()

    def _elsewhere(self, log: str) -> Iterator[LogLine]:
        """Yield the lines of the other seasons' logs, as they were when first asked for."""
        for name, other in self._logs.items():
            if name != log:
                yield from other.lines

    def _write(self, name: str, days: _Days, offers: Offers) -> list[date]:
        """Merge into one log, and again after someone else's edit. Return the days of the games added."""
        added: tuple[tuple[date, bytes], ...] = ()
        corrected: tuple[CorrectedGame, ...] = ()

        def merged(data: bytes) -> bytes:
            nonlocal added, corrected
            if data.startswith(UTF16):
                raise SeasonLogError(f"{name}: {NOT_UTF8}")
            span = span_of(self.league, name, self._logs, max(self._today, *days))
            result = merge(data, days, span, offers, self._elsewhere(name))
            added, corrected = result.added, result.corrected
            return result.data

        change(self.folder.logs, name, merged, self._now(), self._wait)
        remember(self.folder.logs, corrected, self._now(), self._wait)
        self.kept += [hands_version(game, name) for game in corrected]
        return [day for day, _ in added]


def _line(raw: bytes) -> LogLine:
    return parse("", raw).lines[0]
