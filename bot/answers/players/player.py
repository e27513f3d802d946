"""個人 and 自分: one member's card, as a picture and in words. Who is not known yet says which
player they are: charts then draw that line thick, and tables mark that row."""

from dataclasses import replace
from enum import StrEnum

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
from bot.answers.players import texts as player_texts
from bot.answers.players.card import Card, card_chart, card_of, card_table, detail_table
from bot.answers.players.card_picture import draw
from bot.chat.command import BY_PERIOD, Ask, Command, Question, Spec, Tools, choice, data_of
from bot.chat.membership import MembershipOrder
from bot.chat.replies import Choice, Menu, Part, Picture, Reply, Text, UserError

NOW = "いまは「{player}」さんになっています。変えるときは、名前を押してください。"
DONE = "「{player}」さんですね。これからは「自分」で自分の成績が出ます。"
FORGOTTEN = "自分の名前の設定を消しました。"
NOBODY = "だれが送ったのか分からないため、設定できませんでした。ボットとの1対1のトークで「自分」と送ってください。"
TAKEN = "「{player}」さんは、ほかの人が自分の名前にしています。自分の名前として使いますか？"
NOTIFICATION_OF_MENU = "{question} {text}"
ME = "自分"
DETAILED = "くわしく"
RECENT_GAMES = "直近の対局"
PAGE = "ページ"
COMPARE = "だれかと比べる"
CHANGE_NAME = "名前を変える"
FORGET_NAME = "設定を消す"
YES = "はい、自分です"
OTHER_NAME = "ほかの名前"
OWN_CARD = "自分の成績"
RENAMING = [
    f"{name}{change}"
    for name in ("名前", "ニックネーム", "登録名", "表示名")
    for change in ["を変える", "変える", "を変えたい", "変えたい", "をかえたい", "変更", "の変更"]
]
BEFORE_CHANGE = 6  # buttons of the card that stand before 名前を変える
DETAILS = "details"  # of the option `show`


class Do(StrEnum):
    """The option `do` of 自分."""

    FORGET = "forget"
    CHANGE = "change"
    SURE = "sure"


def answer(question: Question) -> Reply:
    """The card of the member named, else of the asker; asks for a name when both are unknown."""
    players = asked_members(question)
    if not players and question.asker.player and question.option("who") != ALL:
        players = [question.asker.player]
    if not players:
        return ask_who(question, player_texts.PLAYER)
    card = card_of(question, players[0])
    details = detail_table(card)
    if question.option("show") == DETAILS:
        return Reply((details,), _buttons(question, card, is_detailed=True))
    table = card_table(card)
    picture = Picture(card_chart(card), draw, table.notification, (details,))
    parts: tuple[Part, ...] = (table, picture)
    return Reply(parts, _buttons(question, card, is_detailed=False))


def _buttons(question: Question, card: Card, is_detailed: bool) -> tuple[Choice, ...]:
    player = token(card.player)
    scope = card.scope
    other_view = choice(DETAILED, Ask.PLAYER, player=player, **scope.options, show=DETAILS)
    if is_detailed:
        other_view = choice(player_texts.PLAYER, Ask.PLAYER, player=player, **scope.options)
    records: tuple[Choice, ...] = ()
    if card.further:
        records = (choice(player_texts.PAIFU, Ask.PAIFU, player=player),)
    return offered(
        other_view,
        choice(player_texts.MATCHUP, Ask.MATCHUP, player=player, **scope.options),
        choice(RECENT_GAMES, Ask.RECENT, player=player),
        choice(PAGE, Ask.PAGE, member=member_id(card.player)),
        choice(player_texts.SKILL, Ask.SKILL, player=player, season=scope.option),
        *period_choices(question, scope, player=player),
        choice(COMPARE, Ask.PAIR, player=player, **scope.options),
        *season_choices(question, scope, player=player),
        *seat_choices(question, scope, player=player),
        choice(player_texts.OTHER_MEMBER, Ask.PLAYER, who=ALL),
        *records,
        choice(player_texts.RATING, Ask.RATING, **scope.options),
    )


