"""メニュー and ヘルプ, and the greeting to a new friend, group or member of one."""

from bot.answers.common.members import GAIN, WHO, members, own_names, token
from bot.answers.common.scope import has_data, offered
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.replies import Menu, Part, Reply, Row, Table, Text
from bot.league.snapshot import LeagueSnapshot
from bot.texts import UNKNOWN
from storage.ports import StorageError

OFFERED = 4  # commands where a word is none
AT_HAND = 10  # members whose names are in the greeting; of more, the names follow a button
A_SCREEN = 9  # commands of the list on one page
HOW = "押すか、「収支 先月」「みどりの成績」のように送ってください。"
HELLO = "{league}の記録係、雀録です。"
DOES = (
    "天鳳の対局を記録して、成績をお見せします。"
    "「メニュー」と送るとボタンが出ます。「{player}の成績」のような言葉でも聞けます。"
)
PRIVACY = "個人情報の扱い"
PRIVACY_LINK = "{text}\n{label}：{address}"
MENU_TITLE = "雀録"
MENU_NOTIFICATION = "{title}のメニュー"
COMMANDS = "できること"
COMMANDS_NOTIFICATION = f"{COMMANDS}：{HOW}"
UNKNOWN_NOTIFICATION = "{sentence}（{labels}）"
THIS_LEAGUE = "このリーグ"
ME = "自分"
OWN_CARD = "自分の成績"
CHOOSE_NAME = "名前を選ぶ"
PERIOD = "期間"
MENU = "メニュー"
HELP = "ヘルプ"
WHO_AND_WHY = f"{WHO} {GAIN}"
WELCOME = "{player}さん、こんにちは。「メニュー」と送ると、できることがボタンで出ます。"
GREETED = 400 * 24 * 3600.0  # seconds in which who joins the same group again is not greeted again
# The menu's pages, by the words that ask the same.
FIRST = [
    *("今日", "自分", "収支", "レーティング", "着順", "ランキング"),
    *("ほかの人", "対決", "相性", "月報・まとめ", "牌譜", "もっと"),
]
SECOND = (
    "優勝確率・条件",
    "推移",
    "チーム",
    "直近",
    "期間",
    "さっきの牌譜",
    "危険度",
    "ポスター",
    "ページ",
    "募集",
    "ヘルプ",
)
FOR_ADMINS = ("レート検証", "書き出し", "2対2", "設定")


def menu(question: Question) -> Reply:
    """The twelve most frequent commands, or what もっと opens, but those without data or the
    admin's.
    """
    catalogue = question.catalogue
    title = question.snapshot.league.name or MENU_TITLE
    words = list(FIRST)
    if question.option("more"):
        words = list(SECOND)
        if question.asker.admin:
            words += FOR_ADMINS
    buttons = []
    for word in words:
        spec = catalogue.by_word(word)
        if spec and has_data(question, spec.name):
            buttons.append(choice(word, spec.name, **catalogue.options_of(word)))
    notification = MENU_NOTIFICATION.format(title=title)
    return Reply((Menu(title, tuple(buttons), alt=notification),))


def show_help(question: Question) -> Reply:
    """The commands with a line of help each, a screenful a page; the admin's for admins only."""
    rows = [
        _help_row(spec)
        for spec in question.catalogue.values()
        if not spec.hidden and (question.asker.admin or not spec.admin)
    ]
    buttons = (
        choice(
            PERIOD,
            Ask.PERIOD,
        ),
        choice(ME, Ask.ME),
        choice(MENU, Ask.MENU),
    )
    table = Table(COMMANDS, tuple(rows), subtitle=HOW, alt=COMMANDS_NOTIFICATION, page=A_SCREEN)
    return Reply((table,), buttons)


def _help_row(spec: Spec) -> Row:
    """A command by its first word."""
    word = spec.title
    if spec.words:
        word = spec.words.split()[0]
    return Row(word, "", detail=spec.help, data=spec.data, said=spec.title)


