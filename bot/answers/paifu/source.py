"""Gets the bytes of a paifu (game record) that a member sent, from Tenhou or from LINE, or says why it
can't."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from datetime import date, datetime

from bot.answers.common.scope import offered
from bot.chat.command import Ask, Question, choice
from bot.chat.replies import Choice, UserError
from bot.chat.tools import Tools
from bot.league.paifu_log import PaifuFolder
from bot.tenhou.client import TenhouError, TenhouNotFound

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
    """A paifu's bytes (perhaps gzipped), Tenhou's id ("" for a file), and the day and seat (0-3) where they
    are known."""

    data: bytes = field(repr=False)
    id: str = ""
    day: date | None = None
    seat: int | None = None


def refusal(sentence: str) -> UserError:
    """The error that replies with the sentence and some choices."""
    return UserError(sentence, ways_on())


def ways_on() -> tuple[Choice, ...]:
    """The choices below a refusal."""
    return offered(choice("牌譜成績", Ask.PAIFU), choice("危険度", Ask.DANGER))


def from_tenhou(question: Question, tools: Tools, kept: PaifuFolder, paifu_id: str) -> SentPaifu:
    """The paifu of that id; once fetched it is kept in the league's folder. A file that was sent is named by
    its entry.

    Raises UserError when Tenhou has no such paifu or does not answer.
    """
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
