"""Menus, cards and links as Flex messages of large buttons."""

from functools import lru_cache

from bot.chat import replies
from bot.line.flex import (
    GREEN,
    INK,
    MUTED,
    PALE,
    Json,
    action,
    box,
    carousel,
    clip,
    flex_bubble,
    flex_message,
    length,
    text,
)

BUTTONS_A_BUBBLE = 12

# ems of the longest label of three buttons in a row, in a mega bubble
IN_THREE = 7.2
IN_MEGA = 4.2


@lru_cache(1024)  # an answer has fifteen, and the next one the same
def menu(value: replies.Menu) -> Json:
    """A Flex message of large buttons, two in a row, three where their labels are short."""
    longest = max(map(label_ems, value.choices), default=0.0)
    columns = 2
    size = "mega"
    if longest <= IN_THREE:
        columns = 3
        if longest > IN_MEGA:
            size = "giga"
    bubbles = []
    for start in range(0, len(value.choices) or 1, BUTTONS_A_BUBBLE):
        choices = value.choices[start : start + BUTTONS_A_BUBBLE]
        body = _menu_head(value.title, value.text)
        body += _menu_rows(choices, columns)
        if value.link:
            body.append(_small_link(*value.link))
        bubbles.append(flex_bubble(size, body, paddingAll="16px", spacing="sm"))
    return flex_message(carousel(bubbles), value.alt or value.title)


def _menu_rows(choices: tuple[replies.Choice, ...], columns: int) -> list[Json]:
    rows = []
    for start in range(0, len(choices), columns):
        row = choices[start : start + columns]
        cells = [_menu_button(choice.label, action(choice)) for choice in row]
        while len(cells) < columns:
            cells.append(box("vertical", [{"type": "filler"}], flex=1))
        rows.append(box("horizontal", cells, spacing="sm"))
    return rows


def _small_link(label: str, url: str) -> Json:
    tap = {"type": "uri", "label": label, "uri": url}
    return text(label, size="xs", color=GREEN, align="end", action=tap)


LABEL_STYLE = {"align": "center", "color": GREEN, "weight": "bold", "adjustMode": "shrink-to-fit"}
PLATE_STYLE: Json = {
    "backgroundColor": PALE,
    "cornerRadius": "8px",
    "paddingStart": "4px",
    "paddingEnd": "4px",
}


def _menu_head(title: str, words: str) -> list[Json]:
    head = [text(title, weight="bold", size="xl", color=INK, wrap=True)]
    if words:
        head.append(text(words, size="sm", color=MUTED, wrap=True, margin="sm"))
    return head


def _menu_button(label: str, tap: Json) -> Json:
    words = [text(label, size="md", **LABEL_STYLE)]
    return box("vertical", words, flex=1, paddingAll="12px", **PLATE_STYLE, action=tap)


def cards(value: replies.Cards) -> Json:
    """A Flex message of small bubbles side by side, each with a large value; a tap on one opens
    more.
    """
    bubbles = [_card(row, value) for row in value.rows]
    return flex_message(carousel(bubbles), value.alt)


def _card(row: replies.Row, cards: replies.Cards) -> Json:
    ink: Json = {"color": cards.ink, "wrap": True}
    large: Json = {"size": "3xl", "weight": "bold", "margin": "lg", "color": cards.ink}
    body = [
        text(row.name, size="md", weight="bold", **ink),
        text(row.value, **large, adjustMode="shrink-to-fit"),
        text(row.detail, size="sm", margin="md", **ink),
        {"type": "filler"},
    ]
    style: Json = {"paddingAll": "18px", "backgroundColor": cards.colour}
    if row.data:
        link: Json = {"size": "sm", "weight": "bold", "align": "end", "margin": "lg"}
        body.append(text(f"{row.said} ›", **link, **ink))
        style["action"] = action(replies.Choice(row.said, row.data))
    return flex_bubble("kilo", body, **style)


def links(
    title: str,
    files: list[tuple[str, str]],
    words: str = "",
    alt: str = "",
) -> Json:
    """A Flex message of buttons that open links. `files` are (label, URL), one in a row."""
    rows = []
    for label, url in files:
        tap = {"type": "uri", "label": clip(label, 20), "uri": url}
        rows.append(box("horizontal", [_menu_button(label, tap)]))
    bubble = flex_bubble("mega", _menu_head(title, words) + rows, paddingAll="16px", spacing="md")
    return flex_message(bubble, alt or title)


def label_ems(choice: replies.Choice) -> float:
    return max(3.0, length(choice.label) / 1.8)
