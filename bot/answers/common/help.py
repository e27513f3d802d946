"""メニュー and ヘルプ, and the greeting to a new friend, group or member of one."""

from bot.answers.common.members import GAIN, WHO, members, own_names, token
from bot.answers.common.scope import has_data, offered
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.replies import Menu, Part, Reply, Row, Table, Text
from bot.league.snapshot import LeagueSnapshot
from bot.texts import UNKNOWN
from storage.ports import StorageError

OFFERED = 4  # commands where a word is none
AT_HAND = 10  # members whose names stand in the greeting; of more the names are asked for
A_SCREEN = 9  # commands of the list on one page
HOW = "押すか、「収支 先月」「みどりの成績」のように送ってください。"
HELLO = "{}の記録係、雀録です。"
DOES = (
    "天鳳の対局を記録して、成績をお見せします。"
    "「メニュー」と送るとボタンが出ます。「{}の成績」のような言葉でも聞けます。"
)
PRIVACY = "個人情報の扱い"
WELCOME = "{}さん、こんにちは。「メニュー」と送ると、できることがボタンで出ます。"
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
    """The twelve commands asked most, or what もっと opens, but those without data or the
    admin's.
    """
    catalogue = question.catalogue
    name = question.snapshot.league.name or "雀録"
    more = bool(question.option("more"))
    words = list(SECOND) if more else FIRST
    if more and question.asker.admin:
        words += FOR_ADMINS
    buttons = []
    for word in words:
        spec = catalogue.by_word(word)
        if spec and has_data(question, spec.name):
            buttons.append(choice(word, spec.name, **catalogue.options_of(word)))
    return Reply((Menu(name, tuple(buttons), alt=f"{name}のメニュー"),))


def show_help(question: Question) -> Reply:
    """The commands with a line of help each, a screenful a page; the admin's for admins only."""
    rows = []
    for spec in question.catalogue.values():
        if not (spec.hidden or (spec.admin and not question.asker.admin)):
            word = spec.words.split()[0] if spec.words else spec.title
            rows.append(
                Row(
                    word,
                    "",
                    detail=spec.help,
                    data=spec.data,
                    said=spec.title,
                )
            )
    buttons = (
        choice("期間", Ask.PERIOD),
        choice("自分", Ask.ME),
        choice("メニュー", Ask.MENU),
    )
    table = Table("できること", tuple(rows), subtitle=HOW, alt=f"できること：{HOW}", page=A_SCREEN)
    return Reply((table,), buttons)


def unknown(question: Question) -> Reply:
    """The reply to a word that is no command: the four nearest commands as buttons."""
    words = question.command.rest
    catalogue = question.catalogue
    near = []
    if words:
        near = [spec for spec in catalogue.near(words[0], 0.4) if not spec.admin]
    usual = (Ask.TODAY, Ask.ME, Ask.SUM, Ask.RATING)
    near += [catalogue[name] for name in usual if name in catalogue]
    shown = list(dict.fromkeys(near))[:OFFERED]
    buttons = tuple(choice(spec.title, spec.name) for spec in shown)
    labels = "・".join(button.label for button in buttons)
    return Reply((Menu(UNKNOWN, buttons, alt=f"{UNKNOWN}（{labels}）"),))


def greet(question: Question, tools: Tools) -> Reply:
    """Greet the group or the friend, or those who joined (the command's words), each once; a known
    player is not asked for a name."""
    joined = question.command.rest
    if not joined:
        return greeting(question.snapshot, question.asker.player, tools.parts.links.privacy())
    new = []
    greeted = f"greeted:{question.asker.chat}"
    for user in joined:
        try:
            if tools.parts.state.values.add(f"{greeted}:{user}", "1", GREETED):
                new.append(user)
        except StorageError:
            new.append(user)  # without the state store everybody is new
    known = [tools.parts.access.player_of(tools.folder, user) for user in new]
    if not new:
        return Reply(())
    player = known[0] if len(known) == 1 else ""
    return greeting(question.snapshot, player, tools.parts.links.privacy())


def greeting(snapshot: LeagueSnapshot, player: str = "", privacy: str = "") -> Reply:
    """What the bot does, and the members to choose from; a known `player` is greeted by name.
    `privacy`: the address of the page about what is kept."""
    shown = snapshot.league.shown
    everyone = members(snapshot)
    if player in everyone:
        own = choice("自分の成績", Ask.PLAYER, player=token(player))
        return Reply((Text(WELCOME.format(shown(player))),), offered(own))
    hello = HELLO.format(snapshot.league.name or "このリーグ")
    does = DOES.format(shown(everyone[0]) if everyone else "自分")
    text = hello + does
    if privacy:
        text += f"\n{PRIVACY}：{privacy}"
    part: Part = Text(text)
    if everyone:
        link = (PRIVACY, privacy) if privacy else None
        names = (
            own_names(snapshot)
            if len(everyone) <= AT_HAND
            else (choice("名前を選ぶ", Ask.ME, do="change"),)
        )
        part = Menu(hello, names, f"{does}\n{WHO} {GAIN}", f"{WHO} {GAIN}", link)
    return Reply((part,), offered(choice("ヘルプ", Ask.HELP)))


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
