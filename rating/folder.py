"""Read the season logs of a league's folder so that their dates agree with each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from rating.league import League
from rating.roomlog import SLIP, RoomLog, Span, parse

Parse = Callable[[str, bytes, Span], RoomLog]


def parse_logs(
    league: League, files: Mapping[str, bytes], today: date, read: Parse = parse
) -> dict[str, RoomLog]:
    """The log of each season that is among `files` (bytes by name), by name in order of season.

    Later seasons are read first, because they bound the dates of earlier ones.
    """
    logs: dict[str, RoomLog] = {}
    for season in reversed(league.seasons):
        if season.log in files:
            logs[season.log] = read(season.log, files[season.log], span_of(league, season.log, logs, today))
    return {season.log: logs[season.log] for season in league.seasons if season.log in logs}


def span_of(league: League, name: str, later: Mapping[str, RoomLog], today: date) -> Span:
    """What is known about the days of the log `name`, whose dates may lack a year.

    The log does not begin before its season's start, where league.toml gives one. It ends at most SLIP after
    a later season begins (`later`: the logs of later seasons, already read), and not after `today`.
    """
    names = [season.log for season in league.seasons]
    at = names.index(name) if name in names else len(names) - 1
    until = today
    for season in league.seasons[at + 1 :]:
        log = later.get(season.log)
        first = season.start.date() if season.start and log else next(iter(log.days), None) if log else None
        if first is not None:
            until = min(until, first + SLIP)
    start = league.seasons[at].start if at >= 0 else None
    return Span(start.date() if start else None, until)
