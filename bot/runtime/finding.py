"""What a check of the set-up found, in words that any language can be made of."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DOMAIN = "janroku"
LOCALE = Path(__file__).parent.parent / "locale"
Translate = Callable[[str], str]


@cache
def japanese() -> Translate:
    """Return what translates into Japanese, whatever the environment's language."""
    return gettext.translation(DOMAIN, str(LOCALE), ["ja"]).gettext


@dataclass(frozen=True, slots=True)
class Message:
    """An English sentence with `{name}` for its fields (perhaps messages). It is translated when shown."""

    text: str
    fields: tuple[tuple[str, object], ...] = ()

    def said(self, translate: Translate = gettext.gettext) -> str:
        """Return the sentence in the language of `translate`; by default that of the command line."""
        fields = {
            name: value.said(translate) if isinstance(value, Message) else value
            for name, value in self.fields
        }
        return translate(self.text).format(**fields)


def message(text: str, **fields: object) -> Message:
    """Mark a text for the catalogue (bot/locale), and keep what belongs into it. Modules import it as `_`."""
    return Message(text, tuple(fields.items()))


def plain(words: object) -> Message:
    """Return words that come from elsewhere, such as a file's line, which no catalogue has."""
    return Message("{words}", (("words", words),))


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """What was checked (a variable's name, or a word), whether it works, and what to know or mend.

    `stops_release`: the installation is set up wrongly; not so for an outage, or what only a running service
    can mend.
    """

    what: str
    ok: bool
    messages: tuple[Message, ...]
    stops_release: bool = False

    def said(self, translate: Translate = gettext.gettext) -> str:
        """Return the words, in the language of `translate`."""
        return "; ".join(one.said(translate) for one in self.messages)

    @property
    def text(self) -> str:
        """The words in the language of the command line."""
        return self.said()


def good(what: str, *messages: Message) -> CheckFinding:
    return CheckFinding(what, True, messages)


def fault(what: str, *messages: Message) -> CheckFinding:
    """Something is set up wrongly, which stops a release."""
    return CheckFinding(what, False, messages, stops_release=True)


def trouble(what: str, *messages: Message) -> CheckFinding:
    """Something must be mended or waited for, but a release goes on."""
    return CheckFinding(what, False, messages)
