"""牌譜: the report of one game record a member sent, by its address at Tenhou or as a file."""

from __future__ import annotations

import hashlib
import logging
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bot.answers.common.members import cast_of
from bot.answers.common.scope import offered
from bot.answers.paifu import report_table
from bot.answers.paifu.report_table import Reviewed
from bot.answers.paifu.source import (
    ADDRESS,
    BROKEN,
    HOW,
    OTHER_FILE,
    UNREADABLE,
    Sent,
    from_file,
    from_tenhou,
    refusal,
)
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply
from bot.dispatch.paifu_messages import NAME
from storage.ports import StorageError

if TYPE_CHECKING:
    from rating.paifu.record import Record

PICTURES = 4
AT_ONCE = 3  # reports a process makes at a time: the other threads answer other taps
BUSY = "いまほかの牌譜を調べています。少し待ってから、もう一度送ってください。"
_DESKS = threading.BoundedSemaphore(AT_ONCE)
log = logging.getLogger(__name__)


@dataclass
class Pages:
    """The report's pictures, so many at most, drawn together when the first of them is asked for."""

    reviewed: Reviewed
    most: int
    _drawn: list[bytes] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def page(self, number: int) -> bytes:
        from bot.charts.paifu.pages import pages

        with self._lock:
            if not self._drawn:
                done = self.reviewed.review
                self._drawn = pages(done.record, self.reviewed.seat, done, self.most)
        return self._drawn[number]


@dataclass(frozen=True)
class Page:
    """One of them, known by the record's content, the names shown and the seat."""

    mark: str
    number: int
    pages: Pages = field(repr=False, compare=False)


def draw(page: Page) -> bytes:
    return page.pages.page(page.number)


def answer(question: Question) -> Reply:
    options = question.command.options
    if "fault" in options:
        raise refusal(OTHER_FILE if options["fault"] == "file" else ADDRESS)
    if not (options.get("id") or (options.get("file") and question.command.rest)):
        raise refusal(HOW)
    if not _DESKS.acquire(blocking=False):
        raise refusal(BUSY)
    try:
        if "id" in options:
            return _report(question, from_tenhou(question, options["id"]))
        return _report(question, from_file(question, question.command.rest[0]))
    finally:
        _DESKS.release()


def _report(question: Question, sent: Sent) -> Reply:
    from rating.paifu.mjlog import parse
    from rating.paifu.review import review
    from rating.paifu.tiles import PaifuError

    try:
        record = parse(sent.data)
    except PaifuError as error:
        log.info("a record can't be read: %s", error)
        raise refusal(UNREADABLE if sent.id else BROKEN) from None
    kept = _keep(question, record, sent)
    league = question.snapshot.league
    members = tuple(league.player_of(name, sent.day) for name in record.players)
    shown = replace(record, players=tuple(map(league.shown, members)))
    reviewed = Reviewed(review(shown), members, _seat(question, sent, members), sent.day)
    table = report_table.table(cast_of(question), reviewed, kept)
    most = PICTURES - question.asker.admin  # leaves room for what an admin may be told besides
    pictures = [Picture(page, draw, table.alt, (table,), "record") for page in _pages(reviewed, most)]
    return Reply((*pictures, table), _choices(record.seats))


def _choices(seats: int) -> tuple[Choice, ...]:
    return offered(choice("牌譜成績", "paifu", seats=seats), choice("危険度", "danger"))


def _seat(question: Question, sent: Sent, members: tuple[str, ...]) -> int | None:
    """The seat to mark: the address's, else the asker's own."""
    if sent.seat is not None and sent.seat < len(members):
        return sent.seat
    asker = question.asker.player
    return members.index(asker) if asker in members else None


def _pages(reviewed: Reviewed, most: int) -> list[Page]:
    from bot.charts.paifu.pages import how_many

    told = repr((reviewed.review.record, reviewed.seat, most)).encode("utf-8", "replace")
    mark, pages = hashlib.sha256(told).hexdigest(), Pages(reviewed, most)
    return [Page(mark, number, pages) for number in range(how_many(reviewed.review, most))]


def _keep(question: Question, record: Record, sent: Sent) -> str:
    """What became of the record in 牌譜成績, in words."""
    from bot.league.paifu_log import keep
    from rating.paifu.recordlog import entry_of

    try:
        new = keep(question.library.logs, sent.data, entry_of(record, sent.id, sent.day))
    except StorageError as error:
        log.error("a record can't be kept: %s", error)
        return report_table.NOT_KEPT
    question.library.stale()
    return report_table.KEPT if new else report_table.KNOWN


SPECS = (
    Spec(
        NAME,
        "牌譜",
        "天鳳の牌譜のURLかファイルを送ると、押し引きを調べます",
        answer,
        ("牌譜", "はいふ"),
        live=True,
        plain=True,
        slow=True,
    ),
)
