"""The season that a question is about as the forecast takes it, and what was reckoned of it, kept with the
league's ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from bot import texts
from bot.answers.common.scope import ALL, Scope, is_over, offered, scope_of, season_choices
from bot.chat.command import Ask, Question, choice, data_of
from bot.chat.replies import Choice, UserError
from bot.league.snapshot import chip_worth, earlier_games
from rating.forecast.outlook import Forecast, forecast
from rating.forecast.past import USUAL, Past, Plan, past_of, plan_of
from rating.forecast.review import CurvePoint, curve
from rating.games import GameError

T = TypeVar("T")
LEFT = (30, 50, 100)  # games left that are offered where league.toml plans none
FEWEST = 10  # games before a season is forecast
SUREST = 0.9999
KEPT = 2000  # points of curves kept of a season
TOO_FEW = (
    "2人以上のメンバーが合わせて{}戦を打つと計算できます（いまは{}戦）。"
    "対局が増えたら、もう一度押してください。"
)
NO_FORECAST = "このシーズンの対局からは計算できません。"
NO_PLAN = "シーズンの終わりが決まっていないので、あと{}戦として計算しました。"


@dataclass(frozen=True)
class SeasonOutlook:
    """A season's games as numbers, and how many are left. `planned`: league.toml says so, or the season is
    over."""

    scope: Scope
    past: Past
    plan: Plan
    left: int
    over: bool
    planned: bool

    @property
    def count(self) -> str:
        """残り50戦, or 全160戦 of a season that is over."""
        return f"全{self.past.played}戦" if self.over else f"残り{self.left}戦"

    @property
    def sentence(self) -> str:
        """Says how many games were taken to be left, where nothing plans them."""
        return "" if self.planned else NO_PLAN.format(self.left)

    def percent(self, chance: float) -> str:
        """A chance in words, never 100% while games are left: simulated seasons can't be sure."""
        return percent_of(chance if self.over else min(chance, SUREST))

    @property
    def options(self) -> dict[str, object]:
        """The options of a button that asks about the same season with as many games left."""
        return {"season": self.scope.option, "left": "" if self.planned else self.left}


def season_outlook(question: Question, fewest: int = FEWEST) -> SeasonOutlook:
    """The season asked for, by default and for all seasons the latest.

    Raises UserError when it has fewer than `fewest` games or two members, or can't be forecast.
    """
    scope = scope_of(_of_one_season(question))
    past = past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < fewest:
        raise UserError(TOO_FEW.format(fewest, len(scope.games)), _ways_on(question, scope))
    over = is_over(question, scope)
    plan, planned = _plan(question, scope, over, past)
    try:
        left = plan.left_after(past)
    except GameError:
        plan, planned, left = Plan(left=USUAL), False, USUAL
    if not left:
        plan, over = Plan(games=past.played), True
    return SeasonOutlook(scope, past, plan, left, over, planned)


def past_of_scope(question: Question, scope: Scope) -> Past | None:
    """The scope's games with those of the seasons before; None where they are none of members, or of too many
    players."""
    snapshot = question.snapshot
    earlier = earlier_games(snapshot, scope.season.number) if scope.season else []
    try:
        return past_of(scope.games, earlier, snapshot.league.is_guest, chip_worth(snapshot))
    except GameError:
        return None


def _of_one_season(question: Question) -> Question:
    """The question without "all seasons"."""
    command = question.command
    options = {k: v for k, v in command.options.items() if (k, v) != ("season", ALL)}
    return replace(question, command=replace(command, options=options))


def _plan(question: Question, scope: Scope, over: bool, past: Past) -> tuple[Plan, bool]:
    """How many games are left, and whether that is planned."""
    if over:
        return Plan(games=past.played), True
    plan = plan_of(scope.season)
    if plan.known:
        return plan, True
    asked = question.option("left")
    return Plan(left=int(asked) if asked in map(str, LEFT) else USUAL), False


def _ways_on(question: Question, scope: Scope) -> tuple[Choice, ...]:
    season = scope.option
    return offered(*other_seasons(question, scope), choice("収支", Ask.SUM, season=season))


def other_seasons(question: Question, scope: Scope) -> tuple[Choice, ...]:
    """The same question for other seasons; there is no forecast of all together."""
    name = question.command.name
    return tuple(c for c in season_choices(question, scope.option) if c.data != data_of(name, season=ALL))


def forecast_now(question: Question, season: SeasonOutlook) -> Forecast:
    """How the season may end. Raises UserError when it can't be forecast."""
    return known(question, season, "forecast", lambda: forecast(season.past, season.left))


def course(question: Question, season: SeasonOutlook) -> tuple[CurvePoint, ...]:
    """The chances after each day of play. The days that were reckoned before are kept, so a new day costs one
    step."""
    before = question.ratings.computed(
        ("days of forecasts", season.scope.number, season.past.seats), dict[tuple[int, int], CurvePoint]
    )

    def reckon() -> tuple[CurvePoint, ...]:
        points = curve(season.past, season.plan, tuple(before.values()))
        if len(before) > KEPT:
            before.clear()
        before.update((point.key, point) for point in points)
        return points

    return known(question, season, "curve", reckon)


def known(question: Question, season: SeasonOutlook, what: str, reckon: Callable[[], T]) -> T:
    """What is reckoned once of these games and this plan. Raises UserError when it can't be."""
    key = (what, season.past.digest(), season.plan, season.left)
    try:
        return question.ratings.computed(key, reckon)
    except GameError:
        raise UserError(NO_FORECAST, _ways_on(question, season.scope)) from None


def left_choices(question: Question, season: SeasonOutlook, **options: object) -> tuple[Choice, ...]:
    """The same question with other numbers of games left, where nothing plans them."""
    if season.planned:
        return ()
    name, number = question.command.name, season.scope.option
    return tuple(
        choice(f"あと{left}戦", name, season=number, left=left, **options)
        for left in LEFT
        if left != season.left
    )


def period_of(scope: Scope, past: Past) -> str:
    """The days of the games in short, 7/26〜11/10, with years where they may be of several seasons; ""
    without dates."""
    days = [game.day for game in past.season_games if game.day]
    return texts.span(min(days), max(days), scope.years) if days else ""


def percent_of(chance: float) -> str:
    """A chance in whole per cents: 41%, and 1%未満 or 99%超 where it is not quite 0 or 1."""
    if 0 < chance < 0.005:
        return "1%未満"
    if 0.995 <= chance < 1:
        return "99%超"
    return f"{100 * chance:.0f}%"
