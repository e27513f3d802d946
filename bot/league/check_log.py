"""Find the faults that one season log shows by itself, each with its line and a mend."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from datetime import date

from bot.runtime.finding import translated as _
from rating.league import League
from rating.roomlog import LogLine, RoomLog
from rating.same_game import FORGOTTEN, identity

SEATS = {"三": 3, "四": 4}  # by the first letter of a rule


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
        cls, file: str, line: LogLine, *, kind: str, reason: str, mend: str, safe: bool = False
    ) -> LogFinding:
        return cls(file, line.number, text=line.text, kind=kind, reason=reason, mend=mend, safe=safe)

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
            yield LogFinding.of(log.name, line, kind=kind, reason=reason, mend=mend, safe=kind == "glued")
    if log.lines and not log.lines[-1].raw.endswith((b"\n", b"\r")):
        mend = _("add the line's end, or the next game is typed onto it")
        reason = _("the last line has no end")
        yield LogFinding.of(log.name, log.lines[-1], kind="newline", reason=reason, mend=mend, safe=True)


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
    if SEATS.get(game.rule[:1], len(game.seats)) != len(game.seats):
        told = _("{seats} players in a game of rule {rule}", seats=len(game.seats), rule=game.rule)
        yield "seats", told, _("compare with Tenhou's result")
    if line.day is None:
        mend = _("put the day's date before it, such as 20200518")
        yield "undated", _("no date stands before the game"), mend
    if not league.is_own_room(game.room):
        told = _("{room} is none of the league's rooms", room=game.room)
        yield "room", told, _("add the room to league.toml (rooms), or take the game out")


def _twice(log: RoomLog) -> Iterator[LogFinding]:
    """Yield the games that stand twice: surely so on one day, almost surely within a week."""
    seen: dict[Hashable, LogLine] = {}
    for line in log.lines:
        if line.game is None:
            continue
        key = identity(line)
        first, seen[key] = seen.get(key), line
        if first is None:
            continue
        same_day = first.day == line.day
        if same_day or line.day is None or first.day is None or abs(line.day - first.day) <= FORGOTTEN:
            where = _("line {number}", number=first.number) + ("" if same_day else f" ({first.day})")
            same_rule = first.game is not None and line.game.rule == first.game.rule
            safe = same_day and line.day is not None and same_rule and not line.glued
            reason, mend = _("the same game as {where}", where=where), _("take one of the two out")
            yield LogFinding.of(log.name, line, kind="twice", reason=reason, mend=mend, safe=safe)


def _dates(log: RoomLog) -> Iterator[LogFinding]:
    """Yield the dates outside the longest run of dates that never go back."""
    dated = [(line, day) for line in log.lines if (day := line.day if line.kind == "day" else line.glued)]
    ends: list[date] = []  # ends[n]: the smallest last date of a run of n + 1 dates
    piles: list[list[int]] = []  # piles[n]: the dates that end such a run, by index
    for index, (_line, day) in enumerate(dated):
        place = bisect_right(ends, day)
        ends[place : place + 1] = [day]
        if place == len(piles):
            piles.append([])
        piles[place].append(index)
    ordered: set[int] = set()
    before, limit = len(dated), date.max
    for pile in reversed(piles):  # of runs equally long, the one that begins earlier in the file
        before = next(index for index in pile if index < before and dated[index][1] <= limit)
        limit = dated[before][1]
        ordered.add(before)
    for index, (line, day) in enumerate(dated):
        if index not in ordered:
            reason = _("{day} is out of order among the dates around it", day=day)
            mend = _("correct the date, or move the day's games")
            yield LogFinding.of(log.name, line, kind="dates", reason=reason, mend=mend)
