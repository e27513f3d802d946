"""Reads the names an admin types: members' names, and names on Tenhou."""

from __future__ import annotations

from bot.answers.admin.confirm import MENU
from bot.answers.common import members
from bot.chat.command import Ask, Question, choice, normal
from bot.chat.replies import UserError

NAME = 20  # characters of a name an admin gives
LONG = "名前は20文字までにしてください。"
ODD = "名前に使えない文字があります。打ち直して送ってください。"
NOBODY = "「{}」という人は見つかりません。メンバーの名前か、天鳳の名前で送ってください。"
ADD = "新しい人を加えるときは「メンバー 追加 天鳳の名前 表示名」と送ってください。"


def player_of(question: Question, word: str) -> str:
    """The name on Tenhou of the member a word means. Raises UserError, with the nearest names, when it means
    nobody."""
    found = members.names_of(question.snapshot).get(members.key(word))
    if found is None:
        near = "、".join(map(question.snapshot.league.shown, members.near_names(question.snapshot, word)))
        hint = f"もしかして {near} ですか？" if near else ADD
        raise UserError(NOBODY.format(word[:NAME]) + hint, (choice("メンバー", Ask.MEMBERS), MENU))
    return found


def tenhou_name(question: Question, word: str) -> str:
    """A name on Tenhou as the logs write it, which may differ in width, case or kana; else the word
    itself."""
    known = {p for log in question.snapshot.logs.values() for game in log.games for p in game.players}
    if word in known:
        return word
    return next((name for name in sorted(known) if normal(name) == normal(word)), short(word))


def short(name: str) -> str:
    """The name itself. Raises UserError when it is longer than NAME characters or not printable."""
    if len(name) > NAME:
        raise UserError(LONG)
    if not name.isprintable():
        raise UserError(ODD)
    return name
