"""`flask lab duplicate`: two policies play the same walls."""

import multiprocessing
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import click

from bot.cli.base import command
from bot.cli.options import AS_JSON, defaulted
from bot.cli.printing import print_report, progress_bar, table_text
from rating.paifu import duplicate as matches


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
    start = time.monotonic()
    results = _play(matches.seeds(games, seed), against, workers or os.cpu_count() or 1)
    report: dict[str, Any] = matches.report(results, seed, time.monotonic() - start)
    report = {"against": against, **report}
    print_report(as_json, report, [render_duplicate(report)])


def _play(seeds: Sequence[Any], against: str, workers: int) -> list[Any]:
    """Play the pairs of games in so many processes."""
    pool = ProcessPoolExecutor(min(workers, len(seeds)), multiprocessing.get_context("spawn"))
    play = partial(matches.play, against=against)
    chunk = max(1, min(8, len(seeds) // workers // 4))
    results = []
    with pool, progress_bar("pairs of games") as progress:
        for result in pool.map(play, seeds, chunksize=chunk):
            results.append(result)
            progress(len(results), len(seeds))
    return results


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
