"""Decide which lines of a league go to its season logs: Tenhou's new ones, and those of the room's own results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from bot.sync.own_results import OwnResults
from rating.own_lines import DayLine, OwnGame, offered_for

Offered = Callable[[date], Sequence[bytes]]
"""The kept lines of a day's file."""


@dataclass
class MergePlan:
    """The lines to merge by day; which of them are games of the room; the games the log is looked at for, by their line.

    `follows` are the days of which Tenhou's own lines come, whether or not the room has told them before.
    """

    days: dict[date, list[bytes]]
    own: dict[DayLine, OwnGame] = field(default_factory=dict)
    looked: list[tuple[DayLine, OwnGame]] = field(default_factory=list)
    follows: set[date] = field(default_factory=set)


def plan(
    fresh: Mapping[date, list[bytes]], ends: Collection[date], own: OwnResults, offered: Offered
) -> MergePlan:
    """Return what to merge of Tenhou's new lines (`fresh`, by day) and of the room's games that ended on the days `ends`.

    Where a day file has brought a game, its line is merged and ours is not. Raises StorageError when the store cannot be
    reached.
    """
    made = MergePlan({day: list(lines) for day, lines in fresh.items()})
    games = own.around({*fresh, *ends})
    near = {game.end.date() - timedelta(days=back) for game in games for back in (0, 1)}
    found = offered_for(games, {day: offered(day) for day in sorted(near)})
    days = defaultdict(list, made.days)
    for game in games:
        line = found.get(game.key)
        if line is None and game.fresh:
            day, raw = line = game.current
            days[day].append(raw)
        elif line is not None and line[1] in fresh.get(line[0], ()):
            made.follows.add(line[0])
        elif game.fresh and line is not None:
            made.looked.append((line, game))  # Tenhou's line was merged before: nothing is to be added
            continue
        else:
            continue
        made.own[line] = game
        made.looked.append((line, game))
    made.days = dict(days)
    return made


def offers(offered: Offered, own: OwnResults, day: date) -> tuple[bytes, ...]:
    """Return every line that Tenhou is known to offer for a day, in its files or as the room's own result."""
    return (*offered(day), *own.lines_on(day))
