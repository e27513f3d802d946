"""Games of a room's own results in a season log, before Tenhou's day file has them.

A line of a room's own results is written from the room's page. Tenhou's day file is authoritative:
its line replaces ours (`settle`). A line that a person made of ours is kept, and a line that a
person removed is not added again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import NamedTuple

from rating.games import Game
from rating.merge import DayLine, without_bom
from rating.roomlog import LogLine, RoomLog, Span, parse_utf8
from rating.same_game import (
    CorrectedGame,
    Nearness,
    Offers,
    content,
    corrected_games,
    covers_day,
    identity,
    nearness,
    offered_identities,
)


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the room's own results.

    `versions`: the lines made of it; the last one is current (an earlier one is from before its
    start was known). `started`: the time in the current line is the game's start, else that of its
    end. `stood`: a line of the game is or was in the log. `fresh`: the game has not been compared
    with the log yet.
    """

    key: str
    end: datetime
    versions: tuple[DayLine, ...]
    started: bool
    stood: bool = False
    fresh: bool = True

    @property
    def current(self) -> DayLine:
        return self.versions[-1]

    @property
    def game(self) -> Game | None:
        return _line(self.current.raw).game

    def nearness(self, start: datetime) -> Nearness | None:
        """How well a start fits the game, smaller is better; None where it does not fit."""
        game = self.game
        clock = time()
        if game is not None and game.start is not None:
            clock = game.start
        moment = datetime.combine(self.current.day, clock)
        return nearness(moment, self.started, start)


@dataclass(frozen=True, slots=True)
class SettledLines:
    """A log without our lines that are replaced, and what to merge into it.

    `days`: the lines to merge, without those that must not be added. `replaced`: those of them that
    replace one of ours. `corrected`: the games that the log has with corrections.
    """

    data: bytes
    days: Mapping[date, Sequence[bytes]]
    replaced: frozenset[DayLine] = frozenset()
    corrected: tuple[CorrectedGame, ...] = ()


class _Fit(NamedTuple):
    """How well a line fits a game, in the order in which lines are assigned to games."""

    nearness: Nearness
    key: str
    line: DayLine


def offered_for(
    games: Sequence[OwnGame], offered: Mapping[date, Sequence[bytes]]
) -> dict[str, DayLine]:
    """The line of the day's files that is each game, by the game's key; every line is one game at
    most."""
    starts: defaultdict[Hashable, list[tuple[datetime, DayLine]]] = defaultdict(list)
    for day, raws in offered.items():
        for raw in dict.fromkeys(raws):
            game = _line(raw).game
            if game is not None and game.start is not None:
                start = datetime.combine(day, game.start)
                starts[content(game)].append((start, DayLine(day, raw)))
    fits = []
    for own_game in games:
        game = own_game.game
        if game is None:
            continue
        for start, line in starts.get(content(game), ()):
            distance = own_game.nearness(start)
            if distance is not None:
                fits.append(_Fit(distance, own_game.key, line))
    lines_by_key: dict[str, DayLine] = {}
    for fit in sorted(fits):
        if fit.key not in lines_by_key and fit.line not in lines_by_key.values():
            lines_by_key[fit.key] = fit.line
    return lines_by_key


def settle(
    data: bytes,
    days: Mapping[date, Sequence[bytes]],
    own_games: Mapping[DayLine, OwnGame],
    hint: Span | date | None,
    offers: Offers,
    elsewhere: Iterable[LogLine] = (),
) -> SettledLines:
    """Prepare a log and the lines of `days` for `merge`, where some lines (`own_games`) are games
    of the room's own results. The log must be readable (rating.encoding); `hint`, `offers` and
    `elsewhere` are as in `merge`."""
    to_merge = set(_day_lines(days))
    lines = {line: game for line, game in own_games.items() if line in to_merge}
    if not lines:
        return SettledLines(data, days)
    bom, log = without_bom(data, hint)
    settlement = _Settlement(_GameLines((*log.lines, *elsewhere)), offers)
    for line, game in lines.items():
        settlement.add(line, game)
    remaining: dict[date, list[bytes]] = {}
    for day, raws in days.items():
        remaining[day] = [raw for raw in raws if DayLine(day, raw) not in settlement.dropped]
    return SettledLines(
        _without_indexes(data, bom, log, settlement.replaced_indexes),
        remaining,
        frozenset(settlement.replaced),
        tuple(settlement.corrected),
    )


def _day_lines(days: Mapping[date, Sequence[bytes]]) -> Iterator[DayLine]:
    for day, raws in days.items():
        for raw in raws:
            yield DayLine(day, raw)


