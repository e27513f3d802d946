"""`flask lab`: study the rating systems on the league's own games, ask about tiles (JSON on
standard input), and have policies play."""

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import click

from bot.answers.common.scope import ALL
from bot.cli.base import (
    AS_JSON,
    CommandContext,
    Failure,
    command,
    defaulted,
    print_json,
    progress_bar,
    show,
    table_text,
    with_context,
)
from bot.cli.chosen import (
    LEAGUE,
    SEASON,
    chosen_games,
    order_words,
    seats_option,
    snapshot_of,
    table_options,
    table_order,
)
from bot.runtime.translation import translated as _
from rating.games import LIMIT
from rating.paifu import duplicate as matches
from rating.paifu.situation import danger_answers, efficiency_answers
from rating.paifu.tiles import KIND_NAMES
from rating.study.calibrate import (
    calibrate_report,
    comparison_report,
    factors_report,
    simulate_report,
)
from rating.study.compare import FEWEST_DAYS, Verdict, compare as compared, default_systems
from rating.study.simulate import LEAST_W, MOST_E, MOST_W

MOST_INPUT = 64 * 1024 * 1024
INPUT_IS_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Answer as JSON; the input is JSON in any case."
)


def _of_games(command: Callable[..., None]) -> Callable[..., None]:
    command = table_options(command)
    for option in (LEAGUE, seats_option(), SEASON):
        command = option(command)
    return command


def _positive(
    context: click.Context,
    option: click.Parameter,
    value: float | None,
) -> float | None:
    if value is not None and not 0 < value <= LIMIT:
        raise click.BadParameter(_("{value:g} is not above 0", value=value))
    return value


@command()
@_of_games
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
    if sd is not None or slope is not None:
        if sd is None or slope is None:
            raise ValueError(_("--sd and --slope are given together"))
        if which["table"] or which["season"] != ALL:
            raise ValueError(
                _("--sd and --slope take the place of games: leave --games and --season out")
            )
        figures = factors_report(sd, slope, int(which["seats"] or 4), chip or 0.0)
        show(as_json, figures, [render_factors(figures)])
        return
    chip_of_log: dict[str, float] = {}
    if chip is None:
        league = snapshot_of(cli.service, which["league"], logs=False).league
        chip = league.rules.chip
        chips = {season.log: season.chip for season in league.seasons}
        chip_of_log = {log: value for log, value in chips.items() if value is not None}
    games = chosen_games(cli.service, **which)
    report = calibrate_report(games, min_games, chip, chip_of_log)
    report |= table_order(games, which["table"])
    show(as_json, report, [render_calibrate(report), *order_words(report)])


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
    show(as_json, report, [render_simulate(report)])


@command()
@_of_games
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
    games = chosen_games(cli.service, **which)
    systems = default_systems()
    if which["table"] is None:
        systems |= snapshot_of(cli.service, which["league"]).systems()
    with progress_bar("comparing", as_json) as progress:
        comparison = compared(games, systems, burn_in=burn_in, seed=seed, progress=progress)
    subtitle = f"{comparison.games}戦の予想を検証"
    if output:
        draw_losses = cli.drawing("losses")
        _write_picture(output, draw_losses(comparison, "レート検証", subtitle))
    if calibration:
        draw_calibration = cli.drawing("calibration")
        _write_picture(calibration, draw_calibration(comparison, subtitle))
    report = comparison_report(comparison) | table_order(games, which["table"])
    show(as_json, report, [render_compare(report), *order_words(report)])


def _write_picture(path: str, pictures: Iterable[bytes]) -> None:
    """Write the only picture of a drawing."""
    (picture,) = pictures
    Path(path).write_bytes(picture)


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


