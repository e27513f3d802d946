"""Makes options of the words that were typed with a command, so that each answer reads options alone.

It knows the league: names of members, days of play, seasons. What the words say comes before the options they
change, where an answer was quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from bot import texts
from bot.answers.common.members import (
    SLOTS,
    key,
    members,
    names_of,
    near_names,
    player_choices,
    token,
)
from bot.answers.common.periods import Period, period_of
from bot.answers.common.scope import days_of, offered
from bot.answers.common.typed import LONGEST, Reader, Term, of_kind, stripped
from bot.chat.command import Ask, Catalogue, Command, Question, Spec, choice
from bot.chat.replies import Choice, UserError

NOT_BY_PERIOD = "「{}」は期間では出せません。下のボタンから選んでください。"
NOT_KNOWN = "「{}」が分かりませんでした。名前・期間・シーズンを確かめて、もう一度送ってください。"
PLACE = ("season", "from", "to", "date", "page")  # options that another period or season takes the place of
GOES_ALONG = ("season", "from", "to", "seats")  # options that another command takes over
Options = dict[str, str]


def understood(question: Question, catalogue: Catalogue) -> Question:
    """The question with the words typed as options, perhaps of another command: 「みどり 今月」 is a member's
    card.

    Words nobody understands stay where the command is `unknown`, which offers what is near. Raises UserError
    elsewhere, and for what a command can't be asked.
    """
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
    """The terms of the words, as near as they are; none for an `unknown` text. Raises UserError for a word
    nobody understands."""
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
    """The only member or command that a word is one typing error off, or the only member whose name it
    begins.

    Where something may be changed nothing is guessed.
    """
    word, spec = stripped(word), catalogue[question.command.name]
    if spec.action is not None:
        return ()
    short = len(word) < 4
    known = names_of(question.snapshot)
    begun = {player for name, player in known.items() if len(word) > 1 and name.startswith(key(word))}
    if len(begun) == 1:
        return (Term("member", begun.pop()),)
    alike = get_close_matches(key(word), list(known), n=4, cutoff=0.66 if short else 0.74)
    players = {known[name] for name in alike}
    specs = [] if len(word) < 3 or spec.talk else catalogue.near(word, 0.66 if short else 0.74)
    if len(players) + len(specs) != 1:
        return ()
    return (Term("member", players.pop()) if players else Term("command", specs[0].name),)


def _target(catalogue: Catalogue, command: Command, terms: Sequence[Term]) -> Spec | None:
    """The command that is asked: the one that was said, else the one that was quoted or typed first, else
    what fits the words."""
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
    """Put the period, the season and the number of seats into the options, in the place of those that were
    there."""
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
    """Put the members into the options. Return the command that can be asked of them: the card of one, 対決
    of two."""
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
    """The question of the command with these options. Raises UserError where it can't be asked for a
    period."""
    command, first, last = question.command, options.get("from", ""), options.get("to", "")
    if first and "period" not in target.takes:
        if first == last and "day" in target.takes:
            bare = command.tentative and command.name == Ask.UNKNOWN
            if bare and first not in map(
                str, days_of(question.snapshot)
            ):  # in a group members may be planning
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
