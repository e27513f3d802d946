"""What the bot can do, feature by feature: each folder of `bot/answers/` declares one Feature, and
the rest of the bot knows it by that alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from operator import itemgetter
from typing import TypeVar

from bot.chat.command import Ask, Catalogue, Command, FactMaker, Question, Spec
from bot.chat.replies import Choice, Reply, Text
from storage.state import State


@dataclass(frozen=True, slots=True)
class SentText:
    """A text in a chat. `spoken_to`: it is meant for the bot, in its own chat or with a mention."""

    text: str
    spoken_to: bool


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file in a chat: its name, its size in bytes, the id of its message. `alone`: the chat is
    one user's with the bot."""

    name: str
    size: int
    message: str
    alone: bool


class Happening(StrEnum):
    """What features may listen to."""

    BOT_JOINED = "the bot joined a chat"
    BOT_REMOVED = "the bot was removed from a chat"
    USER_FOLLOWED = "a user added the bot as a friend"
    USER_BLOCKED = "a user blocked the bot"
    USER_FORGOTTEN = "all that is stored of a user is to be forgotten"
    MEMBERS_JOINED = "members joined a group"
    MEMBERS_LEFT = "members left a group"
    MESSAGE_EDITED = "a message was edited"
    MESSAGE_UNSENT = "a message was unsent"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One happening, at LINE's time `at` (epoch seconds). `users` are those whom it is about;
    `message` is the id of the message, `text` the new text of an edited one."""

    happening: Happening
    state: State
    at: float
    chat: str = ""
    users: tuple[str, ...] = ()
    message: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A button that goes first below an answer, with a sentence above the answer. A chat gets an
    offer with a `mark` once."""

    button: Choice
    sentence: str = ""
    mark: str = ""


Sent = TypeVar("Sent", SentText, SentFile)
TextRecogniser = Callable[[SentText], Command | None]
"""Returns the command of a text that has the feature's own form, None for every other text."""
FileRecogniser = Callable[[SentFile], Command | None]
"""Returns the command that takes a file, None for a file that is not the feature's."""


class UnaskedWhen(StrEnum):
    """When a group may be sent a message that no member requested."""

    GAMES_CAME = "games came"
    EVENING_BEGAN = "an evening began"
    EVENING_ENDED = "an evening ended"


@dataclass(frozen=True, slots=True)
class Evening:
    """A row of games in the league's own room: its name, when its first game began (`begin`) and
    its last one ended, and the start of the game that is reported as the first (JST)."""

    name: str
    begin: datetime
    end: datetime
    first_start: datetime


@dataclass(frozen=True, slots=True)
class News:
    """What happened in a league, for one group. `question` has the league as the group sees it, and
    no command. New games are of the `days`, or of the `evening`."""

    question: Question
    days: frozenset[date] = frozenset()
    evening: Evening | None = None


@dataclass(frozen=True, slots=True)
class UnaskedMessage:
    """A message that a group gets once: its kind and its subject distinguish it from others, for
    `stored` seconds (None: for ever). `reply` is called where it has not been sent yet."""

    kind: str
    subject: tuple[str, ...]
    reply: Callable[[], Reply]
    stored: float | None = None


@dataclass(frozen=True, slots=True)
class Unasked:
    """What a feature sends unasked. `make` returns the message, None where there is none; `name` is
    for the log."""

    name: str
    when: UnaskedWhen
    make: Callable[[News], UnaskedMessage | None]


