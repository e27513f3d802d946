"""Read leagues' own rooms once, between two of `flask sync`: results into the logs, then the records that they name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from bot.sync.league_job import Job, Outcome
from bot.sync.own_results import leagues_waiting
from bot.sync.paifu_collector import PaifuCollector
from bot.sync.room_watch import RoomWatch
from storage.ports import StateStore


@dataclass
class OwnRoundNews:
    """What a round did: games added to logs, and whether a room was asked; `problems` are lines for the admin."""

    added: int = 0
    asked: int = 0
    problems: list[str] = field(default_factory=list)


def own_round(
    leagues: Collection[str],
    state: StateStore,
    work: Callable[[Job], Outcome],
    rooms: RoomWatch,
    records: PaifuCollector,
) -> OwnRoundNews:
    """Ask the rooms of these leagues that are due, merge what waits, and fetch the records that are due.

    Raises StorageError when the state store cannot be reached.
    """
    prepared = {league: work(Job("prepare", league)) for league in leagues}
    told = rooms.look({league: frozenset(found.rooms) for league, found in prepared.items()})
    news = OwnRoundNews(asked=told.asked)
    for league in leagues:
        news.problems += [*prepared[league].problems, *told.problems.get(league, ())]
    for league in sorted(leagues_waiting(state) & set(leagues)):
        outcome = work(Job("deliver", league))
        news.added += sum(outcome.added.values())
        news.problems += outcome.problems
    records.collect(leagues)
    return news
