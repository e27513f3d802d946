"""状態: an admin is told, as by `flask doctor`, what works, what does not, and what to do."""

from contextlib import suppress
from datetime import datetime

from bot import texts
from bot.answers.common.confirm import MENU
from bot.answers.common.faults import ACCEPT, first_fault
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.replies import Reply, Row, Table, UserError
from bot.runtime.finding import KINDS, NAMED, Finding
from bot.runtime.translation import japanese
from rating.logdates import JST
from storage.ports import StorageError

ALONE = "状態は、1対1のトークで調べられます。"
WELL = "✓"
ILL = "✗"
GREEN = "#06704A"
RED = "#B3261E"
ROOM_OF = "room of "  # how the subject of a league's room begins
ROOM_LABEL = "{room}（{league}）"
FAULTS = "直すところが{count}つあります"
ALL_WORKS = "すべて動いています"
PAST = "直ったところ"
DOCTOR = "詳しくは flask doctor で調べられます。"


def answer(question: Question, tools: Tools) -> Reply:
    """`状態`: a row for each check, what does not work first.

    Raises UserError but for an admin alone.
    """
    if not question.asker.alone:
        raise UserError(ALONE, chatter=True)
    # The root league's files have a row of their own: those of the asker's league.
    rows = [_row(finding) for finding in tools.parts.checks() if finding.subject != "league"]
    fault = first_fault(question.snapshot)
    rows.append(
        _marked(
            NAMED["league"].label,
            fault is None,
            fault.said(japanese()) if fault else "",
        )
    )
    rows.extend(_recorded_faults(tools))
    rows.sort(key=lambda row: row.value == WELL)
    faults = sum(row.value == ILL for row in rows)
    summary = ALL_WORKS
    if faults:
        summary = FAULTS.format(count=faults)
    time = texts.moment(question.now.date(), question.now.time())
    past = _past_faults(tools)
    table = Table(
        "状態",
        tuple(rows),
        subtitle=f"{summary}（{time}）",
        note=DOCTOR,
        alt=f"状態：{summary}",
        more=((PAST, past),) if past else (),
    )
    buttons = [choice("もう一度調べる", Ask.STATUS), choice("設定", Ask.SETTINGS), MENU]
    if fault is not None and fault.code == "lost":
        buttons.insert(0, ACCEPT)
    return Reply((table,), tuple(buttons))


def _recorded_faults(tools: Tools) -> list[Row]:
    """The ongoing faults that no check above looks at."""
    rows = []
    with suppress(StorageError):  # the database has a row of its own
        for fault in tools.parts.state.faults.ongoing(tools.folder):
            check = KINDS.get(fault.kind)
            if check and (check.live == "none" or (check.live == "root" and tools.folder)):
                rows.append(_marked(check.label, False, fault.message))
    return rows


def _past_faults(tools: Tools) -> tuple[Row, ...]:
    """The faults of the league and of the installation that are over; each is shown once."""
    rows: list[Row] = []
    with suppress(StorageError):
        for league in {tools.folder, ""}:
            rows.extend(
                _past_row(fault.kind, fault.since, fault.ended or fault.since)
                for fault in tools.parts.state.faults.take_past(league)
            )
    return tuple(rows)


def _past_row(kind: str, since: float, until: float) -> Row:
    """A fault that is over, with the time it lasted (epoch seconds)."""
    label = KINDS[kind].label if kind in KINDS else kind
    detail = f"{_moment(since)}から{_moment(until)}まで（いまは直っています）"
    return _marked(label, True, detail)


def _moment(seconds: float) -> str:
    at = datetime.fromtimestamp(seconds, JST)
    return texts.moment(at.date(), at.time())


def _row(finding: Finding) -> Row:
    """The row of a check. Its message is shown where it fails or the check always shows one."""
    check = NAMED.get(finding.subject)
    detail = ""
    if not finding.ok or (check is not None and check.always_shown):
        detail = finding.said(japanese()).replace("`", "")
    return _marked(_label(finding.subject), finding.ok, detail)


def _label(subject: str) -> str:
    """A check's name in Japanese; of a league's room at Tenhou, the league too."""
    if subject.startswith(ROOM_OF):
        return ROOM_LABEL.format(
            room=NAMED["TENHOU_ROOM_ID"].label, league=subject.removeprefix(ROOM_OF)
        )
    if subject in NAMED:
        return NAMED[subject].label
    return subject


def _marked(label: str, works: bool, detail: str) -> Row:
    if works:
        return Row(label, WELL, detail=detail, colour=GREEN)
    return Row(label, ILL, detail=detail, colour=RED)


SPECS = (
    Spec(
        name=Ask.STATUS,
        reports_faults=True,
        title="状態",
        help="設定と動きを調べます（1対1のトークで）",
        action=answer,
        words="状態 じょうたい",
        bare=True,
        admin=True,
        slow=True,
    ),
)
