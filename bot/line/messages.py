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
FACT = 9.5  # the greatest `length` of a fact's name in a form that fits next to its value
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
        # The figures sent in place of a picture may be a part of the reply, too.
        if message not in result:
            result.append(message)
    result = result[: replies.MESSAGES]
    if not result:
        return []
    buttons = _foot(result, reply)
    choices = [choice for choice in reply.choices if choice not in buttons]
    if choices:
        result[-1] = {**result[-1], "quickReply": _quick_reply(choices)}
    if quotes:
        for number, message in enumerate(result):
            if message["type"] == "text":
                result[number] = {**message, "quoteToken": quotes}
                break
    return result


def _quick_reply(choices: list[replies.Choice]) -> Json:
    """The choices as quick replies, always with the last one, which leads back to the menu."""
    limit = replies.QUICK_REPLIES - 1
    included = [*choices[:limit], *choices[limit:][-1:]]
    return {"items": [{"type": "action", "action": action(choice)} for choice in included]}


def _in_order(parts: tuple[replies.Part, ...]) -> tuple[replies.Part, ...]:
    """LINE's list of chats shows the text of the last message: a picture, which has none, goes
    first.
    """
    table = next((part for part in reversed(parts) if isinstance(part, FOOTED)), None)
    pictures = [part for part in parts if isinstance(part, replies.Picture)]
    if table is None or len(pictures) != 1:
        return parts
    last: replies.Part = table
    if isinstance(table, replies.Table) and table.by_picture:
        last = table.by_picture
    others = [part for part in parts if part not in (table, *pictures)]
    return (*pictures, *others, last)


def _foot(
    result: list[Json],
    reply: replies.Reply,
) -> tuple[replies.Choice, ...]:
    """Put buttons below the last bubble or picture. Return those at the very end: they need no
    quick replies."""
    buttons = reply.buttons or first_choices(reply.choices)
    if not buttons:
        return ()
    bubbles = [number for number, message in enumerate(result) if message["type"] == "flex"]
    if bubbles and any(isinstance(part, FOOTED) for part in reply.parts):
        place = bubbles[-1]
        row = _button_row(buttons, paddingAll="12px", paddingTop="0px")
        result[place] = _with_block(result[place], footer=row)
        if place == len(result) - 1:
            return buttons
        return ()
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
    mentions = {}
    for number, user in enumerate(part.mentions):
        member = {"type": "user", "userId": user}
        mentions[f"m{number}"] = {"type": "mention", "mentionee": member}
    return {"type": "textV2", "text": words, "substitution": mentions}


# -- buttons


@lru_cache(1024)  # an answer has fifteen, and the next one the same
def menu(value: replies.Menu) -> Json:
    """A Flex message of large buttons, two in a row, three where their labels are short."""
    longest = max(map(_ems, value.choices), default=0.0)
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
        tap = {}
        if row.data:
            body.append(
                text(f"{row.said} ›", size="sm", weight="bold", align="end", margin="lg", **style)
            )
            tap = {"action": action(replies.Choice(row.said, row.data))}
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
    value = [
        text(
            fact.value,
            size="sm",
            color=INK,
            weight="bold",
            wrap=True,
        )
    ]
    if fact.was:
        value.insert(0, text(f"{fact.was} から", size="xs", color=FAINT, wrap=True))
    name = text(fact.what, size="sm", color=MUTED, wrap=True)
    if length(fact.what) > FACT:
        return box("vertical", [name, *value], margin="md")
    side = box("vertical", [name], width="76px")
    return box("horizontal", [side, box("vertical", value, flex=1)], margin="md")


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
        sign = [text(button.badge, size="xs", **_LABEL)]
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
    first: list[replies.Choice] = []
    for choice in choices:
        if choice.data == MENU or len(first) + len(menu) >= MOST:
            continue
        if _ems(choice) <= min(room, LONGEST):
            first.append(choice)
            room -= _ems(choice)
    if not first:
        return ()
    return (*first, *menu)


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
