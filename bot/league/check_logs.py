"""Find the faults of season logs, each with its line and a mend: those that one log shows by
itself, games that a hand corrected, games that stand twice, and games that stand in another
season's log.

Which lines are one game: rating/same_game.py. Tenhou's own lines tell which of two is the hand's; a
line's season goes by the rule of a new one's (`League.season_at`).
"""

from __future__ import annotations

from bisect import bisect_right
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.runtime.translation import translated as _
from rating.games import Game
from rating.league import League, Season, parse_logs, span_of
from rating.merge import merge
from rating.roomlog import LogLine, RoomLog, parse_utf8, tenhou_form
from rating.same_game import (
    FORGOTTEN,
    Minute,
    days_of,
    identity,
    minute_of,
    pairs,
    players_part,
    same_game,
    same_names,
    surely_same,
)

SAFE = ("glued", "form")  # kinds of a line's faults that --fix mends
SEATS = {"三": 3, "四": 4}  # by the first letter of a rule
Offered = Mapping[date, Sequence[bytes]]
"""Tenhou's lines by day."""


@dataclass(frozen=True, slots=True)
class LogFinding:
    """One fault. `kind` is a word for programs. `safe` says that `--fix` mends it."""

    file: str
    line: int
    text: str
    kind: str
    reason: str
    mend: str
    safe: bool = False

    @classmethod
    def of(
        cls,
        file: str,
        line: LogLine,
        *,
        kind: str,
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
        """What it is about, in any language: another text of the line is another cause."""
        return f"{self.file} {self.kind} {self.text}"


def check_log(log: RoomLog, league: League) -> Iterator[LogFinding]:
    yield from _twice(log)
    yield from _dates(log)
    for line in log.lines:
        for kind, reason, mend in _line_faults(line, league):
            yield LogFinding.of(
                log.name, line, kind=kind, reason=reason, mend=mend, safe=kind in SAFE
            )
    if log.lines and not log.lines[-1].raw.endswith((b"\n", b"\r")):
        mend = _("add the line's end, or the next game is typed onto it")
        reason = _("the last line has no end")
        yield LogFinding.of(
            log.name,
            log.lines[-1],
            kind="newline",
            reason=reason,
            mend=mend,
            safe=True,
        )


def _line_faults(line: LogLine, league: League) -> Iterator[tuple[str, str, str]]:
    if line.glued:
        told = _("the date {glued} is typed onto a game's line", glued=line.glued)
        yield "glued", told, _("put the date on a line of its own")
    if "\ufffd" in line.text:
        mend = _("type the broken name anew, as the player's other games have it")
        yield "bytes", _("some bytes are no text (UTF-8)"), mend
    elif line.reason:
        told = _("can't be read: {reason}", reason=line.reason)
        yield "unreadable", told, _("correct the line, or put # before it if it is a comment")
    game = line.game
    if game is None:
        return
    if form := tenhou_form(line):
        told = _("read as {form}", form=form.split("|", 3)[-1].strip())
        yield "form", told, _("nothing is to be done; --fix writes it as Tenhou does")
    scores = [seat.score for seat in game.seats]
    chips = [seat.chips for seat in game.seats if seat.chips is not None]
    if abs(sum(scores)) > 0.05:
        told = _("the points add up to {total:+.1f}, not to 0", total=sum(scores))
        yield "points", told, _("compare with Tenhou's result")
    if chips and len(chips) < len(scores):
        yield "chips", _("not every player has chips"), _("compare with Tenhou's result")
    elif sum(chips):
        told = _("the chips add up to {total:+d}, not to 0", total=sum(chips))
        yield "chips", told, _("compare with Tenhou's result")
    if scores != sorted(scores, reverse=True):
        told = _("the players don't stand in order of their points")
        yield "placing", told, _("put them in order, first to last")
    seats = len(game.seats)
    if SEATS.get(game.rule[:1], seats) != seats:
        told = _("{seats} players in a game of rule {rule}", seats=seats, rule=game.rule)
        yield "seats", told, _("compare with Tenhou's result")
    if line.day is None:
        mend = _("put the day's date before it, such as 20200518")
        yield "undated", _("no date stands before the game"), mend
    if not league.is_own_room(game.room):
        told = _("{room} is none of the league's rooms", room=game.room)
        yield "room", told, _("add the room to league.toml (rooms), or take the game out")


def _twice(log: RoomLog) -> Iterator[LogFinding]:
    seen: dict[Hashable, LogLine] = {}
    for line in log.lines:
        if line.game is None:
            continue
        key = identity(line)
        first = seen.get(key)
        seen[key] = line
        if first is None:
            continue
        same_day = first.day == line.day
        if (
            same_day
            or line.day is None
            or first.day is None
            or abs(line.day - first.day) <= FORGOTTEN
        ):
            where = _("line {number}", number=first.number) + (
                "" if same_day else f" ({first.day})"
            )
            same_rule = first.game is not None and line.game.rule == first.game.rule
            safe = same_day and line.day is not None and same_rule and not line.glued
            reason = _("the same game as {where}", where=where)
            mend = _("take one of the two out")
            yield LogFinding.of(
                log.name,
                line,
                kind="twice",
                reason=reason,
                mend=mend,
                safe=safe,
            )


def _dates(log: RoomLog) -> Iterator[LogFinding]:
    """Yield the dates outside the longest run of dates that never go back."""
    dated = []
    for line in log.lines:
        day = line.day if line.kind == "day" else line.glued
        if day is not None:
            dated.append((line, day))
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
        before = next(index for index in pile if index < before and dated[index][1] <= limit)
        limit = dated[before][1]
        ordered.add(before)
    for index, (line, day) in enumerate(dated):
        if index not in ordered:
            reason = _("{day} is out of order among the dates around it", day=day)
            mend = _("correct the date, or move the day's games")
            yield LogFinding.of(log.name, line, kind="dates", reason=reason, mend=mend)


@dataclass(frozen=True, slots=True)
class Move:
    """Games in the log `source` that belong to the log `target`, and both files' bytes (target,
    source). `after` is None where the target can't be written or another game's day would change.
    """

    source: str
    target: str
    lines: tuple[LogLine, ...]
    before: tuple[bytes, bytes]
    after: tuple[bytes, bytes] | None


def doubles(
    logs: Mapping[str, RoomLog],
    league: League,
    offered: Offered,
) -> Iterator[LogFinding]:
    """Yield the games that a hand corrected, and those that stand twice in another form or another
    log.
    """
    yield from _in_two_logs(logs, league)
    tenhou = _Tenhou(offered)
    minutes: dict[Minute, dict[Hashable, LogLine]] = defaultdict(dict)
    for log in logs.values():
        for line in log.lines:
            if (minute := minute_of(line)) is not None:
                minutes[minute].setdefault(identity(line), line)
    for minute, lines in minutes.items():
        hands = [line for key, line in lines.items() if not tenhou.offers(minute[0], key)]
        if hands:
            theirs = tenhou.games.get(minute, {})
            yield from _in_one_minute(
                hands=hands,
                equal=[line for key, line in lines.items() if key in theirs],
                missing=[line for key, line in theirs.items() if key not in lines],
            )
    # The first game of each day that Tenhou has on the same date of another year: the log leaves
    # it out.
    told: set[tuple[str, date]] = set()
    said = _("read as a game of {day}, but Tenhou has it on {right}: the date above has no year")
    for (day, _room, _start), lines in minutes.items():
        for key, line in lines.items():
            right = tenhou.other_year(day, key)
            if right is not None and (_file(line), day) not in told:
                told.add((_file(line), day))
                mend = _("write the year: {right:%Y%m%d}", right=right)
                yield _finding(line, "dates", said.format(day=day, right=right), mend)


class _Tenhou:
    def __init__(self, offered: Offered) -> None:
        self.games: dict[Minute, dict[Hashable, LogLine]] = defaultdict(dict)
        self._days: dict[Hashable, list[date]] = defaultdict(list)
        for day, raws in offered.items():
            for line in (line for raw in raws for line in parse_utf8("", raw).lines):
                if line.game is not None and line.game.start is not None:
                    key = identity(line)
                    minute = Minute(day, line.game.room, line.game.start)
                    self.games[minute].setdefault(key, line)
                    self._days[key].append(day)

    def offers(self, day: date, key: Hashable) -> bool:
        return not set(days_of(day)).isdisjoint(self._days.get(key, ()))

    def other_year(self, day: date, key: Hashable) -> date | None:
        """Return the day on which Tenhou has this game, where that is the same date of another
        year.
        """
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
    """Yield the corrected games of a minute, and the lines that are one game with another line. Of
    the lines Tenhou offers `equal` and not `hands`; its `missing` stand nowhere as they are."""
    paired = pairs(missing, hands)
    left = [line for line in hands if all(line is not hand for _, hand in paired)]
    both = pairs(equal, left)
    for tenhou, hand in paired + both:
        reason = _("corrected by hand: Tenhou has {tenhou}", tenhou=players_part(tenhou))
        yield _finding(
            hand, "corrected", reason, _("nothing is to be done where the correction is right")
        )
    for tenhou, hand in both:
        reason = _("the same game as {file}:{number}, where a hand corrected it")
        mend = _("take Tenhou's line out; the corrected one stays")
        yield _finding(tenhou, "twice", _named(reason, hand), mend, safe=tenhou.glued is None)
    for line in left:
        if any(line is hand for _, hand in both):
            continue
        before = hands[: hands.index(line)]
        if first := next((other for other in before if _one(other, line, surely_same)), None):
            alike = _("names") if _one(line, first, same_names) else _("points and chips")
            reason = _("the same game as {file}:{number}: day, room, start and all {alike} agree")
            mend = _(
                "take one of the two out; `flask sync --since {day}` finds out which one is Tenhou's",
                day=line.day,
            )
            yield _finding(line, "twice", _named(reason, first, alike=alike), mend)
            continue
        for tenhou, hand in paired + both:
            if not _one(tenhou, line, same_game):
                continue
            reason = _("the same game as {file}:{number}: both may be what Tenhou has as {tenhou}")
            mend = _("take the wrong one of the two out")
            reason = _named(reason, hand, tenhou=players_part(tenhou))
            yield _finding(line, "twice", reason, mend)
            break


def _one(
    one: LogLine,
    other: LogLine,
    same: Callable[[Game, Game], bool],
) -> bool:
    return one.game is not None and other.game is not None and same(one.game, other.game)


def _file(line: LogLine) -> str:
    return line.game.source if line.game else ""


def _named(reason: str, line: LogLine, **more: object) -> str:
    return reason.format(file=_file(line), number=line.number, **more)


def _finding(
    line: LogLine,
    kind: str,
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
    seen: dict[Hashable, LogLine] = {}
    for log in logs.values():
        for line in log.lines:
            if line.game is None:
                continue
            first = seen.setdefault((line.day, identity(line)), line)
            if _file(first) != log.name:
                season = _season_of(league, first)
                home = season.log if season else None
                known = home in (_file(first), log.name)
                wrong, right = (first, line) if home == log.name else (line, first)
                mend = _("take it out of the season it doesn't belong to")
                if known:
                    mend = _("take it out: it belongs to {home}", home=home)
                reason = _named(_("the same game as {file}:{number}"), right)
                yield _finding(wrong, "twice", reason, mend, safe=known and wrong.glued is None)


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
    """Return the games that belong to another season's log, by the two.

    `locked` logs cannot be written.
    """
    found: dict[tuple[str, str], list[LogLine]] = defaultdict(list)
    held: dict[str, set[tuple[date | None, Hashable]]] = {}
    if len(league.seasons) > 1:
        held = {name: _placed([log]) for name, log in logs.items()}
    for season in league.seasons:
        for line in logs[season.log].lines if season.log in logs else ():
            home = _season_of(league, line)
            if home is None or home.log == season.log:
                continue
            surely = season.start is not None or (
                home.start is not None and home.number > season.number
            )
            if surely and (line.day, identity(line)) not in held.get(home.log, ()):
                found[season.log, home.log].append(line)
    return tuple(
        Move(*names, tuple(lines), (b"", b""), None)
        if names[1] in locked
        else _move(logs, league, names, lines, today)
        for names, lines in found.items()
    )


def in_wrong_seasons(moves: Iterable[Move]) -> Iterator[LogFinding]:
    said = _("the game of {day} {start} belongs to {target} by the seasons' starts in league.toml")
    for move in moves:
        mend = _("move it to {target}, or correct the season's start", target=move.target)
        for line in move.lines:
            start = f"{line.game.start:%H:%M}" if line.game and line.game.start else ""
            reason = said.format(day=line.day, start=start, target=move.target)
            safe = move.after is not None and line.glued is None
            yield LogFinding.of(
                move.source, line, kind="season", reason=reason, mend=mend, safe=safe
            )


def _move(
    logs: Mapping[str, RoomLog],
    league: League,
    names: tuple[str, str],
    lines: Sequence[LogLine],
    today: date,
) -> Move:
    source, target = names
    target_bytes = logs[target].to_bytes() if target in logs else b""
    old = (target_bytes, logs[source].to_bytes())
    days: dict[date, list[bytes]] = defaultdict(list)
    for line in lines:
        if line.day is not None and line.glued is None:
            days[line.day].append(line.raw.removeprefix(BOM_UTF8))
    files = {name: log.to_bytes() for name, log in logs.items()}
    added = merge(
        old[0],
        days,
        span_of(
            league,
            target,
            logs,
            max(today, *days, date.min),
        ),
    ).data
    before = _placed(logs.values())
    for tidy in (True, False):
        rest = _without(logs[source], lines, tidy)
        if (
            _placed(
                parse_logs(
                    league,
                    {
                        **files,
                        target: added,
                        source: rest,
                    },
                    today,
                ).values()
            )
            == before
        ):
            return Move(source, target, tuple(lines), old, (added, rest) if days else None)
    return Move(source, target, tuple(lines), old, None)


def _placed(logs: Iterable[RoomLog]) -> set[tuple[date | None, Hashable]]:
    placed: set[tuple[date | None, Hashable]] = set()
    for log in logs:
        placed |= {(line.day, identity(line)) for line in log.lines if line.game is not None}
    return placed


def _without(log: RoomLog, lines: Sequence[LogLine], tidy: bool) -> bytes:
    """Return the log without these lines; with `tidy` also without the dates that lose all under
    them.
    """
    gone = {line.number for line in lines if line.glued is None}
    kept: list[bytes] = []
    day: list[
        bytes
    ] = []  # the date and blank lines of a day under which nothing else is left so far
    lost = False  # whether a game under that date was taken out
    for line in log.lines:
        if line.number in gone:
            lost = True
        elif line.kind == "day":
            kept += [] if tidy and lost else day
            day = [line.raw]
            lost = False
        elif line.kind == "blank" and day:
            day.append(line.raw)
        else:
            kept += [*day, line.raw]
            day = []
            lost = False
    kept += [] if tidy and lost else day
    data = b"".join(kept)
    bom = data and log.to_bytes().startswith(BOM_UTF8) and not data.startswith(BOM_UTF8)
    return BOM_UTF8 + data if bom else data
