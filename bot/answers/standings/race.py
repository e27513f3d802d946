"""The race of まとめ: everybody's 収支 after each day of play, as an animation."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.answers.common.curves import view_of
from bot.answers.common.members import People
from bot.answers.common.scope import Scope
from bot.answers.standings.race_picture import MOST, RaceChart, RaceLine, draw
from bot.chat.replies import Animation
from bot.league.season_past import chip_worth
from rating.standings import Line
from rating.tallies import totals

TITLE = "収支レース"


def race_of(people: People, scope: Scope) -> Animation | None:
    """The race of the scope's members, of more than MOST those who are ahead now; None where nothing
    moves."""
    chip = chip_worth(people.snapshot)
    lines = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    members = [player for player in people.order if player in lines]
    ahead = sorted(members, key=lambda p: -lines[p].last)[:MOST]
    closing = view_of(scope.games, scope=scope).closing
    if len(members) < 2 or len(closing) < 2:
        return None
    shown = tuple(
        RaceLine(people.shown(p), people.colour(p), _after(lines[p], closing)) for p in members if p in ahead
    )
    chart = RaceChart(f"{TITLE}　{scope.title}", _labels(scope, closing), shown)
    return Animation(chart, draw, chart.size)


def _after(line: Line, closing: Sequence[int]) -> tuple[float | None, ...]:
    """The total after each of the `closing` games (numbers from 0); None before the first game."""
    found: list[float | None] = []
    at, total = 0, None
    for number in closing:
        while at < len(line.games) and line.games[at] <= number:
            total, at = line.values[at], at + 1
        found.append(total)
    return tuple(found)


def _labels(scope: Scope, closing: Sequence[int]) -> tuple[str, ...]:
    """The days of the games, or their numbers where they have no days."""
    return tuple(texts.short_day(scope.games[n].day, scope.years) or f"{n + 1}戦" for n in closing)
