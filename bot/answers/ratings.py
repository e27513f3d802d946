"""レーティング: everyone's rating as a picture, and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot import texts
from bot.answers.scope import ALL, Scope, model_of, scope_of
from bot.charts import style
from bot.charts.ratings import Curve, RatingChart, draw
from bot.commands import Question, Spec, choice
from bot.library import Snapshot
from bot.replies import Choice, Picture, Reply, Row, Table
from rating.games import Game
from rating.models import MODELS
from rating.standings import History, Line, Standings

RECENT = 50  # games shown by 直近
FEW_DAYS = 4  # with fewer days of play every game is a point, else the day's last


@dataclass(frozen=True)
class _Ratings:
    """The ratings a question is about, ready to be drawn or written."""

    scope: Scope
    model: str
    standings: Standings
    history: History
    games: Sequence[Game]


def answer(question: Question) -> Reply:
    found = _find(question)
    table = standings_table(question.snapshot, found.standings, found.model, found.scope)
    table_with_change = _with_changes(table, found)
    picture = Picture(
        rating_chart(question, found),
        draw,
        f"{table.title}："
        + "、".join(f"{i}位 {row.name} {row.value}" for i, row in enumerate(table.rows[:3], 1)),
        (table_with_change,),
    )
    return Reply((picture, table_with_change), _choices(question, found))


def _find(question: Question) -> _Ratings:
    scope, model = scope_of(question), model_of(question)
    result, history, games = question.library.replayed(model, scope.number, scope.seats)
    guests = frozenset(p for p in result if question.snapshot.league.is_guest(p))
    return _Ratings(scope, model, result.without(guests), history, games)


def model_title(model: str) -> str:
    """The name members know a rating system by."""
    return MODEL_TITLES.get(model, model)


MODEL_TITLES = {
    "tenhou": "レーティング",
    "jansou": "得点レート",
    "team_elo": "2対2レート",
    "bradley_terry": "対戦の強さ",
    "btr": "得点の強さ(BTR)",
    "bayesian_btr": "得点の強さ(区間つき)",
    "blade_chest": "相性つき強さ",
    "plackett_luce": "着順の強さ",
}


def members(snapshot: Snapshot) -> list[str]:
    """The league's fixed order of members (for colours): as league.toml has them, then by first game."""
    order = dict.fromkeys(p for p in snapshot.league.players)
    for game in snapshot.all_games():
        for player in game.players:
            order.setdefault(player)
    return [player for player in order if not snapshot.league.is_guest(player)]


def standings_table(snapshot: Snapshot, result: Standings, model: str, scope: Scope) -> Table:
    """Rank, name, rating, games; provisional players say so."""
    colours = style.colours(members(snapshot))
    decimals = MODELS[model].decimals
    rows = tuple(
        Row(
            snapshot.league.shown(player),
            f"{rating.value:.{decimals}f}".replace("-", "−"),
            rank=str(place),
            extra=(f"{rating.games}戦",),
            detail="暫定" if rating.provisional else "",
            colour=colours.get(player, ""),
        )
        for place, (player, rating) in enumerate(result.items(), 1)
    )
    title = f"{model_title(model)}　{scope.title}"
    return Table(title, rows, ("", "対局"), scope.subtitle)


def _with_changes(table: Table, found: _Ratings) -> Table:
    """The table with each rating's change on the last day of play as the second line."""
    last_day = found.games[-1].day
    first = next((i for i, game in enumerate(found.games) if game.day == last_day), 0)
    decimals = MODELS[found.model].decimals
    rows = []
    for row, player in zip(table.rows, found.standings, strict=True):
        line = found.history.get(player)
        words = [row.detail] if row.detail else []
        if line is not None and line.games and line.games[-1] >= first:
            change = line.last - _value_before(line, first)
            words.append(f"前日比 {change:+.{decimals}f}".replace("-", "−"))
        rows.append(
            Row(row.name, row.value, row.rank, row.extra, "　".join(words), row.colour, row.mine, row.data)
        )
    return Table(table.title, tuple(rows), table.heads, table.subtitle, table.note, table.alt)


def _value_before(line: Line, game: int) -> float:
    """The line's value before game number `game`."""
    earlier = [value for at, value in zip(line.games, line.values, strict=True) if at < game]
    return earlier[-1] if earlier else line.start


