"""What is asked and who asks, without LINE: commands by their words and by the data of buttons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from functools import cached_property
from urllib.parse import urlencode

from bot.chat.replies import Choice, Reply
from bot.chat.tools import Tools
from bot.league.rating_cache import LeagueRatings
from bot.league.snapshot import LeagueSnapshot

LONGEST = 60  # characters of a message that is a command; what is longer is talk


@dataclass(frozen=True)
class Command:
    """What was asked: the command's name and options. `rest` holds the words typed after it.

    `tentative`: perhaps nobody asked, so in a group words that are not understood whole get no answer. `change`: the name and
    options are those of the answer that was quoted, and the words change them.
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    rest: tuple[str, ...] = ()
    tentative: bool = False
    change: bool = False


@dataclass(frozen=True)
class Asker:
    """Who asks, and where. `chat` is a group's, room's or user's id. `player` is the name on Tenhou, if known."""

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
    """What an answer reads: the command, one snapshot of the league and its ratings, who asks, and the time (JST)."""

    command: Command
    snapshot: LeagueSnapshot
    ratings: LeagueRatings
    asker: Asker
    now: datetime

    def option(self, name: str, default: str = "") -> str:
        """Return an option of the command, or `default`."""
        return self.command.options.get(name, default)


Answer = Callable[[Question], Reply]
Action = Callable[[Question, Tools], Reply]


@dataclass(frozen=True, kw_only=True)
class Spec:
    """One command: its name, the title of its button, a line of help, and what answers it.

    An `answer` only reads. An `action` may also change something, and gets the tools for that. Help shows the first of
    `words`. `admin`: for admins alone. `hidden`: in no menu. `daily`: the answer changes with the date. `live`: it is
    made anew each time (an action's always is). `plain`: it is about everybody, and only options (a season, a rating system)
    follow its word; with a member's name it is that member's card. `members`: how many members it can be asked about.
    `periods`: it can be asked for any period. `shortcuts`: words that ask it with options; words of other commands come before
    them. `longest`: characters of a message that may ask it. `slow`: it may take seconds, and has threads of its own.
    """

    name: str
    title: str
    help: str = ""
    answer: Answer | None = None
    action: Action | None = None
    words: tuple[str, ...] = ()
    admin: bool = False
    hidden: bool = False
    daily: bool = False
    live: bool = False
    plain: bool = False
    members: int = 0
    periods: bool = False
    shortcuts: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    longest: int = LONGEST
    slow: bool = False

    @property
    def takes_words(self) -> bool:
        """Whether the words typed with it are options and names, which are understood alike for all such commands."""
        return self.answer is not None and (self.plain or self.members > 0)

    @property
    def data(self) -> str:
        """The postback data that asks this command."""
        return data_of(self.name)


class Catalogue(Mapping[str, Spec]):
    """All commands by name, in the order of the menu. An index finds them by their words."""

    def __init__(self, specs: Iterable[Spec] = ()) -> None:
        self._specs: dict[str, Spec] = {spec.name: spec for spec in specs}

    def __getitem__(self, name: str) -> Spec:
        return self._specs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)

    def add(self, specs: Iterable[Spec]) -> None:
        """Add commands after those already there."""
        self._specs |= {spec.name: spec for spec in specs}
        self.__dict__.pop("_by_word", None)
        self.__dict__.pop("_by_data", None)
        self.__dict__.pop("any_word", None)

    @cached_property
    def _by_word(self) -> dict[str, Spec]:
        found: dict[str, Spec] = {}
        for spec in self._specs.values():
            for word in (*spec.words, spec.title):
                found.setdefault(normal(word), spec)
        for spec in self._specs.values():
            for word in spec.shortcuts:
                found.setdefault(normal(word), spec)
        return found

    @cached_property
    def _by_data(self) -> dict[str, Spec]:
        return {spec.data: spec for spec in self._specs.values()}

    def by_word(self, word: str) -> Spec | None:
        """Return the command of a word, whatever its width, case and kana. None if there is none."""
        return self.by_normal(normal(word))

    def by_normal(self, word: str) -> Spec | None:
        """Return the command of a word in the form in which words are compared. None if there is none."""
        return self._by_word.get(word)

    @cached_property
    def any_word(self) -> re.Pattern[str]:
        """Finds any command's word in a text in the form in which words are compared."""
        return re.compile("|".join(map(re.escape, sorted(self._by_word, key=len, reverse=True))) or "(?!)")

    def options_of(self, word: str) -> dict[str, str]:
        """Return the options that a word stands for beside its command, as `トップ率` for a board of ランキング."""
        spec, plain = self.by_word(word), normal(word)
        if spec is None or any(normal(own) == plain for own in (*spec.words, spec.title)):
            return {}
        return next((dict(each) for own, each in spec.shortcuts.items() if normal(own) == plain), {})

    def by_data(self, data: str) -> Spec | None:
        """Return the command of postback data without options. None if there is none."""
        return self._by_data.get(data)

    def near(self, text: str, likeness: float = 0.5) -> list[Spec]:
        """Return the commands (four at most) whose word is nearly the text, nearest first. `likeness` is difflib's ratio."""
        known = {normal(word): spec for spec in self.values() if not spec.hidden for word in spec.words}
        found = get_close_matches(normal(text)[:20], list(known), n=4, cutoff=likeness)
        return list(dict.fromkeys(known[word] for word in found))


def data_of(name: str, **options: object) -> str:
    """Return the postback data that asks a command with options. Empty options are left out."""
    query = urlencode({key: value for key, value in options.items() if value not in (None, "")})
    return f"request_{name}" + (f"?{query}" if query else "")


def choice(label: str, name: str, **options: object) -> Choice:
    """Return a button that asks a command. Its label is cut at LINE's 20 characters."""
    return Choice(label[:20], data_of(name, **options))


def normal(text: str) -> str:
    """Return a text as words are compared: width and case folded, katakana as hiragana, spaces evened."""
    text = unicodedata.normalize("NFKC", text).casefold().strip()
    text = "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)
    return re.sub(r"\s+", " ", text)
