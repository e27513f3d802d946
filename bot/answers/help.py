"""メニュー and ヘルプ: both are made from the catalogue of commands."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from bot.chat.command import Ask, Catalogue, MenuGroup, Question, Spec, choice
from bot.chat.replies import GAP, Button, Form, FormRow, Reply, Row, Table, Text
from bot.texts import NEAR, UNKNOWN

A_ROW = 3  # buttons
A_SCREEN = 9  # commands of the list on one page
HOW = "押すか、「収支 先月」「みどりの成績」のように送ってください。"


def menu(catalogue: Catalogue, question: Question) -> Reply:
    """The menu: every command that is neither hidden nor for admins, by group, three buttons a row."""
    name = question.snapshot.league.name or "雀録"
    shown = sorted((s for s in catalogue.values() if not (s.hidden or s.admin)), key=attrgetter("place"))
    rows: list[FormRow] = []
    for group in MenuGroup:
        buttons = [Button((s.title,), s.data, "link", said=s.title) for s in shown if s.group is group]
        rows += [group.value] if buttons else []
        buttons += [GAP] * (-len(buttons) % A_ROW)
        rows += [tuple(buttons[i : i + A_ROW]) for i in range(0, len(buttons), A_ROW)]
    return Reply((Form(name, tuple(rows), alt=f"{name}のメニュー"),))


def show_help(catalogue: Catalogue, question: Question) -> Reply:
    """The commands with a line of help each, a screenful a page; a tap asks one. Those for admins are shown
    to admins only."""
    rows = tuple(
        Row(
            spec.words[0] if spec.words else spec.title, "", detail=spec.help, data=spec.data, said=spec.title
        )
        for spec in catalogue.values()
        if not (spec.hidden or (spec.admin and not question.asker.admin))
    )
    buttons = (choice("期間", Ask.PERIOD), choice("自分", Ask.ME), choice("メニュー", Ask.MENU))
    return Reply((Table("できること", rows, subtitle=HOW, alt=f"できること：{HOW}", page=A_SCREEN),), buttons)


def unknown(catalogue: Catalogue, question: Question) -> Reply:
    """The reply to a word that is no command: the nearest commands as buttons."""
    near = catalogue.near(question.command.rest[0]) if question.command.rest else []
    choices = tuple(choice(spec.title, spec.name) for spec in near)
    sentence = NEAR if near else UNKNOWN
    return Reply((Text(sentence),), (*choices, choice("メニュー", Ask.MENU)))


def specs_of(catalogue: Catalogue) -> tuple[Spec, ...]:
    """The commands about all commands. They read the catalogue when they are asked, so it may still grow."""
    return (
        Spec(name=Ask.UNKNOWN, title="分からない言葉", answer=partial(unknown, catalogue), hidden=True),
        Spec(
            name=Ask.MENU,
            title="メニュー",
            help="ボタンの一覧を出します",
            answer=partial(menu, catalogue),
            words=("メニュー", "menu"),
            hidden=True,
        ),
        Spec(
            name=Ask.HELP,
            title="ヘルプ",
            help="この一覧を出します",
            answer=partial(show_help, catalogue),
            words=("ヘルプ", "help", "使い方", "つかいかた"),
            everyday=("使い方",),
        ),
    )
