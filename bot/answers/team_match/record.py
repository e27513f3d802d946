"""2対2: records a team match (2 vs 2): pick four members, enter three results, confirm; undo if
wrong.

What is tapped on a form is kept in the state store until the form is complete, and gets no answer
before; every other button carries the draft itself. A nonce identifies the match, so that it is
written once however often 記録する is pressed.

The draft of a team match (2 vs 2): what its buttons carry, and what was tapped, which the state
store keeps.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from bot import texts
from bot.answers.common.members import checksum, members_of, names_of
from bot.answers.common.reader import Reader, of_kind
from bot.chat.command import Ask, Catalogue, Question, Spec, Term, Tools, choice, data_of, normal
from bot.chat.replies import (
    GAP,
    Button,
    Choice,
    Form,
    FormFact,
    FormRow,
    Reply,
    Text,
    Tone,
    UserError,
)
from bot.league.team_log import Busy, TeamLog
from rating import teamlog
from rating.encoding import EncodingError
from rating.teamlog import PAIRINGS, Session
from storage.state import State

SEATS = 4
_DAY = re.compile("[0-9]{8}")
_PICKS = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}", re.ASCII)
_RESULTS = re.compile(r"[ox.-]{3}")
_NONCE = re.compile(r"[0-9a-f]{12}")
OLDEST = timedelta(days=3)  # an older draft is refused


@dataclass(frozen=True, slots=True)
class TeamMatchDraft:
    """A team match that is being entered. `picks` are indices of members, by seat. `results` has a
    mark per game: o when the side with seat I won, x when it lost, - when it was not played, `.`
    when that is not entered yet."""

    picks: tuple[int, ...] = ()
    results: str = "..."
    day: date = date.min
    nonce: str = field(default_factory=lambda: secrets.token_hex(6))

    @property
    def seated(self) -> bool:
        return len(self.picks) == SEATS

    @property
    def complete(self) -> bool:
        """Whether everything is entered and at least one game was played."""
        return self.seated and "." not in self.results and self.results != "---"

    def marked(self, game: int, mark: str) -> TeamMatchDraft:
        return replace(
            self,
            results=self.results[:game] + mark + self.results[game + 1 :],
        )

    @staticmethod
    def is_nonce(text: str) -> bool:
        return bool(_NONCE.fullmatch(text))

    def options(self, everyone: tuple[str, ...]) -> dict[str, str]:
        """The draft as postback options. A draft without a nonce gets one when it is read."""
        return {
            "m": ".".join(map(str, self.picks)),
            "r": self.results if self.results != "..." else "",
            "d": self.day.strftime("%Y%m%d"),
            "k": checksum(everyone),
            "n": self.nonce,
        }


def read(question: Question, everyone: tuple[str, ...]) -> TeamMatchDraft | None:
    """The draft a button carries, in the options of `TeamMatchDraft.options`. None for bad picks or
    results, for other members, or for a day too old or to come. A day that can't be read counts as
    today.
    """
    picks = question.option("m")
    results = question.option("r") or "..."
    today = question.now.date()
    if not any(question.option(name) for name in ("m", "r", "k", "n")):
        return TeamMatchDraft(day=today)
    if question.option("k") != checksum(everyone) or not _RESULTS.fullmatch(results):
        return None
    if picks and not _PICKS.fullmatch(picks):
        return None
    seats = tuple(int(pick) for pick in picks.split(".") if pick)
    day = today
    asked = question.option("d")
    with suppress(ValueError):
        if _DAY.fullmatch(asked):
            day = date(
                int(asked[:4]),
                int(asked[4:6]),
                int(asked[6:]),
            )
    if len(set(seats)) != len(seats) or any(seat >= len(everyone) for seat in seats):
        return None
    if not today - OLDEST <= day <= today:
        return None
    nonce = question.option("n")
    if not nonce:
        return TeamMatchDraft(seats, results, day)
    return TeamMatchDraft(seats, results, day, nonce) if TeamMatchDraft.is_nonce(nonce) else None


class Taps:
    """What was tapped on the forms of the draft with this nonce, by whomever in the chat."""

    def __init__(self, state: State, chat: str, nonce: str) -> None:
        self._state = state
        self._key = f"match:{chat}:{nonce}"

    def start(self, draft: TeamMatchDraft) -> None:
        """Begin with the draft's members and results. Raises StorageError."""
        self._state.values.put(self._key, _text(draft), OLDEST.total_seconds())

    def pick(self, draft: TeamMatchDraft, place: int) -> TeamMatchDraft:
        """The draft with the member at this index; nobody twice, or a fifth.

        Raises StorageError.
        """

        def add(known: TeamMatchDraft) -> TeamMatchDraft:
            new = place not in known.picks and len(known.picks) < SEATS
            return replace(known, picks=(*known.picks, place)) if new else known

        return self._changed(draft, add)

    def mark(self, draft: TeamMatchDraft, game: int, mark: str) -> TeamMatchDraft:
        """The draft with this result of a game (index from 0). Raises StorageError."""
        return self._changed(
            draft, lambda known: replace(known, picks=draft.picks).marked(game, mark)
        )

    def now(self, draft: TeamMatchDraft) -> TeamMatchDraft:
        """The draft as it is kept. Raises StorageError."""
        return _kept(draft, self._state.values.get(self._key))

    def _changed(
        self, draft: TeamMatchDraft, change: Callable[[TeamMatchDraft], TeamMatchDraft]
    ) -> TeamMatchDraft:
        """Change what is kept, also where somebody else taps at the same moment."""

        def changed(value: str | None) -> str:
            return _text(change(_kept(draft, value)))

        return _kept(
            draft,
            self._state.values.change(self._key, changed, OLDEST.total_seconds()),
        )


def _text(draft: TeamMatchDraft) -> str:
    return ".".join(map(str, draft.picks)) + " " + draft.results


def _kept(draft: TeamMatchDraft, value: str | None) -> TeamMatchDraft:
    picks, _, results = (value or " ...").partition(" ")
    return replace(
        draft,
        picks=tuple(map(int, filter(None, picks.split(".")))),
        results=results,
    )


MARKS = dict(zip("o○◯〇x×✕-ー−", "ooooxxx---", strict=True)) | {"なし": "-"}
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
NUMERALS = ("①", "②", "③", "④")
TITLE = "2対2を記録"
A_PAGE = 24  # members in one form
PICK = "席順に4人を押してください。4人目を押すと、勝敗に進みます。"
RESULTS = "3戦とも、勝ったほうを押してください。"
NONE_PLAYED = "1戦も打っていない記録はできません。勝ったほうを押してください。"
PAIRS = "1戦目は①②、2戦目は①④、3戦目は①③がペアです。"
NOT_PLAYED = "打っていない対局は「なし」にします。"
MENU = choice("メニュー", Ask.MENU)
AGAIN = choice("選び直す", Ask.RECORD)
RATING = choice("2対2レート", Ask.RATING, model="team_elo")
SIGNS = {"o": ("○", "×"), "x": ("×", "○")}


def answer(question: Question, tools: Tools) -> Reply:
    """The next form of the draft; with the options `go`, `undo`, `stop` it is recorded, removed,
    dropped.
    """
    if question.option("undo"):
        return _undo(question, tools)
    if question.option("stop"):
        return Reply((Text(STOPPED),), (MENU,))
    everyone = members_of(question)
    if len(everyone) < SEATS:
        raise UserError(FOUR, (MENU,))
    draft = (
        read(question, everyone) if question.command.options else _from_words(question, everyone)
    )
    if draft is None:
        fresh = TeamMatchDraft(day=question.now.date())
        return Reply((Text(CHANGED), Forms(question, everyone, fresh).pick()))
    forms = Forms(question, everyone, draft)
    taps = Taps(tools.parts.state, question.asker.chat, draft.nonce)
    if question.option("go") and draft.complete:
        return _record(question, tools, forms)
    if question.option("add"):
        return _picked(forms, taps)
    if question.option("g"):
        return _marked(forms, taps)
    if question.option("p"):
        forms = replace(forms, draft=taps.now(draft))
    elif not draft.complete or question.option("edit"):
        taps.start(draft)
    if not forms.draft.seated:
        form = forms.pick()
    elif forms.draft.complete and not question.option("edit"):
        form = forms.confirm()
    else:
        form = forms.results()
    return Reply((form,), () if forms.draft.picks else (RATING, MENU))


