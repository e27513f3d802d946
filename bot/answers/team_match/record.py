"""2対2: records a team match (2 vs 2) in the chat: pick four members, enter three results, confirm; undo if
wrong.

The log is not written to before 記録する is pressed. What is tapped on a form is kept in the state store
until the form is complete, and gets no answer before; every other button carries the draft itself. A nonce
identifies the match, so that it is written once however often the last button is pressed.
"""

from __future__ import annotations

from dataclasses import replace

from bot.answers.common.members import names_of
from bot.answers.common.typed import Reader, Term, of_kind
from bot.answers.team_match import forms
from bot.answers.team_match.draft import SEATS, TeamMatchDraft, members_of, read
from bot.answers.team_match.taps import Taps
from bot.chat.command import Ask, Catalogue, Question, Spec, choice, normal
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
PICKED = "{}さんはもう選んであります。あと{}人を押してください。"
FULL = "もう4人そろっています。勝敗のフォームで、勝ったほうを押してください。"
TWICE = "この結果は登録済みです。"
BUSY = "いま書き込んでいます。少し待ってから、もう一度押してください。"
UNDONE = "記録を取り消しました。"
NOT_THERE = "その記録は、もう残っていません。"
LATE = "取り消せるのは24時間以内です。直したいときは、管理者に teamlog.txt の修正をお願いしてください。"
STOPPED = "記録をやめました。何も書き込んでいません。"
NAMES = "名前に空白のあるメンバーは、ここからは記録できません。管理者に相談してください。"
NO_TEXT = (
    "teamlog.txt の文字コードが UTF-8 でも Shift-JIS でもないため、書き込めません。"
    "管理者に、UTF-8 で保存し直すようお願いしてください。"
)


def answer(question: Question, tools: Tools) -> Reply:
    """The next form of the draft; with the options `go`, `undo` and `stop` it records, removes or drops the
    match."""
    if question.option("undo"):
        return _undo(question, tools)
    if question.option("stop"):
        return Reply((Text(STOPPED),), (choice("メニュー", Ask.MENU),))
    everyone = members_of(question)
    if len(everyone) < SEATS:
        raise UserError(FOUR, (choice("メニュー", Ask.MENU),))
    draft = read(question, everyone) if question.command.options else _from_words(question, everyone)
    if draft is None:
        fresh = TeamMatchDraft(day=question.now.date())
        return Reply((Text(CHANGED), forms.pick(question, everyone, fresh)))
    if question.option("go") and draft.complete:
        return _record(question, tools, everyone, draft)
    taps = Taps(tools.state, question.asker.chat, draft.nonce)
    if question.option("add"):
        return _picked(question, everyone, draft, taps)
    if question.option("g"):
        return _marked(question, everyone, draft, taps)
    if question.option("p"):
        draft = taps.now(draft)
    elif not draft.complete or question.option("edit"):
        taps.start(draft)
    return Reply((forms.form(question, everyone, draft),), _ways_out(draft))


def _picked(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft, taps: Taps) -> Reply:
    """Nothing before the fourth member; then the form of the results. Raises UserError for one who was picked
    already."""
    wanted = question.option("add")
    if wanted not in map(str, range(len(everyone))) or not question.option("n"):
        raise UserError(CHANGED, (choice("選び直す", Ask.RECORD),))
    before = taps.now(draft)
    if before.seated or int(wanted) in before.picks:
        left = SEATS - len(before.picks)
        words = (
            FULL
            if before.seated
            else PICKED.format(question.snapshot.league.shown(everyone[int(wanted)]), left)
        )
        raise UserError(
            f"{words}\n{forms.seated(question, everyone, before)}", (choice("選び直す", Ask.RECORD),)
        )
    draft = taps.pick(draft, int(wanted))
    return Reply((forms.results(question, everyone, draft),)) if draft.seated else Reply(())


def _marked(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft, taps: Taps) -> Reply:
    """Nothing before the third result; then the summary. Raises UserError where no game was played at all."""
    game, mark = question.option("g"), question.option("w")
    if not draft.seated or game not in ("0", "1", "2") or mark not in ("o", "x", "-"):
        raise UserError(CHANGED, (choice("選び直す", Ask.RECORD),))
    draft = taps.mark(draft, int(game), mark)
    if draft.results == "---":
        raise UserError(forms.NONE_PLAYED, (choice("選び直す", Ask.RECORD),))
    return Reply((forms.confirm(question, everyone, draft),)) if draft.complete else Reply(())


def _ways_out(draft: TeamMatchDraft) -> tuple[Choice, ...]:
    return (
        ()
        if draft.picks
        else (choice("2対2レート", Ask.RATING, model="team_elo"), choice("メニュー", Ask.MENU))
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
    reader = Reader(Catalogue(), names_of(question.snapshot))
    terms = reader.read(" ".join(words))
    if any(term.kind != "member" for term in terms) or not terms:
        alone = [(word, reader.term(word)) for word in words]
        terms = tuple(term if term and term.kind == "member" else Term("part", word) for word, term in alone)
    odd = [term.value for term in terms if term.kind == "part"]
    if odd:
        raise UserError(WHO.format(odd[0][:20]), (choice("ボタンで選ぶ", Ask.RECORD),), chatter=True)
    picks = tuple(everyone.index(name) for name in of_kind(terms, "member")[:SEATS])
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
        undo = (choice("取り消す", Ask.RECORD, undo=draft.nonce),) if known and known.step == "there" else ()
        return Reply((Text(TWICE if undo else NOT_THERE),), (*undo, *_after(question, draft, everyone)))
    form = forms.done(question, everyone, draft)
    return Reply((form,), _after(question, draft, everyone))


def _after(question: Question, draft: TeamMatchDraft, everyone: tuple[str, ...]) -> tuple[Choice, ...]:
    again = replace(draft, results="...", day=question.now.date(), nonce="")
    return (
        Choice("同じ4人でもう1回", forms.data(everyone, again)),
        choice("2対2レート", Ask.RATING, model="team_elo"),
        choice("メニュー", Ask.MENU),
    )


def _undo(question: Question, tools: Tools) -> Reply:
    nonce, log = question.option("undo"), _team_log(question, tools)
    known = log.get(nonce) if TeamMatchDraft.is_nonce(nonce) else None
    menu = (choice("2対2レート", Ask.RATING, model="team_elo"), choice("メニュー", Ask.MENU))
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
        name=Ask.RECORD,
        title="2対2を記録",
        help="2対2の結果を書き込みます（4人を選び、3戦の勝ちを入れます）",
        action=answer,
        words=("記録", "2対2", "2対2記録", "きろく"),
    ),
)
