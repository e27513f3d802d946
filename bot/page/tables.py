"""The tables of the league's page as HTML: those of the chat's answers, and the table of all figures."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from bot.answers.common.figures import FIRST_BOARD
from bot.chat.replies import Row, Table
from bot.page.colours import line_colour
from bot.page.parts import Grid

WORSE = ("−", "▼", "✗")
BETTER = ("▲", "✓")


class TableShape(NamedTuple):
    """What all rows of a table share: the extra columns, whether they have a rank, whether the
    member's own rows are marked (not where all are), and no red and green (`plain`)."""

    extra_columns: int
    has_ranks: bool
    marks_own: bool
    plain: bool

    @property
    def columns(self) -> int:
        """All columns: the name, the value, the extra ones, and the rank."""
        if self.has_ranks:
            return self.extra_columns + 3
        return self.extra_columns + 2


def _shape(table: Table) -> TableShape:
    rows = list(table.rows)
    for _, more_rows in table.more:
        rows += more_rows
    return TableShape(
        extra_columns=max((len(row.extra) for row in rows), default=0),
        has_ranks=any(row.rank for row in rows),
        marks_own=not all(row.mine for row in rows),
        plain=table.plain,
    )


def table_html(table: Table) -> str:
    shape = _shape(table)
    bodies = ""
    for heading, rows in (("", table.rows), *table.more):
        lines = "".join(_table_row(row, shape) for row in rows)
        bodies += f"<tbody>{_group(heading, shape.columns)}{lines}</tbody>"
    return f"<table>{_table_head(table.heads, shape)}{bodies}</table>"


def _table_head(heads: Sequence[str], shape: TableShape) -> str:
    if not any(heads):
        return ""
    cells = ["", *heads]
    if shape.has_ranks:
        cells.insert(0, "")
    while len(cells) < shape.columns:
        cells.append("")
    return f"<thead><tr>{''.join(map(_column_head, cells))}</tr></thead>"


def _table_row(row: Row, shape: TableShape) -> str:
    rank = ""
    if shape.has_ranks:
        rank = f'<td class="rank">{escape(row.rank)}</td>'
    if not shape.marks_own:
        row = replace(row, mine=False)
    texts_of_cells = [row.value, *row.extra]
    while len(texts_of_cells) <= shape.extra_columns:
        texts_of_cells.append("")
    cells = "".join(_cell(text, shape.plain) for text in texts_of_cells)
    classes = []
    if row.mine:
        classes.append("mine")
    if row.pale:
        classes.append("few")
    attribute = ""
    if classes:
        attribute = f' class="{" ".join(classes)}"'
    return f"<tr{attribute}>{rank}{_name(row)}{cells}</tr>"


def _column_head(head: str) -> str:
    if not head:
        return "<td></td>"
    return f'<th scope="col">{escape(head)}</th>'


def _group(heading: str, columns: int) -> str:
    if not heading:
        return ""
    return f'<tr><th class="group" colspan="{columns}"><span>{escape(heading)}</span></th></tr>'


def _name(row: Row) -> str:
    """A row's head: the name, which leads to its answer; where a row has a mark for what a tap opens
    (a game's 牌譜), the mark is the link.
    """
    name = f'<span class="name">{escape(row.name)}</span>'
    mark = ""
    if row.data and row.mark:
        mark = f' <a class="mark" href="{escape(row.data)}">{escape(row.mark)}</a>'
    elif row.data:
        name = f'<a class="name" href="{escape(row.data)}">{escape(row.name)}</a>'
    if row.mine and not mark:
        mark = ' <small class="mark">自分</small>'
    detail = ""
    if row.detail:
        detail = f"<small>{_phrases(row.detail)}</small>"
    return f'<th scope="row">{_swatch(row.colour)}{name}{mark}{detail}</th>'


def _swatch(colour: str) -> str:
    if not colour:
        return ""
    bar = f'<rect width="4" height="16" rx="2" fill="{escape(line_colour(colour))}"/>'
    return f'<svg class="swatch" viewBox="0 0 4 16" aria-hidden="true">{bar}</svg>'


def _phrases(text: str) -> str:
    """Phrases (`2着 みどり +0.4　ラス さくら −52.2`) that are not broken at a line's end."""
    phrases = text.split("　")
    return "　".join(f'<span class="phrase">{escape(phrase)}</span>' for phrase in phrases)


def _cell(words: str, plain: bool = False) -> str:
    tone = ""
    if not plain and words.startswith(WORSE):
        tone = " class=worse"
    elif not plain and words.startswith(BETTER):
        tone = " class=better"
    return f"<td{tone}>{escape(words)}</td>"


def _order(key: str) -> str:
    """The sign of the figure by which the rows are sorted at first."""
    if key == FIRST_BOARD:
        return ' aria-sort="ascending"'
    return ""


def _grid_cell(value: float | None, text: str) -> str:
    if value is not None:
        return f"<td data-value={value!r}>{escape(text)}</td>"
    if text:
        return f"<td class=few>{escape(text)}</td>"
    return "<td></td>"


def grid_html(grid: Grid) -> str:
    heads = "".join(
        f'<th scope="col" data-key="{key}"{_order(key)}>{escape(name)}</th>'
        for key, name in grid.heads
    )
    body = ""
    for heading, rows in grid.groups:
        body += f"<tbody>{_group(heading, len(grid.heads) + 1)}"
        for row, cells in rows:
            opening = "<tr>"
            if row.mine:
                opening = "<tr class=mine>"
            figures = "".join(_grid_cell(value, text) for value, text in cells)
            body += f"{opening}{_name(row)}{figures}</tr>"
        body += "</tbody>"
    return f'<table class="grid"><thead><tr><td></td>{heads}</tr></thead>{body}</table>'
