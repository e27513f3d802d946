"""罰符: a fine or a bonus, typed in the chat and written by a tap as a line of the log, which 収支
counts.
"""

import re
import secrets
from datetime import datetime

from bot import texts
from bot.answers.common.members import checksum, key, likely_members, members_of, names_of
from bot.answers.table_game.record import MENU, OLD, STOPPED, UNDO_NOTE, moment_of, write
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of, normal
from bot.chat.replies import Button, Form, FormFact, FormRow, Reply, Text, UserError
from rating.numerals import PLUS, SIGN
from rating.roomlog import FINE, Fine, format_fine

HOW = "「罰符 みどり -10 チョンボ」のように、名前、点数（千点単位）、理由の順に送ってください。"
WHO = "「{}」という人が見つかりません。名前を確かめて、もう一度送ってください。"
ASKED = "この内容で記録しますか？"
ALIKE = "同じ人への同じ点数を、{}に記録してあります。別の罰符のときだけ、記録してください。"
OTHER_FINE = "別の罰符として記録する"
NOTE = "収支にだけ入り、レートや着順は変わりません。"
LONGEST = 12  # characters of a reason, which a button carries
_POINTS = re.compile(
    rf"(?P<sign>{SIGN}|まいなす|ぷらす)?\s?(?P<number>[0-9]{{1,3}},[0-9]{{3}}|[0-9]{{1,6}}(?:\.[0-9])?)"
    r"(?P<unit>千点|点|pts?|ぽいんと)?"
)


def answer(question: Question, tools: Tools) -> Reply:
    """The fine that was typed, to be confirmed; with the options of its buttons it is recorded or
    dropped.
    """
    if question.option("stop"):
        return Reply((Text(STOPPED),), (MENU,))
    if not question.command.options:
        return Reply((_confirm(question, _typed(question)),))
    fine, at = _carried(question)
    alike = write(
        question,
        tools,
        question.option("n"),
        at.date(),
        format_fine(fine, at.time()),
        even_if_alike=bool(question.option("alike")),
    )
    if alike is not None:
        return Reply((_confirm(question, fine, moment_of(alike)),))
    undo = Button(
        ("取り消す",),
        data_of(
            Ask.TABLE_GAME,
            undo=question.option("n"),
        ),
        "danger",
        said="取り消す",
    )
    shown = question.snapshot.league.shown(fine.player)
    alt = f"{FINE}を記録しました（{shown} {texts.points(fine.points)}）"
    form = Form(
        "記録しました",
        (*_facts(question, fine), (undo,)),
        note=UNDO_NOTE,
        alt=alt,
    )
    return Reply((form,), (choice("収支", Ask.SUM), MENU))


def _typed(question: Question) -> Fine:
    """Raises UserError for what is no fine: as chatter where not even a number stands in it."""
    words: list[str] = []
    found = None
    for word in question.command.rest:
        number = _POINTS.fullmatch(normal(word))
        if number and found is None and words:
            found = number
        else:
            words.append(word)
    if found is None or not words:
        raise UserError(HOW, (MENU,), chatter=bool(words))
    player = _player_of(question, words[0])
    points = float(found["number"].replace(",", ""))
    if found["unit"] == "点" or points >= 1000:
        points = round(points / 1000, 1)
    if found["sign"] is None:
        is_fine = question.command.word != "ボーナス"
    else:
        is_fine = re.fullmatch(f"{PLUS}|ぷらす", found["sign"]) is None
    return Fine(
        player,
        -points if is_fine else points,
        " ".join(words[1:])[:LONGEST],
    )


def _player_of(question: Question, word: str) -> str:
    """The member whose name the word is, or probably is. Raises UserError."""
    names = names_of(question.snapshot)
    name = key(word)
    if name in names:
        return names[name]
    players, _ = likely_members(names, word)
    if len(players) != 1:
        raise UserError(WHO.format(word[:20]), (MENU,))
    return players.pop()


def _carried(question: Question) -> tuple[Fine, datetime]:
    """The fine that a button carries.

    Raises UserError for an old one, or one whose members have changed.
    """
    everyone = members_of(question)
    option = question.option
    try:
        at = datetime.strptime(option("d"), "%Y%m%d%H%M")  # noqa: DTZ007 (JST)
        player = everyone[int(option("m"))]
        points = int(option("f")) / 10
    except (ValueError, IndexError):
        raise UserError(OLD, (MENU,)) from None
    if option("k") != checksum(everyone) or not re.fullmatch("[0-9a-f]{12}", option("n")):
        raise UserError(OLD, (MENU,))
    age = question.now.date() - at.date()
    if abs(age.days) > 1:
        raise UserError(OLD, (MENU,))
    return Fine(
        player,
        points,
        " ".join(option("w").split())[:LONGEST],
    ), at


def _facts(question: Question, fine: Fine) -> tuple[FormFact, ...]:
    who = FormFact("だれ", question.snapshot.league.shown(fine.player))
    points = FormFact("点数", texts.points(fine.points))
    if not fine.reason:
        return (who, points)
    return (who, points, FormFact("理由", fine.reason))


def _confirm(question: Question, fine: Fine, alike: str = "") -> Form:
    """The fine as it will be recorded. `alike` is when the same one was recorded before."""
    everyone = members_of(question)
    now = question.now
    label = "記録する"
    text = ""
    if alike:
        label = OTHER_FINE
        text = ALIKE.format(alike)
    data = data_of(
        Ask.FINE,
        m=str(everyone.index(fine.player)),
        f=str(round(fine.points * 10)),
        w=fine.reason,
        d=f"{now:%Y%m%d%H%M}",
        k=checksum(everyone),
        n=secrets.token_hex(6),
        alike=1 if alike else "",
    )
    rows: tuple[FormRow, ...] = (
        *_facts(question, fine),
        (Button((label,), data, "main", said=label),),
        (
            Button(
                ("やめる",),
                data_of(Ask.FINE, stop=1),
                "quiet",
                said="やめる",
            ),
        ),
    )
    alt = f"{FINE}：内容を確かめて「{label}」を押してください"
    return Form(ASKED, rows, text=text, note=NOTE, alt=alt)


SPECS = (
    Spec(
        name=Ask.FINE,
        title=FINE,
        help="罰符やボーナスを収支に入れます（罰符 みどり -10 チョンボ）",
        action=answer,
        words=f"{FINE} ボーナス チョンボ",
        everyday="ボーナス チョンボ",
        talk=True,
        hidden=True,
    ),
)
