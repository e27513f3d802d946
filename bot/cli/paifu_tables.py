"""Prints what `flask paifu` found as tables: the players' rates, and the deal-in tables with 3 and 4 seats
apart."""

from __future__ import annotations

from typing import Any

import click

from bot.cli.tables import print_table
from rating.paifu.deal_in import SOURCE_GROUP_PERCENT, SOURCE_PERCENT
from rating.paifu.tiles import notation
from rating.paifu.waits import SHAPES


def print_report(report: dict[str, Any]) -> None:
    """Print the figures of `flask paifu --json` for people; problems go to standard error."""
    click.echo(f"{report['records']} records, {report['rounds']} rounds, {report['discards']} discards")
    rows = [
        [
            name, seats, str(row["games"]), f"{row['mean_placing']:.2f}",
            *(f"{row[key]:.1%}" for key in ("win", "deal_in")), *map(str, row["deal_ins"].values()),
            *(f"{row[key]:.1%}" for key in ("riichi", "call")),
            f"{row['mean_win']:.0f}", f"{row['mean']:+.0f}",
        ]
        for name, by_seats in {**report["players"], "(all)": report["overall"]}.items()
        for seats, row in by_seats.items()
    ]  # fmt: skip
    heads = ["player", "seats", "games", "placing", "win", "deal-in", "to riichi", "to others", "riichi"]
    heads += ["call", "mean win", "a round"]
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
    """Print the deal-in tables of games with so many seats: by class of tile and shape, and by the riichi's
    shape.

    A rate is the share of the discards of its class that dealt into a wait of its shape. `source`: the same
    in the games of four seats that rating/paifu/deal_in.py names.
    """
    lines = []
    for group, percent in SOURCE_GROUP_PERCENT.items():
        kinds = {f"  {n}": tables["classes"][n] for n in SOURCE_PERCENT if n.startswith(group)}
        rows = {group: tables["groups"][group], **kinds}
        source = (percent, *(SOURCE_PERCENT[name.strip()] for name in kinds))
        for (name, row), usual in zip(rows.items(), source, strict=True):
            shapes = [f"{row[s] / row['discards']:.2%}" if row[s] else "" for s in SHAPES]
            beside = f"{usual:.2f}%" if seats == "4" else ""
            lines.append([name, *_counted(row), *shapes, beside])
    heads = [f"into a riichi, {seats} seats", "discards", "deal-ins", "rate", "from", "to", *SHAPES, "source"]
    print_table(heads, lines, right=set(range(1, 12)))
    lines = [[name, *_counted(row)] for name, row in tables["wait_shapes"].items()]
    print_table([f"wait of the riichi, {seats} seats", *heads[1:6]], lines, right=set(range(1, 6)))
    if tables["robbed"]:
        click.echo(f"and {tables['robbed']} by a robbed kan, which is no discard")


def _counted(row: dict[str, Any]) -> list[str]:
    return [
        str(row["discards"]),
        str(row["deal_ins"]),
        *(f"{row[key]:.2%}" for key in ("rate", "low", "high")),
    ]


def _print_walls(game: dict[str, Any]) -> None:
    """Print the walls of a game in players' notation, the live wall in the order of drawing."""
    click.echo(f"{game['file']}: " + ("the walls" if game["walls"] else "the walls are unknown"))
    for number, wall in enumerate(game["walls"] or (), 1):
        parts = (
            f"{name} {' '.join(notation([tile]) for tile in wall[name])}"
            for name in ("live", "rinshan", "dora", "ura")
        )
        click.echo(f"  round {number}: " + " | ".join(parts))
