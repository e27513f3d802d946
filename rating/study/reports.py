"""The results of `calibrate`, `simulate` and `compare` as plain dicts of numbers, texts and lists. No I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rating.games import Game
from rating.study.calibrate import ENOUGH_PLAYERS, MIN_GAMES, PRECISE, calibrate, exact_factors, factors, k_of
from rating.study.compare import Comparison
from rating.study.simulate import VARIANCE, WEIGHT, simulate

Report = dict[str, Any]


def calibrate_report(
    games: Sequence[Game],
    min_games: int = MIN_GAMES,
    chip: float = 0.0,
    season_chip: Mapping[str, float] | None = None,
) -> Report:
    """What `calibrate` finds, with `sd` (of score), `scale` (5 f), `pull` (g / 40), `verdict` (a sentence).
    The figures of ChanceCheck stand beside the others. Raises GameError as `calibrate` does."""
    report = asdict(calibrate(games, min_games, chip, season_chip))
    report |= report.pop("chance")
    report["means"] = [list(point) for point in report["means"]]
    report["sd"] = report["variance"] ** 0.5
    report["scale"], report["pull"] = 5 * report["f"], report["g"] / 40
    lacks = []
    if report["players"] < ENOUGH_PLAYERS or report["min_games"] < MIN_GAMES:
        lacks.append(f"{ENOUGH_PLAYERS} players with {MIN_GAMES} games are asked for")
    if not report["precise"]:
        m, error = report["split_m"], report["split_m_error"]
        what = "the split halves show no slope"
        if m is not None and error is not None and m > 0:
            what = f"the error of the split halves' slope is {error / m:.0%}"
        lacks.append(f"{what}, and an error of at most {PRECISE:.0%} is asked for")
    verdict = f"The data do not suffice: {'; '.join(lacks)}." if lacks else "The data suffice."
    return report | {"verdict": verdict}


def factors_report(sd: float, m: float, seats: int, chip: float = 0.0) -> Report:
    """jansou's factors from what others measured: `sd` of score (thousands), `m` (places per thousand).
    `chip`: thousands of points a chip counted in both. `exact_f`, `exact_g` hold for any pull."""
    k, l = k_of(m, seats), sd**2 / VARIANCE[seats]  # noqa: E741
    (f, g), (exact_f, exact_g) = factors(k, l), exact_factors(k, l, WEIGHT[seats])
    figures = {"k": k, "l": l, "f": f, "g": g, "exact_f": exact_f, "exact_g": exact_g}
    return {"seats": seats, "chip": chip, "sd": sd, "m": m, **figures, "scale": 5 * f, "pull": g / 40}


def simulate_report(**options: Any) -> Report:
    return asdict(simulate(**options))


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
