"""Find games that a hand corrected, and games that stand twice before and after a correction or in two
seasons' logs.

Which lines are one game: rating/same_game.py. Tenhou's own lines tell which of two is the hand's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import date
from gettext import gettext as _

from bot.league.check_log import LogFinding
from bot.league.check_seasons import home_of
from rating.games import Game
from rating.league import League
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
    yield from _of_another_year(minutes, tenhou)


class _Tenhou:
    """Tenhou's games: `games` are the lines by minute and identity."""

    def __init__(self, offered: Offered) -> None:
        self.games: dict[Minute, dict[Hashable, LogLine]] = defaultdict(dict)
        self._of_day: dict[date, set[Hashable]] = defaultdict(set)
        self._days: dict[Hashable, list[date]] = defaultdict(list)
        for day, raws in offered.items():
            for line in (line for raw in raws for line in parse_utf8("", raw).lines):
                if line.game is not None and line.game.start is not None:
                    key = identity(line)
                    self.games[day, line.game.room, line.game.start].setdefault(key, line)
                    self._of_day[day].add(key)
                    self._days[key].append(day)

    def offers(self, day: date, key: Hashable) -> bool:
        """Return whether a line under `day` may be a game that Tenhou offers."""
        return any(key in self._of_day.get(each, ()) for each in days_of(day))

    def other_year(self, day: date, key: Hashable) -> date | None:
        """Return the day on which Tenhou has this game, where that is the same date of another year."""
        days = self._days.get(key, ())
        if day in days:
            return None
        return next((other for other in days if (other.month, other.day) == (day.month, day.day)), None)


def _of_another_year(
    minutes: Mapping[Minute, Mapping[Hashable, LogLine]], tenhou: _Tenhou
) -> Iterator[LogFinding]:
    """Yield the first game of each day that Tenhou has on the same date of another year: the log leaves the
    year out."""
    told: set[tuple[str, date]] = set()
    for (day, _room, _start), lines in minutes.items():
        for key, line in lines.items():
            right = tenhou.other_year(day, key)
            if right is not None and (_file(line), day) not in told:
                told.add((_file(line), day))
                yield LogFinding.of(
                    _file(line),
                    line,
                    kind="dates",
                    reason=_(
                        "read as a game of {day}, but Tenhou has it on {right}: the date above has no year"
                    ).format(day=day, right=right),
                    mend=_("write the year: {right:%Y%m%d}").format(right=right),
                )


def _in_one_minute(
    hands: Sequence[LogLine], equal: Sequence[LogLine], missing: Sequence[LogLine]
) -> Iterator[LogFinding]:
    """Yield the corrected games of a minute, and the lines that are one game with another line.

    `hands` are the lines that Tenhou is not known to offer, `equal` those that it offers, `missing` its lines
    that stand nowhere as they are.
    """
    paired = pairs(missing, hands)
    left = [line for line in hands if all(line is not hand for _, hand in paired)]
    both = pairs(equal, left)
    for tenhou, hand in paired + both:
        yield _corrected(hand, tenhou)
    for tenhou, hand in both:
        yield _double_of_tenhou(tenhou, hand)
    for line in left:
        if any(line is hand for _, hand in both):
            continue
        before = hands[: hands.index(line)]
        if first := next((other for other in before if _one(other, line, surely_same)), None):
            yield _double_of_hand(line, first)
        elif pair := next((pair for pair in paired + both if _one(pair[0], line, same_game)), None):
            yield _other_version(line, *pair)


def _one(one: LogLine, other: LogLine, same: Callable[[Game, Game], bool]) -> bool:
    return one.game is not None and other.game is not None and same(one.game, other.game)


def _corrected(hand: LogLine, tenhou: LogLine) -> LogFinding:
    return LogFinding.of(
        _file(hand),
        hand,
        kind="corrected",
        reason=_("corrected by hand: Tenhou has {tenhou}").format(tenhou=players_part(tenhou)),
        mend=_("nothing is to be done where the correction is right"),
    )


def _double_of_tenhou(tenhou: LogLine, hand: LogLine) -> LogFinding:
    return LogFinding.of(
        _file(tenhou),
        tenhou,
        kind="twice",
        reason=_("the same game as {file}:{number}, where a hand corrected it").format(
            file=_file(hand), number=hand.number
        ),
        mend=_("take Tenhou's line out; the corrected one stays"),
        safe=tenhou.glued is None,
    )


def _double_of_hand(line: LogLine, first: LogLine) -> LogFinding:
    assert line.game is not None
    assert first.game is not None
    alike = _("names") if same_names(line.game, first.game) else _("points and chips")
    return LogFinding.of(
        _file(line),
        line,
        kind="twice",
        reason=_("the same game as {file}:{number}: day, room, start and all {alike} agree").format(
            file=_file(first), number=first.number, alike=alike
        ),
        mend=_("take one of the two out; `flask sync --since {day}` finds out which one is Tenhou's").format(
            day=line.day
        ),
    )


def _other_version(line: LogLine, tenhou: LogLine, hand: LogLine) -> LogFinding:
    return LogFinding.of(
        _file(line),
        line,
        kind="twice",
        reason=_("the same game as {file}:{number}: both may be what Tenhou has as {tenhou}").format(
            file=_file(hand), number=hand.number, tenhou=players_part(tenhou)
        ),
        mend=_("take the wrong one of the two out"),
    )


def _file(line: LogLine) -> str:
    return line.game.source if line.game else ""


def _in_two_logs(logs: Mapping[str, RoomLog], league: League) -> Iterator[LogFinding]:
    """Yield the games that stand in two seasons' logs: those in the wrong one where the seasons' starts
    tell."""
    seen: dict[Hashable, LogLine] = {}
    for log in logs.values():
        for line in log.lines:
            if line.game is None:
                continue
            first = seen.setdefault((line.day, identity(line)), line)
            if _file(first) != log.name:
                home = home_of(league, first)
                known = home in (_file(first), log.name)
                wrong, right = (first, line) if home == log.name else (line, first)
                mend = (
                    _("take it out: it belongs to {home}").format(home=home)
                    if known
                    else _("take it out of the season it doesn't belong to")
                )
                yield LogFinding.of(
                    _file(wrong),
                    wrong,
                    kind="twice",
                    reason=_("the same game as {file}:{number}").format(
                        file=_file(right), number=right.number
                    ),
                    mend=mend,
                    safe=known and wrong.glued is None,
                )
