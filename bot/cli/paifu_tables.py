"""Prints what `flask paifu` found as tables: the players' rates, and the deal-in tables with 3 and 4 seats apart."""

from __future__ import annotations

from typing import Any

import click

from bot.cli.tables import print_table
from rating.paifu.tiles import notation


def print_report(report: dict[str, Any]) -> None:
    """Print the figures of `flask paifu --json` for people; problems go to standard error."""
    click.echo(f"{report['records']} records, {report['rounds']} rounds, {report['discards']} discards")
    rows = [
        [name, seats, str(row["games"]), f"{row['mean_placing']:.2f}", *(f"{row[key]:.1%}" for key in ("win", "deal_in")), *map(str, row["deal_ins"].values()), *(f"{row[key]:.1%}" for key in ("riichi", "call")), f"{row['mean_win']:.0f}", f"{row['mean']:+.0f}"]
        for name, by_seats in {**report["players"], "(all)": report["overall"]}.items()
        for seats, row in by_seats.items()
    ]  # fmt: skip
    heads = ["player", "seats", "games", "placing", "win", "deal-in", "to riichi", "to others", "riichi", "call", "mean win", "a round"]  # fmt: skip
    print_table(heads, rows, right=set(range(1, 12)))
    click.echo(
        "deal-in: share of the rounds; to riichi, to others: rons, each winner of a double ron counted"
    )
    for seats, tables in report["deal_in_by_seats"].items():
        _print_deal_ins(seats, tables)
    for game in report["games"]:
        if "walls" in game:
            _print_walls(game)
    for problem in report["problems"]:
        click.echo(f"{problem['file']}: {problem['text']}", err=True)


def _print_deal_ins(seats: str, tables: dict[str, Any]) -> None:
    """Print the deal-in tables of games with so many seats: by class of tile, and by shape of the riichi's wait."""
    for title, rows in (("into a riichi", tables["classes"]), ("wait of the riichi", tables["wait_shapes"])):
        lines = [
            [name, str(row["discards"]), str(row["deal_ins"]), *(f"{row[key]:.2%}" for key in ("rate", "low", "high"))]
            for name, row in rows.items()
        ]  # fmt: skip
        heads = [f"{title}, {seats} seats", "discards", "deal-ins", "rate", "from", "to"]
        print_table(heads, lines, right={1, 2, 3, 4, 5})
    if tables["robbed"]:
        click.echo(f"and {tables['robbed']} by a robbed kan, which is no discard")


def _print_walls(game: dict[str, Any]) -> None:
    """Print the walls of a game in players' notation, the live wall in the order of drawing."""
    click.echo(f"{game['file']}: " + ("the walls" if game["walls"] else "the walls are unknown"))
    for number, wall in enumerate(game["walls"] or (), 1):
        parts = (
            f"{name} {' '.join(notation([tile]) for tile in wall[name])}"
            for name in ("live", "rinshan", "dora", "ura")
        )
        click.echo(f"  round {number}: " + " | ".join(parts))
