"""Replies as LINE messages (plain JSON values), kept within the limits of
https://developers.line.biz/en/reference/messaging-api/#message-objects. Tables, menus, cards and
forms are Flex messages (https://developers.line.biz/en/docs/messaging-api/flex-message-elements/).
"""

import json
import logging
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from bot.chat import replies
from bot.runtime.limits import Lru
from rating.names import visible_text
from storage.ports import StorageError

Json = dict[str, Any]
TEXT = 5000  # characters of a message
MOST_PICTURES = 2  # messages below the last of which the buttons still come
URI = 1000  # characters of a button's link; a longer one goes as text
NO_FILES = "いまファイルを用意できません。少し待ってから、もう一度お試しください。"
FOOTED = (
    replies.Table,
    replies.Downloads,
    replies.PageLink,
)  # parts whose bubble takes buttons in its footer
INK = "#111111"
MUTED = "#666666"
FAINT = "#767676"
MINE = "#F1F8E9"
GREEN = "#06704A"
RED = "#B3261E"
WHITE = "#FFFFFF"
GROUND = "#F2F4F3"
PALE = "#F0F7F3"
ROSE = "#FCEEED"
TONES = {  # of a form's button: colour of the words, of the background
    "plain": (INK, GROUND),
    "chosen": (WHITE, GREEN),
    "main": (WHITE, GREEN),
    "quiet": (MUTED, None),
    "link": (GREEN, PALE),
    "danger": (RED, ROSE),
}
BUTTONS_A_BUBBLE = 12
OWN_FIRST = 12  # rows; in a longer table the asker's row comes first
# ems of the longest label of three buttons in a row, in a mega bubble
IN_THREE = 7.2
IN_MEGA = 4.2
# bytes of JSON without a footer; LINE takes 30 KB and 50 KB
BUBBLE = 27_500
CAROUSEL = 47_500
BUBBLES = 12  # in a carousel
ALT = 400
FACT = 9.5  # the `length` of what a line of a form is about that fits beside its value
LONG = (
    7  # characters up to which a form's button fits beside others into a bubble of the usual width
)
# buttons side by side in a giga bubble; ems for all their labels together
MOST = 4
ROOM = 18.0
LONGEST = 9.0  # ems of one label
MENU = "request_menu"
log = logging.getLogger(__name__)
# Layouts by the identity of their table (its hash takes longer): an unchanged league's answers
# hold the same.
_tables: Lru[replies.Table, Json] = Lru(256)


def messages(
    reply: replies.Reply, url_of: Callable[[replies.Stored], str], quotes: str = ""
) -> list[Json]:
    """At most five messages; the bubble that takes the buttons comes after the picture that it
    stands with. Where a picture cannot be stored, its figures come as text or tables instead.

    The first text quotes the message of the token `quotes`, if there is one.
    """
    result: list[Json] = []
    for message in _all(_in_order(reply.parts), url_of):
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
    result.append(message({"type": "bubble", "size": "giga", "body": body}, alt))
    return buttons


def _all(
    parts: tuple[replies.Part, ...], url_of: Callable[[replies.Stored], str]
) -> Iterator[Json]:
    for part in parts:
        if isinstance(part, replies.Picture):
            try:
                url = url_of(part)
            except StorageError as error:
                log.error("the picture can't be stored, answering in figures: %s", error)
                yield from _all(part.instead or (replies.Text(part.alt),), url_of)
            else:
                yield {"type": "image", "originalContentUrl": url, "previewImageUrl": url}
        elif isinstance(part, replies.Table):
            yield _table(part, url_of)
        elif isinstance(part, replies.Downloads):
            try:
                files = [(file.label, url_of(file)) for file in part.files]
            except StorageError as error:
                log.error("the files can't be stored: %s", error)
                yield _text(replies.Text(NO_FILES))
                continue
            if all(len(url) <= URI for _, url in files):
                yield links(part.title, files, part.text, part.alt)
            else:
                paragraphs = [part.title, *map("\n".join, files)]
                yield _text(replies.Text("\n\n".join(paragraphs)))
        elif isinstance(part, replies.PageLink):
            yield links(part.title, [(part.label, part.url)], part.text)
        else:
            yield LAID_OUT[type(part)](part)


