"""Output that commands share: JSON for programs, and a progress bar at a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gettext import gettext as _
from typing import Any

import click

from bot.cli import language
from bot.cli.errors import Failure


def _in_english(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value:
        language.choose("en")
    return value


# What programs read is the same in every language.
AS_JSON = click.option(
    "--json", "as_json", is_flag=True, is_eager=True, callback=_in_english, help="The same for programs."
)


def print_json(value: Any, indent: int | None = None) -> None:
    """Print the value as JSON. Raises Failure for NaN and Infinity, which JSON does not have (RFC 8259,
    section 6)."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        raise Failure(
            _("a figure is no number (NaN or Infinity): is an option or a score far too large or small?")
        ) from None
    click.echo(text)


@contextmanager
def progress_bar(label: str, as_json: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield `progress(done, total)`: it moves a bar at a terminal, and shows nothing for programs."""
    hidden = as_json or not sys.stderr.isatty()
    with click.progressbar(length=1, label=label, hidden=hidden, file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress
