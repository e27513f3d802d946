"""The forms of 2対2: pick the members, enter the results, confirm the match, and undo it.

A whole recording is four bubbles: taps on a form get no answer of their own until the form is complete.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot import texts
from bot.answers.team_match.draft import SEATS, TeamMatchDraft
from bot.chat.command import Ask, Question, data_of
from bot.chat.replies import GAP, Button, Form, FormFact, FormRow
from rating import teamlog
from rating.teamlog import PAIRINGS

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
