"""The parts of a view as JSON, for the page's script and for tests."""

from __future__ import annotations

from typing import Any

from bot.chat.replies import Menu, Row, Table, Text
from bot.draw.lines import ChanceLines, Curve, Lines
from bot.page.colours import line_colour
from bot.page.parts import Answered, Folded, FurtherLink, Grid, Placings, Shown

Json = dict[str, Any]


def as_json(made: Answered) -> Json:
    """The figures as plain values: tables by rows, lines by points (x: number of games, or days
    since 1).
    """
    links = [FurtherLink(period.label, period.url) for period in made.periods]
    links += made.links
    days = [(number, day.isoformat()) for number, day in made.days]
    return {"parts": [_part(part) for part in made.parts], "ways": links, "days": days}


def _part(part: Shown) -> Json:
    if isinstance(part, Folded):
        return _part(part.part)
    if isinstance(part, Text):
        return {"kind": "text", "text": part.text}
    if isinstance(part, Menu):
        links = [(choice.label, choice.data) for choice in part.choices]
        return {"kind": "menu", "title": part.title, "ways": links}
    if isinstance(part, Lines):
        return _lines(part)
    if isinstance(part, Grid):
        return _grid(part)
    return _table(part)


def _lines(lines: Lines) -> Json:
    unit = ""
    if isinstance(lines, ChanceLines):
        unit = "%"
    return {
        "kind": "lines",
        "title": lines.title,
        "subtitle": lines.subtitle,
        "axis": lines.axis,
        "baseline": lines.baseline,
        "decimals": lines.decimals,
        "signed": lines.signed,
        "unit": unit,
        "down": isinstance(lines, Placings),
        "curves": [_curve(curve) for curve in lines.curves],
    }


def _grid(grid: Grid) -> Json:
    groups = []
    for heading, rows in grid.groups:
        members = [{"name": row.name, "cells": cells} for row, cells in rows]
        groups.append((heading, members))
    return {
        "kind": "grid",
        "title": grid.title,
        "subtitle": grid.subtitle,
        "heads": grid.heads,
        "groups": groups,
    }


def _table(table: Table) -> Json:
    groups = []
    for heading, rows in (("", table.rows), *table.more):
        groups.append([heading, [_row(row) for row in rows]])
    return {
        "kind": "table",
        "title": table.title,
        "subtitle": table.subtitle,
        "heads": table.heads,
        "note": table.note,
        "groups": groups,
    }


def _curve(curve: Curve) -> Json:
    return {
        "name": curve.name,
        "colour": line_colour(curve.colour),
        "dash": curve.dash,
        "x": list(curve.xs),
        "y": list(curve.ys),
        "asker": curve.asker,
    }


def _row(row: Row) -> Json:
    return {
        "name": row.name,
        "value": row.value,
        "rank": row.rank,
        "extra": row.extra,
        "detail": row.detail,
        "mine": row.mine,
        "way": row.data,
    }
