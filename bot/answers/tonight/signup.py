"""募集: who comes tonight, by taps. Each answer shows the list; the one that makes it full names
those who come. 始める starts their game in the league's own room, where that is allowed."""

import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import replace

from bot.answers.common.outlooks import season_outlook, tonight_words
from bot.answers.tonight.room import MENU, room_url
from bot.answers.tonight.signup_list import (
    IN,
    LATE,
    OUT,
    Person,
    SignUpList,
    SignUps,
    is_call,
    wanted,
)
from bot.chat.command import Ask, Command, Question, Spec, Tools, choice, data_of
from bot.chat.feature import SentText
from bot.chat.replies import Button, Choice, Form, FormFact, FormRow, Reply, Text, Tone, UserError
from bot.tenhou.client import TenhouBusy, TenhouError, note_failure
from rating.league import STRANGER

TITLE = "今夜の募集"
OVER = "この募集は終わっています。もう一度「募集」と送ってください。"
NO_USER = "だれのタップか分かりません。LINEを新しくして、もう一度押してください。"
GATHERED = "{}人そろいました！"
TOO_FEW = "まだ{}人そろっていません。"
WHO_IS = "{}さんの天鳳の名前が分かりません。「自分」で名前を登録してください。"
MISSING = "{}さんが部屋にいません。部屋に入ってから、もう一度「始める」を押してください。"
NOT_NOW = "いま天鳳に伝えられません。1分ほどおいて、もう一度「始める」を押してください。"
AGAIN = choice("募集を見る", Ask.SIGNUP)
log = logging.getLogger(__name__)


def recognise(sent: SentText) -> Command | None:
    """「21時から」, 「今日やる人？」 and other calls for players."""
    return Command(Ask.SIGNUP, {}, (sent.text,)) if is_call(sent.text) else None


def answer(question: Question, tools: Tools) -> Reply:
    """Open the chat's list or show it; with the options of its buttons note a tap, or start a
    game.
    """
    asker = question.asker
    do = question.option("do")
    if asker.alone:
        raise UserError(
            "募集は、グループのトークで送ってください。", (choice("いま", Ask.ROOM), MENU)
        )
    signups = SignUps(tools.parts.state.values, asker.chat, question.now.timestamp())
    if not do:
        seats, start = wanted("".join(question.command.rest), question.now)
        usual = next(
            (len(game.seats) for game in reversed(question.snapshot.all_games())),
            3,
        )
        return _shown(question, tools, signups.open(question.now, seats or usual, start))
    nonce = question.option("n")
    if do in (IN, LATE, OUT):
        if not asker.user:
            raise UserError(NO_USER, (AGAIN, MENU))
        name = _name(question, tools)
        at = question.at
        tapped = signups.tap(nonce, at, asker.user, do, name, asker.player)
        if tapped is None:
            raise UserError(OVER, (choice("募集", Ask.SIGNUP), MENU))
        if tapped.made_full_by(at, asker.user):
            return _gathered(question, tools, signups, tapped)
        return _shown(question, tools, tapped)
    known = signups.now()
    if known is None or known.nonce != nonce:
        raise UserError(OVER, (choice("募集", Ask.SIGNUP), MENU))
    return _start(question, tools, known)


def _name(question: Question, tools: Tools) -> str:
    """How the asker is named: as a member, else by LINE's profile; "" where LINE does not say."""
    asker = question.asker
    if asker.player:
        return question.snapshot.league.shown(asker.player)
    return (tools.member(asker.chat, asker.user) or "")[:20]


def _names(question: Question, people: Sequence[Person]) -> list[str]:
    """How people are named in this chat now: names may have been hidden since they tapped."""
    league = question.snapshot.league
    names = []
    for person in people:
        if person.player:
            names.append(league.shown(person.player))
        elif league.hides:
            names.append(STRANGER)
        else:
            names.append(person.name)
    return names


def _shown(question: Question, tools: Tools, found: SignUpList) -> Reply:
    return Reply(
        (_form(question, tools, found),),
        (choice("いま", Ask.ROOM), MENU),
    )


def _form(question: Question, tools: Tools, found: SignUpList) -> Form:
    people = found.people
    here = _names(question, [person for person in people if not person.late])
    late = _names(question, [person for person in people if person.late])
    rows: list[FormRow] = [FormFact(f"参加 {len(here)}人", "、".join(here) or "まだいません")]
    if late:
        rows.append(FormFact(f"遅れる {len(late)}人", "、".join(late)))

    def button(word: str, do: str, tone: Tone = "plain") -> Button:
        return Button(
            (word,),
            data_of(Ask.SIGNUP, do=do, n=found.nonce),
            tone,
            said=word,
        )

    rows.append(
        (
            button("参加", IN, "main"),
            button("遅れる", LATE),
            button("やめる", OUT),
        )
    )
    rooms = question.snapshot.league.rooms  # the league's own room comes first
    room = tools.parts.rooms.name(tools.folder) or (rooms[0] if rooms else "")
    if found.full and room:
        enter = Button(("部屋に入る",), "", "link", opens=room_url(room))
        rows.append((enter, Button((f"{room}をコピー",), "", "link", copies=room)))
        if tools.parts.rooms.may_start and tools.parts.rooms.name(tools.folder):
            rows.append((button("始める", "start"),))
    short = found.seats - len(people)
    told = f"あと{short}人です。" if short > 0 else GATHERED.format(len(people))
    alt = f"{TITLE}：{len(people)}人（{'、'.join(here + late) or 'まだいません'}）"
    title = f"{found.start}からの募集" if found.start else TITLE
    return Form(
        title, tuple(rows), told, note="朝5時に終わります。", step=f"{found.seats}人打ち", alt=alt
    )


