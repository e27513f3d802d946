"""Find games that stand in another season's log than the starts in league.toml say, and move them (`--fix`).

The line goes by the same rule as a new one (`League.season_at`): the last season begun by the game's start.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from gettext import gettext as _

from bot.league.check_log import LogFinding
from rating.folder import parse_logs, span_of
from rating.league import League, Season
from rating.merge import merge
from rating.roomlog import LogLine, RoomLog
from rating.same_game import identity

_Placed = set[tuple[date | None, Hashable]]


@dataclass(frozen=True, slots=True)
class Move:
    """Games in the log `source` that belong to the log `target`, and both files' bytes before and after.

    `after` is None where the target cannot be written, and where moving them would change another game's day.
    `before` and `after` are (target, source).
    """

    source: str
    target: str
    lines: tuple[LogLine, ...]
    before: tuple[bytes, bytes]
    after: tuple[bytes, bytes] | None


def home_of(league: League, line: LogLine) -> str | None:
    """Return the log a game belongs to, or None where the seasons' starts do not tell."""
    season = _season_of(league, line)
    return season.log if season else None


def _season_of(league: League, line: LogLine) -> Season | None:
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
    """Return the games that belong to another season's log, by the log they stand in and the log they belong
    to.

    `locked` are the logs that cannot be written.
    """
    found: dict[tuple[str, str], list[LogLine]] = defaultdict(list)
    held = {name: _placed([log]) for name, log in logs.items()} if len(league.seasons) > 1 else {}
    for season in league.seasons:
        log = logs.get(season.log)
        for line in log.lines if log else ():
            home = _season_of(league, line)
            if home is None or not _is_wrong(season, home):
                continue
            double = (line.day, identity(line)) in held.get(home.log, ())
            if not double:
                found[season.log, home.log].append(line)
    return tuple(
        Move(*names, tuple(lines), (b"", b""), None)
        if names[1] in locked
        else _move(logs, league, names, lines, today)
        for names, lines in found.items()
    )


def _is_wrong(season: Season, home: Season) -> bool:
    """Return whether a game of `home` surely does not belong to `season`."""
    if season.log == home.log:
        return False
    return season.start is not None or (home.start is not None and home.number > season.number)


def in_wrong_seasons(moves: Iterable[Move]) -> Iterator[LogFinding]:
    """Yield a finding for each game that stands in another season's log."""
    for move in moves:
        for line in move.lines:
            start = f"{line.game.start:%H:%M}" if line.game and line.game.start else ""
            yield LogFinding.of(
                move.source,
                line,
                kind="season",
                reason=_(
                    "the game of {day} {start} belongs to {target} by the seasons' starts in league.toml"
                ).format(day=line.day, start=start, target=move.target),
                mend=_("move it to {target}, or correct the season's start").format(target=move.target),
                safe=move.after is not None and line.glued is None,
            )


def _move(
    logs: Mapping[str, RoomLog],
    league: League,
    names: tuple[str, str],
    lines: Sequence[LogLine],
    today: date,
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


def _placed(logs: Iterable[RoomLog]) -> _Placed:
    """Return every game with its day, each once."""
    return {(line.day, identity(line)) for log in logs for line in log.lines if line.game is not None}


def _without(log: RoomLog, lines: Sequence[LogLine], tidy: bool) -> bytes:
    """Return the log without these lines. With `tidy` the dates that lose all that stood under them go
    too."""
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
