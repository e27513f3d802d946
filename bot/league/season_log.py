"""Write a league's season logs for the sync: which rooms count, which log a game belongs to, safe writing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from functools import cached_property, partial
from time import sleep

from bot.league.corrections import HandsVersion, hands_version, remember
from bot.league.edit import change, current
from bot.league.in_force import refusals
from bot.league.last_good import LastGood
from bot.league.league_folder import LeagueFolder
from rating.encoding import UTF8, EncodingError, as_utf8
from rating.folder import parse_logs, span_of
from rating.league import League, Season
from rating.logdates import JST
from rating.merge import games_of, merge
from rating.own_lines import DayLine, OwnGame, settle, without
from rating.roomlog import LogLine, RoomLog, parse, parse_utf8
from rating.same_game import CorrectedGame, Offers, stands_for
from rating.same_game import identity as identity_of
from storage.ports import LARGEST, TooLarge, too_large

_Days = dict[date, list[bytes]]


class SeasonLogError(ValueError):
    """The league's logs cannot be written. The message says why, and names the file or what to do."""


class UnreadableLog(SeasonLogError):
    """A season log that games belong to cannot be read, so nothing is added to it."""


class NoLeague(SeasonLogError):
    """The folder has no season log, and no league.toml that says anything."""


class SeasonLogs:
    """The season logs of a league's folder.

    `refused` has the reason of each log that cannot be read, by name, as far as the logs were read. Nothing
    is added to them. Raises SeasonLogError when no room is known (NoLeague when the folder holds nothing,
    UnreadableLog when a log cannot be read), and StorageError when the folder cannot be reached.
    """

    def __init__(
        self,
        folder: LeagueFolder,
        now: Callable[[], datetime],
        wait: Callable[[float], None] = sleep,
        own_room: Callable[[], str] = str,
    ) -> None:
        """`own_room` returns the room whose own results are read ("" for none); it counts where league.toml
        names none."""
        self.folder = folder
        self._own_room = own_room
        self._now = now
        self._wait = wait
        self._names = [name for name in folder.logs.changes().files if League().with_logs([name]).seasons]
        self.league = folder.league.with_logs(self._names)
        self._held: dict[str, dict[Hashable, list[date | None]]] = {}
        self._good = LastGood(folder.logs)
        self._met: set[str] = set()
        self.refused: dict[str, str] = {}
        self.notes: list[str] = []
        self.kept: list[HandsVersion] = []  # the games of which a hand's version was let stand
        self._odd: dict[str, list[str]] = defaultdict(list)
        self.rooms = self._rooms()
        self._look_at_the_current()

    def take_notes(self) -> list[str]:
        """Return the notes since the last call. Odd lines are counted by reason, with one of them as an
        example."""
        notes = self.notes + [
            f"{len(lines)} {'lines' if len(lines) > 1 else 'line'} {reason}: {lines[0]}"
            for reason, lines in self._odd.items()
        ]
        self.notes, self._odd = [], defaultdict(list)
        return notes

    def add(
        self,
        days: Mapping[date, Sequence[bytes]],
        offers: Offers | None = None,
        own: Mapping[DayLine, OwnGame] | None = None,
    ) -> dict[str, list[date]]:
        """Merge lines into the logs they belong to. Return the day of each game added, by log.

        `days` has Tenhou's lines (bytes) by day of play; `offers` returns all lines known of a day (by
        default those). `own` tells which of the lines are games of the room's own results; a line that takes
        the place of ours counts as no added game. Those of a log that is refused are left out: see `stuck`. A
        game that a hand corrected is not added; it is appended to `kept`, and Tenhou's line is remembered.
        """
        offers = offers or (lambda day: days.get(day, ()))
        wanted: dict[str, _Days] = defaultdict(dict)
        for day, lines in days.items():
            for raw in lines:
                log = self._log_of(day, raw)
                if log and not self._stands_elsewhere(log, day, raw):
                    wanted[log].setdefault(day, []).append(raw)
        ready = [log for log in sorted(wanted) if not self._is_refused(log)]
        added = {log: self._write(log, wanted[log], offers, own or {}) for log in ready}
        for log in ready if own else ():
            self._take_out_elsewhere(log, wanted[log], own or {})
        return {log: found for log, found in added.items() if found}

    def stuck(self, day: date, lines: Sequence[bytes]) -> bool:
        """Return whether a line of the day belongs to a log that is refused, so that it must be offered
        again."""
        return bool(self.refused) and any(self._log_of(day, raw, quiet=True) in self.refused for raw in lines)

    def counts(self, day: date, line: bytes) -> bool:
        """Return whether a line of the day belongs to a log."""
        return self._log_of(day, line, quiet=True) is not None

    def _is_refused(self, name: str) -> bool:
        return name in self._logs and name in self.refused

    def _bytes(self, name: str) -> bytes:
        """Return a log's bytes, or its last good version's, or none. Note what is odd about the file."""
        try:
            data = current(self.folder.logs, name)[0]
            reason = self._seen(name, data)
        except TooLarge as error:
            reason = too_large(error.size)
        if not reason:
            return data
        self.refused[name] = reason
        former = self._good.get_text(name)
        return former.data if former else b""

    def _seen(self, name: str, data: bytes) -> str:
        """Return why these bytes cannot be read, "" when they can. Note once that a log is in another
        encoding."""
        try:
            encoding = as_utf8(data).encoding
        except EncodingError as error:
            return str(error)
        if encoding != UTF8 and name not in self._met:
            self._met.add(name)
            self.notes.append(f"{name}: read as {encoding}; the first write saves it as UTF-8")
        return ""

    def _look_at_the_current(self) -> None:
        """Read the log to which today's games belong, so that every sync says what is odd about it.

        Only for the root's league: a host's leagues are read when they get games, because each look is a
        request.
        """
        if self.folder.key:
            return
        season = self.league.season_at(self._now().astimezone(JST).replace(tzinfo=None))
        if season and season.log in self._names:
            self._bytes(season.log)

    def _rooms(self) -> frozenset[str]:
        """Return league.toml's rooms, or else those of the newest log that has a game."""
        if self.league.rooms:
            return frozenset(self.league.rooms)
        own = frozenset({self._own_room()} - {""})
        for season in reversed(self.league.seasons):
            if season.log in self._names:
                games = parse(season.log, self._bytes(season.log)).games
                if rooms := frozenset(game.room for game in games):
                    names = ", ".join(sorted(rooms))
                    self.notes.append(f"no rooms in league.toml: taken from {season.log}: {names}")
                    return rooms | own
        for name, reason in self.refused.items():
            raise UnreadableLog(f"{name}: {reason}")
        if own:
            return own
        kind = SeasonLogError if self._names or self.folder.league != League() else NoLeague
        raise kind("no room is known: `flask league init NAME…` finds it, or name it in league.toml (rooms)")

    def _log_of(self, day: date, raw: bytes, quiet: bool = False) -> str | None:
        """Return the log a line belongs to, by its game's start. None for a game that does not count.

        An odd line is noted, unless `quiet`.
        """
        line = _line(raw)
        # A line may have been downloaded when other rooms counted.
        if raw[:5].decode("utf-8", "replace") not in self.rooms:
            return None
        moment = datetime.combine(day, (line.game and line.game.start) or time())
        season = self.league.season_at(moment) if self.league.seasons else Season(1, "logvol1.txt")
        reason, kept = self._oddity(line, day, season)
        if reason and not quiet:
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
        files = {name: self._bytes(name) for name in self._names}
        for name, reason in refusals(files, {}).items():  # too large together
            self.refused[name], files[name] = reason, b""
        return parse_logs(self.league, files, self._today)

    @property
    def _today(self) -> date:
        return self._now().astimezone(JST).date()

    def _elsewhere(self, log: str) -> Iterator[LogLine]:
        """Yield the lines of the other seasons' logs, as they were when first asked for."""
        for name, other in self._logs.items():
            if name != log:
                yield from other.lines

    def _write(self, name: str, days: _Days, offers: Offers, own: Mapping[DayLine, OwnGame]) -> list[date]:
        """Merge into one log, and again after someone else's edit. Return the days of the games added."""
        added: list[date] = []
        corrected: tuple[CorrectedGame, ...] = ()

        def merged(data: bytes) -> bytes:
            nonlocal added, corrected
            if reason := self._seen(name, data):
                raise UnreadableLog(f"{name}: {reason}")
            span = span_of(self.league, name, self._logs, max(self._today, *days))
            settled = settle(data, days, own, span, offers, self._elsewhere(name))
            result = merge(settled.data, settled.days, span, offers, self._elsewhere(name))
            added = [day for day, raw in result.added if (day, raw) not in settled.replaced]
            corrected = (*settled.corrected, *result.corrected)
            if len(result.data) > LARGEST:  # nobody could read it any more
                raise UnreadableLog(f"{name}: {too_large(len(result.data))}")
            return result.data

        change(self.folder.logs, name, merged, self._now(), self._wait)
        remember(self.folder.logs, corrected, self._now(), self._wait)
        self.kept += [hands_version(game, name) for game in corrected]
        return added

    def _take_out_elsewhere(self, name: str, days: _Days, own: Mapping[DayLine, OwnGame]) -> None:
        """Take our former lines of games that are in this log now out of the other seasons' logs."""
        former: dict[str, list[DayLine]] = defaultdict(list)
        for line in (line for line in own if line[1] in days.get(line[0], ())):
            for day, raw in own[line].versions:
                log = self._log_of(day, raw, quiet=True)
                if log is not None and log != name and self._held_in(log).get(identity_of(_line(raw))):
                    former[log].append((day, raw))
        for log, lines in former.items():
            span = span_of(self.league, log, self._logs, self._today)
            work = partial(without, lines=lines, hint=span)
            change(self.folder.logs, log, work, self._now(), self._wait)


def _line(raw: bytes) -> LogLine:
    return parse_utf8("", raw).lines[0]