class _Settlement:
    """Decides for one line after another whether it is added, replaces a line, or is dropped.

    `used`: indexes of the logs' lines that are the game of a line so far. `replaced_indexes`:
    those of our lines that are to be removed. `replaced`: the lines that replace them. `dropped`:
    the lines that are not to be added. `corrected`: games that the logs have with corrections.
    """

    def __init__(self, logged: _GameLines, offers: Offers) -> None:
        self.logged = logged
        self.offers = offers
        self.used: set[int] = set()
        self.replaced_indexes: set[int] = set()
        self.replaced: set[DayLine] = set()
        self.dropped: set[DayLine] = set()
        self.corrected: list[CorrectedGame] = []

    def add(self, line: DayLine, game: OwnGame) -> None:
        """Decide about a line of the game. Lines of the logs that we wrote for the game before are
        recognised by their exact bytes (`game.versions`)."""
        old_versions = [version for version in game.versions if version != line]
        ours = self._indexes_of(old_versions)
        same = [index for index in self.logged.same(line) if index not in ours | self.used]
        if same or ours:
            self._replace(line, ours, same)
            return
        # No log has this line or one that we wrote: somebody edited the log by hand, or the game
        # is new.
        corrected = self._correction((*old_versions, line))
        if corrected is not None:
            self.corrected.append(corrected)
            self.dropped.add(line)
            return
        has_old_version = any(map(self.logged.same, old_versions))
        was_removed_by_hand = game.stood
        if has_old_version or was_removed_by_hand:
            self.dropped.add(line)
        elif line == game.current:
            self._drop_if_typed(line, game)

    def _indexes_of(self, versions: Sequence[DayLine]) -> set[int]:
        """The indexes of the first exact line of each version."""
        indexes = set[int]()
        for version in versions:
            indexes.update(self.logged.exact(version)[:1])
        return indexes - self.used

    def _replace(
        self,
        line: DayLine,
        ours: set[int],
        same: Sequence[int],
    ) -> None:
        """Remove our lines; the new line replaces them unless the log has the same one already."""
        if same:
            self.used.add(same[0])
        else:
            self.used |= ours
            self.replaced.add(line)
        self.replaced_indexes |= ours

    def _correction(self, versions: Sequence[DayLine]) -> CorrectedGame | None:
        """The first of the versions that the logs have with corrections."""
        for day, raw in versions:
            corrected = corrected_games({day: [_line(raw)]}, self.logged.lines, self.offers)
            if corrected:
                return corrected[0]
        return None

    def _drop_if_typed(self, line: DayLine, game: OwnGame) -> None:
        for index in self.logged.typed(game, self.offers):
            if index not in self.used:
                self.used.add(index)
                self.dropped.add(line)
                return


def without(data: bytes, lines: Iterable[DayLine], hint: Span | date | None) -> bytes:
    """A log without these lines; each removes one line of exactly the same bytes."""
    bom, log = without_bom(data, hint)
    logged = _GameLines(log.lines)
    removed = set[int]()
    for line in lines:
        indexes = [index for index in logged.exact(line) if index not in removed]
        removed.update(indexes[:1])
    return _without_indexes(data, bom, log, removed)


def _without_indexes(data: bytes, bom: bytes, log: RoomLog, removed: Collection[int]) -> bytes:
    """The log without some lines; `removed` may name lines beyond its end, which are other logs'."""
    if not any(index < len(log.lines) for index in removed):
        return data
    remaining = [line.raw for index, line in enumerate(log.lines) if index not in removed]
    return bom + b"".join(remaining)


class _GameLines:
    """Finds the lines of logs that are the same game, by their indexes."""

    def __init__(self, lines: Sequence[LogLine]) -> None:
        self.lines = lines
        # by the game's identity and by its content, which are never equal
        self._indexes: defaultdict[Hashable, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            if line.game is not None or line.fine is not None:
                self._indexes[identity(line)].append(index)
            if line.game is not None:
                self._indexes[content(line.game)].append(index)

    def same(self, line: DayLine) -> list[int]:
        """The lines that are the line's game, whatever their text for the rule."""
        equal = self._indexes.get(identity(_line(line.raw)), ())
        return [index for index in equal if covers_day(self.lines[index].day, line.day)]

    def exact(self, line: DayLine) -> list[int]:
        """The lines that are the line's game, with the same bytes."""
        same = self.same(line)
        raws = {index: self.lines[index].raw.rstrip(b"\r\n") for index in same}
        return [index for index in same if raws[index] == line.raw]

    def typed(self, own_game: OwnGame, offers: Offers) -> Iterator[int]:
        """The lines that were typed by hand for the game: their start fits, but is not ours."""
        assert own_game.game is not None
        for index in self._indexes.get(content(own_game.game), ()):
            line = self.lines[index]
            if line.day is None or line.game is None or line.game.start is None:
                continue
            distance = own_game.nearness(datetime.combine(line.day, line.game.start))
            if distance is not None and identity(line) not in offered_identities(offers, line.day):
                yield index


def _line(raw: bytes) -> LogLine:
    return parse_utf8("", raw).lines[0]
