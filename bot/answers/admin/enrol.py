"""登録 and 解除: an admin lets a chat in, or out."""

from __future__ import annotations

import unicodedata

from bot.answers.admin.confirm import ADMIN_ONLY
from bot.chat.access import Leagues
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Reply, Text, UserError
from storage.ports import NotFound

NAME = "フォルダー名は半角の英数字と - _ だけで、40文字までにしてください。"
MISSING = "「{}」というフォルダーが見つかりません。記録のフォルダーの中に作ってから、もう一度送ってください。"
WELCOME = "このトークを登録しました。「メニュー」と送ると始められます。"
LEFT = "このトークの登録を解除しました。もう一度使うときは「登録」と送ってください。"
FIXED = "このトークは LEAGUE_CHATS で登録されています。解除するには、環境変数 LEAGUE_CHATS からこのIDを外してください。"


def _leagues(question: Question) -> Leagues:
    if not question.asker.admin or question.leagues is None:
        raise UserError(ADMIN_ONLY)
    return question.leagues


def enrol(question: Question) -> Reply:
    """`登録 [フォルダー]`: the chat asks for the league of that folder from now on, or of the log folder itself."""
    leagues, chat = _leagues(question), question.asker.chat
    folder = unicodedata.normalize("NFKC", question.command.rest[0]) if question.command.rest else ""
    if folder:
        _check(leagues, folder)
    leagues.enrol(chat, folder)
    told = f"{WELCOME}\n\nリーグ：{folder or '記録のフォルダーそのもの'}\nトークID：{chat}"
    return Reply((Text(told),), (choice("メニュー", "menu"), choice("設定", "settings")))


def _check(leagues: Leagues, folder: str) -> None:
    """UserError for a name no folder can have, or where there is none."""
    try:
        leagues.check(folder)
        leagues.library(folder).snapshot()
    except ValueError:
        raise UserError(NAME) from None
    except NotFound:
        raise UserError(MISSING.format(folder)) from None


def remove(question: Question) -> Reply:
    leagues, chat = _leagues(question), question.asker.chat
    leagues.remove(chat)
    return Reply((Text(f"{FIXED}\n\nトークID：{chat}" if leagues.fixed(chat) else LEFT),))


SPECS = (
    Spec("enrol", "登録", "このトークで使えるようにします", enrol, ("登録",), admin=True, live=True),
    Spec("remove", "解除", "このトークでの利用をやめます", remove, ("解除",), admin=True, live=True),
)
