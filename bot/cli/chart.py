"""`flask chart`: the chart of the ratings that members see."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from bot.answers.common.scope import ALL
from bot.chat.command import Ask, Asker, Command, Question
from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, MODEL, SEASON, season_of, seats_option
from bot.cli.games import GameChoice, table_options
from bot.cli.models import model_name
from bot.cli.options import AS_JSON
from bot.cli.printing import print_report, write_picture
from bot.cli.standings import standings_report
from bot.league.ratings import LeagueRatings, RatingCache
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.games import Game, same_seats
from rating.league import Season

Json = dict[str, Any]
GAMES_AXIS = "games"
DATE_AXIS = "date"


@command()
@MODEL
@SEASON
@seats_option("Games of 3 or 4 players.")
@click.option(
    "--axis",
    type=click.Choice([GAMES_AXIS, DATE_AXIS]),
    default=GAMES_AXIS,
    show_default=True,
)
@click.option("--span", type=click.Choice(["50"]), help="Only the last so many games.")
@LEAGUE
@table_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True),
    required=True,
    help="The PNG file.",
)
@AS_JSON
@with_context
def chart(
    cli: CommandContext,
    output: str,
    model: str | None,
    axis: str,
    span: str | None,
    as_json: bool,
    **which: Any,
) -> None:
    choice = GameChoice(**which)
    picture = chart_png(cli.service, choice, model, axis, span)
    line = write_picture(output, picture)
    report: Json = {"path": output, "bytes": len(picture), "axis": axis, "span": None}
    if span:
        report["span"] = int(span)
    if as_json:
        report |= standings_report(cli.service, choice, model)
    print_report(as_json, report, [line], indent=2)


def chart_png(
    service: Service,
    choice: GameChoice,
    model: str | None = None,
    axis: str = GAMES_AXIS,
    span: str | None = None,
) -> bytes:
    """Return the PNG that a member gets for the same question.

    Raises ValueError for nothing to draw.
    """
    drawn = drawn_games(service, choice)
    options = {
        "model": model_name(model, drawn.snapshot.league.model),
        "season": drawn.season_option,
        "seats": choice.seats or "",
        "axis": axis,
        "span": span or "",
    }
    question = Question(
        Command(Ask.RATING, options),
        drawn.snapshot,
        drawn.ratings,
        Asker(""),
        service.now(),
        service.catalogue,
    )
    # Raises an error in English where the model can't rate the games.
    drawn.ratings.rated(options["model"], drawn.season, choice.seat_count)
    reply = question.answer_of(Ask.RATING, **options)
    if reply is None:
        raise ValueError(_("{model}: there are no games to draw", model=options["model"]))
    return reply.pictures[0].render()


class DrawnGames(NamedTuple):
    """A league with the ratings of its games; `season` is None for all."""

    snapshot: LeagueSnapshot
    ratings: LeagueRatings
    season: int | None
    season_option: str


def drawn_games(service: Service, choice: GameChoice) -> DrawnGames:
    """The games that are drawn. Raises ValueError for none."""
    snapshot = choice.snapshot(service)
    season = season_of(snapshot, choice.season)
    choice.check(season)
    season_option = ALL
    if choice.table is None:
        ratings = service.registry.league(choice.league).ratings(snapshot)
        if season:
            season_option = str(season)
    else:
        games = choice.table_games(service, choice.table)
        snapshot = _snapshot_of_table(snapshot, choice.table, games)
        ratings = LeagueRatings(snapshot, RatingCache())
        season_option = ""
    if not same_seats(snapshot.all_games(season), choice.seat_count):
        raise ValueError(_nothing_to_draw(snapshot, season, choice.seat_count))
    return DrawnGames(snapshot, ratings, season, season_option)


def _snapshot_of_table(
    snapshot: LeagueSnapshot, table: str, games: Sequence[Game]
) -> LeagueSnapshot:
    """A league that has the games of a score table, named after the file, and nobody else."""
    season = Season(1, table, name=Path(table).stem)
    league = replace(snapshot.league, seasons=(season,), players={}, teams=())
    return replace(
        snapshot,
        league=league,
        games={1: tuple(games)},
        starts={},
        files={},
    )


def _nothing_to_draw(snapshot: LeagueSnapshot, season: int | None, seats: int | None) -> str:
    """The message for a season (None: all) without games of so many players (None: of either
    number), with the seasons that have some.
    """
    shortage = "no game"
    if snapshot.all_games(season) and seats:
        shortage = f"no game of {seats}"
    message = f"the seasons have {shortage} to draw"
    if season is not None:
        message = f"season {season} has {shortage} to draw"
    numbers = [other.number for other in snapshot.seasons]
    drawable = [str(n) for n in numbers if same_seats(snapshot.all_games(n), seats)]
    if drawable:
        message += f"; there are some in: {', '.join(drawable)}"
    return message
