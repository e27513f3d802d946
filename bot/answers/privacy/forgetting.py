"""名前を伏せる and わたしを削除: a chat in which nobody is named, and the deletion of what is stored of
a user.
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
NAME = "「自分」の名前"
NO_NAME = "なし"
OTHER_DATA = "そのほか"
OTHER_DATA_LIST = "質問の履歴、お知らせの記録、募集への参加"
DELETE = "削除する"
LOGS_STAY = "対局の記録は消えません。記録の名前も消したいときは、管理者に伝えてください。"
GONE = "あなたの情報を削除しました。対局の記録の名前も消したいときは、管理者に伝えてください。"


def hide(question: Question, tools: Tools) -> Reply:
    """`名前を伏せる`, `名前を表示する`: for this chat, whoever sends it."""
    chats = tools.parts.state.chats
    chat = question.asker.chat
    if question.option("do") == "show":
        chats.hide_names(chat, False)
        return Reply((Text(SHOWS),), offered(choice("名前を伏せる", Ask.HIDE)))
    chats.hide_names(chat, True)
    show = choice("名前を表示する", Ask.HIDE, do="show")
    return Reply((Text(HIDES),), offered(show))


def forget(question: Question, tools: Tools) -> Reply:
    """`わたしを削除`: delete what is stored of the asker, after a confirmation. The logs stay."""
    asker = question.asker
    if not asker.alone:
        raise UserError(ALONE)
    if question.option("do") == "yes":
        tools.parts.forget_user(asker.user, question.at)
        return Reply((Text(GONE),))
    if question.option("do") == "no":
        return Reply((Text(STOPPED),), offered())
    name = NO_NAME
    if asker.player:
        name = question.snapshot.league.shown(asker.player)
    facts = (FormFact(NAME, name), FormFact(OTHER_DATA, OTHER_DATA_LIST))
    return decision(TITLE, facts, LOGS_STAY, DELETE, Ask.FORGET_ME)


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
