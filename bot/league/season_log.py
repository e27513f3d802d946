"""Write a league's season logs for the sync: which rooms count, which log a game belongs to, safe
writing.

Tenhou's lines of the games that hands corrected are stored under `history/` too, so that `flask
league check` can name Tenhou's version also where the database is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, time
from functools import cached_property
from time import sleep
from typing import NamedTuple

from bot.league.files import change, current
from bot.league.in_force import (
    Loss,
    UnusableFile,
    logs_in_force,
    losses,
    read_files,
    read_in_force,
)
from bot.league.last_good import LastGood
from bot.runtime.translation import translated as _
from rating.encoding import UTF8, EncodingError, as_utf8
from rating.league import LOG_NAME, League, Season, parse_logs, span_of
from rating.logdates import JST
from rating.merge import DayLine, games_of, merge
from rating.own_games import OwnGame, SettledLines, settle, without
from rating.roomlog import OTHER_ROOMS, LogLine, RoomLog, Span, parse, parse_utf8
from rating.same_game import (
    CorrectedGame,
    Offers,
    covers_day,
    identity as identity_of,
    players_part,
)
from storage.ports import LARGEST, LogSource, StorageError, too_large

CORRECTED = "history/corrected/tenhou.txt"
_Days = dict[date, list[bytes]]


@dataclass(frozen=True)
class LeagueFolder:
    """A league to bring up to date, by its folder's name (`key`, "" for the root). `fault` is that
    of league.toml where its last good version is in force."""

    logs: LogSource
    league: League
    key: str = ""
    fault: UnusableFile | None = None


def folder_opener(
    open_logs: Callable[[str], LogSource],
    now: Callable[[], datetime] = lambda: datetime.now(JST),
) -> Callable[[str], LeagueFolder]:
    """Return what opens a league by its folder's name: its logs and its league.toml. The root's
    good league.toml is stored as its last good version; a host's others are stored by what reads
    them to answer. The opener raises LeagueError when league.toml cannot be used and no good version is
    known, and StorageError.
    """

    def opened(key: str) -> LeagueFolder:
        logs = open_logs(key)
        in_force = read_in_force(logs, None if key else now())
        return LeagueFolder(logs, in_force.league, key, in_force.unusable)

    return opened


class SeasonLogError(ValueError):
    """The league's logs cannot be written.

    The message has the reason, and names the file or what to do.
    """


class UnreadableLog(SeasonLogError):
    """A season log that games belong to cannot be read, so nothing is added to it."""


class NoLeague(SeasonLogError):
    """The folder has no season log, and no league.toml with any content."""


class SeasonLogs:
    """The season logs of a league's folder. `refused` has the reason of each log read so far that
    can't be read, by name; nothing is added to it. `corrected` lists the games that Tenhou offered
    and that stay as a hand corrected them. Raises SeasonLogError when no room is known (NoLeague
    when the folder is empty, UnreadableLog when a log cannot be read), and StorageError."""

    def __init__(
        self,
        folder: LeagueFolder,
        now: Callable[[], datetime],
        wait: Callable[[float], None] = sleep,
        own_room: Callable[[], str] = str,
    ) -> None:
        """`own_room` returns the room whose own results are read; it counts where league.toml names
        none.
        """
        self.folder = folder
        self._own_room = own_room
        self._now = now
        self._wait = wait
        self._good = LastGood(folder.logs)
        self._good_error: StorageError | None = None  # why it is not known which logs are gone
        self._names = self._log_names()
        self.league = folder.league.with_logs(self._names)
        self._days_of_games: dict[str, dict[Hashable, list[date | None]]] = {}
        self._noted_encodings: set[str] = set()
        self.refused: dict[str, str] = {}
        self.notes: list[str] = []
        self.corrected: list[HandsVersion] = []
        self._odd_lines: dict[str, list[str]] = defaultdict(list)
        self.rooms = self._rooms()
        self._read_current_log()

    def _log_names(self) -> list[str]:
        """Return the names of the season logs: those in the folder, and those that are gone."""
        names = sorted(filter(LOG_NAME.match, self.folder.logs.revisions()))
        try:
            good_names = self._good.names()
        except StorageError as error:  # the rooms that league.toml names are known all the same
            if not self.folder.league.rooms:
                raise
            self._good_error = error
            return names
        if any(LOG_NAME.match(name) for name in good_names.difference(names)):
            files, large = read_files(self.folder.logs, names)
            unusable = logs_in_force(files, large, self._good).unusable
            names += [fault.file for fault in unusable if fault.lost is Loss.GONE]
        return names

    def _read_current_log(self) -> None:
        """Note what is odd about the log to which today's games belong, as every sync reports. A
        host's leagues are read when they get games, because each look is a request."""
        moment = self._now().astimezone(JST).replace(tzinfo=None)
        season = self.league.season_at(moment)
        if season and season.log in self._names and not self.folder.key:
            self._read([season.log])

    def take_notes(self) -> list[str]:
        """Return the notes since the last call.

        Odd lines are counted by reason, with an example.
        """
        notes = self.notes
        for reason, lines in self._odd_lines.items():
            noun = "lines" if len(lines) > 1 else "line"
            notes.append(f"{len(lines)} {noun} {reason}: {lines[0]}")
        self.notes = []
        self._odd_lines = defaultdict(list)
        return notes

    def add(
        self,
        days: Mapping[date, Sequence[bytes]],
        offers: Offers | None,
        own_games: Mapping[DayLine, OwnGame],
    ) -> dict[str, list[date]]:
        """Merge lines (bytes, by day of play) into the logs they belong to. Return the day of each
        game added, by log. `offers` returns all lines known of a day, and is None for games at a
        table. `own_games` has the lines that are games of the room's own results; one that takes
        the place of ours counts as no added game. Those of a refused log are left out: see `stuck`.
        A game that a hand corrected is appended to `corrected` instead, and Tenhou's line is
        stored."""
        if self._good_error is not None:
            raise self._good_error
        lines_by_log: dict[str, _Days] = defaultdict(dict)
        for day, lines in days.items():
            for raw in lines:
                log = self._log_of(day, raw, quiet=False)
                if log and not self._is_in_other_log(log, day, raw):
                    lines_by_log[log].setdefault(day, []).append(raw)
        ready = [log for log in sorted(lines_by_log) if not self._is_refused(log)]
        added = {log: self._write(log, lines_by_log[log], offers, own_games) for log in ready}
        for log in ready:
            self._take_out_elsewhere(log, lines_by_log[log], own_games)
        return {log: days_added for log, days_added in added.items() if days_added}

    def _is_refused(self, log: str) -> bool:
        """Whether the log can't be read; looking for it reads all logs."""
        return log in self._logs and log in self.refused

    def _is_in_other_log(self, log: str, day: date, raw: bytes) -> bool:
        key = identity_of(_line(raw))
        for name in self._logs:
            if name == log:
                continue
            days = self._game_days(name).get(key, ())
            if any(covers_day(other, day) for other in days):
                return True
        return False

    def take_out(self, day: date, raw: bytes) -> bool:
        """Take a line out of the log that has exactly this line. Return whether it was there. Raises
        UnreadableLog, StorageError."""
        for name in self._logs:
            span = span_of(self.league, name, self._logs, max(self._today, day))
            if self._remove(name, [DayLine(day, raw)], span):
                return True
        return False

    def _remove(self, name: str, lines: Sequence[DayLine], span: Span) -> bool:
        """Take lines out of a log. Return whether one was there."""
        was_there = False

        def without_lines(data: bytes) -> bytes:
            nonlocal was_there
            new = without(data, lines, span)
            was_there = new != data
            return new

        change(self.folder.logs, name, without_lines, self._now(), self._wait)
        return was_there

    def has(self, raw: bytes) -> bool:
        """Return whether a log has the line's game or fine, on whatever day."""
        key = identity_of(_line(raw))
        return any(key in self._game_days(name) for name in self._logs)

    def stuck(self, day: date, lines: Sequence[bytes]) -> bool:
        """Return whether a line of the day belongs to a refused log, so that it must be offered
        again.
        """
        if not self.refused:
            return False
        return any(self._log_of(day, raw) in self.refused for raw in lines)

    def counts(self, day: date, line: bytes) -> bool:
        return self._log_of(day, line) is not None

    def _read(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the bytes of logs as they are in force (none: b"").

        Note what is odd about them.
        """
        files, large = read_files(self.folder.logs, names)
        in_force, unusable = logs_in_force(
            files, large, self._good, gone={*names} - {*files} - {*large}
        )
        if any(fault.lost for fault in unusable) and {*names} < {*self._names}:
            everything = self._read(self._names)  # the games may have moved
            return {name: everything[name] for name in names}
        for fault in unusable:
            self.refused[fault.file] = "; ".join(filter(None, (fault.reason, fault.cure)))
        for name, data in files.items():
            self._refusal(name, data)
        return dict.fromkeys(names, b"") | in_force

    def _refusal(self, name: str, data: bytes) -> str:
        """Return why these bytes cannot be read, "" when they can. Note another encoding once."""
        try:
            encoding = as_utf8(data).encoding
        except EncodingError as error:
            return str(error)
        if encoding != UTF8 and name not in self._noted_encodings:
            self._noted_encodings.add(name)
            self.notes.append(f"{name}: read as {encoding}; the first write saves it as UTF-8")
        return ""

    def _rooms(self) -> frozenset[str]:
        """Return the rooms whose games count: those of league.toml, or else those of the newest log
        that has any, with the league's own room."""
        if self.league.rooms:
            return frozenset(self.league.rooms)
        own_rooms = frozenset({self._own_room()} - {""})
        logged_rooms = self._logged_rooms()
        if logged_rooms:
            return logged_rooms | own_rooms
        for name, reason in self.refused.items():
            raise UnreadableLog(f"{name}: {reason}")
        if own_rooms:
            return own_rooms
        message = "no room is known: `flask league init NAME…` finds it, or name it in league.toml (rooms)"
        if self._names or self.folder.league != League():
            raise SeasonLogError(message)
        raise NoLeague(message)

    def _logged_rooms(self) -> frozenset[str]:
        """Return the rooms in the newest log that has any, and note it."""
        for season in reversed(self.league.seasons):
            if season.log not in self._names:
                continue
            data = self._read([season.log])[season.log]
            games = parse(season.log, data).games
            rooms = frozenset(game.room for game in games) - {*OTHER_ROOMS}
            if rooms:
                names = ", ".join(sorted(rooms))
                self.notes.append(f"no rooms in league.toml: taken from {season.log}: {names}")
                return rooms
        return frozenset()

    def _log_of(self, day: date, raw: bytes, quiet: bool = True) -> str | None:
        """Return the log a line belongs to by its game's start, None where it does not count. Note
        an odd one, unless `quiet`."""
        line = _line(raw)
        is_recorded = line.fine is not None or (
            line.game is not None and line.game.room in OTHER_ROOMS
        )
        # A line may have been downloaded when other rooms counted.
        if raw[:5].decode("utf-8", "replace") not in self.rooms and not is_recorded:
            return None
        moment = datetime.combine(day, (line.game and line.game.start) or time())
        season = self.league.season_at(moment) if self.league.seasons else Season(1, "logvol1.txt")
        reason = ""
        if line.glued is not None:
            reason = "left out, for a date stands at the end"
            season = None
        elif season is None:
            reason = "left out, before the first season's start"
        elif line.game is None and line.fine is None:
            reason = "kept, though it can't be read"
        elif self._has_strangers(line, day):
            reason = "left out, for not all are members"
            season = None
        if reason and not quiet:
            self._odd_lines[reason].append(f"{day} {line.text}")
        return season.log if season else None

    def _has_strangers(self, line: LogLine, day: date) -> bool:
        """Whether a line's game does not count because not all its players are members."""
        if line.game is None or not self.league.members_only:
            return False
        return not self.league.canonical([replace(line.game, day=day)])

    def _game_days(self, name: str) -> dict[Hashable, list[date | None]]:
        """The days of a log's games, by the games' identity."""
        if name not in self._days_of_games:
            days_by_game: dict[Hashable, list[date | None]] = defaultdict(list)
            for day, key in games_of(self._logs[name]):
                days_by_game[key].append(day)
            self._days_of_games[name] = days_by_game
        return self._days_of_games[name]

    @cached_property
    def _logs(self) -> dict[str, RoomLog]:
        """Every season's log, as it was when first read; so are `_game_days` and `_elsewhere`."""
        return parse_logs(self.league, self._read(self._names), self._today)

    @property
    def _today(self) -> date:
        return self._now().astimezone(JST).date()

    def _elsewhere(self, log: str) -> Iterator[LogLine]:
        for name, other in self._logs.items():
            if name != log:
                yield from other.lines

    def _check_readable(self, name: str, data: bytes) -> None:
        """Raise UnreadableLog for bytes that can't be read or that have lost games."""
        reason = self._refusal(name, data)
        if reason:
            raise UnreadableLog(f"{name}: {reason}")
        if not losses({name: data}, self._good, ()):
            return
        # Lost since it was read; or its games are in other logs.
        all_logs = {other: log.to_bytes() for other, log in self._logs.items()}
        all_logs[name] = data
        loss = losses(all_logs, self._good, ()).get(name)
        if loss:
            raise UnreadableLog(f"{name}: {loss.reason}; {loss.cure}")

    def _write(
        self, name: str, days: _Days, offers: Offers | None, own_games: Mapping[DayLine, OwnGame]
    ) -> list[date]:
        """Merge lines into a log, and return the days of the games added.

        The write guarantees that no edit in between is lost: the file is written at the revision
        that was read, and after a conflict it is read and merged again (`bot/league/files.py`).
        Shown by tests/league/test_killed.py and tests/sync/test_crash.py."""
        last_merge = _LogMerge(b"", [], ())

        def merged(data: bytes) -> bytes:
            nonlocal last_merge
            last_merge = self._merged(name, data, days, offers, own_games)
            return last_merge.data

        change(self.folder.logs, name, merged, self._now(), self._wait)
        remember(self.folder.logs, last_merge.corrected, self._now(), self._wait)
        self.corrected += [HandsVersion.of(game, name) for game in last_merge.corrected]
        return last_merge.days_added

    def _merged(
        self,
        name: str,
        data: bytes,
        days: _Days,
        offers: Offers | None,
        own_games: Mapping[DayLine, OwnGame],
    ) -> _LogMerge:
        """Return the bytes of a log after a merge: first the room's own games are settled with the
        lines that Tenhou offers, then all lines are merged."""
        self._check_readable(name, data)
        span = span_of(self.league, name, self._logs, max(self._today, *days))
        settled = SettledLines(data, days)
        if offers is not None:
            settled = settle(data, days, own_games, span, offers, self._elsewhere(name))
        result = merge(settled.data, settled.days, span, offers, self._elsewhere(name))
        if len(result.data) > LARGEST:  # nobody could read it any more
            raise UnreadableLog(f"{name}: {too_large(len(result.data))}")
        return _LogMerge(
            result.data,
            days_added=[day for day, raw in result.added if (day, raw) not in settled.replaced],
            corrected=(*settled.corrected, *result.corrected),
        )

    def _take_out_elsewhere(
        self, name: str, days: _Days, own_games: Mapping[DayLine, OwnGame]
    ) -> None:
        """Take our former lines of games that are in this log now out of the other seasons'
        logs.
        """
        former_lines: dict[str, list[DayLine]] = defaultdict(list)
        for line, game in own_games.items():
            if line.raw not in days.get(line.day, ()):
                continue
            for day, raw in game.versions:
                log = self._log_of(day, raw)
                if log is None or log == name:
                    continue
                if self._game_days(log).get(identity_of(_line(raw))):
                    former_lines[log].append(DayLine(day, raw))
        for log, lines in former_lines.items():
            self._remove(log, lines, span_of(self.league, log, self._logs, self._today))


class _LogMerge(NamedTuple):
    """A log after a merge: its bytes, the days of the games added, and the games of which a hand's
    version stays."""

    data: bytes
    days_added: list[date]
    corrected: tuple[CorrectedGame, ...]


def _line(raw: bytes) -> LogLine:
    return parse_utf8("", raw).lines[0]


@dataclass(frozen=True, slots=True)
class HandsVersion:
    """A game that Tenhou offers and a hand corrected: the players part of both lines, and where the
    hand's is. `day` is an ISO date, `start` is HH:MM."""

    log: str
    day: str
    room: str
    start: str
    hand: str
    tenhou: str

    @classmethod
    def of(cls, game: CorrectedGame, log: str) -> HandsVersion:
        """Return a game's versions; `log` is the log of the hand's line where that has no name of
        its own.
        """
        played = game.logged.game
        assert played is not None
        assert played.start is not None
        hand = players_part(game.logged)
        tenhou = players_part(game.offered)
        when = game.day.isoformat(), played.room, f"{played.start:%H:%M}"
        return cls(played.source or log, *when, hand=hand, tenhou=tenhou)

    def __str__(self) -> str:
        return _(
            "{log}: kept the hand's version of {day} {room} {start}: {hand} (Tenhou has {tenhou})"
        ).format(**asdict(self))


def remember(
    logs: LogSource,
    games: Sequence[CorrectedGame],
    now: datetime,
    wait: Callable[[float], None] = sleep,
) -> None:
    """Add Tenhou's lines of these games to those stored. Raises StorageError, and ValueError when the
    file is no text."""
    days: _Days = defaultdict(list)
    for game in games:
        days[game.day].append(game.offered.raw)
    if not days:
        return

    def merged(data: bytes) -> bytes:
        return merge(data, days).data

    try:
        change(logs, CORRECTED, merged, now, wait, keeping=False)
    except ValueError as error:  # somebody saved the file so that it is no text
        raise ValueError(f"{CORRECTED}: {error}") from error


def with_remembered(
    logs: LogSource, offered: Mapping[date, Sequence[bytes]]
) -> dict[date, tuple[bytes, ...]]:
    """Return the lines of `offered` with those stored in the folder, each once, by day.

    Raises StorageError.
    """
    stored: dict[date, list[bytes]] = defaultdict(list)
    for line in parse_utf8(CORRECTED, current(logs, CORRECTED).data).lines:
        if line.game is not None and line.day is not None:
            stored[line.day].append(line.raw.rstrip(b"\r\n"))
    joined = {}
    for day in sorted({*offered, *stored}):
        lines = [*offered.get(day, ()), *stored.get(day, ())]
        joined[day] = tuple(dict.fromkeys(lines))
    return joined
