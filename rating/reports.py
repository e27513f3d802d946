"""The results of `calibrate`, `simulate` and `compare`, as a dict for programs (JSON) and as a table for people.

A report is a plain dict of numbers, texts and lists; its `render_` function makes the table. No I/O.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rating.calibrate import ENOUGH_PLAYERS, MIN_GAMES, calibrate
from rating.compare import Comparison, ModelScore, Verdict
from rating.games import Game
from rating.simulate import simulate

Report = dict[str, Any]


def calibrate_report(games: Sequence[Game], min_games: int = MIN_GAMES, chip: float = 0.0) -> Report:
    """What `calibrate` finds, with `sd` (of score, thousands), `scale` (5 f) and `pull` (g / 40).

    Raises GameError as `calibrate` does.
    """
    found = asdict(calibrate(games, min_games, chip))
    found["means"] = [list(point) for point in found["means"]]
    found["sd"] = found["variance"] ** 0.5
    found["scale"], found["pull"] = 5 * found["f"], found["g"] / 40
    return found


def render_calibrate(report: Mapping[str, Any]) -> str:
    """The factors with their errors, and whether the data suffice."""
    rows = [("", "value", "error")]
    rows += [(x, f"{report[x]:.5g}", f"{report[f'{x}_error']:.2g}") for x in ("k", "l", "f", "g")]
    rows.append(("f (totsugeki)", f"{report['totsugeki_f']:.5g}", ""))
    rows.append(("sd of score", f"{report['sd']:.4g}", ""))
    verdict = (
        "The data suffice."
        if report["sufficient"]
        else f"The data do not suffice: {ENOUGH_PLAYERS} players with {MIN_GAMES} games are asked for."
    )
    return (
        table(rows)
        + f"\n{report['games']} games of {report['seats']}; {report['players']} players with"
        + f" {report['min_games']} games or more; r2 = {report['r2']:.3f}. {verdict}"
    )


def simulate_report(**options: Any) -> Report:
    """What `simulate` finds; the options are those of `simulate`."""
    return asdict(simulate(**options))


def render_simulate(report: Mapping[str, Any]) -> str:
    """Mean and variance beside theory, for East and South games, with the Monte Carlo errors of each and of the ratios."""

    def row(label: str, found: str, expected: str) -> tuple[str, ...]:
        value, error, known = report[found], report[f"{found}_error"], report[expected]
        ratio = (f"{value / known:.4f}", f"{error / abs(known):.2g}") if known else ("-", "-")
        return label, f"{value:.5g}", f"{error:.2g}", f"{known:.5g}", *ratio

    return table(
        [
            ("", "simulated", "error", "theory", "ratio", "error"),
            row("mean", "mean", "theory_mean"),
            row("variance", "variance", "theory_variance"),
            row("mean, South", "south_mean", "theory_mean"),
            row("variance, South", "south_variance", "theory_south_variance"),
            row("variance, South / East", "ratio", "theory_ratio"),
        ]
    )


def comparison_report(found: Comparison) -> Report:
    """The report of a comparison already made."""
    return {
        "games": found.games + found.burn_in,
        "predicted": found.games,
        "burn_in": found.burn_in,
        "seats": found.seats,
        "days": found.days,
        "uniform": found.uniform,
        "verdict": str(found.verdict),
        "models": [_entry(entry) for entry in found.models],
    }


def _entry(entry: ModelScore) -> Report:
    report = asdict(entry)
    report["calibration"] = {"first": list(report.pop("first")), "last": list(report.pop("last"))}
    return report


def render_compare(report: Mapping[str, Any]) -> str:
    """The systems, best first, and whether any beats chance."""
    rows = [("model", "log loss", "difference", "95 % interval")]
    for entry in report["models"]:
        interval = f"{entry['low']:+.4f} {entry['high']:+.4f}"
        rows.append((entry["model"], f"{entry['log_loss']:.4f}", f"{entry['difference']:+.4f}", interval))
    rows.append(("(know nothing)", f"{report['uniform']:.4f}", "", ""))
    better = [entry["model"] for entry in report["models"] if entry["beats_chance"]]
    verdict = (
        "Nothing beats chance here."
        if report["verdict"] == Verdict.CHANCE
        else f"Better than chance: {', '.join(better)}."
    )
    return table(rows) + f"\n{report['predicted']} games after the first {report['burn_in']}. {verdict}"


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as columns of text, the first aligned to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
