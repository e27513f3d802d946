"""牌譜: the report of a paifu (game record) that a member sent as an address at Tenhou or as a file."""

from __future__ import annotations

import hashlib
import logging
import threading
from dataclasses import dataclass, field, replace

from bot.answers.common.members import people_of
from bot.answers.common.scope import offered
from bot.answers.paifu import report_table
from bot.answers.paifu.report_table import Reviewed
from bot.answers.paifu.seats import rates_with
from bot.answers.paifu.source import (
    ADDRESS,
    BROKEN,
    HOW,
    OTHER_FILE,
    UNREADABLE,
    SentPaifu,
    from_file,
    from_tenhou,
    refusal,
)
from bot.charts.paifu.pages import how_many, pages
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import MESSAGES, Choice, Picture, Reply
from bot.chat.tools import Tools
from bot.league.paifu_log import PaifuFolder, keep_paifu
from rating.paifu.record import Record
from rating.paifu.recordlog import entry_of
from rating.paifu.review import review
from rating.paifu.tiles import PaifuError
from storage.ports import StorageError

NAME = "record_report"
PICTURES = MESSAGES - 1  # beside the table
log = logging.getLogger(__name__)


@dataclass
class ReportPages:
    """The report's pictures, at most `most`. All are drawn when the first one is asked for. Safe in threads."""

    reviewed: Reviewed
    most: int
    _drawn: list[bytes] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def page(self, number: int) -> bytes:
        """One picture as PNG; `number` counts from 0."""
        with self._lock:
            if not self._drawn:
                done = self.reviewed.review
                self._drawn = pages(done.record, self.reviewed.seat, done, self.most)
        return self._drawn[number]


@dataclass(frozen=True)
class ReportPage:
    """One picture of the report. `mark` is a hash of all that is drawn, `number` counts from 0."""

    mark: str
    number: int
    pages: ReportPages = field(repr=False, compare=False)


def draw(page: ReportPage) -> bytes:
    """The page as PNG."""
    return page.pages.page(page.number)


def answer(question: Question, tools: Tools) -> Reply:
    """The report of the paifu sent. Raises UserError, with what to do, when nothing was sent or it can't be read."""
    options = question.command.options
    if "fault" in options:
        raise refusal(OTHER_FILE if options["fault"] == "file" else ADDRESS)
    kept = PaifuFolder(tools.logs)
    if "id" in options:
        return _report(question, tools, kept, from_tenhou(question, tools, kept, options["id"]))
    if options.get("file") and question.command.rest:
        return _report(question, tools, kept, from_file(question, tools, question.command.rest[0]))
    raise refusal(HOW)


def _report(question: Question, tools: Tools, kept: PaifuFolder, sent: SentPaifu) -> Reply:
    try:
        record = kept.parsed(sent.data)
    except PaifuError as error:
        log.info("a record can't be read: %s", error)
        raise refusal(UNREADABLE if sent.id else BROKEN) from None
    told = _keep(question, tools, record, sent)
    league = question.snapshot.league
    members = tuple(league.player_of(name, sent.day) for name in record.players)
    shown = replace(record, players=tuple(map(league.shown, members)))
    done = review(shown, rates_with(question.snapshot, record.seats))
    reviewed = Reviewed(done, members, _seat(question, sent, members), sent.day)
    table = report_table.table(people_of(question), reviewed, told)
    most = PICTURES - question.asker.admin  # an admin may get a notice as one more message
    pictures = [Picture(page, draw, table.alt, (table,), "record") for page in _pages(reviewed, most)]
    return Reply((*pictures, table), _choices(record.seats))


def _choices(seats: int) -> tuple[Choice, ...]:
    return offered(choice("牌譜成績", "paifu", seats=seats), choice("危険度", "danger"))


def _seat(question: Question, sent: SentPaifu, members: tuple[str, ...]) -> int | None:
    """The seat to mark: the one the address or file names, else the asker's own."""
    if sent.seat is not None and sent.seat < len(members):
        return sent.seat
    asker = question.asker.player
    return members.index(asker) if asker in members else None


def _pages(reviewed: Reviewed, most: int) -> list[ReportPage]:
    told = repr((reviewed.review.record, reviewed.review.rates, reviewed.seat, most)).encode(
        "utf-8", "replace"
    )
    mark, made = hashlib.sha256(told).hexdigest(), ReportPages(reviewed, most)
    return [ReportPage(mark, number, made) for number in range(how_many(reviewed.review, most))]


def _keep(question: Question, tools: Tools, record: Record, sent: SentPaifu) -> str:
    """Add the record to 牌譜成績; the sentence that says whether it was added."""
    try:
        new = keep_paifu(tools.logs, sent.data, entry_of(record, sent.id, sent.day), question.now)
    except StorageError as error:
        log.error("a record can't be kept: %s", error)
        return report_table.NOT_KEPT
    tools.league.expire()
    return report_table.ADDED if new else report_table.KNOWN


SPECS = (
    Spec(
        name=NAME,
        title="牌譜",
        help="天鳳の牌譜のURLかファイルを送ると、押し引きを調べます",
        action=answer,
        hidden=True,
        slow=True,
    ),
)
