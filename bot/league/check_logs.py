"""Find the faults of season logs, each with its line and a way to fix it: faults of a single log,
games that were corrected by hand, games that are recorded twice, and games in another season's log.

rating/same_game.py decides which lines are one game. Of two such lines, Tenhou's results decide
which one was written by hand. A line belongs to the season that a new one would be added to
(`League.season_at`).
"""

from __future__ import annotations

from bisect import bisect_right
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from bot.runtime.translation import translated as _
from rating.games import Game
from rating.league import League, Season, parse_logs, span_of
from rating.merge import merge
from rating.roomlog import LogLine, RoomLog, parse_utf8, tenhou_form
from rating.same_game import (
    FORGOTTEN,
    GameSlot,
    days_of,
    identity,
    pairs,
    players_part,
    same_game,
    same_names,
    slot_of,
    surely_same,
)


class FindingKind(StrEnum):
    """What is wrong; the words are part of the JSON of `flask league check`."""

    BYTES = "bytes"
    CHIPS = "chips"
    CORRECTED = "corrected"
    DATES = "dates"
    EMPTY_ROOM = "empty_room"
    ENCODING = "encoding"
    FORM = "form"
    GLUED = "glued"
    IGNORED = "ignored"
    KEY = "key"
    LEAGUE = "league"
    LOST = "lost"
    NEWLINE = "newline"
    PLACING = "placing"
    POINTS = "points"
    RENAMED = "renamed"
    ROOM = "room"
    SAME = "same"
    SEASON = "season"
    SEATS = "seats"
    TWICE = "twice"
    UNDATED = "undated"
    UNKNOWN = "unknown"
    UNREAD = "unread"
    UNREADABLE = "unreadable"


SAFE = (FindingKind.GLUED, FindingKind.FORM)  # faults of a line that --fix corrects
SEATS = {"三": 3, "四": 4}  # by the first letter of a rule
Offered = Mapping[date, Sequence[bytes]]
"""Tenhou's lines by day."""


@dataclass(frozen=True, slots=True)
class LogFinding:
    """One fault with a way to fix it (`mend`). `safe`: `--fix` corrects it."""

    file: str
    line: int
    text: str
    kind: FindingKind
    reason: str
    mend: str
    safe: bool = False

    @classmethod
    def of(
        cls,
        file: str,
        line: LogLine,
        *,
        kind: FindingKind,
        reason: str,
        mend: str,
        safe: bool = False,
    ) -> LogFinding:
        return cls(
            file,
            line.number,
            text=line.text,
            kind=kind,
            reason=reason,
            mend=mend,
            safe=safe,
        )

    def __str__(self) -> str:
        quoted = f"    {self.text}\n" if self.text else ""
        return f"{self.file}:{self.line}: {self.reason} [{self.kind}]\n{quoted}    -> {self.mend}"

    @property
    def cause(self) -> str:
        """Identifies the finding in any language; a line with another text is another finding."""
        return f"{self.file} {self.kind} {self.text}"


def check_log(log: RoomLog, league: League) -> Iterator[LogFinding]:
    yield from _repeated(log)
    yield from _dates(log)
    for line in log.lines:
        for fault in _line_faults(line, league):
            yield LogFinding.of(
                log.name,
                line,
                kind=fault.kind,
                reason=fault.reason,
                mend=fault.mend,
                safe=fault.kind in SAFE,
            )
    if log.lines and not log.lines[-1].raw.endswith((b"\n", b"\r")):
        mend = _("add the line's end, or the next game is typed onto it")
        reason = _("the last line has no end")
        yield LogFinding.of(
            log.name,
            log.lines[-1],
            kind=FindingKind.NEWLINE,
            reason=reason,
            mend=mend,
            safe=True,
        )


class _LineFault(NamedTuple):
    kind: FindingKind
    reason: str
    mend: str


def _line_faults(line: LogLine, league: League) -> Iterator[_LineFault]:
    yield from _text_faults(line)
    game = line.game
    if game is None:
        return
    form = tenhou_form(line)
    if form:
        reason = _("read as {form}", form=form.split("|", 3)[-1].strip())
        mend = _("nothing is to be done; --fix writes it as Tenhou does")
        yield _LineFault(FindingKind.FORM, reason, mend)
    yield from _result_faults(game)
    if line.day is None:
        reason = _("no date stands before the game")
        mend = _("put the day's date before it, such as 20200518")
        yield _LineFault(FindingKind.UNDATED, reason, mend)
    if not league.is_own_room(game.room):
        reason = _("{room} is none of the league's rooms", room=game.room)
        mend = _("add the room to league.toml (rooms), or take the game out")
        yield _LineFault(FindingKind.ROOM, reason, mend)


