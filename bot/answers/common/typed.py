"""Reads what members type (「6月の着順」, 「みどり 今月」, 「収支は？」), and makes options of it.


A text is read whole or not at all: as terms (a command, members, a period, a season, seats, a rating system),
with the little words between them. What the words say comes before the options they change, where an answer
was quoted; so each answer reads options alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from bot import texts
from bot.answers.common.members import (
    SLOTS,
    key,
    likely_members,
    likeness,
    members,
    names_of,
    near_names,
    player_choices,
    token,
)
from bot.answers.common.periods import Period, is_period, period_of
from bot.answers.common.ratings import BY_WORD
from bot.answers.common.scope import ALL, days_of, offered
from bot.chat.command import Ask, Catalogue, Command, Kind, Question, Spec, choice, normal
from bot.chat.replies import Choice, UserError

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
    `key`. `spec`: the command with which the text was typed, whose parts are known too."""

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
        """Whether a text holds a command's, system's or member's name at all: cheap, False for most talk."""
        words = normal(text)
        if self._catalogue.any_word.search(words) or any(model in words for model in BY_WORD):
            return True
        plain = key(text)
        return any(name in plain for name in self._names)


@lru_cache(2048)
def scope_term(word: str) -> Term | None:
    """The term of a word that is no name and no command: seats, season, system, period or "again"."""
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
    """The ways to split a text, the longest beginning first: at what stands between words, then anywhere."""
    for found in reversed(list(_BETWEEN.finditer(part))):
        if found.start() and found.end() < len(part):
            yield part[: found.start()], part[found.end() :]
    if len(part) <= GLUED:
        for at in range(len(part) - 2, 1, -1):
            yield part[:at], part[at:]


def of_kind(terms: Sequence[Term], kind: TermKind) -> list[str]:
    """The values of the terms of a kind, each once, in order."""
    return list(dict.fromkeys(term.value for term in terms if term.kind == kind))


NOT_BY_PERIOD = "「{}」は期間では出せません。下のボタンから選んでください。"
NOT_KNOWN = "「{}」が分かりませんでした。名前・期間・シーズンを確かめて、もう一度送ってください。"
PLACE = ("season", "from", "to", "date", "page")  # options that another period or season takes the place of
GOES_ALONG = ("season", "from", "to", "seats")  # options that another command takes over
Options = dict[str, str]


def understood(question: Question, catalogue: Catalogue) -> Question:
    """The question with the words typed as options, perhaps of another command: 「みどり 今月」 is a member's
    card. Words nobody understands stay where the command is `unknown`, which offers what is near. Raises
    UserError elsewhere, and for what a command can't be asked."""
    command = question.command
    spec = catalogue[command.name]
    if not (spec.takes_words or command.name == Ask.UNKNOWN):
        return question
    if not any(map(stripped, command.rest)):
        if command.change:
            raise UserError(NOT_KNOWN.format(" ".join(command.rest)), offered(), chatter=True)
        return question
    terms = _read(question, catalogue)
    target = _target(catalogue, command, terms)
    if not terms or target is None:
        return question
    options = dict(command.options)
    if target.name != command.name:
        along = (*GOES_ALONG, *SLOTS[: target.names])
        options = {name: value for name, value in options.items() if name in along}
    options |= {name: value for term in terms for name, value in term.options}
    if "model" in target.takes and (model := of_kind(terms, "model")):
        options["model"] = model[0]
    _put_scope(question, terms, options)
    target = _put_members(question, catalogue, target, terms, options)
    return _asked(question, catalogue, target, options)


def _read(question: Question, catalogue: Catalogue) -> tuple[Term, ...]:
    """The words' terms; () for an `unknown` text. Raises UserError for a word nobody understands."""
    command, snapshot = question.command, question.snapshot
    spec, text = catalogue[command.name], " ".join(command.rest)
    reader = Reader(catalogue, names_of(snapshot), spec)
    if terms := reader.read(text):
        return terms
    if command.tentative and (command.change or not question.asker.alone):
        raise UserError(NOT_KNOWN.format(text[:LONGEST]), offered(), chatter=True)
    found: list[Term] = []
    for word in filter(stripped, text.split()):
        terms = reader.read(word) or _near(question, catalogue, word)
        if terms:
            found += terms
            continue
        if command.name == Ask.UNKNOWN:
            return ()
        if not spec.names:
            raise UserError(NOT_KNOWN.format(word[:LONGEST]), _ways_on(question, spec), chatter=spec.talk)
        named = of_kind(found, "member")
        known = {"player": token(named[0])} if named and spec.names == 2 else {}
        if near := near_names(snapshot, stripped(word)):
            raise UserError(texts.NEAR_PLAYER, player_choices(question, near, **known))
        everyone = player_choices(question, members(snapshot), **known)
        raise UserError(texts.NO_SUCH_PLAYER, everyone, chatter=spec.talk)
    return tuple(found)


