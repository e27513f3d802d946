"""Tables as Flex messages: a bubble with a row for each player, or a carousel of bubbles."""

import math
from functools import lru_cache
from typing import Any

from bot.chat import replies
from bot.line.flex import (
    BUBBLE,
    FAINT,
    GREEN,
    INK,
    MINE,
    MUTED,
    RED,
    Json,
    action,
    box,
    carousel,
    flex_bubble,
    flex_message,
    json_size,
    length,
    text,
)

TITLE: Json = {"weight": "bold", "size": "lg", "color": INK, "wrap": True}
GROUP_TITLE: Json = {**TITLE, "size": "md"}
NOTE: Json = {"size": "xxs", "color": MUTED, "wrap": True}
OWN_FIRST = 12  # rows; in a longer table the member's own row comes first


@lru_cache(256)  # an unchanged league's answers have the same tables
def table(value: replies.Table) -> Json:
    """A Flex message of a giga bubble with a row for each player; a long table becomes a
    carousel.
    """
    rows_a_bubble = value.page
    bubbles = _table_bubbles(value, rows_a_bubble)
    while rows_a_bubble > 1 and max(map(json_size, bubbles)) > BUBBLE:
        rows_a_bubble = rows_a_bubble * 2 // 3
        bubbles = _table_bubbles(value, rows_a_bubble)
    return flex_message(carousel(bubbles), value.notification)


def _table_bubbles(value: replies.Table, rows_a_bubble: int) -> list[Json]:
    bubbles: list[Json] = []
    pages = _pages(value.rows, rows_a_bubble)
    widths = _widths(value.rows, value.even, value.heads)
    for number, rows in enumerate(pages, 1):
        bubbles.append(_table_bubble(value, rows, widths, last=number == len(pages)))
    return bubbles


def _pages(
    rows: tuple[replies.Row, ...],
    limit: int,
) -> list[tuple[replies.Row, ...]]:
    """The rows of each bubble, evenly many and at most `limit`."""
    if not rows:
        return [()]
    count = math.ceil(len(rows) / limit)
    size = math.ceil(len(rows) / count)
    if len(rows) > OWN_FIRST:
        own = [row for row in rows if row.mine]
        rows = (*own, *(row for row in rows if not row.mine))
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def _widths(
    rows: tuple[replies.Row, ...],
    even: bool = False,
    heads: tuple[str, ...] = (),
) -> list[int]:
    """The pixels of the value column and the extra ones: their longest text or head, within
    bounds.
    """
    if even:
        return _even_widths(rows)
    value = max((length(row.value) for row in rows), default=0) * 9.2 + 6
    widths = [int(min(max(value, 48), 160))]
    extras = max((len(row.extra) for row in rows), default=0)
    for column in range(extras):
        longest = max(length(row.extra[column]) for row in rows if column < len(row.extra))
        width = max(36.0, longest * 7 + 12)
        if column + 1 < len(heads):
            head = min(length(heads[column + 1]) * 6 + 6, 62)
            width = max(width, head)
        widths.append(int(min(width, 104)))
    return widths


def _even_widths(rows: tuple[replies.Row, ...]) -> list[int]:
    cells = [cell for row in rows for cell in (row.value, *row.extra)]
    longest = max(map(length, cells), default=0)
    columns = 1 + max((len(row.extra) for row in rows), default=0)
    return [int(min(max(longest * 10 + 14, 64), 100))] * columns


def _table_bubble(
    value: replies.Table,
    rows: tuple[replies.Row, ...],
    widths: list[int],
    last: bool,
) -> Json:
    """A bubble with these of the table's rows; the last one has the further groups too."""
    body = [text(value.title, **TITLE)]
    if value.subtitle:
        body.append(text(value.subtitle, **NOTE, margin="xs"))
    margin = "md"
    if any(value.heads):
        body.append(_head_row(value.heads, widths))
        margin = "xs"
    if rows:
        body.append({"type": "separator", "margin": margin})
    body += [_row(row, widths, value) for row in rows]
    if last:
        for title, group in value.more:
            body += _group(title, group, value)
    if value.note:
        body.append(text(value.note, **NOTE, margin="md"))
    return flex_bubble("giga", body, paddingAll="14px")


