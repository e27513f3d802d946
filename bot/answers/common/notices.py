"""Notices below answers: that the league's files can't be read now, or are not as they should be."""

from contextlib import suppress

from bot import texts
from bot.answers.common.faults import told
from bot.chat.command import Question
from bot.chat.replies import Text
from bot.league.in_force import UnusableFile
from rating.logdates import JST
from storage.ports import StorageError
from storage.state import State

TOLD = 24 * 3600.0  # seconds for which a group is told only once about the same revision
FOR_ADMINS = "（管理者へ）{faults}"


def file_notices(question: Question, trouble: str, state: State) -> list[Text]:
    """Everybody is told that the folder is out of reach (`trouble` says why) and which season logs
    cannot be read. An admin is told what is wrong with them or with league.toml every time in the
    1:1 chat, and in a group once a day until a file changes; without the state store a group is not
    told.
    """
    snapshot = question.snapshot
    notices = []
    if trouble:
        notices.append(Text(texts.FROM_MEMORY))
    if snapshot.refused:
        notices.append(Text("\n".join(map(_refused, snapshot.refused))))
    if question.asker.admin and snapshot.unusable and _may_tell(question, state):
        faults = "\n".join(told(snapshot, fault) for fault in snapshot.unusable)
        notices.append(Text(FOR_ADMINS.format(faults=faults)))
    return notices


def _refused(fault: UnusableFile) -> str:
    """The sentence about a season log that cannot be read."""
    since = fault.since.astimezone(JST) if fault.since else None
    when = f"{texts.moment(since.date(), since.time())}時点" if since else "前"
    template = texts.FORMER_LOG if fault.has_former else texts.NO_LOG
    return template.format(file=fault.file, when=when)


def _may_tell(question: Question, state: State) -> bool:
    """Whether an admin is told of the faults with this answer."""
    asker = question.asker
    if asker.alone:
        return True
    with suppress(StorageError):
        return state.values.add(f"told:{asker.chat}:{question.snapshot.revision}", "1", TOLD)
    return False
