"""What can be asked, in one list: postback data, words, titles. Menus, help and dispatch are made from it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from bot.chat.replies import Choice, Reply

if TYPE_CHECKING:
    from bot.chat.access import Leagues
    from bot.league.repository import Library
    from bot.league.snapshot import Snapshot
    from storage.ports import StateStore

DATA_LIMIT = 300  # characters of postback data LINE allows
VALUE_LIMIT = 64  # characters of one option's value


@dataclass(frozen=True)
class Command:
    """Something asked: which command, with which options; `rest` holds the words typed after it."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asker:
    """Who asks, where. `chat` is the group's, room's or user's id; `player` the name on Tenhou, where known."""

    chat: str
    user: str = ""
    admin: bool = False
    player: str = ""

    @property
    def alone(self) -> bool:
        """Whether this is the 1:1 chat."""
        return self.chat == self.user


@dataclass(frozen=True)
class Question:
    """What an answer is given: the command, the league as it is now, the asker, the time (JST).

    `leagues` and `state` are there for answers that change something (None at the command line).
    """

    command: Command
    library: Library
    snapshot: Snapshot
    asker: Asker
    now: datetime
    leagues: Leagues | None = None
    state: StateStore | None = None
    league: str = ""  # the league's folder
    content: Callable[[str, int], bytes] | None = None  # a message's file, of so many bytes at most

    def option(self, name: str, default: str = "") -> str:
        return self.command.options.get(name, default)


Answer = Callable[[Question], Reply]


@dataclass(frozen=True)
class Spec:
    """One command. The first of `words` is what help shows; `daily` answers change with the date, `live` ones always.

    `slow` ones may take seconds: they have threads of their own, and LINE shows meanwhile that the bot is at work (in 1:1
    chats).
    `plain`: only options (a season, a rating system) may follow its word; anything else is members' own talk.
    """

    name: str
    title: str
    help: str
    answer: Answer
    words: tuple[str, ...] = ()
    postback: str = ""
    admin: bool = False
    hidden: bool = False
    daily: bool = False
    live: bool = False
    plain: bool = False
    slow: bool = False

    @property
    def data(self) -> str:
        return self.postback or f"request_{self.name}"


def specs() -> dict[str, Spec]:
    """All commands by name, in the order of the menu."""
    from bot.answers.catalogue import SPECS

    return SPECS


def data_of(name: str, **options: object) -> str:
    """Postback data that asks a command with options."""
    query = urlencode({key: value for key, value in options.items() if value not in (None, "")})
    return specs()[name].data + (f"?{query}" if query else "")


def choice(label: str, name: str, **options: object) -> Choice:
    """A button that asks a command."""
    return Choice(label[:20], data_of(name, **options))


def from_postback(data: str) -> Command | None:
    """The command of postback data, None where it is none of ours."""
    word, _, query = data[:DATA_LIMIT].partition("?")
    spec = next((spec for spec in specs().values() if spec.data == word.strip()), None)
    if spec is None:
        return None
    pairs = parse_qsl(query, max_num_fields=12) if query.count("&") < 12 else []
    options = {key: value for key, value in pairs if key.isidentifier() and len(value) <= VALUE_LIMIT}
    return Command(spec.name, options)


def from_words(text: str) -> Command | None:
    """The command whose word the text is, or begins with (`個人 みどり`)."""
    words = normal(text).split()
    if not words:
        return None
    for spec in specs().values():
        if words[0] in map(normal, (*spec.words, spec.title)):
            rest = tuple(_original(text)[1:])
            return None if spec.plain and not _all_options(rest) else Command(spec.name, {}, rest)
    return None


def _all_options(words: tuple[str, ...]) -> bool:
    from bot.answers.common.scope import is_option

    return all(map(is_option, words))


def near_words(text: str) -> list[Spec]:
    """Commands whose word is nearly the text, nearest first."""
    known = {normal(word): spec for spec in specs().values() if not spec.hidden for word in spec.words}
    near = get_close_matches(normal(text)[:20], list(known), n=4, cutoff=0.5)
    return list({known[word].name: known[word] for word in near}.values())


def normal(text: str) -> str:
    """A text as words are compared: width and case folded, katakana as hiragana, long marks and spaces evened."""
    text = unicodedata.normalize("NFKC", text).casefold().strip()
    text = "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)
    return re.sub(r"\s+", " ", text)


def me_key(league: str, user: str) -> str:
    """Where the StateStore keeps which member a user is."""
    return f"me:{league}:{user}"


def _original(text: str) -> list[str]:
    return text.split()  # as typed: a name on Tenhou may hold full-width signs
