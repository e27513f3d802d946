"""自分: a member's own card. Who is not known yet says which player they are: charts then draw that line
thick, and tables mark that row.
"""

from __future__ import annotations

from dataclasses import replace

from bot import texts
from bot.answers.common.members import asked_members, members, token
from bot.answers.common.scope import offered
from bot.answers.players import player
from bot.chat.command import BY_PERIOD, Ask, Command, Question, Spec, choice, data_of
from bot.chat.replies import Menu, Reply, Text, UserError
from bot.chat.tools import Tools

ASK = "自分の名前を押してください。グラフでは自分の線が太く、表では自分の行に色がつきます。"
NOW = "いまは「{}」さんになっています。変えるときは、名前を押してください。"
DONE = "「{}」さんですね。これからはグラフの線が太くなり、表の行に色がつきます。"
FORGOTTEN = "自分の名前の設定を消しました。"
NOBODY = (
    "だれが送ったのか分からないため、設定できませんでした。ボットとの1対1のトークで「自分」と送ってください。"
)
FORGET, CHANGE = "forget", "change"
AFTER = 6  # choices of the card that stand before 名前を変える


def answer(question: Question, tools: Tools) -> Reply:
    """The asker's own card, of the period or season that is typed; else remember or forget who the asker is,
    or ask."""
    user = question.asker.user
    if not user:
        raise UserError(NOBODY, offered())
    if question.option("do") == FORGET:
        tools.identities.forget(tools.folder, user)
        return Reply((Text(FORGOTTEN),), offered(choice("自分", Ask.ME)))
    players = asked_members(question)
    if not players and question.asker.player and not question.option("do"):
        try:
            return _own_card(question)
        except UserError:
            if question.command.options:
                raise  # there are no games of the period that was typed
    if not players:
        return _ask(question)
    tools.identities.remember(tools.folder, user, players[0])
    shown = question.snapshot.league.shown(players[0])
    return Reply(
        (Text(DONE.format(shown)),),
        offered(
            choice("自分の成績", Ask.PLAYER, player=token(players[0])),
            choice("自分の相性", Ask.MATCHUP, player=token(players[0])),
            choice("レーティング", Ask.RATING),
            choice("名前を変える", Ask.ME, do=CHANGE),
        ),
    )


def _own_card(question: Question) -> Reply:
    """The card of the asker, with a way to say another name."""
    options = {"player": token(question.asker.player), **question.command.options}
    reply = player.answer(replace(question, command=Command(Ask.PLAYER, options)))
    other = choice("名前を変える", Ask.ME, do=CHANGE)
    choices = offered(*reply.choices[:AFTER], other, *reply.choices[AFTER:-1])
    return replace(reply, choices=choices, asked=data_of(Ask.PLAYER, **options))


def _ask(question: Question) -> Reply:
    snapshot, current = question.snapshot, question.asker.player
    everyone = members(snapshot)
    if not everyone:
        raise UserError(texts.NO_GAMES, offered())
    buttons = tuple(choice(snapshot.league.shown(p), Ask.ME, player=token(p)) for p in everyone)
    words = NOW.format(snapshot.league.shown(current)) if current else ASK
    forget = (choice("設定を消す", Ask.ME, do=FORGET),) if current else ()
    return Reply((Menu("自分の名前", buttons, words, words),), offered(*forget))


SPECS = (
    Spec(
        name=Ask.ME,
        title="自分",
        help="自分の成績を出します（はじめに名前を登録します）",
        action=answer,
        words=("自分", "じぶん"),
        talk=True,
        takes=BY_PERIOD,
        names=1,
    ),
)