def _gathered(question: Question, tools: Tools, signups: SignUps, found: SignUpList) -> Reply:
    """The full list without those who left the group meanwhile, and a line that names those who
    come.
    """
    chat = question.asker.chat
    known = {}
    for person in found.people:
        known[person.user] = tools.member(chat, person.user)
        if known[person.user] is None:
            found = signups.left([person.user], question.at) or found
    if not found.full:
        return _shown(question, tools, found)
    mentions = [person.user for person in found.people if known[person.user]]
    names = []
    for person, name in zip(found.people, _names(question, found.people), strict=True):
        plain = re.sub("[{}]", r"\g<0>\g<0>", name) if mentions else name
        names.append(f"{{m{mentions.index(person.user)}}}" if person.user in mentions else plain)
    when = f"{found.start}から、" if found.start else ""
    words = f"{GATHERED.format(len(found.people))}\n{when}よろしくお願いします：{'さん、'.join(names)}さん"
    shown = _shown(question, tools, found)
    tonight = _tonight(question)
    if tonight:
        words += f"\n{tonight}"
    return Reply((*shown.parts, Text(words, tuple(mentions))), shown.choices)


def _tonight(question: Question) -> str:
    """How much the evening matters for the title, where 優勝確率 has reckoned it since the last
    game.
    """
    asked = replace(question, command=Command(Ask.FORECAST))
    try:
        return tonight_words(asked, season_outlook(asked), reckoned=True)
    except UserError:
        return ""


def _start(question: Question, tools: Tools, found: SignUpList) -> Reply:
    rooms = tools.parts.rooms
    people = found.people[: found.seats]
    playing = {person.user for person in people}
    may_start = rooms.may_start and bool(rooms.name(tools.folder))
    if not may_start or question.asker.user not in playing:
        raise UserError("「始める」は、打つ人が押してください。", (AGAIN, MENU))
    if len(people) < found.seats:
        raise UserError(TOO_FEW.format(found.seats), (AGAIN, MENU))
    if strangers := _names(question, [person for person in people if not person.player]):
        raise UserError(
            WHO_IS.format("さん、".join(strangers)),
            (choice("自分", Ask.ME), AGAIN),
        )
    once = question.option("k")
    if question.option("do") == "start" or not re.fullmatch("[0-9a-f]{12}", once):
        return Reply((_confirm(_names(question, people), found),), (AGAIN, MENU))
    return _started(question, tools, people, once)


def _confirm(names: Sequence[str], found: SignUpList) -> Form:
    go = data_of(
        Ask.SIGNUP,
        do="go",
        n=found.nonce,
        k=secrets.token_hex(6),
    )
    start = Button(("はい、始める",), go, "main", said="始める")
    back = Button(("戻る",), AGAIN.data, "quiet", said="戻る")
    rows = FormFact("打つ人", "、".join(names)), (start,), (back,)
    text = "全員が部屋に入ってから押してください。"
    return Form("この顔ぶれで始めますか？", rows, text, alt="対局を始めますか？（確認）")


def _started(question: Question, tools: Tools, people: Sequence[Person], once: str) -> Reply:
    league = question.snapshot.league
    names = [person.player for person in people]
    again: tuple[Choice, ...] = (AGAIN, choice("いま", Ask.ROOM), MENU)
    try:
        missing = tools.parts.rooms.start(
            tools.folder,
            names,
            once,
            chips=league.rules.chip > 0,
        )
    except TenhouBusy:
        raise UserError("もう開始を伝えています。部屋で確かめてください。", again) from None
    except (TenhouError, ValueError) as error:
        note_failure(error)
        log.warning("no game could be started: %s", error)
        raise UserError(NOT_NOW, again) from None
    if missing:
        shown = (league.shown(name) if name in names else name for name in missing)
        raise UserError(MISSING.format("さん、".join(shown)), again)
    return Reply(
        (Text("天鳳に開始を伝えました。始まらないときは、部屋で確かめてください。"),), again
    )


SPECS = (
    Spec(
        name=Ask.SIGNUP,
        title="募集",
        help="今夜打つ人を募ります（募集、21時から、今日やる人？）",
        action=answer,
        words="募集 参加者募集 メンツ募集",
        bare=True,
    ),
)
