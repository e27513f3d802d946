"""Commands without LINE: their words, the data of their buttons, and the questions to them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from enum import Enum
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, Protocol
from urllib.parse import urlencode

from bot.chat.access import ChatAccess
from bot.chat.links import LeagueLinks
from bot.chat.replies import Choice, Reply, UserError
from bot.draw.parts import Fact
from bot.league.ratings import LeagueRatings
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.finding import Finding
from bot.tenhou.paifu_fetcher import PaifuFetcher
from bot.tenhou.room_now import RoomAsker
from storage.ports import LogSource
from storage.state import State

DATA = "request_"  # begins the postback data of every command
ADMIN_ONLY = "この操作は管理者専用です。管理者にお願いしてください。"
NOT_HERE = "このボットでは、それは見られません。「メニュー」から選んでください。"
LONGEST = 60  # characters of a message that is a command; what is longer is talk


class Ask:
    """The names of the commands that others lead to, in the order of help. The features have the
    commands: what leads to one that no feature has vanishes."""

    RATING: Final = "rating"
    MODELS: Final = "models"
    SUM: Final = "sum"
    TIP: Final = "tip"
    RANK: Final = "rank"
    RANKING: Final = "ranking"
    RANKS: Final = "ranks"
    POINT: Final = "point"
    TODAY: Final = "today"
    RECENT: Final = "recent"
    POSTER: Final = "poster"
    PLAYER: Final = "player"
    MATCHUP: Final = "matchup"
    PAIR: Final = "pair"
    FIGURE: Final = "figure"
    TEAM: Final = "team"
    SUMMARY: Final = "summary"
    RECAP: Final = "recap"
    YEAR: Final = "year"
    FORECAST: Final = "forecast"
    NEEDS: Final = "needs"
    IF: Final = "if"
    SKILL: Final = "skill"
    COMPARE: Final = "compare"
    PAIFU: Final = "paifu"
    PAIFU_LUCK: Final = "paifu_luck"
    GALLERY: Final = "gallery"
    LAST_RECORD: Final = "last_record"
    RECORDS: Final = "records"
    RECORD_REPORT: Final = "record_report"
    DANGER: Final = "danger"
    QUIZ: Final = "quiz"
    EXPORT: Final = "export"
    PAGE: Final = "page"
    END_LINKS: Final = "end_links"
    PERIOD: Final = "period"
    RECORD: Final = "record"
    ROOM: Final = "room"
    SIGNUP: Final = "signup"
    TABLE_GAME: Final = "table_game"
    UNDO: Final = "undo"
    FINE: Final = "fine"
    RULES: Final = "rules"
    ME: Final = "me"
    GREETING: Final = "greeting"
    UNKNOWN: Final = "unknown"
    MENU: Final = "menu"
    HELP: Final = "help"
    ENROL: Final = "enrol"
    REMOVE: Final = "remove"
    SETTINGS: Final = "settings"
    NEW_SEASON: Final = "new_season"
    ALIAS: Final = "alias"
    TEAM_EDIT: Final = "team_edit"
    MODEL: Final = "model"
    ROOMS: Final = "rooms"
    MEMBERS: Final = "members"
    CONFIRM: Final = "confirm"
    FILES: Final = "files"
    STATUS: Final = "status"
    LOST: Final = "lost"
    IDENT: Final = "ident"
    HIDE: Final = "hide"
    FORGET_ME: Final = "forget_me"

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(name for word, name in vars(cls).items() if word.isupper())


Kind = Literal["day", "period", "season", "seats", "model"]
TermKind = Kind | Literal["command", "member", "self", "games", "part", "again"]


@dataclass(frozen=True)
class Term:
    """A part of a text: its kind, and as `value` a command's name, a member's name on Tenhou, an
    option's value, or words. `guessed`: it is a part or a reading of a name, or misspelt.
    """

    kind: TermKind
    value: str
    options: tuple[tuple[str, str], ...] = ()  # of a word that stands for options
    word: str = ""  # of a command, as it was typed
    guessed: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Command:
    """The command's name and options; `rest` are the words typed after it. `tentative`: perhaps it
    was not meant for the bot, so in a group words not understood get no answer. `change`: the words
    change the answer that was quoted. `word`: the command's, as typed. `terms` are what `rest` was
    read as, () where it has not been read yet."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    rest: tuple[str, ...] = ()
    tentative: bool = False
    change: bool = False
    word: str = field(default="", compare=False)
    terms: tuple[Term, ...] = field(default=(), compare=False)

    @property
    def typed(self) -> bool:
        """Whether somebody wrote it. A button's command is complete by itself."""
        return bool(self.word or self.rest)


