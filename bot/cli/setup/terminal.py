"""What the wizard says and asks. At a terminal secrets are not shown while they are typed; answers may come
from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from gettext import gettext as _

import click

SHOWN = 4  # last signs of a secret that are shown


def masked(secret: str) -> str:
    """Return what is shown of a secret."""
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
