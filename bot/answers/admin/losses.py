"""この内容を使う: an admin takes a file that has lost games as it is, or puts its last good version
back.
"""

import hashlib

from bot import texts
from bot.answers.common.confirm import DONE, MENU, OtherAnswer, decision, of_league
from bot.answers.common.faults import ACCEPT, STATUS
from bot.chat.command import Ask, Question, Spec, Tools
from bot.chat.replies import FormFact, Reply, Text, UserError
from bot.league.files import current, write_keeping
from bot.league.last_good import LastGood
from rating.logdates import JST
from storage.ports import Conflict

WELL = "なくなった記録はありません。"
MEANWHILE = "その間に {} が書き換えられたので、何も変えていません。もう一度選んでください。"
TAKEN = "{} は、これからはいまの内容で使います。前の内容も残してあります。"
BACK = "{} を元に戻しました。"


def answer(question: Question, tools: Tools) -> Reply:
    """What the first such file has lost, with a button for each way; `seen` tells what it held when
    that was shown. Raises UserError for no admin, where nothing is lost, and where the file was
    changed meanwhile."""
    if question.option("do"):
        return _settled(question, tools)
    fault = next((each for each in question.snapshot.unusable if each.lost), None)
    if fault is None:
        raise UserError(WELL, (STATUS, MENU))
    name = fault.file
    had, has = fault.games
    games = (FormFact("対局", f"{has}戦", f"{had}戦"), FormFact("なくなる", f"{had - has}戦"))
    facts = games if had else (FormFact("内容", "なし", "あり"),)
    since = fault.since.astimezone(JST) if fault.since else None
    good = f"（{texts.moment(since.date(), since.time())}）" if since else ""
    note = (
        f"「元に戻す」を押すと、前の内容{good}を書き込みます。選ぶまでは、前の内容のまま動きます。"
    )
    title = f"{name} をいまの内容で使いますか？"
    seen = _mark(question.snapshot.files.get(name))
    return decision(
        title,
        of_league(question, tools, facts),
        note,
        ACCEPT.label,
        Ask.LOST,
        OtherAnswer("元に戻す", "back"),
        file=name,
        seen=seen,
    )


def _settled(question: Question, tools: Tools) -> Reply:
    name = question.option("file")
    now = question.now
    old, rev = current(tools.logs, name)
    data = old if rev is not None else None
    stale = UserError(MEANWHILE.format(name), (ACCEPT, STATUS, MENU))
    if _mark(data) != question.option("seen"):
        raise stale
    kept = LastGood(tools.logs)
    former = kept.before(name, data)
    if former is None:
        raise UserError(DONE, (STATUS, MENU))
    if question.option("do") == "yes":
        kept.accept(name, data, now)
    else:
        try:
            write_keeping(tools.logs, name, former.data, rev, now=now, old=old)
        except Conflict:
            raise stale from None
    tools.league.expire()
    said = TAKEN if question.option("do") == "yes" else BACK
    return Reply((Text(said.format(name)),), (STATUS, MENU))


def _mark(data: bytes | None) -> str:
    return "gone" if data is None else hashlib.sha256(data).hexdigest()[:16]


SPECS = (
    Spec(
        name=Ask.LOST,
        reports_faults=True,
        title="記録を選ぶ",
        action=answer,
        admin=True,
        hidden=True,
        slow=True,
    ),
)
