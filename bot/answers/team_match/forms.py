"""The forms of 2対2: pick the members, enter the results, confirm the match, and undo it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot import texts
from bot.answers.team_match.draft import SEATS, TeamMatchDraft
from bot.chat.command import Question, data_of
from bot.chat.replies import GAP, Button, Form, FormFact, FormRow
from rating import teamlog
from rating.teamlog import PAIRINGS

NUMERALS = ("①", "②", "③", "④")
TITLE = "2対2を記録"
A_PAGE = 24  # members in one form
PICK = "席順に4人を押してください。"
RESULTS = "それぞれ、勝ったほうを押してください。"
NONE_PLAYED = "1戦も打っていない記録はできません。勝ったほうを押してください。"
SIGNS = {"o": ("○", "×"), "x": ("×", "○")}


def data(everyone: tuple[str, ...], draft: TeamMatchDraft, **more: object) -> str:
    """Postback data that continues with a draft."""
    return data_of("record", **draft.options(everyone), **more)


def form(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The form for the next step of a draft."""
    if not draft.seated:
        return pick(question, everyone, draft)
    if draft.complete and not question.option("edit"):
        return confirm(question, everyone, draft)
    return results(question, everyone, draft)


def pick(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The members as buttons, two a row. A chosen member shows the number of the seat, and is removed by another tap."""
    page = _page(question, everyone)
    buttons = [
        _member(question, everyone, draft, place)
        for place in range(page * A_PAGE, min(len(everyone), (page + 1) * A_PAGE))
    ]
    buttons += [GAP] * (len(buttons) % 2)
    rows: list[FormRow] = [tuple(buttons[i : i + 2]) for i in range(0, len(buttons), 2)]
    turns = []
    if page:
        turns.append(Button(("前の人たち",), data(everyone, draft, p=page - 1), "quiet"))
    if (page + 1) * A_PAGE < len(everyone):
        turns.append(Button(("ほかの人たち",), data(everyone, draft, p=page + 1), "quiet"))
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


def _member(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft, place: int) -> Button:
    name = _shown(question, everyone, place)
    page = question.option("p") if question.option("p") in map(str, range(100)) else ""
    if place in draft.picks:
        rest = replace(draft, picks=tuple(p for p in draft.picks if p != place))
        return Button((name,), data(everyone, rest, p=page), "chosen", NUMERALS[draft.picks.index(place)])
    return Button((name,), data(everyone, replace(draft, picks=(*draft.picks, place)), p=page))


def results(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """One row per game, with buttons for the two sides and for a game that was not played."""
    rows: list[FormRow] = []
    for game, mark in enumerate(draft.results):
        rows.append(f"{game + 1}戦目")
        cells = [
            Button(
                _side(question, everyone, draft, side),
                data(everyone, _marked(draft, game, wins)),
                "chosen" if mark == wins else "plain",
            )
            for side, wins in zip(PAIRINGS[game], "ox", strict=True)
        ]
        skip = Button(
            ("なし",),
            data(everyone, _marked(draft, game, "-")),
            "chosen" if mark == "-" else "plain",
            narrow=True,
        )
        rows.append((*cells, skip))
    if draft.complete:
        rows.append((Button(("確認へ",), data(everyone, draft), "main"),))
    empty = replace(draft, picks=(), results="...")
    rows.append((Button(("メンバーを選び直す",), data(everyone, empty), "quiet"),))
    said = 3 - draft.results.count(".")
    left = f"あと{3 - said}戦" if said < 3 else ""
    text = NONE_PLAYED if draft.results == "---" else RESULTS
    alt = f"{TITLE}：{said + 1}戦目の勝ちを選んでください" if said < 3 else f"{TITLE}：3戦とも入りました"
    return Form(
        TITLE, tuple(rows), text=text, note="打っていない対局は「なし」にします。", step=left, alt=alt
    )


def _marked(draft: TeamMatchDraft, game: int, mark: str) -> TeamMatchDraft:
    return replace(draft, results=draft.results[:game] + mark + draft.results[game + 1 :])


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
        (Button(("やめる",), data_of("record", stop=1), "quiet", said="やめる"),),
    )
    return Form("この内容で記録しますか？", rows, alt=f"{TITLE}：内容を確かめて「記録する」を押してください")


def done(question: Question, everyone: tuple[str, ...], draft: TeamMatchDraft) -> Form:
    """The summary of a recorded match, with a button to undo it."""
    undo = Button(("取り消す",), data_of("record", undo=draft.nonce), "danger", said="取り消す")
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
