"""A command called wrongly is told so in one line, where click would write four."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click
from flask.cli import AppGroup

from bot.cli.errors import Failure


def brief(command: click.Command) -> None:
    """Have the command say in one line what is wrong with its arguments."""
    command.make_context = _brief(command.make_context)  # type: ignore[method-assign]
    command.invoke = _brief(command.invoke)  # type: ignore[method-assign]


def _brief(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return work(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError:  # the help itself, of a group named alone
            raise
        except click.UsageError as error:
            words = " ".join(error.format_message().split()).rstrip(".")
            raise Failure(f"{words} (see `{_path(error.ctx)} --help`)") from None

    return told


def _path(context: click.Context | None) -> str:
    """The command as it is typed: `flask league check`."""
    names: list[str] = []
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name or "")
        context = context.parent
    return " ".join(["flask", *names])


class Commands(AppGroup):
    """The app's commands; one there is not is told in one line too."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing and not cmd_name.startswith("-"):
            raise Failure(f"there is no command {cmd_name} (see `flask --help`)")
        return found