@dataclass(frozen=True)
class Asker:
    """The user of a question; `chat` is a group's, room's or user's id, `player` the name on Tenhou,
    if known."""

    chat: str
    user: str = ""
    admin: bool = False
    player: str = ""

    @property
    def alone(self) -> bool:
        return self.chat == self.user


@dataclass(frozen=True)
class Question:
    """What an answer reads: the command, one snapshot of the league and its ratings, the asker, the
    time (JST), all commands, and LINE's time of the tap (epoch seconds)."""

    command: Command
    snapshot: LeagueSnapshot
    ratings: LeagueRatings
    asker: Asker
    now: datetime
    catalogue: Catalogue
    at: float = 0.0

    @property
    def spec(self) -> Spec:
        return self.catalogue[self.command.name]

    def answer_of(self, name: str, **options: str) -> Reply | None:
        """The answer of another command to the same asker; None where the bot has no such command,
        or there is nothing to answer.
        """
        spec = self.catalogue.get(name)
        if spec is None or spec.answer is None:
            return None
        try:
            return spec.answer(replace(self, command=Command(name, options)))
        except UserError:
            return None

    def option(self, name: str, default: str = "") -> str:
        """An option of the command, or `default`."""
        return self.command.options.get(name, default)


class Parts(Protocol):
    """The service's parts that actions use. `checks` and `find_rooms` send requests, for seconds."""

    state: State
    access: ChatAccess
    registry: LeagueRegistry
    paifus: PaifuFetcher
    rooms: RoomAsker
    links: LeagueLinks

    def checks(self) -> Sequence[Finding]:
        """Check the set-up with real calls."""

    def forget_user(self, user: str, at: float) -> None:
        """Forget a user's id in all that is stored until LINE's time `at`. Raises StorageError."""

    def find_rooms(self, names: Sequence[str]) -> Any:
        """Find the rooms where these players played together lately: a RoomSearch
        (bot/sync/room_search.py)."""


@dataclass(frozen=True)
class Tools:
    """What an action gets in addition to its question. `folder` is the league's ("" for the root).
    `content(message, limit)` returns a message's file, cut after `limit` + 1 bytes, or None;
    `member(chat, user)` a member's name on LINE, "" where LINE does not answer, None for a user who
    is not in the chat."""

    folder: str
    league: LeagueRepository
    parts: Parts
    content: Callable[[str, int], bytes | None]
    member: Callable[[str, str], str | None]

    @property
    def logs(self) -> LogSource:
        return self.league.logs


FactMaker = Callable[[Question, str, int], Sequence[Fact]]
"""Returns what a feature knows of a member (the name on Tenhou) in games with so many seats."""
Answer = Callable[[Question], Reply]
Action = Callable[[Question, Tools], Reply]


BY_SEASON: tuple[Kind, ...] = ("season", "seats")
BY_DAY: tuple[Kind, ...] = (*BY_SEASON, "day")
BY_PERIOD: tuple[Kind, ...] = (*BY_DAY, "period")


class Below(Enum):
    """The buttons below an answer: its own offers, the same question about other seasons, the other
    number of seats, or whatever it takes of periods, seasons and seats (AGAIN)."""

    OWN = "own"
    SEASONS = "seasons"
    SEATS = "seats"
    AGAIN = "again"


