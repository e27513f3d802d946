"""登録 and 解除: an admin lets a chat in, or out."""

from __future__ import annotations

from bot.commands import Question, Spec, choice
from bot.leagues import Leagues
from bot.replies import Reply, Text, UserError

ADMIN_ONLY = "これは管理者だけができます。管理者にお願いしてください。"


def _leagues(question: Question) -> Leagues:
    if not question.asker.admin or question.leagues is None:
        raise UserError(ADMIN_ONLY)
    return question.leagues


def enrol(question: Question) -> Reply:
    folder = question.command.rest[0] if question.command.rest else ""
    try:
        _leagues(question).enrol(question.asker.chat, folder)
    except ValueError:
        raise UserError("フォルダー名は半角の英数字と - _ だけで、40文字までにしてください。") from None
    return Reply(
        (Text("このトークを登録しました。「メニュー」と送ると始められます。"),), (choice("メニュー", "menu"),)
    )


def remove(question: Question) -> Reply:
    _leagues(question).remove(question.asker.chat)
    return Reply((Text("このトークの登録を解除しました。もう一度使うときは「登録」と送ってください。"),))


SPECS = (
    Spec("enrol", "登録", "このトークで使えるようにします", enrol, ("登録",), admin=True, live=True),
    Spec("remove", "解除", "このトークでの利用をやめます", remove, ("解除",), admin=True, live=True),
)
