"""卓の結果: a game at a table, typed in the chat, shown as it will stand, written by a tap. The
buttons carry the whole game, so what is written is what was shown."""

import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import starmap

from bot import texts
from bot.answers.common.members import checksum, members_of, names_of, own_names
from bot.answers.table_game.draft import MAHJONG_SOUL_TITLE, TITLE, TableDraft
from bot.answers.table_game.paifu_game import paifu_draft
from bot.answers.table_game.typed_result import (
    AGAIN,
    LONGEST,
    NO_ASKER,
    ResultReader,
    SticksMissing,
    TypedDate,
    TypedResult,
    is_result,
)
from bot.chat.command import Ask, Command, Question, Spec, Tools, choice, data_of
from bot.chat.feature import SentText
from bot.chat.replies import Button, Choice, Form, FormFact, FormRow, Reply, Text, UserError
from bot.league.season_log import LeagueFolder, SeasonLogError
from bot.league.table_log import Recording, Removal, RemovalResult, TableGame, TableLog
from rating.paifu.record import GameRules
from rating.roomlog import FINE, GUEST, MAHJONG_SOUL, TABLE, parse_utf8
from rating.same_game import same_result
from rating.scoring import UNIT, SeatResult, scoring_of

REGISTERED = "この対局は登録済みです。"
ASKED = "この内容で記録しますか？"
HOW = f"卓で打った結果を記録します。{AGAIN}1人の点数は省けます。チップは「+3枚」のように書きます。"
OLD = "メンバーの一覧が変わったか、日がたっています。もう一度、結果を送ってください。"
NOT_NEW = "この結果は取り消し済みか、登録済みです。記録するときは、もう一度、結果を送ってください。"
NOT_WRITTEN = "シーズンのログに書き込めません。管理者に、シーズンの開始日とログを確かめるようお願いしてください。"
MEMBERS_ONLY = "このリーグではメンバーだけの対局を数えるので、ゲストのいる対局は記録できません。"
CORRECT = "直した結果を、もう一度送ってください。下の文をコピーして使えます。"
STOPPED = "記録をやめました。何も書き込んでいません。"
NONE = "この24時間に、ここで記録した卓の結果や罰符はありません。"
ALIKE = "同じ結果を、{}に記録してあります。別の対局のときだけ、記録してください。"
UNDONE = "{}を取り消しました。"
UNDONE_BEFORE = "この{}は取り消し済みです。"
LATE = (
    "取り消せるのは24時間以内です。"
    "直したいときは、管理者にシーズンのログの修正をお願いしてください。"
)
NOT_THERE = "その結果は、もうログに残っていません。"
UNDO_NOTE = "24時間以内なら、だれでも「取り消し」で取り消せます。"
NO_SUCH_DAY = "{}月{}日という日はありません。日付を確かめて、もう一度送ってください。"
NOT_YET = "{}は、まだ来ていません。日付を確かめて、もう一度送ってください。"
ADD_TO_TOP = "トップに足す"
OTHER_GAME = "別の対局として記録する"
OLDEST = timedelta(days=3)  # a button sent longer ago is refused
LAST_YEARS = 8  # years in which a date without one is looked for: 2/29 may need them
NEAR = timedelta(days=1)  # games with the same result that are so near may be one
MENU = choice("メニュー", Ask.MENU)
AFTER = (choice("今日", Ask.TODAY), choice("収支", Ask.SUM), MENU)
MOST_RULE_BITS = 0xFFFFFF
_SEATS = re.compile(r"(?:[0-9]{1,3}|g)(?:\.(?:[0-9]{1,3}|g)){2,3}", re.ASCII)
_NUMBERS = re.compile(r"-?[0-9]{1,6}(?:\.-?[0-9]{1,6}){2,3}", re.ASCII)


def recognise(sent: SentText) -> Command | None:
    """A typed result: `結果 みどり 42000 …`."""
    return Command(Ask.TABLE_GAME, {}, (sent.text,)) if is_result(sent.text) else None


def answer(question: Question, tools: Tools) -> Reply:
    """The game that was typed or is that of a record, to be confirmed; with its buttons' options it
    is recorded, shown under another day or dropped."""
    if question.option("undo"):
        return _undo(question, tools, question.option("undo"))
    if question.option("stop"):
        return Reply((Text(STOPPED),), (MENU,))
    if question.option("paifu"):
        drafted = paifu_draft(question, tools, question.option("paifu"))
        _refuse_registered(question, drafted.draft)
        return Reply((_confirm(question, drafted.draft, drafted.notes),))
    if not question.command.options:
        if not question.command.rest:
            return Reply((Text(HOW),), (choice("2対2を記録", Ask.RECORD), MENU))
        draft, notes = _typed(question)
        return Reply((_confirm(question, draft, notes, _alike(question, draft)),))
    draft = _carried(question)
    if question.option("edit"):
        return Reply((Text(CORRECT), Text(_as_typed(question, draft))), (MENU,))
    if not question.option("go"):
        return Reply((_confirm(question, draft, (), _alike(question, draft)),))
    return _record(question, tools, draft)