@dataclass(frozen=True, kw_only=True)
class Spec:
    """One command: its name, the title of its button, a line of help, and what answers it: an
    `answer` only reads, an `action` may also change something, and gets the tools for that.

    Recognised by `words` (spaces between), of which help shows the first, and `shortcuts`, words
    with options (words of other commands come before them), in messages of at most `longest`
    characters. `everyday`: those of its words that people also begin other sentences with. `talk`:
    its words are also members' talk, so in a group what names nobody gets no answer, and a period
    or members more than it takes are passed over. `bare`: nothing but a season, a period or a
    rating system may follow its word.

    `takes` lists the kinds of words that become its options, `names` is the number of members that
    it can distinguish, `parts` has the words that choose a part of it; without `takes` and `names`
    it reads its words itself. `instead` is the command for a period that this one doesn't take;
    `figure` is the figure of it that one member gets in a line (俺の収支).

    With fewer than `fewest` games the answer is the sentence `empty`: {title} is the games of the
    question, {fewest} and {played} numbers. `below` are the buttons below the answer, and below
    that sentence: commands by name, about the same games, Below, and choices. `hidden`: not in
    help; `admin`: for admins alone. `daily`: the answer changes with the date; `live`: it is made
    again each time (an action's always is); `slow`: it may take seconds, and has threads of its own.

    `of_asker`: where no member is named it is about the asker. `without_offers`: no feature offers
    anything with its answer. `reports_faults`: it reports the faults of the league's files itself,
    so that no notice does. In a chat without a league `for_strangers` makes the answer from the
    chat's and the user's id, and an admin may use it where it `enrols`."""

    name: str
    title: str
    help: str = ""
    answer: Answer | None = None
    action: Action | None = None
    words: str = ""
    shortcuts: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    longest: int = LONGEST
    everyday: str = ""
    talk: bool = False
    bare: bool = False
    takes: tuple[Kind, ...] = ()
    names: int = 0
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    instead: str = ""
    figure: str = ""
    fewest: int = 1
    empty: str = ""
    below: tuple[str | Below | Choice, ...] = ()
    hidden: bool = False
    admin: bool = False
    daily: bool = False
    live: bool = False
    slow: bool = False
    of_asker: bool = False
    without_offers: bool = False
    reports_faults: bool = False
    for_strangers: Callable[[str, str], Reply] | None = None
    enrols: bool = False

    @property
    def takes_words(self) -> bool:
        """Whether the words typed with it become options, in the same way for all such commands."""
        return bool(self.takes or self.names)

    @property
    def repeatable(self) -> bool:
        """Whether its answer can be quoted, and requested again with other words."""
        return self.takes_words and self.answer is not None

    @property
    def data(self) -> str:
        return data_of(self.name)

    def act(self, question: Question, tools: Tools) -> Reply:
        """Do the action. Raises UserError also for a user who may not use it."""
        assert self.action is not None
        if self.admin:
            require_admin(question)
        return self.action(question, tools)


def require_admin(question: Question) -> None:
    """Raises UserError for everybody but an admin; in a group the words are taken for members' talk
    and get no answer.
    """
    if not question.asker.admin:
        raise UserError(ADMIN_ONLY, chatter=True)


class CommandWord(NamedTuple):
    """A command's word: the command, and the options that the word means."""

    spec: Spec
    options: Mapping[str, str]


