"""メニュー and ヘルプ: made from the list of commands."""

from __future__ import annotations

from functools import partial

from bot.chat.command import Catalogue, Question, Spec, choice
from bot.chat.replies import GAP, Button, Form, FormRow, Reply, Text
from bot.texts import NEAR, UNKNOWN

GROUPS = (
    ("みんなの成績", ("rating", "sum", "rank", "point", "tip", "team")),
    ("ひとりずつ", ("player", "matchup", "pair")),
    ("対局", ("today", "recent", "summary")),
)
OTHERS = "そのほか"  # whatever else can be asked
A_ROW = 3


def menu(catalogue: Catalogue, question: Question) -> Reply:
    """Everything that can be asked, by what it is about, three buttons a row."""
    name = question.snapshot.league.name or "雀録"
    shown = {s.name: s for s in catalogue.values() if not (s.hidden or s.admin)}
    rows: list[FormRow] = []
    for head, names in (*GROUPS, (OTHERS, tuple(shown))):
        buttons = [_button(shown.pop(n)) for n in names if n in shown]
        rows += [head] if buttons else []
        buttons += [GAP] * (-len(buttons) % A_ROW)
        rows += [tuple(buttons[i : i + A_ROW]) for i in range(0, len(buttons), A_ROW)]
    return Reply((Form(name, tuple(rows), alt=f"{name}のメニュー"),))


def _button(spec: Spec) -> Button:
    return Button((spec.title,), spec.data, "link", said=spec.title)


def show_help(catalogue: Catalogue, question: Question) -> Reply:
    lines = ["聞けること（ボタンでも言葉でも）"]
    for spec in catalogue.values():
        if spec.hidden or (spec.admin and not question.asker.admin):
            continue
        lines.append(f"・{spec.words[0] if spec.words else spec.title}：{spec.help}")
    return Reply((Text("\n".join(lines)),), (choice("メニュー", "menu"),))


def unknown(catalogue: Catalogue, question: Question) -> Reply:
    """A word that is no command: the commands nearest to it as buttons."""
    near = catalogue.near(question.command.rest[0]) if question.command.rest else []
    choices = tuple(choice(spec.title, spec.name) for spec in near)
    sentence = NEAR if near else UNKNOWN
    return Reply((Text(sentence),), (*choices, choice("メニュー", "menu")))


def specs_of(catalogue: Catalogue) -> tuple[Spec, ...]:
    """The commands that speak of all commands: the catalogue is theirs to read when they are asked."""
    return (
        Spec(name="unknown", title="分からない言葉", answer=partial(unknown, catalogue), hidden=True),
        Spec(
            name="menu",
            title="メニュー",
            help="ボタンの一覧を出します",
            answer=partial(menu, catalogue),
            words=("メニュー", "menu"),
            hidden=True,
        ),
        Spec(
            name="help",
            title="ヘルプ",
            help="この一覧を出します",
            answer=partial(show_help, catalogue),
            words=("ヘルプ", "help", "使い方", "つかいかた"),
        ),
    )
