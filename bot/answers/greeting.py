"""The greeting to a new friend, a new group or a new member of one: what the bot does, and あなたはだれ？
with the members as buttons."""

from __future__ import annotations

from bot.answers.common.members import members, token
from bot.answers.common.scope import offered
from bot.chat.command import Ask, Question, Spec, choice
from bot.chat.replies import Menu, Part, Reply, Text
from bot.chat.tools import Tools
from bot.league.snapshot import LeagueSnapshot
from storage.ports import StorageError

HELLO = (
    "{}の記録係、雀録です。天鳳で打った対局を記録して、レーティング・収支・着順をグラフと表でお見せします。"
    "「メニュー」と送るとボタンが出ます。「収支 先月」「{}の成績」のような言葉でも聞けます。"
)
WELCOME = "{}さん、こんにちは。「メニュー」と送ると、できることがボタンで出ます。"
WHO = "あなたはだれ？"
ASK = "自分の名前を押すと、グラフの線が太くなり、表の行に色がつきます。"
GREETED = 400 * 24 * 3600.0  # seconds in which who joins the same group again is not greeted again


def answer(question: Question, tools: Tools) -> Reply:
    """Greet the group or the friend, or those who joined a group, each of them once. Who is known is not
    asked for a name.

    The users who joined are the command's words. A reply without parts says nothing.
    """
    joined = question.command.rest
    if not joined:
        return greeting(question.snapshot, question.asker.player)
    new = [user for user in joined if _is_new(tools, question.asker.chat, user)]
    known = [tools.identities.player_of(tools.folder, user) for user in new]
    if not new:
        return Reply(())
    return greeting(question.snapshot, known[0] if len(known) == 1 else "")


def greeting(snapshot: LeagueSnapshot, player: str = "") -> Reply:
    """What the bot does, and the members to choose from. A known `player` is greeted by name instead."""
    shown, everyone = snapshot.league.shown, members(snapshot)
    if player in everyone:
        return Reply(
            (Text(WELCOME.format(shown(player))),),
            offered(choice("自分の成績", Ask.PLAYER, player=token(player))),
        )
    buttons = tuple(choice(shown(p), Ask.ME, player=token(p)) for p in everyone)
    parts: list[Part] = [
        Text(HELLO.format(snapshot.league.name or "このリーグ", shown(everyone[0]) if everyone else "自分"))
    ]
    if buttons:
        parts.append(Menu(WHO, buttons, ASK, f"{WHO} 自分の名前を押してください。"))
    return Reply(tuple(parts), offered(choice("ヘルプ", Ask.HELP)))


def _is_new(tools: Tools, chat: str, user: str) -> bool:
    """Whether the user was not greeted in this chat yet. Without the state store everybody is new."""
    try:
        return tools.state.values.add(f"greeted:{chat}:{user}", "1", GREETED)
    except StorageError:
        return True


SPECS = (
    Spec(name=Ask.GREETING, title="雀録の紹介", help="ボットの紹介をします", action=answer, hidden=True),
)
