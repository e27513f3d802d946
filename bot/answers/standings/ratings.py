"""レーティング: everyone's rating by any system, as a picture and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from bot import texts
from bot.answers.common.curves import RECENT, change_today, curves_of, day_word, last_day_start, view_of
from bot.answers.common.members import Cast, cast_of
from bot.answers.common.model_names import MEANINGS, baseline, model_title, signed
from bot.answers.common.scope import (
    Scope,
    model_of,
    offered,
    scope_of,
    season_choices,
    seat_choices,
    subtitle_of,
)
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
from rating.games import GameError
from rating.models import MODELS
from rating.standings import History, Rating, Standings

TOO_FEW = "この強さを計算するには、まだ対局が足りません。もう少し打ってから、もう一度押してください。"
NO_TEAM_GAMES = "2対2の記録はまだありません。2対2の結果を記録すると、ここにレートが出ます。ほかのレートは下のボタンから見られます。"


@dataclass(frozen=True)
class Ratings:
    """The ratings a question is about, ready to be drawn or written. `games` may be games of two against two."""

    scope: Scope
    model: str
    standings: Standings
    history: History
    games: Sequence[Any]

    @property
    def title(self) -> str:
        return f"{model_title(self.model)}　{self.where}"

    @property
    def where(self) -> str:
        return "通算" if MODELS[self.model].plays == "teams" else self.scope.title

    @property
    def subtitle(self) -> str:
        return subtitle_of(self.games, f"{len(self.games)}戦")

    @property
    def by_games(self) -> bool:
        """Whether the system learns game by game, so that there are lines to draw."""
        return bool(self.history)

    def words(self, value: float, sign: bool | None = None) -> str:
        shown = signed(self.model) if sign is None else sign
        return texts.number(value, MODELS[self.model].decimals, shown)


def answer(question: Question) -> Reply:
    found = ratings_of(question, scope_of(question), model_of(question))
    cast = cast_of(question)
    table = ratings_table(cast, found)
    picture = picture_of(question, cast, found, table)
    return Reply((picture, table), _choices(question, found))


def ratings_of(question: Question, scope: Scope, model: str) -> Ratings:
    """Everybody's rating in the scope, guests left out; UserError where the system can't be asked yet."""
    try:
        result, history, games = question.library.replayed(model, scope.number, scope.seats)
    except GameError:
        raise UserError(TOO_FEW, _other_models(scope, model)) from None
    if not games:
        raise UserError(NO_TEAM_GAMES, _other_models(scope, model))
    guests = frozenset(p for p in result if question.snapshot.league.is_guest(p))
    return Ratings(scope, model, result.without(guests), history, games)


def ratings_table(cast: Cast, found: Ratings) -> Table:
    """Rank, name, rating, games; below, what moved on the last day of play, the error, and 暫定."""
    first = last_day_start(found.games)
    rows = tuple(
        cast.row(
            player,
            found.words(rating.value),
            place,
            (f"{rating.games}戦",),
            "　".join(_details(found, player, rating, first)),
        )
        for place, (player, rating) in enumerate(found.standings.items(), 1)
    )
    top = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows[:3])
    return Table(
        found.title,
        rows,
        ("", "対局"),
        found.subtitle,
        MEANINGS.get(found.model, ""),
        f"{found.title}：{top}",
    )


def _details(found: Ratings, player: str, rating: Rating, first: int) -> list[str]:
    words = ["暫定"] if rating.provisional else []
    if player in found.history:
        moved = change_today(found.history[player], first)
        words += [f"{day_word(found.games)} {found.words(moved, True)}"] if moved is not None else []
    if rating.low is not None and rating.high is not None:
        half = found.words((rating.high - rating.low) / 2, False)
        words.append(f"誤差 ±{half}")
    return words


def picture_of(question: Question, cast: Cast, found: Ratings, table: Table) -> Picture:
    """Lines for a system that learns game by game, intervals for the others, a heat map where matchups foretell more."""
    from bot.answers.standings import strengths
    from bot.charts import forest, matrix, ratings

    if found.by_games:
        return Picture(rating_chart(question, cast, found), ratings.draw, table.alt, (table,))
    if found.model == "blade_chest" and strengths.matchups_count(found):
        return Picture(strengths.matchup_chart(cast, found), matrix.draw, table.alt, (table,))
    return Picture(strengths.forest_chart(cast, found), forest.draw, table.alt, (table,))


def rating_chart(question: Question, cast: Cast, found: Ratings) -> Any:
    """Everyone's line: a point a day of play, or every game of the last fifty, or of a young season."""
    from bot.charts.ratings import RatingChart

    view = view_of(found.games, question.option("axis"), question.option("span"))
    provisional = {player: rating.provisional for player, rating in found.standings.items()}
    return RatingChart(
        found.title + (f"　直近{RECENT}局" if view.recent else ""),
        view.subtitle,
        curves_of(cast, found.history, list(found.standings), view, provisional),
        baseline(found.model),
        view.axis,
        MODELS[found.model].decimals,
    )


def _choices(question: Question, found: Ratings) -> tuple[Choice, ...]:
    """What one would ask next: another span, axis, season, model."""
    scope, model = found.scope, found.model
    own = model == question.snapshot.league.model
    same = {"model": "" if own else model}
    if question.option("seats"):
        same["seats"] = str(scope.seats)
    here = {"season": scope.option, **same}
    result: list[Choice] = []
    if found.by_games:
        if question.option("span") or question.option("axis"):
            result.append(choice("全対局", "rating", **here))
        if not question.option("span") and len(found.games) > RECENT:
            result.append(choice(f"直近{RECENT}局", "rating", span=RECENT, **here))
        if question.option("axis") != "date":
            result.append(choice("日付で見る", "rating", axis="date", **here))
    seasons = () if MODELS[model].plays == "teams" else season_choices(question, scope.option, **same)
    return offered(*result, *seasons, *seat_choices(question, scope), *_model_choices(scope, model))


def _model_choices(scope: Scope, model: str) -> tuple[Choice, ...]:
    return tuple(choice(model_title(m), "rating", season=scope.option, model=m) for m in MODELS if m != model)


def _other_models(scope: Scope, model: str) -> tuple[Choice, ...]:
    return offered(*_model_choices(scope, model))


def as_of(game: Any) -> str | None:
    """When the last game counted started: `2020-06-30 22:20`."""
    if game is None or game.day is None:
        return None
    start: time | None = getattr(game, "start", None)
    return f"{game.day.isoformat()} {start:%H:%M}" if start else game.day.isoformat()


SPECS = (
    Spec(
        "rating",
        "レーティング",
        "みんなのレートをグラフで出します",
        answer,
        ("レーティング", "レート", "れーてぃんぐ", "れーと", "ぐらふ", "グラフ", "rating"),
        plain=True,
    ),
)
