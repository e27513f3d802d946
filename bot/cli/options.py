"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bot.cli.base import choose_language

DEMO = click.option(
    "--demo", is_flag=True, help="Also where LOGS_URL is not set: of the demo league."
)


def _in_english(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value:
        choose_language("en")
    return value


# What programs read is the same in every language.
AS_JSON = click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    callback=_in_english,
    help="The same for programs.",
)
YES = click.option("--yes", is_flag=True, help="Write without asking.")


def defaulted(
    name: str, kind: Any, default: Any, words: str
) -> Callable[[Callable[..., None]], Any]:
    return click.option(name, type=kind, default=default, show_default=True, help=words)
