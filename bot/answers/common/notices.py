"""Notices below answers: that the league's files can't be read now, or are not as they should be."""

from contextlib import suppress

from bot import texts
from bot.answers.common.faults import fault_text
from bot.chat.command import Question
from bot.chat.replies import Text
from bot.league.in_force import UnusableFile
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

NOTICE_INTERVAL = 24 * 3600.0  # seconds between two notices to a group about one revision
FOR_ADMINS = "（管理者へ）{faults}"


def file_notices(question: Question, trouble: str, state: State) -> list[Text]:
    """For everybody: that the folder is out of reach (because of `trouble`), and which season logs
    cannot be read. For an admin: what is wrong with them or with league.toml, every time in the 1:1
    chat, and in a group once a day until a file changes; never in a group without the state store.
    """
    snapshot = question.snapshot
    notices = []
    if trouble:
        notices.append(Text(texts.FROM_MEMORY))
    if snapshot.refused:
        notices.append(Text("\n".join(map(_refused, snapshot.refused))))
    if question.asker.admin and snapshot.unusable and _shows_faults(question, state):
        faults = "\n".join(fault_text(snapshot, fault) for fault in snapshot.unusable)
        notices.append(Text(FOR_ADMINS.format(faults=faults)))
    return notices


def _refused(fault: UnusableFile) -> str:
    """The sentence about a season log that cannot be read."""
    if not fault.has_former:
        return texts.NO_LOG.format(file=fault.file)
    if fault.since is None:
        return texts.FORMER_LOG.format(file=fault.file)
    since = fault.since.astimezone(JST)
    moment = texts.moment(since.date(), since.time())
    return texts.FORMER_LOG_OF.format(file=fault.file, moment=moment)


def _shows_faults(question: Question, state: State) -> bool:
    """Whether the faults are shown to an admin below this answer."""
    asker = question.asker
    if asker.alone:
        return True
    with suppress(StorageError):
        return state.values.add(
            f"told:{asker.chat}:{question.snapshot.revision}", "1", NOTICE_INTERVAL
        )
    return False
