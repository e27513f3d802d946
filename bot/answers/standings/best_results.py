"""Finds the best results of a season, each with the member who set it."""

from __future__ import annotations

from collections.abc import Callable

from bot import texts
from bot.answers.common.curves import value_before
from bot.answers.common.members import People
from bot.answers.common.ratings import Ratings
from bot.answers.common.scope import Scope
from bot.charts.parts.facts import Fact
from rating.games import Game
from rating.streaks import days_of, is_first, longest, not_last
from rating.tallies import Result, results_of, tallies

ENOUGH = 10  # fewest games for the best mean placing and the lowest last rate


def best_results_of(people: People, scope: Scope, ratings: Ratings | None) -> list[Fact]:
    """The best results of the scope, each with the member who set it; those of ratings only with `ratings`."""
    own = [player for player in tallies(scope.games) if player in people.order]
    found = [
        _score(people, scope.games, "最高の1局", 1),
        _score(people, scope.games, "最低の1局", -1),
        _streak(people, scope, own, "連続トップ", is_first),
        _streak(people, scope, own, "連続ラス回避", not_last),
        _best_day(people, scope),
        _placing(people, scope),
        _last_rate(people, scope),
        _most_games(people, scope),
        *(_rating_records(people, ratings) if ratings else ()),
    ]
    return [fact for fact in found if fact is not None]


def _fact(people: People, label: str, player: str, *details: str) -> Fact:
    return Fact(label, people.shown(player), "　".join(filter(None, details)), people.colour(player))


def _day(game: Game | None) -> str:
    return f"{game.day.month}/{game.day.day}" if game and game.day else ""


def _score(people: People, games: tuple[Game, ...], label: str, sign: int) -> Fact | None:
    seats = [(sign * seat.score, seat.player, game) for game in games for seat in game.seats]
    own = [item for item in seats if item[1] in people.order]
    if not own:
        return None
    score, player, game = max(own, key=lambda item: item[0])
    return _fact(people, label, player, texts.points(sign * score), _day(game))


def _streak(
    people: People, scope: Scope, players: list[str], label: str, fits: Callable[[Result], bool]
) -> Fact | None:
    runs = [(longest(results_of(scope.games, player), fits), player) for player in players]
    if not runs:
        return None
    run, player = max(runs, key=lambda item: item[0].length)
    if run.length < 2:
        return None
    days = "〜".join(dict.fromkeys(filter(None, (_day(run.first), _day(run.last)))))
    return _fact(people, label, player, f"{run.length}連続", days)


def _best_day(people: People, scope: Scope) -> Fact | None:
    days = [day for day in days_of(scope.games) if day.player in people.order]
    if not days:
        return None
    best = max(days, key=lambda day: day.points)
    when = f"{best.day.month}/{best.day.day}"
    return _fact(people, "最高の1日", best.player, texts.points(best.points), when, f"{best.games}戦")


def _placing(people: People, scope: Scope) -> Fact | None:
    found = {p: t for p, t in tallies(scope.games).items() if p in people.order and t.games >= ENOUGH}
    if not found:
        return None
    best = min(found, key=lambda p: found[p].mean_placing)
    return _fact(people, "平均着順", best, f"{found[best].mean_placing:.2f}", f"{found[best].games}戦")


def _last_rate(people: People, scope: Scope) -> Fact | None:
    found = {p: t for p, t in tallies(scope.games).items() if p in people.order and t.games >= ENOUGH}
    if not found:
        return None
    best = min(found, key=lambda p: found[p].last_rate)
    return _fact(
        people,
        "ラスの少なさ",
        best,
        f"ラス率 {texts.percent(found[best].last_rate)}",
        f"{found[best].games}戦",
    )


def _most_games(people: People, scope: Scope) -> Fact | None:
    found = {p: t.games for p, t in tallies(scope.games).items() if p in people.order}
    if not found:
        return None
    most = max(found, key=lambda p: found[p])
    return _fact(people, "最多対局", most, f"{found[most]}戦")


def _rating_records(people: People, ratings: Ratings) -> list[Fact]:
    """The largest gain in rating over these games, and the highest rating reached."""
    lines = {p: line for p, line in ratings.history.items() if p in ratings.standings and line.values}
    if not lines:
        return []
    rises = {p: line.last - value_before(line, 0) for p, line in lines.items()}
    riser = max(rises, key=lambda p: rises[p])
    peak = max(lines, key=lambda p: max(lines[p].values))
    top = max(lines[peak].values)
    game = ratings.games[lines[peak].games[lines[peak].values.index(top)]]
    return [
        _fact(people, "レートの伸び", riser, ratings.words(rises[riser], True)),
        _fact(people, "最高レート", peak, ratings.words(top), _day(game)),
    ]
