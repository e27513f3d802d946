"""牌譜: the report of a paifu (game record) sent as an address at Tenhou or as a file, and of its
rounds.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People, people_of, token
from bot.answers.common.rounds import result
from bot.answers.common.scope import offered
from bot.answers.common.story import TURNING, seat_names
from bot.answers.paifu import top_table
from bot.answers.paifu.analysis import Analysis, analysed, final_points, rates_with, subtitle
from bot.answers.paifu.game_page import (
    draw_game,
    draw_story,
    overpush_words,
    swing_words,
    turned_round,
)
from bot.answers.paifu.record_files import REVIEWERS, files_of
from bot.answers.paifu.round_pages import draw_round, pages_of
from bot.answers.paifu.round_words import MOMENTS, round_table
from bot.answers.paifu.statistics_picture import draw_rates
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of
from bot.chat.replies import (
    QUICK_REPLIES,
    Choice,
    Part,
    Picture,
    Reply,
    Row,
    Table,
    UserError,
)
from bot.league.moment_text import moment_text_in
from bot.league.paifu_log import PaifuFolder, entry_of, keep_paifu
from bot.tenhou.client import TenhouError, TenhouNotFound
from rating.paifu.chances import deals_of
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.formats import shown_endings
from rating.paifu.record import GamePlatform, Record, Round
from rating.paifu.recordlog import counted_copy
from rating.paifu.tiles import PaifuError
from storage.ports import StorageError

TITLE = "牌譜レポート"
ADDED = "この対局を牌譜成績に加えました。"
NOBODYS = "リーグのメンバーがいない対局なので、牌譜成績には数えません。"
NOT_ADDED = "いまは牌譜成績に加えられませんでした。あとでもう一度送ってください。"
MEANING = "押しすぎ：リーチへの打牌のうち、基準ならやめた数。"
CLOSED = "山を開けられない牌譜です（山の残り枚数は出ません）。"
PARTLY = "読めなかったところがあります（読めた局だけを数えています）。"
ADJUSTED = (
    "点数は、次の局か終局の点数に合わせてあります（牌譜の中で食い違うか、終局の点数がないため）。"
)
NO_END = "終局の点数が読めない牌譜です（点数・スコア・順位は出ません）。"
RANKED = "{rank}位 {name} {points}"
SUMMARY = "牌譜：{players}"
ROUNDS = "局の一覧"
RECORD_GAME = "対局として記録する"
REPLAY_TURN = "{round}{turn}巡目を再生"
CHANCES = "着順の確率"
MOST = {
    3: 2,
    4: 1,
}  # moments beside the turning point by seats; the others stand in the list of rounds
CHANCES_MEAN = "局のはじめの点数・本場・供託・親から見た確率です。局を押すと、手牌と山が出ます。"
Link = Callable[[int], str]
"""The postback data that shows the round at an index; "" where the record is not kept."""


@dataclass(frozen=True)
class Reviewed:
    """The analysis of a paifu under the names shown. `members` are the names on Tenhou by seat."""

    analysis: Analysis
    members: tuple[str, ...]
    day: date | None

    @property
    def when(self) -> str:
        """The day, the rule and the number of rounds."""
        return "　".join(
            filter(None, [texts.day_with_year(self.day), subtitle(self.analysis.record)])
        )


def players_table(
    people: People, reviewed: Reviewed, kept: str, link: Link, link_to_rarest: Link
) -> Table:
    """The report's table.

    `kept` is the sentence that says whether the paifu was added to 牌譜成績. `link_to_rarest` gives
    the postback data that shows the rarest discards of a seat.
    """
    analysis = reviewed.analysis
    rows = tuple(_row(people, reviewed, seat) for seat in analysis.order)

    def told(played: Round, words: str, detail: str) -> Row:
        data = (
            link(analysis.record.rounds.index(played)) if played in analysis.record.rounds else ""
        )
        return Row(
            f"{played.name}　{words}", "", detail=detail, data=data, said=f"{played.name}を見る"
        )

    record = analysis.record
    by_grade = sorted(analysis.moments, key=lambda moment: -moment.grade)
    rarest = by_grade[: MOST[record.seats]]
    moments = [
        told(
            record.rounds[moment.round], moment_text_in(moment, record), record.players[moment.seat]
        )
        for moment in analysis.moments
        if moment in rarest
    ]
    if turned := turned_round(analysis):
        seat, swing = swing_words(analysis, turned[1])
        moments.insert(0, told(turned[0], TURNING, f"{analysis.record.players[seat]}の1位 {swing}"))
    groups: list[tuple[str, tuple[Row, ...]]] = []
    if moments:
        groups.append((MOMENTS, tuple(moments)))
    if analysis.choices:
        groups.append((top_table.TITLE, top_table.agreement_rows(analysis, link_to_rarest)))
    return Table(
        TITLE,
        rows,
        heads=("点数", "スコア", "押しすぎ"),
        subtitle=reviewed.when,
        note="\n".join(_notes(analysis, kept)),
        alt=_summary(rows),
        more=tuple(groups),
    )


def _notes(analysis: Analysis, kept: str) -> list[str]:
    """What a reader has to know about the figures; `kept` as in `players_table`."""
    record = analysis.record
    notes = []
    if record.problems:
        notes.append(PARTLY)
    if record.notes:
        notes.append(ADJUSTED)
    if record.final is None:
        notes.append(NO_END)
    if analysis.absent:
        notes.append(analysis.absent_note)
    if not analysis.opened:
        notes.append(CLOSED)
    if kept:
        notes.append(kept)
    return [*notes, MEANING]


def _summary(rows: Sequence[Row]) -> str:
    """The players in order, with placing and points where they are known."""
    players = []
    for row in rows:
        player = row.name
        if row.rank:
            player = RANKED.format(rank=row.rank, name=row.name, points=row.value)
        players.append(player)
    return SUMMARY.format(players="、".join(players))


def _row(people: People, reviewed: Reviewed, seat: int) -> Row:
    analysis = reviewed.analysis
    member = reviewed.members[seat]
    rating = analysis.review.ratings[seat]
    record = analysis.record
    score = texts.points(record.scores[seat]) if record.scores else "－"
    placings = record.placings()
    tap = data_of(Ask.PAIFU, player=token(member), seats=record.seats)
    dealt = rating.deal_ins
    count = dealt.to_riichi + dealt.to_others
    detail = f"放銃 {count}"
    if count:
        detail += f"（リーチ{dealt.to_riichi}・ほか{dealt.to_others}）"
    return Row(
        record.players[seat],
        final_points(record, seat),
        rank=str(placings[seat] + 1) if placings else "",
        extra=(score, overpush_words(rating)),
        detail=detail,
        colour=people.colours.get(member, ""),
        mine=seat == analysis.seat,
        data=tap if member in people.colours else "",
    )


def rounds_table(reviewed: Reviewed, link: Link) -> Table:
    """A row for each round: how it ended, and its moments. A tap shows the round."""
    analysis = reviewed.analysis
    rows = []
    names = reviewed.analysis.record.players
    for number, played in enumerate(analysis.record.rounds):
        riichi = "・".join(names[one.seat] for one in analysis.stories[number].riichi)
        moments = "　".join(
            f"★{moment_text_in(moment, analysis.record)}" for moment in analysis.moments_of(number)
        )
        lines = (result(played, names), f"リーチ {riichi}" if riichi else "", moments)
        data = link(number)
        rows.append(
            Row(
                played.name,
                "見る ›" if data else "",
                detail="\n".join(filter(None, lines)),
                data=data,
                said=f"{played.name}を見る",
            )
        )
    alt = f"{ROUNDS}：" + "、".join(row.name for row in rows[:3])
    return Table(
        ROUNDS, tuple(rows), subtitle=reviewed.when, alt=alt, note="局を押すと、手牌と山が出ます。"
    )


def chances_table(reviewed: Reviewed, link: Link) -> Table:
    """Everybody's chances of the places at each deal. A tap shows the round."""
    analysis = reviewed.analysis
    rows = []
    order = analysis.order
    read = [played.deal for played in analysis.record.rounds]
    deals = deals_of(analysis.record)
    for (deal, _), places in zip(deals, analysis.chances or (), strict=False):
        lines = []
        for seat in order:
            shares = (
                f"{place}位{texts.chance(share)}" for place, share in enumerate(places[seat], 1)
            )
            lines.append("　".join((analysis.record.players[seat], *shares)))
        data = link(read.index(deal.deal)) if deal.deal in read else ""
        detail = "\n".join(lines)
        value = "見る ›" if data else ""
        said = f"{deal.name}を見る"
        rows.append(Row(deal.name, value, detail=detail, data=data, said=said))
    alt = f"{CHANCES}：{len(rows)}局"
    return Table(CHANCES, tuple(rows), subtitle=reviewed.when, alt=alt, note=CHANCES_MEAN)