def _near(question: Question, catalogue: Catalogue, word: str) -> tuple[Term, ...]:
    """The only member or command a word is one typo off, or the only member whose name it begins. Where
    something may be changed nothing is guessed."""
    word, spec = stripped(word), catalogue[question.command.name]
    if spec.action is not None:
        return ()
    players, begun = likely_members(names_of(question.snapshot), word)
    near = begun or len(word) < 3 or spec.talk
    specs = [] if near else catalogue.near(word, likeness(word))
    if len(players) + len(specs) != 1:
        return ()
    return (Term("member", players.pop()) if players else Term("command", specs[0].name),)


def _target(catalogue: Catalogue, command: Command, terms: Sequence[Term]) -> Spec | None:
    """The command that is asked: said, else quoted or typed first, else what fits the words."""
    said = [catalogue[name] for name in of_kind(terms, "command") if name != command.name]
    if said:
        return said[0] if len(said) == 1 and said[0].repeatable else None
    if command.name != Ask.UNKNOWN:
        return catalogue[command.name]
    members, others = of_kind(terms, "member"), {term.kind for term in terms} - {"again"}
    if members:
        return catalogue[Ask.PAIR if len(members) > 1 else Ask.PLAYER]
    if others == {"period"}:
        return catalogue[Ask.TODAY]
    if "model" in others:
        return catalogue[Ask.RATING]
    return catalogue[Ask.SUM] if others else None


def _put_scope(question: Question, terms: Sequence[Term], options: Options) -> None:
    """Put the period, season and seats into the options, in the place of those that were there."""
    periods, seasons = of_kind(terms, "period"), of_kind(terms, "season")
    if periods or seasons:
        for name in PLACE:
            options.pop(name, None)
    if seats := of_kind(terms, "seats"):
        options["seats"] = seats[0]
    if seasons:
        numbers = [str(season.number) for season in question.snapshot.seasons]
        named = {"latest": numbers[-1:] or ["0"], "before": numbers[-2:-1] or ["0"]}
        options["season"] = named.get(seasons[0], seasons)[0]
    if periods:
        days, today = days_of(question.snapshot), question.now.date()
        found = [period for word in periods if (period := period_of(word, today, days))]
        if found:
            first, last = min(each.first for each in found), max(each.last for each in found)
            options |= Period(first, last).options


def _put_members(
    question: Question, catalogue: Catalogue, target: Spec, terms: Sequence[Term], options: Options
) -> Spec:
    """Put the members into the options; return the command to ask: the card of one, 対決 of two."""
    players = [token(player) for player in of_kind(terms, "member")]
    if not players:
        return target
    if len(players) > target.names and not target.talk:
        target = catalogue[Ask.PAIR if len(players) > 1 else Ask.PLAYER]
        for name in set(options) - set(GOES_ALONG):
            del options[name]
    if target.name == Ask.PAIR and len(players) == 1 and "other" in options:
        players = [options["player"], players[0]]  # the second one of those that were compared is replaced
    asker = question.asker.player
    if target.name == Ask.PAIR and len(players) == 1 and asker and "player" not in options:
        players = [token(asker), *players] if token(asker) not in players else players
    for name in (*SLOTS, "who", "page"):
        options.pop(name, None)
    options |= dict(zip(SLOTS[: target.names], players, strict=False))
    return target


def _asked(question: Question, catalogue: Catalogue, target: Spec, options: Options) -> Question:
    """The command's question with these options. Raises UserError where it takes no period."""
    command, first, last = question.command, options.get("from", ""), options.get("to", "")
    if first and "period" not in target.takes:
        if first == last and "day" in target.takes:
            bare = command.tentative and command.name == Ask.UNKNOWN
            days = map(str, days_of(question.snapshot))
            if bare and first not in days:  # in a group members may be planning
                raise UserError(NOT_KNOWN.format(" ".join(command.rest)[:LONGEST]), offered(), chatter=True)
            kept = {name: value for name, value in options.items() if name not in ("from", "to", "season")}
            options = {"date": first, **kept}
        elif target.instead:
            target = catalogue[target.instead]
        elif target.talk:
            options = {name: value for name, value in options.items() if name not in ("from", "to")}
        else:
            ways = tuple(
                choice(catalogue[name].title, name, **options) for name in (Ask.SUM, Ask.RANK, Ask.RATING)
            )
            alone = choice(target.title, target.name)
            raise UserError(NOT_BY_PERIOD.format(target.title), offered(*ways, alone))
    return replace(question, command=Command(target.name, options))


def _ways_on(question: Question, spec: Spec) -> tuple[Choice, ...]:
    """The command alone, its periods, and the members' cards."""
    ways = [choice(spec.title, spec.name)]
    if "period" in spec.takes:
        ways.append(choice("期間", Ask.PERIOD, of=spec.name))
    shown = question.snapshot.league.shown
    names = [choice(shown(p), Ask.PLAYER, player=token(p)) for p in members(question.snapshot)[:8]]
    return offered(*ways, *names)
