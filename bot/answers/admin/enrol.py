"""登録 and 解除: an admin allows a chat to ask, or stops it."""

import unicodedata

from bot.answers.admin import rooms
from bot.answers.common.help import greeting
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.membership import MembershipOrder
from bot.chat.replies import Reply, Text, UserError
from bot.league.folder_names import check_folder_name
from storage.ports import NotFound

NAME = "フォルダー名は半角の英数字と - _ だけで、40文字までにしてください。"
MISSING = "「{}」というフォルダーが見つかりません。記録のフォルダーの中に作ってから、もう一度送ってください。"
WELCOME = "このトークを登録しました。"
LEFT = "このトークの登録を解除しました。もう一度使うときは「登録」と送ってください。"
FIXED = (
    "このトークは LEAGUE_CHATS で登録されています。"
    "解除するには、環境変数 LEAGUE_CHATS からこのIDを外してください。"
)


def enrol(question: Question, tools: Tools) -> Reply:
    """`登録 [フォルダー]`: enrol the chat for the league in that folder, by default the log folder
    itself, and greet it. Raises UserError when there is no such folder."""
    chat = question.asker.chat
    folder = (
        unicodedata.normalize("NFKC", question.command.rest[0]) if question.command.rest else ""
    )
    snapshot = question.snapshot
    if folder:
        try:
            check_folder_name(folder)
            snapshot = tools.parts.registry.league(folder).snapshot()
        except ValueError:
            raise UserError(NAME) from None
        except NotFound:
            raise UserError(MISSING.format(folder)) from None
    tools.parts.access.enrol(chat, folder)
    MembershipOrder(tools.parts.state.values).chat_began(chat, question.at)
    told = f"{WELCOME}\n\nリーグ：{folder or '記録のフォルダーそのもの'}\nトークID：{chat}"
    player = ""
    if question.asker.alone:
        player = tools.parts.access.player_of(folder, question.asker.user)
    member = snapshot.league.player_of(player)
    parts = greeting(snapshot, member, tools.parts.links.privacy()).parts
    if rooms.missing(snapshot):
        parts = (*parts, Text(rooms.HOW))
    return Reply(
        (Text(told), *parts),
        (choice("設定", Ask.SETTINGS), choice("メニュー", Ask.MENU)),
    )


def remove(question: Question, tools: Tools) -> Reply:
    """`解除`: end the chat's enrolment; one that LEAGUE_CHATS names stays, and the reply says
    so.
    """
    chat = question.asker.chat
    tools.parts.access.remove(chat)
    tools.parts.links.end(tools.folder)
    return Reply(
        (Text(f"{FIXED}\n\nトークID：{chat}" if tools.parts.access.is_fixed(chat) else LEFT),)
    )


SPECS = (
    Spec(
        name=Ask.ENROL,
        title="登録",
        help="このトークで使えるようにします",
        action=enrol,
        enrols=True,
        words="登録",
        admin=True,
    ),
    Spec(
        name=Ask.REMOVE,
        title="解除",
        help="このトークでの利用をやめます",
        action=remove,
        words="解除",
        admin=True,
    ),
)
