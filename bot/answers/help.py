"""メニュー and ヘルプ: made from the list of commands."""

from __future__ import annotations

from bot.chat.command import Question, Spec, choice, near_words, specs
from bot.chat.forms import GAP, Button, Form, FormRow
from bot.chat.replies import Reply, Text
from bot.texts import NEAR, UNKNOWN

GROUPS = (
    ("みんなの成績", ("rating", "sum", "rank", "point", "tip", "team")),
    ("ひとりずつ", ("player", "matchup", "pair")),
    ("対局", ("today", "recent", "summary")),
)
OTHERS = "そのほか"  # whatever else can be asked
A_ROW = 3


def menu(question: Question) -> Reply:
    """Everything that can be asked, by what it is about, three buttons a row."""
    name = question.snapshot.league.name or "雀録"
    shown = {s.name: s for s in specs().values() if not (s.hidden or s.admin)}
    rows: list[FormRow] = []
    for head, names in (*GROUPS, (OTHERS, tuple(shown))):
        buttons = [_button(shown.pop(n)) for n in names if n in shown]
        rows += [head] if buttons else []
        buttons += [GAP] * (-len(buttons) % A_ROW)
        rows += [tuple(buttons[i : i + A_ROW]) for i in range(0, len(buttons), A_ROW)]
    return Reply((Form(name, tuple(rows), alt=f"{name}のメニュー"),))


def _button(spec: Spec) -> Button:
    return Button((spec.title,), spec.data, "link", said=spec.title)


def show_help(question: Question) -> Reply:
    lines = ["聞けること（ボタンでも言葉でも）"]
    for spec in specs().values():
        if spec.hidden or (spec.admin and not question.asker.admin):
            continue
        lines.append(f"・{spec.words[0] if spec.words else spec.title}：{spec.help}")
    return Reply((Text("\n".join(lines)),), (choice("メニュー", "menu"),))


def unknown(question: Question) -> Reply:
    """A word that is no command: the commands nearest to it as buttons."""
    near = near_words(question.command.rest[0]) if question.command.rest else []
    choices = tuple(choice(spec.title, spec.name) for spec in near)
    sentence = NEAR if near else UNKNOWN
    return Reply((Text(sentence),), (*choices, choice("メニュー", "menu")))


SPECS = (
    Spec("unknown", "分からない言葉", "", unknown, hidden=True),
    Spec("menu", "メニュー", "ボタンの一覧を出します", menu, ("メニュー", "menu"), hidden=True),
    Spec("help", "ヘルプ", "この一覧を出します", show_help, ("ヘルプ", "help", "使い方", "つかいかた")),
)