def _text_faults(line: LogLine) -> Iterator[_LineFault]:
    if line.glued:
        reason = _("the date {glued} is typed onto a game's line", glued=line.glued)
        mend = _("put the date on a line of its own")
        yield _LineFault(FindingKind.GLUED, reason, mend)
    if "\ufffd" in line.text:
        reason = _("some bytes are no text (UTF-8)")
        mend = _("type the broken name anew, as the player's other games have it")
        yield _LineFault(FindingKind.BYTES, reason, mend)
    elif line.reason:
        reason = _("can't be read: {reason}", reason=line.reason)
        mend = _("correct the line, or put # before it if it is a comment")
        yield _LineFault(FindingKind.UNREADABLE, reason, mend)


def _result_faults(game: Game) -> Iterator[_LineFault]:
    """Yield the faults of a game's points, chips and placings, and a wrong number of players."""
    scores = [seat.score for seat in game.seats]
    chips = [seat.chips for seat in game.seats if seat.chips is not None]
    compare = _("compare with Tenhou's result")
    if abs(sum(scores)) > 0.05:
        reason = _("the points add up to {total:+.1f}, not to 0", total=sum(scores))
        yield _LineFault(FindingKind.POINTS, reason, compare)
    if chips and len(chips) < len(scores):
        yield _LineFault(FindingKind.CHIPS, _("not every player has chips"), compare)
    elif sum(chips):
        reason = _("the chips add up to {total:+d}, not to 0", total=sum(chips))
        yield _LineFault(FindingKind.CHIPS, reason, compare)
    if scores != sorted(scores, reverse=True):
        reason = _("the players don't stand in order of their points")
        mend = _("put them in order, first to last")
        yield _LineFault(FindingKind.PLACING, reason, mend)
    seats = len(game.seats)
    if SEATS.get(game.rule[:1], seats) != seats:
        reason = _("{seats} players in a game of rule {rule}", seats=seats, rule=game.rule)
        yield _LineFault(FindingKind.SEATS, reason, compare)


def _repeated(log: RoomLog) -> Iterator[LogFinding]:
    """Yield the games that are in the log a second time, on the same day or nearby days."""
    lines: dict[Hashable, LogLine] = {}
    for line in log.lines:
        if line.game is None:
            continue
        key = identity(line)
        first = lines.get(key)
        lines[key] = line
        if first is not None and _may_be_same_day(first, line):
            yield _repetition(log, first, line)


def _may_be_same_day(first: LogLine, second: LogLine) -> bool:
    if first.day is None or second.day is None:
        return True
    return abs(second.day - first.day) <= FORGOTTEN


def _repetition(log: RoomLog, first: LogLine, line: LogLine) -> LogFinding:
    is_same_day = first.day == line.day
    where = _("line {number}", number=first.number)
    if not is_same_day:
        where += f" ({first.day})"
    is_same_rule = (
        first.game is not None and line.game is not None and line.game.rule == first.game.rule
    )
    return LogFinding.of(
        log.name,
        line,
        kind=FindingKind.TWICE,
        reason=_("the same game as {where}", where=where),
        mend=_("take one of the two out"),
        safe=is_same_day and line.day is not None and is_same_rule and not line.glued,
    )


class _DatedLine(NamedTuple):
    line: LogLine
    day: date


def _dates(log: RoomLog) -> Iterator[LogFinding]:
    """Yield the dates outside the longest run of dates that never go back."""
    dated: list[_DatedLine] = []
    for line in log.lines:
        day = line.day if line.kind == "day" else line.glued
        if day is not None:
            dated.append(_DatedLine(line, day))
    ends: list[date] = []  # ends[n]: the smallest last date of a run of n + 1 dates
    piles: list[list[int]] = []  # piles[n]: the dates that end such a run, by index
    for index, (_line, day) in enumerate(dated):
        place = bisect_right(ends, day)
        ends[place : place + 1] = [day]
        if place == len(piles):
            piles.append([])
        piles[place].append(index)
    ordered: set[int] = set()
    before = len(dated)
    limit = date.max
    for pile in reversed(piles):  # of runs equally long, the one that begins earlier in the file
        before = next(index for index in pile if index < before and dated[index].day <= limit)
        limit = dated[before].day
        ordered.add(before)
    for index, (line, day) in enumerate(dated):
        if index not in ordered:
            reason = _("{day} is out of order among the dates around it", day=day)
            mend = _("correct the date, or move the day's games")
            yield LogFinding.of(log.name, line, kind=FindingKind.DATES, reason=reason, mend=mend)


