"""いま: who sits and who waits in the league's own room at Tenhou, asked on a tap alone."""

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
UNREAD = "読み取れないところが{}つありました（表示していません）。"
OTHERS = "ほかに{}人が対局中です。"
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
    rows: list[FormRow] = []
    for table in now.tables:
        rows.append(FormFact(f"{table.since}から", names(question, table.players)))
        rows.append((Button(("観戦する",), "", "link", opens=table.url),))
    if now.waiting:
        rows.append(FormFact("待機中", names(question, now.waiting)))
    empty = not (now.tables or now.waiting or now.others or now.unread)
    if empty and (since := _since(question, tools)):
        rows.append(FormFact("最後の対局", since))
    enter = Button(("部屋に入る",), "", "main", opens=room_url(now.room))
    rows.append(
        (
            enter,
            Button(
                ("募集する",),
                data_of(Ask.SIGNUP),
                said="募集",
            ),
        )
    )
    notes = []
    if empty:
        notes.append(NOBODY)
    if now.others:
        notes.append(OTHERS.format(now.others))
    if now.unread:
        notes.append(UNREAD.format(now.unread))
    counts = []
    if now.tables:
        counts.append(f"対局中{len(now.tables)}卓")
    if now.waiting:
        counts.append(f"待機中{len(now.waiting)}人")
    alt = f"{TITLE}：{'、'.join(counts or notes[:1])}"
    text = "\n".join(notes)
    return Form(
        f"{TITLE}（{now.room}）",
        tuple(rows),
        text,
        note=f"{now.at:%H:%M:%S}のようすです。",
        alt=alt,
    )


def names(question: Question, players: Sequence[str]) -> str:
    """Names on Tenhou as members know them; who is no member is marked as a guest."""
    league = question.snapshot.league
    known = set(members(question.snapshot))

    def shown(name: str) -> str:
        player = league.player_of(name, question.now.date())
        guest = "ゲスト" if name == GUEST else f"{league.shown(name)}（ゲスト）"
        return league.shown(player) if player in known else guest

    return "、".join(map(shown, players))


def room_url(room: str) -> str:
    """The address that enters a room (`C1017`)."""
    return f"https://tenhou.net/0/?{room}"


def _since(question: Question, tools: Tools) -> str:
    """When the room was last played in, as its own results tell, or else the league's log; "" for
    never.
    """
    memory = tools.parts.rooms.memory(tools.folder)
    if memory is not None and memory.active is not None:
        return f"{texts.moment(memory.active.date(), memory.active.time())}まで"
    games = [game for game in question.snapshot.all_games() if game.day]
    return f"{texts.moment(games[-1].day, games[-1].start)}から" if games else ""


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