def _table(part: replies.Table, url_of: Callable[[replies.Stored], str]) -> Json:
    message = _tables.made(part, lambda: table(part))
    if part.hero is None:
        return message
    try:
        image = {"type": "image", "url": url_of(part.hero), "size": "full", "aspectMode": "cover"}
    except StorageError as error:
        log.error("an animation can't be stored, answering without it: %s", error)
        return message
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


def text(words: str, **style: Any) -> Json:
    return {"type": "text", "text": visible_text(words) or " ", **style}


def box(layout: str, contents: list[Json], **style: Any) -> Json:
    """A box component; `layout` is vertical, horizontal or baseline."""
    return {"type": "box", "layout": layout, "contents": contents, **style}


def _bubble(size: str, body: list[Json], **style: Any) -> Json:
    return {"type": "bubble", "size": size, "body": box("vertical", body, **style)}


def message(contents: Json, alt: str) -> Json:
    return {"type": "flex", "altText": clip(alt, ALT), "contents": contents}


def clip(words: str, units: int) -> str:
    """The beginning of a text, cut to so many UTF-16 units (LINE counts these)."""
    words = visible_text(words)
    return words.encode("utf-16-le", "replace")[: 2 * units].decode("utf-16-le", "ignore")


def carousel(bubbles: list[Json]) -> Json:
    """The only bubble, or a carousel of as many bubbles as LINE takes; the rest is left out."""
    kept = bubbles[:1]
    size = _size(bubbles[0])
    for bubble in bubbles[1:BUBBLES]:
        size += _size(bubble)
        if size > CAROUSEL:
            break
        kept.append(bubble)
    return kept[0] if len(kept) == 1 else {"type": "carousel", "contents": kept}


def _size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


# -- tables


def table(value: replies.Table) -> Json:
    """A Flex message of a giga bubble with a row for each player; a long table becomes a
    carousel.
    """
    rows_a_bubble = value.page
    bubbles = _table_bubbles(value, rows_a_bubble)
    while rows_a_bubble > 1 and max(map(_size, bubbles)) > BUBBLE:
        rows_a_bubble = rows_a_bubble * 2 // 3
        bubbles = _table_bubbles(value, rows_a_bubble)
    return message(carousel(bubbles), value.notification)


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


def length(words: str) -> float:
    """The length of a text in widths of a digit."""
    return sum(map(_width, words))


def _width(char: str) -> float:
    if char in ",.":
        return 0.5
    if char in "−±%":
        return 1.5
    return 1.0 if char.isascii() else 1.8


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
    return _bubble("giga", body, paddingAll="14px")


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


# -- buttons


@lru_cache(1024)  # an answer has fifteen, and the next one the same
def action(choice: replies.Choice) -> Json:
    """A postback action that shows its label in the chat, or a calendar that asks the command of a
    day. LINE wants the least day before the greatest, so equal ones are left out.
    https://developers.line.biz/en/reference/messaging-api/#datetime-picker-action"""
    asks = {"label": clip(choice.label, 20) or " ", "data": choice.data[:300]}
    if not choice.pick:
        return {"type": "postback", **asks, "displayText": clip(choice.label, 300) or " "}
    bounds = {"initial": choice.initial, "min": choice.least, "max": choice.most}
    if choice.least and choice.least >= (choice.most or "9"):
        bounds = {"initial": choice.initial}
    given = {name: day for name, day in bounds.items() if day}
    return {"type": "datetimepicker", **asks, "mode": choice.pick, **given}


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
        bubbles.append(_bubble(size, body, paddingAll="16px", spacing="sm"))
    return message(carousel(bubbles), value.alt or value.title)


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
            _bubble("kilo", body, paddingAll="18px", backgroundColor=value.colour, **tap)
        )
    return message(carousel(bubbles), value.alt)


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
    bubble = _bubble("mega", _menu_head(title, words) + rows, paddingAll="16px", spacing="md")
    return message(bubble, alt or title)


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
    bubble = _bubble("giga" if wide else "mega", body, paddingAll="16px", spacing="sm")
    return message(bubble, value.alt or value.title)


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
