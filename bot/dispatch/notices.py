"""Add notices to an answer: that it is from memory or without a log, and for an admin what is wrong with the files."""

from __future__ import annotations

from dataclasses import replace

from bot.answers.admin.faults import log_sentences, sentence
from bot.chat.command import Question
from bot.chat.replies import MESSAGES, Reply, Text
from bot.league.last_good import UnusableFile
from bot.texts import FORMER_LOG, FROM_MEMORY, NO_LOG, moment
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

TOLD = 24 * 3600.0  # seconds for which a group is told only once about the same revision


def with_notices(question: Question, reply: Reply, trouble: str, state: State) -> Reply:
    """Return the reply with its notices. `trouble` says why the folder cannot be read now, and is "" if it can.

    Everybody is told which season log cannot be read. An admin is told what is wrong with it or with league.toml every
    time in the 1:1 chat, and in a group once a day until a file changes.
    """
    notices = [Text(FROM_MEMORY)] if trouble else []
    if question.snapshot.refused:
        notices.append(Text("\n".join(_without_log(fault) for fault in question.snapshot.refused)))
    words = "\n".join(filter(None, (sentence(question.snapshot), *log_sentences(question.snapshot))))
    if question.asker.admin and words and _may_tell(question, state):
        notices.append(Text(f"（管理者へ）{words}"))
    return replace(reply, parts=(*reply.parts[: MESSAGES - len(notices)], *notices)) if notices else reply


def _without_log(fault: UnusableFile) -> str:
    """Which contents an answer has of a season log that cannot be read."""
    if not fault.kept:
        return NO_LOG.format(file=fault.file)
    since = fault.since.astimezone(JST) if fault.since else None
    when = moment(since.date(), since.time()) if since else "前"
    return FORMER_LOG.format(file=fault.file, when=f"{when}時点" if since else when)


def _may_tell(question: Question, state: State) -> bool:
    """Whether the admin is to be told here and now; without the state store a group is not."""
    if question.asker.alone:
        return True
    try:
        return state.values.add(f"told:{question.asker.chat}:{question.snapshot.revision}", "1", TOLD)
    except StorageError:
        return False
