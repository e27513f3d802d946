"""The season logs of a league's folder, read so that their dates agree with one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from rating.league import League
from rating.roomlog import SLIP, RoomLog, Span, parse

Parse = Callable[[str, bytes, Span], RoomLog]


def parse_logs(
    league: League, files: Mapping[str, bytes], today: date, read: Parse = parse
) -> dict[str, RoomLog]:
    """Each season's log that is among the files, by name, in the seasons' order."""
    logs: dict[str, RoomLog] = {}
    for season in reversed(league.seasons):
        if season.log in files:
            logs[season.log] = read(season.log, files[season.log], span_of(league, season.log, logs, today))
    return {season.log: logs[season.log] for season in league.seasons if season.log in logs}


def span_of(league: League, name: str, later: Mapping[str, RoomLog], today: date) -> Span:
    """What is known of the days of the log `name`, which may have dates without a year.

    It does not begin before its season's start (where league.toml names it), does not end after the next one begins (`later`:
    the logs of later seasons, as read), and does not reach beyond `today`.
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
