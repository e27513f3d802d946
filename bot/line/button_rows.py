"""The row of buttons below an answer."""

from bot.chat import replies
from bot.line.flex import (
    Json,
    action,
    box,
    text,
)
from bot.line.menus import LABEL_STYLE, PLATE_STYLE, label_ems

# buttons side by side in a giga bubble; ems for all their labels together
MOST = 4
ROOM = 18.0
LONGEST = 9.0  # ems of one label
MENU = "request_menu"


def first_choices(choices: tuple[replies.Choice, ...]) -> tuple[replies.Choice, ...]:
    """The first choices whose labels fit side by side; the way back to the menu, if there, is the
    last.
    """
    menu = tuple(choice for choice in choices if choice.data == MENU)[:1]
    room = ROOM - sum(label_ems(choice) for choice in menu)
    first: list[replies.Choice] = []
    for choice in choices:
        if choice.data == MENU or len(first) + len(menu) >= MOST:
            continue
        if label_ems(choice) <= min(room, LONGEST):
            first.append(choice)
            room -= label_ems(choice)
    if not first:
        return ()
    return (*first, *menu)


def button_row(buttons: tuple[replies.Choice, ...], **style: str) -> Json:
    """The first buttons side by side, each as wide as its label needs."""
    cells = []
    for choice in buttons[:MOST]:
        look: Json = {
            "flex": round(10 * label_ems(choice)) + 8,
            "height": "40px",
            "justifyContent": "center",
        }
        label = [text(choice.label, size="sm", **LABEL_STYLE)]
        cells.append(box("vertical", label, **look, **PLATE_STYLE, action=action(choice)))
    return box("horizontal", cells, spacing="sm", **style)
