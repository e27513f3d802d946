"""Replies as LINE's Flex messages: plain JSON values, drawn to LOOKS' measures."""

from __future__ import annotations

from typing import Any

from bot.replies import Choice, Menu, Row, Table

Json = dict[str, Any]
INK, MUTED, FAINT, MINE, GREEN = "#111111", "#666666", "#8A8A8A", "#F1F8E9", "#06704A"
ROWS_A_BUBBLE = 20
BUTTONS_A_BUBBLE = 12


def text(words: str, **style: Any) -> Json:
    return {"type": "text", "text": words or " ", **style}


def box(layout: str, contents: list[Json], **style: Any) -> Json:
    return {"type": "box", "layout": layout, "contents": contents, **style}


def message(contents: Json, alt: str) -> Json:
    return {"type": "flex", "altText": alt[:400], "contents": contents}


def table(value: Table) -> Json:
    """A giga bubble with a row a player; more rows than a bubble reads well go into a carousel."""
    pages = [value.rows[i : i + ROWS_A_BUBBLE] for i in range(0, len(value.rows), ROWS_A_BUBBLE)] or [()]
    bubbles = [_table_bubble(value, rows) for rows in pages[:12]]
    contents = bubbles[0] if len(bubbles) == 1 else {"type": "carousel", "contents": bubbles}
    first = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in value.rows[:3] if row.rank)
    return message(contents, value.alt or f"{value.title}　{first}")


def _table_bubble(value: Table, rows: tuple[Row, ...]) -> Json:
    body: list[Json] = [text(value.title, weight="bold", size="lg", color=INK, wrap=True)]
    if value.subtitle:
        body.append(text(value.subtitle, size="xxs", color=MUTED, wrap=True, margin="xs"))
    if any(value.heads):
        body.append(_heads(value))
    body.append({"type": "separator", "margin": "md"})
    body += [_row(row) for row in rows]
    if value.note:
        body.append(text(value.note, size="xxs", color=MUTED, wrap=True, margin="md"))
    return {"type": "bubble", "size": "giga", "body": box("vertical", body, paddingAll="16px")}


def _heads(value: Table) -> Json:
    cells = [text(" ", size="xxs", flex=1)]
    cells += [
        text(head, size="xxs", color=FAINT, align="end", flex=0)
        if index == 0
        else text(head, size="xxs", color=FAINT, align="end", flex=0, margin="md")
        for index, head in enumerate(value.heads)
        if head
    ]
    return box("horizontal", cells, margin="md")


def _row(row: Row) -> Json:
    name: list[Json] = [text(row.name, size="md", color=INK, flex=1, adjustMode="shrink-to-fit")]
    if row.detail:
        name.append(text(row.detail, size="xxs", color=FAINT, wrap=True))
    cells: list[Json] = []
    if row.colour:
        cells.append(
            box("vertical", [{"type": "filler"}], width="5px", backgroundColor=row.colour, cornerRadius="2px")
        )
    if row.rank:
        cells.append(
            box(
                "vertical",
                [text(row.rank, size="sm", color=MUTED, align="center")],
                width="26px",
                justifyContent="center",
            )
        )
    cells.append(box("vertical", name, flex=1, justifyContent="center", paddingStart="6px"))
    cells.append(_number(row.value, "84px", size="lg", weight="bold", color=INK))
    cells += [_number(extra, "62px", size="xs", color=MUTED) for extra in row.extra]
    style: Json = {"paddingTop": "7px", "paddingBottom": "7px"}
    if row.mine:
        style |= {"backgroundColor": MINE, "cornerRadius": "6px"}
    if row.data:
        style["action"] = action(Choice(row.name, row.data))
    return box("horizontal", cells, **style)


def _number(words: str, width: str, **style: Any) -> Json:
    cell = text(words, align="end", adjustMode="shrink-to-fit", **style)
    return box("vertical", [cell], width=width, justifyContent="center")


def action(choice: Choice) -> Json:
    """A tap that asks, and shows in the chat what was asked."""
    return {
        "type": "postback",
        "label": choice.label[:20],
        "data": choice.data[:300],
        "displayText": choice.label[:300],
    }


def menu(value: Menu) -> Json:
    """Large buttons, two a row."""
    pages = [
        value.choices[i : i + BUTTONS_A_BUBBLE] for i in range(0, len(value.choices), BUTTONS_A_BUBBLE)
    ] or [()]
    bubbles = [_menu_bubble(value, choices) for choices in pages[:12]]
    contents = bubbles[0] if len(bubbles) == 1 else {"type": "carousel", "contents": bubbles}
    return message(contents, value.alt or value.title)


def _menu_bubble(value: Menu, choices: tuple[Choice, ...]) -> Json:
    head = [text(value.title, weight="bold", size="xl", color=INK, wrap=True)]
    if value.text:
        head.append(text(value.text, size="sm", color=MUTED, wrap=True, margin="sm"))
    rows = [choices[i : i + 2] for i in range(0, len(choices), 2)]
    body = head + [_button_row(row) for row in rows]
    return {"type": "bubble", "size": "mega", "body": box("vertical", body, paddingAll="16px", spacing="md")}


def _button_row(row: tuple[Choice, ...]) -> Json:
    cells = [
        box(
            "vertical",
            [
                text(
                    c.label, align="center", color=GREEN, weight="bold", size="md", adjustMode="shrink-to-fit"
                )
            ],
            flex=1,
            backgroundColor="#F0F7F3",
            cornerRadius="8px",
            paddingAll="14px",
            action=action(c),
        )
        for c in row
    ]
    if len(cells) == 1:
        cells.append(box("vertical", [{"type": "filler"}], flex=1))
    return box("horizontal", cells, spacing="md")