class Catalogue(dict[str, Spec]):
    """All commands by name, in the order of help; `words` has every word, as words are compared,
    with its command."""

    def __init__(
        self,
        specs: Iterable[Spec] = (),
        facts: Sequence[FactMaker] = (),
    ) -> None:
        """`facts` make what features know of members, in the order of a card."""
        super().__init__()
        self._facts = facts
        self.words: dict[str, CommandWord] = {}
        self.add(specs)

    def __missing__(self, name: str) -> Spec:
        """Raises UserError: a member wants a command of a feature that the bot does not have."""
        raise UserError(NOT_HERE, (choice("メニュー", Ask.MENU),), chatter=True)

    def add(self, specs: Iterable[Spec]) -> None:
        """Add commands after those already there. The words of all come before shortcuts."""
        self.update({spec.name: spec for spec in specs})
        entries: list[tuple[str, CommandWord]] = []
        for spec in self.values():
            entries += [(word, CommandWord(spec, {})) for word in (*spec.words.split(), spec.title)]
        for spec in self.values():
            for word, options in spec.shortcuts.items():
                entries.append((word, CommandWord(spec, options)))
        self.words = {normal(word): entry for word, entry in reversed(entries)}
        for cached in ("absent", "any_word", "kana_words"):
            self.__dict__.pop(cached, None)

    def check(self, others: Iterable[str] = ()) -> None:
        """Raises ValueError where a Spec names a command that is neither here nor in `others`."""
        names = {spec.instead for spec in self.values()} - {""}
        for spec in self.values():
            names.update(entry for entry in spec.below if isinstance(entry, str))
        missing = sorted(names - {*self, *others})
        if missing:
            raise ValueError(f"no such command: {', '.join(missing)}")

    def by_word(self, word: str) -> Spec | None:
        """The command of a word, whatever its width, case and kana. None for no command."""
        entry = self.words.get(normal(word))
        if entry is None:
            return None
        return entry.spec

    @cached_property
    def absent(self) -> frozenset[str]:
        """The names in Ask of the commands that are not here."""
        return frozenset(Ask.names()) - frozenset(self)

    @cached_property
    def kana_words(self) -> dict[str, str]:
        """The words in kana of the commands that only read -> the commands' names."""
        names = {}
        for word, (spec, _options) in self.words.items():
            only_reads = spec.answer and not spec.talk
            if only_reads and re.fullmatch("[ぁ-ん][ぁ-んー]{2,}", word):
                names[word] = spec.name
        return names

    @cached_property
    def any_word(self) -> re.Pattern[str]:
        """A pattern for any command's word, in the form in which words are compared."""
        return re.compile("|".join(map(re.escape, self.least_words())) or "(?!)")

    def least_words(self) -> list[str]:
        """The words that contain no other word: a text with a longer one has one of these, too."""
        words = self.words.keys()
        return [word for word in words if words.isdisjoint(_parts(word) - {word})]

    def facts_of(self, question: Question, player: str, seats: int) -> tuple[Fact, ...]:
        """What features know of a member in games with so many seats."""
        facts: list[Fact] = []
        for make in self._facts:
            facts += make(question, player, seats)
        return tuple(facts)

    def options_of(self, word: str) -> dict[str, str]:
        """The options that a word means in addition to its command, as `トップ率` for a board of
        ランキング.
        """
        entry = self.words.get(normal(word))
        if entry is None:
            return {}
        return dict(entry.options)

    def by_data(self, data: str) -> Spec | None:
        """The command of postback data without options. None for no command."""
        return self.get(data.removeprefix(DATA)) if data.startswith(DATA) else None

    def near(self, text: str, likeness: float = 0.5) -> list[Spec]:
        """At most four commands whose word is nearly the text, nearest first; `likeness` is
        difflib's.
        """
        by_word: dict[str, Spec] = {}
        for spec in self.values():
            if not spec.hidden:
                by_word |= {normal(word): spec for word in spec.words.split()}
        matches = get_close_matches(normal(text)[:20], list(by_word), n=4, cutoff=likeness)
        return list(dict.fromkeys(by_word[word] for word in matches))


def _parts(word: str) -> set[str]:
    """All texts that occur in a word, itself included."""
    parts: set[str] = set()
    for end in range(len(word) + 1):
        parts.update(word[begin:end] for begin in range(end))
    return parts


def data_of(name: str, **options: object) -> str:
    """The postback data of a command with options. Empty options are left out."""
    values = {key: value for key, value in options.items() if value not in (None, "")}
    if not values:
        return f"{DATA}{name}"
    return f"{DATA}{name}?{urlencode(values)}"


def choice(label: str, name: str, **options: object) -> Choice:
    """A button of a command. Its label is cut at LINE's 20 characters."""
    return Choice(label[:20], data_of(name, **options))


_DIGITS = "〇一二三四五六七八九"
_KANJI_DATE = re.compile("[一二三四五六七八九十]{1,3}(?=[月日週位着戦回](?!曜))")
_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_SAME = (
    str.maketrans(
        "發澤邊邉廣國櫻齋齊斎髙﨑萬圓龍眞惠瀧島嶋", "発沢辺辺広国桜斉斉斉高崎万円竜真恵滝島島"
    )
    | _HIRAGANA
)


def normal(text: str) -> str:
    """A text as words are compared: in one width, case and kana, with new kanji, dates in figures
    and single spaces."""
    text = unicodedata.normalize("NFKC", text).casefold().strip()
    text = text.translate(_SAME).replace("だれ", "誰")
    text = _KANJI_DATE.sub(_in_figures, text)
    return re.sub(r"\s+", " ", text)


def _in_figures(match: re.Match[str]) -> str:
    return str(_number(match[0]))


def _number(kanji: str) -> int:
    """The number, below 100, that kanji write: 十三 is 13."""
    tens, ten, ones = kanji.rpartition("十")
    number = max(_DIGITS.find(ones[:1] or "〇"), 0)
    if tens:
        number += 10 * _DIGITS.find(tens)
    elif ten:
        number += 10
    return number
