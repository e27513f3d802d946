"""Buttons in the footer of a bubble: what one asks next. They stay, while quick replies go with the next
message."""

from __future__ import annotations

from typing import Any

from bot.chat.replies import Choice
from bot.line.flex import GREEN, action, box, length, text

Json = dict[str, Any]
MOST, ROOM = 4, 18.0  # buttons side by side in a giga bubble; ems for all their labels together
LONGEST = 9.0  # ems of one label
MENU = "request_menu"


def first(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The first choices whose labels fit side by side, with the way back to the menu as the last where it is
    one of them."""
    menu = tuple(choice for choice in choices if choice.data == MENU)[:1]
    room = ROOM - sum(_ems(choice) for choice in menu)
    kept: list[Choice] = []
    for choice in choices:
        if choice.data != MENU and len(kept) + len(menu) < MOST and _ems(choice) <= min(room, LONGEST):
            kept.append(choice)
            room -= _ems(choice)
    return (*kept, *menu) if kept else ()


def _ems(choice: Choice) -> float:
    return max(3.0, length(choice.label) / 1.8)


def footed(message: Json, buttons: tuple[Choice, ...]) -> Json:
    """The Flex message with the buttons below its bubble, or below the first of its carousel. The given one
    is not changed."""
    contents = message["contents"]
    if contents["type"] == "carousel":
        bubbles = [contents["contents"][0] | {"footer": footer(buttons)}, *contents["contents"][1:]]
        return message | {"contents": contents | {"contents": bubbles}}
    return message | {"contents": contents | {"footer": footer(buttons)}}


def bubble(buttons: tuple[Choice, ...]) -> Json:
    """A bubble of the buttons alone, as wide as a table's."""
    return {"type": "bubble", "size": "giga", "body": _row(buttons, paddingAll="10px")}


def footer(buttons: tuple[Choice, ...]) -> Json:
    """The buttons below a bubble's body."""
    return _row(buttons, paddingAll="12px", paddingTop="0px")


def _row(buttons: tuple[Choice, ...], **style: str) -> Json:
    """A row of buttons, each as wide as its label needs."""
    return box("horizontal", [_button(each) for each in buttons[:MOST]], spacing="sm", **style)


def _button(choice: Choice) -> Json:
    words = text(
        choice.label, align="center", color=GREEN, weight="bold", size="sm", adjustMode="shrink-to-fit"
    )
    return box(
        "vertical",
        [words],
        flex=round(10 * _ems(choice)) + 8,
        height="40px",
        justifyContent="center",
        backgroundColor="#F0F7F3",
        cornerRadius="8px",
        paddingStart="4px",
        paddingEnd="4px",
        action=action(choice),
    )
