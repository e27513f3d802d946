"""牌譜: the report of a paifu (game record) that a member sent as an address at Tenhou or as a file, and of
its rounds."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from bot.answers.common.members import people_of
from bot.answers.common.scope import offered
from bot.answers.paifu import report_table
from bot.answers.paifu.pictures.analysis import analysed
from bot.answers.paifu.pictures.round_pages import highlights
from bot.answers.paifu.report_pictures import draw, report_pictures, round_pictures
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
from bot.chat.command import Ask, Question, Spec, choice, data_of
from bot.chat.replies import QUICK_REPLIES, Choice, Picture, Reply
from bot.chat.tools import Tools
from bot.league.paifu_log import PaifuFolder, keep_paifu
from rating.paifu.record import Record
from rating.paifu.recordlog import entry_of
from rating.paifu.tiles import PaifuError
from storage.ports import StorageError

ALL = "all"  # the option `round` that lists the rounds
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptPaifu:
    """The name by which the record's bytes are asked for again ("" where they are not kept), and the seat of
    its address."""

    file: str
    seat: int | None

    def data(self, place: int | str = "") -> str:
        """The postback data of the report, of the round at an index, or of the list of rounds."""
        if not self.file:
            return ""
        return data_of(
            Ask.RECORD_REPORT, id=self.file, tw="" if self.seat is None else self.seat, round=place
        )


def answer(question: Question, tools: Tools) -> Reply:
    """The report of the paifu sent. Raises UserError, with what to do, when nothing was sent or it can't be
    read."""
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
    """The report, or with the option `round` one of its rounds or the list of them."""
    if not sent.day:
        entries = (each for each in question.snapshot.paifus if each.file == question.option("id"))
        sent = replace(sent, day=next((each.day for each in entries), None))
    try:
        record = kept.parsed(sent.data)
    except PaifuError as error:
        log.info("a record can't be read: %s", error)
        raise refusal(UNREADABLE if sent.id else BROKEN) from None
    place = question.option("round")
    reviewed = _reviewed(question, sent, record)
    if place == ALL or (place.isdecimal() and int(place) < len(record.rounds)):
        known = KeptPaifu(question.option("id"), sent.seat)
        return _rounds(reviewed, known) if place == ALL else _round(reviewed, known, int(place))
    told, file = _keep(question, tools, record, sent)
    known = KeptPaifu(file, sent.seat)
    table = report_table.table(people_of(question), reviewed, told, known.data)
    pictures = [Picture(page, draw, table.alt, (table,), "record") for page in report_pictures(reviewed)]
    return Reply((table, *pictures), _choices(reviewed, known))


def _reviewed(question: Question, sent: SentPaifu, record: Record) -> Reviewed:
    league, people = question.snapshot.league, people_of(question)
    members = tuple(league.player_of(name, sent.day) for name in record.players)
    shown = replace(record, players=tuple(map(league.shown, members)))
    analysis = analysed(
        shown,
        rates_with(question.snapshot, record.seats),
        seat=_seat(question, sent, members),
        colours=tuple(people.colours.get(member, "") for member in members),
    )
    return Reviewed(analysis, members, sent.day)


def _choices(reviewed: Reviewed, known: KeptPaifu) -> tuple[Choice, ...]:
    """The list of rounds, the rounds that are not among the highlights, and the figures of all records."""
    record = reviewed.analysis.record
    figures = choice("牌譜成績", Ask.PAIFU, seats=record.seats)
    if not known.file:
        return offered(figures, choice("危険度", Ask.DANGER))
    shown = highlights(reviewed.analysis)
    left = [number for number in reviewed.analysis.by_weight if number not in shown]
    rounds = [_round_choice(record, number, known) for number in sorted(left[: QUICK_REPLIES - 3])]
    return offered(Choice(report_table.ROUNDS, known.data(ALL)), *rounds, figures)


def _round_choice(record: Record, number: int, known: KeptPaifu) -> Choice:
    return Choice(f"{record.rounds[number].name}を見る", known.data(number))


def _rounds(reviewed: Reviewed, known: KeptPaifu) -> Reply:
    """The reply with the list of rounds."""
    seats = reviewed.analysis.record.seats
    ways = offered(Choice(report_table.TITLE, known.data()), choice("牌譜成績", Ask.PAIFU, seats=seats))
    return Reply((report_table.rounds_table(reviewed, known.data),), ways)


def _round(reviewed: Reviewed, known: KeptPaifu, number: int) -> Reply:
    """The reply with the pages of one round, and ways to those beside it."""
    analysis = reviewed.analysis
    table = report_table.round_table(analysis, number)
    pictures = tuple(
        Picture(page, draw, table.alt, (table,), "record") for page in round_pictures(analysis, number)
    )
    beside = [each for each in (number - 1, number + 1) if 0 <= each < len(analysis.record.rounds)]
    return Reply(
        pictures,
        offered(
            *(_round_choice(analysis.record, each, known) for each in beside),
            Choice(report_table.ROUNDS, known.data(ALL)),
            Choice(report_table.TITLE, known.data()),
        ),
    )


def _seat(question: Question, sent: SentPaifu, members: tuple[str, ...]) -> int | None:
    """The seat to mark: the one the address or file names, else the asker's own."""
    if sent.seat is not None and sent.seat < len(members):
        return sent.seat
    asker = question.asker.player
    return members.index(asker) if asker in members else None


def _keep(question: Question, tools: Tools, record: Record, sent: SentPaifu) -> tuple[str, str]:
    """Add the record to 牌譜成績; the sentence that says whether it was added, and the name of its bytes."""
    entry = entry_of(record, sent.id, sent.day)
    try:
        new = keep_paifu(tools.logs, sent.data, entry, question.now)
    except StorageError as error:
        log.error("a record can't be kept: %s", error)
        return report_table.NOT_KEPT, sent.id
    tools.league.expire()
    before = next((each for each in question.snapshot.paifus if each.key == entry.key), None)
    file = before.file if before is not None and not entry.better(before) else entry.file
    return report_table.ADDED if new else report_table.KNOWN, file


SPECS = (
    Spec(
        name=Ask.RECORD_REPORT,
        title="牌譜",
        help="天鳳の牌譜のURLかファイルを送ると、山を開けて運と打牌を調べます",
        action=answer,
        hidden=True,
        slow=True,
    ),
)
