"""ID: tells anybody the ids of the user and of the chat, for ADMIN_USER_IDS and LEAGUE_CHATS."""

from bot.chat.command import Question, Spec, Tools
from bot.chat.replies import Reply, Text

NAME = "ident"
OWN = "あなたのユーザーIDです。長押しでコピーできます。"
CHAT = "このトークのIDです。長押しでコピーできます。"
NO_USER = "LINEがあなたのIDを知らせてくれませんでした。1対1のトークで「ID」と送ってください。"


def ids_of(chat: str, user: str) -> Reply:
    """The ids, each in a message of its own, to be copied whole.

    `user` is "" where LINE does not tell it.
    """
    words = []
    if chat != user:
        words += [CHAT, chat]
    if user:
        words += [OWN, user]
    else:
        words.append(NO_USER)
    return Reply(tuple(map(Text, words)))


def answer(question: Question, tools: Tools) -> Reply:
    """`ID`: in a group the group's id and the asker's own."""
    return ids_of(question.asker.chat, question.asker.user)


SPECS = (
    Spec(
        name=NAME,
        title="ID",
        help="ユーザーIDとトークIDを出します",
        action=answer,
        words="ID ユーザーID トークID",
        bare=True,
        for_strangers=ids_of,
        hidden=True,
    ),
)
