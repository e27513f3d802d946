"""名前を伏せる and わたしを削除: a chat in which nobody is named, and what is kept of a user,
forgotten.
"""

from bot.answers.common.confirm import STOPPED, decision
from bot.answers.common.scope import offered
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.replies import FormFact, Reply, Text, UserError

HIDES = (
    "このトークでは、これから出す答え・画像・ページ・ファイルの名前を伏せます（A、B…）。"
    "すでに送ったものはそのままです。戻すときは「名前を表示する」と送ってください。"
)
SHOWS = "このトークで、また名前を出します。"
ALONE = "「わたしを削除」は、ボットとの1対1のトークで送ってください。"
TITLE = "あなたの情報を削除しますか？"
KEPT = "対局の記録は消えません。記録の名前も消したいときは、管理者に伝えてください。"
GONE = "あなたの情報を削除しました。対局の記録の名前も消したいときは、管理者に伝えてください。"


def hide(question: Question, tools: Tools) -> Reply:
    """`名前を伏せる`, `名前を表示する`: for this chat, whoever asks."""
    shows = question.option("do") == "show"
    tools.parts.state.chats.hide_names(question.asker.chat, not shows)
    other = (
        choice("名前を伏せる", Ask.HIDE) if shows else choice("名前を表示する", Ask.HIDE, do="show")
    )
    return Reply((Text(SHOWS if shows else HIDES),), offered(other))


def forget(question: Question, tools: Tools) -> Reply:
    """`わたしを削除`: what is kept of the asker, once that is confirmed. The logs stay."""
    asker = question.asker
    if not asker.alone:
        raise UserError(ALONE)
    if question.option("do") == "yes":
        tools.parts.forget_user(asker.user, question.at)
        return Reply((Text(GONE),))
    if question.option("do") == "no":
        return Reply((Text(STOPPED),), offered())
    league = question.snapshot.league
    name = FormFact("「自分」の名前", league.shown(asker.player) if asker.player else "なし")
    facts = (name, FormFact("そのほか", "質問の履歴、お知らせの記録、募集への参加"))
    return decision(TITLE, facts, KEPT, "削除する", Ask.FORGET_ME)


SPECS = (
    Spec(
        name=Ask.HIDE,
        title="名前を伏せる",
        help="このトークの答えと画像で名前を伏せます",
        action=hide,
        words="名前を伏せる",
        shortcuts={"名前を表示する": {"do": "show"}},
        bare=True,
        hidden=True,
    ),
    Spec(
        name=Ask.FORGET_ME,
        title="わたしを削除",
        help="あなたについて覚えていることを削除します",
        action=forget,
        words="わたしを削除 私を削除",
        bare=True,
        hidden=True,
    ),
)
