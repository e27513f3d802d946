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
    USUAL_SEATS,
    Person,
    SignUpList,
    SignUps,
    SignUpWord,
    is_call,
    read_call,
)
from bot.chat.command import Ask, Command, Question, Spec, Tools, choice, data_of
from bot.chat.feature import SentText
from bot.chat.replies import Button, Choice, Form, FormFact, FormRow, Reply, Text, Tone, UserError
from bot.tenhou.client import TenhouBusy, TenhouError, note_failure
from rating.league import STRANGER

TITLE = "今夜の募集"
OVER = "この募集は終わっています。もう一度「募集」と送ってください。"
NO_USER = "だれのタップか分かりません。LINEを新しくして、もう一度押してください。"
TITLE_WITH_START = "{start}からの募集"
SEATS = "{seats}人打ち"
COMING = "参加 {count}人"
COMING_LATE = "遅れる {count}人"
NOBODY = "まだいません"
SHORT = "あと{count}人です。"
ENDS = "朝5時に終わります。"
ALT = "{title}：{count}人（{names}）"
GATHERED = "{count}人そろいました！"
GREETING = "よろしくお願いします：{names}さん"
GREETING_WITH_START = "{start}から、よろしくお願いします：{names}さん"
TOO_FEW = "まだ{seats}人そろっていません。"
WHO_IS = "{names}さんの天鳳の名前が分かりません。「自分」で名前を登録してください。"
MISSING = "{names}さんが部屋にいません。部屋に入ってから、もう一度「始める」を押してください。"
IN_GROUPS_ONLY = "募集は、グループのトークで送ってください。"
PLAYERS_ONLY = "「始める」は、打つ人が押してください。"
ENTER_ROOM = "部屋に入る"
COPY_ROOM = "{room}をコピー"
CONFIRM = "この顔ぶれで始めますか？"
CONFIRM_TEXT = "全員が部屋に入ってから押してください。"
CONFIRM_ALT = "対局を始めますか？（確認）"
PLAYERS = "打つ人"
STARTED_BEFORE = "もう開始を伝えています。部屋で確かめてください。"
STARTED = "天鳳に開始を伝えました。始まらないときは、部屋で確かめてください。"
BETWEEN_NAMES = "さん、"
NOT_NOW = "いま天鳳に伝えられません。1分ほどおいて、もう一度「始める」を押してください。"
AGAIN = choice("募集を見る", Ask.SIGNUP)
log = logging.getLogger(__name__)


def recognise(sent: SentText) -> Command | None:
    """「21時から」, 「今日やる人？」 and other calls for players."""
    if is_call(sent.text):
        return Command(Ask.SIGNUP, {}, (sent.text,))
    return None


def answer(question: Question, tools: Tools) -> Reply:
    """Open the chat's list or show it; with the options of its buttons record a tap, or start a
    game.
    """
    asker = question.asker
    do = question.option("do")
    if asker.alone:
        raise UserError(IN_GROUPS_ONLY, (choice("いま", Ask.ROOM), MENU))
    chat_list = SignUps(tools.parts.state.values, asker.chat, question.now.timestamp())
    if not do:
        return _shown(question, tools, _opened(question, chat_list))
    if do in (SignUpWord.IN, SignUpWord.LATE, SignUpWord.OUT):
        return _tapped(question, tools, chat_list, do)
    signups = chat_list.now()
    if signups is None or signups.nonce != question.option("n"):
        raise UserError(OVER, (choice("募集", Ask.SIGNUP), MENU))
    return _start(question, tools, signups)


def _opened(question: Question, chat_list: SignUps) -> SignUpList:
    """The list after the call that was sent; by default with the seats of the last game."""
    call = read_call("".join(question.command.rest), question.now)
    seats = call.seats
    if not seats:
        games = question.snapshot.all_games()
        seats = len(games[-1].seats) if games else USUAL_SEATS
    return chat_list.open(question.now, seats, call.start)


def _tapped(question: Question, tools: Tools, chat_list: SignUps, word: str) -> Reply:
    asker = question.asker
    if not asker.user:
        raise UserError(NO_USER, (AGAIN, MENU))
    signups = chat_list.tap(
        question.option("n"),
        question.at,
        asker.user,
        word,
        name=_name(question, tools),
        player=asker.player,
    )
    if signups is None:
        raise UserError(OVER, (choice("募集", Ask.SIGNUP), MENU))
    if signups.made_full_by(question.at, asker.user):
        return _gathered(question, tools, chat_list, signups)
    return _shown(question, tools, signups)


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


def _shown(question: Question, tools: Tools, signups: SignUpList) -> Reply:
    return Reply(
        (_form(question, tools, signups),),
        (choice("いま", Ask.ROOM), MENU),
    )


def _form(question: Question, tools: Tools, signups: SignUpList) -> Form:
    people = signups.people
    on_time = _names(question, [person for person in people if not person.late])
    late = _names(question, [person for person in people if person.late])
    rows: list[FormRow] = [
        FormFact(COMING.format(count=len(on_time)), "、".join(on_time) or NOBODY)
    ]
    if late:
        coming_late = COMING_LATE.format(count=len(late))
        rows.append(FormFact(coming_late, "、".join(late)))
    rows.append(
        (
            _button(signups, "参加", SignUpWord.IN, "main"),
            _button(signups, "遅れる", SignUpWord.LATE),
            _button(signups, "やめる", SignUpWord.OUT),
        )
    )
    if signups.full:
        rows += _room_rows(question, tools, signups)
    count = len(people)
    text = GATHERED.format(count=count)
    if count < signups.seats:
        text = SHORT.format(count=signups.seats - count)
    title = TITLE
    if signups.start:
        title = TITLE_WITH_START.format(start=signups.start)
    names = "、".join(on_time + late) or NOBODY
    return Form(
        title,
        tuple(rows),
        text,
        note=ENDS,
        step=SEATS.format(seats=signups.seats),
        alt=ALT.format(title=TITLE, count=count, names=names),
    )