@command()
@INPUT_IS_JSON
@defaulted(
    "--seats",
    click.Choice(["3", "4"]),
    "4",
    'Players, where a state has no "seats": with 3 there is no 2m to 8m, 1m and 9m are as honours.',
)
def danger(as_json: bool, seats: str) -> None:
    """Reads {"unseen": [34], "safe": [34]} (one or a list, each may have "seats": 3) from standard
    input.
    """
    for answer in _answers(danger_answers, seats, as_json):
        points = zip(KIND_NAMES, answer["danger"], strict=True)
        click.echo(" ".join(f"{name}:{danger}" for name, danger in points))


@command()
@INPUT_IS_JSON
@defaulted("--seats", click.Choice(["3", "4"]), "4", 'Players, where a hand has no "seats".')
def efficiency(as_json: bool, seats: str) -> None:
    """Reads {"hand": [34], "calls": 0-4, "unseen": [34], "seats": 3} (one or a list) from standard
    input. A hand has 14 concealed tiles, 3 fewer for each call. The fastest discard comes first.
    """
    for answer in _answers(efficiency_answers, seats, as_json):
        click.echo(f"shanten {answer['shanten']}")
        for row in answer["discards"]:
            kinds = " ".join(KIND_NAMES[kind] for kind in row["kinds"])
            discard = KIND_NAMES[row["kind"]]
            click.echo(f"  {discard}: shanten {row['shanten']}, {row['tiles']} tiles: {kinds}")


@command()
@defaulted("--games", click.IntRange(2, 1_000_000), 100, "Games to play.")
@defaulted("--seed", int, 1, "The same seed plays the same games.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; by default one a core.")
@defaulted(
    "--against",
    click.Choice(list(matches.AGAINST)),
    "none",
    "By what the other policy folds: never, or by suji alone, without walls.",
)
@AS_JSON
def duplicate(
    games: int,
    seed: int,
    workers: int | None,
    against: str,
    as_json: bool,
) -> None:
    walls = matches.seeds(games, seed)
    start = time.monotonic()
    workers = workers or os.cpu_count() or 1
    pool = ProcessPoolExecutor(min(workers, len(walls)), multiprocessing.get_context("spawn"))
    results = []
    with pool, progress_bar("pairs of games") as progress:
        play = partial(matches.play, against=against)
        size = max(1, min(8, len(walls) // workers // 4))
        for result in pool.map(play, walls, chunksize=size):
            results.append(result)
            progress(len(results), len(walls))
    report: dict[str, Any] = matches.report(results, seed, time.monotonic() - start)
    report = {"against": against, **report}
    show(as_json, report, [render_duplicate(report)])


def render_duplicate(report: Mapping[str, Any]) -> str:
    """The figures of both policies with the intervals of their differences."""
    lines: dict[str, dict[str, float]] = dict(report["figures"])
    for ending, parts in report["balance"].items():
        lines |= {f"{ending}: {part}": parts[part] for part in ("share", "points")}
    keys = ("with", "without", "difference", "low", "high")
    rows = []
    for name, row in lines.items():
        figures = [f"{row[key]:.4g}" for key in keys]
        rows.append([name, *figures])
    played = f"{report['games']} games, {report['rounds']} rounds, {report['seconds']:.0f} s"
    policies = ("with", "without")
    if report["against"] != "none":
        policies = ("danger", report["against"])
    heads = ("", *policies, "difference", "from", "to")
    return f"{played}; 95 % intervals\n{table_text(heads, rows)}"


def _answers(
    find: Callable[[Any, int], list[Any]],
    seats: str,
    as_json: bool,
) -> list[Any]:
    """Return the answers to what standard input asks as JSON; none once they are printed as
    JSON.
    """
    text = sys.stdin.buffer.read(MOST_INPUT + 1)
    if len(text) > MOST_INPUT:
        raise Failure(
            _("more than {megabytes} MB on standard input", megabytes=MOST_INPUT // 2**20)
        )
    try:
        request = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(
            _("standard input is not JSON: {words}", words=" ".join(str(error).split()))
        ) from None
    answers = find(request, int(seats))
    if not as_json:
        return answers
    print_json(answers if isinstance(request, list) else answers[0])
    return []
