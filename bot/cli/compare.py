"""`flask lab compare`: which rating system predicts the league's games best."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, SEASON, seats_option
from bot.cli.games import GameChoice, order_notes, table_options
from bot.cli.options import AS_JSON, defaulted
from bot.cli.printing import print_report, progress_bar, table_text, write_picture
from rating.study.calibrate import (
    comparison_report,
)
from rating.study.compare import FEWEST_DAYS, Verdict, compare as compared, default_systems


@command()
@SEASON
@seats_option()
@LEAGUE
@table_options
@defaulted("--burn-in", click.IntRange(1), 100, "First games, learned from but not predicted.")
@defaulted("--seed", click.IntRange(0), 0, "Of the bootstrap behind the intervals.")
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
    """Each game is predicted before it is learned, in order of time. A score table (--games) is
    predicted with the systems' default options, the logs with those of the league's files. A best
    one is named only where it is surely ahead of all others.
    """
    choice = GameChoice(**which)
    games = choice.games(cli.service)
    systems = default_systems()
    if choice.table is None:
        systems |= choice.snapshot(cli.service).systems()
    with progress_bar("comparing", as_json) as progress:
        comparison = compared(games, systems, burn_in=burn_in, seed=seed, progress=progress)
    subtitle = f"{comparison.games}戦の予想を検証"
    if output:
        draw_losses = cli.drawing("losses")
        _write_only_picture(output, draw_losses(comparison, "レート検証", subtitle))
    if calibration:
        draw_calibration = cli.drawing("calibration")
        _write_only_picture(calibration, draw_calibration(comparison, subtitle))
    report = comparison_report(comparison) | choice.order(games)
    print_report(as_json, report, [render_compare(report), *order_notes(report)])


def _write_only_picture(path: str, pictures: Iterable[bytes]) -> None:
    (picture,) = pictures
    write_picture(path, picture)


def render_compare(report: Mapping[str, Any]) -> str:
    """The systems, best first, those that predict the same as one of them, and the verdict in
    words.
    """
    heads = ("model", "log loss", "difference", "95 % interval", "behind", "95 % interval")
    rows = []
    ranked = [entry for entry in report["models"] if "same_as" not in entry]
    for place, entry in enumerate(ranked):
        interval = f"{entry['low']:+.4f} {entry['high']:+.4f}"
        behind = ""
        behind_interval = ""
        if place > 0:
            behind = f"{entry['behind']:.4f}"
            behind_interval = f"{entry['behind_low']:+.4f} {entry['behind_high']:+.4f}"
        figures = f"{entry['log_loss']:.4f}", f"{entry['difference']:+.4f}", interval
        rows.append((entry["model"], *figures, behind, behind_interval))
    rows.append(("(know nothing)", f"{report['uniform']:.4f}", "", "", "", ""))
    lines = [table_text(heads, rows)]
    same = "{model} predicts the same as {same_as}."
    lines += [same.format(**entry) for entry in report["models"] if "same_as" in entry]
    played = "{predicted} games on {days} days after the first {burn_in} games.".format(**report)
    return "\n".join([*lines, f"{played} {_verdict(report, ranked)}"])


def _verdict(
    report: Mapping[str, Any],
    ranked: list[Mapping[str, Any]],
) -> str:
    """Return which of the ranked systems (best first) predicts best, in words."""
    if report["verdict"] == Verdict.CHANCE:
        if report["days"] < FEWEST_DAYS:
            few = f"Fewer than {FEWEST_DAYS} days are too few to tell."
            return f"{few} Nothing beats chance here."
        return "Nothing beats chance here."
    winners = ", ".join(entry["model"] for entry in ranked if entry["beats_chance"])
    better = f"Better than chance: {winners}."
    if report["best"]:
        return f"{better} {report['best']} predicts best, surely ahead of all others."
    ties = ", ".join(report["ties"])
    first = ranked[0]["model"]
    return f"{better} No system is surely the best: {first} is not surely ahead of {ties}."
