"""Replies as LINE messages (plain JSON values), kept within the limits of
https://developers.line.biz/en/reference/messaging-api/#message-objects. Tables, menus, cards and
forms are Flex messages (https://developers.line.biz/en/docs/messaging-api/flex-message-elements/).
"""

from collections.abc import Callable, Iterator
from typing import Any

from bot.chat import replies
from bot.line.button_rows import button_row, first_choices
from bot.line.flex import (
    Json,
    action,
    flex_message,
)
from bot.line.forms import form
from bot.line.menus import cards, links, menu
from bot.line.tables import table
from rating.names import visible_text

TEXT = 5000  # characters of a message
CUT = 200  # characters by which a longer text is cut at a time
MOST_PICTURES = 2  # messages below the last of which the buttons still come
URI = 1000  # characters of a button's link; a longer one goes as text
NO_FILES = "いまファイルを用意できません。少し待ってから、もう一度お試しください。"
FOOTED = (
    replies.Table,
    replies.Downloads,
    replies.PageLink,
)  # parts whose bubble takes buttons in its footer


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
        row = button_row(buttons, paddingAll="12px", paddingTop="0px")
        result[place] = _with_block(result[place], footer=row)
        if place == len(result) - 1:
            return buttons
        return ()
    if result[-1]["type"] != "image" or len(result) > MOST_PICTURES:
        return ()
    pictures = [part for part in reply.parts if isinstance(part, replies.Picture)]
    alt = pictures[-1].alt
    body = button_row(buttons, paddingAll="10px")
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
    content = visible_text(part.text).strip() or "…"
    while len(content.encode("utf-16-le", "replace")) // 2 > TEXT:
        content = content[: len(content) - CUT].rstrip() + "\n…"
    if not part.mentions:
        return {"type": "text", "text": content}
    mentions = {}
    for number, user in enumerate(part.mentions):
        member = {"type": "user", "userId": user}
        mentions[f"m{number}"] = {"type": "mention", "mentionee": member}
    return {"type": "textV2", "text": content, "substitution": mentions}


def _with_block(message: Json, **block: Json) -> Json:
    """A message like the given one, which is not changed, with a block in its first bubble."""
    contents = message["contents"]
    if contents["type"] == "carousel":
        bubbles = [contents["contents"][0] | block, *contents["contents"][1:]]
        return message | {"contents": contents | {"contents": bubbles}}
    return message | {"contents": contents | block}


LAID_OUT: dict[type[replies.Part], Callable[[Any], Json]] = {
    replies.Text: _text,
    replies.Cards: cards,
    replies.Menu: menu,
    replies.Form: form,
}
