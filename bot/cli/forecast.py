"""`flask forecast`: who will win the season."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, season_of, snapshot_of
from bot.cli.games import GameChoice, order_notes, table_options
from bot.cli.options import AS_JSON, defaulted
from bot.cli.printing import print_report, progress_bar, table_text
from bot.league.seasons import past_of_games, season_is_over
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.forecast.outlook import forecast as forecast_season, forecast_report, render_forecast
from rating.forecast.past import USUAL, Past, Plan, past_of, plan_of
from rating.forecast.seasons import MOST_LEFT, MOST_SEASONS, SEASONS
from rating.games import Game
from rating.league import Season
from rating.logdates import JST


class SeasonToForecast(NamedTuple):
    """The games that are forecast: a season's, or a table's (`number` is None). `plan` has how
    many are left, `over_notice` the sentence that the season is over, as chats have it."""

    number: int | None
    games: Sequence[Game]
    past: Past
    plan: Plan
    over_notice: str = ""


class GamesLeft(NamedTuple):
    """The plan that is simulated, and the notice of where it comes from."""

    plan: Plan
    notice: str = ""


@command()
@click.option("--season", default="", help="A season's number; the last season by default.")
@LEAGUE
@table_options
@click.option(
    "--left",
    "games_left",
    type=click.IntRange(0, MOST_LEFT),
    help="Games left; by default those that league.toml plans (games or end of the season), else 50.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Of the random numbers; by default it comes from the games.",
)
@defaulted("--seasons", click.IntRange(100, MOST_SEASONS), SEASONS, "Seasons simulated.")
@AS_JSON
@with_context
def forecast(
    cli: CommandContext,
    games_left: int | None,
    seed: int | None,
    seasons: int,
    as_json: bool,
    **which: Any,
) -> None:
    """The rest of the season is simulated many times with the league's own games and the members'
    own habits. Skill is the share of a member's mean points that is skill, not luck.
    """
    choice = GameChoice(**which)
    season = season_to_forecast(cli.service, choice)
    remaining = _games_left(season, games_left)
    with progress_bar("simulating", as_json) as progress:
        outlook = forecast_season(
            season.past,
            remaining.plan.left_after(season.past),
            seed=seed,
            seasons=seasons,
            progress=progress,
        )
    report = forecast_report(outlook, season.number)
    if remaining.notice:
        click.echo(remaining.notice, err=as_json)
    league = snapshot_of(cli.service, choice.league, logs=False).league
    heads, rows, sentence = render_forecast(report, league.shown)
    order = order_notes(choice.order(season.games))
    print_report(as_json, report, [table_text(heads, rows), sentence, *order])


def _games_left(season: SeasonToForecast, option: int | None) -> GamesLeft:
    """How many games are left: what the option says, else the plan, else a usual number."""
    if option is not None:
        return GamesLeft(Plan(left=option))
    if season.plan.known:
        return GamesLeft(season.plan, season.over_notice)
    notice = _(
        "nothing says how many games are left, so {left} are taken: --left or league.toml (games or "
        "end of the [[season]]) says how many",
        left=USUAL,
    )
    return GamesLeft(Plan(left=USUAL), notice)


def season_to_forecast(service: Service, choice: GameChoice) -> SeasonToForecast:
    """Raises ValueError where there is no game to forecast from."""
    snapshot = choice.snapshot(service)
    number = season_of(snapshot, choice.season)
    choice.check(number)
    if choice.table is not None:
        games = choice.table_games(service, choice.table)
        past = past_of(games, is_guest=snapshot.league.is_guest)
        return SeasonToForecast(None, games, past, Plan())
    if number is None and choice.season:
        message = _(
            "--season takes a season's number, not {text!r}: one season is forecast",
            text=choice.season,
        )
        raise ValueError(message)
    if number is None:
        if not snapshot.seasons:
            raise ValueError(_("no games: there is nothing to forecast from"))
        number = snapshot.seasons[-1].number
    season = snapshot.league.season(number)
    games_of_season = snapshot.all_games(number)
    if season is None or not games_of_season:
        raise ValueError(
            _("season {number} has no games: there is nothing to forecast from", number=number)
        )
    return _season_with_plan(service, snapshot, season, games_of_season)


def _season_with_plan(
    service: Service, snapshot: LeagueSnapshot, season: Season, games: Sequence[Game]
) -> SeasonToForecast:
    past = past_of_games(snapshot, games, season)
    today = service.now().astimezone(JST).date()
    if not season_is_over(snapshot, season, past.season_games, today):
        return SeasonToForecast(season.number, games, past, plan_of(season))
    notice = ""
    if season.number == snapshot.seasons[-1].number:
        notice = _("the season is over, as in the chat: no games are left, unless --left says so")
    return SeasonToForecast(season.number, games, past, Plan(left=0), notice)