FILE_BYTES = 2 << 20  # largest file that is read
_ENDINGS = " か ".join(shown_endings())
HOW = (
    "天鳳の牌譜のURLか、牌譜ファイル（{endings}）をこのトークに送ってください。"
    "雀魂の対局は、天鳳形式の .json にすると読めます。"
    "山に残っていた当たり牌、運、損だった打牌をお見せします。"
).format(endings="、".join(shown_endings()))
ADDRESS = "読めるのは天鳳の牌譜のURLだけです。天鳳でコピーした牌譜のURLを、そのまま送ってください。"
NOT_THERE = "その牌譜は天鳳に見つかりません。URLを確かめるか、対局が終わって少し待ってから、もう一度送ってください。"
DOWN = "いま天鳳から牌譜を受け取れません。少し待ってから、もう一度URLを送ってください。"
UNREADABLE = "この牌譜は読めませんでした。別の対局の牌譜を送ってください。"
OTHER_FILE = (
    f"読めるのは牌譜のファイルだけです。天鳳で保存したか、天鳳形式にした {_ENDINGS} の"
    "ファイルを送ってください。"
)
BROKEN = (
    f"これは牌譜として読めません。天鳳で保存するか天鳳形式にし直した {_ENDINGS} の"
    "ファイルを送ってください。"
)
MAHJONG_SOUL = (
    "雀魂の牌譜のURLは、ログインしないと開けないため、ここからは読めません。\n"
    "変換ツール（tensoulなど）で天鳳形式のJSONにして、.json のファイルをこのトークに送ってください。"
)
FAULTS = {"file": OTHER_FILE, "mahjong soul": MAHJONG_SOUL}
TOO_LARGE = "ファイルが大きすぎます。2MBまでの牌譜を、1つずつ送ってください。"
NOT_KEPT = "この牌譜のファイルはもう残っていません。天鳳の牌譜のURLか牌譜ファイルを、もう一度送ってください。"
GONE = "ファイルを受け取れませんでした。もう一度送ってください。"
# The day in an id (2026081004gm-0009-11017-9b9f92d7), and the seat after `tw=`.
_IN_NAME = re.compile(
    r"([0-9]{8})[0-9]{2}gm-[0-9a-f]{4}-[0-9]{4,5}-[0-9a-f]{8}(?:.{0,9}?tw=?([0-3]))?"
)
_SENT = re.compile(r"file-[0-9a-f]{20}")  # PaifuEntry.file of a file that somebody sent
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SentPaifu:
    """A paifu's bytes (perhaps gzipped), Tenhou's id ("" for a file), and day and seat where
    known.
    """

    data: bytes = field(repr=False)
    id: str = ""
    day: date | None = None
    seat: int | None = None


