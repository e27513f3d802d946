"""メニュー and ヘルプ, made from the catalogue of commands, and the greeting to a new friend, group or
member of one: what the bot does, and あなたはだれ？ with the members as buttons."""

from __future__ import annotations

from operator import attrgetter

from bot.answers.common.members import members, token
from bot.answers.common.scope import offered
from bot.chat.command import Ask, MenuGroup, Question, Spec, Tools, choice
from bot.chat.replies import GAP, Button, Form, FormRow, Menu, Part, Reply, Row, Table, Text
from bot.league.snapshot import LeagueSnapshot
from bot.texts import UNKNOWN
from storage.ports import StorageError

A_ROW = 3  # buttons
OFFERED = 4  # commands where a word is none
A_SCREEN = 9  # commands of the list on one page
HOW = "押すか、「収支 先月」「みどりの成績」のように送ってください。"
HELLO = (
    "{}の記録係、雀録です。天鳳で打った対局を記録して、レーティング・収支・着順をグラフと表でお見せします。"
    "「メニュー」と送るとボタンが出ます。「収支 先月」「{}の成績」のような言葉でも聞けます。"
)
PRIVACY = "個人情報の扱い："
WELCOME = "{}さん、こんにちは。「メニュー」と送ると、できることがボタンで出ます。"
WHO = "あなたはだれ？"
ASK = "自分の名前を押すと、グラフの線が太くなり、表の行に色がつきます。"
GREETED = 400 * 24 * 3600.0  # seconds in which who joins the same group again is not greeted again


def menu(question: Question) -> Reply:
    """The menu: every command that is neither hidden nor for admins, by group, three buttons a row."""
    name = question.snapshot.league.name or "雀録"
    known = (s for s in question.catalogue.values() if not (s.hidden or s.admin))
    shown = sorted(known, key=attrgetter("place"))
    rows: list[FormRow] = []
    for group in MenuGroup:
        buttons = [Button((s.title,), s.data, "link", said=s.title) for s in shown if s.group is group]
        rows += [group.value] if buttons else []
        buttons += [GAP] * (-len(buttons) % A_ROW)
        rows += [tuple(buttons[i : i + A_ROW]) for i in range(0, len(buttons), A_ROW)]
    return Reply((Form(name, tuple(rows), alt=f"{name}のメニュー"),))


def show_help(question: Question) -> Reply:
    """The commands with a line of help each, a screenful a page; a tap asks one. Those for admins are shown
    to admins only."""
    rows = tuple(
        Row(
            spec.words[0] if spec.words else spec.title, "", detail=spec.help, data=spec.data, said=spec.title
        )
        for spec in question.catalogue.values()
        if not (spec.hidden or (spec.admin and not question.asker.admin))
    )
    buttons = (choice("期間", Ask.PERIOD), choice("自分", Ask.ME), choice("メニュー", Ask.MENU))
    return Reply((Table("できること", rows, subtitle=HOW, alt=f"できること：{HOW}", page=A_SCREEN),), buttons)


def unknown(question: Question) -> Reply:
    """The reply to a word that is no command: the four nearest commands as buttons."""
    words, catalogue = question.command.rest, question.catalogue
    near = [spec for spec in catalogue.near(words[0], 0.4) if not spec.admin] if words else []
    usual = (catalogue[name] for name in (Ask.TODAY, Ask.ME, Ask.SUM, Ask.RATING))
    shown = dict.fromkeys((*near, *usual))
    return Reply((Text(UNKNOWN),), tuple(choice(spec.title, spec.name) for spec in list(shown)[:OFFERED]))


def greet(question: Question, tools: Tools) -> Reply:
    """Greet the group or the friend, or those who joined a group, each of them once. Who is known is not
    asked for a name.

    The users who joined are the command's words. A reply without parts says nothing.
    """
    joined = question.command.rest
    if not joined:
        return greeting(question.snapshot, question.asker.player, tools.links.privacy())
    new, greeted = [], f"greeted:{question.asker.chat}"
    for user in joined:
        try:
            new += [user] * tools.state.values.add(f"{greeted}:{user}", "1", GREETED)
        except StorageError:
            new.append(user)  # without the state store everybody is new
    known = [tools.identities.player_of(tools.folder, user) for user in new]
    if not new:
        return Reply(())
    return greeting(question.snapshot, known[0] if len(known) == 1 else "", tools.links.privacy())


def greeting(snapshot: LeagueSnapshot, player: str = "", privacy: str = "") -> Reply:
    """What the bot does, and the members to choose from. A known `player` is greeted by name instead.

    `privacy` is the address of the page about what is kept."""
    shown, everyone = snapshot.league.shown, members(snapshot)
    if player in everyone:
        return Reply(
            (Text(WELCOME.format(shown(player))),),
            offered(choice("自分の成績", Ask.PLAYER, player=token(player))),
        )
    buttons = tuple(choice(shown(p), Ask.ME, player=token(p)) for p in everyone)
    words = HELLO.format(snapshot.league.name or "このリーグ", shown(everyone[0]) if everyone else "自分")
    parts: list[Part] = [Text(f"{words}\n{PRIVACY}{privacy}" if privacy else words)]
    if buttons:
        parts.append(Menu(WHO, buttons, ASK, f"{WHO} 自分の名前を押してください。"))
    return Reply(tuple(parts), offered(choice("ヘルプ", Ask.HELP)))


SPECS = (
    Spec(name=Ask.GREETING, title="雀録の紹介", help="ボットの紹介をします", action=greet, hidden=True),
    Spec(name=Ask.UNKNOWN, title="分からない言葉", answer=unknown, hidden=True),
    Spec(
        name=Ask.MENU,
        title="メニュー",
        help="ボタンの一覧を出します",
        answer=menu,
        words=("メニュー", "menu"),
        bare=True,
        hidden=True,
    ),
    Spec(
        name=Ask.HELP,
        title="ヘルプ",
        help="この一覧を出します",
        answer=show_help,
        words=("ヘルプ", "help", "使い方", "つかいかた"),
        bare=True,
        everyday=("使い方",),
    ),
)
