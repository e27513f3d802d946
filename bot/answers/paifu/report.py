"""牌譜: the report of a paifu (game record) sent as an address at Tenhou or as a file, and of its rounds."""

import hashlib
import json
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from bot import texts
from bot.answers.common.members import people_of
from bot.answers.common.scope import offered
from bot.answers.common.story import seat_names
from bot.answers.paifu import report_table
from bot.answers.paifu.analysis import Analysis, analysed, rates_with, subtitle
from bot.answers.paifu.game_page import draw_game
from bot.answers.paifu.report_table import Reviewed
from bot.answers.paifu.round_pages import draw_round, pages_of
from bot.answers.paifu.statistics import draw_rates
from bot.answers.paifu.story_page import draw_story
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of
from bot.chat.replies import QUICK_REPLIES, Choice, Download, Downloads, Part, Picture, Reply, UserError
from bot.league.paifu_log import PaifuFolder, keep_paifu
from bot.tenhou.client import TenhouError, TenhouNotFound
from rating.paifu import exchange
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.record import Record
from rating.paifu.recordlog import entry_of
from rating.paifu.tiles import PaifuError
from storage.ports import StorageError

FILE_BYTES = 2 << 20  # largest file that is read
HOW = (
    "天鳳の牌譜のURLか、牌譜ファイル（.mjlog、.xml）をこのトークに送ってください。"
    "山に残っていた当たり牌、運、損だった打牌をお見せします。"
)
ADDRESS = "読めるのは天鳳の牌譜のURLだけです。天鳳でコピーした牌譜のURLを、そのまま送ってください。"
NOT_THERE = (
    "その牌譜は天鳳に見つかりません。URLを確かめるか、対局が終わって少し待ってから、もう一度送ってください。"
)
DOWN = "いま天鳳から牌譜を受け取れません。少し待ってから、もう一度URLを送ってください。"
UNREADABLE = "この牌譜は読めませんでした。別の対局の牌譜を送ってください。"
OTHER_FILE = "読めるのは牌譜のファイルだけです。天鳳で保存した .mjlog か .xml のファイルを送ってください。"
BROKEN = "このファイルは牌譜として読めません。天鳳で保存し直した .mjlog か .xml のファイルを送ってください。"
TOO_LARGE = "ファイルが大きすぎます。2MBまでの牌譜を、1つずつ送ってください。"
NOT_KEPT = "この牌譜のファイルはもう残っていません。天鳳の牌譜のURLか牌譜ファイルを、もう一度送ってください。"
GONE = "ファイルを受け取れませんでした。もう一度送ってください。"
# The day in an id (2026081004gm-0009-11017-9b9f92d7), and the seat after `tw=`.
_IN_NAME = re.compile(r"([0-9]{8})[0-9]{2}gm-[0-9a-f]{4}-[0-9]{4,5}-[0-9a-f]{8}(?:.{0,9}?tw=?([0-3]))?")
_SENT = re.compile(r"file-[0-9a-f]{20}")  # PaifuEntry.file of a file that somebody sent
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SentPaifu:
    """A paifu's bytes (perhaps gzipped), Tenhou's id ("" for a file), and day and seat where known."""

    data: bytes = field(repr=False)
    id: str = ""
    day: date | None = None
    seat: int | None = None


def refusal(sentence: str) -> UserError:
    """The error that replies with the sentence and some choices."""
    return UserError(sentence, offered(choice("牌譜成績", Ask.PAIFU), choice("危険度", Ask.DANGER)))


def from_tenhou(question: Question, tools: Tools, kept: PaifuFolder, paifu_id: str) -> SentPaifu:
    """The paifu of Tenhou's id (then kept) or of a sent file's entry. Raises UserError without one."""
    seat = question.option("tw")
    marked = int(seat) if seat in ("0", "1", "2", "3") else None
    if _SENT.fullmatch(paifu_id):
        sent = kept.get(paifu_id)
        if sent is None:
            raise refusal(NOT_KEPT)
        return SentPaifu(sent, seat=marked)
    try:
        data = tools.paifus.get(paifu_id, kept)
    except (TenhouNotFound, ValueError) as error:
        log.info("%s", error)
        raise refusal(NOT_THERE) from None
    except TenhouError as error:
        log.warning("%s", error)
        raise refusal(DOWN) from None
    day, _ = _named(paifu_id)
    return SentPaifu(data, paifu_id, day, marked)