def refusal(sentence: str) -> UserError:
    """The error that replies with the sentence and some choices."""
    return UserError(
        sentence,
        offered(choice("牌譜成績", Ask.PAIFU), choice("危険度", Ask.DANGER)),
    )


def from_tenhou(question: Question, tools: Tools, kept: PaifuFolder, paifu_id: str) -> SentPaifu:
    """The paifu of Tenhou's id (then kept) or of a sent file's entry.

    Raises UserError without one.
    """
    seat = question.option("tw")
    marked = int(seat) if seat in ("0", "1", "2", "3") else None
    if _SENT.fullmatch(paifu_id):
        sent = kept.get(paifu_id)
        if sent is None:
            raise refusal(NOT_KEPT)
        return SentPaifu(sent, seat=marked)
    try:
        data = tools.parts.paifus.get(paifu_id, kept)
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


STORY = "story"
GAME = "game"
ROUND = "round"
RARE = "rare"


@dataclass(frozen=True)
class ReportPicture:
    """One picture of the report.

    `mark` is a hash of all that can be drawn; `round` and `page` are from 0.
    """

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
    if picture.kind == RARE:
        return top_table.draw_rarest(picture.analysis, picture.page)
    return draw_round(picture.analysis, picture.round, picture.page)


def report_pictures(reviewed: Reviewed) -> Iterator[ReportPicture]:
    """Yield the pictures below the table: the story, where the chances are known, and luck and
    play.
    """
    analysis = reviewed.analysis
    mark = mark_of(reviewed.analysis)
    when = texts.day_with_year(reviewed.day)
    if analysis.chances is not None:
        yield ReportPicture(mark, STORY, when, analysis=analysis)
    yield ReportPicture(mark, GAME, when, analysis=analysis)


