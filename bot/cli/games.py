"""Which games a command is about: those of the season logs, or of a score table in CSV."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from bot.answers.common.scope import ALL
from bot.cli.chosen import season_number, season_of, snapshot_of
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.translation import translated as _
from bot.service import Service
from rating.games import LIMIT, Game, same_seats
from rating.tables import Order, order_of, read

NO_DATES = "The table has no dates: its games are taken in the order of the file."
_TABLE = (
    click.option(
        "--games",
        "table",
        type=click.Path(),
        help="A score table instead of the logs, in CSV: columns p1..pK (players), s1..sK (scores in"
        " thousands of points) and date (YYYY-MM-DD); or two arrays as numpy prints them, names and scores."
        " Its games are taken in order of date; without dates in the order of the file.",
    ),
    click.option(
        "--raw",
        is_flag=True,
        help="Take the rank points (--uma) out of the scores of the table (--games).",
    ),
    click.option(
        "--uma", default="", help="Rank points, such as 45,5,-15,-35; league.toml's by default."
    ),
)


class GameChoice(NamedTuple):
    """The options of a command that say which games it is about. `table` is the path of a score
    table; `raw` takes the rank points `uma` out of its scores."""

    season: str = ALL
    seats: str | None = None
    league: str = ""
    table: str | None = None
    raw: bool = False
    uma: str = ""

    @property
    def seat_count(self) -> int | None:
        if self.seats:
            return int(self.seats)
        return None

    def check(self, season: int | None) -> None:
        """Raise ValueError for options that don't go together."""
        if self.table is not None and season is not None:
            raise ValueError(
                _("--season is for the season logs: a score table (--games) has no seasons")
            )
        if self.raw and self.table is None:
            raise ValueError(_("--raw is for score tables: name one with --games"))
        if self.uma and not self.raw:
            raise ValueError(
                _("--uma says what --raw takes out of a score table (--games): give --raw too")
            )

    def snapshot(self, service: Service) -> LeagueSnapshot:
        """The league. With a score table its season logs don't matter."""
        return snapshot_of(service, self.league, logs=self.table is None)

    def games(self, service: Service) -> list[Game]:
        """The games, all with the same number of players."""
        self.check(season_number(self.season))
        if self.table is None:
            snapshot = self.snapshot(service)
            games = list(snapshot.all_games(season_of(snapshot, self.season)))
        else:
            games = self.table_games(service, self.table)
        return same_seats(games, self.seat_count)

    def table_games(self, service: Service, table: str) -> list[Game]:
        """The games of the score table; with `raw` without the rank points in their scores."""
        rank_points: tuple[float, ...] = ()
        if self.raw:
            rank_points = numbers(self.uma) or self.snapshot(service).league.rules.uma
            if not rank_points:
                raise ValueError(
                    _("--raw takes out rank points: give them with --uma, such as 45,5,-15,-35")
                )
        path = Path(table)
        return read(path.read_bytes(), path.name, rank_points)

    def order(self, games: Sequence[Game]) -> dict[str, str]:
        """What a report adds for a score table: the `order` of its games, "date" or "file"."""
        if self.table is None:
            return {}
        return {"order": str(order_of(games))}


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_TABLE):
        command = option(command)
    return command


def numbers(text: str) -> tuple[float, ...]:
    """Return the numbers in a text like `45,5,-15,-35`. Raises ValueError for anything else."""
    points: tuple[float, ...] = ()
    try:
        if text.strip():
            points = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(
            _("--uma takes numbers with commas between, not {text!r}", text=text)
        ) from None
    if not all(abs(point) <= LIMIT for point in points):
        message = _("--uma takes numbers from {least:g} to {most:g}, not {text!r}")
        raise ValueError(message.format(least=-LIMIT, most=LIMIT, text=text))
    return points


def order_notes(report: Mapping[str, Any]) -> list[str]:
    """The line that a report prints about the order of its games."""
    if report.get("order") == Order.FILE:
        return [NO_DATES]
    return []
