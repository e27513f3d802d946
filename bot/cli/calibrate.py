"""`flask lab calibrate`: jansou's factors from the league's own games, or from others' figures."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from bot.answers.common.scope import ALL
from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, SEASON, seats_option, snapshot_of
from bot.cli.games import GameChoice, order_notes, table_options
from bot.cli.options import AS_JSON, defaulted
from bot.cli.printing import print_report, table_text
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.games import LIMIT
from rating.study.calibrate import calibrate_report, factors_report


def _positive(
    context: click.Context,
    option: click.Parameter,
    value: float | None,
) -> float | None:
    if value is not None and not 0 < value <= LIMIT:
        raise click.BadParameter(_("{value:g} is not above 0", value=value))
    return value


@command()
@SEASON
@seats_option()
@LEAGUE
@table_options
@defaulted("--min-games", click.IntRange(2), 50, "Games a player needs to count for k.")
@click.option(
    "--chip",
    type=float,
    help="Thousands of points a chip is worth; by default what league.toml says for each season.",
)
@click.option(
    "--sd",
    type=float,
    callback=_positive,
    help="Take this sd of score (thousands of points) instead of games.",
)
@click.option(
    "--slope",
    type=float,
    callback=_positive,
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
    """k is also found with the names shuffled within games, which leaves only chance, and by split
    halves: placing in a player's odd games on score in the even ones, and the other way round. The
    data suffice when 100 players count, all with 50 games or more, and the error of the split
    halves' slope is at most a tenth of it.

    With --sd and --slope the factors follow from these two alone, which others have measured.
    """
    choice = GameChoice(**which)
    if sd is not None or slope is not None:
        figures = _factors_of_slope(choice, sd, slope, chip or 0.0)
        print_report(as_json, figures, [render_factors(figures)])
        return
    worth = _chip_worth(cli.service, choice.league, chip)
    games = choice.games(cli.service)
    report = calibrate_report(games, min_games, worth.usual, worth.of_log)
    report |= choice.order(games)
    print_report(as_json, report, [render_calibrate(report), *order_notes(report)])


def _factors_of_slope(
    choice: GameChoice, sd: float | None, slope: float | None, chip: float
) -> Mapping[str, Any]:
    """The factors that others' sd and slope give. Raises ValueError for one without the other."""
    if sd is None or slope is None:
        raise ValueError(_("--sd and --slope are given together"))
    if choice.table or choice.season != ALL:
        raise ValueError(
            _("--sd and --slope take the place of games: leave --games and --season out")
        )
    return factors_report(sd, slope, choice.seat_count or 4, chip)


class ChipWorth(NamedTuple):
    """Thousands of points a chip is worth: usually, and in the season logs that differ."""

    usual: float
    of_log: Mapping[str, float]


def _chip_worth(service: Service, league_name: str, chip: float | None) -> ChipWorth:
    """The worth that the option says, else that of league.toml for each season."""
    if chip is not None:
        return ChipWorth(chip, {})
    league = snapshot_of(service, league_name, logs=False).league
    of_log = {}
    for season in league.seasons:
        if season.chip is not None:
            of_log[season.log] = season.chip
    return ChipWorth(league.rules.chip, of_log)


def render_factors(report: Mapping[str, Any]) -> str:
    exact = {name: f"{report[f'exact_{name}']:.4g}" for name in ("f", "g")}
    rows = [
        (name, f"{report[name]:.4g}", exact.get(name, ""))
        for name in ("sd", "m", "k", "l", "f", "g")
    ]
    score = f"(score + {report['chip']:g} x chips)" if report["chip"] else "score"
    change = f"{report['scale']:.4f} x {score} + (table average - R) x {report['g']:.4f} / 40"
    factors = table_text(("", "value", "exact"), rows)
    return f"{factors}\nchange of R = games correction x ({change}), scores in thousands of points"


def render_calibrate(report: Mapping[str, Any]) -> str:
    """The factors with their errors, k with the names shuffled too, and whether the data
    suffice.
    """
    figures = {name: name for name in ("k", "l", "f", "g")} | {
        "k, names shuffled": "shuffled_k",
        "k, split halves": "split_k",
        "k, split halves without chance": "corrected_k",
    }
    r2 = {"k": f"{report['r2']:.3f}", "shuffled_k": f"{report['shuffled_r2']:.3f}"}
    rows = []
    for label, name in figures.items():
        value = _figure(report[name], 5)
        error = _figure(report[f"{name}_error"], 2)
        rows.append((label, value, error, r2.get(name, "")))
    rows.append(("f (totsugeki)", f"{report['totsugeki_f']:.5g}", "", ""))
    rows.append(("sd of score", f"{report['sd']:.4g}", "", ""))
    remarks = []
    if report["within_game"] and report["shuffled_k"] is None:
        remarks.append(
            "k can't be told from the slope within a game: some shuffles of the names give no slope at all."
        )
    elif report["within_game"]:
        k = _figure(report["k"], 4)
        shuffled_k = _figure(report["shuffled_k"], 4)
        comparison = f"it is {k}, and {shuffled_k} with the names shuffled within games."
        remarks.append(f"k is mostly the slope within a game: {comparison}")
    chipless = report["chips_left_out"]
    if chipless:
        reason = "are left out: league.toml (chip) or --chip says what one is worth."
        remarks.append(f"The chips of {chipless} games {reason}")
    games = f"{report['games']} games of {report['seats']}; {report['players']} players with"
    lines = [
        table_text(("", "value", "error", "r2"), rows),
        f"{games} {report['min_games']} games or more.",
        *remarks,  # what else a reader of k must know, a sentence each
        report["verdict"],
    ]
    return "\n".join(lines)


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}g}"
