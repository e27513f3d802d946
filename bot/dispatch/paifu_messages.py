"""Messages that are game records: an address of Tenhou's, or a file. In groups only what is one beyond doubt."""

from __future__ import annotations

import re

from bot.chat.command import Command, from_words
from bot.line.webhook import Event
from bot.tenhou.paifu_fetcher import find_address, find_record

NAME = "record_report"
ENDINGS = (".mjlog", ".xml", ".mjlog.gz")
_BROKEN = re.compile(r"(?<![0-9A-Za-z.@/-])https?://tenhou\.net/[0-9]/\?log=", re.IGNORECASE)


def command_of(event: Event) -> Command | None:
    """What a message asks: the record's `id` (and `tw`), or its `file` with the message's id; `fault` where it is none.

    A file's message id is no option, so that no button's data can ask for somebody else's message.
    """
    if event.message_type == "text":
        return _of_text(event)
    if event.message_type == "file":
        return _of_file(event)
    return None


def _of_text(event: Event) -> Command | None:
    asked = event.alone or event.mentioned
    found = find_record(event.text) if asked else find_address(event.text)
    if found:
        seat = {} if found.seat is None else {"tw": str(found.seat)}
        return Command(NAME, {"id": found.id, **seat})
    if _BROKEN.search(event.text) or (asked and "://" in event.text and from_words(event.text) is None):
        return Command(NAME, {"fault": "address"})
    return None


def _of_file(event: Event) -> Command | None:
    name = event.file_name.casefold()
    if name.endswith(ENDINGS) or (event.alone and name.endswith(".gz")):
        return Command(NAME, {"file": event.file_name, "size": str(event.file_size)}, (event.message_id,))
    return Command(NAME, {"fault": "file"}) if event.alone else None