def _record(question: Question, tools: Tools, draft: TableDraft) -> Reply:
    """Write the game, or ask first where one with the same result is recorded."""
    _refuse_registered(question, draft)
    even_if_alike = bool(question.option("alike"))
    if not even_if_alike and (recorded := _alike(question, draft)):
        return Reply((_confirm(question, draft, (), recorded),))
    alike = write(
        question, tools, draft.nonce, draft.at.date(), draft.line, even_if_alike=even_if_alike
    )
    if alike is not None:
        return Reply((_confirm(question, draft, (), moment_of(alike)),))
    undo = Button(
        ("取り消す",), data_of(Ask.TABLE_GAME, undo=draft.nonce), "danger", said="取り消す"
    )
    facts = _facts(question, draft)
    alt = f"{draft.title}を記録しました（{'、'.join(fact.what for fact in facts[1:])}）"
    return Reply(
        (
            Form(
                "記録しました",
                (*facts, (undo,)),
                note=UNDO_NOTE,
                alt=alt,
            ),
        ),
        AFTER,
    )


def _as_typed(question: Question, draft: TableDraft) -> str:
    """The message that gives this draft, for members to correct."""
    words = ["結果"]
    for place, player in enumerate(draft.players):
        name = "ゲスト" if player == GUEST else question.snapshot.league.shown(player)
        if draft.points:
            value = f"{draft.points[place] * UNIT}"
        else:
            value = f"{draft.results[place] / 10:+.1f}"
        words.append(f"{name} {value}")
        if draft.chips:
            words.append(f"{draft.chips[place]:+d}枚")
    return " ".join(words)


def _typed(question: Question) -> tuple[TableDraft, tuple[str, ...]]:
    """The game of the message, and notes on how it was read.

    Raises UserError where it is asked back.
    """
    snapshot = question.snapshot
    rules = question.snapshot.league.rules
    everyone = members_of(question)
    by_seats = {seats: scoring_of(rules.table or rules, seats) for seats in (3, 4)}
    shown = {player: snapshot.league.shown(player) for player in everyone}
    reader = ResultReader(names_of(snapshot), shown, by_seats, question.asker.player)
    try:
        typed = reader.read(question.command.rest[0])
    except SticksMissing as error:
        draft = _draft(question, error.result)
        add = Choice(ADD_TO_TOP, draft.data(everyone))
        raise UserError(str(error), (add, MENU), chatter=error.chatter) from None
    except UserError as error:
        if str(error) == NO_ASKER:
            raise UserError(NO_ASKER, own_names(snapshot), chatter=error.chatter) from None
        raise
    return _draft(question, typed), typed.notes


