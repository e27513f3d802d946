"""Score tables in CSV (`--games`): the options of every command that takes one, and its games."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from gettext import gettext as _
from typing import Any

import click

from bot.cli.snapshots import snapshot_of
from bot.service import Service
from rating.games import MOST, Game
from rating.tables import Order, order_of, read

NO_DATES = "The table has no dates: its games are taken in the order of the file."
_OPTIONS = (
    click.option(
        "--games",
        "table",
        type=click.Path(),
        default=None,
        help="A score table instead of the logs, in CSV: columns p1..pK (players), s1..sK (scores in"
        " thousands of points) and date (YYYY-MM-DD); or two arrays as numpy prints them, names and scores."
        " Its games are taken in order of date; without dates in the order of the file.",
    ),
    click.option(
        "--raw", is_flag=True, help="Take the rank points (--uma) out of the scores of the table (--games)."
    ),
    click.option("--uma", default="", help="Rank points, such as 45,5,-15,-35; league.toml's by default."),
)


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options --games (as `table`), --raw and --uma."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def table_games(service: Service, path: str, raw: bool, uma: str, league: str) -> list[Game]:
    """Return the games of a CSV score table; with `raw` the rank points (uma) are taken out of the scores."""
    points = numbers(uma)
    if raw and not points:
        points = snapshot_of(service, league, logs=False).league.rules.uma
        if not points:
            raise ValueError(_("--raw takes out rank points: give them with --uma, such as 45,5,-15,-35"))
    with open(path, "rb") as file:
        return read(file.read(), os.path.basename(path), points if raw else ())


def check_table_options(table: str | None, raw: bool, uma: str, season: int | None) -> None:
    """Raise ValueError for a season of a score table, for --raw without a table, and for --uma without
    --raw."""
    if table is not None and season is not None:
        raise ValueError(_("--season is for the season logs: a score table (--games) has no seasons"))
    if raw and table is None:
        raise ValueError(_("--raw is for score tables: name one with --games"))
    if uma and not raw:
        raise ValueError(_("--uma says what --raw takes out of a score table (--games): give --raw too"))


def numbers(text: str) -> tuple[float, ...]:
    """Return the numbers in a text like `45,5,-15,-35`. Raises ValueError if it holds anything else."""
    try:
        points = tuple(float(part) for part in text.split(",")) if text.strip() else ()
    except ValueError:
        raise ValueError(
            _("--uma takes numbers with commas between, not {text!r}").format(text=text)
        ) from None
    if not all(abs(point) <= MOST for point in points):
        raise ValueError(
            _("--uma takes numbers from {least:g} to {most:g}, not {text!r}").format(
                least=-MOST, most=MOST, text=text
            )
        )
    return points


def table_order(games: Sequence[Game], table: str | None) -> dict[str, str]:
    """Return what a report adds for a score table: the `order` of its games, "date" or "file". Nothing for
    the logs."""
    return {} if table is None else {"order": str(order_of(games))}


def print_order(report: Mapping[str, Any]) -> None:
    """Say that the games of a score table are in the file's order, where they have no dates."""
    if report.get("order") == Order.FILE:
        click.echo(NO_DATES)