def mark_of(analysis: Analysis) -> str:
    """A hash of what an analysis is made of."""
    made_of = (analysis.record, analysis.review.rates, analysis.seat, analysis.colours)
    return hashlib.sha256(repr(made_of).encode("utf-8", "replace")).hexdigest()


def pages(record: Record) -> list[bytes]:
    """The pages of a record (PNG): the story, where the chances are known, luck and play, and the
    rates.
    """
    record = replace(record, players=tuple(seat_names(record.players)))
    analysis = analysed(record, SOURCE_RATES)
    drawn = []
    if analysis.chances is not None:
        drawn.append(draw_story(analysis))
    drawn.append(draw_game(analysis))
    drawn.append(draw_rates(record, subtitle(record)))
    return drawn


# The option `round` that lists the rounds, or the chances at their deals, shows the rarest discards,
# or gives the record as files.
ALL = "all"
ODDS = "chances"
FILES = "files"


def answer(question: Question, tools: Tools) -> Reply:
    """The report of the paifu sent.

    Raises UserError, with what to do, when there is none to read.
    """
    options = question.command.options
    if "fault" in options:
        raise refusal(FAULTS.get(options["fault"], ADDRESS))
    kept = PaifuFolder(tools.logs)
    if options.get("pasted") and question.command.rest:
        pasted = question.command.rest[0].encode("utf-8", "replace")
        return _report(question, tools, kept, SentPaifu(pasted))
    if "id" in options:
        return _report(question, tools, kept, from_tenhou(question, tools, kept, options["id"]))
    if options.get("file") and question.command.rest:
        return _report(question, tools, kept, from_file(question, tools, question.command.rest[0]))
    raise refusal(HOW)


@dataclass(frozen=True)
class _ReportLinks:
    """Buttons to the parts of a report. `file` is the stored record, "" where none is stored."""

    file: str
    seat: int | None
    rounds: Sequence[Round]

    def data(self, part: int | str = "") -> str:
        """The postback data that opens the report, the round at an index, or ALL, ODDS or FILES; ""
        where no record is stored.
        """
        if not self.file:
            return ""
        return data_of(Ask.RECORD_REPORT, id=self.file, tw=self.seat, round=part)

    def to_rarest(self, seat: int) -> str:
        """The postback data that shows the rarest discards of a seat."""
        return replace(self, seat=seat).data(RARE)

    def to_rounds(self, numbers: Iterable[int]) -> list[Choice]:
        """A button to each of the rounds at these indexes."""
        return [
            Choice(f"{self.rounds[number].name}を見る", self.data(number)) for number in numbers
        ]


def _report(question: Question, tools: Tools, kept: PaifuFolder, sent: SentPaifu) -> Reply:
    """The report of a record, or the part of it that the option `round` names."""
    record = _parsed(kept, sent)
    if not sent.day:
        sent = replace(sent, day=_day_of(question, record))
    reviewed = _reviewed(question, sent, record)
    links = _ReportLinks(question.option("id"), sent.seat, record.rounds)
    asked_part = question.option("round")
    part = _part_of_report(asked_part, record, reviewed, links)
    if part:
        figures = choice("牌譜成績", Ask.PAIFU, seats=record.seats)
        return Reply((part,), offered(Choice(TITLE, links.data()), figures))
    if asked_part == RARE and reviewed.analysis.choices:
        return _rarest_reply(question, reviewed, links)
    if asked_part.isdecimal() and int(asked_part) < len(record.rounds):
        return _round_reply(question, reviewed.analysis, int(asked_part), links)
    return _whole_report(question, tools, record, reviewed, sent, links)