def from_file(question: Question, tools: Tools, message_id: str) -> SentPaifu:
    """The file of that message. Raises UserError when it is too large or LINE does not give it."""
    size = question.option("size")
    if size.isdecimal() and int(size) > FILE_BYTES:
        raise refusal(TOO_LARGE)
    data = tools.content(message_id, FILE_BYTES)
    if data is None:
        raise refusal(GONE)
    if len(data) > FILE_BYTES:
        raise refusal(TOO_LARGE)
    day, seat = _named(question.option("file"))
    return SentPaifu(data, "", day, seat)


def _named(words: str) -> tuple[date | None, int | None]:
    """The day and the seat in a paifu's id, or in the name of a file named by it."""
    found = _IN_NAME.search(words)
    if not found:
        return None, None
    try:
        day = datetime.strptime(found[1], "%Y%m%d").date()  # noqa: DTZ007 (a date, not a moment)
    except ValueError:
        day = None
    return day, int(found[2]) if found[2] else None


STORY, GAME, ROUND = "story", "game", "round"


@dataclass(frozen=True)
class ReportPicture:
    """One picture of the report. `mark` is a hash of all that can be drawn; `round` and `page` are from 0."""

    mark: str
    kind: str
    when: str = ""
    round: int = 0
    page: int = 0
    analysis: Analysis | None = field(default=None, repr=False, compare=False)


def draw(picture: ReportPicture) -> bytes:
    """The picture as PNG."""
    assert picture.analysis is not None
    if picture.kind == STORY:
        return draw_story(picture.analysis, picture.when)
    if picture.kind == GAME:
        return draw_game(picture.analysis, picture.when)
    return draw_round(picture.analysis, picture.round, picture.page)


def report_pictures(reviewed: Reviewed) -> Iterator[ReportPicture]:
    """Yield the pictures below the table: the story, where the chances are known, and luck and play."""
    analysis, mark = reviewed.analysis, mark_of(reviewed.analysis)
    for kind in (STORY,) * (analysis.chances is not None) + (GAME,):
        yield ReportPicture(mark, kind, texts.day_with_year(reviewed.day), analysis=analysis)


def mark_of(analysis: Analysis) -> str:
    """A hash of what an analysis is made of."""
    made_of = (analysis.record, analysis.review.rates, analysis.seat, analysis.colours)
    return hashlib.sha256(repr(made_of).encode("utf-8", "replace")).hexdigest()


def pages(record: Record) -> list[bytes]:
    """The pages of a record (PNG): the story, where the chances are known, luck and play, and the rates."""
    analysis = analysed(record, SOURCE_RATES)
    told = [draw_story(analysis)] if analysis.chances is not None else []
    return [*told, draw_game(analysis), draw_rates(record, subtitle(record))]


# The option `round` that lists the rounds, or the chances at their deals, or gives the record as files.
ALL, CHANCES, FILES = "all", "chances", "files"
REVIEWERS = "NAGA・Mortalで見る"
FOR_FOUR = "天鳳形式はNAGA、Mortalの牌譜検討やtenhou.net/6で、mjai形式はMortalなどのAIで開けます。"
FOR_THREE = (
    "天鳳形式はtenhou.net/6で開けます。NAGAとMortalは四人打ち用です。mjai形式は三麻対応のAIで使えます。"
)