def _picked(forms: Forms, taps: Taps) -> Reply:
    """Nothing before the fourth member; then the results' form.

    Raises UserError for one picked before.
    """
    wanted = forms.question.option("add")
    places = map(str, range(len(forms.everyone)))
    if wanted not in places or not forms.question.option("n"):
        raise UserError(CHANGED, (AGAIN,))
    before = replace(forms, draft=taps.now(forms.draft))
    picks = before.draft.picks
    if before.draft.seated or int(wanted) in picks:
        picked = PICKED.format(forms.shown(int(wanted)), SEATS - len(picks))
        raise UserError(f"{FULL if before.draft.seated else picked}\n{before.seated}", (AGAIN,))
    after = replace(forms, draft=taps.pick(forms.draft, int(wanted)))
    return Reply((after.results(),)) if after.draft.seated else Reply(())


def _marked(forms: Forms, taps: Taps) -> Reply:
    """Nothing before the third result; then the summary.

    Raises UserError where no game was played at all.
    """
    game = forms.question.option("g")
    mark = forms.question.option("w")
    known = game in ("0", "1", "2") and mark in ("o", "x", "-")
    if not forms.draft.seated or not known:
        raise UserError(CHANGED, (AGAIN,))
    after = replace(forms, draft=taps.mark(forms.draft, int(game), mark))
    if after.draft.results == "---":
        raise UserError(NONE_PLAYED, (AGAIN,))
    return Reply((after.confirm(),)) if after.draft.complete else Reply(())


def _from_words(question: Question, everyone: tuple[str, ...]) -> TeamMatchDraft:
    """The draft that typed words give, perhaps incomplete:

    `記録 みどり 東風 白發中 海底丸 o x o`.
    """
    words = list(question.command.rest)
    marks = ""  # of the results, from the end of the text: o, x, or several in one word
    while words and len(marks) < 3:
        word = normal(words[-1])
        signs = [MARKS.get(sign) for sign in ([word] if word in MARKS else word)]
        if None in signs or len(signs) + len(marks) > 3:
            break
        marks = "".join(filter(None, signs)) + marks
        words.pop()
    reader = Reader(Catalogue(), names_of(question.snapshot), guess=False)
    terms = reader.read(" ".join(words))
    if any(term.kind != "member" for term in terms) or not terms:
        # Read each word by itself, to name the one that is no member.
        by_word = [(word, reader.term(word)) for word in words]
        terms = tuple(
            term if term and term.kind == "member" else Term("part", word) for word, term in by_word
        )
    odd = [term.value for term in terms if term.kind == "part"]
    if odd:
        raise UserError(
            WHO.format(odd[0][:20]),
            (choice("ボタンで選ぶ", Ask.RECORD),),
            chatter=True,
        )
    picks = tuple(everyone.index(name) for name in of_kind(terms, "member")[:SEATS])
    results = "..."  # results are of no use without all four members
    if len(picks) == SEATS:
        results = marks.ljust(3, ".")
    return TeamMatchDraft(picks, results, question.now.date())


@contextmanager
def _log(question: Question, tools: Tools) -> Iterator[TeamLog]:
    """The log to change. Raises UserError where it is busy, or no text that can be written to."""
    try:
        yield TeamLog(tools.logs, tools.parts.state, question.asker.chat, question.now)
    except Busy:
        raise UserError(BUSY) from None
    except EncodingError:
        raise UserError(NO_TEXT) from None


