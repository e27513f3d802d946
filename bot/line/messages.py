"""Replies as LINE messages (plain JSON values), kept within the limits of
https://developers.line.biz/en/reference/messaging-api/#message-objects. Tables, menus, cards and
forms are Flex messages (https://developers.line.biz/en/docs/messaging-api/flex-message-elements/).
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

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
    action,
    box,
    carousel,
    clip,
    flex_bubble,
    flex_message,
    length,
    text,
)
from bot.line.tables import table
from rating.names import visible_text

TEXT = 5000  # characters of a message
MOST_PICTURES = 2  # messages below the last of which the buttons still come
URI = 1000  # characters of a button's link; a longer one goes as text
NO_FILES = "いまファイルを用意できません。少し待ってから、もう一度お試しください。"
FOOTED = (
    replies.Table,
    replies.Downloads,
    replies.PageLink,
)  # parts whose bubble takes buttons in its footer
TONES = {  # of a form's button: colour of the words, of the background
    "plain": (INK, GROUND),
    "chosen": (WHITE, GREEN),
    "main": (WHITE, GREEN),
    "quiet": (MUTED, None),
    "link": (GREEN, PALE),
    "danger": (RED, ROSE),
}
BUTTONS_A_BUBBLE = 12
# ems of the longest label of three buttons in a row, in a mega bubble
IN_THREE = 7.2
IN_MEGA = 4.2
FACT = 9.5  # the `length` of what a line of a form is about that fits beside its value
# characters up to which a form's button fits next to others into a bubble of the usual width
LONG = 7
# buttons side by side in a giga bubble; ems for all their labels together
MOST = 4
ROOM = 18.0
LONGEST = 9.0  # ems of one label
MENU = "request_menu"


def messages(reply: replies.Reply, quotes: str = "") -> list[Json]:
    """At most five messages of a reply whose pictures are stored (their `url`).
    The bubble that takes the buttons comes after the picture that it belongs to. In place of a
    picture without an address its figures are sent as text or tables.

    The first text quotes the message of the token `quotes`, if there is one.
    """
    result: list[Json] = []
    for message in _all(_in_order(reply.parts)):
        if (
            message not in result
        ):  # the figures sent in place of a picture may be a part of the reply, too
            result.append(message)
    result = result[: replies.MESSAGES]
    shown = _foot(result, reply) if result else ()
    if (others := [each for each in reply.choices if each not in shown]) and result:
        most = replies.QUICK_REPLIES - 1
        below = [
            *others[:most],
            *others[most:][-1:],
        ]  # the last one (back to the menu) is always kept
        items = [{"type": "action", "action": action(choice)} for choice in below]
        result[-1] = {**result[-1], "quickReply": {"items": items}}
    place = next(
        (n for n, message in enumerate(result) if message["type"] == "text"),
        None,
    )
    if quotes and place is not None:
        result[place] = {**result[place], "quoteToken": quotes}
    return result


def _in_order(parts: tuple[replies.Part, ...]) -> tuple[replies.Part, ...]:
    """LINE's list of chats shows the last message's words: a picture, which has none, goes
    first.
    """
    table = next((part for part in reversed(parts) if isinstance(part, FOOTED)), None)
    pictures = [part for part in parts if isinstance(part, replies.Picture)]
    if table is None or len(pictures) != 1:
        return parts
    beside = (isinstance(table, replies.Table) and table.beside) or table
    return (
        *pictures,
        *(part for part in parts if part not in (table, *pictures)),
        beside,
    )


def _foot(
    result: list[Json],
    reply: replies.Reply,
) -> tuple[replies.Choice, ...]:
    buttons = reply.buttons or first_choices(reply.choices)
    if not buttons:
        return ()
    place = max(
        (n for n, message in enumerate(result) if message["type"] == "flex"),
        default=None,
    )
    if any(isinstance(part, FOOTED) for part in reply.parts) and place is not None:
        row = _button_row(buttons, paddingAll="12px", paddingTop="0px")
        result[place] = _with_block(result[place], footer=row)
        return buttons if place == len(result) - 1 else ()
    if result[-1]["type"] != "image" or len(result) > MOST_PICTURES:
        return ()
    pictures = [part for part in reply.parts if isinstance(part, replies.Picture)]
    alt = pictures[-1].alt
    body = _button_row(buttons, paddingAll="10px")
    result.append(flex_message({"type": "bubble", "size": "giga", "body": body}, alt))
    return buttons


def _all(parts: tuple[replies.Part, ...]) -> Iterator[Json]:
    for part in parts:
        if isinstance(part, replies.Picture):
            url = part.url
            if url:
                yield {"type": "image", "originalContentUrl": url, "previewImageUrl": url}
            else:
                yield from _all(part.instead or (replies.Text(part.alt),))
        elif isinstance(part, replies.Table):
            yield _table(part)
        elif isinstance(part, replies.Downloads):
            yield _downloads(part)
        elif isinstance(part, replies.PageLink):
            yield links(part.title, [(part.label, part.url)], part.text)
        else:
            yield LAID_OUT[type(part)](part)


def _downloads(part: replies.Downloads) -> Json:
    files = [(file.label, file.url) for file in part.files]
    if not all(url for _, url in files):
        return _text(replies.Text(NO_FILES))
    if all(len(url) <= URI for _, url in files):
        return links(part.title, files, part.text, part.alt)
    paragraphs = [part.title, *map("\n".join, files)]
    return _text(replies.Text("\n\n".join(paragraphs)))


def _table(part: replies.Table) -> Json:
    message = table(part)
    if part.hero is None or not part.hero.url:
        return message
    image = {"type": "image", "url": part.hero.url, "size": "full", "aspectMode": "cover"}
    # LINE plays an animated PNG of at most 300 KB, and shows the default image of a larger one
    # (https://developers.line.biz/en/reference/messaging-api/#f-image).
    width, height = part.hero.size
    return _with_block(message, hero=image | {"animated": True, "aspectRatio": f"{width}:{height}"})


def _text(part: replies.Text) -> Json:
    """A text message of at most 5000 UTF-16 units; a longer text is cut."""
    words = visible_text(part.text).strip() or "…"
    while len(words.encode("utf-16-le", "replace")) // 2 > TEXT:
        words = words[: len(words) - 200].rstrip() + "\n…"
    if not part.mentions:
        return {"type": "text", "text": words}
    called = {}
    for number, user in enumerate(part.mentions):
        person = {"type": "user", "userId": user}
        called[f"m{number}"] = {"type": "mention", "mentionee": person}
    return {"type": "textV2", "text": words, "substitution": called}


# -- buttons


@lru_cache(1024)  # an answer has fifteen, and the next one the same
def menu(value: replies.Menu) -> Json:
    """A Flex message of large buttons, two in a row, three where their labels are short."""
    longest = max(map(_ems, value.choices), default=0.0)
    a_row = 3 if longest <= IN_THREE else 2
    bubbles = []
    for start in range(0, len(value.choices) or 1, BUTTONS_A_BUBBLE):
        choices = value.choices[start : start + BUTTONS_A_BUBBLE]
        body = _menu_head(value.title, value.text)
        for i in range(0, len(choices), a_row):
            cells = [_menu_button(each.label, action(each)) for each in choices[i : i + a_row]]
            cells += [
                box(
                    "vertical",
                    [{"type": "filler"}],
                    flex=1,
                )
            ] * (a_row - len(cells))
            body.append(box("horizontal", cells, spacing="sm"))
        if value.link:
            open_it = {"type": "uri", "label": value.link[0], "uri": value.link[1]}
            body.append(
                text(
                    value.link[0],
                    size="xs",
                    color=GREEN,
                    align="end",
                    action=open_it,
                )
            )
        size = "giga" if a_row == 3 and longest > IN_MEGA else "mega"
        bubbles.append(flex_bubble(size, body, paddingAll="16px", spacing="sm"))
    return flex_message(carousel(bubbles), value.alt or value.title)


_LABEL = {"align": "center", "color": GREEN, "weight": "bold", "adjustMode": "shrink-to-fit"}
_PLATE: Json = {
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
    words = [text(label, size="md", **_LABEL)]
    return box("vertical", words, flex=1, paddingAll="12px", **_PLATE, action=tap)


def cards(value: replies.Cards) -> Json:
    """A Flex message of small bubbles side by side, each with a large value; a tap on one opens
    more.
    """
    bubbles = []
    style = {"color": value.ink, "wrap": True}
    for row in value.rows:
        head = text(row.name, size="md", weight="bold", **style)
        look = {"size": "3xl", "weight": "bold", "margin": "lg", "adjustMode": "shrink-to-fit"}
        large = text(row.value, color=value.ink, **look)
        body = [
            head,
            large,
            text(row.detail, size="sm", margin="md", **style),
            {"type": "filler"},
        ]
        if row.data:
            body.append(
                text(f"{row.said} ›", size="sm", weight="bold", align="end", margin="lg", **style)
            )
        tap = (
            {
                "action": action(
                    replies.Choice(
                        row.said,
                        row.data,
                    )
                )
            }
            if row.data
            else {}
        )
        bubbles.append(
            flex_bubble("kilo", body, paddingAll="18px", backgroundColor=value.colour, **tap)
        )
    return flex_message(carousel(bubbles), value.alt)


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


# -- forms


def form(value: replies.Form) -> Json:
    """One bubble with large buttons, the chosen ones and the next to press filled; wide where words
    are long or three wide buttons stand side by side."""
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
    pairs = zip((None, *value.rows), value.rows, strict=False)
    body += [_form_row(row, apart=isinstance(above, replies.FormFact)) for above, row in pairs]
    if value.note:
        body.append(text(value.note, size="xs", color=MUTED, wrap=True))
    wide = any(
        len(row) > 1 and (len(word) > LONG or (len(row) > 2 and not row[-1].narrow))
        for row in value.rows
        if isinstance(row, tuple)
        for button in row
        for word in button.words
    )
    bubble = flex_bubble("giga" if wide else "mega", body, paddingAll="16px", spacing="sm")
    return flex_message(bubble, value.alt or value.title)


def _form_row(row: replies.FormRow, apart: bool) -> Json:
    if isinstance(row, str):
        return text(row, size="sm", weight="bold", color=MUTED, wrap=True, margin="lg")
    if isinstance(row, replies.FormFact):
        value = [
            text(
                row.value,
                size="sm",
                color=INK,
                weight="bold",
                wrap=True,
            )
        ]
        if row.was:
            value.insert(0, text(f"{row.was} から", size="xs", color=FAINT, wrap=True))
        what = text(row.what, size="sm", color=MUTED, wrap=True)
        if length(row.what) > FACT:
            return box("vertical", [what, *value], margin="md")
        side = box("vertical", [what], width="76px")
        return box("horizontal", [side, box("vertical", value, flex=1)], margin="md")
    cells = [_form_button(button) if button.words else _GAP for button in row]
    return box("horizontal", cells, spacing="sm", **({"margin": "lg"} if apart else {}))


def _form_button(button: replies.Button) -> Json:
    ink, ground = TONES[button.tone]
    tall = button.narrow or len(button.words) > 1
    letters = {
        "align": "center",
        "color": ink,
        "size": "sm" if tall or button.tone == "link" else "md",
        "weight": "bold" if button.tone in ("chosen", "main", "link") else "regular",
        "adjustMode": "shrink-to-fit",
    }
    words = [text(word or " ", **letters) for word in button.words]
    contents = [box("vertical", words, flex=1, justifyContent="center")]
    if button.badge:
        sign = [text(button.badge, size="xs", **_LABEL)]
        circle = {
            "width": "24px",
            "height": "24px",
            "cornerRadius": "12px",
            "backgroundColor": WHITE,
        }
        contents.insert(0, box("vertical", sign, **circle, justifyContent="center", flex=0))
    label = {"label": clip(button.label, 20) or " "}
    tap = {"type": "postback", **label, "data": button.data}
    tap |= {"displayText": clip(button.said, 300)} if button.said else {}
    if button.opens:
        tap = {"type": "uri", **label, "uri": button.opens}
    elif button.copies:
        tap = {"type": "clipboard", **label, "clipboardText": button.copies}
    pad = "8px"
    flex = len(button.words) + 1
    if button.narrow:
        pad = "4px"
        flex = 1
    style: Json = {"backgroundColor": ground} if ground else {}
    style |= {
        "flex": flex,
        "height": "60px" if tall else "46px",
        "cornerRadius": "8px",
        "spacing": "sm",
    }
    style |= {"paddingStart": pad, "paddingEnd": pad, "alignItems": "center"}
    return box("horizontal", contents, **style, action=tap)


_GAP = box(
    "vertical",
    [{"type": "filler"}],
    flex=2,
    paddingStart="8px",
    paddingEnd="8px",
)


def _with_block(message: Json, **block: Json) -> Json:
    """A message like the given one, which is not changed, with a block in its first bubble."""
    contents = message["contents"]
    if contents["type"] == "carousel":
        bubbles = [contents["contents"][0] | block, *contents["contents"][1:]]
        return message | {"contents": contents | {"contents": bubbles}}
    return message | {"contents": contents | block}


def first_choices(choices: tuple[replies.Choice, ...]) -> tuple[replies.Choice, ...]:
    """The first choices whose labels fit side by side; the way back to the menu, if there, is the
    last.
    """
    menu = tuple(choice for choice in choices if choice.data == MENU)[:1]
    room = ROOM - sum(_ems(choice) for choice in menu)
    kept: list[replies.Choice] = []
    for choice in choices:
        if (
            choice.data != MENU
            and len(kept) + len(menu) < MOST
            and _ems(choice) <= min(room, LONGEST)
        ):
            kept.append(choice)
            room -= _ems(choice)
    return (*kept, *menu) if kept else ()


def _ems(choice: replies.Choice) -> float:
    return max(3.0, length(choice.label) / 1.8)


def _button_row(buttons: tuple[replies.Choice, ...], **style: str) -> Json:
    cells = []
    for choice in buttons[:MOST]:
        look: Json = {
            "flex": round(10 * _ems(choice)) + 8,
            "height": "40px",
            "justifyContent": "center",
        }
        label = [text(choice.label, size="sm", **_LABEL)]
        cells.append(box("vertical", label, **look, **_PLATE, action=action(choice)))
    return box("horizontal", cells, spacing="sm", **style)


LAID_OUT: dict[type[replies.Part], Callable[[Any], Json]] = {
    replies.Text: _text,
    replies.Cards: cards,
    replies.Menu: menu,
    replies.Form: form,
}
