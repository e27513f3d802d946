"""いま: the players in the league's own room at Tenhou, which is requested only on a tap."""

import logging
import re
from collections.abc import Sequence

from bot import texts
from bot.answers.common.members import members
from bot.chat.command import Ask, Command, Question, Spec, Tools, choice, data_of, normal
from bot.chat.feature import SentText
from bot.chat.replies import Button, Form, FormFact, FormRow, Reply, UserError
from bot.tenhou.client import TenhouError, note_failure
from bot.tenhou.room_now import RoomNow
from rating.roomlog import GUEST

TITLE = "いまの部屋"
_VERB = "(?:いる|おる|いてる|い|打って(?:る|ん)|やって(?:る|ん))"
# Who sits where, and nothing else: in a sentence いま and 部屋 mean something else.
ASKED = re.compile(
    rf"今|いま|卓|部屋|(?:今|いま)?(?:部屋|卓)空いてる|(?:今|いま|部屋|卓)(?:の?部屋|卓)?(?:に|で|は)?"
    rf"(?:何人|誰[がか]?{_VERB}(?:の|ん)?|{_VERB}(?:の|のは|人|人は|奴)?(?:誰|いる)?)(?:ですか|か)?[?。は ]*"
)
NO_ROOM = "このリーグの部屋のようすは見られません。見たいときは、管理者に大会ロビーの登録をお願いしてください。"
NOT_NOW = "いま部屋のようすを確かめられません。10秒ほどおいて、もう一度押してください。"
NOBODY = "いまは、だれもいません。"
UNREAD = "読み取れないところが{count}つありました（表示していません）。"
OTHERS = "ほかに{count}人が対局中です。"
TITLE_OF_ROOM = "いまの部屋（{room}）"
ALT = "いまの部屋：{summary}"
TABLES = "対局中{count}卓"
WAITING_COUNT = "待機中{count}人"
WAITING = "待機中"
SINCE = "{time}から"
UNTIL = "{time}まで"
SEEN_AT = "{time}のようすです。"
WATCH = "観戦する"
LAST_GAME = "最後の対局"
ENTER = "部屋に入る"
CALL = "募集する"
GUEST_NAME = "ゲスト"
GUEST_WITH_NAME = "{name}（ゲスト）"
AGAIN = choice("もう一度見る", Ask.ROOM)
MENU = choice("メニュー", Ask.MENU)
log = logging.getLogger(__name__)


def recognise(sent: SentText) -> Command | None:
    """「いま」, 「部屋空いてる？」 and other ways to ask who is in the room."""
    if ASKED.fullmatch(normal(sent.text).rstrip("?!。は ")):
        return Command(Ask.ROOM)
    return None


def answer(question: Question, tools: Tools) -> Reply:
    """The room as it was at most ten seconds ago: its tables, who waits, and a link to enter."""
    try:
        now = tools.parts.rooms.look(tools.folder)
    except (TenhouError, ValueError) as error:
        note_failure(error)
        log.warning("the room can't be asked: %s", error)
        raise UserError(NOT_NOW, (AGAIN, MENU)) from None
    if now is None:
        raise UserError(NO_ROOM, (choice("直近", Ask.RECENT), MENU))
    return Reply((_form(question, tools, now),), (AGAIN, MENU))


def _form(question: Question, tools: Tools, now: RoomNow) -> Form:
    notes = _notes(now)
    counts = []
    if now.tables:
        counts.append(TABLES.format(count=len(now.tables)))
    if now.waiting:
        counts.append(WAITING_COUNT.format(count=len(now.waiting)))
    summary = "、".join(counts or notes[:1])
    return Form(
        TITLE_OF_ROOM.format(room=now.room),
        _rows(question, tools, now),
        "\n".join(notes),
        note=SEEN_AT.format(time=f"{now.at:%H:%M:%S}"),
        alt=ALT.format(summary=summary),
    )


def _rows(question: Question, tools: Tools, now: RoomNow) -> tuple[FormRow, ...]:
    rows: list[FormRow] = []
    for table in now.tables:
        since = SINCE.format(time=table.since)
        rows.append(FormFact(since, names(question, table.players)))
        rows.append((Button((WATCH,), "", "link", opens=table.url),))
    if now.waiting:
        rows.append(FormFact(WAITING, names(question, now.waiting)))
    if _is_empty(now):
        last_game = _last_game(question, tools)
        if last_game:
            rows.append(FormFact(LAST_GAME, last_game))
    enter = Button((ENTER,), "", "main", opens=room_url(now.room))
    call = Button((CALL,), data_of(Ask.SIGNUP), said="募集")
    return (*rows, (enter, call))


def _is_empty(now: RoomNow) -> bool:
    return not (now.tables or now.waiting or now.others or now.unread)


def _notes(now: RoomNow) -> list[str]:
    notes = []
    if _is_empty(now):
        notes.append(NOBODY)
    if now.others:
        notes.append(OTHERS.format(count=now.others))
    if now.unread:
        notes.append(UNREAD.format(count=now.unread))
    return notes


def names(question: Question, players: Sequence[str]) -> str:
    """Names on Tenhou as members know them; others are marked as guests."""
    league = question.snapshot.league
    league_members = set(members(question.snapshot))
    texts_of_names = []
    for name in players:
        player = league.player_of(name, question.now.date())
        if player in league_members:
            text = league.shown(player)
        elif name == GUEST:
            text = GUEST_NAME
        else:
            text = GUEST_WITH_NAME.format(name=league.shown(name))
        texts_of_names.append(text)
    return "、".join(texts_of_names)


def room_url(room: str) -> str:
    """The address that enters a room (`C1017`)."""
    return f"https://tenhou.net/0/?{room}"


def _last_game(question: Question, tools: Tools) -> str:
    """When the room was last played in, by its own results, or else by the league's log; "" for
    never.
    """
    memory = tools.parts.rooms.memory(tools.folder)
    if memory is not None and memory.active is not None:
        until = texts.moment(memory.active.date(), memory.active.time())
        return UNTIL.format(time=until)
    games = [game for game in question.snapshot.all_games() if game.day]
    if not games:
        return ""
    since = texts.moment(games[-1].day, games[-1].start)
    return SINCE.format(time=since)


SPECS = (
    Spec(
        name=Ask.ROOM,
        title=TITLE,
        help="いま部屋にいる人と、対局中の卓を出します",
        action=answer,
        words=f"{TITLE} 部屋のようす",
        bare=True,
        slow=True,
    ),
)