class MovedFiles(NamedTuple):
    """The bytes of the two logs of a move."""

    target: bytes
    source: bytes


@dataclass(frozen=True, slots=True)
class Move:
    """Games in the log `source` that belong to the log `target`, and the bytes of both files.
    `after` is None if the target can't be written or the day of another game would change.
    """

    source: str
    target: str
    lines: tuple[LogLine, ...]
    before: MovedFiles
    after: MovedFiles | None


def doubles(
    logs: Mapping[str, RoomLog],
    league: League,
    offered: Offered,
) -> Iterator[LogFinding]:
    """Yield the games that were corrected by hand, and those that are recorded twice in another
    form or another log.
    """
    yield from _in_two_logs(logs, league)
    tenhou = _TenhouGames(offered)
    slots: dict[GameSlot, dict[Hashable, LogLine]] = defaultdict(dict)
    for log in logs.values():
        for line in log.lines:
            slot = slot_of(line)
            if slot is not None:
                slots[slot].setdefault(identity(line), line)
    for slot, lines in slots.items():
        hands = [line for key, line in lines.items() if not tenhou.offers(slot.day, key)]
        if hands:
            tenhou_lines = tenhou.games.get(slot, {})
            yield from _in_one_minute(
                hands=hands,
                equal=[line for key, line in lines.items() if key in tenhou_lines],
                missing=[line for key, line in tenhou_lines.items() if key not in lines],
            )
    yield from _in_other_year(slots, tenhou)


def _in_other_year(
    slots: Mapping[GameSlot, Mapping[Hashable, LogLine]], tenhou: _TenhouGames
) -> Iterator[LogFinding]:
    """Yield the first game of each day that Tenhou has on the same date of another year: the log
    omits the year.
    """
    reported: set[tuple[str, date]] = set()
    reason = _("read as a game of {day}, but Tenhou has it on {right}: the date above has no year")
    for slot, lines in slots.items():
        for key, line in lines.items():
            right = tenhou.other_year(slot.day, key)
            if right is not None and (_file(line), slot.day) not in reported:
                reported.add((_file(line), slot.day))
                yield _finding(
                    line,
                    FindingKind.DATES,
                    reason.format(day=slot.day, right=right),
                    mend=_("write the year: {right:%Y%m%d}", right=right),
                )


class _TenhouGames:
    """Tenhou's games by slot, and their days."""

    def __init__(self, offered: Offered) -> None:
        self.games: dict[GameSlot, dict[Hashable, LogLine]] = defaultdict(dict)
        self._days: dict[Hashable, list[date]] = defaultdict(list)
        for day, raw_lines in offered.items():
            for raw in raw_lines:
                for line in parse_utf8("", raw).lines:
                    self._add(day, line)

    def _add(self, day: date, line: LogLine) -> None:
        if line.game is None or line.game.start is None:
            return
        key = identity(line)
        slot = GameSlot(day, line.game.room, line.game.start)
        self.games[slot].setdefault(key, line)
        self._days[key].append(day)

    def offers(self, day: date, key: Hashable) -> bool:
        return not set(days_of(day)).isdisjoint(self._days.get(key, ()))

    def other_year(self, day: date, key: Hashable) -> date | None:
        """Return the day on which Tenhou has this game if it is the same date of another year."""
        days = self._days.get(key, ())
        if day in days:
            return None
        for other in days:
            if (other.month, other.day) == (day.month, day.day):
                return other
        return None


def _in_one_minute(
    hands: Sequence[LogLine], equal: Sequence[LogLine], missing: Sequence[LogLine]
) -> Iterator[LogFinding]:
    """Yield the corrected games of a minute, and the lines that are one game with another line.
    Tenhou has the lines `equal`, and does not have `hands`. Of its lines, `missing` are not in the
    log as they are."""
    replaced = pairs(missing, hands)
    unpaired = [line for line in hands if all(line is not hand for _, hand in replaced)]
    repeated = pairs(equal, unpaired)
    for tenhou, hand in replaced + repeated:
        reason = _("corrected by hand: Tenhou has {tenhou}", tenhou=players_part(tenhou))
        mend = _("nothing is to be done where the correction is right")
        yield _finding(hand, FindingKind.CORRECTED, reason, mend)
    for tenhou, hand in repeated:
        reason = _("the same game as {file}:{number}, where a hand corrected it")
        mend = _("take Tenhou's line out; the corrected one stays")
        is_safe = tenhou.glued is None
        yield _finding(tenhou, FindingKind.TWICE, _filled(reason, hand), mend, safe=is_safe)
    for line in unpaired:
        if any(line is hand for _, hand in repeated):
            continue
        before = hands[: hands.index(line)]
        finding = _same_as_hand(line, before) or _same_as_tenhou(line, replaced + repeated)
        if finding is not None:
            yield finding


