"""Messages in English and Japanese: marked in the code, translated by gettext's catalogue in
bot/locale.
"""

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
    """An English sentence with `{name}` for its fields (perhaps messages).

    It is translated when shown.
    """

    text: str
    fields: tuple[tuple[str, object], ...] = ()

    def said(self, translate: Translate = gettext.gettext) -> str:
        """The sentence in the language of `translate`; by default that of the command line."""
        fields = {
            name: value.said(translate) if isinstance(value, Message) else value
            for name, value in self.fields
        }
        return translate(self.text).format(**fields)


def message(text: str, **fields: object) -> Message:
    """Mark a text for the catalogue (bot/locale), and keep what belongs into it.

    Modules import it as `_`.
    """
    return Message(text, tuple(fields.items()))


def translated(text: str, /, **fields: object) -> str:
    """Return a marked text in the command line's language, with any fields.

    Modules import it as `_`.
    """
    words = gettext.gettext(text)
    return words.format(**fields) if fields else words


def untranslated(words: object) -> Message:
    """Return words that come from elsewhere, such as a file's line, which no catalogue has."""
    return Message("{words}", (("words", words),))
