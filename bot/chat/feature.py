"""What the bot can do, feature by feature: each folder of `bot/answers/` declares one Feature, and
the rest of the bot knows it by that alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from bot.chat.command import Ask, Catalogue, Command, Spec


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


TextRecogniser = Callable[[SentText], Command | None]
"""Returns the command that a text of the feature's own form asks, None for every other text."""
FileRecogniser = Callable[[SentFile], Command | None]
"""Returns the command that takes a file, None for a file that is not the feature's."""


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A folder of `bot/answers/`. `specs` are its commands.

    `texts` recognise forms of text that begin with no command's word, before any such word is
    looked for; `leftover_texts` are asked about what is said to the bot and nothing else has
    understood. `files` recognise files. All features are asked in the order of the catalogue, the
    recognisers of a feature in the order given here; the first Command counts.
    """

    name: str
    specs: tuple[Spec, ...]
    texts: tuple[TextRecogniser, ...] = ()
    leftover_texts: tuple[TextRecogniser, ...] = ()
    files: tuple[FileRecogniser, ...] = ()


@dataclass(frozen=True)
class Features:
    """All features, in the order in which they are asked."""

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
        catalogue = Catalogue(spec for _, spec in places)
        catalogue.check(named)
        return catalogue

    def command_of_text(self, sent: SentText) -> Command | None:
        """The command of a text that has the form of a feature's own."""
        return _first(recognise(sent) for feature in self.features for recognise in feature.texts)

    def command_of_leftover(self, sent: SentText) -> Command | None:
        """The command of a text to the bot that nothing else has understood."""
        return _first(
            recognise(sent) for feature in self.features for recognise in feature.leftover_texts
        )

    def command_of_file(self, sent: SentFile) -> Command | None:
        return _first(recognise(sent) for feature in self.features for recognise in feature.files)


def _first(commands: Iterable[Command | None]) -> Command | None:
    return next((command for command in commands if command is not None), None)
