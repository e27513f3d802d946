"""Find games that a hand corrected, games that stand twice, and games that stand in another season's log.
Which lines are one game: rating/same_game.py. Tenhou's own lines tell which of two is the hand's; a line's
season goes by the rule of a new one's (`League.season_at`)."""

from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.league.check_log import LogFinding
from bot.runtime.finding import translated as _
from rating.games import Game
from rating.league import League, Season, parse_logs, span_of
from rating.merge import merge
from rating.roomlog import LogLine, RoomLog, parse_utf8
from rating.same_game import (
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

Offered = Mapping[date, Sequence[bytes]]
"""Tenhou's lines by day."""


@dataclass(frozen=True, slots=True)
class Move:
    """Games in the log `source` that belong to the log `target`, and both files' bytes (target, source).
    `after` is None where the target can't be written or another game's day would change."""

    source: str
    target: str
    lines: tuple[LogLine, ...]
    before: tuple[bytes, bytes]
    after: tuple[bytes, bytes] | None


def doubles(logs: Mapping[str, RoomLog], league: League, offered: Offered) -> Iterator[LogFinding]:
    """Yield the games that a hand corrected, and those that stand twice in another form or another log."""
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
    # The first game of each day that Tenhou has on the same date of another year: the log leaves it out.
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
                    self.games[day, line.game.room, line.game.start].setdefault(key, line)
                    self._days[key].append(day)

    def offers(self, day: date, key: Hashable) -> bool:
        """Return whether a line under `day` may be a game that Tenhou offers."""
        return not set(days_of(day)).isdisjoint(self._days.get(key, ()))

    def other_year(self, day: date, key: Hashable) -> date | None:
        """Return the day on which Tenhou has this game, where that is the same date of another year."""
        days = self._days.get(key, ())
        if day in days:
            return None
        return next((other for other in days if (other.month, other.day) == (day.month, day.day)), None)


def _in_one_minute(
    hands: Sequence[LogLine], equal: Sequence[LogLine], missing: Sequence[LogLine]
) -> Iterator[LogFinding]:
    """Yield the corrected games of a minute, and the lines that are one game with another line. Of the lines
    Tenhou offers `equal` and not `hands`; its `missing` stand nowhere as they are."""
    paired = pairs(missing, hands)
    left = [line for line in hands if all(line is not hand for _, hand in paired)]
    both = pairs(equal, left)
    for tenhou, hand in paired + both:
        reason = _("corrected by hand: Tenhou has {tenhou}", tenhou=players_part(tenhou))
        yield _finding(hand, "corrected", reason, _("nothing is to be done where the correction is right"))
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
        elif pair := next((pair for pair in paired + both if _one(pair[0], line, same_game)), None):
            tenhou, hand = pair
            reason = _("the same game as {file}:{number}: both may be what Tenhou has as {tenhou}")
            mend = _("take the wrong one of the two out")
            yield _finding(line, "twice", _named(reason, hand, tenhou=players_part(tenhou)), mend)


def _one(one: LogLine, other: LogLine, same: Callable[[Game, Game], bool]) -> bool:
    return one.game is not None and other.game is not None and same(one.game, other.game)


def _file(line: LogLine) -> str:
    return line.game.source if line.game else ""


def _named(reason: str, line: LogLine, **more: object) -> str:
    return reason.format(file=_file(line), number=line.number, **more)


def _finding(line: LogLine, kind: str, reason: str, mend: str, safe: bool = False) -> LogFinding:
    return LogFinding.of(_file(line), line, kind=kind, reason=reason, mend=mend, safe=safe)


def _in_two_logs(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    """Yield the games in two seasons' logs: those in the wrong one where the seasons' starts tell."""
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
    """Return the season a game belongs to, None where the seasons' starts do not tell."""
    if line.game is None or line.game.start is None or line.day is None:
        return None
    season = league.season_at(datetime.combine(line.day, line.game.start))
    undated = sum(other.start is None for other in league.seasons)
    if season is None or undated == len(league.seasons) or (season.start is None and undated > 1):
        return None
    return season


def misplaced(
    logs: Mapping[str, RoomLog], league: League, today: date, locked: Collection[str] = ()
) -> tuple[Move, ...]:
    """Return the games that belong to another season's log, by the two. `locked` logs cannot be written."""
    found: dict[tuple[str, str], list[LogLine]] = defaultdict(list)
    held = {name: _placed([log]) for name, log in logs.items()} if len(league.seasons) > 1 else {}
    for season in league.seasons:
        for line in logs[season.log].lines if season.log in logs else ():
            home = _season_of(league, line)
            if home is None or home.log == season.log:
                continue
            surely = season.start is not None or (home.start is not None and home.number > season.number)
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
            yield LogFinding.of(move.source, line, kind="season", reason=reason, mend=mend, safe=safe)


def _move(
    logs: Mapping[str, RoomLog], league: League, names: tuple[str, str], lines: Sequence[LogLine], today: date
) -> Move:
    source, target = names
    old = (logs[target].to_bytes() if target in logs else b"", logs[source].to_bytes())
    days: dict[date, list[bytes]] = defaultdict(list)
    for line in lines:
        if line.day is not None and line.glued is None:
            days[line.day].append(line.raw.removeprefix(BOM_UTF8))
    files = {name: log.to_bytes() for name, log in logs.items()}
    added = merge(old[0], days, span_of(league, target, logs, max(today, *days, date.min))).data
    before = _placed(logs.values())
    for tidy in (True, False):
        rest = _without(logs[source], lines, tidy)
        after = parse_logs(league, {**files, target: added, source: rest}, today)
        if _placed(after.values()) == before:
            return Move(source, target, tuple(lines), old, (added, rest) if days else None)
    return Move(source, target, tuple(lines), old, None)


def _placed(logs: Iterable[RoomLog]) -> set[tuple[date | None, Hashable]]:
    return {(line.day, identity(line)) for log in logs for line in log.lines if line.game is not None}


def _without(log: RoomLog, lines: Sequence[LogLine], tidy: bool) -> bytes:
    """Return the log without these lines; with `tidy` also without the dates that lose all under them."""
    gone = {line.number for line in lines if line.glued is None}
    kept: list[bytes] = []
    day: list[bytes] = []  # the date and blank lines of a day under which nothing else is left so far
    lost = False  # whether a game under that date was taken out
    for line in log.lines:
        if line.number in gone:
            lost = True
        elif line.kind == "day":
            kept += [] if tidy and lost else day
            day, lost = [line.raw], False
        elif line.kind == "blank" and day:
            day.append(line.raw)
        else:
            kept += [*day, line.raw]
            day, lost = [], False
    kept += [] if tidy and lost else day
    data = b"".join(kept)
    bom = data and log.to_bytes().startswith(BOM_UTF8) and not data.startswith(BOM_UTF8)
    return BOM_UTF8 + data if bom else data
