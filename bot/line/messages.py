"""Replies as LINE messages (plain JSON values), kept within the limits of
https://developers.line.biz/en/reference/messaging-api/#message-objects."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

from bot.chat.replies import (
    MESSAGES,
    QUICK_REPLIES,
    Cards,
    Choice,
    Downloads,
    Form,
    Menu,
    PageLink,
    Part,
    Picture,
    Reply,
    Stored,
    Table,
    Text,
)
from bot.line import flex
from bot.runtime.limits import Lru
from storage.ports import StorageError

Json = dict[str, Any]
TEXT = 5000  # characters of a message
MOST_PICTURES = 2  # messages below the last of which the buttons still come
URI = 1000  # characters of a button's link; a longer one goes as text
NO_FILES = "いまファイルを用意できません。少し待ってから、もう一度お試しください。"
FOOTED = (Table, Downloads, PageLink)  # parts whose bubble takes buttons in its footer
TABLES = 256  # layouts kept: while a league is unchanged, its answers hold the same tables
log = logging.getLogger(__name__)
# By the table's identity: its hash takes longer than the layout.
_tables: Lru[int, tuple[Table, Json]] = Lru(TABLES)


def messages(reply: Reply, url_of: Callable[[Stored], str], quotes: str = "") -> list[Json]:
    """At most five messages; the bubble that takes the buttons comes after the picture that it stands with.
    Where a picture cannot be stored, its figures come as text or tables instead.

    The first text quotes the message of the token `quotes`, if there is one.
    """
    result: list[Json] = []
    for message in _all(_in_order(reply.parts), url_of):
        if message not in result:  # the figures sent in place of a picture may be a part of the reply, too
            result.append(message)
    result = result[:MESSAGES]
    shown = _foot(result, reply) if result else ()
    if (others := tuple(each for each in reply.choices if each not in shown)) and result:
        result[-1] = {**result[-1], "quickReply": quick_reply(others)}
    place = next((n for n, message in enumerate(result) if message["type"] == "text"), None)
    if quotes and place is not None:
        result[place] = {**result[place], "quoteToken": quotes}
    return result


def _in_order(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """LINE's list of chats shows the last message's words: a picture, which has none, goes first."""
    table = next((part for part in reversed(parts) if isinstance(part, FOOTED)), None)
    pictures = [part for part in parts if isinstance(part, Picture)]
    if table is None or len(pictures) != 1:
        return parts
    beside = (isinstance(table, Table) and table.beside) or table
    return (*pictures, *(part for part in parts if part not in (table, *pictures)), beside)


def _foot(result: list[Json], reply: Reply) -> tuple[Choice, ...]:
    buttons = reply.buttons or flex.first_choices(reply.choices)
    if not buttons:
        return ()
    place = max((n for n, message in enumerate(result) if message["type"] == "flex"), default=None)
    if any(isinstance(part, FOOTED) for part in reply.parts) and place is not None:
        result[place] = flex.with_buttons(result[place], buttons)
        return buttons if place == len(result) - 1 else ()
    if result[-1]["type"] != "image" or len(result) > MOST_PICTURES:
        return ()
    alt = next(part.alt for part in reversed(reply.parts) if isinstance(part, Picture))
    result.append(flex.buttons_alone(buttons, alt))
    return buttons


def _all(parts: tuple[Part, ...], url_of: Callable[[Stored], str]) -> Iterator[Json]:
    for part in parts:
        if isinstance(part, Picture):
            try:
                url = url_of(part)
            except StorageError as error:
                log.error("the picture can't be stored, answering in figures: %s", error)
                yield from _all(part.instead or (Text(part.alt),), url_of)
            else:
                yield {"type": "image", "originalContentUrl": url, "previewImageUrl": url}
        elif isinstance(part, Table):
            yield _table(part, url_of)
        elif isinstance(part, Cards):
            yield flex.cards(part)
        elif isinstance(part, Menu):
            yield flex.menu(part)
        elif isinstance(part, Form):
            yield flex.form(part)
        elif isinstance(part, Downloads):
            try:
                links = [(file.label, url_of(file)) for file in part.files]
            except StorageError as error:
                log.error("the files can't be stored: %s", error)
                yield text(Text(NO_FILES))
                continue
            if all(len(url) <= URI for _, url in links):
                yield flex.links(part.title, links, part.text, part.alt)
            else:
                yield text(Text("\n\n".join([part.title, *(f"{label}\n{url}" for label, url in links)])))
        elif isinstance(part, PageLink):
            yield flex.links(part.title, [(part.label, part.url)], part.text)
        else:
            yield text(part)


def _table(part: Table, url_of: Callable[[Stored], str]) -> Json:
    message = _tables.made(id(part), lambda: (part, flex.table(part)))[1]
    if part.hero is None:
        return message
    try:
        return flex.with_hero(message, url_of(part.hero), part.hero.size)
    except StorageError as error:
        log.error("an animation can't be stored, answering without it: %s", error)
        return message


def text(part: Text) -> Json:
    """A text message of at most 5000 UTF-16 units; a longer text is cut."""
    words = part.text.strip() or "…"
    while len(words.encode("utf-16-le", "replace")) // 2 > TEXT:
        words = words[: len(words) - 200].rstrip() + "\n…"
    if not part.mentions:
        return {"type": "text", "text": words}
    people = {f"m{n}": {"type": "user", "userId": user} for n, user in enumerate(part.mentions)}
    called = {key: {"type": "mention", "mentionee": person} for key, person in people.items()}
    return {"type": "textV2", "text": words, "substitution": called}


def quick_reply(choices: tuple[Choice, ...]) -> Json:
    """Up to 13 buttons below the message; the last one (back to the menu) is always kept."""
    kept = choices if len(choices) <= QUICK_REPLIES else (*choices[: QUICK_REPLIES - 1], choices[-1])
    return {"items": [{"type": "action", "action": flex.action(choice)} for choice in kept]}