Listener = Callable[[Occurrence], None]
"""Does what a happening means for the feature. An occurrence may come again, after a failure or
because LINE delivers it again. Raises StorageError where it has to come again."""
OfferMaker = Callable[[Question, date | None], Iterable[Offer]]
"""Returns what may be offered with the answer to a question, the likeliest first. The date is that
of the chat's last question, where this is its first one since that day; None for the others."""
NoticeMaker = Callable[[Question, str, State], Sequence[Text]]
"""Returns the notices below the answer to a question. The text is the reason why the league's folder
cannot be read now, "" where it can."""
Drawing = Callable[..., Sequence[bytes]]
"""Draws pictures (PNG) for the command line."""


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A folder of `bot/answers/`. `specs` are its commands.

    `texts` recognise forms of text that begin with no command's word, before any such word is
    looked for; `leftover_texts` get the texts to the bot that nothing else has understood. `files`
    recognise files. The features take turns in the order of the catalogue, the recognisers of a
    feature in the order given here; the first Command counts.

    `listeners` are called when something happens in a chat. `offers` are added to answers, also
    those of other features, `notices` are put below them, `facts` are for a member's card.
    `unasked` are messages to groups. `drawings` are pictures by name that `flask` commands write
    into files.
    """

    name: str
    specs: tuple[Spec, ...]
    texts: tuple[TextRecogniser, ...] = ()
    leftover_texts: tuple[TextRecogniser, ...] = ()
    files: tuple[FileRecogniser, ...] = ()
    listeners: Mapping[Happening, Listener] = field(default_factory=dict)
    offers: tuple[OfferMaker, ...] = ()
    notices: tuple[NoticeMaker, ...] = ()
    facts: tuple[FactMaker, ...] = ()
    unasked: tuple[Unasked, ...] = ()
    drawings: Mapping[str, Drawing] = field(default_factory=dict)


@dataclass(frozen=True)
class Features:
    """All features, in the order of their turns."""

    features: tuple[Feature, ...]

    @cached_property
    def catalogue(self) -> Catalogue:
        """All commands in the order of help: that of Ask. A command that Ask does not name comes
        after the one before it in its feature. Raises ValueError where a Spec names a command that
        is neither here nor in Ask.
        """
        named = Ask.names()
        places: list[tuple[int, Spec]] = []
        for feature in self.features:
            place = len(named)
            for spec in feature.specs:
                if spec.name in named:
                    place = named.index(spec.name)
                places.append((place, spec))
        places.sort(key=itemgetter(0))
        facts: list[FactMaker] = []
        for feature in self.features:
            facts += feature.facts
        catalogue = Catalogue((spec for _, spec in places), facts)
        catalogue.check(named)
        return catalogue

    def command_of_text(self, sent: SentText) -> Command | None:
        """The command of a text that has the form of a feature's own."""
        for feature in self.features:
            command = _recognised(feature.texts, sent)
            if command is not None:
                return command
        return None

    def command_of_leftover(self, sent: SentText) -> Command | None:
        """The command of a text to the bot that nothing else has understood."""
        for feature in self.features:
            command = _recognised(feature.leftover_texts, sent)
            if command is not None:
                return command
        return None

    def command_of_file(self, sent: SentFile) -> Command | None:
        for feature in self.features:
            command = _recognised(feature.files, sent)
            if command is not None:
                return command
        return None

    def report(self, occurrence: Occurrence) -> None:
        """Call the listeners to what happened. Raises StorageError where one has to be called
        again.
        """
        for feature in self.features:
            listener = feature.listeners.get(occurrence.happening)
            if listener is not None:
                listener(occurrence)

    def forget_user(self, state: State, user: str, at: float) -> None:
        """Forget a user's id in all that is stored until LINE's time `at`. Raises StorageError:
        then it is done again whole.
        """
        self.report(Occurrence(Happening.USER_FORGOTTEN, state, at, users=(user,)))
        state.forget_user(user)

    def unasked(self, when: UnaskedWhen) -> list[Unasked]:
        """What may be sent unasked then."""
        messages: list[Unasked] = []
        for feature in self.features:
            messages += [unasked for unasked in feature.unasked if unasked.when is when]
        return messages

    def drawing(self, name: str) -> Drawing | None:
        """The drawing of that name; None where no feature has it."""
        drawings = (feature.drawings.get(name) for feature in self.features)
        return next((drawing for drawing in drawings if drawing is not None), None)


def _recognised(
    recognisers: Iterable[Callable[[Sent], Command | None]], sent: Sent
) -> Command | None:
    """The command of the first recogniser that knows what was sent."""
    for recognise in recognisers:
        command = recognise(sent)
        if command is not None:
            return command
    return None
