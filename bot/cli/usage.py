"""Report a command that is called wrongly in one line; click itself writes four."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click
from flask.cli import AppGroup

from bot.cli.errors import Failure


def brief(command: click.Command) -> None:
    """Make the command report wrong arguments in one line."""
    command.make_context = _brief(command.make_context)  # type: ignore[method-assign]
    command.invoke = _brief(command.invoke)  # type: ignore[method-assign]


def _brief(work: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(work)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return work(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError:  # a group called without a command shows its help
            raise
        except click.UsageError as error:
            words = " ".join(error.format_message().split()).rstrip(".")
            raise Failure(f"{words} (see `{_path(error.ctx)} --help`)") from None

    return told


def _path(context: click.Context | None) -> str:
    """Return the command as it is typed, such as `flask league check`."""
    names: list[str] = []
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name or "")
        context = context.parent
    return " ".join(["flask", *names])


class LateCommand(click.Command):
    """A command's name and summary. The command itself is made when it is called."""

    def __init__(self, name: str, summary: str, make: Callable[[], click.Command]) -> None:
        super().__init__(name, help=summary)
        self.make = make

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command itself, which click then invokes."""
        return self.make().make_context(info_name, args, parent, **extra)


class Commands(AppGroup):
    """The app's commands. An unknown command is reported in one line too."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing and not cmd_name.startswith("-"):
            raise Failure(f"there is no command {cmd_name} (see `flask --help`)")
        return found
