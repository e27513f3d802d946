"""`flask calibrate`, `simulate` and `compare`: study the rating systems on the league's own games."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _
from pathlib import Path
from typing import Any

import click

from bot.answers.common.scope import ALL
from bot.answers.standings import forest_picture
from bot.answers.standings.compare import calibration_chart, draw_calibration, loss_chart
from bot.cli.base import AS_JSON, CommandContext, command, print_json, progress_bar, with_context
from bot.cli.chosen import (
    LEAGUE,
    SEASON,
    chosen_games,
    print_order,
    seats_option,
    snapshot_of,
    table_options,
    table_order,
)
from rating.games import MOST
from rating.models import MODELS
from rating.study.compare import compare as compared
from rating.study.compare import default_systems
from rating.study.reports import (
    calibrate_report,
    comparison_report,
    factors_report,
    render_calibrate,
    render_compare,
    render_factors,
    render_simulate,
    simulate_report,
)
from rating.study.simulate import LEAST_W, MOST_E, MOST_W


def _of_games(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which games to use."""
    command = table_options(command)
    for option in (LEAGUE, seats_option(), SEASON):
        command = option(command)
    return command


def _positive(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Return the number. Raises BadParameter, which names the option, when it is not above 0 or far too
    large."""
    if value is not None and not 0 < value <= MOST:
        raise click.BadParameter(_("{value:g} is not above 0").format(value=value))
    return value


@command()
@_of_games
@click.option(
    "--min-games",
    type=click.IntRange(2),
    default=50,
    show_default=True,
    help="Games a player needs to count for k.",
)
@click.option(
    "--chip",
    type=float,
    default=None,
    help="Thousands of points a chip is worth; by default what league.toml says for each season.",
)
@click.option(
    "--sd",
    type=float,
    callback=_positive,
    default=None,
    help="Take this sd of score (thousands of points) instead of games.",
)
@click.option(
    "--slope",
    type=float,
    callback=_positive,
    default=None,
    help="With --sd: places that a thousand points of mean score bring.",
)
@AS_JSON
@with_context
def calibrate(
    cli: CommandContext,
    min_games: int,
    chip: float | None,
    sd: float | None,
    slope: float | None,
    as_json: bool,
    **which: Any,
) -> None:
    """k is also found with the names shuffled within games, which leaves only chance, and by split halves:
    placing in a player's odd games on score in the even ones, and the other way round. The data suffice
    when 100 players count, all with 50 games or more, and the error of the split halves' slope is at most
    a tenth of it.

    With --sd and --slope the factors follow from these two alone, which others have measured.
    """
    if sd is not None or slope is not None:
        _print_factors(sd, slope, chip, as_json, which)
        return
    if chip is None:
        league = snapshot_of(cli.service, which["league"], logs=False).league
        worths = league.rules.chip, {s.log: s.chip for s in league.seasons if s.chip is not None}
    else:
        worths = chip, {}
    games = chosen_games(cli.service, **which)
    report = calibrate_report(games, min_games, *worths) | table_order(games, which["table"])
    if as_json:
        print_json(report)
    else:
        click.echo(render_calibrate(report))
        print_order(report)


def _print_factors(
    sd: float | None, slope: float | None, chip: float | None, as_json: bool, which: dict[str, Any]
) -> None:
    """Print the factors of figures given. Raises ValueError where one is missing, or games are named too."""
    if sd is None or slope is None:
        raise ValueError(_("--sd and --slope are given together"))
    if which["table"] or which["season"] != ALL:
        raise ValueError(_("--sd and --slope take the place of games: leave --games and --season out"))
    report = factors_report(sd, slope, int(which["seats"] or 4), chip or 0.0)
    print_json(report) if as_json else click.echo(render_factors(report))


def _weight(context: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """Return the pull that a number or a fraction says, such as 0.00375 or 3/800. Raises BadParameter, which
    names the option."""
    if text is None:
        return None
    top, slash, bottom = text.partition("/")
    try:
        weight = float(top) / float(bottom) if slash else float(top)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            _("{text!r} is no number, such as 0.00375 or 3/800").format(text=text)
        ) from None
    if not LEAST_W <= weight < MOST_W:
        raise click.BadParameter(
            _("{text} is not from {least:g} to below {most:g}").format(text=text, least=LEAST_W, most=MOST_W)
        )
    return weight


def _mean(context: click.Context, option: click.Parameter, value: float) -> float:
    """Return the mean. Raises BadParameter, which names the option, when it is out of range or no number."""
    if not abs(value) < MOST_E:
        raise click.BadParameter(
            _("{value:g} is not between {least:g} and {most:g}").format(
                value=value, least=-MOST_E, most=MOST_E
            )
        )
    return value


@command()
@click.option(
    "--seats",
    type=click.Choice(["3", "4"]),
    default="4",
    show_default=True,
    help="Games of 3 or 4 players, East and South.",
)
@click.option(
    "--mean",
    "e",
    type=float,
    callback=_mean,
    default=0.5,
    show_default=True,
    help="The player's mean rating points an East game, before the pull.",
)
@click.option(
    "--weight",
    "w",
    callback=_weight,
    metavar="NUMBER",
    default=None,
    show_default="3/800 with 4 seats, 1/300 with 3",
    help=f"The pull of an East game, from {LEAST_W:g} to below {MOST_W:g}; a South game pulls twice as much.",
)
@click.option(
    "--chains",
    type=click.IntRange(100, 1_000_000),
    default=20_000,
    show_default=True,
    help="Players simulated; each error falls with the square root of their number.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the random numbers.")
@AS_JSON
def simulate(seats: str, as_json: bool, **options: Any) -> None:
    """The rating points of a game are +6 +2 -2 -6 with 4 seats and +6 0 -6 with 3; a South game counts as two
    East games.
    """
    with progress_bar("simulating", as_json) as progress:
        report = simulate_report(seats=int(seats), progress=progress, **options)
    print_json(report) if as_json else click.echo(render_simulate(report))


@command()
@_of_games
@click.option(
    "--burn-in",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="First games, learned from but not predicted.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Of the bootstrap behind the intervals.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True),
    help="Also draw the chart into this PNG file.",
)
@click.option(
    "--calibration",
    type=click.Path(dir_okay=False, writable=True),
    help="Also draw the calibration plot of the best system into this PNG file.",
)
@AS_JSON
@with_context
def compare(
    cli: CommandContext,
    burn_in: int,
    seed: int,
    output: str | None,
    calibration: str | None,
    as_json: bool,
    **which: Any,
) -> None:
    """Each game is predicted before it is learned, in order of time. A score table (--games) is predicted
    with the systems' default options, the logs with those of the league's files. A best one is named only
    where it is surely ahead of all others.
    """
    games = chosen_games(cli.service, **which)
    systems = default_systems()
    if which["table"] is None:
        systems |= snapshot_of(cli.service, which["league"]).systems()
    with progress_bar("comparing", as_json) as progress:
        found = compared(games, systems, burn_in=burn_in, seed=seed, progress=progress)
    title, subtitle = "レート検証", f"{found.games}戦の予想を検証"
    if output:
        chart = loss_chart(found, title, subtitle, "")
        Path(output).write_bytes(forest_picture.draw(chart))
    if calibration:
        best = next(entry for entry in found.models if entry.beats_chance or entry.model in MODELS)
        Path(calibration).write_bytes(draw_calibration(calibration_chart(best, subtitle)))
    report = comparison_report(found) | table_order(games, which["table"])
    if as_json:
        print_json(report)
    else:
        click.echo(render_compare(report))
        print_order(report)
