"""Lines that a room's own results made, and what becomes of them when Tenhou's day file brings the same game.

The day's file stays the truth. Its line is our game where room, players, points and chips agree and it starts
within two minutes of ours, or, where our game's start was not known, up to three hours before its end. It
then takes our line's place. What a hand made of our line stands, and what a hand took out stays out.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cached_property

from rating.games import Game
from rating.roomlog import LogLine, Span, parse, parse_utf8
from rating.same_game import (
    CorrectedGame,
    Offers,
    content,
    corrected_games,
    identity,
    nearness,
    offered_identities,
    stands_for,
)

DayLine = tuple[date, bytes]
"""A day of play and a line of the room's results, without its line end."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the room's own results.

    `versions` are the lines made of it; the last one is in force (an earlier one is from before its start was
    known). `started`: the last one's time is the game's start, else the time of its end. `stood`: a line of
    the game is or was in the log. `fresh`: the log has yet to be looked at for it.
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


@dataclass(frozen=True, slots=True)
class SettledLines:
    """A log without our lines that others replace, and what to merge into it.

    `days` lacks the lines that must not be added, `replaced` names the lines that come in place of ours,
    `corrected` tells the games of which a hand's version stands.
    """

    data: bytes
    days: Mapping[date, Sequence[bytes]]
    replaced: frozenset[DayLine] = frozenset()
    corrected: tuple[CorrectedGame, ...] = ()


def offered_for(games: Sequence[OwnGame], offered: Mapping[date, Sequence[bytes]]) -> dict[str, DayLine]:
    """Return the line of the day's files that is each game, by its key; every line is one game at most."""
    lines: defaultdict[Hashable, list[tuple[datetime, DayLine]]] = defaultdict(list)
    for day, raws in offered.items():
        for raw in dict.fromkeys(raws):
            game = _line(raw).game
            if game is not None and game.start is not None:
                lines[content(game)].append((datetime.combine(day, game.start), (day, raw)))
    fits = [
        (*near, own.key, line)
        for own in games
        if (mine := _line(own.current[1]).game) is not None
        for start, line in lines.get(content(mine), ())
        if (near := _nearness(own, mine, start)) is not None
    ]
    lines_by_key: dict[str, DayLine] = {}
    for _, _, key, line in sorted(fits):
        if key not in lines_by_key and line not in lines_by_key.values():
            lines_by_key[key] = line
    return lines_by_key


def _nearness(own: OwnGame, game: Game, start: datetime) -> tuple[bool, timedelta] | None:
    """Return how well a start fits the game of our own line."""
    return nearness(datetime.combine(own.current[0], game.start or time()), own.started, start)


@dataclass(slots=True)
class _Work:
    """What is gathered while the games are settled: indexes of lines to take out, lines not to add."""

    out: set[int] = field(default_factory=set)
    dropped: set[DayLine] = field(default_factory=set)
    replaced: set[DayLine] = field(default_factory=set)
    corrected: list[CorrectedGame] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


def settle(
    data: bytes,
    days: Mapping[date, Sequence[bytes]],
    own: Mapping[DayLine, OwnGame],
    hint: Span | date | None,
    offers: Offers,
    elsewhere: Iterable[LogLine] = (),
) -> SettledLines:
    """Prepare a log and the lines to merge for those (`own`) that are a game of the room's own results.

    The log can be read (rating.encoding); `hint`, `offers` and `elsewhere` are as in `rating.merge.merge`.
    """
    mine = {line: game for line, game in own.items() if line[1] in days.get(line[0], ())}
    if not mine:
        return SettledLines(data, days)
    bom = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    log = parse("", data[len(bom) :], hint)
    table = _Log((*log.lines, *elsewhere), len(log.lines), offers)
    work = _Work()
    for line, game in mine.items():
        _settle_one(line, game, table, work)
    if work.out:
        data = bom + b"".join(line_.raw for index, line_ in enumerate(log.lines) if index not in work.out)
    left = {day: [raw for raw in raws if (day, raw) not in work.dropped] for day, raws in days.items()}
    return SettledLines(data, left, frozenset(work.replaced), tuple(work.corrected))


def without(data: bytes, lines: Iterable[DayLine], hint: Span | date | None) -> bytes:
    """Return a log without these lines, each of which is taken out once where it stands exactly so."""
    bom = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    log = parse("", data[len(bom) :], hint)
    table, out = _Log(log.lines, len(log.lines), lambda day: ()), set[int]()
    for line in lines:
        out.update([index for index in table.exact(line) if index not in out][:1])
    if not out:
        return data
    return bom + b"".join(line_.raw for index, line_ in enumerate(log.lines) if index not in out)


class _Log:
    """The lines of a log, the first `here` of `lines`, and of the other seasons' logs."""

    def __init__(self, lines: Sequence[LogLine], here: int, offers: Offers) -> None:
        self.lines, self.here, self.offers = lines, here, offers

    @cached_property
    def _index(self) -> Mapping[Hashable, list[int]]:
        """Where each game stands, by its identity and by its content, which are never equal."""
        index: defaultdict[Hashable, list[int]] = defaultdict(list)
        for number, line in enumerate(self.lines):
            if line.game is not None:
                index[identity(line)].append(number)
                index[content(line.game)].append(number)
        return index

    def held(self, line: DayLine) -> list[int]:
        """Return where the line's game stands, whatever its rule's word."""
        equal = self._index.get(identity(_line(line[1])), ())
        return [index for index in equal if stands_for(self.lines[index].day, line[0])]

    def exact(self, line: DayLine) -> list[int]:
        """Return where the line stands just so."""
        return [index for index in self.held(line) if self.lines[index].raw.rstrip(b"\r\n") == line[1]]

    def corrected(self, line: DayLine) -> list[CorrectedGame]:
        """Return the hand's version of the line's game, if there is one."""
        return corrected_games({line[0]: [_line(line[1])]}, self.lines, self.offers)

    def by_hand(self, game: OwnGame) -> Iterator[int]:
        """Yield where somebody has entered the game by hand, with a start that fits but is not ours."""
        ours = _line(game.current[1]).game
        assert ours is not None
        for index in self._index.get(content(ours), ()):
            line = self.lines[index]
            if line.day is None or line.game is None or line.game.start is None:
                continue
            near = _nearness(game, ours, datetime.combine(line.day, line.game.start))
            if near is not None and identity(line) not in offered_identities(self.offers, line.day):
                yield index


def _settle_one(line: DayLine, game: OwnGame, log: _Log, work: _Work) -> None:
    """Decide on one line: added in place of our former ones, added, or left out."""
    olds = [version for version in game.versions if version != line]
    ours = {index for old in olds for index in log.exact(old)[:1]} - work.used
    held = [index for index in log.held(line) if index not in ours and index not in work.used]
    if held:
        work.used.add(held[0])
        work.out |= {index for index in ours if index < log.here}
    elif ours:
        work.used |= ours
        work.out |= {index for index in ours if index < log.here}
        work.replaced.add(line)
    elif hand := [game for version in (*olds, line) for game in log.corrected(version)][:1]:
        work.corrected += hand
        work.dropped.add(line)
    elif any(log.held(old) for old in olds) or game.stood:
        work.dropped.add(line)
    elif line == game.current and (by_hand := [i for i in log.by_hand(game) if i not in work.used]):
        work.used.add(by_hand[0])
        work.dropped.add(line)


def _line(raw: bytes) -> LogLine:
    return parse_utf8("", raw).lines[0]