# 自分


def show_own(question: Question, tools: Tools) -> Reply:
    """The asker's own card for the period in the text; else store or forget which member the
    asker is, or show the names to choose from.
    """
    if not question.asker.user:
        raise UserError(NOBODY, offered())
    do = question.option("do")
    if do == Do.FORGET:
        return _forget(question, tools)
    players = asked_members(question)
    if players:
        return _name_asker(question, tools, players[0])
    if question.asker.player and not do:
        reply = _own_card(question)
        if reply is not None:
            return reply
    return _names_menu(question)


def _forget(question: Question, tools: Tools) -> Reply:
    tools.parts.state.chats.forget_player(tools.folder, question.asker.user)
    return Reply((Text(FORGOTTEN),), offered(choice(ME, Ask.ME)))


def _change_button() -> Choice:
    return choice(CHANGE_NAME, Ask.ME, do=Do.CHANGE)


def _own_card(question: Question) -> Reply | None:
    """The asker's card; None where the asker has no game at all. Raises UserError for a period
    without one.
    """
    options = {"player": token(question.asker.player), **question.command.options}
    try:
        reply = answer(replace(question, command=Command(Ask.PLAYER, options)))
    except UserError:
        if question.command.options:
            raise
        return None
    buttons = offered(
        *reply.choices[:BEFORE_CHANGE],
        _change_button(),
        *reply.choices[BEFORE_CHANGE:-1],
    )
    return replace(reply, choices=buttons, question_data=data_of(Ask.PLAYER, **options))


def _names_menu(question: Question) -> Reply:
    """All names, to choose one's own. Raises UserError in a league without members."""
    if not members(question.snapshot):
        raise UserError(texts.NO_GAMES, offered())
    text = GAIN
    buttons: tuple[Choice, ...] = ()
    player = question.asker.player
    if player:
        text = NOW.format(player=question.snapshot.league.shown(player))
        buttons = (choice(FORGET_NAME, Ask.ME, do=Do.FORGET),)
    notification = NOTIFICATION_OF_MENU.format(question=WHO, text=text)
    menu = Menu(WHO, own_names(question.snapshot), text, notification)
    return Reply((menu,), offered(*buttons))


def _name_asker(question: Question, tools: Tools, player: str) -> Reply:
    """Store that the asker is this member; first ask back where another user is."""
    name = question.snapshot.league.shown(player)
    user = question.asker.user
    chats = tools.parts.state.chats
    is_confirmed = question.option("do") == Do.SURE or player == question.asker.player
    other_users = set(chats.users_of(tools.folder, str, player)) - {user}
    if other_users and not is_confirmed:
        return _ask_back(player, name)
    chats.set_player(tools.folder, user, player)
    MembershipOrder(tools.parts.state.values).user_named(user, question.at)
    buttons = offered(
        choice(OWN_CARD, Ask.PLAYER, player=token(player)),
        choice(player_texts.OWN_MATCHUP, Ask.MATCHUP, player=token(player)),
        choice(player_texts.RATING, Ask.RATING),
        _change_button(),
    )
    return Reply((Text(DONE.format(player=name)),), buttons)


def _ask_back(player: str, name: str) -> Reply:
    """Ask whether to use a name that another user has."""
    text = TAKEN.format(player=name)
    buttons = (
        choice(YES, Ask.ME, player=token(player), do=Do.SURE),
        choice(OTHER_NAME, Ask.ME, do=Do.CHANGE),
    )
    return Reply((Menu(name, buttons, text, text),), offered())


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
            "設定を消す": {"do": Do.FORGET},
            **{word: {"do": Do.CHANGE} for word in RENAMING},
        },
        talk=True,
        takes=BY_PERIOD,
        names=1,
    ),
)
