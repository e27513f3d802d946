"""Report what fails on the way of an answer: to the log, to the line of the tap, and in a sentence
to the member who waits for it.
"""

import logging

from bot import texts
from bot.chat.replies import Reply, Text
from bot.line.client import LineDown
from bot.runtime.json_log import blame, log_fault
from storage.ports import StorageError

log = logging.getLogger(__name__)


def report_answer(error: Exception) -> Reply:
    """Report an error that prevents an answer. Return what the member gets in its place."""
    if isinstance(error, StorageError):
        log.error("the logs can't be read: %s", error)
        blame(error, str(error), error.store or "logs", lost=True)
        return Reply((Text(texts.LOGS_DOWN),))
    log_fault("a tap could not be answered", error)
    blame(error, "", lost=True)
    return Reply((Text(texts.BROKEN),))


def report_picture(error: Exception) -> None:
    """Report an error that prevents a picture, an animation or a file. The answer goes without."""
    if isinstance(error, StorageError):
        log.error("a picture or file can't be stored, answering without it: %s", error)
        blame(error, str(error), error.store or "images")
    else:
        log_fault("a picture could not be drawn", error)


def report_sending(error: Exception) -> None:
    """Report an error that prevents that an answer is sent."""
    if isinstance(error, LineDown):
        log.error("%s", error)
        blame(error, str(error), "line", lost=True)
    else:
        log_fault("an answer could not be sent", error)
        blame(error, "", lost=True)