def _day_of(question: Question, record: Record) -> date | None:
    """The day in the record, or of the stored record that the button names."""
    if record.played_at is not None:
        return record.played_at.date()
    file = question.option("id")
    return next((entry.day for entry in question.snapshot.paifus if entry.file == file), None)


def _parsed(kept: PaifuFolder, sent: SentPaifu) -> Record:
    """The record in the bytes. Raises UserError for what is no record."""
    try:
        return kept.parsed(sent.data)
    except PaifuError as error:
        log.info("a record can't be read: %s", error)
        raise refusal(UNREADABLE if sent.id else BROKEN) from None


def _pictures(pages: Iterable[ReportPicture], table: Table) -> tuple[Picture, ...]:
    """The pages as pictures, each replaced by the table where it can't be drawn."""
    words = table.notification
    return tuple(Picture(page, draw, words, (table,), kind="record") for page in pages)


def _part_of_report(
    asked_part: str, record: Record, reviewed: Reviewed, links: _ReportLinks
) -> Part | None:
    """The list of rounds, of chances, or of files; None for any other part. `record` has the names
    on Tenhou.
    """
    if asked_part == ALL:
        return rounds_table(reviewed, links.data)
    if asked_part == ODDS and reviewed.analysis.chances is not None:
        return chances_table(reviewed, links.data)
    if asked_part == FILES:
        return files_of(record, links.file)
    return None


def _rarest_reply(question: Question, reviewed: Reviewed, links: _ReportLinks) -> Reply:
    """The rarest discards in words and, each, as a picture, with buttons to their replay."""
    analysis = reviewed.analysis
    choices = top_table.rarest_of(analysis)
    table = top_table.rarest_table(analysis, reviewed.when)
    first = ReportPicture(mark_of(analysis), RARE, analysis=analysis)
    pictures = [replace(first, page=place) for place in range(len(choices))]
    buttons = []
    if _has_record(question, links.file):
        for rare in choices:
            round_name = analysis.record.rounds[rare.round].name
            name = REPLAY_TURN.format(round=round_name, turn=rare.turn)
            data = {"game": links.file, "round": rare.round, "at": rare.at}
            buttons.append(choice(name, Ask.PAGE, **data))
    buttons.append(Choice(TITLE, links.data()))
    return Reply((table, *_pictures(pictures, table)), offered(*buttons))


def _round_pages(analysis: Analysis, number: int) -> list[ReportPicture]:
    first_page = ReportPicture(mark_of(analysis), ROUND, round=number, analysis=analysis)
    return [replace(first_page, page=page) for page in range(pages_of(analysis, number))]


def _round_reply(question: Question, analysis: Analysis, number: int, links: _ReportLinks) -> Reply:
    """The pictures of the round at an index, with buttons to the rounds next to it."""
    table = round_table(analysis, number)
    indexes = range(len(links.rounds))
    buttons = links.to_rounds(near for near in (number - 1, number + 1) if near in indexes)
    if _has_record(question, links.file):
        buttons.append(_replay_of_round(analysis, number, links.file))
    buttons += [Choice(ROUNDS, links.data(ALL)), Choice(TITLE, links.data())]
    return Reply(_pictures(_round_pages(analysis, number), table), offered(*buttons))


class _StoredPaifu(NamedTuple):
    """A record after the attempt to store it. `file` is the record that counts for the game, and
    `note` the sentence about it in the report."""

    file: str
    note: str
    is_stored: bool