def _button(signups: SignUpList, label: str, do: str, tone: Tone = "plain") -> Button:
    data = data_of(Ask.SIGNUP, do=do, n=signups.nonce)
    return Button((label,), data, tone, said=label)


def _room_rows(question: Question, tools: Tools, signups: SignUpList) -> list[FormRow]:
    """The buttons for the league's own room, else its first one; none without a room."""
    own_room = tools.parts.rooms.name(tools.folder)
    room = own_room or next(iter(question.snapshot.league.rooms), "")
    if not room:
        return []
    enter = Button((ENTER_ROOM,), "", "link", opens=room_url(room))
    copy = Button((COPY_ROOM.format(room=room),), "", "link", copies=room)
    rows: list[FormRow] = [(enter, copy)]
    if tools.parts.rooms.may_start and own_room:
        rows.append((_button(signups, "始める", "start"),))
    return rows


def _gathered(question: Question, tools: Tools, chat_list: SignUps, signups: SignUpList) -> Reply:
    """The full list without those who left the group meanwhile, and a line that names the players
    to come.
    """
    line_names: dict[str, str | None] = {}
    for person in signups.people:
        name = tools.member(question.asker.chat, person.user)
        line_names[person.user] = name
        if name is None:
            signups = chat_list.left([person.user], question.at) or signups
    if not signups.full:
        return _shown(question, tools, signups)
    mentions = [person.user for person in signups.people if line_names[person.user]]
    lines = [
        GATHERED.format(count=len(signups.people)),
        _greeting(question, signups, mentions),
    ]
    tonight = _tonight(question)
    if tonight:
        lines.append(tonight)
    shown = _shown(question, tools, signups)
    text = Text("\n".join(lines), tuple(mentions))
    return Reply((*shown.parts, text), shown.choices)


def _greeting(question: Question, signups: SignUpList, mentions: Sequence[str]) -> str:
    """The line with everybody's name: a place such as {m0} for each of the users in `mentions`,
    which LINE replaces, and the name of others."""
    names = []
    for person, name in zip(signups.people, _names(question, signups.people), strict=True):
        if person.user in mentions:
            names.append(f"{{m{mentions.index(person.user)}}}")
        elif mentions:
            names.append(re.sub("[{}]", r"\g<0>\g<0>", name))
        else:
            names.append(name)
    joined = BETWEEN_NAMES.join(names)
    if signups.start:
        return GREETING_WITH_START.format(start=signups.start, names=joined)
    return GREETING.format(names=joined)


def _tonight(question: Question) -> str:
    """How much the evening matters for the title, where 優勝確率 was computed after the last game."""
    asked = replace(question, command=Command(Ask.FORECAST))
    try:
        return tonight_words(asked, season_outlook(asked), reckoned=True)
    except UserError:
        return ""


def _start(question: Question, tools: Tools, signups: SignUpList) -> Reply:
    """Start the game of those who signed up first, after a confirmation. Raises UserError where
    they cannot start it."""
    rooms = tools.parts.rooms
    people = signups.people[: signups.seats]
    may_start = rooms.may_start and bool(rooms.name(tools.folder))
    if not may_start or question.asker.user not in [person.user for person in people]:
        raise UserError(PLAYERS_ONLY, (AGAIN, MENU))
    if len(people) < signups.seats:
        raise UserError(TOO_FEW.format(seats=signups.seats), (AGAIN, MENU))
    strangers = _names(question, [person for person in people if not person.player])
    if strangers:
        message = WHO_IS.format(names=BETWEEN_NAMES.join(strangers))
        raise UserError(message, (choice("自分", Ask.ME), AGAIN))
    nonce = question.option("k")
    if question.option("do") == "start" or not re.fullmatch("[0-9a-f]{12}", nonce):
        return Reply((_confirm(_names(question, people), signups),), (AGAIN, MENU))
    return _started(question, tools, people, nonce)


def _confirm(names: Sequence[str], signups: SignUpList) -> Form:
    go = data_of(
        Ask.SIGNUP,
        do="go",
        n=signups.nonce,
        k=secrets.token_hex(6),
    )
    start = Button(("はい、始める",), go, "main", said="始める")
    back = Button(("戻る",), AGAIN.data, "quiet", said="戻る")
    rows = FormFact(PLAYERS, "、".join(names)), (start,), (back,)
    return Form(CONFIRM, rows, CONFIRM_TEXT, alt=CONFIRM_ALT)


def _started(question: Question, tools: Tools, people: Sequence[Person], nonce: str) -> Reply:
    """Tell Tenhou to start the game, once for each nonce."""
    league = question.snapshot.league
    names = [person.player for person in people]
    again: tuple[Choice, ...] = (AGAIN, choice("いま", Ask.ROOM), MENU)
    try:
        missing = tools.parts.rooms.start(
            tools.folder,
            names,
            nonce,
            chips=league.rules.chip > 0,
        )
    except TenhouBusy:
        raise UserError(STARTED_BEFORE, again) from None
    except (TenhouError, ValueError) as error:
        note_failure(error)
        log.warning("no game could be started: %s", error)
        raise UserError(NOT_NOW, again) from None
    if missing:
        shown = [league.shown(name) if name in names else name for name in missing]
        raise UserError(MISSING.format(names=BETWEEN_NAMES.join(shown)), again)
    return Reply((Text(STARTED),), again)


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