def _same_as_hand(line: LogLine, hands: Sequence[LogLine]) -> LogFinding | None:
    """Return the finding for a line that is surely the same game as another line written by
    hand.
    """
    first = next((hand for hand in hands if _is_same(hand, line, surely_same)), None)
    if first is None:
        return None
    alike = _("names") if _is_same(line, first, same_names) else _("points and chips")
    reason = _("the same game as {file}:{number}: day, room, start and all {alike} agree")
    mend = _(
        "take one of the two out; `flask sync --since {day}` finds out which one is Tenhou's",
        day=line.day,
    )
    return _finding(line, FindingKind.TWICE, _filled(reason, first, alike=alike), mend)


def _same_as_tenhou(
    line: LogLine, corrections: Iterable[tuple[LogLine, LogLine]]
) -> LogFinding | None:
    """Return the finding for a line that may be a game of Tenhou's which has a correction
    already.
    """
    for tenhou, hand in corrections:
        if not _is_same(tenhou, line, same_game):
            continue
        reason = _("the same game as {file}:{number}: both may be what Tenhou has as {tenhou}")
        mend = _("take the wrong one of the two out")
        reason = _filled(reason, hand, tenhou=players_part(tenhou))
        return _finding(line, FindingKind.TWICE, reason, mend)
    return None


def _is_same(
    first: LogLine,
    second: LogLine,
    same: Callable[[Game, Game], bool],
) -> bool:
    return first.game is not None and second.game is not None and same(first.game, second.game)


def _file(line: LogLine) -> str:
    return line.game.source if line.game else ""


def _filled(reason: str, line: LogLine, **values: object) -> str:
    return reason.format(file=_file(line), number=line.number, **values)


def _finding(
    line: LogLine,
    kind: FindingKind,
    reason: str,
    mend: str,
    safe: bool = False,
) -> LogFinding:
    return LogFinding.of(
        _file(line),
        line,
        kind=kind,
        reason=reason,
        mend=mend,
        safe=safe,
    )


