"""Add notices to an answer: that it is from memory, and for an admin what is wrong with league.toml."""

from __future__ import annotations

from bot.answers.admin.faults import sentence
from bot.chat.command import Question
from bot.chat.replies import Reply, Text
from bot.texts import FROM_MEMORY
from storage.ports import StateStore, StorageError

TOLD = 24 * 3600.0  # seconds for which a group is told only once about the same revision
# parts kept of an answer that gets a notice: LINE takes five messages in a reply
# (https://developers.line.biz/en/reference/messaging-api/)
PARTS = 4


def with_notices(question: Question, reply: Reply, trouble: str, state: StateStore) -> Reply:
    """Return the reply with its notices. `trouble` says why the folder cannot be read now, and is "" if it can.

    An admin is told of a broken league.toml every time in the 1:1 chat, and in a group once a day until a file changes.
    """
    if trouble:
        reply = Reply((*reply.parts[:PARTS], Text(FROM_MEMORY)), reply.choices)
    if not question.asker.admin or not (words := sentence(question.snapshot)):
        return reply
    if not question.asker.alone:
        key = f"told:{question.asker.chat}:{question.snapshot.revision}"
        try:
            if not state.add(key, "1", TOLD):
                return reply
        except StorageError:
            return reply
    return Reply((*reply.parts[:PARTS], Text(f"（管理者へ）{words}")), reply.choices)
