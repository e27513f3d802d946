"""Tables as Flex messages: a bubble with a row for each player, or a carousel of bubbles."""

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

OWN_FIRST = 12  # rows; in a longer table the asker's row comes first


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
    count = -(-len(value.rows) // rows_a_bubble)
    rows_a_bubble = -(-len(value.rows) // count) if count else rows_a_bubble
    every = value.rows
    if len(every) > OWN_FIRST:
        every = tuple(sorted(every, key=lambda row: not row.mine))
    starts = range(0, len(every), rows_a_bubble)
    pages = [every[start : start + rows_a_bubble] for start in starts] or [()]
    widths = _widths(value.rows, value.even, value.heads)
    bubbles = []
    for number, rows in enumerate(pages, 1):
        bubbles.append(_table_bubble(value, rows, widths, last=number == len(pages)))
    return bubbles


def _widths(
    rows: tuple[replies.Row, ...],
    even: bool = False,
    heads: tuple[str, ...] = (),
) -> list[int]:
    """The pixels of the value column and the extra ones: their longest text or head, within
    bounds.
    """
    if even:
        cells = [words for row in rows for words in (row.value, *row.extra)]
        longest = max(map(length, cells), default=0)
        columns = 1 + max((len(row.extra) for row in rows), default=0)
        return [int(min(max(longest * 10 + 14, 64), 100))] * columns
    value = max((length(row.value) for row in rows), default=0) * 9.2 + 6
    extras = max((len(row.extra) for row in rows), default=0)
    needed = [
        max(length(row.extra[i]) for row in rows if i < len(row.extra)) * 7 + 12
        for i in range(extras)
    ]
    tops = [min(length(head) * 6 + 6, 62) for head in heads[1:]] + [0.0] * extras
    lengths = [max(36.0, each, top) for each, top in zip(needed, tops, strict=False)]
    return [
        int(
            min(
                max(value, 48),
                160,
            )
        ),
        *(int(min(each, 104)) for each in lengths),
    ]


def _table_bubble(
    value: replies.Table,
    rows: tuple[replies.Row, ...],
    widths: list[int],
    last: bool,
) -> Json:
    body: list[Json] = [
        text(
            value.title,
            weight="bold",
            size="lg",
            color=INK,
            wrap=True,
        )
    ]
    if value.subtitle:
        body.append(
            text(
                value.subtitle,
                size="xxs",
                color=MUTED,
                wrap=True,
                margin="xs",
            )
        )
    if any(value.heads):
        shrunk: Json = {
            "size": "xxs",
            "color": FAINT,
            "align": "end",
            "adjustMode": "shrink-to-fit",
        }
        heads = [
            _cell(
                text(
                    h,
                    **shrunk,
                ),
                width,
            )
            for h, width in zip(value.heads, widths, strict=False)
        ]
        body.append(
            box(
                "horizontal",
                [text(" ", size="xxs", flex=1), *heads],
                margin="md",
            )
        )
    if rows:
        body.append({"type": "separator", "margin": "md" if not any(value.heads) else "xs"})
    body += [_row(row, widths, value) for row in rows]
    if last:
        for title, more in value.more:  # each group has column widths of its own
            body.append(
                text(
                    title,
                    weight="bold",
                    size="md",
                    color=INK,
                    wrap=True,
                    margin="xl",
                )
            )
            body.append({"type": "separator", "margin": "sm"})
            body += [_row(row, _widths(more), value) for row in more]
    if value.note:
        body.append(
            text(
                value.note,
                size="xxs",
                color=MUTED,
                wrap=True,
                margin="md",
            )
        )
    return flex_bubble("giga", body, paddingAll="14px")


def _row(row: replies.Row, widths: list[int], table: replies.Table) -> Json:
    """A row of 36 points: a bar in the member's colour, rank, name, numbers; a second line below
    adds 18.
    """
    first: list[Json] = []
    if row.rank:
        first.append(
            _cell(
                text(row.rank, size="sm", color=MUTED, align="center"),
                20,
            )
        )
    name = [text(row.name, size="md", color=INK, adjustMode="shrink-to-fit")]
    first.append(
        box("vertical", name, flex=1, justifyContent="center", paddingStart="6px", paddingEnd="4px")
    )
    main: Json = {"size": "md", "weight": "bold", "color": INK}
    if row.pale:
        main = {"size": "md", "color": FAINT}
    lesser: Json = main if table.even else {"size": "xs", "color": MUTED}
    if row.value:
        first.append(_number(row.value, widths[0], table.plain, **main))
    beside = zip(row.extra, widths[1:], strict=False)
    first += [_number(extra, width, table.plain, **lesser) for extra, width in beside]
    lines: list[Json] = [box("horizontal", first)]
    if row.detail or row.mark:
        inset = "26px" if row.rank else "6px"
        below = [
            text(
                row.detail,
                size="xxs",
                color=FAINT,
                wrap=True,
                flex=1,
            )
        ]
        below += (
            [text(f"{row.mark} ›", size="xs", color=GREEN, weight="bold", flex=0)]
            if row.mark
            else []
        )
        lines.append(box("horizontal", below, paddingStart=inset, paddingTop="2px"))
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


def _number(words: str, width: int, plain: bool, **style: Any) -> Json:
    """A number at the right: red below zero and for ▼ ✗, green for ▲ ✓; not so a range or
    `plain`.
    """
    if not plain and "〜" not in words:
        if words.startswith(("▲", "✓")):
            style["color"] = GREEN
        elif words.startswith(("▼", "✗", "−")):
            style["color"] = RED
    return _cell(text(words, align="end", adjustMode="shrink-to-fit", **style), width)


def _cell(content: Json, width: int) -> Json:
    return box("vertical", [content], width=f"{width}px", justifyContent="center")