def rating_chart(question: Question, found: _Ratings) -> RatingChart:
    """Everyone's line: a point a day of play, or every game of the last fifty, or of a young season."""
    snapshot = question.snapshot
    order = members(snapshot)
    colours, dashes = style.colours(order), style.dashes(order)
    recent = question.option("span") == str(RECENT)
    by_date = question.option("axis") == "date" and all(game.day for game in found.games)
    start = max(0, len(found.games) - RECENT) if recent else 0
    closing = range(len(found.games)) if recent and not by_date else _closing_games(found.games, by_date)
    curves = []
    for player, rating in found.standings.items():
        xs, ys = _points(found.history[player], closing, start)
        at = [_day_at(found.games, x) if by_date else float(x) for x in xs]
        curves.append(
            Curve(
                snapshot.league.shown(player),
                tuple(at),
                tuple(ys),
                colours[player],
                dashes[player],
                rating.provisional,
                player == question.asker.player,
            )
        )
    return RatingChart(
        f"{model_title(found.model)}　{found.scope.title}" + (f"　直近{RECENT}局" if recent else ""),
        found.scope.subtitle,
        tuple(curves),
        1500 if MODELS[found.model].name in ("tenhou", "jansou") else None,
        "date" if by_date else "games",
        MODELS[found.model].decimals,
    )


def _day_at(games: Sequence[Game], played: int) -> float:
    """The day (ordinal) on which so many games had been played; the day before for what stood before its games."""
    day = games[max(played - 1, 0)].day
    assert day is not None  # asked only where all games have one
    following = games[played].day if played < len(games) else None
    return float(day.toordinal()) - (1 if played == 0 or following == day else 0)


def _closing_games(games: Sequence[Game], by_date: bool) -> Sequence[int]:
    """Indices of each day's last game; all games where there are few days."""
    last = {game.day: index for index, game in enumerate(games)}
    if len(last) < FEW_DAYS and not by_date:
        return range(len(games))
    return sorted(last.values())


def _points(line: Line, closing: Sequence[int], start: int) -> tuple[list[int], list[float]]:
    """Number of games played in the league, and the rating then, at the closing games from the player's first on."""
    xs: list[int] = []
    ys: list[float] = []
    at, value = 0, line.start
    first = line.games[0]
    for index in closing:
        while at < len(line.games) and line.games[at] <= index:
            value = line.values[at]
            at += 1
        if index < max(first, start - 1):
            continue
        if not xs and first >= start:  # the line begins at the rating before the first game
            xs.append(first)
            ys.append(line.start)
        xs.append(index + 1)
        ys.append(value)
    return xs, ys


def _choices(question: Question, found: _Ratings) -> tuple[Choice, ...]:
    """What one would ask next: another span, axis, season, model."""
    season, model = found.scope.option, found.model
    same = {"season": season, "model": model if model != question.snapshot.league.model else ""}
    result = []
    if question.option("span") or question.option("axis"):
        result.append(choice("全対局", "rating", **same))
    if not question.option("span") and len(found.games) > RECENT:
        result.append(choice(f"直近{RECENT}局", "rating", span=RECENT, **same))
    if question.option("axis") != "date":
        result.append(choice("日付で見る", "rating", axis="date", **same))
    seasons = [s for s in reversed(question.snapshot.seasons) if str(s.number) != season]
    result += [choice(s.title, "rating", season=s.number) for s in seasons[:3]]
    if len(question.snapshot.seasons) > 1 and season != ALL:
        result.append(choice("全シーズン", "rating", season=ALL))
    result += [choice(model_title(m), "rating", season=season, model=m) for m in MODELS if m != model]
    return (*result[:12], choice("メニュー", "menu"))


def as_of(game: Game | None) -> str | None:
    """When the last game counted started: `2020-06-30 22:20`."""
    if game is None or game.day is None:
        return None
    return f"{game.day.isoformat()} {game.start:%H:%M}" if game.start else game.day.isoformat()


SPECS = (
    Spec(
        "rating",
        "レーティング",
        "みんなのレートをグラフで出します",
        answer,
        ("レーティング", "レート", "れーてぃんぐ", "れーと", "ぐらふ", "グラフ", "rating"),
    ),
)
__all__ = ["answer", "as_of", "members", "model_title", "rating_chart", "standings_table", "texts"]