def _record(question: Question, tools: Tools, forms: Forms) -> Reply:
    draft = forms.draft
    one, two, three, four = (forms.everyone[pick] for pick in draft.picks)
    won = {"o": True, "x": False, "-": None}
    first, second, third = (won[mark] for mark in draft.results)
    session = Session(
        draft.day,
        (one, two, three, four),
        (first, second, third),
    )
    same = replace(draft, results="...", day=question.now.date(), nonce="")
    after = (Choice("同じ4人でもう1回", forms.data(same)), RATING, MENU)
    with _log(question, tools) as log:
        try:
            new = log.add(draft.nonce, session)
        except EncodingError:
            raise
        except ValueError:
            raise UserError(NAMES) from None
        tools.league.expire()
        if new:
            return Reply((forms.done(),), after)
        known = log.get(draft.nonce)
    if known and known.step == "there":
        undo = choice("取り消す", Ask.RECORD, undo=draft.nonce)
        return Reply((Text(TWICE),), (undo, *after))
    return Reply((Text(NOT_THERE),), after)


def _undo(question: Question, tools: Tools) -> Reply:
    nonce = question.option("undo")
    menu = (RATING, MENU)
    with _log(question, tools) as log:
        known = log.get(nonce) if TeamMatchDraft.is_nonce(nonce) else None
        if known is None:
            raise UserError(NOT_THERE, menu)
        if log.late(known):
            raise UserError(LATE, menu)
        removed = log.undo(nonce)
    tools.league.expire()
    if not removed:
        raise UserError(NOT_THERE, menu)
    # The line of teamlog.txt in words: day and names; "" when it can't be read.
    sessions, _ = teamlog.parse(known.line)
    players = [player for session in sessions for player in session.players]
    names = "、".join(map(question.snapshot.league.shown, players))
    line = f"（{texts.day(sessions[0].day)}　{names}）" if sessions else ""
    return Reply((Text(f"{UNDONE}\n{line}"),), menu)


