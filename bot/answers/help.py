"""メニュー and ヘルプ: made from the list of commands."""

from __future__ import annotations

from bot.commands import Question, Spec, choice, near_words, specs
from bot.replies import Menu, Reply, Text
from bot.texts import NEAR, UNKNOWN


def menu(question: Question) -> Reply:
    name = question.snapshot.league.name or "雀録"
    choices = tuple(choice(s.title, s.name) for s in specs().values() if not (s.hidden or s.admin))
    return Reply((Menu(name, choices, "知りたいものを押してください。", f"{name}のメニュー"),))


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
