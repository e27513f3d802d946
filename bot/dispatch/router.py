"""Read what an event asks: a button's data, a word, or what a feature recognises."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import parse_qsl

from bot.answers.common.reader import Reader, endings, scope_term, stripped
from bot.answers.common.talk import command_in_text
from bot.chat.command import LONGEST, Ask, Catalogue, Command, normal
from bot.chat.feature import Features, SentFile, SentText
from bot.chat.replies import Choice, Menu, Reply
from bot.line.menu_pages import TAB
from bot.line.webhook import Event

DATA_LIMIT = (
    300  # characters of postback data (https://developers.line.biz/en/reference/messaging-api/)
)
VALUE_LIMIT = 64  # characters of one option's value
OPTIONS = 12  # options of one button
LABEL = 20  # characters of a button's label
# the name under which they are stored in place of a message; seconds they can be typed
LABELS = "labels"
LABELS_FOR = 1800.0
# options of a picked day
PICKED = {
    "date": ("date",),
    "day": ("from", "to"),
    "from": ("from",),
    "to": ("to",),
}
_MEANT = re.compile(r"って(?:何|なに)[?？]*$")


def labels_of(reply: Reply, now: datetime) -> str:
    """The labels of an answer's buttons, and what they ask: for LABELS_FOR they can be typed."""
    choices: list[Choice] = []
    for part in reply.parts:
        if isinstance(part, Menu):
            choices += part.choices
    choices += [*reply.choices, *reply.buttons]
    data = {normal(choice.label): choice.data for choice in choices if not choice.pick}
    return json.dumps((now.timestamp(), data), ensure_ascii=False)


def is_text(event: Event) -> bool:
    """Whether a text was sent. An edited one asks nothing: its first form was answered."""
    return event.type == "message" and event.message_type == "text"


@dataclass(frozen=True)
class Router:
    """Reads events as commands of the features. `names(chat)` gives the names of the chat's league
    (as `key`) -> the names on Tenhou, as far as they are in memory. `question_of(chat, message)`
    gives the postback data of the question that a message answered, "" for others."""

    features: Features
    names: Callable[[str], Mapping[str, str]] = lambda chat: {}
    question_of: Callable[[str, str], str] = lambda chat, message: ""

    @property
    def catalogue(self) -> Catalogue:
        return self.features.catalogue

    def command_of(self, event: Event) -> Command | None:
        """Return what an event asks, or None if it is not meant for the bot."""
        command = self._command_of(event)
        if command is None or command.name in self.catalogue:
            return command
        return None if command.tentative else Command(Ask.UNKNOWN, rest=command.rest)

    def _command_of(self, event: Event) -> Command | None:
        if event.type == "postback":
            if event.data == TAB:
                return None  # LINE has turned the rich menu's page by itself
            return self.from_postback(event.data, event.day) or Command(Ask.UNKNOWN)
        if event.type in ("join", "follow", "memberJoined"):
            return Command(Ask.GREETING, rest=event.users)
        if event.type == "message" and event.message_type == "file":
            file = SentFile(event.file_name, event.file_size, event.message_id, event.alone)
            return self.features.command_of_file(file)
        return self._of_text(event) if is_text(event) else None

    def of_label(self, event: Event, now: datetime) -> Command | None:
        """What a button of the chat's last answer asks, where its label is typed.

        Nothing is changed so.
        """
        if not is_text(event):
            return None
        stored = ""
        if len(event.text) <= LABEL:
            stored = self.question_of(event.chat, LABELS)
        when, labels = json.loads(stored or "[0, {}]")
        command = self.from_postback(labels.get(normal(event.text), ""))
        if command is None or now.timestamp() - when > LABELS_FOR:
            return None
        return command if self.catalogue[command.name].answer is not None else None

    def from_postback(self, data: str, day: str = "") -> Command | None:
        """Return the command of postback data, or None if the data is not ours. `day` was picked
        from a calendar (ISO): it becomes the option that the data's `pick` names."""
        word, _, query = data[:DATA_LIMIT].partition("?")
        spec = self.catalogue.by_data(word.strip())
        if spec is None:
            return None
        pairs: list[tuple[str, str]] = []
        if query.count("&") < OPTIONS:
            pairs = parse_qsl(query, max_num_fields=OPTIONS)
        options = {
            key: value for key, value in pairs if key.isidentifier() and len(value) <= VALUE_LIMIT
        }
        picked = options.pop("pick", "")
        if picked in PICKED and day:
            options |= dict.fromkeys(PICKED[picked], day)
        if spec.answer is not None and "period" not in spec.takes:
            options.pop("from", None)
            options.pop("to", None)
        return Command(spec.name, options)

    def from_words(self, text: str) -> Command | None:
        """The command whose word the text begins with (`個人 みどり`, `収支は？`). Words that
        people also begin other sentences with (今日, 最近) make it `tentative`."""
        words = text.split()  # not normalized: a name on Tenhou may contain full-width characters
        if not words or len(words[0]) > LONGEST:
            return None
        word = next(filter(self.catalogue.by_word, endings(words[0])), "")
        spec = self.catalogue.by_word(word)
        if spec is None or len(text) > spec.longest:
            return None
        arguments = tuple(words[1:])
        if spec.bare and any(stripped(text) and not scope_term(text) for text in arguments):
            return None
        is_everyday = bool(arguments) and normal(word) in normal(spec.everyday).split()
        options = self.catalogue.options_of(word)
        return Command(spec.name, options, arguments, tentative=is_everyday, word=word)

    def _of_quoted(self, event: Event) -> Command | None:
        """The question of the answer that a text quotes, changed by the text's words. A command
        with words of its own kind (メニュー, 危険度) changes nothing: it is a question itself."""
        command = self.from_words(event.text)
        if command is not None and not self.catalogue[command.name].repeatable:
            return None
        quoted = self.from_postback(self.question_of(event.chat, event.quoted))
        if quoted is None:
            return None
        is_tentative = command is None or command.tentative
        return Command(quoted.name, quoted.options, (event.text,), is_tentative, change=True)

    def _of_talk(self, text: str, chat: str, overheard: bool) -> Command | None:
        """The command of a text that may be talk. It has the text's terms where the members' names
        were known; elsewhere the text is read again when they are."""
        names = self.names(chat)
        terms = Reader(self.catalogue, names).overheard(text)
        command = command_in_text(self.catalogue, terms, text, overheard)
        if command is None or names:
            return command
        return replace(command, terms=())

    def _of_text(self, event: Event) -> Command | None:
        """Return the command of a text: of a form that a feature recognises, a command's word, or
        `unknown` for words to the bot. Of a text longer than LONGEST only the first word is read:
        few commands may be longer."""
        spoken_to = event.alone or event.mentioned
        sent = SentText(event.text, spoken_to)
        recognised = self.features.command_of_text(sent)
        if recognised is not None:
            return recognised
        is_long = len(event.text) > LONGEST
        if event.quoted and event.text and not is_long:
            command = self._of_quoted(event)
            if command is not None:
                return command
        if not spoken_to and _MEANT.search(event.text):
            return None  # 月報って何
        command = self.from_words(event.text)
        if command is None and not is_long:
            command = self._of_talk(event.text, event.chat, overheard=not spoken_to)
        if command is not None or not spoken_to:
            return command
        leftover = self.features.command_of_leftover(sent)
        if leftover is not None:
            return leftover
        if event.mentioned and not event.text:
            return Command(Ask.MENU)
        return Command(Ask.UNKNOWN, {}, () if is_long else (event.text,))
