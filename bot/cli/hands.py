"""`flask danger` and `efficiency`: questions about tiles, JSON on standard input; and `flask duplicate`."""

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import click

from bot.cli.base import AS_JSON, Failure, command, defaulted, print_json, print_table, progress_bar
from bot.runtime.finding import translated as _
from rating.paifu import duplicate as matches
from rating.paifu.situation import danger_answers, efficiency_answers
from rating.paifu.tiles import KIND_NAMES

MOST_INPUT = 64 * 1024 * 1024
INPUT_IS_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Answer as JSON; the input is JSON in any case."
)


@command()
@INPUT_IS_JSON
@defaulted(
    "--seats",
    click.Choice(["3", "4"]),
    "4",
    'Players, where a state has no "seats": with 3 there is no 2m to 8m, 1m and 9m are as honours.',
)
def danger(as_json: bool, seats: str) -> None:
    """Reads {"unseen": [34], "safe": [34]} (one or a list, each may have "seats": 3) from standard input."""
    for answer in _answers(danger_answers, seats, as_json):
        points = zip(KIND_NAMES, answer["danger"], strict=True)
        click.echo(" ".join(f"{name}:{danger}" for name, danger in points))


@command()
@INPUT_IS_JSON
@defaulted("--seats", click.Choice(["3", "4"]), "4", 'Players, where a hand has no "seats".')
def efficiency(as_json: bool, seats: str) -> None:
    """Reads {"hand": [34], "calls": 0-4, "unseen": [34], "seats": 3} (one or a list) from standard input. A
    hand has 14 concealed tiles, 3 fewer for each call. The fastest discard comes first.
    """
    for answer in _answers(efficiency_answers, seats, as_json):
        click.echo(f"shanten {answer['shanten']}")
        for row in answer["discards"]:
            kinds = " ".join(KIND_NAMES[kind] for kind in row["kinds"])
            told = f"{KIND_NAMES[row['kind']]}: shanten {row['shanten']}, {row['tiles']} tiles: {kinds}"
            click.echo(f"  {told}")


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
def duplicate(games: int, seed: int, workers: int | None, against: str, as_json: bool) -> None:
    walls, start, workers = matches.seeds(games, seed), time.monotonic(), workers or os.cpu_count() or 1
    pool = ProcessPoolExecutor(min(workers, len(walls)), multiprocessing.get_context("spawn"))
    results = []
    with pool, progress_bar("pairs of games") as progress:
        play, size = partial(matches.play, against=against), max(1, min(8, len(walls) // workers // 4))
        for result in pool.map(play, walls, chunksize=size):
            results.append(result)
            progress(len(results), len(walls))
    report: dict[str, Any] = matches.report(results, seed, time.monotonic() - start)
    report = {"against": against, **report}
    if as_json:
        print_json(report)
        return
    lines: dict[str, dict[str, float]] = dict(report["figures"])
    for ending, parts in report["balance"].items():
        lines |= {f"{ending}: {part}": parts[part] for part in ("share", "points")}
    keys = ("with", "without", "difference", "low", "high")
    rows = [[name, *(f"{row[key]:.4g}" for key in keys)] for name, row in lines.items()]
    played = f"{report['games']} games, {report['rounds']} rounds, {report['seconds']:.0f} s"
    click.echo(f"{played}; 95 % intervals")
    heads = ("with", "without") if against == "none" else ("danger", against)
    print_table(["", *heads, "difference", "from", "to"], rows, right={1, 2, 3, 4, 5})


def _answers(find: Callable[[Any, int], list[Any]], seats: str, as_json: bool) -> list[Any]:
    """Return the answers to what standard input asks as JSON; none once they are printed as JSON."""
    text = sys.stdin.buffer.read(MOST_INPUT + 1)
    if len(text) > MOST_INPUT:
        raise Failure(_("more than {megabytes} MB on standard input", megabytes=MOST_INPUT // 2**20))
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(_("standard input is not JSON: {words}", words=" ".join(str(error).split()))) from None
    found = find(asked, int(seats))
    if as_json:
        print_json(found if isinstance(asked, list) else found[0])
    return [] if as_json else found
