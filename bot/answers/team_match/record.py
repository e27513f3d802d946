"""2対2: records a team match (2 vs 2) in the chat: pick four members, enter three results, confirm; undo if
wrong.

The log is not written to before 記録する is pressed. What is tapped on a form is kept in the state store
until the form is complete, and gets no answer before; every other button carries the draft itself. So a whole
recording is four bubbles. A nonce identifies the match, so that it is written once however often the last
button is pressed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot import texts
from bot.answers.common.members import names_of
from bot.answers.common.typed import Reader, Term, of_kind
from bot.answers.team_match.draft import SEATS, Taps, TeamMatchDraft, members_of, read
from bot.chat.command import Ask, Catalogue, Question, Spec, choice, data_of, normal
from bot.chat.replies import GAP, Button, Choice, Form, FormFact, FormRow, Reply, Text, UserError
from bot.chat.tools import Tools
from bot.league.team_log import Busy, TeamLog
from rating import teamlog
from rating.encoding import EncodingError
from rating.teamlog import PAIRINGS, Session

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
        return Reply((Text(CHANGED), pick(question, everyone, fresh)))
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
    return Reply((form(question, everyone, draft),), _ways_out(draft))


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
        raise UserError(f"{words}\n{seated(question, everyone, before)}", (choice("選び直す", Ask.RECORD),))
    draft = taps.pick(draft, int(wanted))
    return Reply((results(question, everyone, draft),)) if draft.seated else Reply(())


def _marked(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft, taps: Taps) -> Reply:
    """Nothing before the third result; then the summary. Raises UserError where no game was played at all."""
    game, mark = question.option("g"), question.option("w")
    if not draft.seated or game not in ("0", "1", "2") or mark not in ("o", "x", "-"):
        raise UserError(CHANGED, (choice("選び直す", Ask.RECORD),))
    draft = taps.mark(draft, int(game), mark)
    if draft.results == "---":
        raise UserError(NONE_PLAYED, (choice("選び直す", Ask.RECORD),))
    return Reply((confirm(question, everyone, draft),)) if draft.complete else Reply(())


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
    form = done(question, everyone, draft)
    return Reply((form,), _after(question, draft, everyone))


def _after(question: Question, draft: TeamMatchDraft, everyone: tuple[str, ...]) -> tuple[Choice, ...]:
    again = replace(draft, results="...", day=question.now.date(), nonce="")
    return (
        Choice("同じ4人でもう1回", data(everyone, again)),
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
    return Reply((Text(f"{UNDONE}\n{in_words(question, known.line)}"),), menu)


NUMERALS = ("①", "②", "③", "④")
TITLE = "2対2を記録"
A_PAGE = 24  # members in one form
PICK = "席順に4人を押してください。4人目を押すと、勝敗に進みます。"
RESULTS = "3戦とも、勝ったほうを押してください。"
NONE_PLAYED = "1戦も打っていない記録はできません。勝ったほうを押してください。"
SIGNS = {"o": ("○", "×"), "x": ("×", "○")}


def data(everyone: tuple[str, ...], draft: TeamMatchDraft, **more: object) -> str:
    """Postback data that continues with a draft."""
    return data_of(Ask.RECORD, **draft.options(everyone), **more)


def form(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The form for the next step of a draft."""
    if not draft.seated:
        return pick(question, everyone, draft)
    if draft.complete and not question.option("edit"):
        return confirm(question, everyone, draft)
    return results(question, everyone, draft)


