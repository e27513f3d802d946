"""The results of `calibrate`, `simulate` and `compare`, as a dict for programs and a table for people.

A report is a plain dict of numbers, texts and lists; its `render_` function makes the table. No I/O.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rating.games import Game
from rating.study.calibrate import ENOUGH_PLAYERS, MIN_GAMES, PRECISE, calibrate, exact_factors, factors, k_of
from rating.study.compare import FEWEST_DAYS, Comparison, Verdict
from rating.study.simulate import VARIANCE, WEIGHT, simulate

Report = dict[str, Any]


def calibrate_report(
    games: Sequence[Game],
    min_games: int = MIN_GAMES,
    chip: float = 0.0,
    season_chip: Mapping[str, float] | None = None,
) -> Report:
    """What `calibrate` finds, with `sd` (of score), `scale` (5 f), `pull` (g / 40), `verdict` (a sentence).

    The figures of ChanceCheck stand beside the others. Raises GameError as `calibrate` does.
    """
    report = asdict(calibrate(games, min_games, chip, season_chip))
    report |= report.pop("chance")
    report["means"] = [list(point) for point in report["means"]]
    report["sd"] = report["variance"] ** 0.5
    report["scale"], report["pull"] = 5 * report["f"], report["g"] / 40
    return report | {"verdict": _sufficiency(report)}


def factors_report(sd: float, m: float, seats: int, chip: float = 0.0) -> Report:
    """jansou's factors from what others measured: `sd` of score (thousands), `m` (places per thousand).

    `chip`: thousands of points a chip counted in both. `exact_f`, `exact_g` hold for any pull.
    """
    k, l = k_of(m, seats), sd**2 / VARIANCE[seats]  # noqa: E741
    (f, g), (exact_f, exact_g) = factors(k, l), exact_factors(k, l, WEIGHT[seats])
    figures = {"k": k, "l": l, "f": f, "g": g, "exact_f": exact_f, "exact_g": exact_g}
    return {"seats": seats, "chip": chip, "sd": sd, "m": m, **figures, "scale": 5 * f, "pull": g / 40}


def render_factors(report: Mapping[str, Any]) -> str:
    """The factors, and the change of a rating that they make."""
    exact = {name: f"{report[f'exact_{name}']:.4g}" for name in ("f", "g")}
    names = ("sd", "m", "k", "l", "f", "g")
    rows = [("", "value", "exact"), *((name, f"{report[name]:.4g}", exact.get(name, "")) for name in names)]
    score = f"(score + {report['chip']:g} x chips)" if report["chip"] else "score"
    change = f"{report['scale']:.4f} x {score} + (table average - R) x {report['g']:.4f} / 40"
    return f"{table(rows)}\nchange of R = games correction x ({change}), scores in thousands of points"


def render_calibrate(report: Mapping[str, Any]) -> str:
    """The factors with their errors, k as it tells chance from players, and whether the data suffice."""
    figures = [(name, name) for name in ("k", "l", "f", "g")]
    figures += [("k, names shuffled", "shuffled_k"), ("k, split halves", "split_k")]
    figures += [("k, split halves without chance", "corrected_k")]
    rows = [("", "value", "error", "r2")]
    r2 = {"k": report["r2"], "shuffled_k": report["shuffled_r2"]}
    for label, name in figures:
        value, error = _figure(report[name], 5), _figure(report[f"{name}_error"], 2)
        rows.append((label, value, error, f"{r2[name]:.3f}" if name in r2 else ""))
    rows += [("f (totsugeki)", f"{report['totsugeki_f']:.5g}", "", "")]
    rows += [("sd of score", f"{report['sd']:.4g}", "", "")]
    games = f"{report['games']} games of {report['seats']}; {report['players']} players with"
    lines = [
        table(rows),
        f"{games} {report['min_games']} games or more.",
        *_remarks(report),
        report["verdict"],
    ]
    return "\n".join(lines)


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}g}"


def _remarks(report: Mapping[str, Any]) -> list[str]:
    """What else a reader of k must know, a sentence each."""
    remarks = []
    if report["within_game"] and report["shuffled_k"] is None:
        remarks.append(
            "k can't be told from the slope within a game: some shuffles of the names give no slope at all."
        )
    elif report["within_game"]:
        own, other = _figure(report["k"], 4), _figure(report["shuffled_k"], 4)
        remarks.append(
            f"k is mostly the slope within a game: it is {own}, and {other} with the names shuffled"
            " within games."
        )
    if games := report["chips_left_out"]:
        remarks.append(
            f"The chips of {games} games are left out: league.toml (chip) or --chip says what one is worth."
        )
    return remarks


def _sufficiency(report: Mapping[str, Any]) -> str:
    """Whether the data suffice; if not, what they lack."""
    if report["sufficient"]:
        return "The data suffice."
    lacks = []
    if report["players"] < ENOUGH_PLAYERS or report["min_games"] < MIN_GAMES:
        lacks.append(f"{ENOUGH_PLAYERS} players with {MIN_GAMES} games are asked for")
    if not report["precise"]:
        m, error = report["split_m"], report["split_m_error"]
        what = "the split halves show no slope"
        if m is not None and error is not None and m > 0:
            what = f"the error of the split halves' slope is {error / m:.0%}"
        lacks.append(f"{what}, and an error of at most {PRECISE:.0%} is asked for")
    return f"The data do not suffice: {'; '.join(lacks)}."


def simulate_report(**options: Any) -> Report:
    """What `simulate` finds; the options are those of `simulate`."""
    return asdict(simulate(**options))


def render_simulate(report: Mapping[str, Any]) -> str:
    """Mean and variance beside theory, for East and South games, with Monte Carlo errors and ratios."""

    def row(label: str, figure: str, expected: str) -> tuple[str, ...]:
        value, error, known = report[figure], report[f"{figure}_error"], report[expected]
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


def comparison_report(comparison: Comparison) -> Report:
    """The report of a comparison. `same_as` is there only where a system's predictions are another's."""
    models = [asdict(entry) for entry in comparison.models]
    for entry in models:
        entry["calibration"] = {"first": list(entry.pop("first")), "last": list(entry.pop("last"))}
        if not entry["same_as"]:
            del entry["same_as"]
    return {
        "games": comparison.games + comparison.burn_in,
        "predicted": comparison.games,
        "burn_in": comparison.burn_in,
        "seats": comparison.seats,
        "days": comparison.days,
        "uniform": comparison.uniform,
        "verdict": str(comparison.verdict),
        "best": comparison.best,
        "ties": list(comparison.ties),
        "models": models,
    }


def render_compare(report: Mapping[str, Any]) -> str:
    """The systems, best first, those that predict the same as one of them, and the verdict in words."""
    rows = [("model", "log loss", "difference", "95 % interval", "behind", "95 % interval")]
    shown = [entry for entry in report["models"] if "same_as" not in entry]
    for place, entry in enumerate(shown):
        interval = f"{entry['low']:+.4f} {entry['high']:+.4f}"
        behind = f"{entry['behind']:.4f}", f"{entry['behind_low']:+.4f} {entry['behind_high']:+.4f}"
        figures = f"{entry['log_loss']:.4f}", f"{entry['difference']:+.4f}", interval
        rows.append((entry["model"], *figures, *(behind if place else ("", ""))))
    rows.append(("(know nothing)", f"{report['uniform']:.4f}", "", "", "", ""))
    lines = [table(rows)]
    lines += [
        f"{e['model']} predicts the same as {e['same_as']}." for e in report["models"] if "same_as" in e
    ]
    played = (
        f"{report['predicted']} games on {report['days']} days after the first {report['burn_in']} games."
    )
    return "\n".join([*lines, f"{played} {_verdict(report, shown)}"])


def _verdict(report: Mapping[str, Any], shown: Sequence[Mapping[str, Any]]) -> str:
    """Which systems beat chance, and whether one is surely ahead of the others."""
    if report["verdict"] == Verdict.CHANCE:
        few = f"Fewer than {FEWEST_DAYS} days are too few to tell. " if report["days"] < FEWEST_DAYS else ""
        return f"{few}Nothing beats chance here."
    better = f"Better than chance: {', '.join(e['model'] for e in shown if e['beats_chance'])}."
    if report["best"]:
        return f"{better} {report['best']} predicts best, surely ahead of all others."
    ties = ", ".join(report["ties"])
    return f"{better} No system is surely the best: {shown[0]['model']} is not surely ahead of {ties}."


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as columns of text, the first aligned to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