def _in_two_logs(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    """Yield the games that are in the logs of two seasons."""
    lines: dict[Hashable, LogLine] = {}
    for log in logs.values():
        for line in log.lines:
            if line.game is None:
                continue
            first = lines.setdefault((line.day, identity(line)), line)
            if _file(first) != log.name:
                yield _in_wrong_log(first, line, _season_of(league, first))


def _in_wrong_log(first: LogLine, second: LogLine, season: Season | None) -> LogFinding:
    """Return the finding for the one of two equal lines that is not in the log of its season."""
    home = season.log if season else None
    is_known = home in (_file(first), _file(second))
    wrong = second
    right = first
    if home == _file(second):
        wrong = first
        right = second
    mend = _("take it out of the season it doesn't belong to")
    if is_known:
        mend = _("take it out: it belongs to {home}", home=home)
    reason = _filled(_("the same game as {file}:{number}"), right)
    is_safe = is_known and wrong.glued is None
    return _finding(wrong, FindingKind.TWICE, reason, mend, safe=is_safe)


def _season_of(league: League, line: LogLine) -> Season | None:
    if line.game is None or line.game.start is None or line.day is None:
        return None
    season = league.season_at(datetime.combine(line.day, line.game.start))
    undated = sum(other.start is None for other in league.seasons)
    if undated == len(league.seasons):
        return None
    if season is not None and season.start is None and undated > 1:
        return None
    return season


def misplaced(
    logs: Mapping[str, RoomLog],
    league: League,
    today: date,
    locked: Collection[str] = (),
) -> tuple[Move, ...]:
    """Return the games that belong to another season's log, a move for each two logs. `locked` logs
    cannot be written.
    """
    if len(league.seasons) < 2:
        return ()
    moves = []
    for names, lines in _misplaced_lines(logs, league).items():
        if names.target in locked:
            no_files = MovedFiles(b"", b"")
            moves.append(Move(names.source, names.target, tuple(lines), no_files, None))
        else:
            moves.append(_move(logs, league, names, lines, today))
    return tuple(moves)


class _MovedLogs(NamedTuple):
    """The names of the two logs of a move."""

    source: str
    target: str


def _misplaced_lines(
    logs: Mapping[str, RoomLog], league: League
) -> dict[_MovedLogs, list[LogLine]]:
    """Return the lines that surely belong to another season's log, which does not have them."""
    games_by_log = {name: _dated_games([log]) for name, log in logs.items()}
    misplaced_lines: dict[_MovedLogs, list[LogLine]] = defaultdict(list)
    for season in league.seasons:
        log = logs.get(season.log)
        if log is None:
            continue
        for line in log.lines:
            home = _season_of(league, line)
            if home is None or not _is_surely_other(home, season):
                continue
            if _DatedGame(line.day, identity(line)) not in games_by_log.get(home.log, ()):
                misplaced_lines[_MovedLogs(season.log, home.log)].append(line)
    return misplaced_lines


def _is_surely_other(home: Season, season: Season) -> bool:
    """Whether a line in the log of `season` belongs to the season `home` beyond doubt."""
    if home.log == season.log:
        return False
    return season.start is not None or (home.start is not None and home.number > season.number)


def in_wrong_seasons(moves: Iterable[Move]) -> Iterator[LogFinding]:
    template = _(
        "the game of {day} {start} belongs to {target} by the seasons' starts in league.toml"
    )
    for move in moves:
        mend = _("move it to {target}, or correct the season's start", target=move.target)
        for line in move.lines:
            start = f"{line.game.start:%H:%M}" if line.game and line.game.start else ""
            reason = template.format(day=line.day, start=start, target=move.target)
            is_safe = move.after is not None and line.glued is None
            yield LogFinding.of(
                move.source, line, kind=FindingKind.SEASON, reason=reason, mend=mend, safe=is_safe
            )


def _move(
    logs: Mapping[str, RoomLog],
    league: League,
    names: _MovedLogs,
    lines: Sequence[LogLine],
    today: date,
) -> Move:
    """Return the move of these lines."""
    before = MovedFiles(b"", logs[names.source].to_bytes())
    if names.target in logs:
        before = before._replace(target=logs[names.target].to_bytes())
    after = _files_after_move(logs, league, names, lines, today)
    return Move(names.source, names.target, tuple(lines), before, after)


def _files_after_move(
    logs: Mapping[str, RoomLog],
    league: League,
    names: _MovedLogs,
    lines: Sequence[LogLine],
    today: date,
) -> MovedFiles | None:
    """Return the bytes of the two logs after a move; None if no line can be moved, or the day of
    another game would change."""
    days: dict[date, list[bytes]] = defaultdict(list)
    for line in lines:
        if line.day is not None and line.glued is None:
            days[line.day].append(line.raw.removeprefix(BOM_UTF8))
    if not days:
        return None
    files = {name: log.to_bytes() for name, log in logs.items()}
    span = span_of(league, names.target, logs, max(today, *days))
    files[names.target] = merge(files.get(names.target, b""), days, span).data
    games_before = _dated_games(logs.values())
    for tidy in (True, False):
        files[names.source] = _without(logs[names.source], lines, tidy)
        if _dated_games(parse_logs(league, files, today).values()) == games_before:
            return MovedFiles(files[names.target], files[names.source])
    return None


class _DatedGame(NamedTuple):
    day: date | None
    game: Hashable


def _dated_games(logs: Iterable[RoomLog]) -> set[_DatedGame]:
    games: set[_DatedGame] = set()
    for log in logs:
        games.update(
            _DatedGame(line.day, identity(line)) for line in log.lines if line.game is not None
        )
    return games


def _without(log: RoomLog, lines: Sequence[LogLine], tidy: bool) -> bytes:
    """Return the log without these lines; with `tidy` also without the dates that have no lines
    after that.
    """
    removed = {line.number for line in lines if line.glued is None}
    remaining: list[bytes] = []
    # The date and blank lines of a day without other lines so far.
    heading: list[bytes] = []
    has_removed = False  # whether a game of that day was removed
    for line in log.lines:
        if line.number in removed:
            has_removed = True
            continue
        if line.kind == "blank" and heading:
            heading.append(line.raw)
            continue
        if line.kind != "day" or not (tidy and has_removed):
            remaining += heading
        heading = []
        has_removed = False
        if line.kind == "day":
            heading.append(line.raw)
        else:
            remaining.append(line.raw)
    if not (tidy and has_removed):
        remaining += heading
    data = b"".join(remaining)
    if data and log.to_bytes().startswith(BOM_UTF8) and not data.startswith(BOM_UTF8):
        data = BOM_UTF8 + data
    return data