def unknown(question: Question) -> Reply:
    """The reply to a word that is no command: the four nearest commands as buttons."""
    words = question.command.rest
    catalogue = question.catalogue
    near = []
    if words:
        near = [spec for spec in catalogue.near(words[0], 0.4) if not spec.admin]
    usual = (Ask.TODAY, Ask.ME, Ask.SUM, Ask.RATING)
    near += [catalogue[name] for name in usual if name in catalogue]
    specs = list(dict.fromkeys(near))[:OFFERED]
    buttons = tuple(choice(spec.title, spec.name) for spec in specs)
    labels = "・".join(button.label for button in buttons)
    notification = UNKNOWN_NOTIFICATION.format(sentence=UNKNOWN, labels=labels)
    return Reply((Menu(UNKNOWN, buttons, alt=notification),))


def greet(question: Question, tools: Tools) -> Reply:
    """Greet the group or the friend, or those who joined (the command's words), each once; a known
    player needs not choose a name."""
    users = question.command.rest
    if not users:
        return greeting(question.snapshot, question.asker.player, tools.parts.links.privacy())
    new_users = [user for user in users if _is_new(question, tools, user)]
    if not new_users:
        return Reply(())
    player = ""
    if len(new_users) == 1:
        player = tools.parts.access.player_of(tools.folder, new_users[0])
    return greeting(question.snapshot, player, tools.parts.links.privacy())


def _is_new(question: Question, tools: Tools, user: str) -> bool:
    """Whether a user was not greeted in this group before; without the state store everybody is
    new.
    """
    try:
        return tools.parts.state.values.add(f"greeted:{question.asker.chat}:{user}", "1", GREETED)
    except StorageError:
        return True


def greeting(snapshot: LeagueSnapshot, player: str = "", privacy: str = "") -> Reply:
    """What the bot does, and the members to choose from; a known `player` is greeted by name.
    `privacy`: the address of the page about what is stored."""
    shown = snapshot.league.shown
    everyone = members(snapshot)
    if player in everyone:
        own_card = choice(OWN_CARD, Ask.PLAYER, player=token(player))
        return Reply(
            (Text(WELCOME.format(player=shown(player))),),
            offered(own_card),
        )
    hello = HELLO.format(league=snapshot.league.name or THIS_LEAGUE)
    example = ME
    if everyone:
        example = shown(everyone[0])
    does = DOES.format(player=example)
    part: Part
    if everyone:
        part = _names_menu(snapshot, hello, does, privacy)
    elif privacy:
        part = Text(PRIVACY_LINK.format(text=hello + does, label=PRIVACY, address=privacy))
    else:
        part = Text(hello + does)
    return Reply((part,), offered(choice(HELP, Ask.HELP)))


def _names_menu(snapshot: LeagueSnapshot, hello: str, does: str, privacy: str) -> Menu:
    """The greeting with the members' names to choose one's own from."""
    link = None
    if privacy:
        link = (PRIVACY, privacy)
    names = own_names(snapshot)
    if len(names) > AT_HAND:
        names = (choice(CHOOSE_NAME, Ask.ME, do="change"),)
    return Menu(hello, names, f"{does}\n{WHO_AND_WHY}", WHO_AND_WHY, link)


SPECS = (
    Spec(
        name=Ask.GREETING,
        title="雀録の紹介",
        help="ボットの紹介をします",
        action=greet,
        hidden=True,
    ),
    Spec(name=Ask.UNKNOWN, title="分からない言葉", answer=unknown, hidden=True),
    Spec(
        name=Ask.MENU,
        title="メニュー",
        help="ボタンの一覧を出します",
        answer=menu,
        words="メニュー menu",
        shortcuts={FIRST[-1]: {"more": "1"}},
        bare=True,
        hidden=True,
    ),
    Spec(
        name=Ask.HELP,
        title="ヘルプ",
        help="この一覧を出します",
        answer=show_help,
        words=(
            "ヘルプ help 使い方 つかいかた つかい方 できること 何ができる 何ができるの コマンド コマンド一覧"
        ),
        bare=True,
        everyday="使い方",
    ),
)
