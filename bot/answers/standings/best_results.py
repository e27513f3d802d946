"""Finds the best results of a season, each with the members who hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot import texts
from bot.answers.common.curves import value_before
from bot.answers.common.members import People
from bot.answers.common.ratings import Ratings
from bot.answers.common.scope import Scope
from bot.charts.canvas import style
from bot.charts.parts.facts import Fact
from rating.games import Game
from rating.standings import NOISE, PROVISIONAL_GAMES
from rating.streaks import days_of, is_first, longest, not_last
from rating.tallies import Result, Tally, has_chips, results_by_player, tallies

ENOUGH = 10  # fewest games for the best mean placing and the lowest last rate; below PROVISIONAL_GAMES they are 暫定


@dataclass(frozen=True)
class Candidate:
    """A member's result: the more `value` the better. `detail` is what is the member's own, such as the day.

    `brief` is what stands beside another holder's, the detail itself if empty: there is room for one line.
    """

    player: str
    value: float
    detail: str = ""
    brief: str = ""


def best_results_of(people: People, scope: Scope, ratings: Ratings | None) -> list[Fact]:
    """The best results of the scope, each with the members who hold it; those of ratings only with `ratings`."""
    own = {player: tally for player, tally in tallies(scope.games).items() if player in people.order}
    found = [
        _score(people, scope, "最高スコア", 1),
        _score(people, scope, "最低スコア", -1),
        _streak(people, scope, list(own), "連続トップ", is_first),
        _streak(people, scope, list(own), "連続ラス回避", not_last),
        _best_day(people, scope),
        *_rates(people, own),
        _most_games(people, own),
        *(_rating_records(people, scope, ratings) if ratings else ()),
    ]
    return [fact for fact in found if fact is not None]


def _record(
    people: People, label: str, candidates: Iterable[Candidate], words: Callable[[float], str]
) -> Fact | None:
    """The record with all who hold it, the earliest first; None without candidates. `words` writes its value.

    The members' own details are left out where more members hold it than People.named() names.
    """
    known = list(candidates)
    best = max((each.value for each in known), default=0.0)
    holders: dict[str, Candidate] = {}
    for each in known:
        if best - each.value < NOISE:
            holders.setdefault(each.player, each)
    if not holders:
        return None
    alone = len(holders) == 1
    details = dict.fromkeys(each.detail if alone else each.brief or each.detail for each in holders.values())
    shown = [words(best), "、".join(filter(None, details)) if len(holders) <= people.NAMED else ""]
    colour = people.colour(next(iter(holders))) if alone else style.INK
    names = people.joined(list(holders))
    return Fact(label, people.named(list(holders)), "　".join(filter(None, shown)), colour, names)


def _day(scope: Scope, game: Game | None) -> str:
    return texts.short_day(game.day, scope.years) if game else ""


def _days(scope: Scope, first: Game | None, last: Game | None) -> str:
    """The days of two games: 9/1〜9/8 or 2020/9/1〜9/8; where the years are told and differ the months, 2019/12〜2020/1."""
    start, end = (game.day if game else None for game in (first, last))
    if start is None or end is None or start == end:
        return texts.short_day(start or end, scope.years)
    if scope.years and start.year != end.year:
        return f"{start.year}/{start.month}〜{end.year}/{end.month}"
    return f"{texts.short_day(start, scope.years)}〜{texts.short_day(end)}"


def _score(people: People, scope: Scope, label: str, sign: int) -> Fact | None:
    own = [
        Candidate(seat.player, sign * seat.score, _day(scope, game))
        for game in scope.games
        for seat in game.seats
        if seat.player in people.order
    ]
    return _record(people, label, own, lambda value: texts.points(sign * value))


def _streak(
    people: People, scope: Scope, players: list[str], label: str, fits: Callable[[Result], bool]
) -> Fact | None:
    own_games = results_by_player(scope.games, players)
    runs = {player: longest(results, fits) for player, results in own_games.items()}
    own = [
        Candidate(
            player,
            run.length,
            _days(scope, run.first, run.last),
            _day(scope, run.last),
        )
        for player, run in runs.items()
        if run.length > 1
    ]
    return _record(people, label, own, lambda value: f"{value:.0f}連続")


def _best_day(people: People, scope: Scope) -> Fact | None:
    own = [
        Candidate(
            day.player,
            day.points,
            f"{texts.short_day(day.day, scope.years)}　{day.games}戦",
            texts.short_day(day.day, scope.years),
        )
        for day in days_of(scope.games)
        if day.player in people.order
    ]
    alone = f"（{texts.ALONE}）" * has_chips(scope.games)
    return _record(people, "最高の1日" + alone, own, texts.points)


def _rates(people: People, own: dict[str, Tally]) -> tuple[Fact | None, ...]:
    """The best mean placing and the lowest last rate, of members with enough games.

    Where nobody has PROVISIONAL_GAMES, those with ENOUGH count, marked 暫定.
    """
    enough = {p: t for p, t in own.items() if t.games >= PROVISIONAL_GAMES}
    mark = "" if enough else "　暫定"
    enough = enough or {p: t for p, t in own.items() if t.games >= ENOUGH}
    placings = [Candidate(p, -t.mean_placing, f"{t.games}戦{mark}") for p, t in enough.items()]
    lasts = [Candidate(p, -t.last_rate, f"{t.games}戦{mark}") for p, t in enough.items()]
    return (
        _record(people, "平均着順トップ", placings, lambda value: f"{-value:.2f}"),
        _record(people, "ラス率最少", lasts, lambda value: texts.percent(-value)),
    )


def _most_games(people: People, own: dict[str, Tally]) -> Fact | None:
    played = [Candidate(player, tally.games) for player, tally in own.items()]
    return _record(people, "最多対局", played, lambda value: f"{value:.0f}戦")


def _rating_records(people: People, scope: Scope, ratings: Ratings) -> tuple[Fact | None, ...]:
    """The largest gain in rating over these games, and the highest rating reached; 暫定 where the holder's games are few."""
    lines = {p: line for p, line in ratings.history.items() if p in ratings.standings and line.values}
    few = {p: "暫定" * ratings.standings[p].provisional for p in lines}
    rises = [Candidate(p, line.last - value_before(line, 0), few[p]) for p, line in lines.items()]
    peaks = []
    for player, line in lines.items():
        top = max(line.values)
        game = ratings.games[line.games[line.values.index(top)]]
        detail = "　".join(filter(None, (_day(scope, game), few[player])))
        peaks.append(Candidate(player, top, detail))
    return (
        _record(people, "レートの伸び", rises, lambda value: ratings.words(value, True)),
        _record(people, "最高レート", peaks, ratings.words),
    )
