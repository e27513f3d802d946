"""個人 and 自分: one member's card, as a picture and in words. Who is not known yet says which
player they are: charts then draw that line thick, and tables mark that row."""

from dataclasses import replace

from bot import texts
from bot.answers.common.members import (
    GAIN,
    WHO,
    asked_members,
    member_id,
    members,
    own_names,
    token,
)
from bot.answers.common.scope import (
    ALL,
    ask_who,
    offered,
    period_choices,
    season_choices,
    seat_choices,
)
from bot.answers.players.card import card_chart, card_of, card_table, detail_table
from bot.answers.players.card_picture import draw
from bot.chat.command import BY_PERIOD, Ask, Command, Question, Spec, Tools, choice, data_of
from bot.chat.membership import MembershipOrder
from bot.chat.replies import Menu, Part, Picture, Reply, Text, UserError

NOW = "いまは「{}」さんになっています。変えるときは、名前を押してください。"
DONE = "「{}」さんですね。これからは「自分」で自分の成績が出ます。"
FORGOTTEN = "自分の名前の設定を消しました。"
NOBODY = "だれが送ったのか分からないため、設定できませんでした。ボットとの1対1のトークで「自分」と送ってください。"
TAKEN = "「{}」さんは、ほかの人が自分の名前にしています。自分の名前として使いますか？"
DETAILS = "details"
FORGET = "forget"
CHANGE = "change"
SURE = "sure"
RENAMING = [
    f"{name}{change}"
    for name in ("名前", "ニックネーム", "登録名", "表示名")
    for change in ["を変える", "変える", "を変えたい", "変えたい", "をかえたい", "変更", "の変更"]
]
AFTER = 6  # choices of the card that stand before 名前を変える


def answer(question: Question) -> Reply:
    """The card of the member named, else of the asker; asks for a name when both are unknown."""
    players = asked_members(question)
    if not players and question.asker.player and question.option("who") != ALL:
        players = [question.asker.player]
    if not players:
        return ask_who(question, "個人")
    card = card_of(question, players[0])
    player = token(card.player)
    season = card.scope.option
    here = card.scope.options
    details = detail_table(card)
    if question.option("show") == DETAILS:
        parts: tuple[Part, ...] = (details,)
        other = choice("個人", Ask.PLAYER, player=player, **here)
    else:
        table = card_table(card)
        parts = (table, Picture(card_chart(card), draw, table.notification, (details,)))
        other = choice("くわしく", Ask.PLAYER, player=player, **here, show=DETAILS)
    records = []
    if card.further:
        records.append(choice("牌譜成績", Ask.PAIFU, player=player))
    choices = offered(
        other,
        choice("相性", Ask.MATCHUP, player=player, **here),
        choice("直近の対局", Ask.RECENT, player=player),
        choice("ページ", Ask.PAGE, member=member_id(card.player)),
        choice("実力と運", Ask.SKILL, player=player, season=season),
        *period_choices(question, card.scope, player=player),
        choice("だれかと比べる", Ask.PAIR, player=player, **here),
        *season_choices(question, card.scope, player=player),
        *seat_choices(question, card.scope, player=player),
        choice("ほかの人", Ask.PLAYER, who=ALL),
        *records,
        choice("レーティング", Ask.RATING, **here),
    )
    return Reply(parts, choices)


def show_own(question: Question, tools: Tools) -> Reply:
    """The asker's own card of what is typed; else remember or forget who the asker is, or ask."""
    user = question.asker.user
    if not user:
        raise UserError(NOBODY, offered())
    if question.option("do") == FORGET:
        tools.parts.state.chats.forget_player(tools.folder, user)
        return Reply((Text(FORGOTTEN),), offered(choice("自分", Ask.ME)))
    change = choice("名前を変える", Ask.ME, do=CHANGE)
    players = asked_members(question)
    known = question.asker.player
    if not players and known and not question.option("do"):
        options = {"player": token(known), **question.command.options}
        try:
            reply = answer(replace(question, command=Command(Ask.PLAYER, options)))
            choices = offered(
                *reply.choices[:AFTER],
                change,
                *reply.choices[AFTER:-1],
            )
            return replace(reply, choices=choices, asked=data_of(Ask.PLAYER, **options))
        except UserError:
            if question.command.options:
                raise  # there are no games of the period that was typed
    shown = question.snapshot.league.shown
    everyone = members(question.snapshot)
    if not players:
        if not everyone:
            raise UserError(texts.NO_GAMES, offered())
        words = NOW.format(shown(known)) if known else GAIN
        forget = (choice("設定を消す", Ask.ME, do=FORGET),) if known else ()
        return Reply(
            (Menu(WHO, own_names(question.snapshot), words, f"{WHO} {words}"),), offered(*forget)
        )
    own = token(players[0])
    sure = question.option("do") == SURE or players[0] == known
    users = set(
        tools.parts.state.chats.users_of(
            tools.folder,
            str,
            players[0],
        )
    )
    if users - {user} and not sure:
        words = TAKEN.format(shown(players[0]))
        ways = (
            choice("はい、自分です", Ask.ME, player=own, do=SURE),
            choice("ほかの名前", Ask.ME, do=CHANGE),
        )
        return Reply(
            (Menu(shown(players[0]), ways, words, words),),
            offered(),
        )
    tools.parts.state.chats.set_player(tools.folder, user, players[0])
    MembershipOrder(tools.parts.state.values).user_named(user, question.at)
    choices = offered(
        choice("自分の成績", Ask.PLAYER, player=own),
        choice("自分の相性", Ask.MATCHUP, player=own),
        choice("レーティング", Ask.RATING),
        change,
    )
    return Reply((Text(DONE.format(shown(players[0]))),), choices)


SPECS = (
    Spec(
        name=Ask.PLAYER,
        title="個人",
        help="ひとりの成績をまとめて出します（「個人 みどり」「ほかの人」）",
        answer=answer,
        words="個人 こじん 成績 せいせき プレイヤー カード 戦績 せんせき 段位",
        shortcuts={
            "くわしく": {"show": DETAILS},
            "詳しく": {"show": DETAILS},
            "ほかの人": {"who": ALL},
        },
        takes=BY_PERIOD,
        names=1,
        of_asker=True,
    ),
    Spec(
        name=Ask.ME,
        title="自分",
        help="自分の成績を出します（はじめに名前を登録します）",
        action=show_own,
        words="自分 じぶん",
        shortcuts={
            "設定を消す": {"do": FORGET},
            **{word: {"do": CHANGE} for word in RENAMING},
        },
        talk=True,
        takes=BY_PERIOD,
        names=1,
    ),
)