def _draft(question: Question, typed: TypedResult) -> TableDraft:
    """The draft of a typed result. Raises UserError for guests or days that can't be recorded."""
    if GUEST in typed.players and question.snapshot.league.members_only:
        raise UserError(MEMBERS_ONLY, (MENU,))
    if typed.points:
        rules = question.snapshot.league.rules
        order = scoring_of(rules.table or rules, len(typed.players)).results(typed.points)
    else:
        results = starmap(SeatResult, enumerate(typed.results))
        order = sorted(results, key=lambda seat: -seat.result)
    seats = [seat for seat, _ in order]
    return TableDraft(
        players=tuple(typed.players[seat] for seat in seats),
        results=tuple(round(result * 10) for _, result in order),
        points=tuple(typed.points[seat] // UNIT for seat in seats) if typed.points else (),
        chips=tuple(typed.chips[seat] for seat in seats) if typed.chips else (),
        at=_time_of(
            typed,
            question.now.replace(tzinfo=None, second=0, microsecond=0),
        ),
        nonce=secrets.token_hex(6),
        sent=question.now.date(),
    )


def _time_of(typed: TypedResult, now: datetime) -> datetime:
    """When the game was: now, or at the end of the day that is typed. Raises UserError."""
    day = now.date()
    if typed.yesterday:
        day -= timedelta(days=1)
    if typed.date:
        day = _day_of(typed.date, day)
    return now if day == now.date() else datetime.combine(day, time(23, 59))


def _day_of(typed: TypedDate, today: date) -> date:
    """The day of a typed date; without a year, the last one. Raises UserError."""
    years: Sequence[int] = range(today.year, today.year - LAST_YEARS, -1)
    if typed.year:
        years = (typed.year,)
    days: list[date] = []
    for year in years:
        with suppress(ValueError):
            days.append(date(year, typed.month, typed.day))
    if not days:
        raise UserError(NO_SUCH_DAY.format(typed.month, typed.day), (MENU,))
    past = [day for day in days if day <= today]
    if not past:
        raise UserError(NOT_YET.format(texts.day_with_year(days[0])), (MENU,))
    return past[0]


def _carried(question: Question) -> TableDraft:
    """The game that a button carries.

    Raises UserError for an old one, or one whose members have changed.
    """
    everyone = members_of(question)
    option = question.option
    picks = option("m")
    results = option("f")
    numbers = [results, *filter(None, (option("p"), option("c")))]
    good = _SEATS.fullmatch(picks) and all(map(_NUMBERS.fullmatch, numbers))
    if (
        not good
        or option("k") != checksum(everyone)
        or not re.fullmatch("[0-9a-f]{12}", option("n"))
    ):
        raise UserError(OLD, (MENU,))
    places = [None if pick == "g" else int(pick) for pick in picks.split(".")]
    known = all(place is None or place < len(everyone) for place in places)
    lists = [_numbers(option(name)) for name in ("f", "p", "c")]
    try:
        at = datetime.strptime(option("d"), "%Y%m%d%H%M")  # noqa: DTZ007
        sent = date.fromisoformat(option("b")) if option("b") else at.date()
    except ValueError:
        raise UserError(OLD, (MENU,)) from None
    today = question.now.date()
    fits = known and all(len(values) in (0, len(places)) for values in lists)
    is_recent = today - OLDEST <= sent <= today and at.date() <= today
    if not fits or not is_recent:
        raise UserError(OLD, (MENU,))
    players = tuple(GUEST if place is None else everyone[place] for place in places)
    table_results, points, chips = lists
    rules = None
    if option("r").isdecimal():
        rules = GameRules(int(option("r")) & MOST_RULE_BITS)
    return TableDraft(players, table_results, points, chips, at, option("n"), sent, rules)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of an option: 470.-50.-420; () for an empty one."""
    return tuple(int(number) for number in text.split(".") if number)


def _refuse_registered(question: Question, draft: TableDraft) -> None:
    """Raises UserError where a game on Mahjong Soul is in the log, whoever sent it: no two games
    of the same players have the same results."""
    if draft.rules is None:
        return
    for game in question.snapshot.all_games():
        if game.room == MAHJONG_SOUL and same_result(game, draft.game):
            raise UserError(REGISTERED, AFTER)


def _alike(question: Question, draft: TableDraft) -> str:
    """When another game at a table with the draft's result was recorded, in whatever chat: its day
    and hour, "" for none."""
    for game in reversed(question.snapshot.all_games()):
        if game.room != TABLE or game.day is None or game.start is None:
            continue
        start = datetime.combine(game.day, game.start)
        is_other = start != draft.at
        if is_other and abs(start - draft.at) <= NEAR and same_result(game, draft.game):
            return texts.moment(game.day, game.start)
    return ""


def _confirm(
    question: Question,
    draft: TableDraft,
    notes: Sequence[str],
    alike: str = "",
) -> Form:
    """The game as it will be recorded. `alike` is when the same result was recorded before."""
    everyone = members_of(question)
    now = question.now.replace(tzinfo=None, second=0, microsecond=0)
    other = datetime.combine(
        now.date() - timedelta(days=1),
        time(23, 59),
    )
    word = "日付をきのうに"
    if draft.at.date() != now.date():
        other = now
        word = "日付をきょうに"
    label = "記録する"
    go = draft.data(everyone, go=1)
    if alike:
        notes = (ALIKE.format(alike), *notes)
        label = OTHER_GAME
        go = draft.data(everyone, go=1, alike=1)
    changes = [Button((word,), replace(draft, at=other).data(everyone), "plain")]
    if draft.rules is None:
        changes.append(Button(("直す",), draft.data(everyone, edit=1), "plain", said="直す"))
    rows: tuple[FormRow, ...] = (
        *_facts(question, draft),
        (Button((label,), go, "main", said=label),),
        tuple(changes),
        (
            Button(
                ("やめる",),
                data_of(Ask.TABLE_GAME, stop=1),
                "quiet",
                said="やめる",
            ),
        ),
    )
    alt = f"{draft.title}：内容を確かめて「{label}」を押してください"
    return Form(ASKED, rows, text="".join(dict.fromkeys(notes)), alt=alt)


def _facts(question: Question, draft: TableDraft) -> tuple[FormFact, ...]:
    shown = question.snapshot.league.shown
    facts = [FormFact("日時", f"{texts.day(draft.at.date())}　{draft.at:%H:%M}")]
    for place, player in enumerate(draft.players):
        name = "ゲスト" if player == GUEST else shown(player)
        values = []
        if draft.points:
            values.append(f"{draft.points[place] * UNIT:,}点")
        values.append(texts.points(draft.results[place] / 10))
        if draft.chips:
            values.append(f"{draft.chips[place]:+d}枚".replace("-", "−"))
        facts.append(FormFact(f"{place + 1}着 {name}", "　".join(values)))
    return tuple(facts)


def _log(question: Question, tools: Tools) -> TableLog:
    folder = LeagueFolder(tools.logs, question.snapshot.league, tools.folder)
    return TableLog(folder, tools.parts.state, question.asker.chat, question.now)


def write(
    question: Question, tools: Tools, nonce: str, day: date, line: str, *, even_if_alike: bool
) -> TableGame | None:
    """Write a line into the season log, once a button. Where a line with the same result was
    recorded within a day, return that one and write nothing, unless `even_if_alike`. Raises
    UserError where the line can't be written."""
    try:
        result = _log(question, tools).add(nonce, day, line, even_if_alike=even_if_alike)
    except SeasonLogError:
        raise UserError(NOT_WRITTEN, (MENU,)) from None
    if result.outcome == Recording.NOT_NEW:
        raise UserError(NOT_NEW, (MENU,))
    if result.outcome == Recording.WRITTEN:
        tools.league.expire()
    return result.alike


def undo_last(question: Question, tools: Tools) -> Reply:
    """`取り消し`: take the chat's newest game or fine out of the log."""
    try:
        result = _log(question, tools).take_out_newest(f"{question.at:.3f}")
    except SeasonLogError:
        raise UserError(NOT_WRITTEN, (MENU,)) from None
    return _undone(question, tools, result)


def _undo(question: Question, tools: Tools, nonce: str) -> Reply:
    try:
        result = _log(question, tools).take_out(nonce)
    except SeasonLogError:
        raise UserError(NOT_WRITTEN, (MENU,)) from None
    return _undone(question, tools, result)


def _undone(question: Question, tools: Tools, result: RemovalResult) -> Reply:
    """The answer to a removal. Raises UserError where there is nothing to take out."""
    match result.outcome:
        case Removal.NOTHING:
            raise UserError(NONE, (MENU,))
        case Removal.LATE:
            raise UserError(LATE, (MENU,))
        case Removal.GONE_BY_HAND:
            raise UserError(NOT_THERE, (MENU,))
    assert result.game is not None
    if result.outcome == Removal.ALREADY:
        text = _removal_text(question, result.game, UNDONE_BEFORE)
        choices = [MENU]
        if result.newest:
            undo_newest = choice("1つ前も取り消す", Ask.TABLE_GAME, undo=result.newest.nonce)
            choices = [undo_newest, MENU]
        return Reply((Text(text),), tuple(choices))
    tools.league.expire()
    return Reply((Text(_removal_text(question, result.game, UNDONE)),), AFTER)


def moment_of(game: TableGame) -> str:
    """The day and hour of a recorded game or fine."""
    _, start, _ = game.line.split(" | ", 2)
    return texts.moment(date.fromisoformat(game.day), time.fromisoformat(start))


def _removal_text(question: Question, game: TableGame, sentence: str) -> str:
    """The sentence on a removed game or fine, and below it its day, hour and results."""
    shown = question.snapshot.league.shown
    line = parse_utf8("", game.line.encode()).lines[0]
    day = texts.day(date.fromisoformat(game.day))
    if line.fine is not None:
        fine = line.fine
        details = f"{FINE} {shown(fine.player)} {texts.points(fine.points)} {fine.reason}"
        return f"{sentence.format(FINE)}\n{day}　{details}"
    assert line.game is not None
    seats: list[str] = []
    for seat in line.game.seats:
        name = "ゲスト" if seat.player.startswith(GUEST) else shown(seat.player)
        seats.append(f"{name} {texts.points(seat.score)}")
    title = TITLE
    if line.game.room == MAHJONG_SOUL:
        title = MAHJONG_SOUL_TITLE
    return f"{sentence.format(title)}\n{day} {line.game.start:%H:%M}　{'、'.join(seats)}"


SPECS = (
    Spec(
        name=Ask.TABLE_GAME,
        title=TITLE,
        help="卓で打った結果を記録します（結果 みどり 52000 東風 31000 白發中 22000）",
        action=answer,
        words=f"{TITLE} 卓の記録 結果を記録",
        longest=LONGEST,
        bare=True,
    ),
    Spec(
        name=Ask.UNDO,
        title="取り消し",
        help="卓の結果か罰符を、最後の1つだけ取り消します（24時間以内）",
        action=undo_last,
        words="取り消し 取消 とりけし",
        bare=True,
        hidden=True,
    ),
)