def pick(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The members as buttons, two a row. Who was chosen before the form was sent shows the number of the
    seat."""
    page = _page(question, everyone)
    buttons = [
        _member(question, everyone, draft, place)
        for place in range(page * A_PAGE, min(len(everyone), (page + 1) * A_PAGE))
    ]
    buttons += [GAP] * (len(buttons) % 2)
    rows: list[FormRow] = [tuple(buttons[i : i + 2]) for i in range(0, len(buttons), 2)]
    turns = []
    if page:
        turns.append(Button(("前の人たち",), _turn(everyone, draft, page - 1), "quiet"))
    if (page + 1) * A_PAGE < len(everyone):
        turns.append(Button(("ほかの人たち",), _turn(everyone, draft, page + 1), "quiet"))
    if turns:
        rows.append(tuple(turns))
    chosen = "、".join(_shown(question, everyone, p) for p in draft.picks)
    note = "1戦目は①②、2戦目は①④、3戦目は①③がペアです。"
    left = SEATS - len(draft.picks)
    alt = f"{TITLE}：{chosen}（あと{left}人）" if chosen else f"{TITLE}：4人を選んでください"
    return Form(TITLE, tuple(rows), text=PICK, note=note, step=f"あと{left}人", alt=alt)


def _page(question: Question, everyone: tuple[str, ...]) -> int:
    wanted = question.option("p")
    page = int(wanted) if wanted in map(str, range(100)) else 0
    return min(page, (len(everyone) - 1) // A_PAGE)


def _turn(everyone: tuple[str, ...], draft: TeamMatchDraft, page: int) -> str:
    """Postback data that shows another page of members, with whom was tapped until then."""
    return data(everyone, replace(draft, picks=()), p=page)


def _member(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft, place: int) -> Button:
    name = _shown(question, everyone, place)
    seat = draft.picks.index(place) if place in draft.picks else None
    return Button(
        (name,),
        data(everyone, replace(draft, picks=()), add=place),
        "plain" if seat is None else "chosen",
        "" if seat is None else NUMERALS[seat],
        said=name,
    )


def seated(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> str:
    """The members picked so far with their seats: ①みどり ②白發中."""
    names = (_shown(question, everyone, place) for place in draft.picks)
    return " ".join(number + name for number, name in zip(NUMERALS, names, strict=False))


def results(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """One row per game, with buttons for the two sides and for a game that was not played."""
    rows: list[FormRow] = []
    for game in range(len(draft.results)):
        rows.append(f"{game + 1}戦目")
        cells = [
            _result(everyone, draft, (game, wins), _side(question, everyone, draft, side))
            for side, wins in zip(PAIRINGS[game], "ox", strict=True)
        ]
        rows.append((*cells, _result(everyone, draft, (game, "-"), ("なし",))))
    if draft.complete:
        rows.append((Button(("確認へ",), data(everyone, draft), "main"),))
    empty = replace(draft, picks=(), results="...")
    rows.append((Button(("メンバーを選び直す",), data(everyone, empty), "quiet"),))
    said = 3 - draft.results.count(".")
    left = f"あと{3 - said}戦" if said < 3 else ""
    text = NONE_PLAYED if draft.results == "---" else f"{seated(question, everyone, draft)}\n{RESULTS}"
    alt = f"{TITLE}：{said + 1}戦目の勝ちを選んでください" if said < 3 else f"{TITLE}：3戦とも入りました"
    return Form(
        TITLE, tuple(rows), text=text, note="打っていない対局は「なし」にします。", step=left, alt=alt
    )


def _result(
    everyone: tuple[str, ...], draft: TeamMatchDraft, result: tuple[int, str], words: tuple[str, ...]
) -> Button:
    """The button of a game's result: its index from 0, and the mark of the side that won (`-`: not
    played)."""
    game, mark = result
    return Button(
        words,
        data(everyone, replace(draft, results="..."), g=game, w=mark),
        "chosen" if draft.results[game] == mark else "plain",
        said=f"{game + 1}戦目 {'・'.join(words)}",
        narrow=mark == "-",
    )


def confirm(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The summary of a complete draft, with buttons to record it, change the day, correct it, or stop."""
    today = question.now.date()
    other, word = (
        (today - timedelta(days=1), "日付をきのうに") if draft.day == today else (today, "日付をきょうに")
    )
    rows: tuple[FormRow, ...] = (
        *_summary(question, everyone, draft),
        (Button(("記録する",), data(everyone, draft, go=1), "main", said="記録する"),),
        (
            Button((word,), data(everyone, replace(draft, day=other)), "plain"),
            Button(("直す",), data(everyone, draft, edit=1), "plain"),
        ),
        (Button(("やめる",), data_of(Ask.RECORD, stop=1), "quiet", said="やめる"),),
    )
    return Form("この内容で記録しますか？", rows, alt=f"{TITLE}：内容を確かめて「記録する」を押してください")


def done(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The summary of a recorded match, with a button to undo it."""
    undo = Button(("取り消す",), data_of(Ask.RECORD, undo=draft.nonce), "danger", said="取り消す")
    names = "、".join(_shown(question, everyone, place) for place in draft.picks)
    return Form(
        "記録しました",
        (*_summary(question, everyone, draft), (undo,)),
        note="24時間以内なら、だれでも取り消せます。",
        alt=f"2対2を記録しました（{texts.day(draft.day)}　{names}）",
    )


def _summary(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> tuple[FormFact, ...]:
    facts = [FormFact("日付", texts.day(draft.day))]
    for game, mark in enumerate(draft.results):
        sides = ["・".join(_side(question, everyone, draft, side)) for side in PAIRINGS[game]]
        if mark in SIGNS:
            words = "\n".join(f"{sign} {side}" for sign, side in zip(SIGNS[mark], sides, strict=True))
        else:
            words = "なし"
        facts.append(FormFact(f"{game + 1}戦目", words))
    return tuple(facts)


def in_words(question: Question, line: str) -> str:
    """A line of teamlog.txt in words: day and names; "" when it can't be read."""
    sessions, _ = teamlog.parse(line)
    names = "、".join(question.snapshot.league.shown(p) for s in sessions for p in s.players)
    return f"（{texts.day(sessions[0].day)}　{names}）" if sessions else ""


def _side(
    question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft, side: tuple[int, int]
) -> tuple[str, str]:
    one, two = (_shown(question, everyone, draft.picks[seat]) for seat in side)
    return one, two


def _shown(question: Question, everyone: tuple[str, ...], place: int) -> str:
    return question.snapshot.league.shown(everyone[place])


SPECS = (
    Spec(
        name=Ask.RECORD,
        title="2対2を記録",
        help="2対2の結果を書き込みます（4人を選び、3戦の勝ちを入れます）",
        action=answer,
        words=("記録", "2対2", "2対2記録", "きろく"),
    ),
)
