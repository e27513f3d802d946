"""ページ: a link to the league's page, with its charts, members and games; an admin ends all
links.
"""

from urllib.parse import urlencode

from bot.answers.common.members import member_id
from bot.answers.common.scope import offered
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.links import HIDDEN
from bot.chat.replies import PageLink, Reply, Text, UserError
from storage.ports import StorageError

TITLE = "{league}のページ"
NAMELESS = "リーグ"
OPEN = "ページを開く"
WORDS = "グラフの線や期間を選んだり、対局を1つずつ見られます。リンクの有効期限：{days}日。"
NO_LINK = "いまページを開けません。少し待ってから、もう一度「ページ」と送ってください。"
NOT_ENROLLED = "このリーグを使うグループがまだありません。グループで「登録」と送ってください。"
ENDED = "これまでのリンクを無効にしました。「ページ」と送ると新しいリンクが出ます。"


def answer(question: Question, tools: Tools) -> Reply:
    """The link. Raises UserError where no link can be made, or where it would not open."""
    try:
        if tools.folder not in tools.parts.access.leagues():
            raise UserError(NOT_ENROLLED, offered())
        url = tools.parts.links.url(tools.folder, _reader(question))
    except StorageError:
        raise UserError(NO_LINK, offered(choice("ページ", Ask.PAGE))) from None
    title = TITLE.format(league=question.snapshot.league.name or NAMELESS)
    text = WORDS.format(days=tools.parts.links.days)
    link = PageLink(title, OPEN, url + place(question), text)
    return Reply((link,), offered())


def _reader(question: Question) -> str:
    """The reader that the link names: whether names are hidden, and the asker's member id, if
    any."""
    reader = ""
    if question.snapshot.league.hides:
        reader = HIDDEN
    if question.asker.player:
        reader += member_id(question.asker.player)
    return reader


def place(question: Question) -> str:
    """Where the page opens: a member's card, a game's replay or a turn of it, else as it begins."""
    if question.option("member"):
        return "?" + urlencode({"ask": Ask.PLAYER, "player": f"~{question.option('member')}"})
    if not question.option("game"):
        return ""
    options = {key: question.option(key) for key in ("game", "round", "at")}
    return "?" + urlencode({key: value for key, value in options.items() if value})


def end_links(question: Question, tools: Tools) -> Reply:
    """`リンクを無効にする`: an admin ends all links to the page."""
    tools.parts.links.end(tools.folder)
    return Reply((Text(ENDED),), offered(choice("ページ", Ask.PAGE)))


SPECS = (
    Spec(
        name=Ask.PAGE,
        title="ページ",
        help="グラフや対局を自由に見られるページを開きます",
        action=answer,
        words="ページ リーグのページ page",
        everyday="ページ page",
    ),
    Spec(
        name=Ask.END_LINKS,
        title="リンクを無効にする",
        help="これまでに送ったページのリンクを使えなくします",
        action=end_links,
        words="リンクを無効にする リンク無効",
        admin=True,
    ),
)