def answer(question: Question, tools: Tools) -> Reply:
    """The report of the paifu sent. Raises UserError, with what to do, when there is none to read."""
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
    entries, file = question.snapshot.paifus, question.option("id")
    if not sent.day:
        sent = replace(sent, day=next((each.day for each in entries if each.file == file), None))
    try:
        record = kept.parsed(sent.data)
    except PaifuError as error:
        log.info("a record can't be read: %s", error)
        raise refusal(UNREADABLE if sent.id else BROKEN) from None
    place, reviewed, people = question.option("round"), _reviewed(question, sent, record), people_of(question)
    analysis, figures = reviewed.analysis, choice("牌譜成績", Ask.PAIFU, seats=record.seats)

    def data(place: int | str = "") -> str:
        """Of the report, of the round at an index, or of ALL, CHANCES, FILES; "" where no bytes are kept."""
        return data_of(Ask.RECORD_REPORT, id=file, tw=sent.seat, round=place) if file else ""

    def ways(numbers: Iterable[int]) -> list[Choice]:
        return [Choice(f"{record.rounds[number].name}を見る", data(number)) for number in numbers]

    part: Part | None = None
    if place == ALL:
        part = report_table.rounds_table(reviewed, data)
    elif place == CHANCES and analysis.chances is not None:
        part = report_table.chances_table(reviewed, data)
    elif place == FILES:
        part = files_of(record, file)
    if part:
        return Reply((part,), offered(Choice(report_table.TITLE, data()), figures))
    if place.isdecimal() and (number := int(place)) < len(record.rounds):
        table = report_table.round_table(analysis, number)
        one = ReportPicture(mark_of(analysis), ROUND, round=number, analysis=analysis)
        drawn = (replace(one, page=page) for page in range(pages_of(analysis, number)))
        pictures = tuple(Picture(page, draw, table.alt, (table,), kind="record") for page in drawn)
        beside = ways(each for each in (number - 1, number + 1) if 0 <= each < len(record.rounds))
        others = Choice(report_table.ROUNDS, data(ALL)), Choice(report_table.TITLE, data())
        told = next(({"at": moment.at} for moment in analysis.moments_of(number)), {})
        label = "名場面を再生" if told else "この局を再生"
        replayed = choice(label, Ask.PAGE, game=file, round=place, **told)
        return Reply(pictures, offered(*beside, replayed, *others))
    entry = entry_of(record, sent.id, sent.day)
    try:
        new = keep_paifu(tools.logs, sent.data, entry, question.now)
    except StorageError as error:
        log.error("a record can't be kept: %s", error)
        said, file = report_table.NOT_KEPT, sent.id
    else:
        tools.league.expire()
        said = report_table.ADDED * new if any(reviewed.analysis.colours) else report_table.NOBODYS
        before = next((each for each in entries if each.key == entry.key), None)
        file = before.file if before is not None and not entry.better(before) else entry.file
    table = report_table.table(people, reviewed, said, data)
    pictures = tuple(
        Picture(page, draw, table.alt, (table,), kind="record") for page in report_pictures(reviewed)
    )
    if not file:
        return Reply((table, *pictures), offered(figures, choice("危険度", Ask.DANGER)))
    listed = [Choice(report_table.ROUNDS, data(ALL))]
    if analysis.chances is not None:
        listed.append(Choice(report_table.CHANCES, data(CHANCES)))
    listed += [choice("再生", Ask.PAGE, game=file), Choice(REVIEWERS, data(FILES))]
    seen = sorted(analysis.by_weight[: QUICK_REPLIES - 6])
    return Reply((table, *pictures), offered(*listed, *ways(seen), figures))


def files_of(record: Record, name: str) -> Downloads:
    """The record as other reviewers read it, to download."""
    tenhou = json.dumps(exchange.tenhou6(record), ensure_ascii=False, separators=(",", ":"))
    mjai = "\n".join(json.dumps(event, ensure_ascii=False) for event in exchange.mjai(record))
    files = (
        Download("天鳳形式（JSON）", f"{name}.json", tenhou.encode(), "application/json"),
        Download("mjai形式", f"{name}.mjson", f"{mjai}\n".encode(), "application/x-ndjson"),
    )
    words = (FOR_FOUR if record.seats == 4 else FOR_THREE) + texts.LINK_LIFE
    return Downloads(REVIEWERS, files, words, "牌譜ファイルの用意ができました")


def _reviewed(question: Question, sent: SentPaifu, record: Record) -> Reviewed:
    """The record analysed. Marked is the seat that the address or file names, else the asker's own."""
    league, people, asker = question.snapshot.league, people_of(question), question.asker.player
    members = tuple(league.player_of(name, sent.day) for name in record.players)
    seat = members.index(asker) if asker in members else None
    if sent.seat is not None and sent.seat < len(members):
        seat = sent.seat
    colours = tuple(people.colours.get(member, "") for member in members)
    shown = replace(record, players=tuple(seat_names([league.shown(member) for member in members])))
    analysis = analysed(shown, rates_with(question.snapshot, record.seats), seat, colours)
    return Reviewed(analysis, members, sent.day)


SPECS = (
    Spec(
        name=Ask.RECORD_REPORT,
        title="牌譜",
        help="天鳳の牌譜のURLかファイルを送ると、山を開けて運と打牌を調べます",
        action=answer,
        words="牌譜の送り方",
        hidden=True,
        slow=True,
    ),
)
