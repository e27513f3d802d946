"""Forms as Flex messages."""

from bot.chat import replies
from bot.line.flex import (
    FAINT,
    GREEN,
    GROUND,
    INK,
    MUTED,
    PALE,
    RED,
    ROSE,
    WHITE,
    Json,
    box,
    clip,
    flex_bubble,
    flex_message,
    length,
    text,
)
from bot.line.menus import LABEL_STYLE

TONES = {  # of a form's button: colour of the words, of the background
    "plain": (INK, GROUND),
    "chosen": (WHITE, GREEN),
    "main": (WHITE, GREEN),
    "quiet": (MUTED, None),
    "link": (GREEN, PALE),
    "danger": (RED, ROSE),
}
FACT_NAME_LENGTH = (
    9.5  # the greatest `length` of a fact's name in a form that fits next to its value
)

# characters up to which a form's button fits next to others into a bubble of the usual width
LONG = 7


def form(value: replies.Form) -> Json:
    """One bubble with large buttons, the chosen ones and the next to press filled."""
    title = [
        text(
            value.title,
            weight="bold",
            size="lg",
            color=INK,
            wrap=True,
            flex=1,
        )
    ]
    if value.step:
        title.append(
            text(
                value.step,
                size="sm",
                color=FAINT,
                align="end",
                flex=0,
            )
        )
    body = [box("baseline", title)]
    if value.text:
        body.append(text(value.text, size="sm", color=MUTED, wrap=True))
    above: replies.FormRow | None = None
    for row in value.rows:
        body.append(_form_row(row, above))
        above = row
    if value.note:
        body.append(text(value.note, size="xs", color=MUTED, wrap=True))
    size = "mega"
    if any(_needs_wide_bubble(row) for row in value.rows):
        size = "giga"
    bubble = flex_bubble(size, body, paddingAll="16px", spacing="sm")
    return flex_message(bubble, value.alt or value.title)


def _needs_wide_bubble(row: replies.FormRow) -> bool:
    """Whether a row has buttons side by side with a long text, or three wide buttons."""
    if not isinstance(row, tuple) or len(row) < 2:
        return False
    texts = [word for button in row for word in button.words]
    if len(row) > 2 and not row[-1].narrow and texts:
        return True
    return any(len(word) > LONG for word in texts)


def _form_row(row: replies.FormRow, above: replies.FormRow | None) -> Json:
    if isinstance(row, str):
        return text(row, size="sm", weight="bold", color=MUTED, wrap=True, margin="lg")
    if isinstance(row, replies.FormFact):
        return _fact_row(row)
    cells = []
    for button in row:
        if button.words:
            cells.append(_form_button(button))
        else:
            cells.append(_GAP)
    if isinstance(above, replies.FormFact):
        return box("horizontal", cells, spacing="sm", margin="lg")
    return box("horizontal", cells, spacing="sm")


def _fact_row(fact: replies.FormFact) -> Json:
    """A fact's name, and its value (below the former one) next to the name or below a long one."""
    value_lines: list[Json] = []
    if fact.was:
        value_lines.append(text(f"{fact.was} から", size="xs", color=FAINT, wrap=True))
    value_lines.append(text(fact.value, size="sm", color=INK, weight="bold", wrap=True))
    name = text(fact.what, size="sm", color=MUTED, wrap=True)
    if length(fact.what) > FACT_NAME_LENGTH:
        return box("vertical", [name, *value_lines], margin="md")
    name_column = box("vertical", [name], width="76px")
    value_column = box("vertical", value_lines, flex=1)
    return box("horizontal", [name_column, value_column], margin="md")


def _form_button(button: replies.Button) -> Json:
    ink, ground = TONES[button.tone]
    is_tall = button.narrow or len(button.words) > 1
    font_size = "md"
    if is_tall or button.tone == "link":
        font_size = "sm"
    weight = "regular"
    if button.tone in ("chosen", "main", "link"):
        weight = "bold"
    font = {
        "align": "center",
        "color": ink,
        "size": font_size,
        "weight": weight,
        "adjustMode": "shrink-to-fit",
    }
    words = [text(word or " ", **font) for word in button.words]
    contents = [box("vertical", words, flex=1, justifyContent="center")]
    if button.badge:
        sign = [text(button.badge, size="xs", **LABEL_STYLE)]
        circle = {
            "width": "24px",
            "height": "24px",
            "cornerRadius": "12px",
            "backgroundColor": WHITE,
        }
        contents.insert(0, box("vertical", sign, **circle, justifyContent="center", flex=0))
    pad = "8px"
    flex = len(button.words) + 1
    if button.narrow:
        pad = "4px"
        flex = 1
    height = "46px"
    if is_tall:
        height = "60px"
    style: Json = {}
    if ground:
        style["backgroundColor"] = ground
    style |= {"flex": flex, "height": height, "cornerRadius": "8px", "spacing": "sm"}
    style |= {"paddingStart": pad, "paddingEnd": pad, "alignItems": "center"}
    return box("horizontal", contents, **style, action=_form_action(button))


def _form_action(button: replies.Button) -> Json:
    """The action of a tap: a link, a text for the clipboard, or a postback."""
    label = clip(button.label, 20) or " "
    if button.opens:
        return {"type": "uri", "label": label, "uri": button.opens}
    if button.copies:
        return {"type": "clipboard", "label": label, "clipboardText": button.copies}
    tap = {"type": "postback", "label": label, "data": button.data}
    if button.said:
        tap["displayText"] = clip(button.said, 300)
    return tap


_GAP = box(
    "vertical",
    [{"type": "filler"}],
    flex=2,
    paddingStart="8px",
    paddingEnd="8px",
)
