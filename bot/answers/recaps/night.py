"""Reckons a night: everybody's day with the places it moved, and what the day's games tell beside the points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.answers.common.curves import value_before
from bot.answers.games.day import DayPart, RatedDay, day_parts, rated_day
from bot.league.rating_cache import LeagueRatings
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.night import (
    Comeback,
    Milestone,
    Run,
    best_milestone,
    best_score,
    closest,
    comebacks,
    games_milestones,
    notable_runs,
    peak_milestone,
)
from rating.standings import places

SEVERAL = 2  # games from which one of them can be the best or the closest


@dataclass(frozen=True)
class PlaceMove:
    """A member's place by rating before and after the day; `before` is None where the day's games are the first ones."""

    before: int | None
    after: int


@dataclass(frozen=True)
class Night:
    """A day's games with one number of seats, and what there is to tell of them.

    `mvp` are the members with the most points, none where these are not above 0. `best` is the highest score: who, and in
    which game. `runs` and `milestones` begin with the most remarkable.
    """

    part: DayPart
    mvp: tuple[str, ...]
    moves: Mapping[str, PlaceMove]
    runs: tuple[Run, ...] = ()
    best: tuple[str, Game] | None = None
    closest: Game | None = None
    comeback: Comeback | None = None
    milestones: tuple[Milestone, ...] = ()


def nights(
    snapshot: LeagueSnapshot, ratings: LeagueRatings, games: Sequence[Game], members: Sequence[str]
) -> list[Night]:
    """The night of each number of seats, three first; only those in which members played."""
    parts = day_parts(snapshot, ratings, games, members)
    return [_night(snapshot, ratings, part) for part in parts if part.results]


def _night(snapshot: LeagueSnapshot, ratings: LeagueRatings, part: DayPart) -> Night:
    own = [result.player for result in part.results]
    rated = rated_day(snapshot, ratings, part.games)
    several = len(part.games) >= SEVERAL
    milestones = tuple(_milestones(snapshot, rated, part, own))
    record = any(each.kind == "best" for each in milestones)
    return Night(
        part,
        mvp=tuple(r.player for r in part.results if r.place == 1 and r.tally.points > 0),
        moves=_moves(snapshot, rated) if rated else {},
        runs=tuple(notable_runs(_season_so_far(snapshot, rated, part), own)),
        best=best_score(part.games, own) if several or record else None,
        closest=closest(part.games, own) if several else None,
        comeback=next(iter(comebacks(part.games, own)), None),
        milestones=milestones,
    )


def _season_so_far(snapshot: LeagueSnapshot, rated: RatedDay | None, part: DayPart) -> Sequence[Game]:
    """The season's games with as many seats, up to the day's last one."""
    if rated is None or not rated.numbers:
        return part.games
    return rated.rated.games[: rated.numbers[-1] + 1]


def _moves(snapshot: LeagueSnapshot, rated: RatedDay) -> dict[str, PlaceMove]:
    """The members' places before and after the day, among those who had played by then."""
    if not rated.numbers:
        return {}
    first, after = rated.numbers[0], rated.numbers[-1] + 1
    before = _places(snapshot, rated, first)
    return {
        player: PlaceMove(before.get(player), place)
        for player, place in _places(snapshot, rated, after).items()
    }


def _places(snapshot: LeagueSnapshot, rated: RatedDay, until: int) -> dict[str, int]:
    """The members' places by rating before game number `until` of the season."""
    values = {
        player: value_before(line, until)
        for player, line in rated.rated.history.items()
        if line.games and line.games[0] < until and not snapshot.league.is_guest(player)
    }
    order = sorted(values, key=lambda player: -values[player])
    return dict(zip(order, places([values[player] for player in order]), strict=True))


def _milestones(
    snapshot: LeagueSnapshot, rated: RatedDay | None, part: DayPart, own: Sequence[str]
) -> list[Milestone]:
    """Season's bests first, then round numbers of games over all seasons."""
    found: list[Milestone | None] = []
    best = best_score(part.games, own)
    if rated is not None and rated.numbers:
        earlier = rated.rated.games[: rated.numbers[0]]
        if best is not None:
            player, game = best
            found.append(best_milestone(earlier, player, game.seats[game.placing(player)].score))
        lines = rated.rated.history
        found += [peak_milestone(player, lines[player], rated.numbers) for player in own if player in lines]
    return [*(each for each in found if each is not None), *_round_numbers(snapshot, part, own)]


def _round_numbers(snapshot: LeagueSnapshot, part: DayPart, own: Sequence[str]) -> list[Milestone]:
    """Who has played a round number of games with the day's games of this number of seats."""
    everything = snapshot.all_games()
    day = set(map(id, part.games))
    last = max((n for n, game in enumerate(everything) if id(game) in day), default=-1)
    after = Counter(p for game in everything[: last + 1] for p in game.players if p in own)
    played = Counter(p for game in part.games for p in game.players if p in own)
    return games_milestones(after - played, after)