@dataclass(frozen=True)
class Forms:
    """The forms of a draft. `everyone` are the members who can be picked."""

    question: Question
    everyone: tuple[str, ...]
    draft: TeamMatchDraft

    def data(self, draft: TeamMatchDraft, **more: object) -> str:
        return data_of(Ask.RECORD, **draft.options(self.everyone), **more)

    def shown(self, place: int) -> str:
        return self.question.snapshot.league.shown(self.everyone[place])

    @property
    def names(self) -> list[str]:
        return [self.shown(place) for place in self.draft.picks]

    @property
    def seated(self) -> str:
        """The members picked so far with their seats: ①みどり ②白發中."""
        numbered = zip(NUMERALS, self.names, strict=False)
        return " ".join(numeral + name for numeral, name in numbered)

    def sides(self, game: int) -> list[tuple[str, str]]:
        """The names of the two sides of a game (index from 0)."""
        names = self.names
        return [(names[one], names[other]) for one, other in PAIRINGS[game]]

    def pick(self) -> Form:
        """The members as buttons, two a row; who was chosen before it was sent shows the seat's
        number.
        """
        draft = self.draft
        count = len(self.everyone)
        wanted = self.question.option("p")
        page = min(
            int(wanted) if wanted in map(str, range(100)) else 0,
            (count - 1) // A_PAGE,
        )
        # whom was tapped until then, the state store knows
        fresh = replace(draft, picks=())
        buttons = []
        for place in range(page * A_PAGE, min(count, (page + 1) * A_PAGE)):
            name = self.shown(place)
            chosen = place in draft.picks
            badge = NUMERALS[draft.picks.index(place)] if chosen else ""
            tone: Tone = "chosen" if chosen else "plain"
            buttons.append(
                Button(
                    (name,),
                    self.data(fresh, add=place),
                    tone,
                    badge,
                    said=name,
                )
            )
        if len(buttons) % 2:
            buttons.append(GAP)
        pairs = zip(buttons[::2], buttons[1::2], strict=True)
        rows: list[FormRow] = list(pairs)
        turns = []
        if page:
            turns.append(
                Button(
                    ("前の人たち",),
                    self.data(fresh, p=page - 1),
                    "quiet",
                )
            )
        if (page + 1) * A_PAGE < count:
            turns.append(
                Button(
                    ("ほかの人たち",),
                    self.data(fresh, p=page + 1),
                    "quiet",
                )
            )
        if turns:
            rows.append(tuple(turns))
        left = f"あと{SEATS - len(draft.picks)}人"
        said = f"{'、'.join(self.names)}（{left}）" if draft.picks else "4人を選んでください"
        return Form(
            TITLE,
            tuple(rows),
            text=PICK,
            note=PAIRS,
            step=left,
            alt=f"{TITLE}：{said}",
        )

    def results(self) -> Form:
        """One row per game, with buttons for the two sides and for a game that was not played."""
        draft = self.draft
        rows: list[FormRow] = []
        fresh = replace(draft, results="...")
        for game, mark in enumerate(draft.results):
            cells = []
            sides = (*self.sides(game), ("なし",))
            for words, won in zip(sides, "ox-", strict=True):
                tone: Tone = "chosen" if mark == won else "plain"
                tap = self.data(fresh, g=game, w=won)
                side = f"{game + 1}戦目 {'・'.join(words)}"
                cells.append(Button(words, tap, tone, said=side, narrow=won == "-"))
            rows += [f"{game + 1}戦目", tuple(cells)]
        if draft.complete:
            rows.append((Button(("確認へ",), self.data(draft), "main"),))
        again = self.data(replace(fresh, picks=()))
        rows.append((Button(("メンバーを選び直す",), again, "quiet"),))
        said = 3 - draft.results.count(".")
        left = f"あと{3 - said}戦" if said < 3 else ""
        text = NONE_PLAYED if draft.results == "---" else f"{self.seated}\n{RESULTS}"
        alt = (
            f"{TITLE}：{said + 1}戦目の勝ちを選んでください"
            if said < 3
            else f"{TITLE}：3戦とも入りました"
        )
        return Form(
            TITLE,
            tuple(rows),
            text=text,
            note=NOT_PLAYED,
            step=left,
            alt=alt,
        )

    def confirm(self) -> Form:
        """The summary of a complete draft, with buttons to record it, change the day, correct it,
        or stop.
        """
        draft = self.draft
        today = self.question.now.date()
        other = today
        word = "日付をきょうに"
        if draft.day == today:
            other = today - timedelta(days=1)
            word = "日付をきのうに"
        rows: tuple[FormRow, ...] = (
            *self._summary(),
            (
                Button(
                    ("記録する",),
                    self.data(draft, go=1),
                    "main",
                    said="記録する",
                ),
            ),
            (
                Button((word,), self.data(replace(draft, day=other)), "plain"),
                Button(("直す",), self.data(draft, edit=1), "plain"),
            ),
            (
                Button(
                    ("やめる",),
                    data_of(Ask.RECORD, stop=1),
                    "quiet",
                    said="やめる",
                ),
            ),
        )
        alt = f"{TITLE}：内容を確かめて「記録する」を押してください"
        return Form("この内容で記録しますか？", rows, alt=alt)

    def done(self) -> Form:
        undo = Button(
            ("取り消す",), data_of(Ask.RECORD, undo=self.draft.nonce), "danger", said="取り消す"
        )
        alt = f"2対2を記録しました（{texts.day(self.draft.day)}　{'、'.join(self.names)}）"
        note = "24時間以内なら、だれでも取り消せます。"
        return Form(
            "記録しました",
            (*self._summary(), (undo,)),
            note=note,
            alt=alt,
        )

    def _summary(self) -> tuple[FormFact, ...]:
        facts = [FormFact("日付", texts.day(self.draft.day))]
        for game, mark in enumerate(self.draft.results):
            sides = zip(
                SIGNS.get(mark, ()),
                map("・".join, self.sides(game)),
                strict=False,
            )
            words = "\n".join(f"{sign} {side}" for sign, side in sides)
            facts.append(FormFact(f"{game + 1}戦目", words or "なし"))
        return tuple(facts)


SPECS = (
    Spec(
        name=Ask.RECORD,
        title=TITLE,
        help="2対2の結果を書き込みます（4人を選び、3戦の勝ちを入れます）",
        action=answer,
        words="記録 2対2 2対2記録 きろく",
    ),
)
