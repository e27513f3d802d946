"""`flask forecast`: who will win the season, what final points to expect, and how much of it is skill."""

from collections.abc import Sequence
from typing import Any

import click

from bot.cli.base import (
    AS_JSON,
    CommandContext,
    command,
    defaulted,
    print_json,
    print_table,
    progress_bar,
    with_context,
)
from bot.cli.chosen import (
    LEAGUE,
    check_table_options,
    print_order,
    season_of,
    snapshot_of,
    table_games,
    table_options,
    table_order,
)
from bot.league.snapshot import chip_worth, earlier_games
from bot.runtime.finding import translated as _
from bot.service import Service
from rating.forecast.outlook import forecast as forecast_season
from rating.forecast.outlook import forecast_report, render_forecast
from rating.forecast.past import USUAL, Past, Plan, past_of, plan_of
from rating.forecast.seasons import MOST_LEFT, MOST_SEASONS, SEASONS
from rating.games import Game


@command()
@click.option("--season", default="", help="A season's number; the last season by default.")
@LEAGUE
@table_options
@click.option(
    "--left",
    type=click.IntRange(0, MOST_LEFT),
    help="Games left; by default those that league.toml plans (games or end of the season), else 50.",
)
@click.option(
    "--seed", type=click.IntRange(0), help="Of the random numbers; by default it comes from the games."
)
@defaulted("--seasons", click.IntRange(100, MOST_SEASONS), SEASONS, "Seasons simulated.")
@AS_JSON
@with_context
def forecast(
    cli: CommandContext, left: int | None, seed: int | None, seasons: int, as_json: bool, **which: Any
) -> None:
    """The rest of the season is simulated many times with the league's own games and the members' own
    habits. Skill is the share of a member's mean points that is skill, not luck.
    """
    number, past, plan, games = _past(cli.service, **which)
    taken = left is None and not plan.known
    plan = Plan(left=USUAL if left is None else left) if taken or left is not None else plan
    with progress_bar("simulating", as_json) as progress:
        found = forecast_season(past, plan.left_after(past), seed=seed, seasons=seasons, progress=progress)
    report = forecast_report(found, number)
    if taken:
        words = _(
            "nothing says how many games are left, so {left} are taken: --left or league.toml (games or "
            "end of the [[season]]) says how many"
        )
        click.echo(words.format(left=USUAL), err=as_json)
    if as_json:
        print_json(report)
        return
    shown = snapshot_of(cli.service, which["league"], logs=False).league.shown
    heads, rows, sentence = render_forecast(report, shown)
    print_table(heads, rows, right=set(range(1, len(heads))))
    click.echo(sentence)
    print_order(table_order(games, which["table"]))


def _past(
    service: Service, season: str, league: str, table: str | None, raw: bool, uma: str
) -> tuple[int | None, Past, Plan, Sequence[Game]]:
    """Return the season's number (None for a table), its games as the forecast takes them, its plan, the
    games."""
    snapshot = snapshot_of(service, league, logs=table is None)
    number = season_of(snapshot, season)
    check_table_options(table, raw, uma, number)
    if table is not None:
        played = table_games(service, table, raw, uma, league)
        return None, past_of(played, is_guest=snapshot.league.is_guest), Plan(), played
    if number is None and season:
        told = _("--season takes a season's number, not {text!r}: one season is forecast", text=season)
        raise ValueError(told)
    if number is None and not snapshot.seasons:
        raise ValueError(_("no games: there is nothing to forecast from"))
    number = snapshot.seasons[-1].number if number is None else number
    games = snapshot.all_games(number)
    if not games:
        raise ValueError(_("season {number} has no games: there is nothing to forecast from", number=number))
    earlier, chips = earlier_games(snapshot, number), chip_worth(snapshot)
    past = past_of(games, earlier, snapshot.league.is_guest, chips=chips)
    plan = plan_of(snapshot.league.season(number))
    over = not plan.known and number != snapshot.seasons[-1].number
    return number, past, Plan(left=0) if over else plan, games