def _group(title: str, rows: tuple[replies.Row, ...], table: replies.Table) -> list[Json]:
    """Further rows below a heading of their own."""
    widths = _widths(rows)
    heading = text(title, **GROUP_TITLE, margin="xl")
    separator = {"type": "separator", "margin": "sm"}
    return [heading, separator, *(_row(row, widths, table) for row in rows)]


def _head_row(heads: tuple[str, ...], widths: list[int]) -> Json:
    style: Json = {"size": "xxs", "color": FAINT, "align": "end", "adjustMode": "shrink-to-fit"}
    cells = [text(" ", size="xxs", flex=1)]
    for head, width in zip(heads, widths, strict=False):
        cells.append(_cell(text(head, **style), width))
    return box("horizontal", cells, margin="md")


def _row(row: replies.Row, widths: list[int], table: replies.Table) -> Json:
    """A row of 36 points: a bar in the member's colour, rank, name, numbers; a second line below
    adds 18.
    """
    lines: list[Json] = [_first_line(row, widths, table)]
    if row.detail or row.mark:
        lines.append(_second_line(row))
    cells: list[Json] = []
    if row.colour:
        bar = [{"type": "filler"}]
        cells.append(
            box("vertical", bar, width="5px", backgroundColor=row.colour, cornerRadius="2px")
        )
    cells.append(box("vertical", lines, flex=1, justifyContent="center"))
    style: Json = {"paddingTop": "7px", "paddingBottom": "7px"}
    if row.mine:
        style |= {"backgroundColor": MINE, "cornerRadius": "6px"}
    if row.data:
        style["action"] = action(replies.Choice(row.said or row.name, row.data))
    return box("horizontal", cells, **style)


def _first_line(row: replies.Row, widths: list[int], table: replies.Table) -> Json:
    """The rank, the name and the numbers."""
    cells: list[Json] = []
    if row.rank:
        cells.append(
            _cell(
                text(row.rank, size="sm", color=MUTED, align="center"),
                20,
            )
        )
    name = [text(row.name, size="md", color=INK, adjustMode="shrink-to-fit")]
    cells.append(
        box("vertical", name, flex=1, justifyContent="center", paddingStart="6px", paddingEnd="4px")
    )
    value_style: Json = {"size": "md", "weight": "bold", "color": INK}
    if row.pale:
        value_style = {"size": "md", "color": FAINT}
    extra_style: Json = {"size": "xs", "color": MUTED}
    if table.even:
        extra_style = value_style
    if row.value:
        cells.append(_number(row.value, widths[0], table.plain, **value_style))
    for extra, width in zip(row.extra, widths[1:], strict=False):
        cells.append(_number(extra, width, table.plain, **extra_style))
    return box("horizontal", cells)


def _second_line(row: replies.Row) -> Json:
    """The detail, below the name, and what a tap opens."""
    inset = "6px"
    if row.rank:
        inset = "26px"
    cells = [
        text(
            row.detail,
            size="xxs",
            color=FAINT,
            wrap=True,
            flex=1,
        )
    ]
    if row.mark:
        cells.append(text(f"{row.mark} ›", size="xs", color=GREEN, weight="bold", flex=0))
    return box("horizontal", cells, paddingStart=inset, paddingTop="2px")


def _number(words: str, width: int, plain: bool, **style: Any) -> Json:
    """A number at the right: red below zero and for ▼ ✗, green for ▲ ✓. A range and a number of a
    `plain` table have no such colour.
    """
    if not plain and "〜" not in words:
        if words.startswith(("▲", "✓")):
            style["color"] = GREEN
        elif words.startswith(("▼", "✗", "−")):
            style["color"] = RED
    return _cell(text(words, align="end", adjustMode="shrink-to-fit", **style), width)


def _cell(content: Json, width: int) -> Json:
    return box("vertical", [content], width=f"{width}px", justifyContent="center")
