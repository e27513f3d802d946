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
    with suppress(StorageError):  # the database's own row says so
        for kept in tools.parts.state.faults.ongoing(tools.folder):  # those that no check looks at
            check = KINDS.get(kept.kind)
            if check and (check.live == "none" or (check.live == "root" and tools.folder)):
                rows.append(_marked(check.label, False, kept.message))
    rows.sort(key=lambda row: row.value == WELL)
    ill = sum(row.value == ILL for row in rows)
    said = f"直すところが{ill}つあります" if ill else "すべて動いています"
    past: tuple[Row, ...] = ()
    with suppress(StorageError):
        for league in {tools.folder, ""}:
            for ended in tools.parts.state.faults.take_past(league):
                past = (*past, _past_row(ended.kind, ended.since, ended.ended or ended.since))
    subtitle = f"{said}（{texts.moment(question.now.date(), question.now.time())}）"
    note = "詳しくは flask doctor で調べられます。"
    more = (("直ったところ", past),) if past else ()
    table = Table("状態", tuple(rows), (), subtitle, note, f"状態：{said}", more=more)
    offers = (ACCEPT,) if fault is not None and fault.code == "lost" else ()
    return Reply(
        (table,),
        (*offers, choice("もう一度調べる", Ask.STATUS), choice("設定", Ask.SETTINGS), MENU),
    )


def _past_row(kind: str, since: float, until: float) -> Row:
    """A fault that is over, with the time it lasted (epoch seconds)."""
    label = KINDS[kind].label if kind in KINDS else kind
    detail = f"{_moment(since)}から{_moment(until)}まで（いまは直っています）"
    return _marked(label, True, detail)


def _moment(seconds: float) -> str:
    at = datetime.fromtimestamp(seconds, JST)
    return texts.moment(at.date(), at.time())


def _row(finding: Finding) -> Row:
    name = finding.subject.removeprefix("room of ")
    check = NAMED.get(name)
    label = check.label if check else name
    label = label if name == finding.subject else f"{NAMED['TENHOU_ROOM_ID'].label}（{name}）"
    told = not finding.ok or (check is not None and check.always_shown)
    detail = finding.said(japanese()).replace("`", "") if told else ""
    return _marked(label, finding.ok, detail)


def _marked(name: str, well: bool, detail: str) -> Row:
    return Row(name, WELL if well else ILL, detail=detail, colour=GREEN if well else RED)


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