def _stored(
    question: Question, tools: Tools, record: Record, analysis: Analysis, sent: SentPaifu
) -> _StoredPaifu:
    """Store a record, with the names on Tenhou, in the league's folder."""
    entry = entry_of(record, sent.id, sent.day)
    try:
        is_new = keep_paifu(tools.logs, sent.data, entry, question.now)
    except StorageError as error:
        log.error("a record can't be kept: %s", error)
        return _StoredPaifu(sent.id, NOT_ADDED, _has_record(question, sent.id))
    tools.league.expire()
    file = entry.file
    counted = counted_copy(question.snapshot.paifus, entry)
    if counted is not None and not entry.better(counted):
        file = counted.file  # the record that counted before stays
    return _StoredPaifu(file, _added_words(analysis, is_new), is_stored=True)


def _whole_report(
    question: Question,
    tools: Tools,
    record: Record,
    reviewed: Reviewed,
    sent: SentPaifu,
    links: _ReportLinks,
) -> Reply:
    """The report of the whole game. Its record, with the names on Tenhou, is stored first if it can
    be.
    """
    analysis = reviewed.analysis
    stored = _stored(question, tools, record, analysis, sent)
    links = replace(links, file=stored.file)
    table = players_table(people_of(question), reviewed, stored.note, links.data, links.to_rarest)
    pictures = _pictures(report_pictures(reviewed), table)
    buttons = _report_buttons(analysis, links, stored.is_stored)
    if stored.is_stored and _may_be_recorded(reviewed):
        buttons.insert(0, choice(RECORD_GAME, Ask.TABLE_GAME, paifu=stored.file))
    return Reply((table, *pictures), offered(*buttons))


def _may_be_recorded(reviewed: Reviewed) -> bool:
    """Whether the game can be counted as one of the league: at least half of its players on
    Mahjong Soul are members, and its end is known."""
    record = reviewed.analysis.record
    members = [colour for colour in reviewed.analysis.colours if colour]
    is_of_members = 2 * len(members) >= record.seats
    is_complete = record.final is not None
    return is_of_members and is_complete and record.platform == GamePlatform.MAHJONG_SOUL


def _report_buttons(analysis: Analysis, links: _ReportLinks, is_stored: bool) -> list[Choice]:
    """The buttons below a report: to its parts, and to its weightiest rounds."""
    figures = choice("牌譜成績", Ask.PAIFU, seats=analysis.record.seats)
    if not links.file:
        return [figures, choice("危険度", Ask.DANGER)]
    buttons = [Choice(ROUNDS, links.data(ALL))]
    if any(rare.is_unusual for rare in analysis.choices):
        buttons.append(Choice(top_table.RAREST, links.data(RARE)))
    if analysis.chances is not None:
        buttons.append(Choice(CHANCES, links.data(ODDS)))
    if is_stored:
        buttons.append(choice("再生", Ask.PAGE, game=links.file))
    buttons.append(Choice(REVIEWERS, links.data(FILES)))
    weightiest = sorted(analysis.by_weight[: QUICK_REPLIES - 7])
    return [*buttons, *links.to_rounds(weightiest), figures]


def _added_words(analysis: Analysis, new: bool) -> str:
    """Whether the record, `new` or not, counts for 牌譜成績; "" where it did before."""
    if not any(analysis.colours):
        return NOBODYS
    return ADDED if new else ""


def _has_record(question: Question, file: str) -> bool:
    """Whether the league has the record of that file, so that its page can replay it."""
    return any(entry.file == file for entry in question.snapshot.paifus)


def _replay_of_round(analysis: Analysis, number: int, file: str) -> Choice:
    """The replay of a round, from its first moment where it has one."""
    moments = analysis.moments_of(number)
    if moments:
        return choice(
            "名場面を再生",
            Ask.PAGE,
            game=file,
            round=number,
            at=moments[0].at,
        )
    return choice("この局を再生", Ask.PAGE, game=file, round=number)


def _reviewed(question: Question, sent: SentPaifu, record: Record) -> Reviewed:
    """The record analysed.

    Marked is the seat that the address or file names, else the asker's own.
    """
    league = question.snapshot.league
    people = people_of(question)
    asker = question.asker.player
    members = tuple(league.player_of(name, sent.day) for name in record.players)
    seat = members.index(asker) if asker in members else None
    if sent.seat is not None and sent.seat < len(members):
        seat = sent.seat
    colours = tuple(people.colours.get(member, "") for member in members)
    shown = replace(
        record,
        players=tuple(seat_names([league.shown(member) for member in members])),
    )
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
