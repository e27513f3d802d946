"""Read what an event asks: a button's data, a word, or a game record (牌譜) that somebody sent."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from bot.answers.common.scope import is_option
from bot.answers.paifu.report import NAME as PAIFU
from bot.chat.command import Catalogue, Command
from bot.line.rich_menu import TAB
from bot.line.webhook import Event
from bot.tenhou.paifu_url import find_address, find_paifu

DATA_LIMIT = 300  # characters of postback data (https://developers.line.biz/en/reference/messaging-api/)
VALUE_LIMIT = 64  # characters of one option's value
OPTIONS = 12  # options of one button
WORDS = 100  # characters kept of an unknown text
PAIFU_ENDINGS = (".mjlog", ".xml", ".mjlog.gz")
_BROKEN = re.compile(r"(?<![0-9A-Za-z.@/-])https?://tenhou\.net/[0-9]/\?log=", re.IGNORECASE)


class Router:
    """Reads events as commands of the catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def command_of(self, event: Event) -> Command | None:
        """Return what an event asks, or None if it is not meant for the bot."""
        if event.type == "postback":
            if event.data == TAB:
                return None  # LINE has turned the rich menu's page by itself
            return self.from_postback(event.data) or Command("unknown")
        if event.type in ("join", "follow", "memberJoined"):
            return Command("menu")
        if event.type != "message":
            return None
        if event.message_type == "file":
            return _of_file(event)
        if event.message_type == "text":
            return self._of_text(event)
        return None

    def from_postback(self, data: str) -> Command | None:
        """Return the command of postback data, or None if the data is not ours."""
        word, _, query = data[:DATA_LIMIT].partition("?")
        spec = self._catalogue.by_data(word.strip())
        if spec is None:
            return None
        pairs = parse_qsl(query, max_num_fields=OPTIONS) if query.count("&") < OPTIONS else []
        options = {key: value for key, value in pairs if key.isidentifier() and len(value) <= VALUE_LIMIT}
        return Command(spec.name, options)

    def from_words(self, text: str) -> Command | None:
        """Return the command whose word the text is, or begins with (`個人 みどり`). None if there is none."""
        words = text.split()  # not normalized: a name on Tenhou may hold full-width characters
        spec = self._catalogue.by_word(words[0]) if words else None
        if spec is None:
            return None
        rest = tuple(words[1:])
        if spec.plain and not all(map(is_option, rest)):
            return None
        return Command(spec.name, {}, rest)

    def _of_text(self, event: Event) -> Command | None:
        """Return the command of a text: a record's address, a command's word, or `unknown` for words to the bot."""
        spoken_to = event.alone or event.mentioned
        found = find_paifu(event.text) if spoken_to else find_address(event.text)
        if found is not None:
            seat = {} if found.seat is None else {"tw": str(found.seat)}
            return Command(PAIFU, {"id": found.id, **seat})
        if _BROKEN.search(event.text):
            return Command(PAIFU, {"fault": "address"})
        command = self.from_words(event.text)
        if command is not None or not spoken_to:
            return command
        if "://" in event.text:
            return Command(PAIFU, {"fault": "address"})
        if event.mentioned and not event.text:
            return Command("menu")
        return Command("unknown", {}, (event.text[:WORDS],))


def _of_file(event: Event) -> Command | None:
    """Return the command of a file that is a game record by its name. In a group other files are passed over.

    The message id is not an option, so that no button's data can ask for somebody else's message.
    """
    name = event.file_name.casefold()
    if name.endswith(PAIFU_ENDINGS) or (event.alone and name.endswith(".gz")):
        return Command(PAIFU, {"file": event.file_name, "size": str(event.file_size)}, (event.message_id,))
    return Command(PAIFU, {"fault": "file"}) if event.alone else None
