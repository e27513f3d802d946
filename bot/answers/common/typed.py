"""Reads what members type as one would say it: 「6月の着順」, 「みどり 今月」, 「収支は？」, 「みどり
白發中」.

A text is read whole or not at all: as terms (a command, members, a period, a season, seats, a rating system),
with the little words between them. What is read becomes the options of a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from bot.answers.common.members import key
from bot.answers.common.model_names import BY_WORD
from bot.answers.common.periods import is_period
from bot.answers.common.scope import ALL
from bot.chat.command import Catalogue, Kind, Spec, normal

LONGEST = 40  # characters of a text that is read
GLUED = 16  # characters of words that may stand together without anything between
TermKind = Kind | Literal["command", "member", "part", "again"]


def _by_normal(words: Mapping[str, str]) -> dict[str, str]:
    return {normal(word): value for value, said in words.items() for word in said.split()}


SEATS = _by_normal(
    {
        "3": "三人 3人 三人打ち 3人打ち 三麻 サンマ 三人麻雀 3麻",
        "4": "四人 4人 四人打ち 4人打ち 四麻 ヨンマ 四人麻雀 4麻",
    }
)
_SEASONS = _by_normal(
    {
        "latest": "今シーズン 今期 今季 このシーズン",
        "before": "前シーズン 先シーズン 前期 昨季",
        ALL: "全部 全期間 全シーズン 通算 all",
    }
)
_SEASON = re.compile(r"^(?:第|シーズン|しーずん|s)?([0-9]{1,4})(?:シーズン|しーずん|期)?$")
_AGAIN = _by_normal({"": "もう一度 もういちど もう1回 もう一回 もっかい 最新 更新 再度"})
_ENDS = (
    "の は わ が を も と で って だと なら 、 。"
    " , ! ? … ~ ー 教えて おしえて 見せて みせて 出して だして 見たい みたい 知りたい "
    "ください 下さい お願い お願いします おねがい おねがいします よろしく どう どうだった どうなの "
    "どうですか の場合 どうなった 何位"
)
# Read backwards, the longest first: so each character is looked at once, however many little words there are.
_ONE = "|".join(re.escape(end[::-1]) for end in sorted(_ENDS.split(), key=len, reverse=True))
_LAST, _LITTLE = re.compile(_ONE), re.compile(f"(?:{_ONE})*+")
_BETWEEN = re.compile(r"[\s・、,/&＆+]+|の|と|は|を|で|が|対|vs\.?|VS\.?|ｖｓ")


@dataclass(frozen=True)
class Term:
    """A part of a text: its kind, and a command's name, a member's name on Tenhou, an option's value, or a
    period's words."""

    kind: TermKind
    value: str
    options: tuple[tuple[str, str], ...] = ()  # of a word that stands for options


class Reader:
    """Reads texts by a catalogue's words and by members' names: `names` gives the name on Tenhou of a name's
    `key`.

    `spec`: the command with which the text was typed, whose parts are known too.
    """

    def __init__(self, catalogue: Catalogue, names: Mapping[str, str], spec: Spec | None = None) -> None:
        self._catalogue = catalogue
        self._names = names
        self._parts = {normal(word): options for word, options in spec.parts.items()} if spec else {}

    def read(self, text: str) -> tuple[Term, ...]:
        """The terms of a text in order; none where any part of it is unknown."""
        text = text.strip()
        if not text or len(text) > LONGEST:
            return ()

        term = cache(self.term)

        @cache
        def terms(part: str) -> tuple[Term, ...]:
            part = part.strip()
            if whole := next(filter(None, map(term, endings(part))), None):
                return (whole,)
            if (short := stripped(part)) != part and short and (found := terms(short)):
                return found
            for left, right in _splits(part):
                first = next(filter(None, map(term, endings(left))), None)
                if first and (rest := terms(right)):
                    return (first, *rest)
            return ()

        return terms(text)

    def term(self, word: str) -> Term | None:
        """The one term that a word is. A member's name comes first, then a part's and a command's word."""
        if player := self._names.get(key(word)):
            return Term("member", player)
        if options := self._parts.get(normal(word)):
            return Term("part", "", tuple(options.items()))
        spec = self._catalogue.by_word(word)
        if spec is not None and not spec.admin:
            return Term("command", spec.name, tuple(self._catalogue.options_of(word).items()))
        return scope_term(word)

    def may_hold(self, text: str) -> bool:
        """Whether a text holds a word of a command or rating system or a member's name at all: cheap, and
        False for most talk."""
        words = normal(text)
        if self._catalogue.any_word.search(words) or any(model in words for model in BY_WORD):
            return True
        plain = key(text)
        return any(name in plain for name in self._names)


@lru_cache(2048)
def scope_term(word: str) -> Term | None:
    """The term of a word that is no name and no command: seats, a season, a rating system, a period, or
    "again"."""
    plain = normal(word)
    if plain in _AGAIN:
        return Term("again", "")
    if plain in SEATS:
        return Term("seats", SEATS[plain])
    if season := _SEASONS.get(plain):
        return Term("season", season)
    if number := _SEASON.match(plain):
        return Term("season", str(int(number[1])))
    if plain in BY_WORD:
        return Term("model", BY_WORD[plain])
    return Term("period", word) if is_period(word) else None


def stripped(word: str) -> str:
    """A word without the little words at its end: 収支は？ -> 収支."""
    return _LITTLE.sub("", _backwards(word), count=1)[::-1]


def endings(word: str) -> Iterator[str]:
    """A word, then with the little words at its end taken off one by one: 収支は？, 収支は, 収支."""
    yield word
    backwards, at = _backwards(word), 0
    while found := _LAST.match(backwards, at):
        at = found.end()
        yield backwards[at:][::-1]


def _backwards(word: str) -> str:
    return word.translate(str.maketrans("？！〜", "?!~")).strip()[::-1]


def _splits(part: str) -> Iterator[tuple[str, str]]:
    """The ways to split a text in two, the longest beginning first: at what stands between words, then
    anywhere."""
    for found in reversed(list(_BETWEEN.finditer(part))):
        if found.start() and found.end() < len(part):
            yield part[: found.start()], part[found.end() :]
    if len(part) <= GLUED:
        for at in range(len(part) - 2, 1, -1):
            yield part[:at], part[at:]


def of_kind(terms: Sequence[Term], kind: TermKind) -> list[str]:
    """The values of the terms of a kind, each once, in order."""
    return list(dict.fromkeys(term.value for term in terms if term.kind == kind))
