"""What a text asks in which no command's word comes first: 6月の着順, みどり 先月, 俺の直近50戦. In a
group most such texts are members' talk, which asks nothing."""

import re
from collections.abc import Sequence

from bot.answers.common.periods import is_date, is_day
from bot.answers.common.reader import asks, of_kind, reported
from bot.answers.common.typed import settled
from bot.chat.command import Ask, Catalogue, Command, Spec, Term

_CHEER = re.compile(r"[!！]")
_WANTED = re.compile(r"の|vs|対|[?？]")  # 俺の先月 is a question, 俺 先月 is talk
_SHOWN = re.compile("見せて|みせて|教えて|おしえて|どんな感じ|調子")  # さくらどう？ is talk
_AGAINST = re.compile(r"vs|対|×|どっちが|どちらが|に強い|に弱い|に勝て", re.IGNORECASE)


def command_in_text(
    catalogue: Catalogue, terms: tuple[Term, ...], text: str, overheard: bool
) -> Command | None:
    """The command of a text that was read as these terms; None for talk. `overheard`: it may be
    meant for others. A text without a command's word needs two members, a member and a period, a
    day, a season or a rating system. The command has the terms, so that the text is not read again.
    """
    meant = settled(terms)
    commands = of_kind(meant, "command")
    if commands:
        spec = catalogue[commands[0]]
        if len(commands) > 1 or not (spec.takes_words or spec.answer):
            return None
        if overheard and _is_talk(spec, meant, text):
            return None
        if not spec.takes_words:
            return Command(spec.name, tentative=overheard)
        name = spec.name
    elif of_kind(meant, "games"):
        name = Ask.RECENT
    elif _asks_without_command(meant, text, overheard):
        name = Ask.UNKNOWN
    else:
        return None
    return Command(name, rest=(text,), tentative=overheard, terms=terms)


def _is_talk(spec: Spec, terms: Sequence[Term], text: str) -> bool:
    """Whether a text with a word of this command is talk: the word is one that members also say
    among themselves, and nothing says that they want an answer."""
    if not spec.talk or asks(text):
        return False
    if _CHEER.search(text):
        return True
    if spec.name != Ask.ME:
        return False
    return not (of_kind(terms, "period") and _WANTED.search(text))


def _asks_without_command(terms: Sequence[Term], text: str, overheard: bool) -> bool:
    """Whether a text without a command's word asks something."""
    kinds = [term.kind for term in terms]
    if "model" in kinds:
        return True
    if kinds == ["season"]:
        return "シーズン" in text
    if kinds == ["period"]:
        return _asks_of_period(terms[0].value, text)
    if kinds == ["member"]:
        return _SHOWN.search(text) is not None
    if len(kinds) < 2:
        return False
    if overheard and any(term.guessed for term in terms):
        names_people_alone = set(kinds) <= {"member", "self"}
        if names_people_alone and not _AGAINST.search(text):
            return False
    return "member" in kinds or ("self" in kinds and _WANTED.search(text) is not None)


def _asks_of_period(period: str, text: str) -> bool:
    """Whether a text that names nothing but a period asks for it; a date alone does."""
    if is_date(period):
        return True
    if is_day(period) and not period[0].isdecimal():
        return asks(text)
    return reported(text)
