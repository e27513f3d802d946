"""The wizard: what it says and asks at the terminal, and what was found out, saved once it was tried."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bot.runtime.env_file import write_env_file
from bot.runtime.finding import translated as _
from bot.settings import LINE_API

SHOWN = 4  # last signs of a secret that are shown


def masked(secret: str) -> str:
    return f"…{secret[-SHOWN:]}" if len(secret) >= 4 * SHOWN else "…"


class Terminal:
    """Speaks to the admin. Every question raises click.Abort at the end of the input and at Ctrl-C."""

    def title(self, text: str) -> None:
        click.echo(f"\n== {text}")

    def say(self, text: str) -> None:
        click.echo(text)

    def worked(self, text: str) -> None:
        click.echo(f"  ✓ {text}")

    def failed(self, text: str) -> None:
        click.echo(f"  ✗ {text}")

    def ask(self, label: str, kept: str = "", secret: bool = False) -> str:
        """Return the answer without blanks around it; `kept` where only Enter is pressed."""
        shown = masked(kept) if secret and kept else kept
        question = f"{label} [{shown}]" if shown else label
        hidden = secret and sys.stdin.isatty()
        answer = str(click.prompt(question, default="", show_default=False, hide_input=hidden))
        return answer.strip() or kept

    def choose(self, question: str, choices: Sequence[tuple[str, str]], kept: str) -> str:
        """Return the key of one of the choices (key, words). Enter takes `kept`."""
        click.echo(question)
        for number, (_key, words) in enumerate(choices, 1):
            click.echo(f"  {number}  {words}")
        keys = [key for key, _words in choices]
        default = keys.index(kept) + 1 if kept in keys else 1
        chosen = click.prompt(
            _("Number"), type=click.IntRange(1, len(choices)), default=default, show_default=True
        )
        return keys[int(chosen) - 1]

    def confirm(self, question: str, default: bool) -> bool:
        return bool(click.confirm(question, default=default))


class RefusedAnswer(Exception):
    """The answer is wrong; the message says what to do. `away`: the service did not answer at all."""

    def __init__(self, words: str, away: bool = False) -> None:
        super().__init__(words)
        self.away = away


@dataclass(frozen=True)
class AskedVariable:
    """A variable to ask for. `optional`: it may stay empty."""

    name: str
    label: str
    secret: bool = False
    optional: bool = False
    default: str = ""


@dataclass(frozen=True)
class Wizard:
    """The terminal, and the file that keeps the answers, as the process's environment does for SDKs. What is
    known and still works is asked only with `anew`."""

    terminal: Terminal
    file: Path
    anew: bool = False

    def get(self, name: str) -> str:
        return os.environ.get(name, "").strip()

    def explain(self, name: str, text: str) -> None:
        """Say where a variable is found, unless it is known."""
        if not self.get(name):
            self.terminal.say(text)

    def known(self, name: str) -> bool:
        return not self.anew and bool(self.get(name))

    @property
    def line_api(self) -> str:
        return self.get("LINE_API_URL").rstrip("/") or LINE_API

    def keep(self, **values: str) -> None:
        os.environ.update(values)
        write_env_file(self.file, values)

    def ask(self, questions: Sequence[AskedVariable], check: Callable[[dict[str, str]], str]) -> None:
        """Ask until `check` takes the answers together, and save them; what is known is tried first. `check`
        finds the answers in the environment too; it returns what to say ("" for nothing), or raises
        RefusedAnswer."""
        answers: dict[str, str] = {}
        untold = all(question.optional or self.known(question.name) for question in questions)
        while True:
            for question in questions:
                if untold:
                    answers[question.name] = self.get(question.name)
                    continue
                kept = answers.get(question.name) or self.get(question.name) or question.default
                while not (answer := self.terminal.ask(question.label, kept, question.secret)):
                    if question.optional:
                        break
                    self.terminal.failed(_("This is needed."))
                answers[question.name] = answer
            os.environ.update(answers)
            try:
                told = check(answers)
            except RefusedAnswer as refused:
                self.terminal.failed(str(refused))
                untold = False
                if not refused.away or not self.terminal.confirm(_("Keep it untried?"), default=False):
                    continue
                told = _("kept untried")
            self.keep(**{name: value for name, value in answers.items() if value})
            if told:
                self.terminal.worked(told)
            return
