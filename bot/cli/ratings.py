"""`flask standings` and `flask chart`: the ratings that members see, at the terminal and for programs."""

from __future__ import annotations

from collections.abc import Callable
from gettext import gettext as _
from typing import Any

import click

from bot.cli.output import AS_JSON, print_json
from bot.cli.reports import chart_png, standings_report
from bot.cli.score_tables import print_order, table_options
from bot.cli.tables import print_table
from bot.league.files import LEAGUE_FILE
from bot.service import Service

SEATS = click.Choice(["3", "4"])


def commands(get: Callable[[], Service]) -> list[click.Command]:
    @click.command()
    @click.option("--model", default=None, help="Rating system; the league's own by default.")
    @click.option("--season", default="all", show_default=True, help="A season's number, or all.")
    @click.option(
        "--seats", type=SEATS, default=None, help="Games of 3 or 4 players; by default the more frequent."
    )
    @click.option("--league", default="", help="Folder of the league, where there are several.")
    @table_options
    @click.option("--option", "-O", "pairs", multiple=True, help="An option of the model, such as alpha=cv.")
    @click.option(
        "--count-this-game", is_flag=True, help="tenhou: the games correction counts the game being rated."
    )
    @AS_JSON
    def standings(as_json: bool, **options: Any) -> None:
        """Everyone's rating, best first; guests are left out."""
        report = standings_report(get(), **options)
        if as_json:
            print_json(report, indent=2)
        else:
            _print(report)

    @click.command()
    @click.option("--model", default=None, help="Rating system; the league's own by default.")
    @click.option("--season", default="all", show_default=True, help="A season's number, or all.")
    @click.option("--seats", type=SEATS, default=None, help="Games of 3 or 4 players.")
    @click.option("--axis", type=click.Choice(["games", "date"]), default="games", show_default=True)
    @click.option("--span", type=click.Choice(["50"]), default=None, help="Only the last so many games.")
    @click.option("--league", default="", help="Folder of the league, where there are several.")
    @table_options
    @click.option(
        "-o", "--output", type=click.Path(dir_okay=False, writable=True), required=True, help="The PNG file."
    )
    @AS_JSON
    def chart(output: str, as_json: bool, axis: str, span: str | None, **which: Any) -> None:
        """Draw the rating chart into a PNG file."""
        data = chart_png(get(), axis=axis, span=span, **which)
        with open(output, "wb") as file:
            file.write(data)
        if not as_json:
            click.echo(f"{output}: {len(data):,} bytes")
            return
        drawn = {"path": output, "bytes": len(data), "axis": axis, "span": int(span) if span else None}
        print_json(drawn | standings_report(get(), **which), indent=2)

    return [standings, chart]


def _print(report: dict[str, Any]) -> None:
    click.echo(f"{report['model']}  {report['games']} games  as of {report['as_of'] or '-'}")
    print_order(report)

    def shown(row: dict[str, Any], key: str) -> str:
        return f"{row[key]:.{report['decimals']}f}" if key in row else ""

    rows = [
        [
            str(row["group"]) if "group" in row else "",
            str(row["place"]),
            row["name"],
            shown(row, "rating"),
            f"{row['variance']:.4f}" if "variance" in row else "",
            shown(row, "likely"),
            f"{shown(row, 'low')} .. {shown(row, 'high')}" if "low" in row else "",
            str(row["games"]),
            "provisional" if row["provisional"] else "",
        ]
        for row in report["standings"]
    ]
    print_table(
        ["group", "", "player", "rating", "variance", "likely", "95 %", "games", ""], rows, {0, 1, 3, 4, 5, 7}
    )
    for seats, count in report.get("other_seats", {}).items():
        click.echo(
            _("not counted: {count} games of {seats} players (--seats {seats})").format(
                count=count, seats=seats
            )
        )
    for note in report.get("notes", []):
        click.echo(note)
    for problem in report["problems"]:
        if problem["file"] == LEAGUE_FILE:
            continue  # said when it was read
        click.echo(f"{problem['file']}:{problem['line']}: {problem['reason']}: {problem['text']}", err=True)
