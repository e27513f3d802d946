"""Forms as Flex bubbles with large buttons; the chosen ones and the next one to press are filled."""

from __future__ import annotations

from typing import Any

from bot.chat.replies import Button, Form, FormFact, FormRow
from bot.line.flex import FAINT, GREEN, INK, MUTED, box, clip, message, text

Json = dict[str, Any]
LONG = 7  # characters up to which a button's words fit side by side into a bubble of the usual width
WHITE, GROUND, RED, ROSE = "#FFFFFF", "#F2F4F3", "#B3261E", "#FCEEED"
COLOURS = {  # colour of the words, of the background
    "plain": (INK, GROUND),
    "chosen": (WHITE, GREEN),
    "main": (WHITE, GREEN),
    "quiet": (MUTED, None),
    "link": (GREEN, "#F0F7F3"),
    "danger": (RED, ROSE),
}


_GAP = box("vertical", [{"type": "filler"}], flex=2, paddingStart="8px", paddingEnd="8px")


def form(value: Form) -> Json:
    """A Flex message of one bubble, a wide one where words are long or three wide buttons stand side by
    side."""
    body = _head(value)
    for above, row in zip((None, *value.rows), value.rows, strict=False):
        body.append(_row(row, apart=isinstance(above, FormFact) and isinstance(row, tuple)))
    if value.note:
        body.append(text(value.note, size="xs", color=MUTED, wrap=True))
    size = "giga" if _is_wide(value) else "mega"
    bubble = {"type": "bubble", "size": size, "body": box("vertical", body, paddingAll="16px", spacing="sm")}
    return message(bubble, value.alt or value.title)


def _is_wide(value: Form) -> bool:
    rows = [row for row in value.rows if isinstance(row, tuple)]
    return any(
        len(row) > 1 and (len(word) > LONG or (len(row) > 2 and not row[-1].narrow))
        for row in rows
        for button in row
        for word in button.words
    )


def _head(value: Form) -> list[Json]:
    title = [text(value.title, weight="bold", size="lg", color=INK, wrap=True, flex=1)]
    if value.step:
        title.append(text(value.step, size="sm", color=FAINT, align="end", flex=0))
    head = [box("baseline", title)]
    if value.text:
        head.append(text(value.text, size="sm", color=MUTED, wrap=True))
    return head


def _row(row: FormRow, apart: bool) -> Json:
    if isinstance(row, str):
        return text(row, size="sm", weight="bold", color=MUTED, wrap=True, margin="lg")
    if isinstance(row, FormFact):
        return _fact(row)
    cells = [_button(button) if button.words else _GAP for button in row]
    return box("horizontal", cells, spacing="sm", **({"margin": "lg"} if apart else {}))


def _fact(fact: FormFact) -> Json:
    value = [text(fact.value, size="sm", color=INK, weight="bold", wrap=True)]
    if fact.was:
        value.insert(0, text(f"{fact.was} から", size="xs", color=FAINT, wrap=True))
    return box(
        "horizontal",
        [
            box("vertical", [text(fact.what, size="sm", color=MUTED)], width="76px"),
            box("vertical", value, flex=1),
        ],
        margin="md",
    )


def _button(button: Button) -> Json:
    ink, ground = COLOURS[button.tone]
    bold = button.tone in ("chosen", "main", "link")
    tall = button.narrow or len(button.words) > 1
    words: list[Json] = [
        text(
            word or " ",
            align="center",
            color=ink,
            size="sm" if tall or button.tone == "link" else "md",
            weight="bold" if bold else "regular",
            adjustMode="shrink-to-fit",
        )
        for word in button.words
    ]
    label = box("vertical", words, flex=1, justifyContent="center")
    style: Json = {"backgroundColor": ground} if ground else {}
    return box(
        "horizontal",
        [_badge(button.badge), label] if button.badge else [label],
        **style,
        flex=1 if button.narrow else len(button.words) + 1,
        height="60px" if tall else "46px",
        cornerRadius="8px",
        paddingStart="4px" if button.narrow else "8px",
        paddingEnd="4px" if button.narrow else "8px",
        spacing="sm",
        alignItems="center",
        action=_action(button),
    )


def _badge(sign: str) -> Json:
    return box(
        "vertical",
        [text(sign, size="xs", weight="bold", color=GREEN, align="center", adjustMode="shrink-to-fit")],
        width="24px",
        height="24px",
        cornerRadius="12px",
        backgroundColor=WHITE,
        justifyContent="center",
        flex=0,
    )


def _action(button: Button) -> Json:
    tap = {"type": "postback", "label": clip(button.label, 20) or " ", "data": button.data}
    return tap | ({"displayText": clip(button.said, 300)} if button.said else {})
