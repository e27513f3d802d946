"""`flask lab simulate`: where the mean and variance of a rating settle."""

from collections.abc import Mapping
from typing import Any

import click

from bot.cli.base import command
from bot.cli.options import AS_JSON, defaulted
from bot.cli.printing import print_report, progress_bar, table_text
from bot.runtime.translation import translated as _
from rating.study.calibrate import simulate_report
from rating.study.simulate import LEAST_W, MOST_E, MOST_W


def _weight(
    context: click.Context,
    option: click.Parameter,
    text: str | None,
) -> float | None:
    """Return the pull that a number or a fraction gives, such as 0.00375 or 3/800."""
    if text is None:
        return None
    top, slash, bottom = text.partition("/")
    try:
        weight = float(top)
        if slash:
            weight /= float(bottom)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            _("{text!r} is no number, such as 0.00375 or 3/800", text=text)
        ) from None
    if not LEAST_W <= weight < MOST_W:
        message = _("{text} is not from {least:g} to below {most:g}")
        raise click.BadParameter(message.format(text=text, least=LEAST_W, most=MOST_W))
    return weight


def _mean(context: click.Context, option: click.Parameter, value: float) -> float:
    if not abs(value) < MOST_E:
        message = _("{value:g} is not between {least:g} and {most:g}")
        raise click.BadParameter(message.format(value=value, least=-MOST_E, most=MOST_E))
    return value


@command()
@defaulted("--seats", click.Choice(["3", "4"]), "4", "Games of 3 or 4 players, East and South.")
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
    show_default="3/800 with 4 seats, 1/300 with 3",
    help=f"The pull of an East game, from {LEAST_W:g} to below {MOST_W:g}; a South game pulls twice as much.",
)
@defaulted(
    "--chains",
    click.IntRange(100, 1_000_000),
    20_000,
    "Players simulated; each error falls with the square root of their number.",
)
@defaulted("--seed", click.IntRange(0), 0, "Of the random numbers.")
@AS_JSON
def simulate(seats: str, as_json: bool, **options: Any) -> None:
    """The rating points of a game are +6 +2 -2 -6 with 4 seats and +6 0 -6 with 3; a South game
    counts as two East games.
    """
    with progress_bar("simulating", as_json) as progress:
        report = simulate_report(seats=int(seats), progress=progress, **options)
    print_report(as_json, report, [render_simulate(report)])


def render_simulate(report: Mapping[str, Any]) -> str:
    def row(label: str, figure: str, expected: str) -> tuple[str, ...]:
        value = report[figure]
        error = report[f"{figure}_error"]
        theory = report[expected]
        ratio = "-"
        ratio_error = "-"
        if theory:
            ratio = f"{value / theory:.4f}"
            ratio_error = f"{error / abs(theory):.2g}"
        return label, f"{value:.5g}", f"{error:.2g}", f"{theory:.5g}", ratio, ratio_error

    rows = [
        row("mean", "mean", "theory_mean"),
        row("variance", "variance", "theory_variance"),
        row("mean, South", "south_mean", "theory_mean"),
        row("variance, South", "south_variance", "theory_south_variance"),
        row("variance, South / East", "ratio", "theory_ratio"),
    ]
    return table_text(("", "simulated", "error", "theory", "ratio", "error"), rows)
