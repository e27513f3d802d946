"""Add notices to an answer: that it is from memory, and for an admin what is wrong with league.toml."""

from __future__ import annotations

from bot.answers.admin.faults import sentence
from bot.chat.command import Question
from bot.chat.replies import MESSAGES, Reply, Text
from bot.texts import FROM_MEMORY
from storage.ports import StateStore, StorageError

TOLD = 24 * 3600.0  # seconds for which a group is told only once about the same revision


def with_notices(question: Question, reply: Reply, trouble: str, state: StateStore) -> Reply:
    """Return the reply with its notices. `trouble` says why the folder cannot be read now, and is "" if it can.

    An admin is told of a broken league.toml every time in the 1:1 chat, and in a group once a day until a file changes.
    """
    notices = [Text(FROM_MEMORY)] if trouble else []
    if question.asker.admin and (words := sentence(question.snapshot)) and _may_tell(question, state):
        notices.append(Text(f"（管理者へ）{words}"))
    return Reply((*reply.parts[: MESSAGES - len(notices)], *notices), reply.choices) if notices else reply


def _may_tell(question: Question, state: StateStore) -> bool:
    """Whether the admin is to be told here and now; without the state store a group is not."""
    if question.asker.alone:
        return True
    try:
        return state.add(f"told:{question.asker.chat}:{question.snapshot.revision}", "1", TOLD)
    except StorageError:
        return False
