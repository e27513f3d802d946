"""2対2: records a team match (2 vs 2) in the chat: pick four members, enter three results, confirm; undo if wrong.

Nothing is stored before 記録する is pressed: each button carries the choices so far, and a nonce. The nonce identifies the
match, so that it is written once however often the last button is pressed.
"""

from __future__ import annotations

from dataclasses import replace

from bot.answers.common import members
from bot.answers.team_match import forms
from bot.answers.team_match.draft import SEATS, TeamMatchDraft, members_of, read
from bot.chat.command import Question, Spec, choice, normal
from bot.chat.replies import Choice, Reply, Text, UserError
from bot.chat.tools import Tools
from bot.league.team_log import Busy, TeamLog
from rating.encoding import EncodingError
from rating.teamlog import Session

MARKS = {
    "o": "o",
    "○": "o",
    "◯": "o",
    "〇": "o",
    "x": "x",
    "×": "x",
    "✕": "x",
    "-": "-",
    "ー": "-",
    "−": "-",
    "なし": "-",
}
CHANGED = "メンバーの一覧が変わったか、日がたっています。お手数ですが、もう一度選んでください。"
FOUR = "2対2の記録には、4人以上のメンバーが要ります。"
WHO = "「{}」という人は見つかりません。「記録」とだけ送ると、ボタンで選べます。"
TWICE = "この結果は登録済みです。"
BUSY = "いま書き込んでいます。少し待ってから、もう一度押してください。"
UNDONE = "記録を取り消しました。"
NOT_THERE = "その記録は、もう残っていません。"
LATE = "取り消せるのは24時間以内です。直したいときは、管理者に teamlog.txt の修正をお願いしてください。"
STOPPED = "記録をやめました。何も書き込んでいません。"
NAMES = "名前に空白のあるメンバーは、ここからは記録できません。管理者に相談してください。"
NO_TEXT = "teamlog.txt の文字コードが UTF-8 でも Shift-JIS でもないため、書き込めません。管理者に、UTF-8 で保存し直すようお願いしてください。"


def answer(question: Question, tools: Tools) -> Reply:
    """The next form of the draft; with the options `go`, `undo` and `stop` it records, removes or drops the match."""
    if question.option("undo"):
        return _undo(question, tools)
    if question.option("stop"):
        return Reply((Text(STOPPED),), (choice("メニュー", "menu"),))
    everyone = members_of(question)
    if len(everyone) < SEATS:
        raise UserError(FOUR, (choice("メニュー", "menu"),))
    draft = read(question, everyone) if question.command.options else _from_words(question, everyone)
    if draft is None:
        fresh = TeamMatchDraft(day=question.now.date())
        return Reply((Text(CHANGED), forms.pick(question, everyone, fresh)))
    if question.option("go") and draft.complete:
        return _record(question, tools, everyone, draft)
    return Reply((forms.form(question, everyone, draft),), _ways_out(draft))


def _ways_out(draft: TeamMatchDraft) -> tuple[Choice, ...]:
    return (
        () if draft.picks else (choice("2対2レート", "rating", model="team_elo"), choice("メニュー", "menu"))
    )


def _from_words(question: Question, everyone: tuple[str, ...]) -> TeamMatchDraft:
    """The draft that typed words give, perhaps incomplete: `記録 みどり 東風 白發中 海底丸 o x o`."""
    words = list(question.command.rest)
    marks = ""
    while words and len(marks) < 3:
        word = normal(words[-1])
        signs = [MARKS.get(sign) for sign in ([word] if word in MARKS else word)]
        if None in signs or len(signs) + len(marks) > 3:
            break
        marks = "".join(filter(None, signs)) + marks
        words.pop()
    command = replace(question.command, rest=tuple(words))
    found, left = members.named(replace(question, command=command), SEATS)
    if left:
        raise UserError(WHO.format(left[0][:20]), (choice("ボタンで選ぶ", "record"),), chatter=True)
    picks = tuple(everyone.index(name) for name in found)
    return TeamMatchDraft(picks, marks.ljust(3, ".") if len(picks) == SEATS else "...", question.now.date())


def _team_log(question: Question, tools: Tools) -> TeamLog:
    return TeamLog(tools.logs, tools.state, question.asker.chat, question.now)


def _record(question: Question, tools: Tools, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Reply:
    one, two, three, four = (everyone[pick] for pick in draft.picks)
    results = {"o": True, "x": False, "-": None}
    first, second, third = (results[mark] for mark in draft.results)
    session = Session(draft.day, (one, two, three, four), (first, second, third))
    try:
        new = _team_log(question, tools).add(draft.nonce, session)
    except Busy:
        raise UserError(BUSY) from None
    except EncodingError:
        raise UserError(NO_TEXT) from None
    except ValueError:
        raise UserError(NAMES) from None
    tools.league.expire()
    if not new:
        known = _team_log(question, tools).get(draft.nonce)
        undo = (choice("取り消す", "record", undo=draft.nonce),) if known and known.step == "there" else ()
        return Reply((Text(TWICE if undo else NOT_THERE),), (*undo, *_after(question, draft, everyone)))
    form = forms.done(question, everyone, draft)
    return Reply((form,), _after(question, draft, everyone))


def _after(question: Question, draft: TeamMatchDraft, everyone: tuple[str, ...]) -> tuple[Choice, ...]:
    again = replace(draft, results="...", day=question.now.date(), nonce="")
    return (
        Choice("同じ4人でもう1回", forms.data(everyone, again)),
        choice("2対2レート", "rating", model="team_elo"),
        choice("メニュー", "menu"),
    )


def _undo(question: Question, tools: Tools) -> Reply:
    nonce, log = question.option("undo"), _team_log(question, tools)
    known = log.get(nonce) if TeamMatchDraft.is_nonce(nonce) else None
    menu = (choice("2対2レート", "rating", model="team_elo"), choice("メニュー", "menu"))
    if known is None:
        raise UserError(NOT_THERE, menu)
    if log.late(known):
        raise UserError(LATE, menu)
    try:
        removed = log.undo(nonce)
    except Busy:
        raise UserError(BUSY) from None
    except EncodingError:
        raise UserError(NO_TEXT) from None
    tools.league.expire()
    if not removed:
        raise UserError(NOT_THERE, menu)
    return Reply((Text(f"{UNDONE}\n{forms.in_words(question, known.line)}"),), menu)


SPECS = (
    Spec(
        name="record",
        title="2対2を記録",
        help="2対2の結果を書き込みます（4人を選び、3戦の勝ちを入れます）",
        action=answer,
        words=("記録", "2対2", "2対2記録", "きろく"),
    ),
)
